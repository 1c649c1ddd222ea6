"""Where the records of a user's games are kept, and how they are found again."""

import os
import secrets
import sys
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from parlour.core.checks import shown
from parlour.core.errors import RecordError, UnknownRecord
from parlour.core.options import did_you_mean
from parlour.core.record import Record
from parlour.table.notes import Notes, is_unfinished, moment_text
from parlour.table.storage import load

SUFFIX = ".parlour"
VARIABLE = "PARLOUR_DATA"
LONGEST_PATH = 3000
MOST_NAMES = 5
"""How many records are named where a word could mean any of them."""


def data_folder() -> Path:
    """The platform's folder for a user's data; the variable PARLOUR_DATA names another."""
    given = os.environ.get(VARIABLE)
    if given is not None:
        problem = _problem(given)
        if not problem:
            return Path(given)
        print(f"parlour: {VARIABLE} {problem}; the usual folder is used", file=sys.stderr)
    from platformdirs import user_data_path  # here: only programs that keep files need it

    return user_data_path("parlour", appauthor=False)


def _problem(folder: str) -> str:
    """Why a folder's name cannot be used, or empty."""
    if not folder.strip():
        return "is empty"
    if "\0" in folder or len(os.fsencode(folder)) > LONGEST_PATH:
        return f"is longer than {LONGEST_PATH} bytes"
    return ""


def records_folder() -> Path:
    """Where `parlour play` keeps its records."""
    return data_folder() / "records"


def new_path(folder: Path, name: str) -> Path:
    """A file name for a game that begins now; no other game has it."""
    moment = datetime.now().strftime("%Y%m%d-%H%M%S")
    return folder / f"{name}-{moment}-{secrets.token_hex(2)}{SUFFIX}"


def record_files(folder: Path) -> list[Path]:
    """The records in a folder, the latest first."""
    try:
        files = [(path.stat().st_mtime_ns, path) for path in folder.glob(f"*{SUFFIX}")]
    except OSError:
        return []
    return [path for _, path in sorted(files, reverse=True)]


def find_record(word: str) -> Path:
    """The file that a path means, or the name of a kept record, or a beginning of one.

    A name is as `parlour records` lists it, and may be without its `.parlour`.
    `UnknownRecord` says which names are near, or between which to choose.
    """
    if not word.strip():
        raise UnknownRecord("a record's file or name is missing; 'parlour records' lists them")
    path = Path(word)
    folder = records_folder()
    is_place = path.name != word  # with a folder before it: nobody means a name
    kept = [] if is_place else [each.name for each in record_files(folder)]
    exact = next((name for name in (word, word + SUFFIX) if name in kept), None)
    if _is_there(path) and (is_place or not path.is_dir()):
        if exact == word and not path.samefile(folder / exact):
            raise UnknownRecord(
                f"{shown(word)} is a file in this folder and a kept record too: write "
                f"{os.path.join('.', word)} or {folder / exact}"
            )
        return path
    if exact is not None:
        return folder / exact
    found = [name for name in kept if name.startswith(word)]
    if len(found) == 1:
        return folder / found[0]
    if found:
        more = f" and {len(found) - MOST_NAMES} more" if len(found) > MOST_NAMES else ""
        raise UnknownRecord(
            f"{len(found)} records begin with {shown(word)}: "
            f"{', '.join(found[:MOST_NAMES])}{more}; name one of them"
        )
    if is_place:
        raise UnknownRecord(f"there is no file {shown(word)}")
    known = f"none of the {len(kept)} in {folder} has this name" if kept else f"{folder} has none"
    near = did_you_mean(word.removesuffix(SUFFIX), [name.removesuffix(SUFFIX) for name in kept])
    raise UnknownRecord(
        f"there is no record {shown(word)}{near}: it is not a file, and "
        f"{known}; 'parlour records' lists them"
    )


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long, or with a NUL in it
        return False


class Unfinished(NamedTuple):
    """A game that was left."""

    saved: str
    """When, from the record's notes or else the time of the file."""
    path: Path
    record: Record


def unfinished_games(
    folder: Path, name: str | None = None, most: int | None = None
) -> list[Unfinished]:
    """The games that were left, the last one first, of that name if one is given.

    With `most` only so many files are looked at, those that were written last.
    """
    wanted = None if name is None else name.partition(":")[0].replace("-", "_")
    found: list[Unfinished] = []
    for path in record_files(folder)[:most]:
        try:
            record = load(path)
            saved = Notes.of(record).saved
        except RecordError:
            continue
        if is_unfinished(record) and wanted in (None, record.game.name):
            found.append(Unfinished(saved or _written(path), path, record))
    return sorted(found, key=lambda each: (each.saved, each.path), reverse=True)


def latest_unfinished(folder: Path, name: str | None = None) -> Path | None:
    """The file of the game that was left last, of that name if one is given."""
    found = unfinished_games(folder, name)
    return found[0].path if found else None


def _written(path: Path) -> str:
    try:
        return moment_text(path.stat().st_mtime)
    except (OSError, OverflowError, ValueError):
        return ""
