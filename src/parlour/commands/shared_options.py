"""Options of several commands."""

from collections.abc import Callable
from typing import Any

import click

from parlour.commands.game_command import Decorator, settings_option
from parlour.commands.parameters import SEED, AgentText, GameName, WordList

Function = Callable[..., Any]

RECORD_HELP = "RECORD is a file, a name from 'parlour records', or the beginning of one."
SOURCE_HELP = f"SOURCE is a game (its start position) or a RECORD. {RECORD_HELP}"

theme_option = click.option(
    "--theme", type=click.Choice(["dark", "light"]), help="Colours of the full screen."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per line."
)
nonce_option = click.option(
    "--nonce", metavar="TEXT", help="Your own text, mixed into every random draw."
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
        "--seed", type=SEED, metavar="N", help="Seed of a game's start position.", show_default="0"
    ),
    click.option(
        "--at", type=int, metavar="N", help="Use the position of a record after action N."
    ),
)


contest_arguments = together(
    click.argument("game", type=GameName()),
    click.argument("agents", nargs=-1, required=True, type=AgentText(), metavar="AGENT..."),
    click.option(
        "--seed",
        type=SEED,
        default=0,
        metavar="N",
        help="Seed of start positions, chance and agents.",
    ),
    settings_option(),
)


def place_options(what: str, parent: str) -> Decorator:
    """Add the options for where games are played and results are saved."""
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
            help=f"The folder for the {what}.",
            show_default=f"a folder below {parent}/",
        ),
    )


condition_options = together(
    click.option(
        "--export", type=click.Path(), metavar="FILE", help="Write all records to one file."
    ),
    click.option("--tc", metavar="TIME", help="The time for each seat: 10+0.1, 1m, 5m+3."),
    click.option(
        "--margin",
        type=float,
        metavar="SECONDS",
        help="Seconds that a clock may be exceeded before the game is lost.",
        show_default="0",
    ),
    click.option(
        "--openings",
        type=click.Path(),
        metavar="FILE",
        help="Start games with the actions or records in this file.",
    ),
    click.option(
        "--resign",
        metavar="OPINIONxN",
        help="0.95x6: an agent that expects -0.95 or less in 6 consecutive decisions loses.",
    ),
    click.option(
        "--draw",
        metavar="OPINIONxN",
        help="0.02x10: a draw if all expect -0.02 to 0.02 in 10 consecutive decisions.",
    ),
    click.option(
        "--max-plies",
        type=int,
        metavar="N",
        help="End a game after N decisions: a draw, or a loss with one seat.",
    ),
)
