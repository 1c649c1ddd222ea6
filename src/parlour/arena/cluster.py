"""Code that Ray and Dask share: batches of games, and the function their workers run.

A cluster needs some milliseconds to schedule a task, so short games are sent in batches. The
first batches hold one game each, later ones as many as take about half a second.
"""

import socket
import threading
import time
from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from parlour._build import __version__
from parlour.agents.isolation import IsolatedAgents
from parlour.arena.contest import play_game
from parlour.arena.errors import MatchError
from parlour.arena.plan import Task
from parlour.arena.runner import Crew, Finished, Setup, check_player
from parlour.core.errors import AgentError, OptionError, in_one_line

CONNECT_SECONDS = 10
BATCH_SECONDS = 0.5
MOST_GAMES = 256
RETRIES = 3
"""How many times a batch is retried after its worker was lost."""


class BatchResult(NamedTuple):
    """The games of a batch, or why it failed, and the time it took."""

    finished: list[Finished]
    seconds: float
    failure: str = ""


def play_batch(setup: Setup, tasks: list[Task], version: str) -> BatchResult:
    """Play these games one after another; runs on a worker."""
    if version != __version__:
        return BatchResult([], 0.0, f"a worker has parlour {__version__}; install {version} there")
    started = time.perf_counter()
    finished: list[Finished] = []
    for task in tasks:
        for text in dict.fromkeys(task.players):
            try:
                _check_once(text, setup)
            except (AgentError, OptionError) as error:
                reason = f"a worker cannot play with {text}: {error}"
                return BatchResult([], 0.0, f"{reason}; install its module on every worker")
        try:
            played, record = play_game(setup.game, task, setup.conditions, isolated=_isolated())
        except Exception as error:
            return BatchResult([], 0.0, f"game {task.number + 1} failed: {in_one_line(error)}")
        finished.append((played, record.to_text()))
    return BatchResult(finished, time.perf_counter() - started)


_here = threading.local()
_checked: set[tuple[str, object]] = set()


def _isolated() -> IsolatedAgents:
    """Return this thread's processes of third-party agents."""
    if not hasattr(_here, "agents"):
        _here.agents = IsolatedAgents()
    found: IsolatedAgents = _here.agents
    return found


def _check_once(text: str, setup: Setup) -> None:
    key = (text, setup.game)
    if key not in _checked:
        check_player(text, setup.game)
        _checked.add(key)


def check_address(address: str, start: str) -> None:
    """Raise `MatchError` unless `HOST:PORT` accepts connections; `start` is the start command.

    The libraries check it too, but only after a minute and with long messages.
    """
    place = address.partition("://")[2] or address
    host, _, port = place.rpartition(":")
    if not (host and port.isdecimal() and int(port) < 65536):
        raise MatchError(
            "a cluster's address must be HOST:PORT, such as localhost:6379 for ray or "
            f"localhost:8786 for dask, not {address}"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except OSError as error:
        raise unreachable(address, start, error) from error


def unreachable(address: str, start: str, error: BaseException) -> MatchError:
    """Return the error for a cluster that does not answer."""
    return MatchError(
        f"no cluster answers at {address or 'this machine'} ({in_one_line(error)[:160]}): start "
        f"one with '{start}', or play here with --on local; finished games are kept"
    )


class ClusterCrew(Crew):
    """Keeps every worker of a cluster busy, with few batches in the queue."""

    name = ""

    def __init__(self, setup: Setup) -> None:
        """Set the setup of the games."""
        self._setup = setup
        self._waiting: dict[Any, int] = {}
        self._size = 1

    # Implemented for each library.

    @abstractmethod
    def _submit(self, tasks: list[Task]) -> Any:
        """Submit a batch; return its handle."""

    @abstractmethod
    def _next(self, waiting: list[Any]) -> tuple[Any, BatchResult]:
        """Wait for a batch; return its handle and result."""

    @abstractmethod
    def _cancel(self, waiting: list[Any]) -> None:
        """Cancel these batches."""

    @abstractmethod
    def _slots(self) -> int:
        """Return how many batches can run at once; clusters grow and shrink."""

    @abstractmethod
    def _leave(self) -> None:
        """Disconnect from the cluster."""

    def play(self, tasks: Iterable[Task]) -> Generator[Finished, None, None]:
        """Play the tasks in batches."""
        left = iter(tasks)
        slots = 0
        came = 0
        while True:
            if came % 16 == 0:
                slots = max(1, self._slots())
            # One batch more than workers, so that none is idle.
            while len(self._waiting) <= slots and (batch := list(islice(left, self._size))):
                self._waiting[self._submit(batch)] = len(batch)
            if not self._waiting:
                return
            yield from self._collect()
            came += 1

    def _collect(self) -> Iterator[Finished]:
        key, batch = self._next(list(self._waiting))
        del self._waiting[key]
        if batch.failure:
            raise MatchError(f"{self.name}: {batch.failure}; finished games are kept")
        self._fit(batch)
        yield from batch.finished

    def _fit(self, batch: BatchResult) -> None:
        """Adapt the size of the next batches; it at most doubles."""
        per_game = batch.seconds / max(1, len(batch.finished))
        wanted = int(BATCH_SECONDS / per_game) if per_game > 0 else MOST_GAMES
        self._size = max(1, min(wanted, 2 * self._size, MOST_GAMES))

    def close(self) -> None:
        """Cancel unfinished batches and disconnect from the cluster."""
        try:
            if self._waiting:
                self._cancel(list(self._waiting))
                self._waiting.clear()
        finally:
            self._leave()
