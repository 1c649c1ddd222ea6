"""What the stores have in common that keep games in the tables of a database.

Everything is written by one thread, many changes in a transaction; reading has threads of its
own. Which database it is, and how to come back to it when it was gone, is for the subclass.
"""

import asyncio
import contextlib
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, TypeVar

from parlour.protocol.errors import StoreUnavailable
from parlour.server.store import statements
from parlour.server.store.statements import SqlConnection, marks
from parlour.server.store.store import (
    MOST_WHISPERED,
    Change,
    CreationRow,
    Heard,
    Holder,
    KeptGame,
    Listing,
    NewGame,
    Run,
)
from parlour.server.store.writer import Job, Outcomes, Writer

T = TypeVar("T")


def new_process() -> str:
    """A name for a process that no other one has."""
    return secrets.token_hex(8)


class SqlStore(ABC):
    """Keeps games in tables. Made inside the event loop."""

    IS_SHARED: ClassVar[bool]
    """Whether several processes can use it at once."""

    def __init__(self, process: str, started: int, readers: int) -> None:
        """Start the threads; the tables are there and up to date."""
        self.id = process
        """Tells this process from others."""
        self._started = started
        self._loop = asyncio.get_running_loop()
        self._reading = ThreadPoolExecutor(readers, "store-reader")
        self._writing = Writer(self._write)

    # For the subclass. `_write` and `_read` are called in threads.

    @abstractmethod
    def _write(self, batch: list[Job]) -> Outcomes:
        """Carry jobs out in one transaction: what each gave, or why it was refused."""

    @abstractmethod
    def _read(self, work: Callable[[SqlConnection], T], at_one_moment: bool) -> T:
        """What some work reads, in one snapshot if it must be; `StoreUnavailable`."""

    @abstractmethod
    def listen(self, heard: Callable[[Heard], None]) -> None:
        """Call that for what other processes store or whisper."""

    @abstractmethod
    def _let_go(self) -> None:
        """Close all connections: both kinds of threads have ended."""

    async def whisper(self, game: str, words: bytes) -> None:
        """Tell other processes something in passing, if there can be any."""
        if len(words) > MOST_WHISPERED:
            raise ValueError(f"at most {MOST_WHISPERED} bytes can be whispered, not {len(words)}")
        if self.IS_SHARED:
            await self._writing.done(Job(self._loop.create_future(), game, words=words))

    # Writing.

    async def create(self, new: NewGame) -> None:
        """Keep a new game."""
        row = new.row
        await self._written(
            lambda connection: statements.insert_game(connection, new), row.id, ((row.id, row.v),)
        )

    async def commit(self, change: Change) -> None:
        """Keep what happened."""
        tells: tuple[tuple[str, int], ...] = ((change.game, change.after),)
        if statements.is_plain(change):
            future = self._loop.create_future()
            await self._writing.done(Job(future, change.game, change, tells=tells))
            return
        if change.new_game is not None:
            row = change.new_game.row
            tells += ((row.id, row.v),)
        await self._written(
            lambda connection: statements.apply(connection, change), change.game, tells
        )

    async def erase(self, before: int) -> list[str]:
        """Erase games to which nothing has happened since."""
        return await self._written(lambda connection: statements.erase(connection, before))

    async def lease(self, game: str, v: int, now: int, until: int) -> bool:
        """Take the agent's turn of a game for this process."""
        return await self._written(
            lambda connection: statements.take_turn(connection, self.id, game, v, now, until), game
        )

    async def beat(self, now: int) -> None:
        """Say that this server is alive; runs of long ago are forgotten."""
        await self._written(
            lambda connection: statements.beat(connection, self.id, self._started, now)
        )

    async def set_setting(self, name: str, value: str | None) -> None:
        """Keep what an operator has tuned."""
        await self._written(lambda connection: statements.set_setting(connection, name, value))

    def watch(self, stored: Callable[[int, float], object]) -> None:
        """Tell of every transaction."""
        self._writing.stored = stored

    async def _written(
        self,
        work: Callable[[SqlConnection], T],
        game: str = "",
        tells: tuple[tuple[str, int], ...] = (),
    ) -> T:
        future: asyncio.Future[T] = self._loop.create_future()
        result: T = await self._writing.done(Job(future, game, work=work, tells=tells))
        return result

    # Reading.

    async def load(self, game: str, after: int = 0) -> KeptGame | None:
        """A game with everything that happened after a version."""
        return await self._looked_up(
            lambda connection: statements.load(connection, game, after), True
        )

    async def find_creation(self, request: bytes) -> CreationRow | None:
        """The request with a key of that hash."""
        rows = await self._rows("SELECT req, body, answer FROM creation WHERE req = ?", request)
        return CreationRow(*rows[0]) if rows else None

    async def secret(self) -> bytes:
        """It was made with the tables."""
        ((secret,),) = await self._rows("SELECT value FROM secret")
        return bytes(secret)

    async def holder(self, token_hash: bytes) -> Holder | None:
        """What a token is for."""
        rows = await self._rows("SELECT game_id, seat, epoch FROM token WHERE hash = ?", token_hash)
        return Holder(*rows[0]) if rows else None

    async def claim_seat(self, claim_hash: bytes) -> Holder | None:
        """What a claim that was not used is for."""
        rows = await self._rows("SELECT game_id, seat, epoch FROM claim WHERE hash = ?", claim_hash)
        return Holder(*rows[0]) if rows else None

    async def listed(self, most: int) -> list[Listing]:
        """Listed games that wait or are played, the latest first."""
        return await self._listings(
            "visibility = 'listed' AND status != 'over' ORDER BY created_at DESC LIMIT ?", most
        )

    async def some(self, games: Sequence[str]) -> list[Listing]:
        """These games."""
        if not games:
            return []
        return await self._listings(f"id IN ({marks(games)}) ORDER BY touched_at DESC", *games)

    async def tables(self, status: str | None, after: str, most: int) -> list[Listing]:
        """Games in the order of their ids, after that id."""
        if status is None:
            return await self._listings("id > ? ORDER BY id LIMIT ?", after, most)
        where = "status = ? AND id > ? ORDER BY id LIMIT ?"
        return await self._listings(where, status, after, most)

    async def _listings(self, where: str, *values: object) -> list[Listing]:
        return await self._looked_up(
            lambda connection: statements.listings(connection, where, values), True
        )

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """The stored versions of these games."""
        return await self._looked_up(lambda connection: statements.versions(connection, games))

    async def leaseless(self, status: str, now: int) -> dict[str, int]:
        """The games of that status whose turn no process has taken."""
        return await self._those("status = ? AND lease_until <= ?", status, now)

    async def due(self, now: int) -> dict[str, int]:
        """Games whose deadline is over."""
        return await self._those("deadline <= ?", now)

    async def idle(self, before: int) -> dict[str, int]:
        """Games that are not over, and to which nothing has happened since."""
        return await self._those("status != 'over' AND touched_at < ?", before)

    async def _those(self, where: str, *values: object) -> dict[str, int]:
        return dict(await self._rows(f"SELECT id, v FROM game WHERE {where}", *values))

    async def count(self) -> dict[str, int]:
        """How many games have each status."""
        return dict(await self._rows("SELECT status, COUNT(*) FROM game GROUP BY status"))

    async def settings(self) -> dict[str, str]:
        """What operators have tuned."""
        return dict(await self._rows("SELECT name, value FROM setting"))

    async def runs(self) -> list[Run]:
        """When servers were alive."""
        rows = await self._rows("SELECT started_ms, heartbeat_ms FROM server ORDER BY started_ms")
        return [Run(*row) for row in rows]

    async def _rows(self, statement: str, *values: object) -> list[Any]:
        return await self._looked_up(
            lambda connection: connection.execute(statement, values).fetchall()
        )

    async def _looked_up(
        self, work: Callable[[SqlConnection], T], at_one_moment: bool = False
    ) -> T:
        return await self._loop.run_in_executor(self._reading, self._read, work, at_one_moment)

    async def close(self) -> None:
        """Store what is waiting, and let go."""
        with contextlib.suppress(StoreUnavailable):  # others wait until their time is over
            await self._written(lambda connection: statements.free_turns(connection, self.id))
        await self._writing.close()
        await self._loop.run_in_executor(None, self._reading.shutdown)
        self._let_go()
