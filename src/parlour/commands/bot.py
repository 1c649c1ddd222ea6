"""The command `parlour bot`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from parlour.commands.parameters import AgentText, GameName
from parlour.core.checks import printable
from parlour.core.errors import ParlourError
from parlour.core.registry import game_with

if TYPE_CHECKING:
    from parlour.client.view import TableView
    from parlour.client.visit import Visit

LONGEST_NAME = 40
"""What a server takes."""


@click.command(
    epilog="""
\b
Examples:
  parlour bot 'https://games.example.org/t/TABLE#seat=1&claim=SECRET' --agent level:7
  parlour bot https://games.example.org --create octa --set size=3 --rematch
"""
)
@click.argument("url")
@click.option("--agent", type=AgentText(), default="best", help="Who plays.")
@click.option("--name", metavar="TEXT", help="Its name at the table.", show_default="the agent")
@click.option("--create", type=GameName(), help="Make a table for this game and print its links.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="With --create: an option of the game.",
)
@click.option("--rematch", is_flag=True, help="Play another game after each.")
def bot(
    url: str,
    agent: str,
    name: str | None,
    create: str | None,
    settings: tuple[str, ...],
    rematch: bool,
) -> int:
    """Let an agent play at a table on a server.

    It plays until the game is over.
    """
    # Here, because they need an extra.
    from parlour.client.bot import Bot
    from parlour.client.links import Link
    from parlour.client.visit import Visit

    if settings and create is None:
        raise ParlourError("--set goes with --create: a table that is there has its options")
    called = (name or agent)[:LONGEST_NAME]
    visit = _made(url, called, create, settings) if create else Visit(Link.from_text(url), called)
    player = Bot(agent)
    try:
        table = visit.table or visit.sit_down()
        while True:
            view = player.play(table)
            click.echo(_ending(view))
            if not rematch:
                return 0
            table.ask_rematch()
            table = visit.follow()
            click.echo(f"Next game: {table.watch_url}")
    finally:
        player.close()
        visit.close()


def _made(url: str, name: str, create: str, settings: Sequence[str]) -> "Visit":
    """Make a table with the bot on the first seat, and print its invitations."""
    from parlour.client.links import Link, base_of
    from parlour.client.visit import Visit

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


def _ending(view: "TableView") -> str:
    ending = view.ending
    return printable("The game was abandoned." if ending is None else ending.words)
