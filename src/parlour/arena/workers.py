"""Play games in worker processes, each of which builds the agents that it needs.

Workers are spawned, not forked: they start alike on every system, and inherit nothing but
the game and the texts of the agents. Only the parent writes files.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from parlour.agents.apart import ApartAgents
from parlour.agents.process import safe_path
from parlour.arena.contest import NOBODY, Fault, lost_by, play_game
from parlour.arena.errors import MatchError
from parlour.arena.plan import Task
from parlour.arena.runner import Crew, Finished, Runner, Setup
from parlour.core.record import Record

MOST_REPLAYS = 2

PR_SET_PDEATHSIG = 1


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class LocalRunner(Runner):
    """Plays on this machine: in this process, or in worker processes."""

    def __init__(self, processes: int | None = None) -> None:
        """By default one process per processor; 0 plays in this one. `MatchError` for nonsense."""
        if processes is None:
            processes = available_processors()
        if isinstance(processes, bool) or not isinstance(processes, int) or processes < 0:
            raise MatchError(f"processes is a number from 0 on, not {processes!r}")
        self.processes = processes

    def crew(self, setup: Setup) -> "Crew":
        """None is started before there is a game to play."""
        return _Workers(setup, self.processes) if self.processes else _Alone(setup)

    @property
    def parallel(self) -> int:
        """The processes."""
        return max(1, self.processes)


class _Alone(Crew):
    """Plays in this process."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._apart = ApartAgents()

    def play(self, tasks: Iterable[Task]) -> Generator[Finished, None, None]:
        game, conditions, logs = self._setup
        for task in tasks:
            played, record = play_game(game, task, conditions, apart=self._apart, logs=logs)
            yield played, record.to_text()

    def close(self) -> None:
        self._apart.close()


class _Worker(NamedTuple):
    process: BaseProcess
    asked: Any
    """The seat whose agent is at work there, or NOBODY: shared with the worker."""


class _Workers(Crew):
    """Worker processes, and what each of them plays."""

    def __init__(self, setup: Setup, processes: int) -> None:
        self.setup = setup
        self.processes = processes
        self.workers: dict[Connection, _Worker] = {}
        self.busy: dict[Connection, Task] = {}
        self.deaths: Counter[int] = Counter()

    def play(self, tasks: Iterable[Task]) -> Generator[Finished, None, None]:
        """A worker that dies is replaced and its game played again, as `after_a_death` says."""
        waiting = iter(tasks)
        for _ in range(self.processes):
            self.assign(self.idle(), next(waiting, None))
        while self.busy:
            ready = wait(list(self.busy))
            for channel in [channel for channel in self.busy if channel in ready]:
                answer = self.answer(channel)
                if answer is None:
                    continue  # the game is being played again
                self.assign(self.idle(), next(waiting, None))
                yield answer

    def idle(self) -> Connection | None:
        """A worker that has nothing to do."""
        return next((channel for channel in self.workers if channel not in self.busy), None)

    def hire(self) -> Connection:
        """Start one more worker."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        asked = context.RawValue("i", NOBODY)
        process = context.Process(
            target=_work, args=(theirs, self.setup, asked, os.getpid()), daemon=True
        )
        # A Ctrl-C reaches every process of the terminal. It must not hit a worker that has not
        # come to ignore it yet, nor this process between the start and the entry in the crew.
        with interrupts_held_back_for_children(), safe_path():
            try:
                process.start()
            except Exception as error:
                raise MatchError(f"a worker process cannot be started: {error}") from error
            self.workers[ours] = _Worker(process, asked)
        theirs.close()
        return ours

    def assign(self, channel: Connection | None, task: Task | None) -> None:
        """Give a worker its next task, if there is one; `None`: to a new worker."""
        if task is None:
            return
        if channel is None:
            channel = self.hire()
        self.busy[channel] = task
        # A worker that has died is noticed when its answer is due.
        with contextlib.suppress(OSError):
            channel.send(task)

    def answer(self, channel: Connection) -> Finished | None:
        """The game that a worker has finished; `None` if it died and the game is played again."""
        task = self.busy.pop(channel)
        try:
            answer: Finished | str = channel.recv()
        except (EOFError, OSError):
            return self.after_a_death(channel, task)
        if isinstance(answer, str):
            raise MatchError(f"game {task.number + 1} failed: {answer}")
        return answer

    def after_a_death(self, channel: Connection, task: Task) -> Finished | None:
        """Play the game again in a new worker, twice at most.

        Then the agent that was asked last has lost it, from the start; `MatchError` if none was.
        """
        worker = self.workers.pop(channel)
        channel.close()
        worker.process.join(5)
        status = worker.process.exitcode
        self.deaths[task.number] += 1
        if self.deaths[task.number] <= MOST_REPLAYS:
            self.assign(None, task)
            return None
        seat = worker.asked.value
        times = self.deaths[task.number]
        if seat == NOBODY:
            raise MatchError(
                f"the worker process of game {task.number + 1} ended {times} times, at last with "
                f"status {status}, and no agent was asked then"
            )
        fault = Fault(seat, f"crashed: its process ended {times} times, with status {status}")
        record = Record(self.setup.game, task.start_seed)
        return lost_by(fault, task, 0, record), record.to_text()

    def close(self) -> None:
        """End every worker, at once and for certain."""
        # Who presses Ctrl-C once more should not be left with half of them.
        with interrupts_held_back():
            for worker in self.workers.values():
                worker.process.terminate()
            for channel, worker in self.workers.items():
                worker.process.join(5)
                if worker.process.is_alive():
                    worker.process.kill()
                    worker.process.join()
                channel.close()
            self.workers.clear()
            self.busy.clear()


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


@contextlib.contextmanager
def interrupts_held_back_for_children() -> Iterator[None]:
    """The same, and processes that are started meanwhile never see one."""
    if hasattr(signal, "pthread_sigmask"):
        # Its first start lets interrupts through again, so it comes before they are held back.
        with safe_path():
            resource_tracker.ensure_running()
    with interrupts_held_back():
        yield


def _work(channel: Connection, setup: Setup, asked: Any, master: int) -> None:
    """A worker's life: play what comes until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with(master)
    apart = ApartAgents()  # its processes end with this one

    def tell(seat: int) -> None:
        asked.value = seat

    while True:
        try:
            task: Task = channel.recv()
        except (EOFError, OSError):
            return
        answer: Finished | str
        try:
            played, record = play_game(
                setup.game, task, setup.conditions, tell, apart, logs=setup.logs
            )
            answer = played, record.to_text()
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        try:
            channel.send(answer)
        except OSError:
            return


def _end_with(master: int) -> None:
    """End this process as soon as the master has, even in the middle of a thought."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is None or (os.name == "posix" and os.getppid() != master):
        os._exit(1)  # it ended before it could be watched
    # Where the system does not see to it, and for a thought that lets other threads in.
    watcher = threading.Thread(target=_watch, args=(parent,), daemon=True)
    watcher.start()


def _watch(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
