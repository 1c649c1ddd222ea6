"""What a process does from time to time, so that games go on which nobody looks at.

It says that it is there, and looks what other processes have stored.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from parlour.core.errors import ParlourError
from parlour.protocol.errors import StoreUnavailable
from parlour.server.live.room import Room
from parlour.server.store.store import AGENT_TO_ACT

if TYPE_CHECKING:
    from parlour.server.live.rooms import Rooms

log = logging.getLogger("parlour.server")

SWEEP_SECONDS = 1.0
HOUSEKEEPING_SECONDS = 600.0
LAG_SECONDS = 0.25


class Upkeep:
    """Of the games of one process."""

    def __init__(self, rooms: "Rooms") -> None:
        """Nothing runs before `start`."""
        self._rooms = rooms
        self._broken: dict[str, int] = {}
        """Games that cannot be gone on with, and when that was last tried."""

    def start(self) -> None:
        """Begin; agents go on where they were left."""
        rooms, settings = self._rooms, self._rooms.settings
        rooms.spawn(self._repeat(settings.beat_seconds, self.beat))
        rooms.spawn(self._repeat(settings.beat_seconds, self.poll))
        rooms.spawn(self._repeat(settings.beat_seconds, rooms.tune))
        rooms.spawn(self._repeat(settings.beat_seconds, self.measure, at_once=True))
        rooms.spawn(self._measure_lag())
        rooms.spawn(self._repeat(settings.lease_seconds / 3, rooms.leases.prolong))
        rooms.spawn(self._repeat(SWEEP_SECONDS, self.sweep))
        rooms.spawn(self._repeat(SWEEP_SECONDS, self.resume_agents, at_once=True))
        rooms.spawn(self._repeat(HOUSEKEEPING_SECONDS, self.keep_house))

    async def _repeat(
        self, seconds: float, work: Callable[[], Awaitable[None]], at_once: bool = False
    ) -> None:
        if not at_once:
            await asyncio.sleep(seconds)
        while True:
            try:
                await work()
            except StoreUnavailable as error:
                log.warning("%s", error)
            except Exception:
                log.exception("work in the background went wrong, and is done again")
            await asyncio.sleep(seconds)

    async def beat(self) -> None:
        """Say that this process is there, and hear since when others are."""
        rooms = self._rooms
        try:
            await rooms.store.beat(rooms.clock.now())
        except StoreUnavailable:
            rooms.is_storing = False
            raise
        rooms.is_storing = True
        await rooms.peers.beat()
        await rooms.read_runs()

    async def measure(self) -> None:
        """Note this process' figures, so that another one that is asked for all finds them."""
        self._rooms.metrics.measure(self._rooms)

    async def _measure_lag(self) -> None:
        """How late this process does what is due: whoever waits for it waits so long at least."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            self._rooms.metrics.loop_lag.observe(max(0.0, loop.time() - due))

    async def poll(self) -> None:
        """Look what others have stored: a notice of it may be lost."""
        rooms = self._rooms
        in_memory = {room.hosted.id: room for room in rooms.all_in_memory()}
        # Who looks at a table is told by its room; of all others the lobby tells.
        looked_at = {table for table, room in in_memory.items() if room.audience.members}
        waited_for = rooms.lobby.waited_for() - looked_at
        versions = await rooms.store.versions([*(in_memory.keys() | waited_for)])
        for table, room in in_memory.items():
            v = versions.get(table)
            if v is not None:
                rooms.metrics.polled(v > room.hosted.v)
                room.learn(v)
            elif not room.is_gone:
                rooms.erased(room)
        await rooms.lobby.poll({table: versions[table] for table in waited_for & versions.keys()})

    async def sweep(self) -> None:
        """End what has run out of time in games that nobody looks at."""
        due = await self._rooms.store.due(self._rooms.clock.now())
        async for table in self._rooms.leases.taken(due):
            await self._each(table, Room.time_up)

    async def resume_agents(self) -> None:
        """Load the games where an agent is to act and nobody lets it, not faster than they think.

        They are those of a process that has died, or of one that could not go on.
        """
        rooms = self._rooms
        idle = await rooms.store.leaseless(AGENT_TO_ACT, rooms.clock.now())
        wanted = {table: v for table, v in idle.items() if not self._is_asked_or_rests(table)}
        async for table in rooms.leases.taken(wanted):
            while rooms.pool.waiting >= rooms.settings.agent_queue:
                await asyncio.sleep(0.2)
            try:
                room = await rooms.room(table)
                await room.time_up()
                room.go_on()
            except StoreUnavailable:
                raise
            except Exception as error:
                self.is_broken(table, error)

    def _is_asked_or_rests(self, table: str) -> bool:
        """Whether an agent is asked there, or could not act a short while ago."""
        room = self._rooms.in_memory(table)
        rests = self._rooms.clock.now() - int(self._rooms.settings.lease_seconds * 1000)
        is_asked = room is not None and room.turns.is_asked
        return is_asked or self._broken.get(table, rests) > rests

    async def _each(self, table: str, deed: Callable[[Room], Awaitable[object]]) -> None:
        try:
            await deed(await self._rooms.room(table))
        except StoreUnavailable:
            raise
        except Exception as error:
            self.is_broken(table, error)
        else:
            self._broken.pop(table, None)

    def is_broken(self, table: str, error: Exception) -> None:
        """One game that cannot be gone on with must not stop the others, nor fill the log."""
        if table not in self._broken:
            is_known = isinstance(error, ParlourError)
            shown = None if is_known else error
            log.warning("%s", error, exc_info=shown, extra={"table": table})
        self._broken[table] = self._rooms.clock.now()

    async def keep_house(self) -> None:
        """End games that nobody plays, and erase old ones."""
        rooms, settings = self._rooms, self._rooms.settings
        now = rooms.clock.now()
        if settings.abandon:
            idle = await rooms.store.idle(now - settings.abandon * 1000)
            async for table in rooms.leases.taken(idle):
                await self._each(table, Room.abandon)
        if settings.keep:
            erased = await rooms.store.erase(now - settings.keep * 1000)
            for table in erased:
                self._broken.pop(table, None)
                room = rooms.in_memory(table)
                if room is not None:
                    rooms.erased(room)
            if erased:
                log.info("old games were erased", extra={"tables": len(erased)})
