"""The processes in which agents think: a few, shared by all tables, fairly.

A question that a person waits for goes before one that nobody waits for; among equals the
table that has used least goes first. A process that dies or hangs is replaced, and the
question is asked again.
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
"""Analyses of games that are over count too, and nothing tells when they end."""
STAND_IN = "random"
"""Who chooses where an agent goes wrong again and again."""
WEAK = "level:1"


class AgentQuestion(NamedTuple):
    """What an agent is asked, in its turn."""

    nobody_waits: bool
    used: float
    order: int
    table: str
    ask: Callable[[AgentProcess], Any]
    answer: "asyncio.Future[Any]"
    processes: int = 1
    """In how many the agent thinks: its table has used so many times the seconds."""

    def __lt__(self, other: object) -> bool:
        """Which one is asked first."""
        assert isinstance(other, AgentQuestion)
        return self[:3] < other[:3]


class AgentPool:
    """A bounded number of processes, and a queue in front of them."""

    def __init__(
        self, settings: Settings, now: Callable[[], float], metrics: Metrics | None = None
    ) -> None:
        """`now` gives seconds. Nothing is started before `start`."""
        self._settings = settings
        self._metrics = metrics or Metrics()
        self._now = now
        self._queue: list[AgentQuestion] = []
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
        """How many processes think."""

    def start(self) -> None:
        """Take questions."""
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._settings.agents)]

    def adopt(self, settings: Settings) -> None:
        """Go by these settings from now on; the number of processes stays."""
        self._settings = settings
        for host in self._hosts:
            host.seconds = settings.agent_seconds

    @property
    def size(self) -> int:
        """How many processes there are."""
        return len(self._workers)

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return len(self._queue)

    def check_room(self) -> None:
        """`Busy` if there is no room for the agents of a new table."""
        if len(self._queue) >= self._settings.agent_queue:
            raise Busy(f"the agents have {len(self._queue)} questions to answer first: come later")

    def forget(self, table: str) -> None:
        """A table is over."""
        self._used.pop(table, None)

    async def choose(
        self, table: str, text: str, seed: int, state: State, limit: Limit | None, waits: bool
    ) -> int:
        """What the agent of that text plays; `waits`: a person waits for it.

        `state` is what the agent may see. Never fails but by `Closing`. A text that a store
        must not bring, a command or a module's class, starts and loads nothing.
        """
        if self._used.get(table, 0.0) > self._settings.agent_budget:
            text = WEAK
        try:
            text = _checked(text, seed)
        except ParlourError as error:
            log.error("an agent cannot play: %s", error, extra={"table": table})
            text = seeded(STAND_IN, seed)
        processes = 1
        if waits:
            # Questions that wait will need the other cores soon.
            free = free_cores() - self.busy - self.waiting
            text, processes = with_free_cores(text, state.game, free)
        for attempt in range(ATTEMPTS):
            try:
                ask = partial(_choice, text, state, limit)
                return int(await self._asked(table, waits, ask, processes))
            except AgentFault as fault:
                self.replaced += 1
                self._metrics.agents_replaced.inc()
                told = {"table": table, "agent": without_seed(text), "attempt": attempt + 1}
                log.warning("an agent went wrong: %s", fault, extra=told)
            except ServerClosing:
                raise
            except Interrupted as error:
                raise ServerClosing("the server shuts down") from error
            except ParlourError as error:
                told = {"table": table, "agent": without_seed(text)}
                log.error("an agent cannot play: %s", error, extra=told)
                break
        return choice_of(agent(seeded(STAND_IN, seed)), state, None)

    async def run(self, table: str, work: Callable[[Agent], Any], text: str) -> Any:
        """What an agent answers to somebody who can wait; `ParlourError` as it comes."""
        self.check_room()
        return await self._asked(table, True, lambda host: _with_agent(host, text, work))

    async def _asked(
        self, table: str, waits: bool, ask: Callable[[AgentProcess], Any], processes: int = 1
    ) -> Any:
        if self._is_closed:
            raise ServerClosing("the server shuts down")
        self._order += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        used = self._used.get(table, 0.0)
        question = AgentQuestion(not waits, used, self._order, table, ask, future, processes)
        heapq.heappush(self._queue, question)
        async with self._arrived:
            self._arrived.notify()
        return await future

    def ahead_of(self, waits: bool) -> int:
        """How many questions would be asked before a new one."""
        return sum(1 for each in self._queue if each.nobody_waits <= (not waits))

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        host = self._new_host()
        while True:
            async with self._arrived:
                while not self._queue:
                    await self._arrived.wait()
                question = heapq.heappop(self._queue)
            if question.answer.done():
                continue
            began = self._now()
            self.busy += 1
            try:
                found = await loop.run_in_executor(self._threads, question.ask, host)
            except Exception as error:
                if not question.answer.done():
                    question.answer.set_exception(error)
            else:
                self.answered += 1
                if not question.answer.done():
                    question.answer.set_result(found)
            self.busy -= 1
            seconds = self._now() - began
            self._metrics.thoughts.observe(seconds)
            self._count(question.table, seconds * question.processes)

    def _count(self, table: str, seconds: float) -> None:
        """What a table has used; of those that nobody forgot the first are forgotten."""
        self._used[table] = self._used.pop(table, 0.0) + seconds
        if len(self._used) > TABLES_COUNTED:
            del self._used[next(iter(self._used))]

    def _new_host(self) -> AgentProcess:
        host = AgentProcess(self._settings.agent_memory)
        host.seconds = self._settings.agent_seconds
        self._hosts.append(host)
        return host

    async def close(self) -> None:
        """End the processes; whoever waits is told `Closing`."""
        self._is_closed = True
        for question in self._queue:
            if not question.answer.done():
                question.answer.set_exception(ServerClosing("the server shuts down"))
        self._queue.clear()
        loop = asyncio.get_running_loop()
        for host in self._hosts:
            await loop.run_in_executor(None, host.stop)
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        self._threads.shutdown(wait=False)


def _checked(text: str, seed: int) -> str:
    """The text with a seed; `AgentError` unless it names an agent that a file may name."""
    if not is_installed(text):
        raise AgentError(f"{shown(text)} is not an installed agent: the store was tampered with")
    return seeded(text, seed)


def _choice(text: str, state: State, limit: Limit | None, host: AgentProcess) -> int:
    return int(_with_agent(host, text, lambda player: choice_of(player, state, limit)))


def _with_agent(host: AgentProcess, text: str, work: Callable[[Agent], Any]) -> Any:
    """What the work gives with an agent that the process forgets afterwards."""
    player = host.agent(text)
    try:
        return work(player)
    finally:
        player.close()
