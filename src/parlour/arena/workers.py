"""Play games in worker processes, each of which creates its own agents.

Workers are spawned, not forked: they start the same way on every system, and inherit only the
game and the texts of the agents. Only the parent writes files.
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

from parlour.agents.isolation import IsolatedAgents
from parlour.agents.process import safe_path
from parlour.arena.contest import NO_SEAT, Fault, lost_by, play_game
from parlour.arena.errors import MatchError
from parlour.arena.plan import Task
from parlour.arena.runner import Crew, Finished, Runner, Setup
from parlour.core.record import Record

MOST_REPLAYS = 2

PR_SET_PDEATHSIG = 1


def available_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class LocalRunner(Runner):
    """Plays on this machine, in this process or in worker processes."""

    def __init__(self, processes: int | None = None) -> None:
        """Use one process per processor by default, or this one for 0; raises `MatchError`."""
        if processes is None:
            processes = available_processors()
        if isinstance(processes, bool) or not isinstance(processes, int) or processes < 0:
            raise MatchError(f"processes must be 0 or more, not {processes!r}")
        self.processes = processes

    def crew(self, setup: Setup) -> "Crew":
        """Return the workers; they are started when there is a game to play."""
        return _Workers(setup, self.processes) if self.processes else _SerialCrew(setup)

    @property
    def parallel(self) -> int:
        """The number of processes."""
        return max(1, self.processes)


class _SerialCrew(Crew):
    """Plays in this process."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._isolated = IsolatedAgents()

    def play(self, tasks: Iterable[Task]) -> Generator[Finished, None, None]:
        game, conditions, logs = self._setup
        for task in tasks:
            played, record = play_game(game, task, conditions, isolated=self._isolated, logs=logs)
            yield played, record.to_text()

    def close(self) -> None:
        self._isolated.close()


class _Worker(NamedTuple):
    process: BaseProcess
    asked: Any
    """The seat whose agent is running, or NO_SEAT; shared with the worker."""


class _Workers(Crew):
    """Worker processes and their tasks."""

    def __init__(self, setup: Setup, processes: int) -> None:
        self.setup = setup
        self.processes = processes
        self.workers: dict[Connection, _Worker] = {}
        self.busy: dict[Connection, Task] = {}
        self.deaths: Counter[int] = Counter()

    def play(self, tasks: Iterable[Task]) -> Generator[Finished, None, None]:
        """Play the tasks; replace a dead worker and replay its game, see `after_death`."""
        waiting = iter(tasks)
        for _ in range(self.processes):
            self.assign(self.idle(), next(waiting, None))
        while self.busy:
            ready = wait(list(self.busy))
            for channel in [channel for channel in self.busy if channel in ready]:
                answer = self.answer(channel)
                if answer is None:
                    continue  # the game is being replayed
                self.assign(self.idle(), next(waiting, None))
                yield answer

    def idle(self) -> Connection | None:
        """Return a worker without a task."""
        return next((channel for channel in self.workers if channel not in self.busy), None)

    def start_worker(self) -> Connection:
        """Start another worker."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        asked = context.RawValue("i", NO_SEAT)
        process = context.Process(
            target=_work, args=(theirs, self.setup, asked, os.getpid()), daemon=True
        )
        # The terminal sends Ctrl-C to every process. It must not hit a worker before it ignores the
        # signal, nor this process before the worker is registered.
        with interrupts_blocked_for_children(), safe_path():
            try:
                process.start()
            except Exception as error:
                raise MatchError(f"cannot start a worker process: {error}") from error
            self.workers[ours] = _Worker(process, asked)
        theirs.close()
        return ours

    def assign(self, channel: Connection | None, task: Task | None) -> None:
        """Send a task, if there is one, to a worker; `None` starts a new worker."""
        if task is None:
            return
        if channel is None:
            channel = self.start_worker()
        self.busy[channel] = task
        # A dead worker is detected when its answer is due.
        with contextlib.suppress(OSError):
            channel.send(task)

    def answer(self, channel: Connection) -> Finished | None:
        """Return the game of a worker; `None` if the worker died and the game is replayed."""
        task = self.busy.pop(channel)
        try:
            answer: Finished | str = channel.recv()
        except (EOFError, OSError):
            return self.after_death(channel, task)
        if isinstance(answer, str):
            raise MatchError(f"game {task.number + 1} failed: {answer}")
        return answer

    def after_death(self, channel: Connection, task: Task) -> Finished | None:
        """Replay the game in a new worker, at most twice.

        After that the agent that was running has lost it; raises `MatchError` if none was.
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
        if seat == NO_SEAT:
            raise MatchError(
                f"the worker process of game {task.number + 1} ended {times} times, last with "
                f"status {status}, while no agent was running"
            )
        fault = Fault(seat, f"crashed: its process ended {times} times, with status {status}")
        record = Record(self.setup.game, task.start_seed)
        return lost_by(fault, task, 0, record), record.to_text()

    def close(self) -> None:
        """Stop every worker."""
        # A second Ctrl-C must not leave some of them running.
        with interrupts_blocked():
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
def interrupts_blocked() -> Iterator[None]:
    """Delay Ctrl-C until the block is done."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def interrupts_blocked_for_children() -> Iterator[None]:
    """Delay Ctrl-C, and hide it from processes started inside the block."""
    if hasattr(signal, "pthread_sigmask"):
        # Its first start unblocks interrupts, so it comes before they are blocked.
        with safe_path():
            resource_tracker.ensure_running()
    with interrupts_blocked():
        yield


def _work(channel: Connection, setup: Setup, asked: Any, master: int) -> None:
    """Play tasks until the pipe is closed; the main function of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with(master)
    isolated = IsolatedAgents()  # its processes end with this one

    def on_agent(seat: int) -> None:
        asked.value = seat

    while True:
        try:
            task: Task = channel.recv()
        except (EOFError, OSError):
            return
        answer: Finished | str
        try:
            played, record = play_game(
                setup.game, task, setup.conditions, on_agent, isolated, logs=setup.logs
            )
            answer = played, record.to_text()
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        try:
            channel.send(answer)
        except OSError:
            return


def _end_with(master: int) -> None:
    """End this process when the master ends, even while an agent is thinking."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is None or (os.name == "posix" and os.getppid() != master):
        os._exit(1)  # the master ended before it could be watched
    # For systems without such a signal, and agents that release the interpreter lock.
    watcher = threading.Thread(target=_watch, args=(parent,), daemon=True)
    watcher.start()


def _watch(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
