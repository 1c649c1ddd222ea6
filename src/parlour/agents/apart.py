"""Which agents are held apart, and how to deal with them without loading their code here.

Our own agents are trusted. Somebody else's (`module:Class`, or the entry point of another
package) may go looking through the process that it runs in: where there is something to be
found, chance to come or the secrets of others, it runs in a process of its own.
"""

import os

from parlour.agents.base import Agent
from parlour.agents.guard import AgentFault
from parlour.agents.process import AgentProcess
from parlour.agents.registry import agent, check_name, is_built_in, seeded
from parlour.core.errors import AgentError
from parlour.core.game import Game

MEMORY_VARIABLE = "PARLOUR_AGENT_MEMORY"
DEFAULT_MEMORY = 4096
CHECK_SECONDS = 60.0


def runs_apart(text: str, game: Game) -> bool:
    """Whether that agent must not share a process with that game."""
    return (game.has_chance or game.has_secrets) and not is_built_in(text)


def memory_bound() -> int:
    """How many MiB somebody else's agent may take; 0 is any number.

    `AgentError` if the variable PARLOUR_AGENT_MEMORY is not such a number.
    """
    given = os.environ.get(MEMORY_VARIABLE, "").strip()
    if not given:
        return DEFAULT_MEMORY
    if not (given.isascii() and given.isdecimal() and len(given) <= 9):
        raise AgentError(f"{MEMORY_VARIABLE} is a number of MiB, or 0 for any, not {given[:40]!r}")
    return int(given)


def vetted(text: str, game: Game, seed: int | None = None) -> str:
    """The text, with a seed where one is given and taken, of an agent that can play the game.

    `AgentError` or `OptionError` if there is no such agent. Somebody else's is looked at in
    a process of its own, and not loaded here.
    """
    text = text.strip()
    if is_built_in(text):
        text = text if seed is None else seeded(text, seed)
        agent(text).check_game(game)
        return text
    check_name(text)
    if seed is None and (text, game) in _passed:
        return text
    process = AgentProcess(memory_bound())
    process.seconds = CHECK_SECONDS
    try:
        text = text if seed is None else process.seeded(text, seed)
        process.agent(text).check_game(game)
    except AgentFault as fault:
        raise fault.of(text) from fault
    finally:
        process.stop()
    _passed.add((text, game))
    return text


# What was looked at once is not looked at again: it takes the start of a process.
_passed: set[tuple[str, Game]] = set()


class ApartAgents:
    """The processes of other people's agents, one for each, kept from game to game."""

    def __init__(self) -> None:
        """None is started yet."""
        self._processes: dict[tuple[str, int], AgentProcess] = {}

    def agent(self, text: str, seed: int, place: int) -> Agent:
        """The agent of that text with a seed, for one game; `place` tells equal ones apart.

        The first time a process is started for it. Raises `AgentError` and `OptionError`.
        """
        process = self._processes.get((text, place))
        if process is None:
            process = self._processes[text, place] = AgentProcess(memory_bound())
        return process.agent(process.seeded(text, seed))

    def close(self) -> None:
        """End the processes."""
        while self._processes:
            self._processes.popitem()[1].stop()

    def __enter__(self) -> "ApartAgents":
        """To be closed by `with`."""
        return self

    def __exit__(self, *failure: object) -> None:
        """Close."""
        self.close()
