"""Agents that become another one: the game's best, its levels, and one with other weights."""

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
"""What plays a game best that names no agent."""

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
"""The levels of a game that names none, weakest first."""

DEFAULT_SECONDS = 1.0


def levels_of(game: Game) -> tuple[str, ...]:
    """Return the texts of the agents behind the levels of a game, weakest first."""
    return heuristics(game).levels or LEVELS


TUNED = "tuned"


class DelegatingAgent(Agent):
    """Becomes another agent, by the game that it is asked to play."""

    def __init__(self, seed: int) -> None:
        """With the seed that the other one gets."""
        super().__init__(seed)
        self.seed = seed
        self._game: Game | None = None
        self._agent: Agent | None = None

    def text_for(self, game: Game) -> str:
        """The text of the agent to become."""
        raise AgentError(f"{type(self).__name__} does not define text_for()")

    def check_game(self, game: Game) -> None:
        """`AgentError` if the agent to become cannot play it."""
        agent(self.text_for(game)).check_game(game)

    def _agent_for(self, game: Game) -> Agent:
        if self._agent is None or self._game != game:
            self._agent = agent(self.text_for(game))
            self._game = game
        self._agent.now = self.now
        return self._agent

    def begin(self, start: State, seat: int) -> None:
        """Pass it on."""
        other = self._agent_for(start.game)
        other.occasion = self.occasion
        other.begin(start, seat)

    def watch(self, action: int | None, after: State) -> None:
        """Pass it on."""
        self._agent_for(after.game).watch(action, after)

    def close(self) -> None:
        """Pass it on, if there is anybody."""
        if self._agent is not None:
            self._agent.close()

    def choose(self, state: State, limit: Limit | None = None) -> int:
        """What the other chooses."""
        check_decision(state)
        other: Any = self._agent_for(state.game)
        chosen: int = other.choose(state) if limit is None else other.choose(state, limit)
        self.opinion = other.opinion
        return chosen

    def analyse(self, state: State) -> Analysis:
        """What the other thinks."""
        check_decision(state)
        return self._agent_for(state.game).analyse(state)


class BestAgent(DelegatingAgent):
    """The agent that plays the game best, with the given time."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (
        fraction("time", DEFAULT_SECONDS, 0, LONGEST_TIME, "seconds for a move"),
        PROCESSES,
        SEED,
    )

    def __init__(self, time: float = DEFAULT_SECONDS, seed: int = 0, processes: int = 1) -> None:
        """All of them go to the agent that it becomes, where that takes them."""
        super().__init__(seed)
        self.time = time
        self.processes = processes

    def text_for(self, game: Game) -> str:
        """The game's best agent, with time, processes and seed where it takes them."""
        wanted: dict[str, Value] = {"time": self.time, "seed": self.seed}
        return _with(heuristics(game).best_agent or BEST, wanted, self.processes)


class LevelAgent(DelegatingAgent):
    """One of the game's nine levels."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (
        integer("n", 5, 1, 9, "the level, 1 for beginners"),
        PROCESSES,
        SEED,
    )
    BARE: ClassVar[str] = "n"

    def __init__(self, n: int = 5, seed: int = 0, processes: int = 1) -> None:
        """Processes and seed go to the agent that it becomes, where that takes them."""
        super().__init__(seed)
        self.level = n
        self.processes = processes

    def text_for(self, game: Game) -> str:
        """The game's text of that level, with processes and seed where it takes them."""
        levels = levels_of(game)
        if self.level > len(levels):
            raise AgentError(f"{game.name} has levels 1 to {len(levels)}, not {self.level}")
        return _with(levels[self.level - 1], {"seed": self.seed}, self.processes)


def _with(text: str, wanted: dict[str, Value], processes: int) -> str:
    """The agent's text with these settings, as far as it takes them and does not give them."""
    name, given = settings_of(text)
    if processes > 1:
        wanted = {**wanted, PROCESSES.name: processes}
    missing = {option.name for option in agent_settings(name)} - set(given)
    return agent_text(name, {**given, **{k: v for k, v in wanted.items() if k in missing}})


class TunedAgent(DelegatingAgent):
    """Another agent, with other weights in the game's evaluation."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (
        text("by", "search:nodes=2000", "the agent's text, with ; in place of ,"),
        text("weights", None, "what differs: fear:0.25/cannon:6"),
        SEED,
    )

    def __init__(
        self, by: str = "search:nodes=2000", weights: str | None = None, seed: int = 0
    ) -> None:
        """The seed goes to the agent that it becomes, where that takes one."""
        super().__init__(seed)
        self.by = by.replace(";", ",")
        name = agent_name(self.by)
        if name not in BUILT_IN or name == TUNED:
            # A file may name this agent, so it must not lead to code that a file may not name.
            raise AgentError(f"{TUNED} is for one of {', '.join(sorted(set(BUILT_IN) - {TUNED}))}")
        if settings_of(self.by)[1].get(PROCESSES.name, 1) != 1:
            raise AgentError(f"{TUNED} plays in one process: leave out {PROCESSES.name}")
        self.weights = weights_from_text(weights or "")

    def text_for(self, game: Game) -> str:
        """The agent's text, with the seed where it takes one."""
        return seeded(self.by, self.seed)

    def check_game(self, game: Game) -> None:
        """`OptionError` if the game has no such weights."""
        heuristics(game).weighted(self.weights)
        super().check_game(game)

    def _agent_for(self, game: Game) -> Agent:
        other = super()._agent_for(game)
        if other.heuristics is None or other.heuristics.game != game:
            other.heuristics = heuristics(game).weighted(self.weights)
        return other
