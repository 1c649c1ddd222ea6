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
"""The longest name that a server accepts."""


@click.command(
    epilog="""
\b
Examples:
  parlour bot 'https://games.example.org/t/TABLE#seat=1&claim=SECRET' --agent level:7
  parlour bot https://games.example.org --create octa --set size=3 --rematch
"""
)
@click.argument("url")
@click.option("--agent", type=AgentText(), default="best", help="The agent that plays.")
@click.option(
    "--name", metavar="TEXT", help="The bot's name at the table.", show_default="the agent"
)
@click.option("--create", type=GameName(), help="Create a table for this game and print its links.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game, with --create.",
)
@click.option("--rematch", is_flag=True, help="Play a rematch after each game.")
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
    # Imported here because they need an extra.
    from parlour.client.bot import Bot
    from parlour.client.links import Link
    from parlour.client.visit import Visit

    if settings and create is None:
        raise ParlourError("--set needs --create: an existing table already has its options")
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
            table = visit.wait_for_rematch()
            click.echo(f"Next game: {table.watch_url}")
    finally:
        player.close()
        visit.close()


def _made(url: str, name: str, create: str, settings: Sequence[str]) -> "Visit":
    """Create a table with the bot in the first seat, and print its invitations."""
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
