"""The command `parlour bot`: an agent at a table of a server."""

from collections.abc import Sequence

import click

from parlour.client.bot import Bot
from parlour.client.links import Link, base_of
from parlour.client.view import TableView
from parlour.client.visit import Visit
from parlour.core.checks import printable
from parlour.core.errors import ParlourError
from parlour.table.opening import game_with

LONGEST_NAME = 40
"""What a server takes."""


def run_bot(
    url: str, agent: str, name: str, create: str | None, settings: Sequence[str], rematch: bool
) -> int:
    """Play until the game is over, and with `rematch` the next ones; the exit status."""
    if settings and create is None:
        raise ParlourError("--set goes with --create: a table that is there has its options")
    name = (name or agent)[:LONGEST_NAME]
    visit = _made(url, name, create, settings) if create else Visit(Link.from_text(url), name)
    bot = Bot(agent)
    try:
        table = visit.table or visit.sit_down()
        while True:
            view = bot.play(table)
            click.echo(_ending(view))
            if not rematch:
                return 0
            table.ask_rematch()
            table = visit.follow()
            click.echo(f"Next game: {table.watch_url}")
    finally:
        bot.close()
        visit.close()


def _made(url: str, name: str, create: str, settings: Sequence[str]) -> Visit:
    """A new table with the bot on the first seat; its invitations are printed."""
    game = game_with(create, settings)
    visit = Visit(Link(base_of(url), ""), name)
    try:
        table = visit.make(game.name, dict(game.options))
    except BaseException:
        visit.close()
        raise
    for invitation in table.invitations:
        click.echo(f"Seat {invitation.seat + 1}: {invitation.url}")
    click.echo(f"Watch: {table.watch_url}")
    return visit


def _ending(view: TableView) -> str:
    ending = view.ending
    return printable("The game was abandoned." if ending is None else ending.words)
