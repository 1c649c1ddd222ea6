"""The command `parlour`, as a shell runs it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import odd_agents
import pytest
from parlour_here import EXTRAS, ParlourWithout
from parlour_here import run_here as run
from patience import PATIENCE

import parlour


@pytest.fixture(scope="module")
def bare():
    """Run commands in a process without the extra `terminal`."""
    process = ParlourWithout(*EXTRAS)
    yield process.run
    process.close()


@pytest.fixture(params=["with Textual", "without Textual"])
def run_both(request):
    """Run commands with and without the extra `terminal`."""
    return run if request.param == "with Textual" else request.getfixturevalue("bare")


def run_process(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "parlour.cli", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=PATIENCE,
        check=False,
    )


def test_the_command_has_output_and_exit_status():
    done = run_process("games")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("games").stdout
    done = run_process("play", "otca")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == run("play", "otca").stderr


def test_version_prints_the_running_build(run_both):
    done = run_both("--version")
    assert done.returncode == 0
    assert done.stdout.strip() == str(parlour.build_info())
    assert ("(compiled;" in done.stdout) == parlour.build_info().compiled


def test_games_lists_every_game_with_its_options(run_both):
    done = run_both("games")
    for name in parlour.game_names():
        assert f"{name}: " in done.stdout
        for option in parlour.game_class(name).OPTIONS:
            assert f"  {option.name} (" in done.stdout


def test_play_plays_a_game(run_both):
    arguments = ("play", "octa", "--seed", "1", "--set", "size=1", "--people", "--plain")
    done = run_both(*arguments, text="1,1\nquit\n")
    assert done.returncode == 0
    assert "Octa. Type help for the commands." in done.stdout
    assert "New game, seed 1." in done.stdout
    assert "Turn 2 of 8: player 2 to move." in done.stdout
    assert done.stderr == ""


def test_a_new_package_is_made_and_a_game_is_checked(run_both, tmp_path):
    done = run_both("new", str(tmp_path / "hopper"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "hopper" / "src" / "hopper.py").is_file()
    done = run_both("check", "octa", "--size", "1", "--no-speed")
    assert done.returncode == 0, done.stderr
    assert "size=1, " in done.stdout.splitlines()[0]
    overview = run_both("--help").stdout
    assert "new" in overview.split()
    assert "check" in overview.split()


def test_play_without_a_name_asks_for_one():
    done = run("play", text="chess\n99\n1\nquit\n")
    assert "1. Banqi" in done.stdout or "1. Cat and Mouse" in done.stdout
    assert "there is no game 'chess'" in done.stdout
    assert "there is no game '99'" in done.stdout
    assert "New game, seed " in done.stdout
    assert run("play", text="octa\nquit\n").returncode == 0
    assert run("play", text="").returncode == 0


def test_each_game_has_a_new_seed_unless_one_is_given():
    first, second = (run("play", "octa", text="quit\n").stdout for _ in range(2))
    assert first != second


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play", "otca"), "parlour: there is no game 'otca' (did you mean 'octa'?)"),
        (("play", "octa", "--set", "size=0"), "parlour: size must be an int from 1 to 20, not 0"),
        (("play", "octa", "--set", "size"), "parlour: octa: write a setting as size=VALUE"),
        (("play", "octa", "--set", "siez=1"), "parlour: octa has no option 'siez'"),
        (("play", "octa", "--seed", "x"), "parlour: Invalid value for '--seed'"),
        (("play", "octa", "--size", "0"), "parlour: size must be an int from 1 to 20, not 0"),
        (("play", "octa", "--size"), "parlour: Option '--size' requires an argument"),
        (("play", "octa", "--siez", "1"), "unknown option '--siez' (did you mean '--size'?)"),
        (("play", "octa", "--sede", "1"), "unknown option '--sede' (did you mean '--seed'?)"),
        (("match", "octa", "random", "random", "--out", "x"), "unknown option '--out'; try"),
        (("play", "octa", "extra"), "parlour: unexpected argument (extra)"),
        (("play", "--size", "1"), "unknown option '--size'"),
        (("play", "--size", "1"), "; try 'parlour play GAME --help'"),
        (("play", "otca", "--size", "1"), "parlour: there is no game 'otca'"),
        (("play", "octa", "--against", "rnadom"), "(did you mean 'random'?)"),
        (("play", "octa", "--seat", "7=random"), "parlour: --seat needs N=AGENT"),
        (("play", "octa", "--as", "3"), "parlour: Octa has seats 1 to 2, not 3"),
        (("play", "octa", "--clock", "soon"), "parlour: write a clock like 5m"),
        (("play", "--resume"), "parlour: you have no unfinished game"),
        (("play", "--resume", "none.parlour"), "parlour: there is no record 'none.parlour'"),
        (
            ("play", "octa", "--against", "level:12"),
            "level takes an int from 1 to 9, as in level:5",
        ),
        (("play", "octa", "--against", "7"), "unknown agent '7' (did you mean 'level:7'?)"),
        (("play", "octa", "--against", ""), "parlour: unknown agent ''; the agents are random"),
        (("play", "octa", "--people", "--against", "random"), "leave out --against"),
        (
            ("play", "cat_mouse", "--against", "random"),
            "'parlour watch cat_mouse --against random'",
        ),
        (("play", "octa", "--seed", str(2**64)), "is not in the range -9223372036854775808"),
        (("play", "octa", "--as", "0"), "parlour: --as needs your seat, 1 or more, not 0"),
        (("play", "octa", "--size", "2", "--set", "size=3"), "parlour: octa: size is given twice"),
        (("play", "octa:siez=2"), "octa has no option 'siez' (did you mean 'size'?)"),
        (("play", "OCTA"), "(did you mean 'octa'?)"),
        (("play", "cat"), "(did you mean 'cat_mouse'?)"),
        (("play", "octa", "--nosuch"), "; try 'parlour play octa --help'"),
        (("analyse", "octa", "--at", "1"), "parlour: --at needs a record"),
        (
            ("replay", "x", "--check", "--at", "1"),
            "parlour: --check covers every line: leave out --delay and --at",
        ),
        (("replay", "a", "b"), "parlour: unexpected argument (b); try 'parlour replay --help'"),
        (("perft", "octa", "--depth", "x"), "'x' is not a whole number"),
        (("version",), "unknown command 'version' (did you mean '--version'?)"),
        (("match", "octa", "random", "--gmaes", "5"), "(did you mean '--games'?)"),
        (("match", "octa"), "Missing argument 'AGENT...'; try 'parlour match octa --help'"),
        (("watch", "octa", "--seat", "1=person"), "parlour: watch is only for agents"),
        (("watch", "octa", "--delay", "x"), "parlour: Invalid value for '--delay'"),
        (("watch", "octa", "--delay", "nan"), "'nan' is not a number"),
        (("replay",), "parlour: Missing argument 'RECORD'"),
        (("replay", "none.parlour"), "parlour: there is no record 'none.parlour'"),
        (("export", "none.parlour"), "parlour: choose what to draw"),
        (("analyse", "otca"), "there is no game and no record 'otca' (did you mean 'octa'?)"),
        (("analyse", "none.parlour"), "parlour: there is no record 'none.parlour'"),
        (("perft", "octa", "--depth", "0"), "parlour: Invalid value for '--depth'"),
        (("bench", "otca"), "parlour: there is no game 'otca'"),
        (("completion", "tcsh"), "parlour: Invalid value for"),
        (("paly",), "parlour: unknown command 'paly' (did you mean 'play'?)"),
        (("games", "--jso"), "parlour: unknown option '--jso' (did you mean '--json'?)"),
        (
            ("play", "cat_mouse", "--set", "density=0.9999"),
            "parlour: found no start that can be won",
        ),
    ],
)
def test_a_wrong_command_is_exit_status_2_and_says_why_on_stderr(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_without_a_command_there_is_help_with_examples():
    for arguments in ((), ("--help",), ("-h",)):
        done = run(*arguments)
        assert done.returncode == 0
        assert "parlour play octa" in done.stdout
    assert run("help", "play").stdout == run("play", "--help").stdout
    for command in ("play", "watch", "replay", "export", "completion"):
        assert "Examples:" in run(command, "--help").stdout


class TestWithoutTextual:
    def test_games_can_be_played_in_line_mode_and_are_stored(self, bare):
        arguments = ("play", "octa", "--size", "1", "--seed", "8", "--people", "--words")
        done = bare(*arguments, text="1,1\nquit\n")
        assert "row 1: " in done.stdout
        listed = bare("records").stdout
        assert "Octa  1 action  unfinished  person – person\n" in listed
        name = listed.split(".")[0]
        assert "Resuming" in bare("play", "--resume", name, text="quit\n").stdout

    def test_programs_can_play(self, bare):
        done = bare("play", "cat_mouse", "--seed", "7", "--json")
        assert json.loads(done.stdout)["cat_mouse"]["cat"]

    def test_a_missing_terminal_extra_is_explained(self):
        code = (
            "import sys\n"
            "sys.modules['textual'] = None\n"
            "sys.stdin.isatty = sys.stdout.isatty = lambda: True\n"
            "from parlour.cli import main\n"
            "sys.exit(main(['play', 'octa']))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 3
        assert "the full screen needs the extra" in done.stderr


def test_the_help_groups_the_commands_and_sums_each_up_in_a_line():
    text = run("--help").stdout
    topics = re.findall(r"^(\w+):$", text, re.MULTILINE)
    assert topics == ["Options", "Play", "Review", "Agents", "Server", "Authoring"]
    commands = dict(re.findall(r"^  (\w+) +([A-Z].+)$", text, re.MULTILINE))
    assert {"play", "replay", "match", "serve", "new"} <= set(commands)
    for name, summary in commands.items():
        assert len(summary) < 50
        assert summary in run(name, "--help").stdout


def test_the_help_of_a_command_lists_the_options_of_the_game():
    assert "--win-condition" not in run("play", "--help").stdout
    text = run("play", "octa", "--help").stdout
    assert "Options of octa:\n  --size VALUE" in text
    assert "--win-condition" in text


def test_importing_the_library_does_not_import_the_command_line():
    code = (
        "import sys, parlour; print([name for name in ('click', 'textual') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_options_of_a_game_are_flags_too():
    done = run("play", "octa", "--size=1", "--stop-on-enemy", "--people", text="quit\n")
    assert "Turn 1 of 8" in done.stdout
    done = run("play", "octa:size=1", "--stop-on-enemy", "false", "--people", text="quit\n")
    assert "Turn 1 of 8" in done.stdout
    done = run("perft", "octa", "--size", "1", "--no-stop-on-enemy", "--depth", "2", "--seed", "8")
    assert done.stdout.startswith("depth 1: 2\ndepth 2: ")


def test_watch_lets_agents_play_to_the_end():
    arguments = ("--size", "1", "--seed", "8", "--delay", "0", "--against", "random")
    done = run("watch", "octa", *arguments)
    assert done.returncode == 0
    assert "player 2 (random): " in done.stdout
    assert " wins: " in done.stdout or "tie" in done.stdout
    assert done.stdout == run("watch", "octa", *arguments).stdout


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "game.parlour"
    game = parlour.game("octa", size=1)
    path.write_text(parlour.Record(game, 8, [2]).to_text(), "utf-8")
    return path


@pytest.mark.parametrize("how", ["watch", "match"])
def test_an_agent_of_your_own_is_found_in_the_folder_of_the_command(how, tmp_path):
    shutil.copy(odd_agents.__file__, tmp_path / "mine.py")
    arguments = {
        "watch": ["watch", "octa", "--plain", "--against=mine:First", "--delay=0", "--no-keep"],
        "match": ["match", "octa", "mine:First", "random", "--games=2"],
    }[how]
    # -P, because a command that is installed does not look into the folder by itself.
    done = subprocess.run(
        [sys.executable, "-P", "-m", "parlour.cli", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(parlour.__file__).parents[1])},
        cwd=tmp_path,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, "crashed" in done.stdout) == (0, False), done.stderr
    assert "mine:First" in done.stdout


class TestReplay:
    def test_shows_every_step(self, record):
        done = run("replay", str(record))
        assert "1. player 1: 1,1" in done.stdout
        assert "Turn 2 of 8" in done.stdout
        assert "Turn 1 of 8" in run("replay", str(record), "--at", "0").stdout
        assert run("replay", str(record), "--at", "5").returncode == 2

    def test_check_accepts_a_valid_record(self, record):
        done = run("replay", str(record), "--check")
        assert done.returncode == 0
        assert "valid. Octa, 1 action." in done.stdout

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("1. 1,1", "1. 0,0", "line 8: 0,0 is not legal: that cell is neutral"),
            ("option size 1", "option size 99", "line 3: size must be an int from 1 to 20"),
            ("result unfinished", "result 1 -1 won", "line 9: the result of these actions"),
            ("seed 8", "seed 9", "line"),
            ("check ", "chek ", "line 10: expected"),
        ],
    )
    def test_check_names_the_first_wrong_line(self, record, old, new, message):
        record.write_text(record.read_text("utf-8").replace(old, new), "utf-8")
        done = run("replay", str(record), "--check")
        assert done.returncode == 1
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1

    def test_check_verifies_chance(self, tmp_path):
        game = parlour.game("octa", size=1)
        notes = {"commitment": "0" * 64, "key": "00" * 32}
        path = tmp_path / "game.parlour"
        path.write_text(parlour.Record(game, 8, [2], notes).to_text(), "utf-8")
        done = run("replay", str(path), "--check")
        assert done.returncode == 1
        assert "chance was not as promised" in done.stderr


class TestCommitment:
    @pytest.fixture
    def kept(self, tmp_path):
        from parlour.table import Table

        table = Table(parlour.game("banqi", quiet_limit=4), seed=3)
        rng = parlour.Rng(3)
        while not table.is_over:
            table.play(table.state.sample(rng))
        path = tmp_path / "game.parlour"
        path.write_text(table.record().to_text(), "utf-8")
        return path, table.commitment

    def test_without_the_players_note_a_file_only_agrees_with_itself(self, kept):
        done = run("replay", str(kept[0]), "--check")
        assert done.returncode == 0
        assert "The key drew every random event, so the file is consistent." in done.stdout
        assert "Add --commitment to check that the key was fixed before the game." in done.stdout

    def test_the_players_note_proves_chance(self, kept):
        done = run("replay", str(kept[0]), "--check", "--commitment", kept[1].upper())
        assert done.returncode == 0
        assert "it was fixed before the game" in done.stdout

    def test_another_players_note_is_refused(self, kept):
        done = run("replay", str(kept[0]), "--check", "--commitment", "0" * 64)
        assert done.returncode == 1
        assert "the key does not match the commitment" in done.stderr
        assert run("replay", str(kept[0]), "--commitment", "00").returncode == 2

    def test_a_record_without_a_key_proves_nothing(self, record):
        done = run("replay", str(record), "--check", "--commitment", "00")
        assert done.returncode == 1
        assert "no chance key" in done.stderr


def test_a_player_adds_to_chance(tmp_path):
    options = ["play", "banqi", "--people", "--seed", "1", "--json", "--no-keep"]
    plain = run(*options, text='"a1"\n')
    added = {run(*options, "--nonce", str(n), text='"a1"\n').stdout for n in range(6)}
    assert len(added | {plain.stdout}) > 2
    refused = run("play", "octa", "--nonce", "x")
    assert refused.returncode == 2
    assert "has no chance events: leave out --nonce" in refused.stderr


def test_a_resumed_game_cannot_be_changed_but_its_seats_can(tmp_path):
    run("play", "octa", "--size", "1", "--seed", "8", "--people", text="1,1\nquit\n")
    for flag in (["--seed", "3"], ["--clock", "5m"], ["--people"], ["--against", "random"]):
        done = run("play", "--resume", "octa", *flag)
        assert done.returncode == 2
        assert f"leave out {flag[0]}" in done.stderr
    done = run("play", "--resume", "octa", "--seat", "2=random", text="quit\n")
    assert "player 2 (random)" in done.stdout


def test_a_script_leaves_no_game_to_resume():
    run("play", "octa", "--size", "1", "--people", text="1,1\nquit\n")
    run("play", "octa", "--size", "1", "--people", "--json", text='"1,1"\n')
    done = run("play", "--resume", text="quit\n")
    assert done.returncode == 2
    assert "to resume a game of agents or of a script, name its record" in done.stderr


def test_export_draws(record, tmp_path):
    picture = tmp_path / "a.svg"
    assert run("export", str(record), "--svg", str(picture)).returncode == 0
    assert picture.read_text("utf-8").startswith("<svg")


def test_records_lists_stored_games(tmp_path):
    run("play", "octa", "--people", "--size", "1", "--seed", "8", text="1,1\nquit\n")
    run("play", "octa", "--no-keep", "--people", "--size", "1", "--seed", "8", text="1,1\nquit\n")
    done = run("records")
    assert "Octa  1 action  unfinished  person – person\n1 record in " in done.stdout


def test_solve_gives_a_solution_or_status_1():
    done = run("solve", "cat_mouse", "--seed", "7")
    assert done.stdout.startswith("41 actions: ")
    done = run("solve", "octa")
    assert (done.returncode, done.stdout) == (1, "Octa has no solver.\n")


def test_analyse_ranks_the_choices(record):
    done = run("analyse", str(record), "--agent", "mcts:sims=50,seed=1")
    assert "action   value  visits  expected play" in done.stdout
    lines = run("analyse", "octa", "--size", "1", "--agent", "greedy", "--json").stdout.splitlines()
    assert {"action", "text", "value"} <= set(json.loads(lines[0]))
    assert len(run("analyse", "octa", "--agent", "random", "--json", "--most", "1").stdout) > 0


def test_perft_counts_and_divides():
    done = run("perft", "octa", "--size", "1", "--seed", "8", "--depth", "1", "--divide")
    assert done.stdout.startswith("1,1 1\n-1,-1 1\n2 in ")


def test_bench_gives_figures():
    assert "octa: " in run("bench", "octa", "--seconds", "0.01").stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell):
    assert "_PARLOUR_COMPLETE" in run("completion", shell).stdout


def test_match_has_its_own_help():
    assert "match" in run("--help").stdout
    assert "The folder for the games." in run("match", "--help").stdout


def test_a_terminal_without_arrows_gets_ascii_arrows():
    done = run("play", "octa", "--seed", "8", text="quit\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "?" not in done.stdout
    assert "Arrows are ^ v < >" in done.stdout
    assert ".> .n .u .b .^ .n .> .^ .v" in " ".join(done.stdout.split())


@pytest.mark.parametrize("text", ["1" * 5000 + "\n", "٣\n", "0\n", "-1\n", "\n"])
def test_nonsense_at_the_menu_asks_again(text):
    done = run("play", text=text)
    assert done.returncode == 0
    assert done.stdout.count("Which game?") == 2
    assert done.stderr == ""


def test_binary_input_gives_no_traceback():
    done = run("play", "octa", text=b"\xff\xfe\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")


def test_closed_input_counts_as_end_of_input():
    for arguments in ("play octa", "play"):
        done = subprocess.run(
            f"'{sys.executable}' -m parlour.cli {arguments} <&-",
            shell=True,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0
        assert "Traceback" not in done.stderr


def test_a_full_disk_is_one_line_on_stderr():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "parlour.cli", "play", "octa"],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("parlour: cannot continue: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_game_that_fails_to_load_does_not_hide_others(tmp_path):
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[parlour.games]\nbroken = no_such_module:Game\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = run("games", PYTHONPATH=path)
    assert done.returncode == 0
    assert "octa: Octa" in done.stdout
    assert "does not load: ModuleNotFoundError: No module named 'no_such_module'" in done.stderr
    menu = run("play", text="octa\nquit\n", PYTHONPATH=path)
    assert "New game" in menu.stdout


def test_a_closed_output_pipe_is_not_an_error():
    done = subprocess.run(
        f"'{sys.executable}' -m parlour.cli games | true; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr


def test_ctrl_c_exits_cleanly():
    process = subprocess.Popen(
        [sys.executable, "-m", "parlour.cli", "play", "octa", "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    while "Actions:" not in process.stdout.readline():
        pass
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    while "Interrupted" not in process.stdout.readline():
        pass
    out, err = process.communicate("quit\n", timeout=PATIENCE)
    assert process.returncode == 0
    assert "Goodbye." in out
    assert err == ""


def test_analysing_the_whole_of_a_game_without_a_record_names_the_fix(run_both):
    done = run_both("analyse", "octa", "--whole")
    assert done.returncode == 2
    assert "is the name of a game: name a record" in done.stderr


def test_a_closed_pipe_has_the_status_of_its_signal():
    process = subprocess.Popen(
        [sys.executable, "-m", "parlour.cli", "games"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    process.stdout.close()
    assert process.wait(PATIENCE) == 141
