"""The turns of the agents at one table: taken, thought over, and played."""

import logging
from hashlib import blake2b
from typing import TYPE_CHECKING

from parlour.agents import Limit, seat_view
from parlour.agents.base import limit_of
from parlour.core.errors import ParlourError
from parlour.core.game import State
from parlour.protocol.errors import ServerClosing, StoreUnavailable
from parlour.server.cluster.whispers import Thinks
from parlour.server.live.room_part import RoomPart
from parlour.server.store.store import AGENT_TO_ACT

if TYPE_CHECKING:
    from parlour.server.live.room import Room
    from parlour.server.live.rooms import Rooms

log = logging.getLogger("parlour.server")


class Turns(RoomPart):
    """Lets agents act at one table."""

    def __init__(self, room: "Room", rooms: "Rooms") -> None:
        """Nobody was asked yet."""
        super().__init__(room)
        self._rooms = rooms
        self._asked_at = -1

    @property
    def is_asked(self) -> bool:
        """Whether an agent is to act, and was asked here."""
        hosted = self._room.hosted
        return self._asked_at == hosted.v and hosted.row.status == AGENT_TO_ACT

    def begin(self) -> None:
        """Ask the agent that is to act, unless it was asked already."""
        v = self._room.hosted.v
        if self._asked_at != v:
            self._asked_at = v
            self._rooms.spawn(self._turn(self._room, v))

    async def _turn(self, room: "Room", v: int) -> None:
        table = room.hosted.id
        try:
            if not await self._rooms.leases.hold(table, v):
                self._forget(v)  # another process lets it act
                return
            await self._let_agent_act(room, v)
        except StoreUnavailable as error:
            log.warning("%s", error)
            self._forget(v)
            self._rooms.try_later(room)
        except Exception as error:
            # The game's own code, say: it is asked again when the lease is over, or when
            # anything happens at the table.
            self._rooms.is_broken(table, error)
            self._forget(v)
        finally:
            self._rooms.leases.release(table, v)

    def _forget(self, v: int) -> None:
        if self._asked_at == v:
            self._asked_at = -1

    async def _let_agent_act(self, room: "Room", v: int) -> None:
        hosted = room.hosted
        table = hosted.table
        if hosted.v != v or room.is_gone:
            self._ask_again(v)
            return
        assert table is not None
        seat = table.actor
        waits = bool(hosted.people)
        pool = self._rooms.pool
        room.passing.think(Thinks(seat, pool.ahead_of(waits)))
        known, seed = self._seen_by(seat)
        limit: Limit | None = None
        if table.clocks is not None and seat not in table.standing.gone:
            limit = limit_of(table.clocks.all_left(), seat, table.clocks.control.increment)
        try:
            action = await pool.choose(hosted.id, table.seats[seat], seed, known, limit, waits)
        except ServerClosing:
            return
        async with room.lock:
            if hosted.v != v or room.is_gone:
                self._ask_again(v)
                return
            try:
                await room.play_for_agent(seat, action, v)
            except ParlourError as error:
                told = {"table": hosted.id, "seat": seat, "code": error.code}
                log.warning("an agent's action was not stored: %s", error, extra=told)
                self._asked_at = -1
                self._rooms.try_later(room)

    def _ask_again(self, v: int) -> None:
        """Something else happened while the agent thought: it may still be its turn."""
        self._forget(v)
        if not self._room.is_gone:
            self._room.go_on()

    def _seen_by(self, seat: int) -> tuple[State, int]:
        """What an agent on that seat may see, and a seed that nobody can foresee."""
        hosted, table = self._room.hosted, self._room.hosted.table
        assert table is not None
        words = b"agent/%d/%d/" % (seat, hosted.v) + table.chance.key
        digest = blake2b(words, digest_size=32).digest()
        known = seat_view(table.state, seat, digest[8:], hosted.v)
        return known, int.from_bytes(digest[:4], "big")
