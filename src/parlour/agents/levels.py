"""Agents that delegate to another one: the game's best, its levels, and one with other weights."""

from typing import Any, ClassVar

from parlour.agents.base import (
    LONGEST_TIME,
    PROCESSES,
    SEED,
    Agent,
    Analysis,
    Limit,
    check_decision,
)
from parlour.agents.registry import (
    BUILT_IN,
    agent,
    agent_name,
    agent_settings,
    agent_text,
    seeded,
    settings_of,
)
from parlour.core.errors import AgentError
from parlour.core.game import Game, State
from parlour.core.heuristics import heuristics
from parlour.core.options import Option, Value, fraction, integer, text
from parlour.core.weights import weights_from_text

BEST = "mcts"
"""The agent for games whose heuristics name no best agent."""

LEVELS = (
    "random",
    "mcts:sims=10,blunder=0.3",
    "mcts:sims=25,blunder=0.15",
    "mcts:sims=50",
    "mcts:sims=150",
    "mcts:sims=500",
    "mcts:sims=2000,time=1",
    "mcts:time=1",
    "mcts:time=3",
)
"""The levels for games whose heuristics name none, weakest first."""

DEFAULT_SECONDS = 1.0


def levels_of(game: Game) -> tuple[str, ...]:
    """Return the texts of the agents behind the levels of a game, weakest first."""
    return heuristics(game).levels or LEVELS


TUNED = "tuned"


class DelegatingAgent(Agent):
    """Base class of agents that delegate to another agent, which depends on the game."""

    def __init__(self, seed: int) -> None:
        """Set the seed, which is passed to the other agent."""
        super().__init__(seed)
        self.seed = seed
        self._game: Game | None = None
        self._agent: Agent | None = None

    def text_for(self, game: Game) -> str:
        """Return the text of the agent to delegate to."""
        raise AgentError(f"{type(self).__name__} must define text_for()")

    def check_game(self, game: Game) -> None:
        """Raise `AgentError` if the other agent cannot play this game."""
        agent(self.text_for(game)).check_game(game)

    def _agent_for(self, game: Game) -> Agent:
        if self._agent is None or self._game != game:
            self._agent = agent(self.text_for(game))
            self._game = game
        self._agent.now = self.now
        return self._agent

    def begin(self, start: State, seat: int) -> None:
        """Forward to the other agent."""
        other = self._agent_for(start.game)
        other.occasion = self.occasion
        other.begin(start, seat)

    def watch(self, action: int | None, after: State) -> None:
        """Forward to the other agent."""
        self._agent_for(after.game).watch(action, after)

    def close(self) -> None:
        """Forward to the other agent, if it was created."""
        if self._agent is not None:
            self._agent.close()

    def choose(self, state: State, limit: Limit | None = None) -> int:
        """Return the choice of the other agent."""
        check_decision(state)
        other: Any = self._agent_for(state.game)
        chosen: int = other.choose(state) if limit is None else other.choose(state, limit)
        self.opinion = other.opinion
        return chosen

    def analyse(self, state: State) -> Analysis:
        """Return the analysis of the other agent."""
        check_decision(state)
        return self._agent_for(state.game).analyse(state)


class BestAgent(DelegatingAgent):
    """The strongest agent for the game, with the given time."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (
        fraction("time", DEFAULT_SECONDS, 0, LONGEST_TIME, "seconds per move"),
        PROCESSES,
        SEED,
    )

    def __init__(self, time: float = DEFAULT_SECONDS, seed: int = 0, processes: int = 1) -> None:
        """Pass the settings to the other agent as far as it takes them."""
        super().__init__(seed)
        self.time = time
        self.processes = processes

    def text_for(self, game: Game) -> str:
        """Return the game's best agent, with time, processes and seed as far as it takes them."""
        wanted: dict[str, Value] = {"time": self.time, "seed": self.seed}
        return _with(heuristics(game).best_agent or BEST, wanted, self.processes)


class LevelAgent(DelegatingAgent):
    """One of the game's nine levels."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (
        integer("n", 5, 1, 9, "level, 1 is the weakest"),
        PROCESSES,
        SEED,
    )
    BARE: ClassVar[str] = "n"

    def __init__(self, n: int = 5, seed: int = 0, processes: int = 1) -> None:
        """Pass processes and seed to the other agent as far as it takes them."""
        super().__init__(seed)
        self.level = n
        self.processes = processes

    def text_for(self, game: Game) -> str:
        """Return the agent of the level, with processes and seed as far as it takes them."""
        levels = levels_of(game)
        if self.level > len(levels):
            raise AgentError(f"{game.name} has levels 1 to {len(levels)}, not {self.level}")
        return _with(levels[self.level - 1], {"seed": self.seed}, self.processes)


def _with(text: str, wanted: dict[str, Value], processes: int) -> str:
    """Return the agent's text with those of these settings that it takes and lacks."""
    name, given = settings_of(text)
    if processes > 1:
        wanted = {**wanted, PROCESSES.name: processes}
    missing = {option.name for option in agent_settings(name)} - set(given)
    return agent_text(name, {**given, **{k: v for k, v in wanted.items() if k in missing}})


class TunedAgent(DelegatingAgent):
    """Another agent with different weights in the game's evaluation."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (
        text("by", "search:nodes=2000", "text of the agent, with ; instead of ,"),
        text("weights", None, "changed weights, such as fear:0.25/cannon:6"),
        SEED,
    )

    def __init__(
        self, by: str = "search:nodes=2000", weights: str | None = None, seed: int = 0
    ) -> None:
        """Pass the seed to the other agent if it takes one."""
        super().__init__(seed)
        self.by = by.replace(";", ",")
        name = agent_name(self.by)
        if name not in BUILT_IN or name == TUNED:
            # Files may name this agent, so it must not lead to code that files may not name.
            raise AgentError(f"{TUNED} needs one of {', '.join(sorted(set(BUILT_IN) - {TUNED}))}")
        if settings_of(self.by)[1].get(PROCESSES.name, 1) != 1:
            raise AgentError(f"{TUNED} runs in one process: leave out {PROCESSES.name}")
        self.weights = weights_from_text(weights or "")

    def text_for(self, game: Game) -> str:
        """Return the agent's text, with the seed if it takes one."""
        return seeded(self.by, self.seed)

    def check_game(self, game: Game) -> None:
        """Raise `OptionError` if the game does not have these weights."""
        heuristics(game).weighted(self.weights)
        super().check_game(game)

    def _agent_for(self, game: Game) -> Agent:
        other = super()._agent_for(game)
        if other.heuristics is None or other.heuristics.game != game:
            other.heuristics = heuristics(game).weighted(self.weights)
        return other
