"""A table's file: read and written atomically, and locked by one process at a time."""

from pathlib import Path

from parlour.core.errors import RecordError
from parlour.core.record import Record
from parlour.files import LARGEST_FILE, FileLock, read_text, write_atomically
from parlour.table.errors import GameInUse


def load(path: Path) -> Record:
    """Read the record in a file. Raise `RecordError` if it is not one or cannot be read.

    A game that is not installed raises the subclass `GameNotInstalled`.

    >>> from pathlib import Path
    >>> load(Path("missing.parlour"))
    Traceback (most recent call last):
    parlour.core.errors.RecordError: missing.parlour cannot be read: No such file or directory
    """
    try:
        text = read_text(path, LARGEST_FILE)
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not a text file, so it is not a record") from None
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return Record.from_text(text)
    except RecordError as error:
        raise type(error)(f"{path}: {error}") from error


def delete(path: Path) -> None:
    """Delete a record. Raise `GameInUse` if it is being played, or `RecordError`."""
    file = TableFile(path)
    try:
        file.hold()
        path.unlink()
    except OSError as error:
        raise RecordError(f"{path} cannot be deleted: {error.strerror}") from None
    finally:
        file.release()


class TableFile:
    """The file of one live game.

    A lock file beside it (`.NAME.lock`) keeps other processes from playing the same game. The lock
    ends with this process, however it ends.

    >>> from pathlib import Path
    >>> TableFile(Path("octa.parlour")).lock_path.name
    '.octa.parlour.lock'
    """

    def __init__(self, path: Path) -> None:
        """Set the path without opening the file."""
        self.path = path
        # Each save replaces the game's file, so the lock is on another file.
        self._lock = FileLock(path.with_name(f".{path.name}.lock"))

    @property
    def lock_path(self) -> Path:
        """The lock file."""
        return self._lock.path

    def hold(self) -> None:
        """Lock the file. Raise `GameInUse` if another process has it, or `OSError`."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self._lock.hold():
            raise GameInUse(f"{self.path} is being played by another process")

    def write(self, text: str) -> None:
        """Replace the text and sync it to disk. Raise `GameInUse` or `OSError`."""
        self.hold()
        write_atomically(self.path, text)

    def release(self) -> None:
        """Release the lock."""
        self._lock.release()
