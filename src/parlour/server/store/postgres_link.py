"""Connections to PostgreSQL, opened on demand and reopened when lost.

Each thread has its own connection for life, so there is nothing to pool. `psycopg_pool` would
neither refuse requests at once while the database is down nor cut off connections that hang.
Messages and logs never contain the password.
"""

import contextlib
import functools
import logging
import os
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from parlour.protocol.errors import StoreUnavailable
from parlour.server.store.statements import Cursor
from parlour.server.store.store import StoreRefused

log = logging.getLogger("parlour.server")

Postgres = psycopg.Connection[tuple[Any, ...]]
OLDEST = 13
"""Oldest supported version of PostgreSQL."""
TIMEOUT_SECONDS = 15.0
"""Seconds after which a hanging connection is cut off; a server that hangs does not enforce its
own timeouts."""
REST_SECONDS = 0.5
"""Seconds after a failure during which requests fail at once instead of reconnecting."""
DEFAULTS = {
    "connect_timeout": "3",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "target_session_attrs": "read-write",
    "client_encoding": "utf8",
    "fallback_application_name": "parlour",
}
# Enforce durable commits whatever the database's default, and timeouts for everything.
SESSION = """
SET statement_timeout = '10s'; SET lock_timeout = '5s';
SET idle_in_transaction_session_timeout = '30s'; SET client_min_messages = 'warning';
SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;
SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
"""
EXPECTED = "--store must look like postgresql://USER:PASSWORD@HOST:PORT/DATABASE"


class Address:
    """Address of a database."""

    def __init__(self, url: str) -> None:
        """Parse a URL. Raise `StoreRefused` if it is invalid, without repeating it."""
        try:
            parts = conninfo_to_dict(url)
            # A password that contains @ or / would be parsed as a host or a database.
            is_split = "@" in f"{parts.get('host', '')}{parts.get('dbname', '')}"
            is_port = str(parts.get("port") or "0").replace(",", "").isdigit()
            is_odd = is_split or not is_port or urlsplit(url).netloc.count("@") > 1
            is_odd = is_odd or not url.isprintable()
        except (psycopg.Error, ValueError):
            is_odd = True
        if is_odd:
            raise StoreRefused(f"{EXPECTED}; escape special characters, for example @ as %40")
        self._password = str(parts.get("password") or "")
        self._conninfo = make_conninfo(url, **{**DEFAULTS, **_given(parts)})
        host, port = parts.get("host") or "this machine", parts.get("port")
        place = f"{host}:{port}" if port else f"{host}"
        self.name = f"the database {parts.get('dbname') or parts.get('user') or ''} at {place}"

    def connected(self) -> Postgres:
        """Return a new connection. Raise `psycopg.Error` on failure."""
        connection: Postgres = psycopg.connect(self._conninfo, autocommit=True)
        try:
            connection.execute(SESSION)
        except BaseException:
            connection.close()
            raise
        return connection

    def checked(self) -> Postgres:
        """Return a connection. Raise `StoreRefused` if the database cannot be used."""
        try:
            connection = self.connected()
        except psycopg.Error as error:
            raise self.refused(error) from None
        version = connection.info.server_version // 10000
        encoding = connection.info.parameter_status("server_encoding")
        why = ""
        if version < OLDEST:
            why = f"it runs PostgreSQL {version}, but {OLDEST} or newer is required"
        elif encoding != "UTF8":
            why = f"its encoding is {encoding}: create it with ENCODING 'UTF8'"
        if why:
            connection.close()
            raise StoreRefused(f"{self.name} cannot be used as a store: {why}")
        return connection

    def refused(self, error: psycopg.Error) -> StoreRefused:
        """Return an error that says why the database cannot be used."""
        return StoreRefused(f"{self.name} cannot be used as a store: {self.words(error)}")

    def words(self, error: BaseException) -> str:
        """Describe an error in one line for the operator, without the password."""
        primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
        lines = [line.strip() for line in (primary or str(error)).splitlines() if line.strip()]
        reasons = [line for line in lines if "FATAL:" in line or "failed:" in line] or lines
        text = reasons[-1] if reasons else type(error).__name__
        text = text.rpartition("FATAL:")[2].strip() or text
        return text.replace(self._password, "***") if len(self._password) > 2 else text


def _given(parts: dict[str, Any]) -> dict[str, Any]:
    return {name: parts[name] for name in DEFAULTS if parts.get(name) is not None}


class CircuitBreaker:
    """Circuit breaker: blocks new connections for a moment after a failure."""

    def __init__(self) -> None:
        """Start closed: connections are allowed."""
        self._lock = threading.Lock()
        self._opens_at = 0.0
        self._was_reachable = True

    def check(self) -> None:
        """Raise `StoreUnavailable` while the breaker is open."""
        if time.monotonic() < self._opens_at:
            raise unreachable()

    def trip(self, reason: str) -> None:
        """Open the breaker after a failure; only the first failure is logged."""
        with self._lock:
            self._opens_at = time.monotonic() + REST_SECONDS
            was_reachable, self._was_reachable = self._was_reachable, False
        if was_reachable:
            log.warning("the database cannot be reached: %s", reason)

    def reset(self) -> None:
        """Close the breaker after a successful connection."""
        with self._lock:
            was_reachable, self._was_reachable = self._was_reachable, True
        if not was_reachable:
            log.info("the database can be reached again")


def unreachable() -> StoreUnavailable:
    """Return the error for clients, without the database's address."""
    return StoreUnavailable("the store is not available: the database cannot be reached")


class PostgresLink:
    """Connection of one thread."""

    def __init__(self, address: Address, breaker: CircuitBreaker) -> None:
        """Connect on first use."""
        self._address = address
        self._breaker = breaker
        self._connection: Postgres | None = None
        self._waits_since: float | None = None

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Mark the connection as waiting for a response, which `enforce_timeout` limits in time."""
        self._waits_since = time.monotonic()
        try:
            yield
        finally:
            self._waits_since = None

    def enforce_timeout(self) -> None:
        """Cut the connection off if it has waited too long; the waiting thread gets an error."""
        connection, since = self._connection, self._waits_since
        if connection is None or since is None or time.monotonic() - since < TIMEOUT_SECONDS:
            return
        with contextlib.suppress(OSError, psycopg.Error):
            # The descriptor belongs to libpq: shut down the socket, but leave the descriptor open.
            with socket.socket(fileno=os.dup(connection.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)
            log.warning("the database does not respond: the connection was cut off")

    def connection(self) -> Postgres:
        """Return the open or a new connection. Raise `StoreUnavailable` on failure."""
        if self._connection is None or self._connection.closed:
            self._breaker.check()
            try:
                self._connection = self._address.connected()
            except psycopg.Error as error:
                self._breaker.trip(self._address.words(error))
                raise unreachable() from None
            self._breaker.reset()
        return self._connection

    def drop(self) -> None:
        """Close the connection, which rolls back an open transaction."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error, OSError):
                connection.close()


class Watchdog(threading.Thread):
    """Thread that cuts off connections which wait too long."""

    def __init__(self, links: list[PostgresLink]) -> None:
        """Watchdog `links`, which may grow, from `start` until `end`."""
        super().__init__(name="store-watch", daemon=True)
        self._links = links
        self._ended = threading.Event()

    def run(self) -> None:
        """Check the connections periodically."""
        while not self._ended.wait(TIMEOUT_SECONDS / 10):
            for link in list(self._links):
                link.enforce_timeout()

    def end(self) -> None:
        """Stop the thread and wait for it."""
        self._ended.set()
        self.join()


class Statements:
    """Adapter from psycopg to `SqlConnection`; statements are sent in a pipeline."""

    def __init__(self, connection: Postgres) -> None:
        """Wrap a connection for one transaction."""
        self._connection = connection

    def execute(self, statement: str, values: Sequence[object] = ()) -> Cursor:
        """Execute a statement; a pipeline sends it when a result is read."""
        return StatementResult(
            self._connection, self._connection.execute(to_psycopg(statement), values)
        )

    def executemany(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute a statement for each row."""
        self._connection.cursor().executemany(to_psycopg(statement), rows)


class StatementResult:
    """Result of a statement, fetched on first access."""

    __slots__ = ("_connection", "_cursor")

    def __init__(self, connection: Postgres, cursor: "psycopg.Cursor[tuple[Any, ...]]") -> None:
        """Wrap a cursor whose result may still be pending."""
        self._connection = connection
        self._cursor = cursor

    @property
    def rowcount(self) -> int:
        """The number of changed rows."""
        pipeline = self._connection._pipeline
        if self._cursor.pgresult is None and pipeline is not None:
            pipeline.sync()
        return self._cursor.rowcount

    def fetchone(self) -> Any:
        """Return the next row, or `None`."""
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        """Return all rows."""
        return self._cursor.fetchall()

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows."""
        return iter(self._cursor)


@functools.lru_cache(1024)
def to_psycopg(statement: str) -> Any:
    """Translate `?` placeholders to those of psycopg."""
    return statement.replace("?", "%s")
