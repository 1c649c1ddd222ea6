"""The seats that somebody holds at tables of servers: their tokens, kept for who comes back."""

import contextlib
import hashlib
import json
from pathlib import Path

from parlour.core.files import read_text, write_atomically
from parlour.table.locations import data_folder

LARGEST = 10_000


class KeptSeats:
    """One small file for each seat, which only its owner can read."""

    def __init__(self, folder: Path | None = None) -> None:
        """In the user's data folder, unless told otherwise."""
        self._folder = data_folder() / "seats" if folder is None else folder

    def _path(self, base: str, table: str, seat: int) -> Path:
        name = hashlib.sha256(f"{base}/t/{table}#{seat}".encode()).hexdigest()[:32]
        return self._folder / f"{name}.json"

    def find(self, base: str, table: str, seat: int) -> str:
        """The token of a seat, or empty."""
        try:
            found = json.loads(read_text(self._path(base, table, seat), LARGEST))
        except (OSError, ValueError, RecursionError):
            return ""
        token = found.get("token") if isinstance(found, dict) else None
        return token if isinstance(token, str) else ""

    def keep(self, base: str, table: str, seat: int, token: str) -> None:
        """Remember a token; where nothing can be written the game goes on without."""
        data = {"server": base, "table": table, "seat": seat, "token": token}
        with contextlib.suppress(OSError):
            # A new file of ours is readable by its owner alone.
            write_atomically(self._path(base, table, seat), json.dumps(data))

    def forget(self, base: str, table: str, seat: int) -> None:
        """The token is not valid any more."""
        with contextlib.suppress(OSError):
            self._path(base, table, seat).unlink()
