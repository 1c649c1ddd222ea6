"""Ways to a PostgreSQL database: opened when they are needed, and again when they were lost.

Each thread has one of its own, so nobody waits for anybody else's. No message and no log has
a password in it.
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
"""The oldest version of PostgreSQL that is served."""
PATIENCE = 15.0
"""Seconds after which a database that neither answers nor refuses is given up: one that hangs
keeps no promise of its own about time."""
REST_SECONDS = 0.5
"""After a failure nobody tries again for so long: who asks meanwhile is answered at once."""
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
# What was acknowledged is on the disk, whatever the database's default is. Nothing hangs.
SESSION = """
SET statement_timeout = '10s'; SET lock_timeout = '5s';
SET idle_in_transaction_session_timeout = '30s'; SET client_min_messages = 'warning';
SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;
SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
"""
READS_LIKE = "a store reads like postgresql://USER:PASSWORD@HOST:PORT/DATABASE"


class Address:
    """Where a database is."""

    def __init__(self, url: str) -> None:
        """`StoreRefused` for a URL that cannot be read; what is wrong in it is not repeated."""
        try:
            parts = conninfo_to_dict(url)
            # A password with an @ or / in it would be read as a host or a database.
            is_split = "@" in f"{parts.get('host', '')}{parts.get('dbname', '')}"
            is_port = str(parts.get("port") or "0").replace(",", "").isdigit()
            is_odd = is_split or not is_port or urlsplit(url).netloc.count("@") > 1
            is_odd = is_odd or not url.isprintable()
        except (psycopg.Error, ValueError):
            is_odd = True
        if is_odd:
            raise StoreRefused(f"{READS_LIKE}; other signs in a part of it are written like %40")
        self._password = str(parts.get("password") or "")
        self._conninfo = make_conninfo(url, **{**DEFAULTS, **_given(parts)})
        host, port = parts.get("host") or "this machine", parts.get("port")
        place = f"{host}:{port}" if port else f"{host}"
        self.name = f"the database {parts.get('dbname') or parts.get('user') or ''} at {place}"

    def connected(self) -> Postgres:
        """A new connection; `psycopg.Error`."""
        connection: Postgres = psycopg.connect(self._conninfo, autocommit=True)
        try:
            connection.execute(SESSION)
        except BaseException:
            connection.close()
            raise
        return connection

    def checked(self) -> Postgres:
        """The first connection: `StoreRefused` says why the database cannot be used."""
        try:
            connection = self.connected()
        except psycopg.Error as error:
            raise self.refused(error) from None
        version = connection.info.server_version // 10000
        encoding = connection.info.parameter_status("server_encoding")
        why = ""
        if version < OLDEST:
            why = f"it is PostgreSQL {version}, and {OLDEST} or newer is needed"
        elif encoding != "UTF8":
            why = f"its encoding is {encoding}: create it with ENCODING 'UTF8'"
        if why:
            connection.close()
            raise StoreRefused(f"{self.name} cannot be used as a store: {why}")
        return connection

    def refused(self, error: psycopg.Error) -> StoreRefused:
        """Why it cannot be used at all."""
        return StoreRefused(f"{self.name} cannot be used as a store: {self.words(error)}")

    def words(self, error: BaseException) -> str:
        """What went wrong, in one line, for who runs the server; never the password."""
        told = error.diag.message_primary if isinstance(error, psycopg.Error) else None
        lines = [line.strip() for line in (told or str(error)).splitlines() if line.strip()]
        reasons = [line for line in lines if "FATAL:" in line or "failed:" in line] or lines
        text = reasons[-1] if reasons else type(error).__name__
        text = text.rpartition("FATAL:")[2].strip() or text
        return text.replace(self._password, "***") if len(self._password) > 2 else text


def _given(parts: dict[str, Any]) -> dict[str, Any]:
    return {name: parts[name] for name in DEFAULTS if parts.get(name) is not None}


class Gate:
    """Lets nobody try for a moment after a failure."""

    def __init__(self) -> None:
        """It is open."""
        self._lock = threading.Lock()
        self._opens_at = 0.0
        self._was_reachable = True

    def check(self) -> None:
        """`StoreUnavailable` while nobody should try."""
        if time.monotonic() < self._opens_at:
            raise unreachable()

    def shut(self, reason: str) -> None:
        """Somebody has failed; the log is told once."""
        with self._lock:
            self._opens_at = time.monotonic() + REST_SECONDS
            was_reachable, self._was_reachable = self._was_reachable, False
        if was_reachable:
            log.warning("the database cannot be reached: %s", reason)

    def passed(self) -> None:
        """Somebody has come through."""
        with self._lock:
            was_reachable, self._was_reachable = self._was_reachable, True
        if not was_reachable:
            log.info("the database can be reached again")


def unreachable() -> StoreUnavailable:
    """What clients are told: not where the database is."""
    return StoreUnavailable("nothing can be stored or read at the moment: the database is away")


class PostgresLink:
    """One thread's connection."""

    def __init__(self, address: Address, gate: Gate) -> None:
        """It is opened when it is first needed."""
        self._address = address
        self._gate = gate
        self._connection: Postgres | None = None
        self._waits_since: float | None = None

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """While something is asked on it: see `hurry`."""
        self._waits_since = time.monotonic()
        try:
            yield
        finally:
            self._waits_since = None

    def hurry(self) -> None:
        """Cut it off if it has waited for too long: whoever waits then knows that it is lost."""
        connection, since = self._connection, self._waits_since
        if connection is None or since is None or time.monotonic() - since < PATIENCE:
            return
        with contextlib.suppress(OSError, psycopg.Error):
            # The descriptor is libpq's: only what is behind it is ended here.
            with socket.socket(fileno=os.dup(connection.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)
            log.warning("the database does not answer: the connection was cut off")

    def connection(self) -> Postgres:
        """The connection, as it was, or a new one; `StoreUnavailable`."""
        if self._connection is None or self._connection.closed:
            self._gate.check()
            try:
                self._connection = self._address.connected()
            except psycopg.Error as error:
                self._gate.shut(self._address.words(error))
                raise unreachable() from None
            self._gate.passed()
        return self._connection

    def drop(self) -> None:
        """Close it: whatever was not committed is undone."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error, OSError):
                connection.close()


class Watch(threading.Thread):
    """Looks after links until it is told to end."""

    def __init__(self, links: list[PostgresLink]) -> None:
        """The list may grow. It runs from `start` until `end`."""
        super().__init__(name="store-watch", daemon=True)
        self._links = links
        self._ended = threading.Event()

    def run(self) -> None:
        """Cut off what waits for too long."""
        while not self._ended.wait(PATIENCE / 10):
            for link in list(self._links):
                link.hurry()

    def end(self) -> None:
        """Stop it, and wait for it."""
        self._ended.set()
        self.join()


class Statements:
    """A connection as `statements` knows one, with all that is asked sent in one go."""

    def __init__(self, connection: Postgres) -> None:
        """For as long as one transaction."""
        self._connection = connection

    def execute(self, statement: str, values: Sequence[object] = ()) -> Cursor:
        """Carry a statement out; in a pipeline it is sent when somebody looks at a result."""
        return StatementResult(
            self._connection, self._connection.execute(marked(statement), values)
        )

    def executemany(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Carry it out for each of the rows."""
        self._connection.cursor().executemany(marked(statement), rows)


class StatementResult:
    """What a statement gives, fetched when it is looked at."""

    __slots__ = ("_connection", "_cursor")

    def __init__(self, connection: Postgres, cursor: "psycopg.Cursor[tuple[Any, ...]]") -> None:
        """It may not be there yet."""
        self._connection = connection
        self._cursor = cursor

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        pipeline = self._connection._pipeline
        if self._cursor.pgresult is None and pipeline is not None:
            pipeline.sync()
        return self._cursor.rowcount

    def fetchone(self) -> Any:
        """The next row, or `None`."""
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        """All rows."""
        return self._cursor.fetchall()

    def __iter__(self) -> Iterator[Any]:
        """All rows, one after another."""
        return iter(self._cursor)


@functools.lru_cache(1024)
def marked(statement: str) -> Any:
    """A statement with the marks of psycopg."""
    return statement.replace("?", "%s")
