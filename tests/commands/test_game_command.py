"""A game's options as flags of a command."""

import click
import pytest
from click.testing import CliRunner
from nim import Nim

import parlour
from parlour.commands.game_command import GameCommand, settings_option, with_values
from parlour.core import options

OPTIONS = (
    options.integer("turn_limit", 5, 1, 9, "turns"),
    options.flag("stop_on_enemy", False, "chains stop"),
    options.flag("quick", False, "the command has a flag of this name"),
)


class Flagged(Nim):
    OPTIONS = OPTIONS


@click.command(cls=GameCommand)
@click.argument("game")
@click.argument("others", nargs=-1)
@click.option("--folder")
@click.option("--quick", is_flag=True)
@settings_option()
def command(game, others, folder, quick, settings):
    click.echo(f"{game} {others} {folder} {quick} {settings}")


@pytest.fixture
def run():
    parlour.register("flagged", Flagged)
    return lambda *words: CliRunner().invoke(command, words).output.strip()


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("--turn-limit 3", ("turn_limit=3",)),
        ("--turn_limit=3", ("turn_limit=3",)),
        ("--stop-on-enemy", ("stop_on_enemy=true",)),
        ("--stop-on-enemy false", ("stop_on_enemy=false",)),
        ("--no-stop-on-enemy", ("stop_on_enemy=false",)),
        ("--turn-limit 3 --set turn_limit=4", ("turn_limit=4", "turn_limit=3")),
    ],
)
def test_flags_are_added_to_the_settings_at_any_position(run, words, settings):
    for line in (["flagged", "x", *words.split()], [*words.split(), "flagged", "x"]):
        assert run(*line) == f"flagged ('x',) None False {settings}"


def test_a_flag_of_the_command_takes_precedence_over_the_games(run):
    assert run("flagged", "--quick") == "flagged () None True ()"
    assert "Options of flagged:" in run("flagged", "--help")
    assert run("flagged", "--help").count("--quick") == 1


def test_the_value_of_an_option_is_not_taken_for_the_game(run):
    words = ["--folder", "flagged", "other", "--turn-limit", "3"]
    with pytest.raises(parlour.UnknownGame, match="there is no game 'other'"):
        CliRunner().invoke(command, words, catch_exceptions=False)


def test_words_after_two_dashes_stay_as_they_are():
    assert with_values(["--quick", "--", "--quick"], OPTIONS) == ["--quick=true", "--", "--quick"]
