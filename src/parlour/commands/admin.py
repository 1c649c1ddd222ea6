"""`parlour serve --admin`: manage the tables and limits of a server."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import click
import msgspec

from parlour.core.checks import printable
from parlour.core.errors import ParlourError
from parlour.exit_codes import NEGATIVE
from parlour.files import write_atomically
from parlour.protocol.administration import (
    AdminTable,
    AdminTables,
    EndedTable,
    EndTable,
    LimitList,
    SetLimits,
    TrustedClock,
)
from parlour.server.admin.administration import settings_from
from parlour.server.admin.api import STATUSES
from parlour.server.admin.client import AdminClient, admin_client, path_of
from parlour.server.settings import SettingError
from parlour.table.notes import moment_text

T = TypeVar("T")
Work = Callable[[AdminClient], Awaitable[T]]

PROGRAM = "parlour serve --admin"
EPILOG = """
\b
You need read access to the store, on the machine of the server. The commands work while the server
runs, and on the store alone while it does not. Examples:
  parlour serve --admin list --status playing --game octa
  parlour serve --admin end 0123456789abcdef --reason "the server is moving"
  parlour serve --admin export 0123456789abcdef --to games
  parlour serve --admin trust-clock
  parlour serve --admin set work=500/s,5000 sockets=5000
  parlour serve --store sqlite:games.sqlite --port 9000 --admin limits
"""


class Operator:
    """The operator's choices: which server, and how to print."""

    def __init__(self, given: dict[str, Any]) -> None:
        """Take the options that precede `--admin`."""
        self.given = given
        self.url = ""
        self.as_json = False

    def run(self, work: Work[T]) -> T:
        """Return the result of the work, run with a server or a store."""

        async def connected() -> T:
            async with admin_client(settings_from(self.given), self.url) as client:
                return await work(client)

        return asyncio.run(connected())

    def say(self, value: Any, words: str) -> None:
        """Print one line: a JSON object, or words."""
        if self.as_json:
            click.echo(msgspec.json.encode(value).decode())
        else:
            click.echo(printable(words))

    def each(
        self, names: Sequence[str], work: Callable[[AdminClient, str], Awaitable[None]]
    ) -> int:
        """Apply the work to each table; print refusals and continue with the others."""

        async def all_of_them(client: AdminClient) -> int:
            refused = 0
            for name in names:
                try:
                    await work(client, name)
                except ParlourError as error:
                    refused += 1
                    click.echo(printable(f"{name}: {error}"), err=True)
            return NEGATIVE if refused else 0

        return self.run(all_of_them)


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of all commands, and pass the operator instead of them."""

    @click.option("--store", metavar="STORE", help="The server's store.")
    @click.option(
        "--url", metavar="URL", help="The server's address.", show_default="its --host and --port"
    )
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
    @click.pass_obj
    @wraps(command)
    def chosen(
        operator: Operator, /, store: str | None, url: str | None, as_json: bool, **more: Any
    ) -> Any:
        if store is not None:
            operator.given["store"] = store
        operator.url, operator.as_json = url or "", as_json
        return command(operator, **more)

    return chosen


@click.group(
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
def admin() -> None:
    """Manage the tables and limits of a server."""


TABLES = click.argument("tables", nargs=-1, required=True, metavar="TABLE...")


@admin.command(name="list")
@click.option("--status", type=click.Choice(STATUSES), help="Only tables with this status.")
@click.option("--game", metavar="NAME", help="Only tables of this game.")
@_shared
def list_tables(operator: Operator, status: str | None, game: str | None) -> int:
    """List all tables, sorted by id."""

    async def work(client: AdminClient) -> int:
        count, after = 0, ""
        while True:
            wanted = {"status": status, "game": game, "after": after}
            query = urlencode({name: text for name, text in wanted.items() if text})
            path = f"/tables?{query}" if query else "/tables"
            page = await client.read(AdminTables, "GET", path)
            for table in page.tables:
                operator.say(table, _row(table))
            count, after = count + len(page.tables), page.after
            if not after:
                return count

    count = operator.run(work)
    if not operator.as_json:
        click.echo(f"{count} tables" if count != 1 else "1 table", err=True)
    return 0


@admin.command()
@TABLES
@_shared
def show(operator: Operator, tables: Sequence[str]) -> int:
    """Show the state and the seats of tables."""

    async def one(client: AdminClient, name: str) -> None:
        table = await client.read(AdminTable, "GET", path_of("tables", name))
        operator.say(table, _about(table))

    return operator.each(tables, one)


@admin.command()
@TABLES
@click.option(
    "--reason",
    metavar="TEXT",
    default="the server's operator has closed this table",
    help="The message to everyone at the table.",
)
@_shared
def end(operator: Operator, tables: Sequence[str], reason: str) -> int:
    """End games without a winner."""

    async def one(client: AdminClient, name: str) -> None:
        path = path_of("tables", name, "end")
        done = await client.read(EndedTable, "POST", path, EndTable(reason))
        operator.say(done, f"{done.table} has ended")

    return operator.each(tables, one)


@admin.command()
@TABLES
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="FOLDER",
    help="The folder for the files; created if missing.",
)
@_shared
def export(operator: Operator, tables: Sequence[str], folder: Path) -> int:
    """Write games to files.

    A finished game is written as a record, a running game as spectators see it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError(f"{folder} cannot be created: {error.strerror}") from None

    async def one(client: AdminClient, name: str) -> None:
        found = await client.ask("GET", path_of("tables", name, "export"))
        path = folder / (found.name or f"{name}.parlour")
        if path.exists():
            raise SettingError(f"{path} already exists")
        write_atomically(path, found.body.decode())
        operator.say({"table": name, "file": str(path)}, str(path))

    return operator.each(tables, one)


@admin.command(name="trust-clock")
@_shared
def trust_clock(operator: Operator) -> int:
    """Confirm that this machine's clock is right.

    A server whose clock is more than two days ahead of the last time in its store neither ends nor
    erases games until then.
    """
    done = operator.run(lambda client: client.read(TrustedClock, "POST", "/clock"))
    operator.say(done, f"The clock is trusted: it is {moment_text(done.now / 1000)}.")
    return 0


@admin.command()
@_shared
def limits(operator: Operator) -> int:
    """Show the limits, their values and their sources."""
    _say_limits(operator, operator.run(lambda client: client.read(LimitList, "GET", "/limits")))
    return 0


@admin.command(name="set")
@click.argument("settings", nargs=-1, required=True, metavar="NAME=VALUE...")
@_shared
def set_limits(operator: Operator, settings: Sequence[str]) -> int:
    """Change limits permanently, in every process.

    For example: work=500/s,5000 sockets=5000.
    """
    wanted: dict[str, str | None] = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign:
            raise SettingError(f"write a limit like work=500/s,5000, not {text!r}")
        wanted[name] = value
    return _change(operator, wanted)


@admin.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@_shared
def unset(operator: Operator, names: Sequence[str]) -> int:
    """Reset limits to the command line or the defaults."""
    return _change(operator, dict.fromkeys(names))


def _change(operator: Operator, wanted: dict[str, str | None]) -> int:
    body = SetLimits(wanted)
    _say_limits(
        operator, operator.run(lambda client: client.read(LimitList, "POST", "/limits", body))
    )
    return 0


def _say_limits(operator: Operator, found: LimitList) -> None:
    for each in found.limits:
        before = "" if each.value == each.untuned else f", otherwise {each.untuned}"
        operator.say(each, f"{each.name:<20} {each.value:<12} {each.source}{before}")


def _row(table: AdminTable) -> str:
    who = ", ".join(_seats(table))
    ago = _ago(time.time() - table.touched / 1000)
    return f"{table.table}  {table.status:<7}  {table.game:<10} ply {table.ply:<4} {ago:>4}  {who}"


def _seats(table: AdminTable) -> list[str]:
    kinds = {"open": "(open)", "person": "(a person)"}
    return [seat.name or kinds.get(seat.kind, f"level {seat.level}") for seat in table.seats]


def _ago(seconds: float) -> str:
    """Format a duration in its largest unit."""
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{seconds // size:.0f}{unit}"
    return f"{max(0.0, seconds):.0f}s"


def _about(table: AdminTable) -> str:
    about = {
        "table": table.table,
        "game": table.game,
        "options": json.dumps(table.options),
        "status": table.status,
        "ply": table.ply,
        "version": table.v,
        "clock": table.control or "none",
        "listed": "yes" if table.listed else "no",
        "created": _ago(time.time() - table.created / 1000) + " ago",
        "last event": _ago(time.time() - table.touched / 1000) + " ago",
        "rematch of": table.rematch_of,
        "rematch": table.rematch,
    }
    for number, who in enumerate(_seats(table)):
        is_to_act = number == table.to_act and table.status == "playing"
        about[f"seat {number}"] = f"{who}, to act" if is_to_act else who
    lines = [f"{name:<11} {value}" for name, value in about.items() if value != ""]
    return "\n".join(map(printable, lines)) + "\n"


def run_admin(words: Sequence[str], given: dict[str, Any]) -> int:
    """Run the words after `--admin` and return the exit status. Raise click's exceptions."""
    operator = Operator(given)
    status = admin.main(
        list(words) or ["--help"], prog_name=PROGRAM, standalone_mode=False, obj=operator
    )
    return status if isinstance(status, int) else 0
