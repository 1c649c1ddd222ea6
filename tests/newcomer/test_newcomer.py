"""A newcomer's first steps: run the commands of the README and the pages.

Play, serve, write a game, train and run a match, in an empty home with a new environment.
`walk.py` describes what is simulated.
"""

import httpx
import pytest
from walk import Shell, blocks, commands, section

PARTS = (
    "Makefile",
    "constraints.txt",
    "README.md",
    "LICENSE",
    "pyproject.toml",
    "tools/",
    "src/",
    "examples/train_octa.py",
)

CTRL_Q = b"\x11"


@pytest.fixture
def said(root):
    """Return the commands under a heading of a page, block by block."""

    def find(page, heading):
        text = section((root / page).read_text("utf-8"), heading)
        return [commands(block) for block in blocks(text)]

    return find


@pytest.fixture
def clone(root, tmp_path):
    """A newcomer's clone: the tree without built files."""
    folder = tmp_path / "parlour"
    for path in root.rglob("*"):
        name = path.relative_to(root).as_posix()
        if path.is_file() and name.startswith(PARTS) and path.suffix not in (".so", ".pyc"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(path.read_bytes())
    return folder


def test_a_newcomers_steps_work(said, clone, tmp_path):
    shell = Shell(tmp_path)
    shell.run(f"cd '{clone}'")

    ((install, play, serve),) = said("README.md", "Install and play")
    games = ("Banqi", "Blokus", "Cat and Mouse", "Octa")
    shell.run("python3 -m venv .venv")  # what `make play` does where there is a registry
    shell.on_screen("make play", games, CTRL_Q)
    shell.run(". .venv/bin/activate")
    shell.run(install)
    assert "(compiled;" in shell.run("parlour --version")
    shell.on_screen(play, games, CTRL_Q)
    with shell.serving(serve) as address:
        assert "<title>" in httpx.get(address).text
        games = httpx.get(f"{address}/api/v1/games").json()
    assert "octa" in str(games)

    shell.run("mkdir first && cd first")
    (steps,) = said("README.md", "Write your own game")
    for command in steps:
        answer = "resign\nquit\n" if command.startswith("parlour play") else ""
        told = shell.run(command, answer)
    assert "Elo of mcts" in told
    shell.run("python -m pip uninstall --yes hopper && cd ..")

    (steps,) = said("docs/authors.md", "A game of your own")
    for command in steps:
        answer = "resign\nquit\n" if command.startswith("parlour play") else ""
        told = shell.run(command, answer)
    assert "keeps every promise" in told

    (training,) = said("docs/training.md", "A whole example")
    shell.run(f"cd '{clone}'")
    *steps, bot = training
    assert bot.startswith("parlour bot LINK")  # needs a link to a table
    for command in steps:
        if command == "python train_octa.py":
            command += " --games 20 --match 2"
        told = shell.run(command, "quit\n")
    assert "Goodbye." in told
