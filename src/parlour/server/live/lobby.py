"""The lobby: who waits there is told of listed tables, of its own, and when it is its turn."""

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

from parlour.core.errors import ParlourError
from parlour.protocol.errors import StoreUnavailable
from parlour.protocol.json import encode
from parlour.protocol.messages import TableInfo, Tables, Turn
from parlour.server.live.views import Viewer, table_info
from parlour.server.store.log_rows import game_of
from parlour.server.store.store import PERSON_TO_ACT, Change, GameRow, Listing

if TYPE_CHECKING:
    from parlour.server.live.room import Room
    from parlour.server.live.rooms import Rooms

log = logging.getLogger("parlour.server")

LISTED_AT_MOST = 100
SHOW_SECONDS = 1.0


class Guest(Protocol):
    """Somebody in the lobby."""

    own: dict[str, int]
    """Its tables, and its seat at each."""

    def send(self, data: bytes) -> None:
        """Send soon, without waiting."""


class Lobby:
    """Those who wait."""

    def __init__(self, rooms: "Rooms") -> None:
        """Nobody waits yet."""
        self._rooms = rooms
        self.guests: set[Guest] = set()
        self._has_changed = asyncio.Event()
        self._shown = b""
        self._heard: dict[str, int] = {}
        """The versions of their tables that those who wait were told of."""
        self._waited_for: set[str] | None = None

    def start(self) -> None:
        """Begin to tell."""
        self._rooms.spawn(self._show())

    def touch(self) -> None:
        """The list of tables is not what it was."""
        self._has_changed.set()

    def changed(self, room: "Room", change: Change) -> None:
        """Something was stored for a game."""
        hosted = room.hosted
        if change.status is not None and hosted.row.visibility == "listed":
            self.touch()
        if hosted.id in self._heard:
            self._heard[hosted.id] = hosted.v
        self._show_turn(hosted.row)

    def _show_turn(self, row: GameRow) -> None:
        if row.status == PERSON_TO_ACT and self.guests:
            data = encode(Turn(row.id))
            # A copy: one that is too slow leaves while it is told.
            for guest in list(self.guests):
                if guest.own.get(row.id) == row.actor:
                    guest.send(data)

    # What other processes have stored.

    def waited_for(self) -> set[str]:
        """The tables of those who wait; put together once for many notices."""
        if self._waited_for is None:
            self._waited_for = {table for guest in self.guests for table in guest.own}
        return self._waited_for

    def hear(self, table: str, v: int) -> None:
        """Another process has stored something for a game that nobody looks at here."""
        if table in self.waited_for():
            self._rooms.spawn(self._look(table, v))

    async def _look(self, table: str, v: int) -> None:
        """Tell whose turn it is there."""
        self._heard[table] = max(v, self._heard.get(table, 0))
        for listing in await self._rooms.store.some([table]):
            self._show_turn(listing.row)

    async def poll(self, versions: dict[str, int]) -> None:
        """See whether the tables of those who wait, or the list, are not what they were."""
        if not self.guests:
            return
        known, self._heard = self._heard, versions
        for table, v in versions.items():
            if known.get(table, v) < v:
                await self._look(table, v)
        if encode(await self.listed()) != self._shown:
            self.touch()

    async def join(self, guest: Guest) -> None:
        """Welcome somebody: the tables now, and from now on."""
        store, own = self._rooms.store, list(guest.own)
        before = await store.versions(own)
        guest.send(encode(await self.tables(guest.own)))
        self.guests.add(guest)
        self._waited_for = None
        for table, v in before.items():
            self._heard.setdefault(table, v)
        # What was stored while the tables were read stands neither there nor in a notice that
        # found this guest here.
        for table, v in (await store.versions(own)).items():
            if before.get(table, v) < v:
                await self._look(table, v)

    def leave(self, guest: Guest) -> None:
        """Somebody is gone."""
        self.guests.discard(guest)
        self._waited_for = None
        if not self.guests:
            self._heard.clear()

    async def tables(self, own: dict[str, int]) -> Tables:
        """Listed tables, and one's own."""
        return Tables(await self.listed(), await self.mine(own))

    async def listed(self) -> list[TableInfo]:
        """Listed tables that wait for people or are played."""
        found = await self._rooms.store.listed(LISTED_AT_MOST)
        return _infos(found, {})

    async def mine(self, own: dict[str, int]) -> list[TableInfo]:
        """These tables, with one's own seat at each."""
        found = await self._rooms.store.some(list(own)) if own else []
        return _infos(found, own)

    async def _show(self) -> None:
        """Tell everybody of new tables, not more often than once in a while."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            if self.guests:
                try:
                    await self._show_once()
                except StoreUnavailable as error:
                    log.warning("%s", error)
                    self.touch()
            await asyncio.sleep(SHOW_SECONDS)

    async def _show_once(self) -> None:
        listed = await self.listed()
        self._shown = encode(listed)
        for guest in list(self.guests):
            tables = Tables(listed, await self.mine(guest.own))
            if guest in self.guests:
                guest.send(encode(tables))

    def close(self, data: bytes) -> None:
        """Tell everybody that the server shuts down."""
        for guest in list(self.guests):
            guest.send(data)


def _infos(found: list[Listing], own: dict[str, int]) -> list[TableInfo]:
    infos = []
    for row, seats in found:
        viewer: Viewer = own.get(row.id)
        try:
            title = game_of(row.game, row.options).title
        except ParlourError:
            continue  # a game that is not installed any more
        infos.append(table_info(row, seats, title, viewer))
    return infos
