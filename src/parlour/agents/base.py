"""What an agent is: it gets a state and chooses an action, and may hear what happens."""

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

SEED: Final = integer("seed", 0, -(2**63), 2**64 - 1, "the seed of its random choices")
BLUNDER: Final = fraction("blunder", None, 0, 1, "how often it plays any legal action instead")
PROCESSES: Final = integer("processes", 1, 1, 64, "search in so many processes at once")

LONGEST_TIME: Final = 86_400

# How much of a seat's clock a choice may take, and what is left for everything around it.
SHARE_OF_CLOCK: Final = 0.05
LARGEST_SHARE: Final = 0.5
MARGIN: Final = 0.02
LEAST_SECONDS: Final = 0.001

LOOKS_PER_SIGNAL: Final[i64] = 16


class Limit(NamedTuple):
    """What the clocks say when an agent is asked."""

    left: float
    """Seconds on the clock of the seat to act."""
    increment: float = 0.0
    """Seconds that it gains by acting."""
    others: tuple[float, ...] = ()
    """Seconds on the clocks of the other seats, in the order of play."""


def limit_of(left: Sequence[float], seat: int, increment: float) -> Limit:
    """Return what the clocks say to a seat; `left` are the seconds of every seat."""
    others = (*left[seat + 1 :], *left[:seat])
    return Limit(max(0.0, left[seat]), increment, others)


class Occasion(NamedTuple):
    """What an agent may know of the game beside its positions, before it begins."""

    seed: int | None = None
    """The seed of the start, which is public; `None` where nobody said."""
    label: str = ""
    """What to call the game in a log: its number in a match, and the seat."""
    logs: str | None = None
    """The folder where an agent of ours may keep such a log; other processes are not told."""


class Choice(NamedTuple):
    """One action as an agent sees it."""

    action: int
    text: str
    value: float
    """The return that the agent expects for the seat to act, in [-1, 1]."""
    visits: int
    """Simulations that went through it, or 0 where the agent counts none."""
    depth: int
    """Plies that were looked ahead, or 0."""
    line: tuple[str, ...]
    """The play that the agent expects, this action first; outcomes of chance included."""
    bound: str = EXACT
    """What the value is: EXACT as far as the agent looked, or AT_MOST so much."""
    ends_in: int = 0
    """Plies until the end that is proven from this action on, itself included; 0: not known."""


class Analysis(NamedTuple):
    """What an agent thinks of a state: its choices, best first, and what that took."""

    choices: tuple[Choice, ...]
    work: int
    """Simulations or nodes."""
    seconds: float


class Count(NamedTuple):
    """What a search by playouts found of one action."""

    action: int
    visits: int
    total: float
    """The sum of the returns of the seat to act."""


class Counted(NamedTuple):
    """What a search by playouts found of all actions, and how many simulations that took."""

    sims: int
    counts: tuple[Count, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Agent:
    """Chooses actions. One agent plays one seat of one game at a time.

    `choose` needs nothing but a state. Who plays a whole game with an agent also calls
    `begin`, `watch` and `close`, so that an agent may think ahead or talk to a program of
    its own; it is told only what its seat may know.
    """

    SETTINGS: ClassVar[tuple[Option, ...]] = (SEED, BLUNDER)
    """What the constructor takes, by keyword; the registry checks them."""

    TAKES_REST: ClassVar[bool] = False
    """Whether all of the agent's text after its name is the value of its first setting."""

    BARE: ClassVar[str] = ""
    """The setting whose value may stand first in the text without its name: `level:5`."""

    def __init_subclass__(cls) -> None:
        """Refuse a class that was compiled in a way that would crash."""
        super().__init_subclass__()
        refuse_foreign_layout(cls)

    def __init__(self, seed: int = 0, blunder: float | None = None) -> None:
        """With the probability `blunder` it plays any legal action instead of its choice."""
        self.blunder: Final = 0.0 if blunder is None else blunder
        self.rng: Final = Rng(seed)
        self.opinion: float | None = None
        """What the position was worth to the seat that acted, by the last `choose`."""
        self.now: Callable[[], float] = time.perf_counter
        """The clock that its budget of seconds is kept by."""
        self.occasion: Occasion = Occasion()
        """Which game it is; who owns the game says so before `begin`."""
        self.made_from = ""
        """The text that made it, where the registry did."""
        self.heuristics: Heuristics | None = None
        """Used in place of the game's own, as with other weights."""

    # What happens around the choices; each does nothing by default.

    def begin(self, start: State, seat: int) -> None:
        """A game begins, or begins anew after a takeback: drop what was kept of another."""
        return

    def watch(self, action: int | None, after: State) -> None:
        """Somebody acted, perhaps chance or this seat; `None` for what it may not see."""
        return

    def close(self) -> None:
        """The game is over, or nobody will ask again."""
        return

    # What it is asked.

    @abstractmethod
    def analyse(self, state: State) -> Analysis:
        """Every choice, or the most promising ones, best first; `AgentError` if none is to make."""
        raise AgentError(f"{type(self).__name__} does not define analyse()")

    def choose(self, state: State, limit: Limit | None = None) -> int:
        """The action to play; `AgentError` if the game is over or chance is to act."""
        check_decision(state)
        self.opinion = None
        if self.blunder > 0.0 and self.rng.random() < self.blunder:
            return state.sample(self.rng)
        # An agent that knows no clocks may have a `best` without a limit.
        asked: Any = self
        chosen: object = asked.best(state) if limit is None else asked.best(state, limit)
        number = as_int(chosen)
        if number is None:
            raise TypeError(f"best() gives an action, which is an int, not {type_name(chosen)}")
        return number

    def best(self, state: State, limit: Limit | None = None) -> int:
        """The first choice of the analysis; replace it where that is quicker to find."""
        first = self.analyse(state).choices[0]
        self.opinion = first.value
        return first.action

    def check_game(self, game: Game) -> None:
        """`AgentError` if the agent cannot play that game; most can play any."""
        return

    def heuristics_for(self, game: Game) -> Heuristics:
        """Return the heuristics to ask: those given to this agent, or the game's own."""
        given = self.heuristics
        return given if given is not None and given.game == game else heuristics(game)

    def __repr__(self) -> str:
        """An expression that makes it again, where the registry made it."""
        return (
            f"parlour.agent({self.made_from!r})" if self.made_from else f"<{type(self).__name__}>"
        )


def check_decision(state: State) -> None:
    """`AgentError` unless a seat is to act."""
    actor = state.actor
    if actor == OVER:
        raise AgentError("the game is over: there is nothing to choose")
    if actor == CHANCE:
        raise AgentError("chance is to act: play one of chance_outcomes() first")


def refuse_secrets(name: str, game: Game) -> None:
    """`AgentError` for an agent that would take what a seat cannot know for the truth."""
    if game.has_secrets:
        raise AgentError(f"{name} is for games without secrets; {game.name} has some: use mcts")


def seconds_for(own_budget: float, limit: Limit | None) -> float:
    """The seconds that a choice may take: the agent's own budget (0: none), within the limit.

    That is a twentieth of the clock and the increment, at most half of the clock, less a
    margin for what happens around the choice; never so little that there is no choice.
    """
    if limit is None:
        return own_budget
    share = min(limit.left * SHARE_OF_CLOCK + limit.increment, limit.left * LARGEST_SHARE)
    seconds = max(share - MARGIN, LEAST_SECONDS)
    return min(own_budget, seconds) if own_budget > 0.0 else seconds


class Clock:
    """When to stop: after so many units of work, so many seconds, or whichever comes first."""

    def __init__(
        self, work: int, seconds: float, now: Callable[[], float] = time.perf_counter
    ) -> None:
        """A limit of 0 is none; `now` tells the time in seconds."""
        self.work: Final = work
        self.seconds: Final = seconds
        self.now: Final = now
        self.started: Final = now()
        self._looks: i64 = 0

    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.now() - self.started

    def is_up(self, work: int) -> bool:
        """Whether to stop after so much work; lets Ctrl-C in now and then."""
        self._looks += 1
        if self._looks % LOOKS_PER_SIGNAL == 0:
            signals.let_signals_in()
        if self.work > 0 and work >= self.work:
            return True
        return self.seconds > 0.0 and self.elapsed() >= self.seconds

    def still_possible(self, work: int, since: float) -> float:
        """About how much more can be done in the time, if it goes on as fast as so much did.

        `since` is what had elapsed when that work began.
        """
        elapsed = self.elapsed()
        if self.seconds == 0.0 or elapsed <= since:
            return math.inf
        return float(work) * (self.seconds - elapsed) / (elapsed - since)


def line_of(state: State, actions: list[int]) -> tuple[str, ...]:
    """The texts of actions that are played one after another."""
    texts: list[str] = []
    for action in actions:
        texts.append(state.game.action_to_text(state, action))
        state = state.apply(action)
    return tuple(texts)
