"""A table's file: read, written whole or not at all, and held by one process at a time."""

import contextlib
import os
from pathlib import Path
from typing import IO

from parlour.core.errors import RecordError
from parlour.core.files import write_atomically
from parlour.core.record import Record
from parlour.table.errors import GameInUse

try:
    import fcntl
except ImportError:  # a system without file locks of this kind
    fcntl = None  # type: ignore[assignment]


def load(path: Path) -> Record:
    """The record in a file; `RecordError` if it is not one, or cannot be read."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not a text file, so it is not a record") from None
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return Record.from_text(text)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


class TableFile:
    """The file of one live game.

    While a game is played from here no other process can: an operating-system lock on a file
    beside it (`.NAME.lock`) sees to that. It ends with this process, however that ends.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self.path = path
        self._lock: IO[bytes] | None = None

    @property
    def lock_path(self) -> Path:
        """What is locked: the game's file itself is replaced by each new one."""
        return self.path.with_name(f".{self.path.name}.lock")

    def hold(self) -> None:
        """Keep other processes out; `GameInUse` if one is here already, `OSError` as it comes."""
        if self._lock is not None or fcntl is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            lock = open(self.lock_path, "ab")  # noqa: SIM115 - held for as long as the game
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                lock.close()
                raise GameInUse(f"{self.path} is being played by another process") from None
            if self._is_current(lock):
                self._lock = lock
                return
            lock.close()  # whoever held it has just removed it: another one is there now

    def _is_current(self, lock: IO[bytes]) -> bool:
        try:
            return os.path.samestat(os.fstat(lock.fileno()), os.stat(self.lock_path))
        except FileNotFoundError:
            return False

    def write(self, text: str) -> None:
        """Replace the game's text; on the disk when this returns. `OSError`, `GameInUse`."""
        self.hold()
        write_atomically(self.path, text)

    def release(self) -> None:
        """Let others in."""
        lock, self._lock = self._lock, None
        if lock is not None:
            with contextlib.suppress(OSError):
                self.lock_path.unlink()
            lock.close()

    def __del__(self) -> None:
        """An abandoned game is let go of."""
        self.release()
