"""The base class of agents: given a state, choose an action."""

import math
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from mypy_extensions import i64, mypyc_attr

from parlour.core import signals
from parlour.core.checks import as_int, type_name
from parlour.core.errors import AgentError
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.heuristics import Heuristics, heuristics
from parlour.core.options import Option, fraction, integer
from parlour.core.outside import refuse_foreign_layout
from parlour.core.rng import Rng

EXACT: Final = "exact"
AT_MOST: Final = "at most"

SEED: Final = integer("seed", 0, -(2**63), 2**64 - 1, "seed of the random choices")
BLUNDER: Final = fraction("blunder", None, 0, 1, "probability of a random legal action")
PROCESSES: Final = integer("processes", 1, 1, 64, "number of processes that search in parallel")

LONGEST_TIME: Final = 86_400

# Time management: the share of a seat's clock that one choice may use, and a margin for overhead.
SHARE_OF_CLOCK: Final = 0.05
LARGEST_SHARE: Final = 0.5
MARGIN: Final = 0.02
LEAST_SECONDS: Final = 0.001

LOOKS_PER_SIGNAL: Final[i64] = 16


class Limit(NamedTuple):
    """The clocks when an agent has to choose.

    >>> from parlour.agents import Limit
    >>> Limit(left=60.0, increment=1.0)
    Limit(left=60.0, increment=1.0, others=())
    """

    left: float
    """Seconds left on the clock of the seat to act."""
    increment: float = 0.0
    """Seconds added for each action."""
    others: tuple[float, ...] = ()
    """Seconds left on the clocks of the other seats, in playing order."""


def limit_of(left: Sequence[float], seat: int, increment: float) -> Limit:
    """Return the limit of one seat; `left` holds the seconds of every seat."""
    others = (*left[seat + 1 :], *left[:seat])
    return Limit(max(0.0, left[seat]), increment, others)


class Occasion(NamedTuple):
    """Public facts about a game that an agent may use before it begins.

    >>> from parlour.agents import Occasion
    >>> Occasion(seed=7, label="game 3, seat 0").seed
    7
    """

    seed: int | None = None
    """The public seed of the start, or `None` if it is unknown."""
    label: str = ""
    """The game's name in logs: its number in a match, and the seat."""
    logs: str | None = None
    """The folder for a built-in agent's logs. It is not passed to other processes."""


class Choice(NamedTuple):
    """One action as judged by an agent.

    >>> import parlour
    >>> state = parlour.game("cat_mouse").start(seed=1)
    >>> parlour.agent("exact").analyse(state).choices[0].value
    1.0
    """

    action: int
    text: str
    value: float
    """The expected return of the seat to act, in [-1, 1]."""
    visits: int
    """The number of simulations through this action, or 0 if the agent counts none."""
    depth: int
    """The search depth in plies, or 0."""
    line: tuple[str, ...]
    """The principal variation: this action first, chance outcomes included."""
    bound: str = EXACT
    """Whether the value is EXACT at this depth or an upper bound (AT_MOST)."""
    ends_in: int = 0
    """Plies to the proven end of the game, this action included; 0 if no end is proven."""


class Analysis(NamedTuple):
    """An agent's analysis of a state: its choices, best first, and the cost of the search.

    >>> import parlour
    >>> state = parlour.game("octa").start()
    >>> parlour.agent("mcts:sims=50").analyse(state).work
    50
    """

    choices: tuple[Choice, ...]
    work: int
    """The number of simulations or nodes."""
    seconds: float


class Count(NamedTuple):
    """The visits and total return of one root action."""

    action: int
    visits: int
    total: float
    """The sum of the returns for the seat to act."""


class Counted(NamedTuple):
    """The visits of all root actions, and the number of simulations behind them."""

    sims: int
    counts: tuple[Count, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Agent:
    """Base class of agents. An agent plays one seat of one game at a time.

    `choose` needs only a state. A program that plays a whole game also calls `begin`, `watch`
    and `close`. An agent can use them to keep a search tree or to drive an engine. It sees only
    what its seat may know.

    >>> from parlour.agents import Agent
    >>> class First(Agent):
    ...     def best(self, state, limit=None):
    ...         return state.legal_actions()[0]
    """

    SETTINGS: ClassVar[tuple[Option, ...]] = (SEED, BLUNDER)
    """The settings, which are the keyword arguments of the constructor. The registry checks them.
    """

    TAKES_REST: ClassVar[bool] = False
    """Whether the whole text after the agent's name is the value of its first setting."""

    BARE: ClassVar[str] = ""
    """The setting whose value may come first without its name, as in `level:5`."""

    def __init_subclass__(cls) -> None:
        """Reject a class that was compiled separately with an incompatible layout."""
        super().__init_subclass__()
        refuse_foreign_layout(cls)

    def __init__(self, seed: int = 0, blunder: float | None = None) -> None:
        """Set the seed; with probability `blunder` the agent plays a random legal action."""
        self.blunder: Final = 0.0 if blunder is None else blunder
        self.rng: Final = Rng(seed)
        self.opinion: float | None = None
        """The value of the position for the seat that acted, from the last `choose`."""
        self.now: Callable[[], float] = time.perf_counter
        """The clock that measures the time budget."""
        self.occasion: Occasion = Occasion()
        """Facts about the game, set before `begin`."""
        self.made_from = ""
        """The text from which the registry created this agent, or ""."""
        self.heuristics: Heuristics | None = None
        """Heuristics that replace the game's own, for example with other weights."""

    # Events of the game. Each method is a no-op by default.

    def begin(self, start: State, seat: int) -> None:
        """Start a game, or start it again after a takeback; drop data of earlier games."""
        return

    def watch(self, action: int | None, after: State) -> None:
        """Observe an action of any seat or of chance; it is `None` if this seat cannot see it."""
        return

    def close(self) -> None:
        """Release resources after the last question."""
        return

    # Questions.

    @abstractmethod
    def analyse(self, state: State) -> Analysis:
        """Return the choices, best first: all of them, or the most promising.

        Raises `AgentError` if no seat is to act.
        """
        raise AgentError(f"{type(self).__name__} must define analyse()")

    def choose(self, state: State, limit: Limit | None = None) -> int:
        """Return the action to play.

        Raises `AgentError` if the game is over or chance is to act.
        """
        check_decision(state)
        self.opinion = None
        if self.blunder > 0.0 and self.rng.random() < self.blunder:
            return state.sample(self.rng)
        # The method of an agent without time management may lack the parameter `limit`.
        asked: Any = self
        chosen: object = asked.best(state) if limit is None else asked.best(state, limit)
        number = as_int(chosen)
        if number is None:
            raise TypeError(f"best() must return an int, not {type_name(chosen)}")
        return number

    def best(self, state: State, limit: Limit | None = None) -> int:
        """Return the first choice of the analysis; override it if there is a faster way."""
        first = self.analyse(state).choices[0]
        self.opinion = first.value
        return first.action

    def check_game(self, game: Game) -> None:
        """Raise `AgentError` if the agent cannot play this game."""
        return

    def heuristics_for(self, game: Game) -> Heuristics:
        """Return the heuristics to use: the agent's own if they are set, otherwise the game's."""
        given = self.heuristics
        return given if given is not None and given.game == game else heuristics(game)

    def __repr__(self) -> str:
        """Return an expression that creates the agent again, if the registry created it."""
        return (
            f"parlour.agent({self.made_from!r})" if self.made_from else f"<{type(self).__name__}>"
        )


def check_decision(state: State) -> None:
    """Raise `AgentError` unless a seat is to act."""
    actor = state.actor
    if actor == OVER:
        raise AgentError("the game is over: there is nothing to choose")
    if actor == CHANCE:
        raise AgentError("chance is to act: play one of chance_outcomes() first")


def refuse_secrets(name: str, game: Game) -> None:
    """Raise `AgentError` if the game has hidden information, for an agent that cannot handle it."""
    if game.has_secrets:
        raise AgentError(f"{name} cannot play games with secrets such as {game.name}; use mcts")


def seconds_for(own_budget: float, limit: Limit | None) -> float:
    """Return the time budget of one choice in seconds; `own_budget` 0 means unlimited.

    A limit allows a twentieth of the clock plus the increment, and at most half of the clock,
    minus a margin for overhead. The result is always positive.
    """
    if limit is None:
        return own_budget
    share = min(limit.left * SHARE_OF_CLOCK + limit.increment, limit.left * LARGEST_SHARE)
    seconds = max(share - MARGIN, LEAST_SECONDS)
    return min(own_budget, seconds) if own_budget > 0.0 else seconds


class Clock:
    """Budget of a search: a number of units of work, a number of seconds, or both."""

    def __init__(
        self, work: int, seconds: float, now: Callable[[], float] = time.perf_counter
    ) -> None:
        """Start the clock; 0 means unlimited, and `now` returns the time in seconds."""
        self.work: Final = work
        self.seconds: Final = seconds
        self.now: Final = now
        self.started: Final = now()
        self._looks: i64 = 0

    def elapsed(self) -> float:
        """Return the seconds since the start."""
        return self.now() - self.started

    def is_up(self, work: int) -> bool:
        """Whether the budget is spent after `work` units; also handles Ctrl-C now and then."""
        self._looks += 1
        if self._looks % LOOKS_PER_SIGNAL == 0:
            signals.let_signals_in()
        if self.work > 0 and work >= self.work:
            return True
        return self.seconds > 0.0 and self.elapsed() >= self.seconds

    def still_possible(self, work: int, since: float) -> float:
        """Estimate how many more units of work fit into the remaining time.

        The rate is that of the `work` units done since the elapsed time was `since`.
        """
        elapsed = self.elapsed()
        if self.seconds == 0.0 or elapsed <= since:
            return math.inf
        return float(work) * (self.seconds - elapsed) / (elapsed - since)


def line_of(state: State, actions: list[int]) -> tuple[str, ...]:
    """Return the texts of actions that are played one after another."""
    texts: list[str] = []
    for action in actions:
        texts.append(state.game.action_to_text(state, action))
        state = state.apply(action)
    return tuple(texts)
