"""A table's file, read."""

from pathlib import Path

from parlour.core.errors import RecordError
from parlour.core.record import Record


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
