"""The store in a PostgreSQL database, for several server processes at once, on any machines.

What one process has stored the others are told by a notice in the same transaction. Whoever
loses a race is refused by the version of the game's row. A database that is away, restarted or
full is an answer (`StoreUnavailable`), and is come back to as soon as it is there again.
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
from parlour.server.store.notices import CHANNEL, NoticeListener, notices
from parlour.server.store.postgres_link import (
    Address,
    Gate,
    Postgres,
    PostgresLink,
    Statements,
    Watch,
    log,
)
from parlour.server.store.schema import MIGRATIONS, NEWEST, version_of
from parlour.server.store.sql_store import SqlStore, new_process
from parlour.server.store.statements import SqlConnection
from parlour.server.store.store import Heard, InDoubt, StoreRefused
from parlour.server.store.writer import Job, Outcomes, carried_out, in_order

T = TypeVar("T")

READERS = 4
ATTEMPTS = 4
"""How often a transaction is begun that others got in the way of."""
LOCK_KEY = 0x7061726C6F7572
"""The advisory lock under which tables are made, changed or moved."""
LOCK_WAIT = "60s"


class PostgresStore(SqlStore):
    """Keeps games in a database. Made inside the event loop."""

    IS_SHARED = True

    def __init__(self, url: str, now: Callable[[], int]) -> None:
        """Connect, and make or migrate the tables. Raises `StoreRefused`."""
        self._address = Address(url)
        process, started = new_process(), now()
        connection = self._address.checked()
        try:
            with connection.transaction():
                migrate(connection, self._address.name)
                statements.make_secret(Statements(connection))
                statements.beat(Statements(connection), process, started, started)
            (syncs,) = connection.execute("SHOW fsync").fetchone() or ("on",)
            if syncs != "on":
                log.warning("%s runs with fsync = off: a power failure loses games", self.name)
        except psycopg.Error as error:
            raise self._address.refused(error) from None
        finally:
            connection.close()
        self._gate = Gate()
        self._links: list[PostgresLink] = []
        self._watch = Watch(self._links)
        self._watch.start()
        self._own = threading.local()
        self._serials = itertools.count()
        self._listener: NoticeListener | None = None
        super().__init__(process, started, READERS)

    @property
    def name(self) -> str:
        """Where it is, in words."""
        return self._address.name

    def _link(self) -> PostgresLink:
        """The one of this thread."""
        link: PostgresLink | None = getattr(self._own, "link", None)
        if link is None:
            link = self._own.link = PostgresLink(self._address, self._gate)
            self._links.append(link)
        return link

    # Writing: the writer's thread.

    def _write(self, batch: list[Job]) -> Outcomes:
        link = self._link()
        failure = StoreUnavailable("nothing can be stored at the moment: the database is busy")
        for _ in range(ATTEMPTS):
            try:
                return self._in_one_transaction(link, in_order(batch))
            except StoreUnavailable as error:
                failure = error
                break
            except (errors.DeadlockDetected, errors.SerializationFailure):
                continue
            except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
                if len(batch) > 1:  # one of them is at fault: the others are stored without it
                    return [outcome for job in batch for outcome in self._write([job])]
                failure = self._failure(error)
                break
            except Exception as error:
                failure = self._failure(error)
                if not isinstance(error, _ConnectionLost):
                    break
        return [(job, failure) for job in batch]

    def _in_one_transaction(self, link: PostgresLink, batch: list[Job]) -> Outcomes:
        """All of it in two ways to the database and back, where nothing is out of the ordinary."""
        connection = link.connection()
        ended: psycopg.Cursor[tuple[Any, ...]] | None = None
        is_committing = False
        try:
            with link.waiting(), connection.pipeline() as pipeline:
                connection.execute("BEGIN")
                outcomes = carried_out(Statements(connection), batch)
                for text in self._notices(outcomes):
                    connection.execute(f"SELECT pg_notify('{CHANNEL}', %s)", (text,))
                if not all(job.change for job in batch):
                    # Nobody may have looked at a result yet: a connection that was lost long ago
                    # is found out now, when nothing is in doubt.
                    pipeline.sync()
                is_committing = True
                ended = connection.execute("COMMIT")
        except BaseException as error:
            lost = is_lost(connection, error)
            link.drop()
            if ended is not None and ended.statusmessage == "COMMIT":
                return outcomes  # it was lost afterwards
            if lost and is_committing:
                log.warning("the database was lost at a commit: %s", self._address.words(error))
                raise InDoubt("the database was lost while this was being stored") from error
            if lost:
                raise _ConnectionLost(self._address.words(error)) from error
            raise
        if ended.statusmessage != "COMMIT":
            link.drop()
            raise StoreUnavailable("nothing can be stored at the moment: it was rolled back")
        return outcomes

    def _notices(self, outcomes: Outcomes) -> list[str]:
        done = [job for job, result in outcomes if not isinstance(result, Exception)]
        stored = [told for job in done for told in job.tells]
        words = [Heard(job.game, 0, job.words) for job in done if job.words]
        return notices(self.id, self._serials, stored, words)

    def _failure(self, error: BaseException) -> StoreUnavailable:
        """What a client is told; who runs the server finds the rest in the log."""
        log.warning("the database refused something: %s", self._address.words(error))
        what = "is full" if isinstance(error, errors.DiskFull) else "refuses at the moment"
        return StoreUnavailable(f"nothing can be stored at the moment: the database {what}")

    # Reading: the readers' threads.

    def _read(self, work: Callable[[SqlConnection], T], at_one_moment: bool) -> T:
        link = self._link()
        for is_last in (False, True):
            connection = link.connection()
            try:
                if not at_one_moment:
                    with link.waiting():
                        return work(Statements(connection))
                with link.waiting(), connection.pipeline():
                    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    result = work(Statements(connection))
                    connection.execute("COMMIT")
                return result
            except psycopg.DataError:  # a text that no database can hold
                link.drop()
                raise NotFound("there is no such thing") from None
            except psycopg.Error as error:
                # The way may have been lost long ago: a new one tells.
                lost = is_lost(connection, error)
                link.drop()
                if is_last or not lost:
                    raise self._failure(error) from None
        raise AssertionError("unreachable")

    # Others.

    def listen(self, heard: Callable[[Heard], None]) -> None:
        """Call that for what other processes store or whisper."""
        self._listener = NoticeListener(self._address.connected, self.id, self._loop, heard)
        self._listener.start()

    async def close(self) -> None:
        """Store what is waiting, and let go."""
        if self._listener is not None:
            await self._loop.run_in_executor(None, self._listener.end)
        await super().close()
        await self._loop.run_in_executor(None, self._watch.end)

    def _let_go(self) -> None:
        for link in self._links:
            link.drop()


def is_lost(connection: Postgres, error: BaseException) -> bool:
    """Whether the connection is gone, rather than something refused on it."""
    last_words = error.diag.severity_nonlocalized if isinstance(error, psycopg.Error) else None
    return connection.broken or connection.closed or last_words in ("FATAL", "PANIC")


class _ConnectionLost(Exception):
    """The connection was lost before anything was committed."""


def migrate(connection: Postgres, name: str) -> None:
    """Bring the tables to the newest version, inside a transaction; `StoreRefused`.

    Of several processes that start at once one does it, and the others wait.
    """
    hold_tables(connection, name)
    plain = Statements(connection)
    for number in range(version_of(plain, name) + 1, NEWEST + 1):
        for statement in MIGRATIONS[number]:
            # Texts are compared sign by sign, as in SQLite, whatever the database's language.
            plain.execute(re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', statement))
        plain.execute("INSERT INTO schema_version VALUES (?)", (number,))


def hold_tables(connection: Postgres, name: str) -> None:
    """Let no other process make, change or move the tables until the transaction ends."""
    connection.execute("SET LOCAL statement_timeout = 0")
    connection.execute(f"SET LOCAL lock_timeout = '{LOCK_WAIT}'")
    try:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK_KEY,))
    except errors.LockNotAvailable:
        raise StoreRefused(f"{name} is being moved or migrated: try again later") from None
