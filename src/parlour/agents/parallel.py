"""One search in several processes: each grows a tree of its own, and what they found of the
root's actions is added up.

The first tree grows in the process that was asked, so that there is an answer whatever becomes
of the others. Each has a seed of its own and its share of the simulations, and all stop at the
same moment: the same seed, simulations and number of processes give the same choice.
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
"""What a game against the strongest takes: more trees of the same root tell ever less."""

STRAGGLER_SECONDS = 0.5
"""How long one is waited for whose time is up."""
PATIENCE_SECONDS = 60.0
PATIENCE = 20.0
"""How long one is waited for that counts simulations: so many times what ours took, and more."""

NOTHING = Counted(0, ())


def share(sims: int, processes: int, index: int) -> int:
    """The simulations of one process: all of them together make exactly `sims`."""
    return sims // processes + (1 if index < sims % processes else 0)


def seed_of(seed: int, index: int) -> int:
    """The seed of one process; the first has the agent's own."""
    if index == 0:
        return seed
    return int.from_bytes(blake2b(b"%d/%d" % (seed, index), digest_size=8).digest(), "big")


def merged(several: Iterable[Counted]) -> Counted:
    """Everything summed up; the most visited action first, of several the one with most total."""
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
    """The choices with the summed counts; our own lines, where there are any."""
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
    """The other processes of one agent, started when they are first needed."""

    def __init__(self, settings: Mapping[str, Value], processes: int) -> None:
        """`settings` are the agent's; those without a simulation of their own are left out."""
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
        """Let all drop their trees; whoever does not run yet is started, and not waited for."""
        for helper in self._helpers:
            helper.put(wire.BEGIN, start, seat, (None, ""))

    def ask(self, state: State, seconds: float) -> None:
        """Let all search from that state, for so many seconds if it is not 0.

        `AgentError` if the game cannot be handed to another process.
        """
        self._began = time.monotonic()
        self._until = self._began + seconds if seconds > 0.0 else None
        for helper in self._helpers:
            helper.put(wire.COUNT, state, self._until)

    def joined(self, ours: Counted, is_late: bool) -> Counted:
        """Ours, and what each has found; of one that has died or does not answer, nothing.

        `is_late`: our own time is up, so theirs is.
        """
        now = time.monotonic()
        patience = PATIENCE_SECONDS + PATIENCE * (now - self._began)
        if self._until is not None:
            left = 0.0 if is_late else max(0.0, self._until - now)
            patience = min(patience, left + STRAGGLER_SECONDS)
        return merged([ours, *(helper.take(patience) for helper in self._helpers)])

    def close(self) -> None:
        """End the processes."""
        for helper in self._helpers:
            helper.close()


class Helper:
    """One more process, and the agent that searches in it."""

    def __init__(self, text: str) -> None:
        """It is not started yet."""
        self.text = text
        self._child: Child | None = None
        self._unheard = 0

    @property
    def pid(self) -> int | None:
        """The number of its process, if that runs."""
        child = self._child
        return child.process.pid if child is not None and child.is_alive() else None

    def put(self, verb: str, *arguments: object) -> None:
        """Ask something and do not wait; one that has died is started anew, once."""
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
        """The answer to the last question; nothing from one that is gone or takes too long.

        What it was asked before and nobody heard is passed over.
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
        """End its process."""
        child, self._child, self._unheard = self._child, None, 0
        if child is not None:
            child.kill()
            child.close()


def _anything(value: object) -> None:
    return None


# Who plays against a person may take the cores that nobody else uses.


def free_cores() -> int:
    """How many of the cores that this process may use nobody has used in the last minute."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = 0.0
    with contextlib.suppress(OSError, AttributeError):
        load = os.getloadavg()[0]
    return max(1, (cores or 1) - round(load))


def with_free_cores(text: str, game: Game, free: int) -> tuple[str, int]:
    """The agent's text and its number of processes; more than 1 for the strongest only.

    That is `best` and the last level, where they become an agent that can use several, up to
    MOST_PROCESSES of the `free` cores. A text that says how many stays as it is.
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
