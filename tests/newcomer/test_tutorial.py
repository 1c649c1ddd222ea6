"""The tutorial: its code equals the example, and its commands work as described."""

import httpx
import pytest
from walk import Shell, blocks, commands

GAME = "connect_four.py"
FILES = {GAME: "python", "pyproject.toml": "toml"}
ANSWERS = {"parlour play connect_four": "d\nnonsense\nresign\nquit\n"}
SAID = {
    "parlour --version": "(compiled;",
    "parlour check connect_four:ConnectFour": "keeps every promise",
    "parlour games": "connect_four: Connect Four",
    "parlour play connect_four": "Yellow resigned.",
    "parlour match connect_four mcts:sims=100 random --games 20": "Elo of mcts:sims=100",
    "parlour match connect_four level:3 mcts:sims=100 --games 10": "Elo of level:3 over mcts",
}


@pytest.fixture
def page(root):
    return (root / "docs" / "tutorial.md").read_text("utf-8")


def code_lines(text):
    return [line for line in text.splitlines() if line.strip()]


def test_the_tutorials_code_equals_the_example(root, page):
    example = (root / "tests" / "examples" / GAME).read_text("utf-8")
    assert code_lines("\n".join(blocks(page, "python", GAME))) == code_lines(example)


def test_every_code_block_belongs_to_a_file_or_is_run(page):
    untitled = blocks(page, "python") + blocks(page, "toml")
    assert untitled == []


def test_every_command_works_in_an_empty_home(page, tmp_path):
    shell = Shell(tmp_path)
    asked = [command for block in blocks(page, "sh") for command in commands(block)]
    assert set(SAID) <= set(asked)
    for command in asked:
        if command == "parlour --version":
            for name, language in FILES.items():
                (shell.folder / name).write_text("\n\n".join(blocks(page, language, name)))
        if command == "parlour serve":
            with shell.serving(command) as address:
                games = httpx.get(f"{address}/api/v1/games").text
                assert '"connect_four"' in games
                assert "Connect Four" in games
        else:
            said = shell.run(command, ANSWERS.get(command, ""))
            assert SAID.get(command, "") in said, said
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()].count("four") == 1
