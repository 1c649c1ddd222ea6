"""Shell completion, requested as the shells do, in a separate process."""

import os
import shutil
import subprocess
import sys

import pytest
from patience import PATIENCE

import parlour
from parlour.commands.parameters import option_values
from parlour.core import options
from parlour.table.locations import records_folder

COMMAND = [sys.executable, "-m", "parlour.cli"]


def ask(shell, words, cword):
    done = subprocess.run(
        COMMAND,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "COMP_WORDS": words,
            "COMP_CWORD": cword,
            "_PARLOUR_COMPLETE": f"{shell}_complete",
        },
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


def complete(words):
    """Return the words offered to Bash; a trailing space begins a new word."""
    answer = ask("bash", words, str(len(words.split()) - (not words.endswith(" "))))
    return [line.partition(",")[2] for line in answer.splitlines() if line.startswith("plain,")]


LEVELS = [f"level:{number}" for number in range(1, 10)]


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("parlour pl", ["play"]),
        ("parlour play ", parlour.game_names()),
        ("parlour bench oc", ["octa"]),
        ("parlour play octa --wi", ["--win-condition"]),
        ("parlour analyse octa --st", ["--stop-on-enemy"]),
        ("parlour play octa --win-condition ", ["turn-limit-majority", "elimination"]),
        ("parlour play octa --size 2", ["2", "20"]),
        ("parlour play octa --size = 2", ["2", "20"]),
        ("parlour play octa --set s", ["size=", "stop_on_enemy="]),
        ("parlour play octa --set stop_on_enemy=", ["stop_on_enemy=true", "stop_on_enemy=false"]),
        ("parlour play octa --set stop_on_enemy =", ["true", "false"]),
        ("parlour play octa --set stop_on_enemy = t", ["true"]),
        ("parlour play octa --against rand", ["random"]),
        ("parlour engine ", ["gtp", "cdc", "uci", "ugi"]),
        ("parlour engine gtp blo", ["blokus"]),
        ("parlour engine gtp blokus --variant ", ["classic", "two-player", "three-player", "duo"]),
        ("parlour play octa --against level:", LEVELS),
        ("parlour play octa --against level :", list("123456789")),
        ("parlour play octa --against = level : 4", ["4"]),
        ("parlour play octa --against search:ti", ["search:time="]),
        ("parlour play octa --against mcts:sims=50,ti", ["mcts:sims=50,time="]),
        ("parlour play octa --seat ", ["1=", "2="]),
        ("parlour play octa --seat 2=pe", ["2=person"]),
        ("parlour play octa --seat 2 = pe", ["person"]),
        ("parlour match ", parlour.game_names()),
        ("parlour match octa rand", ["random"]),
        ("parlour match octa --g", ["--games"]),
        ("parlour match octa --set si", ["size="]),
        ("parlour match octa --size 2", ["2", "20"]),
        ("parlour match octa --win", ["--win-condition"]),
        ("parlour tune octa --by rand", ["random"]),
        ("parlour match octa --on r", ["ray"]),
        ("parlour tournament oc", ["octa"]),
        ("parlour tournament octa --dr", ["--draw", "--dry-run"]),
        ("parlour tournament octa --format s", ["swiss"]),
        ("parlour rate --an", ["--anchor"]),
        ("parlour new --c", ["--compiled"]),
        ("parlour check ", parlour.game_names()),
        ("parlour check octa --se", ["--set", "--seconds"]),
        ("parlour check octa --set si", ["size="]),
        ("parlour completion ", ["bash", "zsh", "fish"]),
    ],
)
def test_completion_offers_the_expected_words(words, offers):
    assert complete(words) == offers


def test_agents_are_offered_with_their_levels():
    assert complete("parlour watch octa --against ") == [*parlour.agent_names(), *LEVELS]


@pytest.mark.parametrize("command", ["replay", "export", "analyse", "play --resume"])
def test_records_and_files_are_offered(command):
    folder = records_folder()
    folder.mkdir(parents=True)
    for name in ("my-first.parlour", "my-second.parlour"):
        (folder / name).write_text("")
    line = f"parlour {command} my-"
    assert set(complete(line)) == {"my-first.parlour", "my-second.parlour"}
    assert ask("bash", line, str(len(line.split()) - 1)).endswith("file,my-\n")


def test_zsh_and_fish_are_offered_the_same():
    assert ask("zsh", "parlour play oc", "2").split() == ["plain", "octa", "_"]
    assert ask("fish", "parlour play octa --win-condition el", "el") == "plain,elimination\n"
    assert ask("fish", "parlour play octa --against level:7", "level:7") == "plain,level:7\n"


def test_for_a_wide_range_only_the_default_is_offered():
    assert option_values(options.integer("n", 7, 1, 1000, "")) == ["7"]
    assert option_values(options.integer("n", None, 1, 1000, "")) == ["auto"]
    assert option_values(options.text("n", None, "")) == ["auto"]
    assert option_values(options.flag("n", True, "")) == ["true", "false"]


class TestBash:
    """The script, in a real Bash."""

    @pytest.fixture
    def reply(self, tmp_path):
        bash = shutil.which("bash")
        assert bash is not None
        program = tmp_path / "parlour"
        program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m parlour.cli \"$@\"\n")
        program.chmod(0o755)

        def run(*words):
            """Return the replies for these words, as Bash splits them, and the options set."""
            given = " ".join(f"'{word}'" for word in words)
            code = (
                f"eval \"$('{program}' completion bash)\"\n"
                'compopt() { echo "compopt $1 $2"; }\n'
                f"COMP_WORDS=({given}) COMP_CWORD={len(words) - 1}\n"
                f"_parlour_completion '{program}'\n"
                'printf "%s\\n" "${COMPREPLY[@]}"\n'
            )
            done = subprocess.run(
                [bash, "--norc", "-c", code],
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=True,
            )
            return done.stdout.split("\n")[:-1]

        return run

    def test_words_split_by_bash_are_joined(self, reply):
        assert reply("parlour", "play", "octa", "--against", "level", ":") == list("123456789")

    def test_a_name_that_takes_a_value_gets_no_space(self, reply):
        words = ("parlour", "play", "octa", "--set", "siz")
        assert reply(*words) == ["compopt -o nospace", "size="]

    def test_files_are_left_to_bash(self, reply):
        assert reply("parlour", "replay", "ga") == ["compopt -o default", ""]
