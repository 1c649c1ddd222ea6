"""The command `parlour join`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from parlour.commands.console import can_show_full_screen, full_screen_imports
from parlour.commands.parameters import GameName
from parlour.commands.shared_options import display_options, nonce_option
from parlour.core.checks import printable, shown
from parlour.core.errors import ParlourError
from parlour.core.registry import game_with
from parlour.terminal.jsonl import JsonGame
from parlour.terminal.line import LineGame

if TYPE_CHECKING:
    from parlour.client.links import Link
    from parlour.client.visit import Visit


@click.command(
    epilog="""
\b
Examples:
  parlour join 'https://games.example.org/t/TABLE#seat=1&claim=SECRET' --name Ann
  parlour join https://games.example.org/t/TABLE      watch
  parlour join https://games.example.org --find octa --clock 5m+3
"""
)
@click.argument("url")
@click.option("--name", metavar="TEXT", help="Your name at the table.")
@click.option(
    "--find", type=GameName(), help="Play this game with the next person who wants the same."
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game, with --find.",
)
@click.option("--clock", metavar="TIME", help="Time for each seat, with --find: 5m, 5m+3.")
@nonce_option
@display_options("plain", "words", "json")
def join(
    url: str,
    name: str | None,
    find: str | None,
    settings: tuple[str, ...],
    clock: str | None,
    nonce: str | None,
    display: str | None,
    theme: str | None,
) -> int:
    """Play at a table on a server.

    An invitation gives you a seat; any other link lets you watch. Run the same command again to
    return to your seat. With --find, the URL is the server's address.
    """
    # Imported here because they need an extra.
    from parlour.client.links import Link, base_of

    if find is None and (settings or clock):
        raise ParlourError("--set and --clock need --find: an existing table already has them")
    link = Link.from_text(url) if find is None else Link(base_of(url), "")

    def sit_down(visit: "Visit") -> None:
        if find is not None:
            _find(visit, find, settings, clock)
        else:
            visit.sit_down()

    return visit_table(link, sit_down, name or "", nonce or "", display, theme)


def watch_table(url: str, display: str | None, theme: str | None) -> int:
    """Watch a table on a server, or the latest public game if the URL is the server's address."""
    from parlour.client.links import Link, base_of

    is_table = "/t/" in url
    link = Link.from_text(url) if is_table else Link(base_of(url), "")

    def sit_down(visit: "Visit") -> None:
        if not is_table:
            running = [table for table in visit.client.tables() if table.status == "playing"]
            if not running:
                raise ParlourError(f"there is no public game to watch at {shown(link.base)} now")
            latest = max(running, key=lambda table: table.created)
            visit.link = Link(link.base, latest.table)
        visit.sit_down()

    return visit_table(Link(link.base, link.table), sit_down, "", "", display, theme)


def visit_table(
    link: "Link",
    sit_down: "Callable[[Visit], None]",
    name: str,
    nonce: str,
    display: str | None,
    theme: str | None,
) -> int:
    """Go to a table as `sit_down` says, and play or watch there until the person leaves."""
    import asyncio

    from parlour.client.remote import holder_words
    from parlour.client.retry import Retry
    from parlour.client.visit import Visit

    is_quiet = False

    async def wait(seconds: float) -> None:
        """Say once, before the first display, that the client retries."""
        nonlocal is_quiet
        if not is_quiet:
            is_quiet = True
            click.echo(printable(f"{link.base} is not available. Trying again ..."), err=True)
        await asyncio.sleep(seconds)

    visit = Visit(link, name, nonce, Retry(sleep=wait))
    try:
        sit_down(visit)
        table = visit.table
        if table is not None and table.view.status == "waiting":
            seats = [holder_words(info) or "a person" for info in table.view.seats]
            click.echo(printable(f"{table.view.title}: {', '.join(seats)}."), err=True)
            click.echo("Waiting for people to take their seats ...", err=True)
        is_quiet = True
        if display == "json":
            return JsonGame(visit.live).run()
        if display is not None or not can_show_full_screen():
            return LineGame(visit.live, in_words=display == "words").run()
        with full_screen_imports():
            from parlour.terminal.app import ParlourApp
        app = ParlourApp(visit.live, theme, None)
        status = app.run()
        click.echo(app.session.game.where())
        return app.return_code or max(0, status or 0)
    finally:
        visit.close()


def _find(visit: "Visit", name: str, settings: tuple[str, ...], clock: str | None) -> None:
    """Wait for people who want the same game, with a message on the screen."""
    game = game_with(name, settings)
    what = f"{game.title}, {printable(clock)}" if clock else game.title
    others = "an opponent" if game.seats == 2 else f"{game.seats - 1} other players"
    click.echo(f"{what}: looking for {others}. Press Ctrl-C to stop.", err=True)
    visit.find(game.name, dict(game.options), clock or "")
    click.echo("All seats are taken. The game begins.", err=True)
