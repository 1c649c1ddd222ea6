"""Play games in worker processes, each of which builds the agents that it needs.

Workers are spawned, not forked: they start alike on every system, and inherit nothing but
the game and the texts of the agents. Only the parent writes files.
"""

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Generator, Iterable, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from parlour.agents.apart import ApartAgents
from parlour.agents.process import safe_path
from parlour.arena.contest import Played, play_game
from parlour.arena.errors import MatchError
from parlour.arena.plan import Task
from parlour.core.game import Game

Finished = tuple[Played, str]
"""A game and the text of its record."""


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_here(
    game: Game, agents: Sequence[str], tasks: Iterable[Task]
) -> Generator[Finished, None, None]:
    """Play the tasks one after another in this process."""
    with ApartAgents() as apart:
        for task in tasks:
            played, record = play_game(game, agents, task, apart)
            yield played, record.to_text()


def play_in_workers(
    game: Game, agents: Sequence[str], tasks: Sequence[Task], processes: int
) -> Generator[Finished, None, None]:
    """Play the tasks in so many processes; games come as they end.

    Close the iterator to end the workers early. `MatchError` if a worker dies or a game
    breaks its contract; the workers have ended when it is raised.
    """
    crew: dict[Connection, BaseProcess] = {}
    busy: dict[Connection, Task] = {}
    waiting = iter(tasks)
    try:
        for _ in range(min(processes, len(tasks))):
            _hire(crew, game, agents)
        for channel in list(crew):
            _assign(channel, waiting, busy)
        while busy:
            ready = wait(list(busy))
            for channel in [channel for channel in busy if channel in ready]:
                task = busy.pop(channel)
                answer = _answer(channel, crew[channel], task)
                _assign(channel, waiting, busy)
                yield answer
    finally:
        _dismiss(crew)


def _hire(crew: dict[Connection, BaseProcess], game: Game, agents: Sequence[str]) -> None:
    """Start one more worker."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    worker = context.Process(target=_work, args=(theirs, game, tuple(agents)), daemon=True)
    if hasattr(signal, "pthread_sigmask"):
        # Its first start lets interrupts through again, so it comes before they are held back.
        with safe_path():
            resource_tracker.ensure_running()
    # A Ctrl-C reaches every process of the terminal. It must not hit a worker that has not
    # come to ignore it yet, nor this process between the start and the entry in the crew.
    with interrupts_held_back(), safe_path():
        try:
            worker.start()
        except Exception as error:
            raise MatchError(f"a worker process cannot be started: {error}") from error
        crew[ours] = worker
    theirs.close()


@contextlib.contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Let a Ctrl-C wait until the block is done."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _assign(channel: Connection, waiting: Iterator[Task], busy: dict[Connection, Task]) -> None:
    """Give a worker its next task, if there is one."""
    task = next(waiting, None)
    if task is None:
        return
    busy[channel] = task
    # A worker that has died is noticed when its answer is due.
    with contextlib.suppress(OSError):
        channel.send(task)


def _answer(channel: Connection, worker: BaseProcess, task: Task) -> Finished:
    try:
        answer: Finished | str = channel.recv()
    except (EOFError, OSError):
        worker.join(5)
        raise MatchError(
            f"the worker process of game {task.number + 1} ended with status {worker.exitcode}"
        ) from None
    if isinstance(answer, str):
        raise MatchError(f"game {task.number + 1} failed: {answer}")
    return answer


def _dismiss(crew: dict[Connection, BaseProcess]) -> None:
    """End every worker, at once and for certain."""
    # Who presses Ctrl-C once more should not be left with half of them.
    with interrupts_held_back():
        for worker in crew.values():
            worker.terminate()
        for channel, worker in crew.items():
            worker.join(5)
            if worker.is_alive():
                worker.kill()
                worker.join()
            channel.close()


def _work(channel: Connection, game: Game, agents: Sequence[str]) -> None:
    """A worker's life: play what comes until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    apart = ApartAgents()  # its processes end with this one
    while True:
        try:
            task: Task = channel.recv()
        except (EOFError, OSError):
            return
        answer: Finished | str
        try:
            played, record = play_game(game, agents, task, apart)
            answer = played, record.to_text()
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        try:
            channel.send(answer)
        except OSError:
            return
