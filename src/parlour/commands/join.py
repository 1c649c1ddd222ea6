"""The command `parlour join`: a table of a server, in the terminal."""

import click

from parlour.client.links import Link
from parlour.client.remote import holder_words
from parlour.client.visit import Visit
from parlour.commands.console import is_interactive
from parlour.commands.play import full_screen_app
from parlour.core.checks import printable
from parlour.terminal.jsonl import JsonGame
from parlour.terminal.line import LineGame


def join(url: str, name: str, nonce: str, display: str, theme: str | None) -> int:
    """Play or watch; the exit status."""
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
        app = full_screen_app()(visit.live, theme, None)
        status = app.run()
        click.echo(app.session.game.where())
        return app.return_code or status or 0
    finally:
        visit.close()
