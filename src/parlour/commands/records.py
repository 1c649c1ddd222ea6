"""The command `parlour records`."""

from pathlib import Path

import click

from parlour.core.checks import action_count, printable
from parlour.core.errors import ContractError, GameLoadError, GameNotInstalled, RecordError
from parlour.table import load
from parlour.table.locations import record_files, records_folder
from parlour.table.notes import is_unfinished


@click.command()
def records() -> int:
    """List your saved games, newest first."""
    return list_records()


def list_records() -> int:
    """Print a line for each saved game. The line of an unreadable record gives the reason."""
    folder = records_folder()
    files = record_files(folder)
    for path in files:
        print(printable(f"{path.name}  {_about(path)}"))
    print(printable(f"{len(files)} in {folder}"))
    return 0


def _about(path: Path) -> str:
    """Return a few words about the game in a file, or why it cannot be read."""
    try:
        record = load(path)
    except RecordError as error:
        return _trouble(error, path)
    how = "unfinished" if is_unfinished(record) else "over"
    return f"{record.game.title}, {action_count(len(record.actions))}, {how}"


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
