"""Pool of agent processes, shared fairly by all tables.

Requests that a person waits for come first. Among equals, the table that has used the least time
comes first. A process that crashes or hangs is replaced, and its request is retried.
"""

import asyncio
import heapq
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from parlour.agents import Agent, AgentFault, Limit
from parlour.agents.guard import choice_of
from parlour.agents.parallel import free_cores, with_free_cores
from parlour.agents.process import AgentProcess, Interrupted
from parlour.agents.registry import agent, is_installed, seeded
from parlour.core.checks import shown
from parlour.core.errors import AgentError, ParlourError
from parlour.core.game import State
from parlour.protocol.errors import ServerClosing
from parlour.server.metrics import Metrics
from parlour.server.settings import Settings
from parlour.table.errors import Busy
from parlour.table.notes import without_seed

log = logging.getLogger("parlour.server")

ATTEMPTS = 3
TABLES_COUNTED = 10_000
"""Maximum tables tracked: finished games can still be analysed, so entries may never be dropped."""
FALLBACK = "random"
"""Agent that plays when another one fails repeatedly."""
WEAK = "level:1"


class AgentRequest(NamedTuple):
    """A request to an agent, ordered by priority."""

    is_background: bool
    used: float
    order: int
    table: str
    ask: Callable[[AgentProcess], Any]
    answer: "asyncio.Future[Any]"
    processes: int = 1
    """Number of processes in which the agent thinks; its table is charged for all of them."""

    def __lt__(self, other: object) -> bool:
        """Whether this request comes before another one."""
        assert isinstance(other, AgentRequest)
        return self[:3] < other[:3]


class AgentPool:
    """A fixed number of agent processes and a priority queue."""

    def __init__(
        self, settings: Settings, now: Callable[[], float], metrics: Metrics | None = None
    ) -> None:
        """Create a stopped pool; `now` returns seconds."""
        self._settings = settings
        self._metrics = metrics or Metrics()
        self._now = now
        self._queue: list[AgentRequest] = []
        self._arrived = asyncio.Condition()
        self._order = 0
        self._used: dict[str, float] = {}
        self._threads = ThreadPoolExecutor(settings.agents, "agents")
        self._workers: list[asyncio.Task[None]] = []
        self._hosts: list[AgentProcess] = []
        self._is_closed = False
        self.answered = 0
        self.replaced = 0
        self.busy = 0
        """Number of processes that are thinking."""

    def start(self) -> None:
        """Start serving requests."""
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._settings.agents)]

    def adopt(self, settings: Settings) -> None:
        """Apply new settings, except for the number of processes."""
        self._settings = settings
        for host in self._hosts:
            host.seconds = settings.agent_seconds

    @property
    def size(self) -> int:
        """The number of processes."""
        return len(self._workers)

    @property
    def waiting(self) -> int:
        """The number of queued requests."""
        return len(self._queue)

    def check_room(self) -> None:
        """Raise `Busy` if the queue has no room for the agents of a new table."""
        if len(self._queue) >= self._settings.agent_queue:
            raise Busy(f"{len(self._queue)} agent requests are already queued: try again later")

    def drop(self, table: str) -> None:
        """Drop the time account of a finished table."""
        self._used.pop(table, None)

    async def choose(
        self, table: str, text: str, seed: int, state: State, limit: Limit | None, waits: bool
    ) -> int:
        """Return the action that an agent plays; `waits` means that a person waits for it.

        `state` is the agent's view. If the agent fails repeatedly, a random action is returned.
        Agents in a store can only be installed ones: no command or class is loaded. Raise
        `ServerClosing` when the pool closes.
        """
        if self._used.get(table, 0.0) > self._settings.agent_budget:
            text = WEAK
        try:
            text = _checked(text, seed)
        except ParlourError as error:
            log.error("an agent cannot play: %s", error, extra={"table": table})
            text = seeded(FALLBACK, seed)
        processes = 1
        if waits:
            # Queued requests will soon need the other cores.
            free = free_cores() - self.busy - self.waiting
            text, processes = with_free_cores(text, state.game, free)
        for attempt in range(ATTEMPTS):
            try:
                ask = partial(_choice, text, state, limit)
                return int(await self._submit(table, waits, ask, processes))
            except AgentFault as fault:
                self.replaced += 1
                self._metrics.agents_replaced.inc()
                fields = {"table": table, "agent": without_seed(text), "attempt": attempt + 1}
                log.warning("an agent failed: %s", fault, extra=fields)
            except ServerClosing:
                raise
            except Interrupted as error:
                raise ServerClosing("the server is shutting down") from error
            except ParlourError as error:
                fields = {"table": table, "agent": without_seed(text)}
                log.error("an agent cannot play: %s", error, extra=fields)
                break
        return choice_of(agent(seeded(FALLBACK, seed)), state, None)

    async def run(self, table: str, work: Callable[[Agent], Any], text: str) -> Any:
        """Run work with an agent for a person who waits. Raise its `ParlourError`."""
        self.check_room()
        return await self._submit(table, True, lambda host: _with_agent(host, text, work))

    async def _submit(
        self, table: str, waits: bool, ask: Callable[[AgentProcess], Any], processes: int = 1
    ) -> Any:
        if self._is_closed:
            raise ServerClosing("the server is shutting down")
        self._order += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        used = self._used.get(table, 0.0)
        request = AgentRequest(not waits, used, self._order, table, ask, future, processes)
        heapq.heappush(self._queue, request)
        async with self._arrived:
            self._arrived.notify()
        return await future

    def ahead_of(self, waits: bool) -> int:
        """Return the number of queued requests before a new one."""
        return sum(1 for each in self._queue if each.is_background <= (not waits))

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        host = self._new_host()
        while True:
            async with self._arrived:
                while not self._queue:
                    await self._arrived.wait()
                request = heapq.heappop(self._queue)
            if request.answer.done():
                continue
            began = self._now()
            self.busy += 1
            try:
                found = await loop.run_in_executor(self._threads, request.ask, host)
            except Exception as error:
                if not request.answer.done():
                    request.answer.set_exception(error)
            else:
                self.answered += 1
                if not request.answer.done():
                    request.answer.set_result(found)
            self.busy -= 1
            seconds = self._now() - began
            self._metrics.thoughts.observe(seconds)
            self._count(request.table, seconds * request.processes)

    def _count(self, table: str, seconds: float) -> None:
        """Charge a table for thinking time, and drop the oldest accounts if there are too many."""
        self._used[table] = self._used.pop(table, 0.0) + seconds
        if len(self._used) > TABLES_COUNTED:
            del self._used[next(iter(self._used))]

    def _new_host(self) -> AgentProcess:
        host = AgentProcess(self._settings.agent_memory)
        host.seconds = self._settings.agent_seconds
        self._hosts.append(host)
        return host

    async def close(self) -> None:
        """Stop the processes; pending requests raise `ServerClosing`."""
        self._is_closed = True
        for request in self._queue:
            if not request.answer.done():
                request.answer.set_exception(ServerClosing("the server is shutting down"))
        self._queue.clear()
        loop = asyncio.get_running_loop()
        for host in self._hosts:
            await loop.run_in_executor(None, host.stop)
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        self._threads.shutdown(wait=False)


def _checked(text: str, seed: int) -> str:
    """Return the agent with a seed. Raise `AgentError` unless it is an installed agent."""
    if not is_installed(text):
        raise AgentError(f"{shown(text)} is not an installed agent: the store was modified")
    return seeded(text, seed)


def _choice(text: str, state: State, limit: Limit | None, host: AgentProcess) -> int:
    return int(_with_agent(host, text, lambda player: choice_of(player, state, limit)))


def _with_agent(host: AgentProcess, text: str, work: Callable[[Agent], Any]) -> Any:
    """Run work with an agent that is closed afterwards."""
    player = host.agent(text)
    try:
        return work(player)
    finally:
        player.close()
