"""The command `parlour join`."""

from typing import TYPE_CHECKING

import click

from parlour.commands.console import is_interactive
from parlour.commands.shared_options import display_options, nonce_option
from parlour.core.checks import printable
from parlour.core.errors import MissingExtra
from parlour.terminal.jsonl import JsonGame
from parlour.terminal.line import LineGame

if TYPE_CHECKING:
    from parlour.terminal.app import ParlourApp


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

    An invitation gives you a seat; with any other link you watch. The same command brings you back
    to the same seat.
    """
    return join_table(url, name or "", nonce or "", display or "auto", theme)


def join_table(url: str, name: str, nonce: str, display: str, theme: str | None) -> int:
    """Play or watch. Return the exit status."""
    # Here, because they need an extra.
    from parlour.client.links import Link
    from parlour.client.remote import holder_words
    from parlour.client.visit import Visit

    visit = Visit(Link.from_text(url), name, nonce)
    try:
        table = visit.sit_down()
        if table.view.status == "waiting":
            seats = [holder_words(info) or "a person" for info in table.view.seats]
            click.echo(printable(f"{table.view.title}: {', '.join(seats)}."), err=True)
            click.echo("Waiting for people to take their seats ...", err=True)
        if display == "auto" and not is_interactive():
            display = "plain"
        if display == "json":
            return JsonGame(visit.live).run()
        if display != "auto":
            return LineGame(visit.live, in_words=display == "words").run()
        app = _app()(visit.live, theme, None)
        status = app.run()
        click.echo(app.session.game.where())
        return app.return_code or max(0, status or 0)
    finally:
        visit.close()


def _app() -> "type[ParlourApp]":
    try:
        from parlour.terminal.app import ParlourApp
    except ModuleNotFoundError as error:
        raise MissingExtra(
            "the full screen needs the extra: pip install 'parlour[terminal]', or add --plain"
        ) from error
    return ParlourApp
