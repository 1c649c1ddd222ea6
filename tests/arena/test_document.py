"""The page on matches: its examples run, and its table equals the output of a match."""

import doctest

import click

from parlour.commands.rate import rate
from parlour.commands.tournament import tournament


def test_every_example_of_the_page_runs(root):
    failed, tried = doctest.testfile(str(root / "docs/matches.md"), module_relative=False)
    assert failed == 0
    assert tried > 5


def test_the_page_explains_every_option_of_the_command(root, command):
    page = (root / "docs/matches.md").read_text("utf-8")
    for word in command("--help").stdout.split():
        if word.startswith("--") and word != "--help":
            assert word.strip(",") in page


def test_every_example_of_the_page_on_tournaments_runs(root):
    failed, tried = doctest.testfile(str(root / "docs/tournaments.md"), module_relative=False)
    assert failed == 0
    assert tried > 5


def test_the_page_on_tournaments_explains_every_option_of_its_commands(root):
    page = (root / "docs/tournaments.md").read_text("utf-8")
    for command in (tournament, rate):
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[0] in page


def test_the_example_table_is_the_one_under_test(root):
    page = (root / "docs/matches.md").read_text("utf-8")
    tests = (root / "tests/arena/test_match.py").read_text("utf-8")
    for line in (
        "a        200   75.0%  [69.4, 79.6]       -",
        "Elo of a over b: +191 [+143, +236]",
    ):
        assert line in page
        assert line in tests
