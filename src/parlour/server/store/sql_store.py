"""Base class of the stores in SQL databases.

One thread writes, with many changes in a transaction; other threads read. Subclasses handle
connections and reconnecting.
"""

import asyncio
import contextlib
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, TypeVar

from parlour.protocol.errors import StoreUnavailable
from parlour.server.store import places, statements
from parlour.server.store.statements import SqlConnection, placeholders
from parlour.server.store.store import (
    MAX_BROADCAST,
    Change,
    CreationRow,
    Holder,
    KeptGame,
    Listing,
    NewGame,
    Notification,
    Run,
)
from parlour.server.store.writer import Job, Outcomes, Writer

T = TypeVar("T")

SCANNED_AT_ONCE = 2000
"""Games read by one query of a scan, which takes a few milliseconds."""
ERASED_AT_ONCE = 50
ERASED_EVENTS = 2000
"""Most games and events that one transaction deletes, unless a single game has more: moves wait
for it."""


def new_process() -> str:
    """Return a unique id for this process."""
    return secrets.token_hex(8)


class SqlStore(ABC):
    """Store in SQL tables. Create it inside the event loop."""

    IS_SHARED: ClassVar[bool]
    """Whether several processes can share the store."""

    def __init__(self, process: str, started: int, readers: int) -> None:
        """Start the threads; the tables must be up to date."""
        self.id = process
        """Id of this process."""
        self._started = started
        self._loop = asyncio.get_running_loop()
        self._reading = ThreadPoolExecutor(readers, "store-reader")
        self._writing = Writer(self._write)

    # Implemented by subclasses. `_write` and `_read` run in threads.

    @abstractmethod
    def _write(self, batch: list[Job]) -> Outcomes:
        """Execute jobs in one transaction. Return the result or refusal of each."""

    @abstractmethod
    def _read(self, work: Callable[[SqlConnection], T], in_snapshot: bool) -> T:
        """Run a query, in a snapshot if asked. Raise `StoreUnavailable` on failure."""

    @abstractmethod
    def listen(self, received: Callable[[Notification], None]) -> None:
        """Call `received` for changes and messages of other processes."""

    @abstractmethod
    def _close_connections(self) -> None:
        """Close all connections, after both kinds of threads have ended."""

    async def broadcast(self, game: str, words: bytes) -> None:
        """Broadcast a message to the other processes, if the store is shared."""
        if len(words) > MAX_BROADCAST:
            raise ValueError(f"a message may have at most {MAX_BROADCAST} bytes, not {len(words)}")
        if self.IS_SHARED:
            await self._writing.submit(Job(self._loop.create_future(), game, words=words))

    # Writing.

    async def create(self, new: NewGame) -> None:
        """Store a new game."""
        row = new.row

        def insert(connection: SqlConnection) -> None:
            statements.create_game(connection, new)
            if new.place is not None:
                places.take_place(connection, row.id, new.place)

        await self._execute(insert, row.id, ((row.id, row.v),))

    async def commit(self, change: Change) -> None:
        """Store a change."""
        announces: tuple[tuple[str, int], ...] = ((change.game, change.after),)
        if statements.is_plain(change):
            future = self._loop.create_future()
            await self._writing.submit(Job(future, change.game, change, announces=announces))
            return
        if change.new_game is not None:
            row = change.new_game.row
            announces += ((row.id, row.v),)
        await self._execute(
            lambda connection: statements.apply(connection, change), change.game, announces
        )

    async def erase(self, before: int) -> list[str]:
        """Delete games without events since `before` and return their ids."""
        erased: list[str] = []
        found = await self._untouched("touched_at < ?", before)
        for some in _in_batches(found):
            erased += await self._erase(some, before)
        return erased

    async def _erase(self, games: Sequence[str], before: int) -> list[str]:
        return await self._execute(lambda connection: statements.erase(connection, games, before))

    async def lease(self, game: str, v: int, now: int, until: int) -> bool:
        """Lease an agent's turn to this process."""
        return await self._execute(
            lambda connection: statements.take_lease(connection, self.id, game, v, now, until), game
        )

    async def beat(self, now: int, is_trusted: bool = False) -> None:
        """Store a heartbeat and delete old ones."""

        def work(connection: SqlConnection) -> None:
            statements.beat(connection, self.id, self._started, now)
            if is_trusted:
                statements.trust(connection, now)

        await self._execute(work)

    async def trusted_time(self) -> int:
        """Return the trusted time."""
        ((trusted,),) = await self._rows("SELECT MAX(trusted_ms) FROM clock")
        return int(trusted)

    async def trust(self, now: int) -> None:
        """Store the trusted time."""
        await self._execute(lambda connection: statements.trust(connection, now))

    async def hold_places(self, held: Sequence[tuple[bytes, str]], until: int) -> list[str]:
        """Renew the leases of waiting tables."""
        return await self._execute(lambda connection: places.hold_places(connection, held, until))

    async def release_places(self, now: int, game: str = "") -> None:
        """End leases of waiting tables."""
        await self._execute(lambda connection: places.release_places(connection, game, now))

    async def set_setting(self, name: str, value: str | None) -> None:
        """Store a tuned limit."""
        await self._execute(lambda connection: statements.set_setting(connection, name, value))

    def watch(self, stored: Callable[[int, float], object]) -> None:
        """Call `stored` after every transaction."""
        self._writing.stored = stored

    async def _execute(
        self,
        work: Callable[[SqlConnection], T],
        game: str = "",
        announces: tuple[tuple[str, int], ...] = (),
    ) -> T:
        future: asyncio.Future[T] = self._loop.create_future()
        result: T = await self._writing.submit(Job(future, game, work=work, announces=announces))
        return result

    # Reading.

    async def load(self, game: str, after: int = 0) -> KeptGame | None:
        """Return a game and its events after a version."""
        return await self._query(lambda connection: statements.load(connection, game, after), True)

    async def find_creation(self, request: bytes) -> CreationRow | None:
        """Return the creation request with that key hash."""
        rows = await self._rows("SELECT req, body, answer FROM creation WHERE req = ?", request)
        return CreationRow(*rows[0]) if rows else None

    async def secret(self) -> bytes:
        """Return the store's secret, which was created with the tables."""
        ((secret,),) = await self._rows("SELECT value FROM secret")
        return bytes(secret)

    async def holder(self, token_hash: bytes) -> Holder | None:
        """Return the seat that a token is for."""
        rows = await self._rows("SELECT game_id, seat, epoch FROM token WHERE hash = ?", token_hash)
        return Holder(*rows[0]) if rows else None

    async def claim_seat(self, claim_hash: bytes) -> Holder | None:
        """Return the seat that an unused claim is for."""
        rows = await self._rows("SELECT game_id, seat, epoch FROM claim WHERE hash = ?", claim_hash)
        return Holder(*rows[0]) if rows else None

    async def find_place(self, kind: bytes, now: int) -> tuple[str, bool]:
        """Return the table of a kind, and whether a person waits there."""
        return await self._query(lambda connection: places.find_place(connection, kind, now))

    async def orphans(self, expired: int) -> dict[str, int]:
        """Return the versions of waiting tables without a lease."""
        return await self._query(lambda connection: places.orphans(connection, expired))

    async def listed(self, most: int) -> list[Listing]:
        """Return listed games that are not over, newest first."""
        return await self._listings(
            "visibility = 'listed' AND status != 'over' ORDER BY created_at DESC LIMIT ?", most
        )

    async def some(self, games: Sequence[str]) -> list[Listing]:
        """Return the given games."""
        if not games:
            return []
        return await self._listings(
            f"id IN ({placeholders(games)}) ORDER BY touched_at DESC", *games
        )

    async def tables(self, status: str | None, after: str, most: int) -> list[Listing]:
        """Return a page of games in the order of their ids."""
        if status is None:
            return await self._listings("id > ? ORDER BY id LIMIT ?", after, most)
        where = "status = ? AND id > ? ORDER BY id LIMIT ?"
        return await self._listings(where, status, after, most)

    async def _listings(self, where: str, *values: object) -> list[Listing]:
        return await self._query(
            lambda connection: statements.listings(connection, where, values), True
        )

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """Return the stored versions of the given games."""
        return await self._query(lambda connection: statements.versions(connection, games))

    async def unleased(self, status: str, now: int) -> dict[str, int]:
        """Return the games of a status that no process has leased."""
        return await self._versions_where("status = ? AND lease_until <= ?", status, now)

    async def due(self, now: int) -> dict[str, int]:
        """Return games whose deadline has passed."""
        return await self._versions_where("deadline <= ?", now)

    async def idle(self, before: int) -> dict[str, int]:
        """Return unfinished games without events since `before`."""
        return await self._untouched("status != 'over' AND touched_at < ?", before)

    async def _untouched(self, where: str, *values: object) -> dict[str, int]:
        """Return the games that match a condition without an index.

        They are read in portions, so that other queries run in between.
        """
        found: dict[str, int] = {}
        after = ""
        while True:
            rows = await self._rows(
                f"SELECT id, v, {where} FROM game WHERE id > ? ORDER BY id LIMIT ?",
                *values,
                after,
                SCANNED_AT_ONCE,
            )
            found.update((game, v) for game, v, is_wanted in rows if is_wanted)
            if len(rows) < SCANNED_AT_ONCE:
                return found
            after = rows[-1][0]

    async def _versions_where(self, where: str, *values: object) -> dict[str, int]:
        return dict(await self._rows(f"SELECT id, v FROM game WHERE {where}", *values))

    async def count(self) -> dict[str, int]:
        """Return the number of games per status."""
        return dict(await self._rows("SELECT status, COUNT(*) FROM game GROUP BY status"))

    async def settings(self) -> dict[str, str]:
        """Return the tuned limits."""
        return dict(await self._rows("SELECT name, value FROM setting"))

    async def runs(self) -> list[Run]:
        """Return the periods in which servers were alive."""
        rows = await self._rows(
            "SELECT started_ms, heartbeat_ms FROM server ORDER BY started_ms, heartbeat_ms"
        )
        return [Run(*row) for row in rows]

    async def _rows(self, statement: str, *values: object) -> list[Any]:
        return await self._query(
            lambda connection: connection.execute(statement, values).fetchall()
        )

    async def _query(self, work: Callable[[SqlConnection], T], in_snapshot: bool = False) -> T:
        return await self._loop.run_in_executor(self._reading, self._read, work, in_snapshot)

    async def close(self) -> None:
        """Store pending changes and close the connections."""
        with contextlib.suppress(StoreUnavailable):  # the leases then expire by themselves
            await self._execute(lambda connection: statements.release_leases(connection, self.id))
        await self._writing.close()
        await self._loop.run_in_executor(None, self._reading.shutdown)
        self._close_connections()


def _in_batches(games: Mapping[str, int]) -> Iterator[list[str]]:
    """Divide games, each with its number of events, into small batches."""
    batch: list[str] = []
    events = 0
    for game, v in games.items():
        if batch and (len(batch) == ERASED_AT_ONCE or events + v > ERASED_EVENTS):
            yield batch
            batch, events = [], 0
        batch.append(game)
        events += v
    if batch:
        yield batch
