"""Pool of agent processes, shared fairly by all addresses and tables.

Moves that a person waits for come first. Then comes the address with the fewest running requests,
then the one that was served longest ago, then the table that has used the least time. Analyses
have a process of their own with a low priority, so that games never wait for one. A process that
crashes or hangs is replaced, and its request is retried.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from parlour.agents import Agent, AgentFault, Analysis, Limit
from parlour.agents.guard import choice_of
from parlour.agents.parallel import free_cores, with_free_cores
from parlour.agents.process import AgentProcess, Interrupted
from parlour.agents.registry import agent, is_installed, seeded
from parlour.core.checks import shown
from parlour.core.errors import AgentError, ParlourError
from parlour.core.game import State
from parlour.protocol.errors import ServerClosing
from parlour.server.metrics import Metrics
from parlour.server.rates import Buckets, LimitLog, SharedRate
from parlour.server.settings import Settings
from parlour.table.errors import Busy
from parlour.table.notes import without_seed

log = logging.getLogger("parlour.server")

ATTEMPTS = 3
TABLES_COUNTED = 10_000
"""Maximum tables whose time is counted, and addresses whose last turn is known."""
FALLBACK = "random"
"""Agent that plays when another one fails repeatedly."""
WEAK = "level:1"


ADDRESS_SHARE = 10
"""No address fills more than this fraction of the queue."""
ANALYSIS_NICE = 10
LONGEST_ANALYSIS = 10.0
RESERVED_SECONDS = 1.0
"""Seconds that a queued analysis takes from its address's budget until its time is known."""


class AgentRequest(NamedTuple):
    """A request to an agent."""

    order: int
    owner: str
    """Pseudonym of the address that pays for it."""
    table: str
    is_background: bool
    ask: Callable[[AgentProcess], Any]
    answer: "asyncio.Future[Any]"
    processes: int = 1
    """Number of processes in which the agent thinks; its address is charged for all of them."""
    reserved: float = 0.0
    """Seconds that its address has already been charged."""


class RequestQueue:
    """Waiting requests, and the wake-up for the tasks that serve them."""

    def __init__(self) -> None:
        """Start empty."""
        self.requests: list[AgentRequest] = []
        self.arrived = asyncio.Condition()
        self._turns = 0
        self._served: dict[str, int] = {}

    def served(self, owner: str) -> int:
        """Return the number of an address's last turn, or 0 for a newcomer."""
        return self._served.get(owner, 0)

    def note_turn(self, owner: str) -> None:
        """Note that it is an address's turn."""
        self._turns += 1
        self._served.pop(owner, None)
        self._served[owner] = self._turns
        if len(self._served) > TABLES_COUNTED:
            del self._served[next(iter(self._served))]


class AgentPool:
    """A fixed number of agent processes and a fair queue."""

    def __init__(
        self, settings: Settings, now: Callable[[], float], metrics: Metrics | None = None
    ) -> None:
        """Create a stopped pool; `now` returns seconds."""
        self._settings = settings
        self._metrics = metrics or Metrics()
        self._now = now
        self._moves = RequestQueue()
        self._analyses = RequestQueue()
        self._order = 0
        self._used: dict[str, float] = {}
        self._running: dict[str, int] = {}
        self._rate = SharedRate(settings.agent_budget, "agent_budget")
        self._budgets = Buckets(self._rate, "analyses and films", now)
        self._limit_log = LimitLog(now, False)
        self._threads = ThreadPoolExecutor(settings.agents + 1, "agents")
        self._workers: list[asyncio.Task[None]] = []
        self._hosts: list[AgentProcess] = []
        self._analyst = AgentProcess(settings.agent_memory, ANALYSIS_NICE)
        self._is_closed = False
        self.answered = 0
        self.replaced = 0
        self.busy = 0
        """Number of processes that are thinking."""

    def start(self) -> None:
        """Start serving requests."""
        self.adopt(self._settings)
        self._workers = [
            asyncio.create_task(self._work(self._moves, self._new_host()))
            for _ in range(self._settings.agents)
        ]
        self._workers.append(asyncio.create_task(self._work(self._analyses, self._analyst)))

    def adopt(self, settings: Settings) -> None:
        """Apply new settings, except for the number of processes."""
        self._settings = settings
        self._rate.adopt(settings.agent_budget)
        for host in self._hosts:
            host.seconds = settings.agent_seconds
        self._analyst.seconds = min(settings.agent_seconds, LONGEST_ANALYSIS)

    @property
    def size(self) -> int:
        """The number of processes."""
        return len(self._workers)

    @property
    def waiting(self) -> int:
        """The number of queued requests."""
        return len(self._queued())

    def _queued(self) -> list[AgentRequest]:
        return [*self._moves.requests, *self._analyses.requests]

    def check_room(self, owner: str) -> None:
        """Raise `Busy` if the queue has no room for the agents of a new table, or an analysis."""
        queued, most = self._queued(), self._settings.agent_queue
        if len(queued) >= most:
            raise Busy(f"{len(queued)} agent requests are already queued: try again later")
        own = sum(request.owner == owner for request in queued)
        if own >= max(1, most // ADDRESS_SHARE):
            raise Busy(f"{own} agent requests of your address are already queued: try again later")

    def reserve(self, owner: str, seconds: float) -> None:
        """Take seconds from an address's budget. Raise `RateLimited` if it is used up."""
        self._budgets.take(owner, seconds)

    def drop(self, table: str) -> None:
        """Drop the time of a finished table."""
        self._used.pop(table, None)

    async def choose(
        self,
        table: str,
        text: str,
        seed: int,
        state: State,
        limit: Limit | None,
        waits: bool,
        owner: str = "",
    ) -> int:
        """Return the action that an agent plays; `waits` means that a person waits for it.

        The time is charged to `owner`, or to the table if that is empty. `state` is the agent's
        view. If the agent fails repeatedly, a random action is returned. Agents in a store can
        only be installed ones: no command or class is loaded. Raise `ServerClosing` when the pool
        closes.
        """
        owner = owner or table
        if self._budgets.of(owner).left <= 0:
            self._metrics.count_limit(self._rate.name)
            self._limit_log.note(self._rate.name)
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
                return int(await self._submit(owner, table, waits, ask, processes))
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

    async def analyse(self, owner: str, text: str, state: State) -> Analysis:
        """Return an agent's analysis for a person at an address.

        Raise `Busy` or `RateLimited` if it is refused, or the agent's `ParlourError`.
        """
        self.check_room(owner)
        self.reserve(owner, RESERVED_SECONDS)

        def ask(host: AgentProcess) -> Analysis:
            found: Analysis = _with_agent(host, text, lambda player: player.analyse(state))
            return found

        request = self._request(owner, "", False, ask, reserved=RESERVED_SECONDS)
        found: Analysis = await self._put(self._analyses, request)
        return found

    async def _submit(
        self,
        owner: str,
        table: str,
        waits: bool,
        ask: Callable[[AgentProcess], Any],
        processes: int = 1,
    ) -> Any:
        request = self._request(owner, table, not waits, ask, processes)
        return await self._put(self._moves, request)

    def _request(
        self,
        owner: str,
        table: str,
        is_background: bool,
        ask: Callable[[AgentProcess], Any],
        processes: int = 1,
        reserved: float = 0.0,
    ) -> AgentRequest:
        self._order += 1
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        return AgentRequest(
            self._order, owner, table, is_background, ask, answer, processes, reserved
        )

    async def _put(self, queue: RequestQueue, request: AgentRequest) -> Any:
        if self._is_closed:
            raise ServerClosing("the server is shutting down")
        queue.requests.append(request)
        async with queue.arrived:
            queue.arrived.notify()
        return await request.answer

    def ahead_of(self, waits: bool, owner: str) -> int:
        """Return the number of queued moves that are served before a new one of this address.

        Addresses take turns, so another address has at most one turn more than this one.
        """
        equals = Counter(
            each.owner for each in self._moves.requests if each.is_background is not waits
        )
        first = 0 if waits else len(self._moves.requests) - equals.total()
        own, served = equals.pop(owner, 0), self._moves.served(owner)
        return (
            first
            + own
            + sum(
                min(count, own + (self._moves.served(other) <= served))
                for other, count in equals.items()
            )
        )

    def _place(
        self, queue: RequestQueue, request: AgentRequest
    ) -> tuple[bool, int, int, float, int]:
        """Return the sort key of a request; the smallest is served next."""
        return (
            request.is_background,
            self._running.get(request.owner, 0),
            queue.served(request.owner),
            self._used.get(request.table, 0.0),
            request.order,
        )

    async def _work(self, queue: RequestQueue, host: AgentProcess) -> None:
        loop = asyncio.get_running_loop()
        while True:
            async with queue.arrived:
                while not queue.requests:
                    await queue.arrived.wait()
                request = min(queue.requests, key=partial(self._place, queue))
                queue.requests.remove(request)
            if request.answer.done():
                self._budgets.of(request.owner).charge(-request.reserved)
                continue
            began = self._now()
            queue.note_turn(request.owner)
            self.busy += 1
            self._running[request.owner] = self._running.get(request.owner, 0) + 1
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
            self._running[request.owner] -= 1
            if not self._running[request.owner]:
                del self._running[request.owner]
            seconds = self._now() - began
            self._metrics.thoughts.observe(seconds)
            self._count(request, seconds * request.processes)

    def _count(self, request: AgentRequest, seconds: float) -> None:
        """Charge a request's address and table, and drop the oldest table if there are too many."""
        self._budgets.of(request.owner).charge(seconds - request.reserved)
        if request.table:
            self._used[request.table] = self._used.pop(request.table, 0.0) + seconds
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
        for request in self._queued():
            if not request.answer.done():
                request.answer.set_exception(ServerClosing("the server is shutting down"))
        self._moves.requests.clear()
        self._analyses.requests.clear()
        loop = asyncio.get_running_loop()
        for host in (*self._hosts, self._analyst):
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
