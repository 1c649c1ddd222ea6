"""The command `parlour records`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from parlour.commands.console import is_typed
from parlour.commands.parameters import RecordName
from parlour.commands.shared_options import json_option
from parlour.core.checks import counted, printable, shown
from parlour.core.errors import (
    ContractError,
    GameLoadError,
    GameNotInstalled,
    ParlourError,
    RecordError,
    UnknownRecord,
)
from parlour.exit_codes import NEGATIVE
from parlour.table import Notes, load
from parlour.table.locations import record_files, records_folder
from parlour.table.notes import is_unfinished, without_seed
from parlour.table.storage import delete


@click.command(
    epilog="""BEGINNING is the name of a record, or the beginning of several names.

\b
Examples:
  parlour records
  parlour records octa --json
  parlour records octa-2025 --delete
"""
)
@click.argument("beginnings", nargs=-1, type=RecordName(), metavar="[BEGINNING]...")
@json_option
@click.option("--delete", "deletes", is_flag=True, help="Delete the records of these names.")
@click.option("--yes", is_flag=True, help="Delete without asking.")
def records(beginnings: tuple[str, ...], as_json: bool, deletes: bool, yes: bool) -> int:
    """List your saved games, or delete some."""
    if not deletes:
        if yes:
            raise ParlourError("--yes is for --delete")
        return list_records(beginnings, as_json)
    if as_json:
        raise ParlourError("--json lists records: leave out --delete")
    if not beginnings:
        raise ParlourError("name the records to delete, for example: parlour records octa --delete")
    return delete_records(beginnings, yes)


class Entry(NamedTuple):
    """What the list says about a record."""

    name: str
    game: str
    actions: int | None
    """`None` if the record cannot be read."""
    status: str
    """`unfinished`, `over`, or why the record cannot be read."""
    players: tuple[str, ...] = ()


def list_records(beginnings: Sequence[str] = (), as_json: bool = False) -> int:
    """Print a line for each record, newest first. An unreadable record's line gives the reason."""
    folder = records_folder()
    files = _chosen(beginnings)
    entries = [_entry(path) for path in files]
    if as_json:
        for entry in entries:
            print(json.dumps(entry._asdict(), ensure_ascii=False))
        return 0
    rows = [
        (
            entry.name,
            entry.game,
            counted(entry.actions, "action"),
            entry.status,
            " – ".join(entry.players),
        )
        if entry.actions is not None
        else (entry.name, entry.status, "", "", "")
        for entry in entries
    ]
    readable = [row for row, entry in zip(rows, entries, strict=True) if entry.actions is not None]
    widths = [max((len(row[0]) for row in rows), default=0)]
    widths += [max((len(row[column]) for row in readable), default=0) for column in (1, 2, 3)]
    for row in rows:
        cells = [*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[4]]
        print(printable("  ".join(cells).rstrip()))
    print(printable(f"{counted(len(files), 'record')} in {folder}"))
    return 0


def delete_records(beginnings: Sequence[str], is_sure: bool) -> int:
    """Delete the records with these beginnings. Ask first, unless `is_sure`."""
    files = _chosen(beginnings)
    for path in files:
        print(printable(path.name))
    if not is_sure:
        if not is_typed():
            raise ParlourError("to delete without a terminal, add --yes")
        if not click.confirm(f"Delete {counted(len(files), 'record')}?"):
            return NEGATIVE
    for path in files:
        delete(path)
    print(f"Deleted {counted(len(files), 'record')}.")
    return 0


def _chosen(beginnings: Sequence[str]) -> list[Path]:
    """Return the records with these beginnings, newest first; all of them without beginnings."""
    files = record_files(records_folder())
    for word in beginnings:
        if not word:
            raise ParlourError("the beginning of a name must not be empty")
        if not any(path.name.startswith(word) for path in files):
            raise UnknownRecord(
                f"no record in {records_folder()} begins with {shown(word)}; "
                "'parlour records' lists them"
            )
    return [path for path in files if not beginnings or path.name.startswith(tuple(beginnings))]


def _entry(path: Path) -> Entry:
    try:
        record = load(path)
    except RecordError as error:
        return Entry(path.name, "", None, _trouble(error, path))
    status = "unfinished" if is_unfinished(record) else "over"
    try:
        players = tuple(map(without_seed, Notes.of(record).seats))
    except RecordError:
        players = ()
    return Entry(path.name, record.game.title, len(record.actions), status, players)


def _trouble(error: RecordError, path: Path) -> str:
    """Return what is wrong with a record or its game."""
    if isinstance(error, GameNotInstalled):
        return str(error).removeprefix(f"{path}: ")
    reason: BaseException | None = error
    while reason is not None:
        if isinstance(reason, ContractError | GameLoadError):
            return f"cannot be read: {reason}"
        reason = reason.__cause__ or reason.__context__  # compiled code sets only the second
    return f"damaged: to see where, run 'parlour replay {path.name} --check'"
