"""Isolation of third-party agents: which ones need it, and how to run them.

Built-in agents are trusted. A third-party agent (`module:Class`, or an entry point of another
package) could inspect the process it runs in. In games with chance or hidden information it
therefore runs in a separate process.
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


def needs_isolation(text: str, game: Game) -> bool:
    """Whether this agent must not share a process with this game."""
    return (game.has_chance or game.has_secrets) and not is_built_in(text)


def memory_bound() -> int:
    """Return the memory limit of a third-party agent in MiB; 0 means no limit.

    Raises `AgentError` if the variable PARLOUR_AGENT_MEMORY is not a number of MiB.
    """
    given = os.environ.get(MEMORY_VARIABLE, "").strip()
    if not given:
        return DEFAULT_MEMORY
    if not (given.isascii() and given.isdecimal() and len(given) <= 9):
        raise AgentError(
            f"{MEMORY_VARIABLE} must be a number of MiB, or 0 for no limit, not {given[:40]!r}"
        )
    return int(given)


def vetted(text: str, game: Game, seed: int | None = None) -> str:
    """Check that an agent exists and can play the game; return its text.

    With `seed`, the text gets that seed if the agent takes one and has none yet. A third-party
    agent is checked in a separate process and not imported here. Raises `AgentError` or
    `OptionError`.
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


# Agents that passed. Checking again would start another process.
_passed: set[tuple[str, Game]] = set()


class IsolatedAgents:
    """Processes of third-party agents, one per agent, reused from game to game."""

    def __init__(self) -> None:
        """Start without processes; each is started on first use."""
        self._processes: dict[tuple[str, int], AgentProcess] = {}

    def agent(self, text: str, seed: int, place: int) -> Agent:
        """Return the agent with this text and seed, for one game.

        `place` distinguishes agents with equal texts. Raises `AgentError` and `OptionError`.
        """
        process = self._processes.get((text, place))
        if process is None:
            process = self._processes[text, place] = AgentProcess(memory_bound())
        return process.agent(process.seeded(text, seed))

    def close(self) -> None:
        """Stop all processes."""
        while self._processes:
            self._processes.popitem()[1].stop()

    def __enter__(self) -> "IsolatedAgents":
        """Return itself, to be closed by `with`."""
        return self

    def __exit__(self, *failure: object) -> None:
        """Stop all processes."""
        self.close()
