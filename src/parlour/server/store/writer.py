"""Group commit: pending changes are stored together in one transaction.

A durable transaction costs a disk sync, whatever its size. One thread therefore writes all
pending changes at once; a refused change is rolled back alone.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from parlour.core.errors import ParlourError
from parlour.protocol.errors import StoreUnavailable
from parlour.server.store import statements
from parlour.server.store.statements import SqlConnection
from parlour.server.store.store import Change

T = TypeVar("T")
Outcomes = list[tuple["Job", Any]]
"""The result of each job, or the `ParlourError` that refused it."""

MOST_AT_ONCE = 256
"""Maximum jobs in a transaction."""


class Job(NamedTuple):
    """A pending write: a plain change (see `statements.is_plain`), or a function."""

    future: "asyncio.Future[Any]"
    game: str = ""
    """Id of the affected game, if there is one."""
    change: Change | None = None
    work: Callable[[SqlConnection], Any] | None = None
    announces: tuple[tuple[str, int], ...] = ()
    """Games and versions to announce to other processes after the commit."""
    words: bytes = b""
    """Message to broadcast to other processes."""


class Writer:
    """Writer thread. `write` executes jobs in one transaction and never raises."""

    def __init__(self, write: Callable[[list[Job]], Outcomes]) -> None:
        """Start the thread; call this inside the event loop."""
        self.stored: Callable[[int, float], object] = _ignore
        """Called in the writer thread with the number of jobs and the seconds of a transaction."""
        self._write = write
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def submit(self, job: Job) -> Any:
        """Execute a job and return its result once it is stored."""
        if not self._thread.is_alive():
            raise StoreUnavailable("the store is closed")
        self._jobs.put(job)  # it is stored even if the caller is cancelled
        return await job.future

    async def close(self) -> None:
        """Write pending jobs and stop."""
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._thread.join)

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                return
            batch = [job]
            with contextlib.suppress(queue.Empty):
                while len(batch) < MOST_AT_ONCE:
                    job = self._jobs.get_nowait()
                    if job is None:
                        self._jobs.put(None)
                        break
                    batch.append(job)
            began = time.perf_counter()
            outcomes = self._write(batch)
            self.stored(len(batch), time.perf_counter() - began)
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(resolve, outcomes)


def _ignore(jobs: int, seconds: float) -> None:
    """Default no-op callback."""


def resolve(outcomes: Outcomes) -> None:
    """Resolve the futures of executed jobs."""
    for job, result in outcomes:
        if job.future.done():
            continue
        if isinstance(result, ParlourError):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)


def in_order(batch: Iterable[Job]) -> list[Job]:
    """Sort jobs by game, so that concurrent processes lock rows in the same order."""
    return sorted(batch, key=lambda job: job.game)


def execute_all(connection: SqlConnection, batch: Sequence[Job]) -> Outcomes:
    """Execute jobs inside an open transaction; a refused job is rolled back alone.

    Plain changes need no savepoint: they are refused before anything is written. Their rows are
    all updated before any result is checked, which takes a single round trip.
    """
    outcomes: Outcomes = []
    for is_plain, jobs in groupby(batch, lambda job: job.change is not None):
        if not is_plain:
            outcomes += [(job, _in_savepoint(connection, job)) for job in jobs]
            continue
        moves = [(job, statements.move(connection, _change(job))) for job in jobs]
        done: list[Change] = []
        for job, moved in moves:
            try:
                statements.check_moved(moved)
            except ParlourError as refusal:
                outcomes.append((job, refusal))
            else:
                done.append(_change(job))
                outcomes.append((job, None))
        statements.follow_all(connection, done)
    return outcomes


def _change(job: Job) -> Change:
    assert job.change is not None
    return job.change


def _in_savepoint(connection: SqlConnection, job: Job) -> Any:
    """Run a job in a savepoint. Return its result, or its refusal after a rollback."""
    if job.work is None:
        return None
    connection.execute("SAVEPOINT one")
    try:
        result = job.work(connection)
    except ParlourError as refusal:
        connection.execute("ROLLBACK TO SAVEPOINT one")
        result = refusal
    connection.execute("RELEASE SAVEPOINT one")
    return result
