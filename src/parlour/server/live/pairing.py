"""Quick pairing: people who want the same game, options and clock meet at a table.

The first one waits at a new table that is in no list; the next ones sit down there. The store names
at most one waiting table of a kind, and leases it: a table is found only while its lease lasts, and
the lease is renewed only while a person is connected. A waiting table without a lease is ended.
Clients then ask again.
"""

import asyncio
import secrets
from typing import TYPE_CHECKING, Protocol

from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.protocol.errors import ServerClosing, StoreUnavailable
from parlour.server.live.openings import new_game
from parlour.server.live.room import Room
from parlour.server.store.log_rows import OPEN, SEATED
from parlour.server.store.store import (
    PAIRING,
    WAITING,
    CreationRow,
    GameRow,
    Outdated,
    Place,
    SeatRow,
    TokenRow,
)
from parlour.server.tokens import body_hash
from parlour.table import TimeControl
from parlour.table.errors import Busy

if TYPE_CHECKING:
    from parlour.server.live.rooms import Rooms

CONNECT_SECONDS = 3.0
"""How long others find the table of a person who has not connected yet."""
ATTEMPTS = 20
"""Maximum attempts when other processes seat people first; one of them succeeds each time."""


class Seeker(Protocol):
    """A person who looks for a game."""

    name: str
    nonce: str

    async def is_seated(self) -> bool:
        """Whether an earlier request with the same key was executed."""

    async def sit(self, table: str, seat: int) -> tuple[TokenRow, CreationRow | None]:
        """Return the rows of the token and of the request for a seat."""


class Pairing:
    """The waiting tables of one process."""

    def __init__(self, rooms: "Rooms") -> None:
        """Start without waiting tables."""
        self._rooms = rooms
        self._turn = asyncio.Lock()
        """Held while a person is seated, so that only processes compete, not requests."""
        self._absent: dict[tuple[str, int, int], int] = {}
        """Since when the holders of seats at waiting tables have no connection."""

    @property
    def _lease_ms(self) -> int:
        return int(self._rooms.settings.lease_seconds * 1000)

    async def start(self) -> None:
        """End the leases of a process that died: its people must connect again."""
        if not self._rooms.store.IS_SHARED:
            await self._rooms.store.release_places(self._rooms.clock.now())

    # Seating.

    async def seat(self, played: Game, control: TimeControl | None, seeker: Seeker) -> None:
        """Seat a person at the waiting table of this kind, or at a new one.

        Raise `Busy` if other processes are always faster.
        """
        new = new_game(
            played, [SeatRow(seat, OPEN) for seat in range(played.seats)], control, PAIRING,
            self._rooms.clock,
        )  # fmt: skip
        kind = kind_of(new.row)
        async with self._turn:
            for _ in range(ATTEMPTS):
                if await seeker.is_seated():
                    return
                now = self._rooms.clock.now()
                table, is_waiting = await self._rooms.store.find_place(kind, now)
                try:
                    if not is_waiting or not await self._join(table, seeker):
                        until = now + int(CONNECT_SECONDS * 1000)
                        place = Place(kind, until, now - self._lease_ms, table)
                        number = secrets.randbelow(played.seats)
                        token, creation = await seeker.sit(new.row.id, number)
                        seats = list(new.seats)
                        seats[number] = SeatRow(number, SEATED, "", seeker.name, seeker.nonce)
                        await self._rooms.create(
                            new._replace(
                                seats=seats, tokens=[token], creation=creation, place=place
                            )
                        )
                    return
                except Outdated:
                    continue
        raise Busy("too many people are looking for this game: try again")

    async def _join(self, table: str, seeker: Seeker) -> bool:
        """Take a random open seat. Return false if the table cannot be used.

        Raise `Outdated` if others were faster.
        """
        try:
            room = await self._rooms.room(table)

            async def join() -> None:
                hosted = room.hosted
                seats = [each for each in hosted.seats if each.kind == OPEN]
                if hosted.row.status != WAITING or not seats:
                    raise Outdated("this table is no longer waiting")
                held = secrets.choice(seats)
                token, creation = await seeker.sit(table, held.seat)
                planned = hosted.plan_join(
                    held.seat, seeker.name, seeker.nonce, token._replace(epoch=held.epoch + 1)
                )
                change = planned.change._replace(creation=creation)
                await room.commit(planned._replace(change=change))

            async with room.lock:
                await room.retry_if_behind(join)
        except (Outdated, StoreUnavailable, ServerClosing):
            raise
        except ParlourError:
            return False  # for example a table whose log is damaged
        return True

    # Connections.

    def joined(self, room: Room) -> None:
        """Let others find a waiting table again, because a person has connected."""
        if is_waiting(room):
            self._rooms.spawn(self._hold([room]))

    def left(self, room: Room) -> None:
        """Hide a waiting table at once if its last person has disconnected."""
        if is_waiting(room) and not room.audience.seated() and not self._rooms.is_closing:
            now = self._rooms.clock.now()
            self._rooms.spawn(self._rooms.store.release_places(now, room.hosted.id))

    # Periodic tasks.

    async def tend(self) -> None:
        """Renew the leases of tables with connections; end tables and free seats without any."""
        rooms = self._rooms
        held = [
            room
            for room in rooms.all_in_memory()
            if is_waiting(room) and room.audience.presence().seats
        ]
        await self._hold(held)
        await self._free_seats(held)
        orphans = await rooms.store.orphans(rooms.clock.now() - self._lease_ms)
        async for table in rooms.leases.available(orphans):
            try:
                await self._end(await rooms.room(table))
            except StoreUnavailable:
                raise
            except Exception as error:
                rooms.mark_broken(table, error)

    async def _hold(self, waiting: list[Room]) -> None:
        if not waiting:
            return
        held = [(kind_of(room.hosted.row), room.hosted.id) for room in waiting]
        until = self._rooms.clock.now() + self._lease_ms
        lost = await self._rooms.store.hold_places(held, until)
        for room in waiting:
            if room.hosted.id in lost:
                await self._end(room)

    async def _end(self, room: Room) -> None:
        """End a table that is still waiting."""

        async def end() -> None:
            if is_waiting(room):
                await room.commit(room.hosted.plan_abandon())

        async with room.lock:
            await room.retry_if_behind(end)

    async def _free_seats(self, waiting: list[Room]) -> None:
        """Free the seats of people who are gone while others still wait at their table."""
        now, absent = self._rooms.clock.now(), {}
        for room in waiting:
            present = room.audience.seated()
            for held in room.hosted.seats:
                if held.kind == SEATED and held.seat not in present:
                    key = (room.hosted.id, held.seat, held.epoch)
                    absent[key] = self._absent.get(key, now)
                    if absent[key] <= now - self._lease_ms:
                        await self._free(room, held)
        self._absent = absent

    async def _free(self, room: Room, held: SeatRow) -> None:
        async def free() -> None:
            if is_waiting(room) and room.hosted.seat(held.seat) == held:
                await room.commit(room.hosted.plan_leave(held.seat, held.epoch + 1))

        async with room.lock:
            await room.retry_if_behind(free)


def is_waiting(room: Room) -> bool:
    """Whether a person waits at this table for others with the same wish."""
    return room.hosted.row.visibility == PAIRING and room.hosted.row.status == WAITING


def kind_of(row: GameRow) -> bytes:
    """Return the hash of what people must agree on to be paired."""
    return body_hash(repr((row.game, row.options, row.control)).encode())
