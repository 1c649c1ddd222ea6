"""Root parallelisation: each process grows its own tree, and the root statistics are summed.

One tree grows in the calling process, so there is an answer even if all others fail. Each
process has its own seed and its share of the simulations, and all stop at the same time. The
same seed, simulations and number of processes give the same choice.
"""

import contextlib
import os
import time
from collections.abc import Iterable, Mapping
from hashlib import blake2b

from parlour.agents import wire
from parlour.agents.base import Choice, Count, Counted
from parlour.agents.levels import LEVELS, DelegatingAgent
from parlour.agents.process import Child
from parlour.agents.registry import agent, agent_name, agent_settings, agent_text, settings_of
from parlour.core.errors import AgentError
from parlour.core.game import Game, State
from parlour.core.options import Value

NAME = "mcts"
SETTING = "processes"

MOST_PROCESSES = 4
"""The processes of the strongest opponents; more trees of the same root add little."""

STRAGGLER_SECONDS = 0.5
"""How long to wait for a process after its time is up."""
PATIENCE_SECONDS = 60.0
PATIENCE = 20.0
"""How long to wait for a process with a simulation budget.

It gets PATIENCE_SECONDS plus PATIENCE times what our own search took.
"""

NOTHING = Counted(0, ())


def share(sims: int, processes: int, index: int) -> int:
    """Return the simulations of one process; all shares add up to `sims`."""
    return sims // processes + (1 if index < sims % processes else 0)


def seed_of(seed: int, index: int) -> int:
    """Return the seed of one process; the first has the agent's own."""
    if index == 0:
        return seed
    return int.from_bytes(blake2b(b"%d/%d" % (seed, index), digest_size=8).digest(), "big")


def merged(several: Iterable[Counted]) -> Counted:
    """Sum the results; most visited action first, ties by the larger total."""
    sims = 0
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for each in several:
        sims += each.sims
        for action, seen, total in each.counts:
            visits[action] = visits.get(action, 0) + seen
            totals[action] = totals.get(action, 0.0) + total
    found = [Count(action, visits[action], totals[action]) for action in visits]
    found.sort(key=lambda count: (-count.visits, -count.total, count.action))
    return Counted(sims, tuple(found))


def merged_choices(state: State, ours: Iterable[Choice], found: Counted) -> list[Choice]:
    """Return the choices with the summed statistics, with our own lines if there are any."""
    known = {choice.action: choice for choice in ours}
    choices: list[Choice] = []
    for action, visits, total in found.counts:
        if visits == 0:
            continue
        text = state.game.action_to_text(state, action)
        before = known.get(action) or Choice(action, text, 0.0, 0, 1, (text,))
        choices.append(before._replace(visits=visits, value=total / visits))
    return choices


class Team:
    """The other processes of one agent, started on first use."""

    def __init__(self, settings: Mapping[str, Value], processes: int) -> None:
        """Divide the agent's settings; processes without a simulation are left out."""
        sims, seed = settings.get("sims"), settings.get("seed", 0)
        assert isinstance(seed, int)
        self._helpers: list[Helper] = []
        for index in range(1, processes):
            own: dict[str, Value] = {**settings, "seed": seed_of(seed, index)}
            if isinstance(sims, int):
                own["sims"] = share(sims, processes, index)
                if own["sims"] == 0:
                    break
            self._helpers.append(Helper(agent_text(NAME, own)))
        self._until: float | None = None
        self._began = 0.0

    def begin(self, start: State, seat: int) -> None:
        """Drop all trees; start processes that are not running without waiting for them."""
        for helper in self._helpers:
            helper.put(wire.BEGIN, start, seat, (None, ""))

    def ask(self, state: State, seconds: float) -> None:
        """Start a search in every process, for `seconds` if that is not 0.

        Raises `AgentError` if the game cannot be sent to another process.
        """
        self._began = time.monotonic()
        self._until = self._began + seconds if seconds > 0.0 else None
        for helper in self._helpers:
            helper.put(wire.COUNT, state, self._until)

    def joined(self, ours: Counted, is_late: bool) -> Counted:
        """Sum our result and those of the others; a dead or silent process counts as empty.

        `is_late` says that our own time is up, and therefore theirs.
        """
        now = time.monotonic()
        patience = PATIENCE_SECONDS + PATIENCE * (now - self._began)
        if self._until is not None:
            left = 0.0 if is_late else max(0.0, self._until - now)
            patience = min(patience, left + STRAGGLER_SECONDS)
        return merged([ours, *(helper.take(patience) for helper in self._helpers)])

    def close(self) -> None:
        """Stop the processes."""
        for helper in self._helpers:
            helper.close()


class Helper:
    """One other process and the agent that searches in it."""

    def __init__(self, text: str) -> None:
        """Set the agent's text; the process starts on first use."""
        self.text = text
        self._child: Child | None = None
        self._unheard = 0

    @property
    def pid(self) -> int | None:
        """The id of the process if it is running."""
        child = self._child
        return child.process.pid if child is not None and child.is_alive() else None

    def put(self, verb: str, *arguments: object) -> None:
        """Send a question without waiting; restart a dead process once."""
        try:
            data = wire.question_to_bytes(wire.Question(1, self.text, verb, arguments))
        except wire.BadFrame as error:
            raise AgentError(f"{SETTING}: {error}") from error
        for _ in range(2):
            try:
                if self._child is None or not self._child.is_alive():
                    self.close()
                    self._child = Child()
                self._child.put(data)
            except (OSError, EOFError):
                self.close()
            else:
                self._unheard += 1
                return

    def take(self, seconds: float) -> Counted:
        """Return the answer to the last question; empty if the process died or takes too long.

        Answers to earlier questions are discarded.
        """
        found = NOTHING
        while self._child is not None and self._unheard > 0:
            try:
                data = self._child.take(seconds)
                self._unheard -= 1
                read = wire.counts_from_data if self._unheard == 0 else _anything
                answer = wire.answer_from_bytes(data, read)
            except (OSError, EOFError, TimeoutError, wire.BadFrame):
                self.close()
                return NOTHING
            found = answer if isinstance(answer, Counted) else NOTHING
        return found

    def close(self) -> None:
        """Stop the process."""
        child, self._child, self._unheard = self._child, None, 0
        if child is not None:
            child.kill()
            child.close()


def _anything(value: object) -> None:
    return None


# Opponents of a person may use idle cores.


def free_cores() -> int:
    """Estimate the idle cores among those this process may use, from the load average."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = 0.0
    with contextlib.suppress(OSError, AttributeError):
        load = os.getloadavg()[0]
    return max(1, (cores or 1) - round(load))


def with_free_cores(text: str, game: Game, free: int) -> tuple[str, int]:
    """Return the agent's text and its number of processes.

    Only `best` and the highest level get more than one, if their agent supports it: up to
    MOST_PROCESSES of the `free` cores. A text that sets the number stays as it is.
    """
    if agent_name(text) not in ("best", "level"):
        return text, 1
    name, given = settings_of(text)
    if SETTING in given or (name == "level" and given.get("n") != len(LEVELS)):
        return text, 1
    processes = min(free, MOST_PROCESSES)
    player = agent(text)
    assert isinstance(player, DelegatingAgent)
    becomes = agent_name(player.text_for(game))
    if processes < 2 or all(option.name != SETTING for option in agent_settings(becomes)):
        return text, 1
    return agent_text(name, {**given, SETTING: processes}), processes
