"""Periodic tasks: heartbeats, polling, and progress of games without connections."""

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
LONGEST_GAP = 2 * 24 * 3600
"""Seconds between the last trusted time and the start of a server. After a longer gap the clock may
be wrong, so that the operator must confirm it before games are ended or erased."""


class Housekeeping:
    """Periodic tasks of one process."""

    def __init__(self, rooms: "Rooms") -> None:
        """Create it stopped; call `start`."""
        self._rooms = rooms
        self._broken: dict[str, int] = {}
        """Games whose play cannot continue, and the time of the last attempt."""
        self.is_clock_trusted = False
        """Whether the clock agrees with the store; while a server runs its clock never jumps."""

    def start(self) -> None:
        """Start the tasks; agents' turns are resumed at once."""
        rooms, settings = self._rooms, self._rooms.settings
        rooms.spawn(self._repeat(settings.beat_seconds, self.beat))
        rooms.spawn(self._repeat(settings.beat_seconds, self.poll))
        rooms.spawn(self._repeat(settings.beat_seconds, rooms.tune))
        rooms.spawn(self._repeat(settings.beat_seconds, self.measure, at_once=True))
        rooms.spawn(self._measure_lag())
        rooms.spawn(self._repeat(settings.lease_seconds / 3, rooms.leases.renew))
        rooms.spawn(self._repeat(settings.lease_seconds / 3, rooms.pairing.tend))
        rooms.spawn(self._repeat(SWEEP_SECONDS, self.sweep))
        rooms.spawn(self._repeat(SWEEP_SECONDS, self.resume_agents, at_once=True))
        rooms.spawn(self._repeat(HOUSEKEEPING_SECONDS, self.clean_up))

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
                log.exception("a background task failed and will be retried")
            await asyncio.sleep(seconds)

    async def beat(self) -> None:
        """Store a heartbeat, send one to peers, and read those of other servers."""
        rooms = self._rooms
        try:
            await rooms.store.beat(rooms.clock.now(), self.is_clock_trusted)
        except StoreUnavailable:
            rooms.is_storing = False
            raise
        rooms.is_storing = True
        await rooms.peers.beat()
        await rooms.read_runs()

    async def measure(self) -> None:
        """Publish this process's metrics, and unload games that have grown too large."""
        self._rooms.metrics.measure(self._rooms)
        self._rooms.make_space()

    async def _measure_lag(self) -> None:
        """Measure how late the event loop runs timers, a lower bound of every response time."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            self._rooms.metrics.loop_lag.observe(max(0.0, loop.time() - due))

    async def poll(self) -> None:
        """Poll the store for changes by other processes, because notifications may be lost."""
        rooms = self._rooms
        in_memory = {room.hosted.id: room for room in rooms.all_in_memory()}
        # Rooms serve the tables with connections; the lobby covers the other ones.
        looked_at = {table for table, room in in_memory.items() if room.audience.members}
        watched_tables = rooms.lobby.watched_tables() - looked_at
        versions = await rooms.store.versions([*(in_memory.keys() | watched_tables)])
        for table, room in in_memory.items():
            v = versions.get(table)
            if v is not None:
                rooms.metrics.count_poll(v > room.hosted.v)
                room.note_version(v)
            elif not room.is_unloaded:
                rooms.unload_deleted(room)
        await rooms.lobby.poll(
            {table: versions[table] for table in watched_tables & versions.keys()}
        )

    async def sweep(self) -> None:
        """End the turns of expired clocks in games without connections."""
        due = await self._rooms.store.due(self._rooms.clock.now())
        wanted = {table: v for table, v in due.items() if not self._rests(table)}
        async for table in self._rooms.leases.available(wanted):
            await self._each(table, Room.time_up)

    async def resume_agents(self) -> None:
        """Resume agents' turns that no process works on, at the rate of the agent queue.

        They were left by a process that crashed or failed to continue.
        """
        rooms = self._rooms
        idle = await rooms.store.unleased(AGENT_TO_ACT, rooms.clock.now())
        wanted = {table: v for table, v in idle.items() if not self._is_asked_or_rests(table)}
        async for table in rooms.leases.available(wanted):
            while rooms.pool.waiting >= rooms.settings.agent_queue:
                await asyncio.sleep(0.2)
            try:
                room = await rooms.room(table)
                await room.time_up()
                room.resume()
            except StoreUnavailable:
                raise
            except Exception as error:
                self.mark_broken(table, error)

    def _is_asked_or_rests(self, table: str) -> bool:
        """Whether an agent is thinking there, or failed recently."""
        room = self._rooms.in_memory(table)
        return (room is not None and room.turns.is_asked) or self._rests(table)

    def _rests(self, table: str) -> bool:
        """Whether the game failed recently."""
        rests = self._rooms.clock.now() - int(self._rooms.settings.lease_seconds * 1000)
        return self._broken.get(table, rests) > rests

    async def _each(self, table: str, deed: Callable[[Room], Awaitable[object]]) -> None:
        try:
            await deed(await self._rooms.room(table))
        except StoreUnavailable:
            raise
        except Exception as error:
            self.mark_broken(table, error)
        else:
            self._broken.pop(table, None)

    def mark_broken(self, table: str, error: Exception) -> None:
        """Log a game that cannot continue, once, and leave the others alone."""
        if table not in self._broken:
            is_known = isinstance(error, ParlourError)
            shown = None if is_known else error
            log.warning("%s", error, exc_info=shown, extra={"table": table})
        self._broken[table] = self._rooms.clock.now()

    async def check_clock(self) -> bool:
        """Return whether the clock is trusted; if not, ask the operator."""
        if not self.is_clock_trusted:
            now, last = self._rooms.clock.now(), await self._rooms.store.trusted_time()
            self.is_clock_trusted = now - last <= LONGEST_GAP * 1000
            if not self.is_clock_trusted:
                days = (now - last) // (24 * 3600 * 1000)
                log.warning(
                    "the clock is %d days ahead of the last time in the store: no game is ended or "
                    "erased until you confirm it with `parlour serve --admin trust-clock`",
                    days,
                    extra={"days": days},
                )
        return self.is_clock_trusted

    async def clean_up(self) -> None:
        """End abandoned games and delete old ones, if the clock is trusted."""
        rooms, settings = self._rooms, self._rooms.settings
        if not await self.check_clock():
            return
        now = rooms.clock.now()
        if settings.abandon:
            idle = await rooms.store.idle(now - settings.abandon * 1000)
            async for table in rooms.leases.available(idle):
                await self._each(table, Room.abandon)
        if settings.keep:
            erased = await rooms.store.erase(now - settings.keep * 1000)
            for table in erased:
                self._broken.pop(table, None)
                room = rooms.in_memory(table)
                if room is not None:
                    rooms.unload_deleted(room)
            if erased:
                log.info("old games were deleted", extra={"tables": len(erased)})
