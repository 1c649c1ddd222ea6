"""Turns of the agents at a table: lease, think, play."""

import logging
from hashlib import blake2b
from typing import TYPE_CHECKING

from parlour.agents import Limit, seat_view
from parlour.agents.base import limit_of
from parlour.core.errors import ParlourError
from parlour.core.game import State
from parlour.protocol.errors import ServerClosing, StoreUnavailable
from parlour.server.cluster.peer_messages import AgentThinking
from parlour.server.live.room_part import RoomPart
from parlour.server.store.store import AGENT_TO_ACT

if TYPE_CHECKING:
    from parlour.server.live.room import Room
    from parlour.server.live.rooms import Rooms

log = logging.getLogger("parlour.server")


class Turns(RoomPart):
    """Lets the agents of one table act."""

    def __init__(self, room: "Room", rooms: "Rooms") -> None:
        """Start without a pending request."""
        super().__init__(room)
        self._rooms = rooms
        self._asked_at = -1

    @property
    def is_asked(self) -> bool:
        """Whether an agent is to act and this process has asked it."""
        hosted = self._room.hosted
        return self._asked_at == hosted.v and hosted.row.status == AGENT_TO_ACT

    def begin(self) -> None:
        """Ask the agent to act, unless it was already asked."""
        v = self._room.hosted.v
        if self._asked_at != v:
            self._asked_at = v
            self._rooms.spawn(self._turn(self._room, v))

    async def _turn(self, room: "Room", v: int) -> None:
        table = room.hosted.id
        try:
            if not await self._rooms.leases.hold(table, v):
                self._reset(v)  # another process holds the lease
                return
            await self._let_agent_act(room, v)
        except StoreUnavailable as error:
            log.warning("%s", error)
            self._reset(v)
            self._rooms.retry_later(room)
        except Exception as error:
            # For example an error in the game's code: retry when the lease expires or when the
            # table changes.
            self._rooms.mark_broken(table, error)
            self._reset(v)
        finally:
            self._rooms.leases.release(table, v)

    def _reset(self, v: int) -> None:
        if self._asked_at == v:
            self._asked_at = -1

    async def _let_agent_act(self, room: "Room", v: int) -> None:
        hosted = room.hosted
        table = hosted.table
        if hosted.v != v or room.is_unloaded:
            self._ask_again(v)
            return
        assert table is not None
        seat = table.actor
        waits = bool(hosted.people)
        pool = self._rooms.pool
        owner = hosted.row.owner or hosted.id
        room.ephemeral.think(AgentThinking(seat, pool.ahead_of(waits, owner)))
        known, seed = self._seen_by(seat)
        limit: Limit | None = None
        if table.clocks is not None and seat not in table.standing.gone:
            limit = limit_of(table.clocks.all_left(), seat, table.clocks.control.increment)
        try:
            action = await pool.choose(
                hosted.id, table.seats[seat], seed, known, limit, waits, owner
            )
        except ServerClosing:
            return
        async with room.lock:
            if hosted.v != v or room.is_unloaded:
                self._ask_again(v)
                return
            try:
                await room.play_for_agent(seat, action, v)
            except ParlourError as error:
                fields = {"table": hosted.id, "seat": seat, "code": error.code}
                log.warning("an agent's action was not stored: %s", error, extra=fields)
                self._asked_at = -1
                self._rooms.retry_later(room)

    def _ask_again(self, v: int) -> None:
        """Ask again: the table changed while the agent was thinking, but may still be its turn."""
        self._reset(v)
        if not self._room.is_unloaded:
            self._room.resume()

    def _seen_by(self, seat: int) -> tuple[State, int]:
        """Return the view of an agent on that seat, and an unpredictable seed."""
        hosted, table = self._room.hosted, self._room.hosted.table
        assert table is not None
        words = b"agent/%d/%d/" % (seat, hosted.v) + table.chance.key
        digest = blake2b(words, digest_size=32).digest()
        known = seat_view(table.state, seat, digest[8:], hosted.v)
        return known, int.from_bytes(digest[:4], "big")
