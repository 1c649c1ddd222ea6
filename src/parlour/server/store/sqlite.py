"""The store in one SQLite file, for one server process.

All writing goes through one connection: with `synchronous=FULL` a transaction costs a sync of
the disk, whatever its size. Reading has a connection of its own.
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
from parlour.server.store.store import Heard, StoreRefused
from parlour.server.store.writer import Job, Outcomes, carried_out

T = TypeVar("T")


class SqliteStore(SqlStore):
    """Keeps games in one file. Made inside the event loop."""

    IS_SHARED = False

    def __init__(self, path: Path, now: Callable[[], int]) -> None:
        """Open the file, make or migrate its tables, and keep other servers out.

        `now` gives milliseconds since 1970. Raises `StoreRefused`.
        """
        self.path = path
        self._lock = file_lock(path)
        process, started = new_process(), now()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not self._lock.hold():
                raise StoreRefused(
                    f"another server uses {path}: stop it, or give this one another --store"
                )
            path.touch(mode=0o600)
            self._writer = connected(path)
            migrate(self._writer, path)
            # Whoever took a turn before was a run that is over.
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
            outcomes = carried_out(connection, batch)
            connection.execute("COMMIT")
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            failure = StoreUnavailable(f"nothing can be stored at the moment: {error}")
            return [(job, failure) for job in batch]
        return outcomes

    def _read(self, work: Callable[[SqlConnection], T], at_one_moment: bool) -> T:
        try:
            if not at_one_moment:
                return work(self._reader)
            self._reader.execute("BEGIN")
            try:
                return work(self._reader)
            finally:
                self._reader.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the store cannot be read: {error}") from error

    def listen(self, heard: Callable[[Heard], None]) -> None:
        """Nobody else has the file: it is never called."""

    def _let_go(self) -> None:
        self._reader.close()
        self._writer.close()
        self._lock.release()


def file_lock(path: Path) -> FileLock:
    """What keeps other servers out."""
    return FileLock(path.with_name(f".{path.name}.lock"))


def connected(path: Path) -> sqlite3.Connection:
    """A connection that is as safe as it can be."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA busy_timeout=5000")
    return connection


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


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the tables to the newest version; `StoreRefused` if they are newer than that."""
    at = version_of(connection, str(path))
    for number in range(at + 1, NEWEST + 1):
        connection.execute("BEGIN IMMEDIATE")
        for statement in MIGRATIONS[number]:
            connection.execute(statement)
        connection.execute("INSERT INTO schema_version VALUES (?)", (number,))
        connection.execute("COMMIT")
