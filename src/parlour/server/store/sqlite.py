"""Store in a SQLite file, for one server process.

One connection writes: with `synchronous=FULL` a transaction costs a disk sync, whatever its
size. Another connection reads.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from parlour.core.checks import printable
from parlour.core.errors import ParlourError
from parlour.files import FileLock
from parlour.protocol.errors import StoreUnavailable
from parlour.server.store import statements
from parlour.server.store.schema import MIGRATIONS, NEWEST, version_of
from parlour.server.store.sql_store import SqlStore, new_process
from parlour.server.store.statements import SqlConnection
from parlour.server.store.store import Notification, StoreRefused
from parlour.server.store.writer import Job, Outcomes, execute_all

T = TypeVar("T")

CACHE_KIB = 16 * 1024
"""Page cache of a connection."""
MAGIC = b"SQLite format 3\0"
TABLE_NAMES = "SELECT name FROM sqlite_master WHERE type = 'table'"
TABLES_AND_INDEXES = "SELECT name, sql FROM sqlite_master"


class SqliteStore(SqlStore):
    """Store in a SQLite file. Create it inside the event loop."""

    IS_SHARED = False

    def __init__(self, path: Path, now: Callable[[], int]) -> None:
        """Open and lock the file, and create or migrate its tables.

        `now` returns milliseconds since 1970. Raise `StoreRefused` on failure.
        """
        self.path = path
        self._lock = file_lock(path)
        process, started = new_process(), now()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not self._lock.hold():
                raise StoreRefused(
                    f"another server uses {path}: stop it, or choose another --store"
                )
            check_file(path)
            path.touch(mode=0o600)
            self._writer = connected(path)
            migrate(self._writer, path)
            check_tables(self._writer, path)
            # Leases of earlier runs are void.
            self._writer.execute("UPDATE game SET lease_until = 0 WHERE lease_until != 0")
            statements.make_secret(self._writer)
            statements.start_clock(self._writer, started)
            statements.beat(self._writer, process, started, started)
            self._reader = connected(path)
        except (OSError, sqlite3.Error, TypeError, ValueError) as error:
            # A damaged file may also contain values of a wrong type.
            self._lock.release()
            raise StoreRefused(f"{path} cannot be used as a store: {_one_line(error)}") from error
        except ParlourError:
            self._lock.release()
            raise
        super().__init__(process, started, readers=1)

    def _write(self, batch: list[Job]) -> Outcomes:
        connection = self._writer
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = execute_all(connection, batch)
            connection.execute("COMMIT")
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            failure = StoreUnavailable(f"the store is not available: {error}")
            return [(job, failure) for job in batch]
        return outcomes

    def _read(self, work: Callable[[SqlConnection], T], in_snapshot: bool) -> T:
        try:
            if not in_snapshot:
                return work(self._reader)
            self._reader.execute("BEGIN")
            try:
                return work(self._reader)
            finally:
                self._reader.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the store cannot be read: {error}") from error

    def listen(self, received: Callable[[Notification], None]) -> None:
        """Do nothing: no other process uses the file."""

    async def erase(self, before: int) -> list[str]:
        """Delete games without events since `before`, also from the write-ahead log."""
        erased = await super().erase(before)
        if erased:
            await self._loop.run_in_executor(self._reading, self._empty_log)
        return erased

    def _empty_log(self) -> None:
        """Move the log into the file and truncate it; `secure_delete` has overwritten the rows."""
        with (
            contextlib.suppress(sqlite3.Error),  # busy: done after the next erasure
            contextlib.closing(connected(self.path)) as connection,
        ):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _close_connections(self) -> None:
        self._reader.close()
        self._writer.close()
        self._lock.release()


def file_lock(path: Path) -> FileLock:
    """Return the lock that excludes other servers, also those that use a symbolic link.

    It is a file of its own: closing the store's file once more would drop SQLite's own locks.
    """
    real = Path(os.path.realpath(path))
    return FileLock(real.with_name(f".{real.name}.lock"))


def check_file(path: Path) -> None:
    """Raise `StoreRefused` if a file is no store, or is damaged; it is unchanged.

    A missing or empty file is accepted as a new store.
    """
    if not path.exists():
        return
    if not path.is_file():
        raise StoreRefused(f"{path} cannot be used as a store: it is not a file")
    check_only_name(path)
    if path.stat().st_size == 0:
        log = Path(f"{os.path.realpath(path)}-wal")
        if log.exists() and log.stat().st_size > 0:
            raise StoreRefused(
                f"{path} is damaged (it is empty, but {log.name} is not): restore a backup"
            )
        return
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise StoreRefused(f"{path} cannot be used as a store: it is not a SQLite database")
    writable = f"{path.absolute().as_uri()}?mode=rw"
    with contextlib.closing(
        sqlite3.connect(writable, uri=True, isolation_level=None)
    ) as connection:
        tables = {name for (name,) in connection.execute(TABLE_NAMES)}
        if tables and "schema_version" not in tables:
            raise StoreRefused(f"{path} is the database of another program: use another --store")
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise StoreRefused(f"{path} is damaged ({_one_line(found)}): restore a backup")


def _one_line(text: object) -> str:
    return printable(" ".join(str(text).split()))


def check_only_name(path: Path) -> None:
    """Raise `StoreRefused` if a file has hard links, through which two servers could open it."""
    names = path.stat().st_nlink
    if names > 1:
        raise StoreRefused(f"{path} has {names} names (hard links): remove all but one")


def check_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `StoreRefused` unless a file has the tables of the newest version."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrate(fresh, path)
        expected = set(fresh.execute(TABLES_AND_INDEXES))
    if not expected <= set(connection.execute(TABLES_AND_INDEXES)):
        raise StoreRefused(
            f"{path} does not have the tables of this parlour: it is damaged, or was written by "
            "another program or an unreleased version"
        )


def connected(path: Path) -> sqlite3.Connection:
    """Open a connection with durable commits, which overwrites what it deletes."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA busy_timeout=5000")
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
    return connection


def copy_store(path: Path, target: Path) -> None:
    """Copy a store, which may be in use. Raise `StoreRefused` on failure and leave no file."""
    try:
        # It contains the keys of running games: readable only by its owner.
        target.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise StoreRefused(f"{path} cannot be copied to {target}: {error.strerror}") from error
    try:
        readable = f"{path.absolute().as_uri()}?mode=ro"
        with (
            contextlib.closing(sqlite3.connect(readable, uri=True)) as source,
            contextlib.closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)
    except (OSError, sqlite3.Error) as error:
        # A partial copy could be mistaken for a backup, and would block the next attempt.
        target.unlink(missing_ok=True)
        raise StoreRefused(f"{path} cannot be copied to {target}: {error}") from error


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Migrate the tables to the newest version. Raise `StoreRefused` if they are newer."""
    at = version_of(connection, str(path))
    for number in range(at + 1, NEWEST + 1):
        connection.execute("BEGIN IMMEDIATE")
        for statement in MIGRATIONS[number]:
            # Rows in the tree of their key: one insertion instead of two.
            is_keyed = statement.startswith("CREATE TABLE") and "PRIMARY KEY" in statement
            connection.execute(f"{statement} WITHOUT ROWID" if is_keyed else statement)
        connection.execute("INSERT INTO schema_version VALUES (?)", (number,))
        connection.execute("COMMIT")
