"""Who lets an agent act: one process takes the turn, and has it as long as it says so."""

import random
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.server.rooms import Rooms


class Leases:
    """The turns that this process has. A store that nobody else uses need not be asked."""

    def __init__(self, rooms: "Rooms") -> None:
        """None yet."""
        self._rooms = rooms
        self._held: dict[str, int] = {}

    def holds(self, table: str) -> bool:
        """Whether this process lets an agent act there."""
        return table in self._held

    async def take(self, table: str, v: int) -> bool:
        """Whether the table at that version is this process's, for a while."""
        store = self._rooms.store
        if not store.IS_SHARED:
            return True
        now = self._rooms.clock.now()
        until = now + int(self._rooms.settings.lease_seconds * 1000)
        return await store.lease(table, v, now, until)

    async def hold(self, table: str, v: int) -> bool:
        """Take it, and keep it until `release`."""
        if not await self.take(table, v):
            return False
        self._held[table] = v
        return True

    def release(self, table: str, v: int) -> None:
        """The agent has acted, or does not; it is not kept any longer."""
        if self._held.get(table) == v:
            del self._held[table]

    async def prolong(self) -> None:
        """Keep what is held."""
        for table, v in list(self._held.items()):
            if self._held.get(table) == v and not await self.take(table, v):
                self.release(table, v)

    async def taken(self, tables: Mapping[str, int]) -> AsyncIterator[str]:
        """Those of these tables, by their versions, that no other process has taken or changed.

        So that not every process loads every game that has to be gone on with.
        """
        for table, v in random.sample([*tables.items()], len(tables)):
            if await self.take(table, v):
                yield table
