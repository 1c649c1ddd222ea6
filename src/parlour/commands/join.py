"""The command `parlour join`."""

from typing import TYPE_CHECKING

import click

from parlour.commands.console import full_screen_imports, is_interactive
from parlour.commands.parameters import GameName
from parlour.commands.shared_options import display_options, nonce_option
from parlour.core.checks import printable
from parlour.core.errors import ParlourError
from parlour.core.registry import game_with
from parlour.terminal.jsonl import JsonGame
from parlour.terminal.line import LineGame

if TYPE_CHECKING:
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
    import asyncio

    from parlour.client.links import Link, base_of
    from parlour.client.remote import holder_words
    from parlour.client.retry import Retry
    from parlour.client.visit import Visit

    if find is None and (settings or clock):
        raise ParlourError("--set and --clock need --find: an existing table already has them")
    link = Link.from_text(url) if find is None else Link(base_of(url), "")
    is_quiet = False

    async def wait(seconds: float) -> None:
        """Say once, before the first display, that the client retries."""
        nonlocal is_quiet
        if not is_quiet:
            is_quiet = True
            click.echo(printable(f"{link.base} is not available. Trying again ..."), err=True)
        await asyncio.sleep(seconds)

    visit = Visit(link, name or "", nonce or "", Retry(sleep=wait))
    try:
        if find is not None:
            _find(visit, find, settings, clock)
        else:
            table = visit.sit_down()
            if table.view.status == "waiting":
                seats = [holder_words(info) or "a person" for info in table.view.seats]
                click.echo(printable(f"{table.view.title}: {', '.join(seats)}."), err=True)
                click.echo("Waiting for people to take their seats ...", err=True)
        is_quiet = True
        if display == "json":
            return JsonGame(visit.live).run()
        if display is not None or not is_interactive():
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
