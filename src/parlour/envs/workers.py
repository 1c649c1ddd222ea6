"""The games of a vector environment in several processes, shown in memory that they share.

Each process steps a part of the games. A game's random numbers are its own, so that it goes the
same way whichever process has it.
"""

import contextlib
import signal
import weakref
from collections.abc import Iterator
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.core.errors import ContractError, ParlourError, in_one_line
from parlour.core.game import Game
from parlour.envs.batches import Arrays, BatchSettings, Column, columns, live_arrays
from parlour.envs.errors import WorkerLost

RESET = "reset"
STEP = "step"
REFUSAL = "refusal"

PATIENCE = 5.0
"""Seconds that a process may take to end by itself."""

ALIGNMENT = 64


class WorkerGames:
    """All games, in parts of about the same size."""

    def __init__(self, settings: BatchSettings, count: int, seed: int, processes: int) -> None:
        """Start the processes and the games."""
        self._size = -(-count // processes)
        self._memory = SharedMemory(create=True, size=_bytes_needed(settings.game, count))
        shared = _arrays_in(self._memory, settings.game, count)
        self._actions = shared.pop("actions")
        self.arrays = shared
        context = get_context("spawn")
        self._pipes: list[Connection] = []
        self._processes: list[BaseProcess] = []
        self._finish = weakref.finalize(self, _end, self._processes, self._pipes, self._memory)
        try:
            for first in range(0, count, self._size):
                ours, theirs = context.Pipe()
                part = (first, min(self._size, count - first))
                process = context.Process(
                    target=_serve,
                    args=(theirs, self._memory.name, settings, count, part, seed),
                    daemon=True,
                )
                process.start()
                theirs.close()
                self._pipes.append(ours)
                self._processes.append(process)
            self._hear_all()
        except BaseException:
            self.close()
            raise

    def reset(self, seed: int) -> None:
        """Start all games anew."""
        self._ask_all((RESET, seed))

    def step(self, actions: NDArray[np.int64]) -> None:
        """A decision in every game, all of them legal."""
        self._actions[:] = actions
        self._ask_all((STEP,))

    def refusal(self, index: int, action: int) -> str | None:
        """The rule against an action in one game."""
        number, place = divmod(index, self._size)
        self._tell(number, (REFUSAL, place, action))
        said: str | None = self._hear(number)
        return said

    def close(self) -> None:
        """End the processes and give the memory back; a second time does nothing."""
        self.arrays = {}
        self._actions = np.zeros(0, np.int64)
        self._finish()

    def _ask_all(self, message: tuple[Any, ...]) -> None:
        for number in range(len(self._pipes)):
            self._tell(number, message)
        self._hear_all()

    def _hear_all(self) -> None:
        """Hear every process before anything is raised: no answer must be left for later."""
        failed: ParlourError | None = None
        for number in range(len(self._pipes)):
            try:
                self._hear(number)
            except WorkerLost:
                raise
            except ParlourError as error:
                failed = failed or error
        if failed is not None:
            raise failed

    def _tell(self, number: int, message: tuple[Any, ...]) -> None:
        try:
            self._pipes[number].send(message)
        except OSError:
            raise self._lost(number) from None

    def _hear(self, number: int) -> Any:
        pipe, process = self._pipes[number], self._processes[number]
        connection.wait([pipe, process.sentinel])
        try:
            if not pipe.poll():
                raise EOFError
            answer = pipe.recv()
        except (EOFError, OSError):
            raise self._lost(number) from None
        if isinstance(answer, ParlourError):
            raise answer
        return answer

    def _lost(self, number: int) -> WorkerLost:
        process = self._processes[number]
        process.join(PATIENCE)
        code, total = process.exitcode, len(self._processes)
        self.close()
        how = f"exit code {code}"
        if code is not None and code < 0:
            how = f"killed by {signal.Signals(-code).name}"
        return WorkerLost(
            f"process {number + 1} of {total} has ended ({how}), and its games are lost: "
            "the environment is closed, make a new one"
        )


def _end(processes: list[BaseProcess], pipes: list[Connection], memory: SharedMemory) -> None:
    """End what is left; also called when the environment is forgotten, or the program ends."""
    for pipe in pipes:
        pipe.close()  # which they take for the end
    for process in processes:
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()
    processes.clear()
    pipes.clear()
    # Somebody may still hold an array of it; it goes with the last one.
    with contextlib.suppress(BufferError):
        memory.close()
    memory.unlink()


def _layout(
    game: Game, count: int
) -> Iterator[tuple[str, int, tuple[int, ...], np.dtype[Any], int]]:
    """Name, place, shape, type and size of each array in the shared memory."""
    place = 0
    for name, (shape, kind) in {**columns(game), "actions": Column((), np.int64)}.items():
        whole = (count, *shape)
        dtype: np.dtype[Any] = np.dtype(kind)
        size = int(np.prod(whole)) * dtype.itemsize
        yield name, place, whole, dtype, size
        place += -(-size // ALIGNMENT) * ALIGNMENT


def _bytes_needed(game: Game, count: int) -> int:
    return max(place + size for _, place, _, _, size in _layout(game, count))


def _arrays_in(memory: SharedMemory, game: Game, count: int) -> Arrays:
    return {
        name: np.ndarray(shape, dtype, memory.buf, place)
        for name, place, shape, dtype, _ in _layout(game, count)
    }


# What runs in the other processes.


def _serve(
    pipe: Connection,
    name: str,
    settings: BatchSettings,
    total: int,
    part: tuple[int, int],
    seed: int,
) -> None:
    # Ctrl-C goes to all processes of a terminal; the one that was asked for answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory = SharedMemory(name)
    try:
        _work(pipe, _arrays_in(memory, settings.game, total), settings, part, seed)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # nobody asks any more
    finally:
        with contextlib.suppress(BufferError):
            memory.close()


def _work(
    pipe: Connection, shared: Arrays, settings: BatchSettings, part: tuple[int, int], seed: int
) -> None:
    first, count = part
    rows = slice(first, first + count)
    try:
        batch = settings.batch(count, first, seed)
    except Exception as error:
        pipe.send(_said(error))
        return
    live = live_arrays(batch)

    def show() -> None:
        for name, array in live.items():
            shared[name][rows] = array

    show()
    pipe.send(None)
    while True:
        message = pipe.recv()
        try:
            if message[0] == STEP:
                batch.step(shared["actions"][rows])
                show()
                answer: object = None
            elif message[0] == RESET:
                batch.reset(message[1])
                show()
                answer = None
            else:
                answer = batch.state(message[1]).refusal(message[2])
        except Exception as error:
            answer = _said(error)
        pipe.send(answer)


def _said(error: Exception) -> ParlourError:
    if isinstance(error, ParlourError):
        return error
    return ContractError(f"the games of one process failed: {in_one_line(error)}")
