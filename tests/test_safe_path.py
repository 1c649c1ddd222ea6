"""No file in the current folder stands in for a module: not here, and not in a child."""

import json
import os
import subprocess
import sys
from pathlib import Path

import odd_agents
import pytest
from nim import Nim
from patience import PATIENCE

import parlour
from parlour.agents.process import AgentProcess, module_folders

# What the console script is: a file that stands elsewhere.
SCRIPT = """\
import sys
from parlour.cli import main
if __name__ == "__main__":
    sys.exit(main())
"""

# The full screen without a terminal.
SCREEN = """\
import sys
if __name__ == "__main__":
    import parlour
    from parlour.table import LocalGame
    from parlour.table.opening import GameSetup
    opening = GameSetup(parlour.game("octa", size=1), ("random", "mine:First"), 1)
    game = LocalGame(opening.sit_down(), isolated=True)
    while game.next_events():
        pass
    game.analyse() if not game.is_over else None
    game.close()
    print("played")
"""


PLANTED = """\
import os
with open({marker!r}, "a") as marker:
    marker.write({name!r} + "\\n")
"""


@pytest.fixture(scope="module")
def modules_of_a_child(tmp_path_factory):
    """The modules of the standard library that a child has loaded when an agent is asked."""
    folder = tmp_path_factory.mktemp("listing")
    (folder / "listing.py").write_text(
        "import sys\nfrom odd_agents import First\nfrom pathlib import Path\n"
        "class Listing(First):\n"
        "    def best(self, state):\n"
        f"        Path({str(folder / 'modules')!r}).write_text(' '.join(sys.modules))\n"
        "        return super().best(state)\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        process = AgentProcess()
        process.agent("listing:Listing").choose(Nim().start())
        process.stop()
    loaded = {name.partition(".")[0] for name in (folder / "modules").read_text().split()}
    return loaded & set(sys.stdlib_module_names) - set(sys.builtin_module_names)


@pytest.fixture
def planted(tmp_path, modules_of_a_child):
    """A folder that is full of traps, and the file that says which were sprung."""
    names = modules_of_a_child
    assert {"json", "select", "threading"} <= names
    folder, marker = tmp_path / "planted", tmp_path / "marker"
    folder.mkdir()
    for name in names | {"click", "pickle", "multiprocessing", "textual", "rich", "resource"}:
        (folder / f"{name}.py").write_text(PLANTED.format(marker=str(marker), name=name))
    (folder / "mine.py").write_text(Path(odd_agents.__file__).read_text())
    return folder, marker


def run(source, planted, tmp_path, *arguments, text=""):
    folder, marker = planted
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "parlour-script"
    script.write_text(source)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(module_folders())}
    done = subprocess.run(
        [sys.executable, str(script), *arguments],
        input=text,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=PATIENCE,
        check=False,
    )
    assert not marker.exists(), marker.read_text()
    return done


@pytest.mark.parametrize("display", ["--plain", "--json"])
def test_no_file_in_the_folder_is_run_by_a_game(display, planted, tmp_path):
    arguments = ("play", "octa", display, "--set", "size=1", "--against", "mine:First")
    first = parlour.game("octa", size=1).start(8).scene().actions[0].text
    text = f"{json.dumps(first) if display == '--json' else first}\n"
    done = run(SCRIPT, planted, tmp_path, *arguments, "--seed", "8", text=text)
    assert done.returncode == 0, done.stderr
    assert "failed" not in done.stdout
    moved = '"seat": 1' if display == "--json" else "player 2 (mine:First): "
    assert moved in done.stdout


def test_no_file_in_the_folder_is_run_by_a_screen(planted, tmp_path):
    done = run(SCREEN, planted, tmp_path)
    assert done.stdout == "played\n", done.stderr


@pytest.mark.parametrize("game", ["octa", "banqi"])
def test_no_file_in_the_folder_is_run_by_a_match(game, planted, tmp_path):
    arguments = ("match", game, "mine:Seeded", "random", "--games=2", "--processes=1")
    done = run(SCRIPT, planted, tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert "crashed" not in done.stdout


def test_with_m_the_folder_is_removed_from_the_path_before_the_command_runs(tmp_path):
    marker = tmp_path / "marker"
    for name in ("click", "textual", "multiprocessing", "argparse"):
        (tmp_path / f"{name}.py").write_text(PLANTED.format(marker=str(marker), name=name))
    (tmp_path / "mine.py").write_text(Path(odd_agents.__file__).read_text())
    arguments = ["match", "octa", "mine:First", "random", "--games=2", "--set=size=1"]
    for given in (["games"], arguments):
        done = subprocess.run(
            [sys.executable, "-m", "parlour.cli", *given],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(module_folders())},
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert not marker.exists(), marker.read_text()
