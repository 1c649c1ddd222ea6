"""An annotated game passes strict type checkers: the tutorial's, and what `parlour new` makes."""

import subprocess
import sys

import pytest

GAMES = {
    "tutorial.py": "tests/examples/connect_four.py",
    "plain.py": "src/parlour/templates/plain/src/my_game.py",
    "compiled.py": "src/parlour/templates/compiled/src/my_game.py",
}


@pytest.fixture
def folder(root, tmp_path):
    for name, path in GAMES.items():
        (tmp_path / name).write_text((root / path).read_text("utf-8"), "utf-8")
    return tmp_path


def check(folder, *command):
    done = subprocess.run(
        [*map(str, command), *GAMES], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_strict_finds_nothing(folder):
    check(folder, sys.executable, "-m", "mypy", "--strict")


def test_pyright_finds_nothing(root, folder):
    pyright = root / ".venv" / "node" / "node_modules" / "pyright" / "index.js"
    check(folder, "node", pyright, "--pythonpath", sys.executable)
