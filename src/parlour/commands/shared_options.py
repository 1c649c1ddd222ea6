"""Options that several commands have."""

from collections.abc import Callable
from typing import Any

import click

from parlour.commands.game_command import Decorator, settings_option
from parlour.commands.parameters import AgentText, GameName, WordList

Function = Callable[..., Any]

RECORD_HELP = "RECORD is a file, or a name from 'parlour records', or the beginning of one."
SOURCE_HELP = f"SOURCE is a game, for its start position, or a RECORD. {RECORD_HELP}"

theme_option = click.option(
    "--theme", type=click.Choice(["dark", "light"]), help="Colours of the full screen."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per line."
)
nonce_option = click.option(
    "--nonce", metavar="TEXT", help="A word of yours that goes into every random draw."
)


def together(*options: Decorator) -> Decorator:
    """Add several options, in this order."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def display_options(*names: str) -> Decorator:
    """Add flags that choose a display instead of the full screen, and `--theme`."""
    helps = {
        "plain": "Show the game line by line.",
        "words": "Show the game line by line, with boards in words.",
        "json": "Exchange one JSON object per line.",
    }
    flags = (
        click.option(f"--{name}", "display", flag_value=name, default=None, help=helps[name])
        for name in names
    )
    return together(*flags, theme_option)


position_options = together(
    settings_option(),
    click.option(
        "--seed", type=int, metavar="N", help="Seed of a game's start position.", show_default="0"
    ),
    click.option("--at", type=int, metavar="N", help="The position of a record after action N."),
)


contest_arguments = together(
    click.argument("game", type=GameName()),
    click.argument("agents", nargs=-1, required=True, type=AgentText(), metavar="AGENT..."),
    click.option(
        "--seed", type=int, default=0, metavar="N", help="Seed of starts, chance and agents."
    ),
    settings_option(),
)


def place_options(what: str, parent: str) -> Decorator:
    """Add where games are played, and where the results are kept."""
    return together(
        click.option(
            "--processes",
            type=int,
            metavar="N",
            help="Worker processes.",
            show_default="one per processor",
        ),
        click.option(
            "--on",
            type=WordList("place", "local", "ray", "dask"),
            metavar="PLACE",
            help="Where to play: local, ray, ray:ADDRESS, dask or dask:ADDRESS.",
            show_default="local",
        ),
        click.option(
            "--folder",
            type=click.Path(),
            metavar="DIR",
            help=f"Where to keep the {what}.",
            show_default=f"a folder below {parent}/",
        ),
    )


condition_options = together(
    click.option(
        "--export", type=click.Path(), metavar="FILE", help="Write all records into one file."
    ),
    click.option("--tc", metavar="TIME", help="A clock for each seat: 10+0.1, 1m, 5m+3."),
    click.option(
        "--margin",
        type=float,
        metavar="SECONDS",
        help="How far a clock may be overdrawn before the game is lost.",
        show_default="0",
    ),
    click.option(
        "--openings",
        type=click.Path(),
        metavar="FILE",
        help="Begin with these actions, or from these records.",
    ),
    click.option(
        "--resign",
        metavar="OPINIONxN",
        help="0.95x6: an agent loses if it expects -0.95 or less in 6 decisions in a row.",
    ),
    click.option(
        "--draw",
        metavar="OPINIONxN",
        help="0.02x10: a draw if both expect at most 0.02 either way in 10 decisions in a row.",
    ),
    click.option(
        "--max-plies",
        type=int,
        metavar="N",
        help="A draw after N decisions; in games for one, a loss.",
    ),
)
