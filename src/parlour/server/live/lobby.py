"""The lobby: clients receive the listed tables, their own tables, and their turns."""

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

from parlour.core.errors import ParlourError
from parlour.protocol.errors import StoreUnavailable
from parlour.protocol.json import encode
from parlour.protocol.messages import TableInfo, Tables, Turn
from parlour.server.live.views import Viewer, table_info
from parlour.server.store.log_rows import game_of
from parlour.server.store.store import (
    LISTED_PER_OWNER,
    PERSON_TO_ACT,
    Change,
    GameRow,
    Listing,
)

if TYPE_CHECKING:
    from parlour.server.live.room import Room
    from parlour.server.live.rooms import Rooms

log = logging.getLogger("parlour.server")

LISTED_AT_MOST = 10 * LISTED_PER_OWNER
SHOW_SECONDS = 1.0


class Guest(Protocol):
    """A connection in the lobby."""

    own: dict[str, int]
    """Its tables, and its seat at each."""

    def send(self, data: bytes) -> None:
        """Queue data for sending, without waiting."""


class Lobby:
    """Connections in the lobby."""

    def __init__(self, rooms: "Rooms") -> None:
        """Start without connections."""
        self._rooms = rooms
        self.guests: dict[Guest, dict[str, int]] = {}
        """The connections, each with the version of the last turn it was notified of by table."""
        self._has_changed = asyncio.Event()
        self._published = b""
        self._versions: dict[str, int] = {}
        """The last versions of the guests' tables that guests were notified of."""
        self._watched_tables: set[str] | None = None

    def start(self) -> None:
        """Start publishing."""
        self._rooms.spawn(self._publish())

    def touch(self) -> None:
        """Mark the list of tables as changed."""
        self._has_changed.set()

    def changed(self, room: "Room", change: Change) -> None:
        """Handle a stored change of a game."""
        hosted = room.hosted
        is_shown = change.status is not None or change.ply is not None
        if is_shown and hosted.row.visibility == "listed":
            self.touch()
        if hosted.id in self._versions:
            self._versions[hosted.id] = hosted.v
        self._show_turn(hosted.row, hosted.v)

    def _show_turn(self, row: GameRow, v: int) -> None:
        if row.status == PERSON_TO_ACT and self.guests:
            data = encode(Turn(row.id))
            # A copy: slow connections are removed while sending.
            for guest, shown in list(self.guests.items()):
                # A notification, a poll and a hello may find the same turn.
                if guest.own.get(row.id) == row.actor and shown.get(row.id, -1) < v:
                    shown[row.id] = v
                    guest.send(data)

    # Changes of other processes.

    def watched_tables(self) -> set[str]:
        """Return the tables of all guests, cached between notifications."""
        if self._watched_tables is None:
            self._watched_tables = {table for guest in self.guests for table in guest.own}
        return self._watched_tables

    def notice_change(self, table: str, v: int) -> None:
        """Handle a change by another process of a table without connections here."""
        if table in self.watched_tables():
            self._rooms.spawn(self._check_turn(table, v))

    async def _check_turn(self, table: str, v: int) -> None:
        """Notify guests if it is their turn at a table."""
        self._versions[table] = max(v, self._versions.get(table, 0))
        for listing in await self._rooms.store.some([table]):
            self._show_turn(listing.row, listing.row.v)

    async def poll(self, versions: dict[str, int]) -> None:
        """Check for changes of the guests' tables and of the list."""
        if not self.guests:
            return
        known, self._versions = self._versions, versions
        for table, v in versions.items():
            if known.get(table, v) < v:
                await self._check_turn(table, v)
        if encode(await self.listed()) != self._published:
            self.touch()

    async def join(self, guest: Guest) -> None:
        """Add a guest and send the tables."""
        store, own = self._rooms.store, list(guest.own)
        before = await store.versions(own)
        guest.send(encode(await self.tables(guest.own)))
        self.guests[guest] = {}
        self._watched_tables = None
        for table, v in before.items():
            self._versions.setdefault(table, v)
        # Changes stored while the tables were read are in neither the response nor a
        # notification, which ignores tables without guests.
        for table, v in (await store.versions(own)).items():
            if before.get(table, v) < v:
                await self._check_turn(table, v)

    def leave(self, guest: Guest) -> None:
        """Remove a guest."""
        self.guests.pop(guest, None)
        self._watched_tables = None
        if not self.guests:
            self._versions.clear()

    async def tables(self, own: dict[str, int]) -> Tables:
        """Return the listed tables and the guest's own."""
        return Tables(await self.listed(), await self.mine(own))

    async def listed(self) -> list[TableInfo]:
        """Return listed tables that are not over."""
        found = await self._rooms.store.listed(LISTED_AT_MOST)
        return _infos(found, {})

    async def mine(self, own: dict[str, int]) -> list[TableInfo]:
        """Return the given tables, with the viewer's seat at each."""
        found = await self._rooms.store.some(list(own)) if own else []
        return _infos(found, own)

    async def _publish(self) -> None:
        """Publish changes of the list, at most once per interval."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            if self.guests:
                try:
                    await self._publish_once()
                except StoreUnavailable as error:
                    log.warning("%s", error)
                    self.touch()
            await asyncio.sleep(SHOW_SECONDS)

    async def _publish_once(self) -> None:
        listed = await self.listed()
        self._published = encode(listed)
        own: dict[str, int] | None = None
        data = b""
        # Guests with the same tables, for example none, share a query and a message.
        for guest in sorted(self.guests, key=lambda guest: sorted(guest.own.items())):
            if guest.own != own:
                own = guest.own
                data = encode(Tables(listed, await self.mine(own)))
            if guest in self.guests:
                guest.send(data)

    def close(self, data: bytes) -> None:
        """Notify all guests that the server is shutting down."""
        for guest in list(self.guests):
            guest.send(data)


def _infos(found: list[Listing], own: dict[str, int]) -> list[TableInfo]:
    infos = []
    for row, seats in found:
        viewer: Viewer = own.get(row.id)
        try:
            title = game_of(row.game, row.options).title
        except ParlourError:
            continue  # the game is no longer installed
        infos.append(table_info(row, seats, title, viewer))
    return infos
