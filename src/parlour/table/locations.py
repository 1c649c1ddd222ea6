"""The folder of a user's saved games, and how to find a record in it."""

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
from parlour.table.notes import PERSON, Notes, is_unfinished, moment_text
from parlour.table.storage import load

SUFFIX = ".parlour"
VARIABLE = "PARLOUR_DATA"
LONGEST_PATH = 3000
MOST_NAMES = 5
"""The number of records to name if a word is ambiguous."""


def data_folder() -> Path:
    """Return the platform's folder for user data; PARLOUR_DATA overrides it."""
    given = os.environ.get(VARIABLE)
    if given is not None:
        problem = _problem(given)
        if not problem:
            return Path(given)
        print(f"parlour: {VARIABLE} {problem}; using the default folder", file=sys.stderr)
    from platformdirs import user_data_path  # only programs that save games need it

    return user_data_path("parlour", appauthor=False)


def _problem(folder: str) -> str:
    """Return why a folder's name cannot be used, or an empty text."""
    if not folder.strip():
        return "is empty"
    if "\0" in folder or len(os.fsencode(folder)) > LONGEST_PATH:
        return f"is longer than {LONGEST_PATH} bytes"
    return ""


def records_folder() -> Path:
    """Return the folder in which `parlour play` saves records."""
    return data_folder() / "records"


def new_path(folder: Path, name: str) -> Path:
    """Return a unique file name for a game that begins now."""
    moment = datetime.now().strftime("%Y%m%d-%H%M%S")
    return folder / f"{name}-{moment}-{secrets.token_hex(2)}{SUFFIX}"


def record_files(folder: Path) -> list[Path]:
    """Return the records in a folder, latest first."""
    try:
        files = [(path.stat().st_mtime_ns, path) for path in folder.glob(f"*{SUFFIX}")]
    except OSError:
        return []
    return [path for _, path in sorted(files, reverse=True)]


def find_record(word: str) -> Path:
    """Return the file for a path, or for the name of a saved record or the beginning of one.

    Names are those that `parlour records` lists; the suffix `.parlour` is optional. Raise
    `UnknownRecord` with similar or matching names if there is not exactly one.
    """
    if not word.strip():
        raise UnknownRecord("name a record or its file; 'parlour records' lists them")
    path = Path(word)
    folder = records_folder()
    is_place = path.name != word  # a word with a folder is a path, not a name
    kept = [] if is_place else [each.name for each in record_files(folder)]
    exact = next((name for name in (word, word + SUFFIX) if name in kept), None)
    if _is_there(path) and (is_place or not path.is_dir()):
        if exact == word and not path.samefile(folder / exact):
            raise UnknownRecord(
                f"{shown(word)} is both a file in this folder and a saved record: write "
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
            f"{', '.join(found[:MOST_NAMES])}{more}; choose one"
        )
    if is_place:
        raise UnknownRecord(f"there is no file {shown(word)}")
    known = f"none of the {len(kept)} records in {folder} has this name"
    if not kept:
        known = f"{folder} has no records"
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
    """An unfinished game."""

    saved: str
    """When it was saved, from the record's notes or the file's time."""
    path: Path
    record: Record


def unfinished_games(
    folder: Path, name: str | None = None, most: int | None = None
) -> list[Unfinished]:
    """Return the unfinished games of people, latest first; only of game `name` if it is given.

    Games between agents and games of scripts do not count. With `most`, only that many of the
    latest files are read.
    """
    wanted = None if name is None else name.partition(":")[0].replace("-", "_")
    found: list[Unfinished] = []
    for path in record_files(folder)[:most]:
        try:
            record = load(path)
            notes = Notes.of(record)
        except RecordError:
            continue
        has_person = PERSON in notes.seats and not notes.is_scripted
        if has_person and is_unfinished(record) and wanted in (None, record.game.name):
            found.append(Unfinished(notes.saved or _written(path), path, record))
    return sorted(found, key=lambda each: (each.saved, each.path), reverse=True)


def latest_unfinished(folder: Path, name: str | None = None) -> Path | None:
    """Return the file of the latest unfinished game; only of game `name` if it is given."""
    found = unfinished_games(folder, name)
    return found[0].path if found else None


def _written(path: Path) -> str:
    try:
        return moment_text(path.stat().st_mtime)
    except (OSError, OverflowError, ValueError):
        return ""
