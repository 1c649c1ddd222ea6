"""What an agent is: it gets a state and nothing else, and chooses an action."""

import time
from abc import abstractmethod
from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from parlour.core.errors import AgentError
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.rng import Rng


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


class Analysis(NamedTuple):
    """What an agent thinks of a state: its choices, best first, and what that took."""

    choices: tuple[Choice, ...]
    work: int
    """Simulations or nodes."""
    seconds: float


@mypyc_attr(allow_interpreted_subclasses=True)
class Agent:
    """Chooses actions. One agent plays one seat of one game at a time."""

    def __init__(self, seed: int, blunder: float) -> None:
        """With the probability `blunder` it plays any legal action instead of its choice."""
        self.blunder: Final = blunder
        self.rng: Final = Rng(seed)

    @abstractmethod
    def analyse(self, state: State) -> Analysis:
        """Every choice, or the most promising ones, best first; `AgentError` if none is to make."""
        raise AgentError(f"{type(self).__name__} does not define analyse()")

    def choose(self, state: State) -> int:
        """The action to play; `AgentError` if the game is over or chance is to act."""
        check_decision(state)
        if self.blunder > 0.0 and self.rng.random() < self.blunder:
            return state.sample(self.rng)
        return self.best(state)

    def best(self, state: State) -> int:
        """The first choice of the analysis; replace it where that is quicker to find."""
        return self.analyse(state).choices[0].action

    def check_game(self, game: Game) -> None:
        """`AgentError` if the agent cannot play that game; most can play any."""
        return

    def forget(self) -> None:
        """Drop what was kept from earlier moves, for a new game; most agents keep nothing."""
        return


def check_decision(state: State) -> None:
    """`AgentError` unless a seat is to act."""
    actor = state.actor
    if actor == OVER:
        raise AgentError("the game is over: there is nothing to choose")
    if actor == CHANCE:
        raise AgentError("chance is to act: play one of chance_outcomes() first")


class Clock:
    """When to stop: after so many units of work, so many seconds, or whichever comes first."""

    def __init__(self, work: int, seconds: float) -> None:
        """A limit of 0 is none."""
        self.work: Final = work
        self.seconds: Final = seconds
        self.started: Final = time.perf_counter()

    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    def is_up(self, work: int) -> bool:
        """Whether to stop after so much work."""
        if self.work > 0 and work >= self.work:
            return True
        return self.seconds > 0.0 and self.elapsed() >= self.seconds


def line_of(state: State, actions: list[int]) -> tuple[str, ...]:
    """The texts of actions that are played one after another."""
    texts: list[str] = []
    for action in actions:
        texts.append(state.game.action_to_text(state, action))
        state = state.apply(action)
    return tuple(texts)
