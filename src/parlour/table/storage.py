"""A table's file: read, written whole or not at all, and held by one process at a time."""

from pathlib import Path

from parlour.core.errors import RecordError
from parlour.core.record import Record
from parlour.files import LARGEST_FILE, FileLock, read_text, write_atomically
from parlour.table.errors import GameInUse


def load(path: Path) -> Record:
    """The record in a file; `RecordError` if it is not one, or cannot be read.

    One of them is `GameNotInstalled`.
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


class TableFile:
    """The file of one live game.

    While a game is played from here no other process can: a lock on a file beside it
    (`.NAME.lock`) sees to that. It ends with this process, however that ends.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self.path = path
        # The game's file itself is replaced by each new one, so another is locked.
        self._lock = FileLock(path.with_name(f".{path.name}.lock"))

    @property
    def lock_path(self) -> Path:
        """What is locked."""
        return self._lock.path

    def hold(self) -> None:
        """Keep other processes out; `GameInUse` if one is here already, `OSError` as it comes."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self._lock.hold():
            raise GameInUse(f"{self.path} is being played by another process")

    def write(self, text: str) -> None:
        """Replace the game's text; on the disk when this returns. `OSError`, `GameInUse`."""
        self.hold()
        write_atomically(self.path, text)

    def release(self) -> None:
        """Let others in."""
        self._lock.release()
