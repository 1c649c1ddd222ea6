"""A table's file: written whole or not at all, and taken up again."""

import contextlib
import os
import tempfile
from pathlib import Path

from parlour.core.errors import RecordError
from parlour.core.record import Record


def write_atomically(path: Path, text: str) -> None:
    """Put the text where `path` is, so that a reader finds the old or the new, never a part.

    It is on the disk when this returns. Raises `OSError`; the old file is then still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name last too, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def load(path: Path) -> Record:
    """The record in a file; `RecordError` if it is none, or cannot be read."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise RecordError(f"{path} is no text file, so it is no record") from None
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return Record.from_text(text)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
