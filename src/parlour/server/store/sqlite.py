"""Store in a SQLite file, for one server process.

One connection writes: with `synchronous=FULL` a transaction costs a disk sync, whatever its
size. Another connection reads.
"""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

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
            path.touch(mode=0o600)
            self._writer = connected(path)
            migrate(self._writer, path)
            # Leases of earlier runs are void.
            self._writer.execute("UPDATE game SET lease_until = 0 WHERE lease_until != 0")
            statements.make_secret(self._writer)
            statements.beat(self._writer, process, started, started)
            self._reader = connected(path)
        except (OSError, sqlite3.Error) as error:
            self._lock.release()
            raise StoreRefused(f"{path} cannot be used as a store: {error}") from error
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

    def _close_connections(self) -> None:
        self._reader.close()
        self._writer.close()
        self._lock.release()


def file_lock(path: Path) -> FileLock:
    """Return the lock that excludes other servers."""
    return FileLock(path.with_name(f".{path.name}.lock"))


def connected(path: Path) -> sqlite3.Connection:
    """Open a connection with durable commits."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA busy_timeout=5000")
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
            connection.execute(statement)
        connection.execute("INSERT INTO schema_version VALUES (?)", (number,))
        connection.execute("COMMIT")
