"""Store in a PostgreSQL database, shared by server processes on any number of machines.

A process notifies its peers of a change in the same transaction. Conflicting writes are refused
by the version in the game's row. While the database is down, restarting or full, requests fail
with `StoreUnavailable`; the store reconnects by itself.
"""

import itertools
import re
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import psycopg
from psycopg import errors

from parlour.core.errors import NotFound
from parlour.protocol.errors import StoreUnavailable
from parlour.server.store import statements
from parlour.server.store.notices import CHANNEL, NoticeListener, has_only_actions, notices
from parlour.server.store.postgres_link import (
    Address,
    CircuitBreaker,
    Postgres,
    PostgresLink,
    Statements,
    Watchdog,
    log,
)
from parlour.server.store.schema import MIGRATIONS, NEWEST, version_of
from parlour.server.store.sql_store import SqlStore, new_process
from parlour.server.store.statements import SqlConnection
from parlour.server.store.store import Change, InDoubt, Notification, StoreRefused
from parlour.server.store.writer import Job, Outcomes, execute_all, in_order

T = TypeVar("T")

READERS = 4
ATTEMPTS = 4
"""Maximum attempts of a transaction after deadlocks and lost connections."""
LOCK_KEY = 0x7061726C6F7572
"""Advisory lock for creating, migrating or moving the tables."""
LOCK_WAIT = "60s"


class PostgresStore(SqlStore):
    """Store in a PostgreSQL database. Create it inside the event loop."""

    IS_SHARED = True

    def __init__(self, url: str, now: Callable[[], int]) -> None:
        """Connect, and create or migrate the tables. Raise `StoreRefused` on failure."""
        self._address = Address(url)
        process, started = new_process(), now()
        connection = self._address.checked()
        try:
            with connection.transaction():
                migrate(connection, self._address.name)
                statements.make_secret(Statements(connection))
                statements.start_clock(Statements(connection), started)
                statements.beat(Statements(connection), process, started, started)
            (syncs,) = connection.execute("SHOW fsync").fetchone() or ("on",)
            if syncs != "on":
                log.warning("%s runs with fsync = off: a power failure loses games", self.name)
        except psycopg.Error as error:
            raise self._address.refused(error) from None
        finally:
            connection.close()
        self._breaker = CircuitBreaker()
        self._links: list[PostgresLink] = []
        self._watchdog = Watchdog(self._links)
        self._watchdog.start()
        self._own = threading.local()
        self._serials = itertools.count()
        self._listener: NoticeListener | None = None
        super().__init__(process, started, READERS)

    @property
    def name(self) -> str:
        """The database's name for messages, without the password."""
        return self._address.name

    def _link(self) -> PostgresLink:
        """Return the link of the current thread."""
        link: PostgresLink | None = getattr(self._own, "link", None)
        if link is None:
            link = self._own.link = PostgresLink(self._address, self._breaker)
            self._links.append(link)
        return link

    # Writing, in the writer's thread.

    def _write(self, batch: list[Job]) -> Outcomes:
        link = self._link()
        failure = StoreUnavailable("the store is not available: the database is busy")
        for _ in range(ATTEMPTS):
            try:
                return self._in_one_transaction(link, in_order(batch))
            except StoreUnavailable as error:
                failure = error
                break
            except (errors.DeadlockDetected, errors.SerializationFailure):
                continue
            except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
                if len(batch) > 1:  # store the others without the faulty one
                    return [outcome for job in batch for outcome in self._write([job])]
                failure = self._failure(error)
                break
            except Exception as error:
                failure = self._failure(error)
                if not isinstance(error, _ConnectionLost):
                    break
        return [(job, failure) for job in batch]

    def _in_one_transaction(self, link: PostgresLink, batch: list[Job]) -> Outcomes:
        """Execute a batch; without conflicts it takes two round trips."""
        connection = link.connection()
        ended: psycopg.Cursor[tuple[Any, ...]] | None = None
        is_committing = False
        try:
            with link.waiting(), connection.pipeline() as pipeline:
                connection.execute("BEGIN")
                outcomes = execute_all(Statements(connection), batch)
                for text in self._notices(outcomes):
                    connection.execute(f"SELECT pg_notify('{CHANNEL}', %s)", (text,))
                if not all(job.change for job in batch):
                    # No result may have been read so far: sync, so that a stale connection fails
                    # before the commit and leaves nothing in doubt.
                    pipeline.sync()
                is_committing = True
                ended = connection.execute("COMMIT")
        except BaseException as error:
            lost = is_lost(connection, error)
            link.drop()
            if ended is not None and ended.statusmessage == "COMMIT":
                return outcomes  # the connection was lost after the commit
            if lost and is_committing:
                log.warning("lost the database during a commit: %s", self._address.words(error))
                raise InDoubt(
                    "the connection to the database was lost during the commit"
                ) from error
            if lost:
                raise _ConnectionLost(self._address.words(error)) from error
            raise
        if ended.statusmessage != "COMMIT":
            link.drop()
            raise StoreUnavailable("the store is not available: the transaction was rolled back")
        return outcomes

    def _notices(self, outcomes: Outcomes) -> list[str]:
        done = [job for job, result in outcomes if not isinstance(result, Exception)]
        moves: list[Change] = []
        stored: list[tuple[str, int]] = []
        for job in done:
            if job.change is not None and has_only_actions(job.change):
                moves.append(job.change)
            else:
                stored += job.announces
        words = [Notification(job.game, 0, job.words) for job in done if job.words]
        return notices(self.id, self._serials, stored, moves, words)

    def _failure(self, error: BaseException) -> StoreUnavailable:
        """Log an error and return one for clients, without details."""
        log.warning("the database reported an error: %s", self._address.words(error))
        what = "is full" if isinstance(error, errors.DiskFull) else "reported an error"
        return StoreUnavailable(f"the store is not available: the database {what}")

    # Reading, in the readers' threads.

    def _read(self, work: Callable[[SqlConnection], T], in_snapshot: bool) -> T:
        link = self._link()
        for is_last in (False, True):
            connection = link.connection()
            try:
                if not in_snapshot:
                    with link.waiting():
                        return work(Statements(connection))
                with link.waiting(), connection.pipeline():
                    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    result = work(Statements(connection))
                    connection.execute("COMMIT")
                return result
            except psycopg.DataError:  # text that PostgreSQL cannot represent
                link.drop()
                raise NotFound("not found") from None
            except psycopg.Error as error:
                # The connection may have been stale: retry once with a new one.
                lost = is_lost(connection, error)
                link.drop()
                if is_last or not lost:
                    raise self._failure(error) from None
        raise AssertionError("unreachable")

    # Peers.

    def listen(self, received: Callable[[Notification], None]) -> None:
        """Call `received` for changes and messages of other processes."""
        self._listener = NoticeListener(self._address.connected, self.id, self._loop, received)
        self._listener.start()

    async def close(self) -> None:
        """Store pending changes and close the connections."""
        if self._listener is not None:
            await self._loop.run_in_executor(None, self._listener.end)
        await super().close()
        await self._loop.run_in_executor(None, self._watchdog.end)

    def _close_connections(self) -> None:
        for link in self._links:
            link.drop()


def is_lost(connection: Postgres, error: BaseException) -> bool:
    """Whether the connection is lost, as opposed to an error on a working connection."""
    severity = error.diag.severity_nonlocalized if isinstance(error, psycopg.Error) else None
    return connection.broken or connection.closed or severity in ("FATAL", "PANIC")


class _ConnectionLost(Exception):
    """The connection was lost before the commit."""


def migrate(connection: Postgres, name: str) -> None:
    """Migrate the tables to the newest version inside a transaction.

    If several processes start together, one of them migrates and the others wait. Raise
    `StoreRefused` if the tables are newer.
    """
    lock_tables(connection, name)
    plain = Statements(connection)
    for number in range(version_of(plain, name) + 1, NEWEST + 1):
        for statement in MIGRATIONS[number]:
            # Compare text bytewise, as SQLite does, whatever the database's locale.
            plain.execute(re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', statement))
        plain.execute("INSERT INTO schema_version VALUES (?)", (number,))


def lock_tables(connection: Postgres, name: str) -> None:
    """Lock out other processes that create, migrate or move the tables.

    The lock ends with the transaction. Raise `StoreRefused` if it is not available.
    """
    connection.execute("SET LOCAL statement_timeout = 0")
    connection.execute(f"SET LOCAL lock_timeout = '{LOCK_WAIT}'")
    try:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK_KEY,))
    except errors.LockNotAvailable:
        raise StoreRefused(f"{name} is being moved or migrated: try again later") from None
