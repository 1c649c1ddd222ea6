"""What Ray and Dask have in common: batches of games, and what a worker of theirs does.

A cluster takes some milliseconds to hand out a piece of work. Short games therefore travel in
batches: the first hold one game each, later ones as many as fill about half a second.
"""

import socket
import threading
import time
from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from parlour._build import __version__
from parlour.agents.apart import ApartAgents
from parlour.arena.contest import play_game
from parlour.arena.errors import MatchError
from parlour.arena.plan import Task
from parlour.arena.runner import Crew, Finished, Setup, check_player
from parlour.core.errors import AgentError, OptionError, in_one_line

CONNECT_SECONDS = 10
BATCH_SECONDS = 0.5
MOST_GAMES = 256
RETRIES = 3
"""How often a batch whose worker was lost is played again."""


class BatchResult(NamedTuple):
    """What came back: the games, or why there are none, and how long they took."""

    finished: list[Finished]
    seconds: float
    failure: str = ""


def play_batch(setup: Setup, tasks: list[Task], version: str) -> BatchResult:
    """Runs on a worker: play these games, one after another."""
    if version != __version__:
        return BatchResult(
            [], 0.0, f"a worker has parlour {__version__}, not {version}: install it there"
        )
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
            played, record = play_game(setup.game, task, setup.conditions, apart=_apart())
        except Exception as error:
            return BatchResult([], 0.0, f"game {task.number + 1} failed: {in_one_line(error)}")
        finished.append((played, record.to_text()))
    return BatchResult(finished, time.perf_counter() - started)


_here = threading.local()
_checked: set[tuple[str, object]] = set()


def _apart() -> ApartAgents:
    """The processes of other people's agents; threads of one worker do not share them."""
    if not hasattr(_here, "apart"):
        _here.apart = ApartAgents()
    found: ApartAgents = _here.apart
    return found


def _check_once(text: str, setup: Setup) -> None:
    key = (text, setup.game)
    if key not in _checked:
        check_player(text, setup.game)
        _checked.add(key)


def check_address(address: str, start: str) -> None:
    """`MatchError` unless somebody listens at `HOST:PORT`; `start` is how to start a cluster.

    The libraries find out for themselves, but only after a minute, and with many words.
    """
    place = address.partition("://")[2] or address
    host, _, port = place.rpartition(":")
    if not (host and port.isdecimal() and int(port) < 65536):
        raise MatchError(
            "a cluster's address is HOST:PORT, such as localhost:6379 of ray or localhost:8786 "
            f"of dask, not {address}"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except OSError as error:
        raise unreachable(address, start, error) from error


def unreachable(address: str, start: str, error: BaseException) -> MatchError:
    """What to say of a cluster that does not answer."""
    return MatchError(
        f"no cluster answers at {address or 'this machine'} ({in_one_line(error)[:160]}): start "
        f"one with '{start}', or play here with --on local; finished games are kept"
    )


class ClusterCrew(Crew):
    """Keeps every worker of a cluster busy, and no more games waiting than that takes."""

    name = ""

    def __init__(self, setup: Setup) -> None:
        """Games of that setup."""
        self._setup = setup
        self._waiting: dict[Any, int] = {}
        self._size = 1

    # What a cluster's library does.

    @abstractmethod
    def _submit(self, tasks: list[Task]) -> Any:
        """Send a batch off; what it will be known by."""

    @abstractmethod
    def _next(self, waiting: list[Any]) -> tuple[Any, BatchResult]:
        """One of those that have come back, and what it brought."""

    @abstractmethod
    def _cancel(self, waiting: list[Any]) -> None:
        """Forget these."""

    @abstractmethod
    def _slots(self) -> int:
        """How many batches can be played at the same time now; clusters grow and shrink."""

    @abstractmethod
    def _leave(self) -> None:
        """Let go of the cluster."""

    def play(self, tasks: Iterable[Task]) -> Generator[Finished, None, None]:
        """Play the tasks, in batches."""
        left = iter(tasks)
        slots = 0
        came = 0
        while True:
            if came % 16 == 0:
                slots = max(1, self._slots())
            # One batch more than there are workers: nobody waits for the next one.
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
        """Choose the size of the next batches; it never more than doubles."""
        per_game = batch.seconds / max(1, len(batch.finished))
        wanted = int(BATCH_SECONDS / per_game) if per_game > 0 else MOST_GAMES
        self._size = max(1, min(wanted, 2 * self._size, MOST_GAMES))

    def close(self) -> None:
        """Forget what is not finished, and leave the cluster."""
        try:
            if self._waiting:
                self._cancel(list(self._waiting))
                self._waiting.clear()
        finally:
            self._leave()
