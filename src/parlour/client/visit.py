"""A person who follows a link, returns to the same seat, and stays for rematches."""

import contextlib
import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path

from parlour.client.links import Link
from parlour.client.remote import RemoteGame
from parlour.client.retry import Retry
from parlour.client.sync import Client, RemoteTable
from parlour.files import read_text, write_atomically
from parlour.protocol.errors import Unauthorized
from parlour.table.errors import TableError
from parlour.table.locations import data_folder

LARGEST = 10_000


class SavedTokens:
    """Saved tokens: one file for each seat, readable only by its owner."""

    def __init__(self, folder: Path | None = None) -> None:
        """Use the user's data folder unless another is given."""
        self._folder = data_folder() / "seats" if folder is None else folder

    def _path(self, base: str, table: str, seat: int) -> Path:
        name = hashlib.sha256(f"{base}/t/{table}#{seat}".encode()).hexdigest()[:32]
        return self._folder / f"{name}.json"

    def find(self, base: str, table: str, seat: int) -> str:
        """Return the saved token of a seat, or an empty text."""
        try:
            found = json.loads(read_text(self._path(base, table, seat), LARGEST))
        except (OSError, ValueError, RecursionError):
            return ""
        token = found.get("token") if isinstance(found, dict) else None
        return token if isinstance(token, str) else ""

    def keep(self, base: str, table: str, seat: int, token: str) -> None:
        """Save a token; errors are ignored because the game works without it."""
        data = {"server": base, "table": table, "seat": seat, "token": token}
        with contextlib.suppress(OSError):
            # `write_atomically` creates files that only their owner can read.
            write_atomically(self._path(base, table, seat), json.dumps(data))

    def forget(self, base: str, table: str, seat: int) -> None:
        """Delete a token that is no longer valid."""
        with contextlib.suppress(OSError):
            self._path(base, table, seat).unlink()


class Visit:
    """One person, or one agent, at one server."""

    def __init__(
        self,
        link: Link,
        name: str = "",
        nonce: str = "",
        retry: Retry | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a visit without contacting the server."""
        self.link = link
        self._name, self._nonce, self._now = name, nonce, now
        self._tokens = SavedTokens()
        self.client = Client(self.link.base, retry=retry, now=now)
        self.table: RemoteTable | None = None
        self._is_first = True

    def sit_down(self) -> RemoteTable:
        """Return the table: at the saved seat, at the invitation's seat, or as a spectator."""
        link = self.link
        if link.seat is None:
            self.table = self.client.table(link.table)
            return self.table
        token = self._tokens.find(link.base, link.table, link.seat)
        if token:
            try:
                self.table = self.client.table(link.table, token)
                return self.table
            except Unauthorized:
                self._tokens.forget(link.base, link.table, link.seat)
        self.table = self.client.join(link.to_text(), self._name, self._nonce)
        self._keep(self.table)
        return self.table

    def make(self, game: str, options: dict[str, object]) -> RemoteTable:
        """Create a table with yourself in the first seat."""
        self.table = self.client.create(game, options=options, name=self._name)
        self._remember(self.table)
        return self.table

    def find(self, game: str, options: dict[str, object], clock: str) -> RemoteTable:
        """Wait for people who want the same game and return the table."""
        self.table = self.client.find(
            game, options=options, clock=clock, name=self._name, nonce=self._nonce
        )
        self._remember(self.table)
        return self.table

    def _remember(self, table: RemoteTable) -> None:
        """Point the link to this table; the saved token gives access to it."""
        claim = "" if table.seat is None else "kept"
        self.link = Link(self.link.base, table.id, table.seat, claim)
        self._keep(table)

    def _keep(self, table: RemoteTable) -> None:
        if table.seat is not None:
            self._tokens.keep(self.link.base, table.id, table.seat, table.token)

    def join_rematch(self) -> RemoteTable:
        """Go to the rematch. Raise `TableError` until the other players have agreed."""
        table = self.table
        assert table is not None
        if not table.is_over:
            raise TableError("this game is not over: finish it or resign first")
        if table.seat is not None:
            table.ask_rematch()
        elif not table.view.rematch:
            raise TableError("the players have not agreed on a rematch")
        if not table.view.rematch:
            raise TableError("you asked for a rematch: try again when the others have agreed")
        return self.wait_for_rematch()

    def wait_for_rematch(self) -> RemoteTable:
        """Wait for the rematch and go to its table."""
        before = self.table
        assert before is not None
        self.table = before.next_table()
        before.close()
        self._remember(self.table)
        return self.table

    def live(self) -> RemoteGame:
        """Return the game for displays; later calls return its rematches."""
        if not self._is_first:
            self.join_rematch()
        elif self.table is None:
            self.sit_down()
        self._is_first = False
        assert self.table is not None
        table = self.table
        table.wait(lambda view: view.status != "waiting")
        return RemoteGame(table, self._now, self.link.to_text())

    def close(self) -> None:
        """Disconnect. Seats stay reserved."""
        self.client.close()
