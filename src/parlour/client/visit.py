"""Somebody who follows a link, comes back to the same seat, and stays for a rematch."""

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
        """Nothing is asked of the server yet."""
        self.link = link
        self._name, self._nonce, self._now = name, nonce, now
        self._kept = KeptSeats()
        self.client = Client(self.link.base, retry=retry, now=now)
        self.table: RemoteTable | None = None
        self._is_first = True

    def sit_down(self) -> RemoteTable:
        """The table: on one's old seat, on that of the invitation, or as a spectator."""
        link = self.link
        if link.seat is None:
            self.table = self.client.table(link.table)
            return self.table
        token = self._kept.find(link.base, link.table, link.seat)
        if token:
            try:
                self.table = self.client.table(link.table, token)
                return self.table
            except Unauthorized:
                self._kept.forget(link.base, link.table, link.seat)
        self.table = self.client.join(link.to_text(), self._name, self._nonce)
        self._keep(self.table)
        return self.table

    def make(self, game: str, options: dict[str, object]) -> RemoteTable:
        """A new table, with oneself on the first seat."""
        self.table = self.client.create(game, options=options, name=self._name)
        self._remember(self.table)
        return self.table

    def _remember(self, table: RemoteTable) -> None:
        """From now on the link leads there; the kept token is what opens it."""
        claim = "" if table.seat is None else "kept"
        self.link = Link(self.link.base, table.id, table.seat, claim)
        self._keep(table)

    def _keep(self, table: RemoteTable) -> None:
        if table.seat is not None:
            self._kept.keep(self.link.base, table.id, table.seat, table.token)

    def go_on(self) -> RemoteTable:
        """The table of the rematch; `TableError` while the others have not agreed."""
        table = self.table
        assert table is not None
        if not table.is_over:
            raise TableError("this game goes on: play it to the end, or resign")
        if table.seat is not None:
            table.ask_rematch()
        if not table.view.rematch:
            raise TableError("a rematch is asked for: go on when the others agree")
        return self.follow()

    def follow(self) -> RemoteTable:
        """Wait for the rematch that was asked for, and go to its table."""
        before = self.table
        assert before is not None
        self.table = before.next_table()
        before.close()
        self._remember(self.table)
        return self.table

    def live(self) -> RemoteGame:
        """The game as displays know it; asked again, the rematch."""
        if not self._is_first:
            self.go_on()
        elif self.table is None:
            self.sit_down()
        self._is_first = False
        assert self.table is not None
        table = self.table
        table.wait(lambda view: view.status != "waiting")
        return RemoteGame(table, self._now, self.link.to_text())

    def close(self) -> None:
        """Leave; seats are kept."""
        self.client.close()
