"""The store in one SQLite file, for one server process.

All writing goes through one connection in one thread, which puts everything that waits into
one transaction: with `synchronous=FULL` a transaction costs a sync of the disk, whatever its
size. What is refused inside of it is undone alone. Reading has a connection of its own.
"""

import asyncio
import contextlib
import queue
import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from parlour.core.errors import ParlourError
from parlour.core.files import FileLock
from parlour.protocol.errors import ClaimUsed, StoreUnavailable
from parlour.server.schema import MIGRATIONS, NEWEST
from parlour.server.store import (
    Change,
    CreationRow,
    EventRow,
    GameRow,
    Holder,
    KeptGame,
    Listing,
    NewGame,
    Outdated,
    RequestRow,
    Run,
    SeatRow,
    StoreRefused,
    TokenRow,
)

T = TypeVar("T")

MOST_AT_ONCE = 256
"""Changes in one transaction."""
KEPT_RUNS = 64
GAME_COLUMNS = ", ".join(GameRow._fields)
SEAT_COLUMNS = "seat, kind, agent, name, nonce, epoch, has_left"

_Job = tuple[Callable[[sqlite3.Connection], Any], "asyncio.Future[Any]", bool]


class SqliteStore:
    """Keeps games in one file. Made by `open_store`, inside the event loop."""

    def __init__(self, path: Path, now: Callable[[], int]) -> None:
        """Open the file, make or migrate its tables, and keep other servers out.

        `now` gives milliseconds since 1970. Raises `StoreRefused`.
        """
        self.path = path
        self._id = secrets.token_hex(8)
        self._loop = asyncio.get_running_loop()
        self._lock = FileLock(path.with_name(f".{path.name}.lock"))
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not self._lock.hold():
                raise StoreRefused(
                    f"another server uses {path}: stop it, or give this one another --store"
                )
            path.touch(mode=0o600)
            self._writer = self._connect()
            migrate(self._writer, path)
            self._writer.execute("INSERT INTO server VALUES (?, ?, ?)", (self._id, now(), now()))
            self._reader = self._connect()
        except (OSError, sqlite3.Error) as error:
            self._lock.release()
            raise StoreRefused(f"{path} cannot be used as a store: {error}") from error
        except ParlourError:
            self._lock.release()
            raise
        self._reading = ThreadPoolExecutor(1, "store-reader")
        self._thread = threading.Thread(target=self._write, name="store-writer", daemon=True)
        self._thread.start()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA busy_timeout=5000")
        return connection

    # Writing: the writer's thread.

    def _write(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                return
            batch = [job]
            with contextlib.suppress(queue.Empty):
                while len(batch) < MOST_AT_ONCE:
                    job = self._jobs.get_nowait()
                    if job is None:
                        self._jobs.put(None)
                        break
                    batch.append(job)
            outcomes = self._in_one_transaction(batch)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(_tell, outcomes)

    def _in_one_transaction(self, batch: list[_Job]) -> "list[tuple[asyncio.Future[Any], Any]]":
        connection = self._writer
        outcomes: list[tuple[asyncio.Future[Any], Any]] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for work, future, may_stop_halfway in batch:
                one = self._undoable if may_stop_halfway else self._one
                outcomes.append((future, one(connection, work)))
            connection.execute("COMMIT")
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            failure = StoreUnavailable(f"nothing can be stored at the moment: {error}")
            return [(future, failure) for _, future, _ in batch]
        return outcomes

    def _one(self, connection: sqlite3.Connection, work: Callable[..., Any]) -> Any:
        """What the work gives, or its refusal, if it raises that before it writes anything."""
        try:
            return work(connection)
        except ParlourError as refusal:
            return refusal

    def _undoable(self, connection: sqlite3.Connection, work: Callable[..., Any]) -> Any:
        """What the work gives, or the refusal that it raised, with nothing of it done."""
        connection.execute("SAVEPOINT one")
        try:
            result = work(connection)
        except ParlourError as refusal:
            connection.execute("ROLLBACK TO one")
            result = refusal
        connection.execute("RELEASE one")
        return result

    async def _written(
        self, work: Callable[[sqlite3.Connection], T], may_stop_halfway: bool = True
    ) -> T:
        future: asyncio.Future[T] = self._loop.create_future()
        if not self._thread.is_alive():
            raise StoreUnavailable("the store is closed")
        self._jobs.put((work, future, may_stop_halfway))
        # A caller that goes away meanwhile must not be taken for one that did nothing.
        return await asyncio.shield(future)

    async def create(self, new: NewGame) -> None:
        """Keep a new game."""
        await self._written(lambda connection: _insert_game(connection, new))

    async def commit(self, change: Change) -> None:
        """Keep what happened."""
        is_plain = not (change.use_claim or change.creation or change.new_game or change.tokens)
        # A move is refused before anything of it is written: it needs no savepoint.
        await self._written(lambda connection: _apply(connection, change), not is_plain)

    async def erase(self, before: int) -> list[str]:
        """Erase games to which nothing has happened since."""

        def work(connection: sqlite3.Connection) -> list[str]:
            found = connection.execute("SELECT id FROM game WHERE touched_at < ?", (before,))
            games = [(row[0],) for row in found]
            for table in ("event", "seat", "request", "token", "claim", "creation"):
                connection.executemany(f"DELETE FROM {table} WHERE game_id = ?", games)
            connection.executemany("DELETE FROM game WHERE id = ?", games)
            return [game for (game,) in games]

        return await self._written(work)

    async def beat(self, now: int) -> None:
        """Say that this server is alive; runs of long ago are forgotten."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE server SET heartbeat_ms = ? WHERE id = ?", (now, self._id))
            connection.execute(
                "DELETE FROM server WHERE id NOT IN"
                " (SELECT id FROM server ORDER BY started_ms DESC LIMIT ?)",
                (KEPT_RUNS,),
            )

        await self._written(work)

    # Reading: the reader's thread.

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def guarded() -> T:
            try:
                return work(self._reader)
            except sqlite3.Error as error:
                raise StoreUnavailable(f"the store cannot be read: {error}") from error

        return await self._loop.run_in_executor(self._reading, guarded)

    async def load(self, game: str) -> KeptGame | None:
        """A game with everything that happened."""

        def work(connection: sqlite3.Connection) -> KeptGame | None:
            connection.execute("BEGIN")
            try:
                return _load(connection, game)
            finally:
                connection.execute("COMMIT")

        return await self._read(work)

    async def find_creation(self, request: bytes) -> CreationRow | None:
        """The request with a key of that hash."""
        rows = await self._rows("SELECT req, body, answer FROM creation WHERE req = ?", (request,))
        return CreationRow(*rows[0]) if rows else None

    async def secret(self) -> bytes:
        """Made when it is first asked for."""

        def work(connection: sqlite3.Connection) -> bytes:
            row = connection.execute("SELECT value FROM secret").fetchone()
            if row is None:
                row = (secrets.token_bytes(32),)
                connection.execute("INSERT INTO secret VALUES (?)", row)
            return bytes(row[0])

        return await self._written(work)

    async def holder(self, token_hash: bytes) -> Holder | None:
        """What a token is for."""
        rows = await self._rows(
            "SELECT game_id, seat, epoch FROM token WHERE hash = ?", (token_hash,)
        )
        return Holder(*rows[0]) if rows else None

    async def claim_seat(self, claim_hash: bytes) -> Holder | None:
        """What a claim that was not used is for."""
        rows = await self._rows(
            "SELECT game_id, seat, epoch FROM claim WHERE hash = ?", (claim_hash,)
        )
        return Holder(*rows[0]) if rows else None

    async def listed(self, most: int) -> list[Listing]:
        """Listed games that wait or are played, the latest first."""
        return await self._listings(
            "visibility = 'listed' AND status != 'over' ORDER BY created_at DESC LIMIT ?", (most,)
        )

    async def some(self, games: Sequence[str]) -> list[Listing]:
        """These games."""
        marks = ", ".join("?" * len(games))
        return await self._listings(f"id IN ({marks}) ORDER BY touched_at DESC", tuple(games))

    async def _listings(self, where: str, values: tuple[object, ...]) -> list[Listing]:
        def work(connection: sqlite3.Connection) -> list[Listing]:
            rows = connection.execute(f"SELECT {GAME_COLUMNS} FROM game WHERE {where}", values)
            games = [GameRow(*row) for row in rows]
            return [Listing(row, _seats(connection, row.id)) for row in games]

        return await self._read(work)

    async def to_act(self, status: str) -> list[str]:
        """The games with that status."""
        return await self._ids("status = ?", status)

    async def due(self, now: int) -> list[str]:
        """Games whose deadline is over."""
        return await self._ids("deadline <= ?", now)

    async def idle(self, before: int) -> list[str]:
        """Games that are not over, and to which nothing has happened since."""
        return await self._ids("status != 'over' AND touched_at < ?", before)

    async def _ids(self, where: str, value: object) -> list[str]:
        rows = await self._rows(f"SELECT id FROM game WHERE {where}", (value,))
        return [row[0] for row in rows]

    async def count(self) -> dict[str, int]:
        """How many games have each status."""
        return dict(await self._rows("SELECT status, COUNT(*) FROM game GROUP BY status"))

    async def runs(self) -> list[Run]:
        """When servers were alive."""
        rows = await self._rows("SELECT started_ms, heartbeat_ms FROM server ORDER BY started_ms")
        return [Run(*row) for row in rows]

    async def _rows(self, statement: str, values: tuple[object, ...] = ()) -> list[Any]:
        return await self._read(lambda connection: connection.execute(statement, values).fetchall())

    async def close(self) -> None:
        """Store what is waiting, and let go."""
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._thread.join)
        self._reading.shutdown()
        self._reader.close()
        self._writer.close()
        self._lock.release()


def copy_store(path: Path, target: Path) -> None:
    """Copy a store, while a server may go on with it; `StoreRefused`."""
    try:
        # It holds the keys of games that are played: for its owner alone, like the store.
        target.touch(mode=0o600, exist_ok=False)
        readable = f"{path.absolute().as_uri()}?mode=ro"
        with (
            contextlib.closing(sqlite3.connect(readable, uri=True)) as source,
            contextlib.closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)
    except (OSError, sqlite3.Error) as error:
        raise StoreRefused(f"{path} cannot be copied to {target}: {error}") from error


def _tell(outcomes: "list[tuple[asyncio.Future[Any], Any]]") -> None:
    for future, result in outcomes:
        if future.done():
            continue
        if isinstance(result, ParlourError):
            future.set_exception(result)
        else:
            future.set_result(result)


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the tables to the newest version; `StoreRefused` if they are newer than that."""
    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (n INTEGER NOT NULL)")
    row = connection.execute("SELECT MAX(n) FROM schema_version").fetchone()
    at = row[0] or 0
    if at > NEWEST:
        raise StoreRefused(
            f"{path} was written by a newer parlour (its tables are version {at}, this one "
            f"knows {NEWEST}): install that one, or take another file"
        )
    for number in range(at + 1, NEWEST + 1):
        connection.execute("BEGIN IMMEDIATE")
        for statement in MIGRATIONS[number]:
            connection.execute(statement)
        connection.execute("INSERT INTO schema_version VALUES (?)", (number,))
        connection.execute("COMMIT")


def _insert_game(connection: sqlite3.Connection, new: NewGame) -> None:
    row = new.row
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO game ({GAME_COLUMNS}) VALUES ({marks})", tuple(row))
    _put_seats(connection, row.id, new.seats)
    _put_events(connection, row.id, new.events)
    _put_tokens(connection, row.id, new.tokens, new.claims)
    _put_creation(connection, row.id, new.creation)


def _put_creation(connection: sqlite3.Connection, game: str, creation: CreationRow | None) -> None:
    if creation is None:
        return
    try:
        connection.execute("INSERT INTO creation VALUES (?, ?, ?, ?)", (*creation, game))
    except sqlite3.IntegrityError:
        raise Outdated("the same request is being carried out already") from None


def _apply(connection: sqlite3.Connection, change: Change) -> None:
    game = change.game
    if change.use_claim:
        used = connection.execute(
            "DELETE FROM claim WHERE hash = ? AND game_id = ?", (change.use_claim, game)
        )
        if used.rowcount != 1:
            raise ClaimUsed("this invitation was used already")
    after = change.events[-1].v if change.events else change.before
    moved = connection.execute(
        "UPDATE game SET v = ?, touched_at = ?, status = COALESCE(?, status),"
        " actor = COALESCE(?, actor), ply = COALESCE(?, ply), deadline = ?,"
        " rematch = CASE WHEN ? = '' THEN rematch ELSE ? END,"
        " chance_key = CASE WHEN ? = x'' THEN chance_key ELSE ? END"
        " WHERE id = ? AND v = ?",
        (
            after,
            change.at,
            change.status,
            change.actor,
            change.ply,
            change.deadline,
            change.rematch,
            change.rematch,
            change.chance_key,
            change.chance_key,
            game,
            change.before,
        ),
    )
    if moved.rowcount != 1:
        raise Outdated("something else has happened at this table in between")
    _put_events(connection, game, change.events)
    if change.request is not None:
        seat, epoch, req, body, v = change.request
        connection.execute(
            "INSERT INTO request VALUES (?, ?, ?, ?, ?, ?)", (game, seat, epoch, req, body, v)
        )
    _put_seats(connection, game, change.seats)
    _put_tokens(connection, game, change.tokens, change.claims)
    _put_creation(connection, game, change.creation)
    if change.new_game is not None:
        _insert_game(connection, change.new_game)


def _put_events(connection: sqlite3.Connection, game: str, events: Sequence[EventRow]) -> None:
    if events:
        connection.executemany(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(game, *event) for event in events],
        )


def _put_seats(connection: sqlite3.Connection, game: str, seats: Sequence[SeatRow]) -> None:
    if seats:
        connection.executemany(
            "INSERT OR REPLACE INTO seat VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [(game, *seat) for seat in seats],
        )


def _put_tokens(
    connection: sqlite3.Connection,
    game: str,
    tokens: Sequence[TokenRow],
    claims: Sequence[TokenRow],
) -> None:
    for token in tokens:
        connection.execute(
            "INSERT INTO token VALUES (?, ?, ?, ?)", (token.hash, game, token.seat, token.epoch)
        )
    for claim in claims:
        connection.execute(
            "INSERT INTO claim VALUES (?, ?, ?, ?)", (claim.hash, game, claim.seat, claim.epoch)
        )


def _load(connection: sqlite3.Connection, game: str) -> KeptGame | None:
    row = connection.execute(f"SELECT {GAME_COLUMNS} FROM game WHERE id = ?", (game,)).fetchone()
    if row is None:
        return None
    events = connection.execute(
        "SELECT v, kind, seat, action, data, at_ms FROM event WHERE game_id = ? ORDER BY v", (game,)
    )
    requests = connection.execute(
        "SELECT seat, epoch, req, body, v FROM request WHERE game_id = ?", (game,)
    )
    return KeptGame(
        GameRow(*row),
        _seats(connection, game),
        [EventRow(*event) for event in events],
        [RequestRow(*request) for request in requests],
    )


def _seats(connection: sqlite3.Connection, game: str) -> list[SeatRow]:
    rows = connection.execute(
        f"SELECT {SEAT_COLUMNS} FROM seat WHERE game_id = ? ORDER BY seat", (game,)
    )
    return [SeatRow(*row)._replace(left=bool(row[-1])) for row in rows]
