"""Many changes in one transaction: what waits together is stored together.

A durable transaction costs a sync of the disk, whatever its size. So one thread writes
everything that has come meanwhile in one go; what is refused inside of it is undone alone.
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
"""What each job gave, or the `ParlourError` with which it was refused."""

MOST_AT_ONCE = 256
"""Jobs in one transaction."""


class Job(NamedTuple):
    """Something to be written: a plain change (see `statements.is_plain`), or some work."""

    future: "asyncio.Future[Any]"
    game: str = ""
    """The one that it is for, if it is for one."""
    change: Change | None = None
    work: Callable[[SqlConnection], Any] | None = None
    tells: tuple[tuple[str, int], ...] = ()
    """The games that other processes must know of when it is stored, with their versions."""
    words: bytes = b""
    """What they are told in passing."""


class Writer:
    """The thread that writes. `write` puts jobs into one transaction, and never raises."""

    def __init__(self, write: Callable[[list[Job]], Outcomes]) -> None:
        """It starts at once, inside the event loop."""
        self.stored: Callable[[int, float], object] = _unheard
        """Is told, in that thread, how many jobs a transaction had, and its seconds."""
        self._write = write
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def done(self, job: Job) -> Any:
        """What the job gives, once it is stored."""
        if not self._thread.is_alive():
            raise StoreUnavailable("the store is closed")
        self._jobs.put(job)
        # A caller that goes away meanwhile must not be taken for one that did nothing.
        return await asyncio.shield(job.future)

    async def close(self) -> None:
        """Write what is waiting, and end."""
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
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(tell, outcomes)


def _unheard(jobs: int, seconds: float) -> None:
    """Nobody measures."""


def tell(outcomes: Outcomes) -> None:
    """Let everybody know what became of their jobs."""
    for job, result in outcomes:
        if job.future.done():
            continue
        if isinstance(result, ParlourError):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)


def in_order(batch: Iterable[Job]) -> list[Job]:
    """The jobs game by game, so that two processes that write the same games meet in order."""
    return sorted(batch, key=lambda job: job.game)


def carried_out(connection: SqlConnection, batch: Sequence[Job]) -> Outcomes:
    """Carry the jobs out, inside a transaction that is there; a refusal is undone alone.

    Plain changes need no savepoint: they are refused before anything is written. All of them
    move their rows before it is asked which were moved: one way to the database for many.
    """
    outcomes: Outcomes = []
    for is_plain, jobs in groupby(batch, lambda job: job.change is not None):
        if not is_plain:
            outcomes += [(job, _undoable(connection, job)) for job in jobs]
            continue
        moves = [(job, statements.move(connection, _change(job))) for job in jobs]
        for job, moved in moves:
            try:
                statements.check_moved(moved)
            except ParlourError as refusal:
                outcomes.append((job, refusal))
            else:
                statements.follow(connection, _change(job))
                outcomes.append((job, None))
    return outcomes


def _change(job: Job) -> Change:
    assert job.change is not None
    return job.change


def _undoable(connection: SqlConnection, job: Job) -> Any:
    """What the work gives, or the refusal that it raised, with nothing of it done."""
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
