"""The contract: a `Game` (its description and its start) and a `State` (a position).

What an author must write is marked abstract; everything else has a default that is
right for any game and may be replaced for speed.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from parlour.core.checks import as_int, check_text, shown, type_name
from parlour.core.errors import ActionTextError, ContractError, IllegalAction
from parlour.core.options import Option, Value
from parlour.core.rng import Rng
from parlour.core.scene import Scene

CHANCE: Final = -1
OVER: Final = -2

UNDECIDED: Final = 0.96
"""No position is worth more before the end, and none less than this below 0."""


def estimate(value: float) -> float:
    """Any number as what a position is worth: squeezed into UNDECIDED, where more stays more."""
    return UNDECIDED * math.tanh(value)


class Result(NamedTuple):
    """How a game ended. Why it ended (`reason`) is kept apart from who won (`returns`)."""

    returns: tuple[float, ...]
    """One number per seat in [-1, 1]; they sum to 0 where there is more than one seat."""
    scores: tuple[float, ...] | None
    """The game's own points per seat, where it has them."""
    reason: str

    @property
    def winner(self) -> int | None:
        """The seat that did better than every other, or `None` after a tie or a lost solo game."""
        best = max(self.returns)
        if best <= 0 or self.returns.count(best) > 1:
            return None
        return self.returns.index(best)


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(ABC):
    """One game with its options chosen. Equal by value, hashable, picklable, immutable."""

    OPTIONS: ClassVar[tuple[Option, ...]] = ()
    """What the constructor takes, by keyword; it checks them with `check_options`."""

    BEST: ClassVar[str] = "mcts"
    """The text of the agent that plays this game best, without its budget."""

    LEVELS: ClassVar[tuple[str, ...]] = (
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
    """The texts of the agents of levels 1 to 9, weakest first."""

    DRAW_OFFERS: ClassVar[bool] = False
    """Whether two players may agree on a draw."""

    def __init__(
        self,
        name: str,
        title: str,
        seats: int,
        num_actions: int,
        max_plies: int,
        options: Mapping[str, Value],
        has_chance: bool = False,
    ) -> None:
        """Describe the game; a subclass calls this with its checked options.

        `max_plies` bounds the decisions of any game, stalling play included. A game
        whose states never are at CHANCE leaves `has_chance` false.
        """
        self.name: Final = name
        self.title: Final = title
        self.seats: Final = seats
        self.num_actions: Final = num_actions
        self.max_plies: Final = max_plies
        self.options: Final[Mapping[str, Value]] = MappingProxyType(dict(options))
        self.has_chance: Final = has_chance

    def best_agent(self) -> str:
        """The text of the agent behind `best`; BEST, unless it depends on the options."""
        return self.BEST

    def level_agents(self) -> tuple[str, ...]:
        """The texts of the agents behind the levels; LEVELS, unless they depend on the options."""
        return self.LEVELS

    @abstractmethod
    def start(self, seed: int = 0) -> "State":
        """The first position. All randomness of the set-up comes from the seed."""
        raise _undefined(self, "start")

    @abstractmethod
    def state_to_text(self, state: "State") -> str:
        """The position exactly, in a form that a person can read and edit."""
        raise _undefined(self, "state_to_text")

    @abstractmethod
    def state_from_text(self, text: str) -> "State":
        """The position that `state_to_text` wrote; `StateTextError` or `InvalidState` if none."""
        raise _undefined(self, "state_from_text")

    @abstractmethod
    def scene(self, state: "State", seat: int | None) -> Scene:
        """What that seat, or a spectator (`None`), may see."""
        raise _undefined(self, "scene")

    def action_to_text(self, state: "State", action: int) -> str:
        """The action's text: no spaces, and a chance outcome's starts with `=`, no other does.

        The default is its id.
        """
        return f"={action}" if state.actor == CHANCE else str(action)

    def action_from_text(self, state: "State", text: str) -> int:
        """The id of the action with that text; `play` then says whether it is legal.

        The default knows the legal actions only. Raises `ActionTextError`.
        """
        wanted = check_text("an action's text", text, ActionTextError)
        legal = state.legal_actions()
        for action in legal:
            if self.action_to_text(state, action) == wanted:
                return action
        raise ActionTextError(f"{shown(wanted)} is no legal action{self._examples(state)}")

    def help_topics(self) -> dict[str, str]:
        """What `explain` can be asked for, each topic with a line that says what it shows."""
        return {}

    def explain(self, state: "State", topic: str) -> str | None:
        """What a player asked for with `help TOPIC`, or `None` if the game has no such topic."""
        return None

    def _examples(self, state: "State") -> str:
        texts = [self.action_to_text(state, action) for action in state.legal_actions()]
        if not texts:
            return ": the game is over"
        more = ", ..." if len(texts) > 8 else ""
        return "; legal now: " + ", ".join(texts[:8]) + more

    # What an author may replace, for those who play and those who look on.

    def solution(self, state: "State") -> list[int] | None:
        """A shortest way to win from there for a game that is solved, or `None`."""
        return None

    def frames(self, state: "State", action: int, seat: int | None = None) -> list[Scene]:
        """The scenes that show a legal action step by step, as that seat sees it.

        The last one is the scene after the action; by default it is the only one.
        """
        return [state.apply(action).scene(seat)]

    def remark(self, start: "State", state: "State") -> str:
        """A sentence on how the game from `start` goes, or went if it is over; may be empty."""
        return ""

    def json_fields(self, state: "State", seed: int) -> dict[str, object]:
        """Fields of the game's own for programs that read positions as JSON; plain values."""
        return {}

    def __eq__(self, other: object) -> bool:
        """Same class and same options."""
        if not isinstance(other, Game):
            return False
        return self is other or (type(self) is type(other) and self.options == other.options)

    def __hash__(self) -> int:
        """Follows equality."""
        return hash((self.name, tuple(self.options.values())))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as its class and its options."""
        return (_rebuild_game, (type(self), dict(self.options)))

    def __repr__(self) -> str:
        """An expression that makes it again, for a registered game."""
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"parlour.game({self.name!r}{options})"


@mypyc_attr(allow_interpreted_subclasses=True)
class State(ABC):
    """A position: immutable to its callers, without randomness and without secrets."""

    def __init__(self, game: Game) -> None:
        """Belong to `game`."""
        self.game: Final = game

    # What an author writes.

    @property
    @abstractmethod
    def actor(self) -> i64:
        """The seat to act, or CHANCE, or OVER."""
        raise _undefined(self, "actor")

    @abstractmethod
    def legal_actions(self) -> vec[i64]:
        """Ids, ascending; at CHANCE the possible outcomes; empty iff OVER. Yours to keep."""
        raise _undefined(self, "legal_actions")

    @abstractmethod
    def apply(self, action: i64) -> "State":
        """The next state, for an action taken from `legal_actions()`; anything may follow else."""
        raise _undefined(self, "apply")

    @abstractmethod
    def result(self) -> Result | None:
        """How the game ended, or `None` while it goes on."""
        raise _undefined(self, "result")

    @abstractmethod
    def key(self) -> object:
        """A hashable value; two states of one game are equal iff their keys are."""
        raise _undefined(self, "key")

    # What an author may replace, to say more or to be faster.

    def rule_against(self, action: i64) -> str | None:
        """The rule that forbids this action (an id of the right range) now, in words, or `None`."""
        if action in self.legal_actions():
            return None
        return f"{self.game.action_to_text(self, action)} is not legal now"

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs at CHANCE, ascending, all positive; else empty."""
        return []

    def sample(self, rng: Rng) -> i64:
        """A uniformly random legal action; at CHANCE an outcome by its probability."""
        if self.actor == CHANCE:
            return _draw(self.chance_outcomes(), rng.random())
        actions = self.legal_actions()
        return actions[rng.below(len(actions))]

    def scratch(self) -> "State":
        """A state to `advance` from; this one never changes.

        For playouts and searches. The default suits the default `advance`; replace both or none.
        """
        return self

    def advance(self, action: i64) -> "State":
        """Like `apply`, but may reuse this state, which came from `scratch` and must be dropped."""
        return self.apply(action)

    # What an author may replace so that agents play well; each default is right for any game.

    def evaluate(self, seat: i64) -> float:
        """What the end is worth to that seat, or before the end an estimate of that.

        The end is worth the return, or what an author puts in its place, in [-1, 1]. An
        estimate is at most UNDECIDED from 0, because a search takes more for a proven win;
        `estimate` makes one of any number. The default knows nothing, and says 0.
        """
        result = self.result()
        return 0.0 if result is None else result.returns[seat]

    def rollout_action(self, rng: Rng) -> i64:
        """A random legal action for a playout: quick, and better than uniform where that pays."""
        return self.sample(rng)

    def priors(self, actions: vec[i64]) -> vec[float]:
        """How promising each of the legal actions looks, larger is better; empty: all alike."""
        return vec[float]()

    def candidates(self, depth: i64) -> vec[i64]:
        """The legal actions that a search looks at with `depth` plies to go; never empty."""
        return self.legal_actions()

    def may_hold(self, depth: i64) -> bool:
        """Whether an action that `candidates` left out keeps the position about as it is."""
        return False

    def noisy_actions(self) -> vec[i64]:
        """The legal actions that a search plays out before it trusts `evaluate`: captures."""
        return vec[i64]()

    def urgency(self, action: i64) -> i64:
        """Where a search should try this legal action among the others: larger is earlier."""
        return 0

    def fingerprint(self) -> i64:
        """A number from 0 to 2**62 - 1 that equal states share and others hardly ever do."""
        from hashlib import blake2b  # here, because `import parlour` should not pay for it

        digest = blake2b(repr(self.key()).encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") >> 2

    def solution(self) -> list[int] | None:
        """A shortest way to win for a game that is solved, or `None`: what the game says."""
        return self.game.solution(self)

    # What everybody gets.

    def refusal(self, action: object) -> str | None:
        """Why `play(action)` would be refused, or `None`. Never raises, whatever the type."""
        number = as_int(action)
        if number is None:
            return f"an action is an int, not {type_name(action)}"
        actor = self.actor
        if actor == OVER:
            return "the game is over"
        if actor == CHANCE:
            for outcome, _ in self.chance_outcomes():
                if outcome == number:
                    return None
            return f"{shown(number)} is not among the outcomes that chance can bring now"
        if not 0 <= number < self.game.num_actions:
            return f"an action is an id from 0 to {self.game.num_actions - 1}, not {shown(number)}"
        return self.rule_against(number)

    def play(self, action: object) -> "State":
        """The next state; `IllegalAction` with the reason if the action is not legal."""
        reason = self.refusal(action)
        if reason is not None:
            raise IllegalAction(reason)
        number = as_int(action)
        assert number is not None
        return self.apply(number)

    def scene(self, seat: int | None = None) -> Scene:
        """What that seat, or a spectator, may see."""
        if seat is not None and not isinstance(seat, int):
            raise TypeError(f"a seat is an int, not {type_name(seat)}")
        if seat is not None and not 0 <= seat < self.game.seats:
            raise IndexError(f"{self.game.name} has seats 0 to {self.game.seats - 1}, not {seat}")
        return self.game.scene(self, seat)

    def __eq__(self, other: object) -> bool:
        """Same game, same position."""
        if not isinstance(other, State):
            return False
        return self is other or (self.game == other.game and self.key() == other.key())

    def __hash__(self) -> int:
        """Follows equality."""
        return hash(self.key())

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as the game and its text; replace it where that is too slow."""
        return (_rebuild_state, (self.game, self.game.state_to_text(self)))

    def __repr__(self) -> str:
        """The game and the position's text."""
        return f"<{self.game.name} state\n{self.game.state_to_text(self)}>"


def _undefined(owner: object, method: str) -> ContractError:
    """A compiled base class does not stop an author who forgot a method; its call does."""
    return ContractError(f"{type(owner).__name__} does not define {method}()")


_rebuilt: Final[dict[object, Game]] = {}


def _rebuild_game(cls: type[Game], options: dict[str, Value]) -> Game:
    """The game again; the same object for all states that are unpickled one after another."""
    key = (cls, tuple(options.items()))
    made = _rebuilt.get(key)
    if made is None:
        make: Any = cls
        made = make(**options)
        _rebuilt.clear()
        _rebuilt[key] = made
    return made


def _rebuild_state(game: Game, text: str) -> State:
    return game.state_from_text(text)


def _draw(outcomes: list[tuple[int, float]], point: float) -> i64:
    """The outcome in whose share of [0, 1) the point lies."""
    for outcome, probability in outcomes:
        point -= probability
        if point < 0.0:
            return outcome
    return outcomes[-1][0]
