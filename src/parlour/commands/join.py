"""The command `parlour join`."""

import click

from parlour.commands.console import full_screen_imports, is_interactive
from parlour.commands.shared_options import display_options, nonce_option
from parlour.core.checks import printable
from parlour.terminal.jsonl import JsonGame
from parlour.terminal.line import LineGame


@click.command(
    epilog="""
\b
Examples:
  parlour join 'https://games.example.org/t/TABLE#seat=1&claim=SECRET' --name Ann
  parlour join https://games.example.org/t/TABLE      watch
"""
)
@click.argument("url")
@click.option("--name", metavar="TEXT", help="Your name at the table.")
@nonce_option
@display_options("plain", "words", "json")
def join(
    url: str, name: str | None, nonce: str | None, display: str | None, theme: str | None
) -> int:
    """Play at a table on a server.

    An invitation gives you a seat; any other link lets you watch. Run the same command again to
    return to your seat.
    """
    # Imported here because they need an extra.
    import asyncio

    from parlour.client.links import Link
    from parlour.client.remote import holder_words
    from parlour.client.retry import Retry
    from parlour.client.visit import Visit

    link = Link.from_text(url)
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
        table = visit.sit_down()
        is_quiet = True
        if table.view.status == "waiting":
            seats = [holder_words(info) or "a person" for info in table.view.seats]
            click.echo(printable(f"{table.view.title}: {', '.join(seats)}."), err=True)
            click.echo("Waiting for people to take their seats ...", err=True)
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
