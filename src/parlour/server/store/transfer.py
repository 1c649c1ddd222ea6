"""A whole store moved into another one, row by row, and compared afterwards.

Nothing is changed where it comes from. Where it goes to is one transaction: either everything
is there and the same, or it is as it was before.
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
from parlour.server.store.sqlite import connected, file_lock, migrate
from parlour.server.store.store import StoreRefused
from parlour.server.store.stores import check_extra, is_postgres, sqlite_path

Row = tuple[Any, ...]

PORTION = 1000
"""Rows in memory at a time."""


class Content(NamedTuple):
    """What is in a table: how many rows, and a hash over all of them in order."""

    rows: int
    hash: str


class Side(Protocol):
    """A store that is moved from, or to."""

    name: str

    def columns(self, table: str) -> list[str]:
        """The names of a table's columns."""

    def rows(self, table: str, columns: list[str]) -> Iterator[Row]:
        """All rows in the order of their keys, not all of them in memory."""

    def fill(self, table: str, columns: list[str], rows: Iterable[Row]) -> None:
        """Put rows in."""


def move_store(source: str, target: str, now: int, may_be_used: bool = False) -> dict[str, Content]:
    """Put everything of one store into another that has no games: what is there now.

    `StoreRefused` if a server uses one of them, if there are games in `target`, or if the two
    are not the same afterwards; then `target` is as before. With `may_be_used` a server may go
    on with `source`: it is moved as it is in this moment.
    """
    with _source(source, now, may_be_used) as given, _target(target, now) as taken:
        moved: dict[str, Content] = {}
        for table in TABLES:
            columns = given.columns(table)
            counted = RowCount(given.rows(table, columns))
            taken.fill(table, columns, counted)
            moved[table] = counted.content
            there = RowCount(taken.rows(table, columns))
            for _ in there:
                pass
            if there.content != counted.content:
                raise StoreRefused(
                    f"the table {table} is not the same in {taken.name} as in {given.name}: "
                    "nothing was moved"
                )
        return moved


class RowCount:
    """Rows that are counted and hashed while they pass."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """They pass when this is iterated over."""
        self._rows = rows
        self._count = 0
        self._hash = hashlib.blake2b(digest_size=16)

    def __iter__(self) -> Iterator[Row]:
        """The rows."""
        for row in self._rows:
            self._count += 1
            self._hash.update(repr(row).encode("utf-8", "surrogatepass"))
            yield row

    @property
    def content(self) -> Content:
        """What has passed so far."""
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
    """A store in a file."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        """In a transaction."""
        self.name = name
        self._connection = connection

    def columns(self, table: str) -> list[str]:
        """The names of a table's columns."""
        return [row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")]

    def rows(self, table: str, columns: list[str]) -> Iterator[Row]:
        """All rows in the order of their keys."""
        found = self._connection.execute(
            f"SELECT {', '.join(columns)} FROM {table} ORDER BY {TABLES[table]}"
        )
        while portion := found.fetchmany(PORTION):
            yield from portion

    def fill(self, table: str, columns: list[str], rows: Iterable[Row]) -> None:
        """Put rows in."""
        self._connection.executemany(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
            rows,
        )


def check_version(version: Callable[[], int | None], name: str) -> None:
    """`StoreRefused` unless tables have the newest version: what is read is not changed."""
    try:
        at = version()
    except Exception as error:
        why = str(error).partition("\n")[0]
        raise StoreRefused(f"{name} is not a store: {why}") from None
    if at != NEWEST:
        raise StoreRefused(
            f"the tables of {name} are version {at}, and this parlour moves version {NEWEST}: "
            "let the parlour that wrote it, or a newer one, start a server on it once"
        )


@contextlib.contextmanager
def _read_file(path: Path, may_be_used: bool) -> Iterator[SqliteSide]:
    if not path.is_file():
        raise StoreRefused(f"there is no store at {path}")
    lock = file_lock(path)
    try:
        if not may_be_used and not lock.hold():
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
        raise StoreRefused(f"{path} exists already: a store is moved into a new file")
    lock = file_lock(path)
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not lock.hold():
            raise StoreRefused(f"a server uses {path}: stop it first")
        unfinished.unlink(missing_ok=True)
        # It holds the keys of games that are played: for its owner alone.
        unfinished.touch(mode=0o600)
        with contextlib.closing(connected(unfinished)) as connection:
            migrate(connection, path)
            connection.execute("BEGIN IMMEDIATE")
            yield SqliteSide(connection, str(path))
            connection.execute("COMMIT")
        os.link(unfinished, path)  # unlike a rename, it takes nobody else's place
    except (OSError, sqlite3.Error) as error:
        raise StoreRefused(f"{path} cannot be filled: {error}") from error
    finally:
        for end in ("", "-wal", "-shm"):
            unfinished.with_name(unfinished.name + end).unlink(missing_ok=True)
        lock.release()
