"""One thread for work whose duration grows with a game; addresses take turns."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from parlour.server.rates import current_address

T = TypeVar("T")

Job = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class Background:
    """Runs jobs outside the event loop, one at a time.

    There is one thread: several would compete with the loop for the interpreter. A job waits for
    at most one job of each other address, however many of them one address has.
    """

    def __init__(self) -> None:
        """Start without jobs."""
        self._thread = ThreadPoolExecutor(1, "games")
        self._waiting: OrderedDict[str, deque[Job]] = OrderedDict()
        """Jobs by address; the first address is next."""
        self._is_running = False

    async def run(self, work: Callable[..., T], *values: Any) -> T:
        """Return the result of work, in the turn of the caller's address."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        jobs = self._waiting.setdefault(current_address.get(), deque())
        jobs.append((partial(work, *values), future))
        self._start_next()
        return await future

    def _start_next(self) -> None:
        while self._waiting and not self._is_running:
            address, jobs = next(iter(self._waiting.items()))
            work, future = jobs.popleft()
            if jobs:
                self._waiting.move_to_end(address)
            else:
                del self._waiting[address]
            if future.done():  # the caller has left
                continue
            running = asyncio.get_running_loop().run_in_executor(self._thread, work)
            self._is_running = True
            running.add_done_callback(partial(self._finish, future))

    def _finish(self, future: "asyncio.Future[Any]", running: "asyncio.Future[Any]") -> None:
        self._is_running = False
        if running.cancelled():
            future.cancel()
        elif (error := running.exception()) is not None:
            if not future.done():
                future.set_exception(error)
        elif not future.done():
            future.set_result(running.result())
        self._start_next()

    def close(self) -> None:
        """Cancel waiting jobs; a running one is not waited for."""
        waiting = [future for jobs in self._waiting.values() for _, future in jobs]
        self._waiting.clear()
        for future in waiting:
            future.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
