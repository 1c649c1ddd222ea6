"""The games of a vector environment in several processes, with arrays in shared memory.

Each process steps a part of the games. Each game has its own random generator, so the results
do not depend on the number of processes.
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
    """All games, divided among worker processes."""

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
            self._receive_all()
        except BaseException:
            self.close()
            raise

    def reset(self, seed: int) -> None:
        """Restart all games."""
        self._ask_all((RESET, seed))

    def step(self, actions: NDArray[np.int64]) -> None:
        """Apply one legal action in every game."""
        self._actions[:] = actions
        self._ask_all((STEP,))

    def refusal(self, index: int, action: int) -> str | None:
        """Return the rule that forbids an action in one game, or `None`."""
        number, place = divmod(index, self._size)
        self._send(number, (REFUSAL, place, action))
        said: str | None = self._receive(number)
        return said

    def close(self) -> None:
        """Stop the processes and release the memory; closing again is a no-op."""
        self.arrays = {}
        self._actions = np.zeros(0, np.int64)
        self._finish()

    def _ask_all(self, message: tuple[Any, ...]) -> None:
        for number in range(len(self._pipes)):
            self._send(number, message)
        self._receive_all()

    def _receive_all(self) -> None:
        """Receive every answer before raising an error, so that none is left in a pipe."""
        failed: ParlourError | None = None
        for number in range(len(self._pipes)):
            try:
                self._receive(number)
            except WorkerLost:
                raise
            except ParlourError as error:
                failed = failed or error
        if failed is not None:
            raise failed

    def _send(self, number: int, message: tuple[Any, ...]) -> None:
        try:
            self._pipes[number].send(message)
        except OSError:
            raise self._lost(number) from None

    def _receive(self, number: int) -> Any:
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
            f"worker process {number + 1} of {total} ended ({how}), and its games are lost: "
            "the environment is closed, make a new one"
        )


def _end(processes: list[BaseProcess], pipes: list[Connection], memory: SharedMemory) -> None:
    """Release everything; also called on garbage collection and at exit."""
    for pipe in pipes:
        pipe.close()  # which tells them to end
    for process in processes:
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()
    processes.clear()
    pipes.clear()
    # An array may still refer to the memory, which is released with the last one.
    with contextlib.suppress(BufferError):
        memory.close()
    memory.unlink()


def _layout(
    game: Game, count: int
) -> Iterator[tuple[str, int, tuple[int, ...], np.dtype[Any], int]]:
    """Yield the name, offset, shape, type and size of each array in shared memory."""
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


# Code of the worker processes.


def _serve(
    pipe: Connection,
    name: str,
    settings: BatchSettings,
    total: int,
    part: tuple[int, int],
    seed: int,
) -> None:
    # A terminal sends Ctrl-C to all processes; only the main process handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory = SharedMemory(name)
    try:
        _work(pipe, _arrays_in(memory, settings.game, total), settings, part, seed)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the main process is gone
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
        pipe.send(_as_library_error(error))
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
            answer = _as_library_error(error)
        pipe.send(answer)


def _as_library_error(error: Exception) -> ParlourError:
    if isinstance(error, ParlourError):
        return error
    return ContractError(f"the games of one process failed: {in_one_line(error)}")
