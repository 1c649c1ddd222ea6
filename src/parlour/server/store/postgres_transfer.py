"""A PostgreSQL store as the source or target of a move; see `transfer`."""

import contextlib
import time
from collections.abc import Iterable, Iterator

import psycopg

from parlour.server.store.postgres import LOCK_KEY, lock_tables, migrate
from parlour.server.store.postgres_link import Address, Postgres, to_psycopg
from parlour.server.store.schema import TABLES
from parlour.server.store.store import StoreRefused
from parlour.server.store.transfer import PORTION, Row, check_version

FRESH_MS = 10_000
"""Heartbeats older than this belong to stopped servers."""
LOOK_SECONDS = 5.0
"""A running server sends its next heartbeat within this time."""


class PostgresSide:
    """Store in a PostgreSQL database."""

    def __init__(self, connection: Postgres, name: str) -> None:
        """Wrap a connection with an open transaction."""
        self.name = name
        self._connection = connection

    def columns(self, table: str) -> list[str]:
        """Return the names of a table's columns."""
        found = self._connection.execute(to_psycopg(f"SELECT * FROM {table} LIMIT 0"))
        return [column.name for column in found.description or ()]

    def rows(self, table: str, columns: list[str]) -> Iterator[Row]:
        """Iterate over all rows in key order."""
        with self._connection.cursor(name=f"all_of_{table}") as cursor:
            cursor.itersize = PORTION
            cursor.execute(
                to_psycopg(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {TABLES[table]}")
            )
            yield from cursor

    def fill(self, table: str, columns: list[str], rows: Iterable[Row]) -> None:
        """Insert rows."""
        into = to_psycopg(f"COPY {table} ({', '.join(columns)}) FROM STDIN")
        with self._connection.cursor() as cursor, cursor.copy(into) as copy:
            for row in rows:
                copy.write_row(row)


@contextlib.contextmanager
def read_database(url: str, now: int, may_be_used: bool) -> Iterator[PostgresSide]:
    """Yield a snapshot of a database. Raise `StoreRefused` if it cannot be read."""
    address = Address(url)
    with _connected(address) as connection:
        if not may_be_used:
            connection.execute("SELECT pg_advisory_lock(%s)", (LOCK_KEY,))
            _check_free(connection, address.name, now)
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        check_version(lambda: _version(connection), address.name)
        yield PostgresSide(connection, address.name)


@contextlib.contextmanager
def fill_database(url: str, now: int) -> Iterator[PostgresSide]:
    """Yield an empty database to fill in one transaction. Raise `StoreRefused` if not empty."""
    address = Address(url)
    with _connected(address) as connection, connection.transaction():
        lock_tables(connection, address.name)
        _check_free(connection, address.name, now)
        migrate(connection, address.name)
        for table in TABLES:
            if table in ("secret", "server", "clock"):  # left by servers that have stopped
                connection.execute(to_psycopg(f"DELETE FROM {table}"))
            elif connection.execute(to_psycopg(f"SELECT 1 FROM {table} LIMIT 1")).fetchone():
                raise StoreRefused(
                    f"{address.name} is not empty (table {table} has rows): move the store into an "
                    "empty database"
                )
        yield PostgresSide(connection, address.name)


@contextlib.contextmanager
def _connected(address: Address) -> Iterator[Postgres]:
    """Yield a connection without timeouts; its errors become `StoreRefused`."""
    try:
        with contextlib.closing(address.checked()) as connection:
            connection.execute("SET statement_timeout = 0; SET lock_timeout = '10s'")
            connection.execute("SET idle_in_transaction_session_timeout = 0")
            yield connection
    except psycopg.Error as error:
        raise StoreRefused(f"{address.name} cannot be moved: {address.words(error)}") from None


def _version(connection: Postgres) -> int | None:
    row = connection.execute("SELECT MAX(n) FROM schema_version").fetchone()
    return row[0] if row else None


def _check_free(connection: Postgres, name: str, now: int) -> None:
    """Raise `StoreRefused` if a server is sending heartbeats."""
    if connection.execute("SELECT to_regclass('server')").fetchone() == (None,):
        return

    def last_sign() -> int:
        row = connection.execute("SELECT MAX(heartbeat_ms) FROM server").fetchone()
        return (row and row[0]) or 0

    sign = last_sign()
    if abs(now - sign) > FRESH_MS:
        return
    until = time.monotonic() + LOOK_SECONDS
    while time.monotonic() < until:
        if last_sign() != sign:
            raise StoreRefused(f"a server uses {name}: stop it first")
        time.sleep(0.1)
