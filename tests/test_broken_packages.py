"""A broken package affects only its own game."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

import parlour

EXAMPLES = Path(__file__).parent / "examples"

NIM = """\
from nim import Nim, NimState

class Broken(Nim):
    pass

class BrokenState(NimState):
    pass
"""

# What goes wrong when the entry point is loaded, or the game is made.
UNLOADABLE = {
    "a module that raises": "1 / 0",
    "a module that exits": "import sys\nsys.exit(7)",
    "a module that raises something odd": "class Odd(BaseException): pass\nraise Odd('odd')",
    "no such module": None,
    "something else": "Broken = 3",
    "options of a wrong kind": NIM + "Broken.OPTIONS = 5",
    "a constructor that raises": NIM + "Broken.__init__ = lambda self, **options: 1 / 0",
    "a constructor that exits": NIM + "Broken.__init__ = lambda self, **options: exit(3)",
    "a constructor with steering signs": NIM
    + "def make(self, **options):\n    raise KeyError('\\x1b[2J')\nBroken.__init__ = make",
}

FAILING = {
    "start": NIM + "Broken.start = lambda self, seed=0: 1 / 0",
    "start that exits": NIM + "Broken.start = lambda self, seed=0: exit(3)",
    "scene": NIM + "Broken.scene = lambda self, state, seat: 1 / 0",
    "rule_against": NIM
    + "Broken.start = lambda self, seed=0: BrokenState(self, 10, 0)\n"
    + "BrokenState.rule_against = lambda self, action: 1 / 0",
    "apply": NIM
    + "Broken.start = lambda self, seed=0: BrokenState(self, 10, 0)\n"
    + "def apply(self, action): 1 / 0\n"
    + "BrokenState.apply = apply",
    "legal_actions": NIM
    + "Broken.start = lambda self, seed=0: BrokenState(self, 10, 0)\n"
    + "def legal_actions(self): 1 / 0\n"
    + "BrokenState.legal_actions = legal_actions",
}


@pytest.fixture
def shop(tmp_path):
    """Installs fake packages, and runs the command with them."""
    site = tmp_path / "site"

    def install(source, name="broken", entry_points=None):
        info = site / f"{name}_games-1.0.dist-info"
        info.mkdir(parents=True)
        metadata = f"Metadata-Version: 2.1\nName: {name}-games\nVersion: 1.0\n"
        (info / "METADATA").write_text(metadata)
        lines = entry_points or f"[parlour.games]\n{name} = {name}_games:Broken\n"
        (info / "entry_points.txt").write_bytes(
            lines if isinstance(lines, bytes) else lines.encode()
        )
        if source is not None:
            (site / f"{name}_games.py").write_text(source)

    def run(*arguments, text=""):
        given = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        paths = [*map(os.path.abspath, given), str(site), str(EXAMPLES)]
        return subprocess.run(
            [sys.executable, "-m", "parlour.cli", *arguments],
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"},
            timeout=PATIENCE,
            check=False,
        )

    run.install = install
    return run


def is_one_line_on(done, package="broken-games"):
    (line,) = done.stderr.splitlines()
    assert line.startswith("parlour: ")
    assert package in line
    assert line.isprintable()
    return True


@pytest.mark.parametrize("trouble", UNLOADABLE)
def test_a_broken_game_is_named_and_the_others_are_listed(shop, trouble):
    shop.install(UNLOADABLE[trouble])
    for arguments in (("games",), ("games", "--json")):
        done = shop(*arguments)
        assert done.returncode == 0
        assert is_one_line_on(done)
        for name in ("banqi", "blokus", "cat_mouse", "octa"):
            assert name in done.stdout
    played = shop("play", "broken", "--plain")
    assert played.returncode == 2
    assert is_one_line_on(played)


@pytest.mark.parametrize("trouble", ["a module that exits", "a constructor that raises"])
def test_the_chooser_offers_the_other_games(shop, trouble):
    shop.install(UNLOADABLE[trouble])
    done = shop("play", text="octa\nquit\n")
    assert done.returncode == 0
    assert is_one_line_on(done)
    assert "New game, seed " in done.stdout


def test_every_other_command_works_beside_a_broken_package(shop, tmp_path, monkeypatch):
    monkeypatch.setenv("_PARLOUR_COMPLETE", "")
    shop.install(UNLOADABLE["a module that exits"])
    shop.install(FAILING["start"], "bad")
    done = shop("bench", "--seconds", "0.01")
    assert done.returncode == 0
    assert [line.split()[1] for line in done.stderr.splitlines()] == ["the", "the"]
    assert "broken-games" in done.stderr
    assert "the game nim of the package bad-games failed in start()" in done.stderr
    assert "octa: " in done.stdout
    assert "banqi: " in done.stdout
    assert shop("play", "octa", "--people", "--plain", text="quit\n").returncode == 0
    for words, offer in [("parlour play ", "octa"), ("parlour play broken --set ", "")]:
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
        monkeypatch.setenv("_PARLOUR_COMPLETE", "bash_complete")
        completed = shop()
        assert completed.stderr == ""
        assert offer in completed.stdout


@pytest.mark.parametrize(
    "lines", ["[parlour.games]\nno equals sign\n", b"[parlour.games]\nx = \xff\xfe:Y\n"]
)
def test_unreadable_entry_points_do_not_hide_other_packages(shop, lines):
    shop.install(None, entry_points=lines)
    shop.install(NIM, "sound")
    done = shop("games")
    assert done.returncode == 0
    assert is_one_line_on(done)
    assert "octa: Octa" in done.stdout
    assert "sound: Nim" in done.stdout
    assert shop("play", "octa", "--against", "random", "--plain", text="quit\n").returncode == 0


@pytest.mark.parametrize("method", FAILING)
def test_a_game_that_fails_during_play_ends_with_a_message(shop, method):
    shop.install(FAILING[method])
    done = shop("play", "broken", "--people", "--plain", text="take1\ntake1\nquit\n")
    assert done.returncode == 2
    assert is_one_line_on(done)
    asked = {"legal_actions": "scene", "start that exits": "start"}.get(method, method)
    assert f"failed in {asked}(): " in done.stderr


@pytest.mark.parametrize("command", ["watch", "perft"])
def test_a_broken_game_is_a_one_line_error_in_every_command(shop, command):
    shop.install(FAILING["legal_actions"])
    more = ("--against", "random", "--delay", "0") if command == "watch" else ()
    done = shop(command, "broken", *more)
    assert done.returncode == 2
    assert is_one_line_on(done)


LATER = f"""\
{NIM}
def scene(self, state, seat):
    if state.heap < 9:
        raise RuntimeError("no more stones to draw")
    return Nim.scene(self, state, seat)

Broken.scene = scene
"""


def test_moves_before_a_failure_are_stored(shop, tmp_path):
    shop.install(LATER, "nim")
    done = shop("play", "nim", "--people", "--plain", text="take1\ntake1\ntake1\n")
    assert done.returncode == 2
    assert is_one_line_on(done, "nim-games")
    assert "failed in scene(): RuntimeError: no more stones to draw" in done.stderr
    (path,) = (tmp_path / "data" / "records").glob("*.parlour")
    assert "2. take1" in path.read_text("utf-8")


def test_records_lists_games_of_packages_that_broke(shop, tmp_path):
    shop.install(NIM, "nim")
    assert shop("play", "nim", "--people", "--plain", text="take1\nquit\n").returncode == 0
    shop("play", "octa", "--size", "1", "--people", "--plain", text="1,1\nquit\n")
    (tmp_path / "site" / "nim_games.py").write_text("1 / 0\n")
    done = shop("records")
    assert done.returncode == 0
    assert "cannot be read: the game 'nim' (nim_games:Broken of the package nim-games)" in (
        done.stdout
    )
    assert done.stdout.splitlines()[-1].startswith("2 records in ")


def test_a_broken_package_of_an_agent_is_named(shop):
    shop.install("1 / 0", entry_points="[parlour.agents]\nwise = broken_games:Wise\n")
    done = shop("play", "octa", "--against", "wise", "--plain")
    assert done.returncode == 2
    assert is_one_line_on(done)
    assert shop("play", "octa", "--plain", text="quit\n").returncode == 0


def test_a_keyword_that_is_not_an_option_is_an_option_error():
    for word in ("self", "name", "text", "cls"):
        with pytest.raises(parlour.OptionError, match=f"octa has no option '{word}'"):
            parlour.game("octa", **{word: 1})
