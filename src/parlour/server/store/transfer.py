"""Move a whole store into another one, row by row, and verify the copy.

The source is not changed. The target is filled in one transaction: it ends up complete and
verified, or unchanged.
"""

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from parlour.server.store.schema import NEWEST, TABLES
from parlour.server.store.sqlite import check_only_name, connected, file_lock, migrate
from parlour.server.store.store import StoreRefused
from parlour.server.store.stores import check_extra, is_postgres, sqlite_path

Row = tuple[Any, ...]

PORTION = 1000
"""Rows held in memory at a time."""


class Content(NamedTuple):
    """The number of rows in a table, and a hash of all of them in order."""

    rows: int
    hash: str


class Side(Protocol):
    """The source or target of a move."""

    name: str

    def columns(self, table: str) -> list[str]:
        """Return the names of a table's columns."""

    def rows(self, table: str, columns: list[str]) -> Iterator[Row]:
        """Iterate over all rows in key order, without loading all of them."""

    def fill(self, table: str, columns: list[str], rows: Iterable[Row]) -> None:
        """Insert rows."""


def move_store(source: str, target: str, now: int, may_be_used: bool = False) -> dict[str, Content]:
    """Copy a store into an empty one and return its content.

    Raise `StoreRefused` if a server uses one of the stores, if `target` contains games, or if the
    copy differs; `target` is then unchanged. With `may_be_used` a server may use `source`, and a
    snapshot of it is copied.
    """
    with _source(source, now, may_be_used) as given, _target(target, now) as taken:
        moved: dict[str, Content] = {}
        for table in TABLES:
            columns = given.columns(table)
            counted = RowCounter(given.rows(table, columns))
            taken.fill(table, columns, counted)
            moved[table] = counted.content
            there = RowCounter(taken.rows(table, columns))
            for _ in there:
                pass
            if there.content != counted.content:
                raise StoreRefused(
                    f"the table {table} differs between {given.name} and {taken.name}: "
                    "nothing was moved"
                )
        return moved


class RowCounter:
    """Iterator wrapper that counts and hashes rows."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Wrap rows; they are counted as they are iterated over."""
        self._rows = rows
        self._count = 0
        self._hash = hashlib.blake2b(digest_size=16)

    def __iter__(self) -> Iterator[Row]:
        """Iterate over the rows."""
        for row in self._rows:
            self._count += 1
            self._hash.update(repr(row).encode("utf-8", "surrogatepass"))
            yield row

    @property
    def content(self) -> Content:
        """The count and hash so far."""
        return Content(self._count, self._hash.hexdigest())


def _source(text: str, now: int, may_be_used: bool) -> AbstractContextManager[Side]:
    if not is_postgres(text):
        return _read_file(sqlite_path(text), may_be_used)
    check_extra()
    from parlour.server.store.postgres_transfer import read_database

    return read_database(text, now, may_be_used)


def _target(text: str, now: int) -> AbstractContextManager[Side]:
    if not is_postgres(text):
        return _new_file(sqlite_path(text))
    check_extra()
    from parlour.server.store.postgres_transfer import fill_database

    return fill_database(text, now)


class SqliteSide:
    """Store in a SQLite file."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        """Wrap a connection with an open transaction."""
        self.name = name
        self._connection = connection

    def columns(self, table: str) -> list[str]:
        """Return the names of a table's columns."""
        return [row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")]

    def rows(self, table: str, columns: list[str]) -> Iterator[Row]:
        """Iterate over all rows in key order."""
        found = self._connection.execute(
            f"SELECT {', '.join(columns)} FROM {table} ORDER BY {TABLES[table]}"
        )
        while portion := found.fetchmany(PORTION):
            yield from portion

    def fill(self, table: str, columns: list[str], rows: Iterable[Row]) -> None:
        """Insert rows."""
        self._connection.executemany(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
            rows,
        )


def check_version(version: Callable[[], int | None], name: str) -> None:
    """Raise `StoreRefused` unless the tables have the newest version."""
    try:
        at = version()
    except Exception as error:
        why = str(error).partition("\n")[0]
        raise StoreRefused(f"{name} is not a store: {why}") from None
    if at != NEWEST:
        raise StoreRefused(
            f"the tables of {name} have version {at}, but version {NEWEST} is required: "
            "start a server on it once with this parlour, or with the one that wrote it"
        )


@contextlib.contextmanager
def _read_file(path: Path, may_be_used: bool) -> Iterator[SqliteSide]:
    if not path.is_file():
        raise StoreRefused(f"there is no store at {path}")
    lock = file_lock(path)
    try:
        if not may_be_used:
            check_only_name(path)
            if not lock.hold():
                raise StoreRefused(f"a server uses {path}: stop it first")
        readable = f"{path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(
            sqlite3.connect(readable, uri=True, isolation_level=None)
        ) as connection:
            connection.execute("BEGIN")
            check_version(
                lambda: connection.execute("SELECT MAX(n) FROM schema_version").fetchone()[0],
                str(path),
            )
            yield SqliteSide(connection, str(path))
    except (OSError, sqlite3.Error) as error:
        raise StoreRefused(f"{path} cannot be moved: {error}") from error
    finally:
        lock.release()


@contextlib.contextmanager
def _new_file(path: Path) -> Iterator[SqliteSide]:
    if path.exists():
        raise StoreRefused(f"{path} already exists: move the store into a new file")
    lock = file_lock(path)
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not lock.hold():
            raise StoreRefused(f"a server uses {path}: stop it first")
        unfinished.unlink(missing_ok=True)
        # It contains the keys of running games: readable only by its owner.
        unfinished.touch(mode=0o600)
        with contextlib.closing(connected(unfinished)) as connection:
            migrate(connection, path)
            connection.execute("BEGIN IMMEDIATE")
            yield SqliteSide(connection, str(path))
            connection.execute("COMMIT")
        os.link(unfinished, path)  # unlike a rename, this never overwrites a file
    except (OSError, sqlite3.Error) as error:
        raise StoreRefused(f"{path} cannot be filled: {error}") from error
    finally:
        for end in ("", "-wal", "-shm"):
            unfinished.with_name(unfinished.name + end).unlink(missing_ok=True)
        lock.release()
