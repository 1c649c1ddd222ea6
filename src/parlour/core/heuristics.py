"""What agents know about a game beyond its rules: evaluation, move ordering, priors, levels.

A game returns its own from `Game.heuristics`. Each default here is right for any game, so an author
replaces what improves play and leaves the rest. `search` uses everything down to
`quiescence_actions`; `mcts` uses evaluations, priors and the rollout policy.
"""

from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType
from typing import Any, ClassVar, Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from parlour.core.checks import shown
from parlour.core.errors import ContractError, OptionError
from parlour.core.game import Game, State
from parlour.core.outside import refuse_foreign_layout
from parlour.core.registry import game as find_game
from parlour.core.rng import Rng

UNKNOWN_VALUE: Final = 2.0
"""The `known_value` of a position that is not solved."""
NO_MARGIN: Final = 2.0
"""The `futility_margin` where a quiet action may change the evaluation by any amount."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristics:
    """Playing strength for one game. Subclass it, and return it from `Game.heuristics`.

    >>> import parlour
    >>> heuristics = parlour.heuristics("banqi")
    >>> heuristics.best_agent, len(heuristics.levels)
    ('search', 9)
    >>> heuristics.weighted({"cannon": 5.0}).weights["cannon"]
    5.0
    """

    WEIGHTS: ClassVar[Mapping[str, float]] = MappingProxyType({})
    """Named numbers that the evaluation reads; `parlour tune` looks for better ones."""

    def __init_subclass__(cls) -> None:
        """Refuse classes that mypyc compiled separately."""
        super().__init_subclass__()
        refuse_foreign_layout(cls)

    def __init__(
        self,
        game: Game,
        weights: Mapping[str, float] | None = None,
        *,
        best_agent: str = "",
        levels: tuple[str, ...] = (),
    ) -> None:
        """Name the best agent for the game, without its budget, and the agents of the levels.

        `weights` replaces some of `WEIGHTS`. A subclass with weights passes them on.
        """
        self.game: Final = game
        self.best_agent: Final = best_agent
        self.levels: Final = levels
        self.weights: Final[Mapping[str, float]] = MappingProxyType(
            {**type(self).WEIGHTS, **(weights or {})}
        )

    # Evaluation.

    def evaluate(self, state: State, seat: i64) -> float:
        """Return the value of a position for a seat, in [-1, 1].

        Estimates of unfinished games lie within UNDECIDED of 0, because a search takes larger
        values for proven wins; `parlour.estimate` squeezes any number into that range. The default
        is the return at the end, and 0 before it.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> parlour.Heuristics(game).evaluate(game.start(), 0)
        0.0
        """
        result = state.result()
        return 0.0 if result is None else result.returns[seat]

    def evaluate_seats(self, state: State) -> vec[float]:
        """Return `evaluate` for every seat; replace it where computing them together is faster.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> list(parlour.Heuristics(game).evaluate_seats(game.start()))
        [0.0, 0.0]
        """
        return vec[float]([self.evaluate(state, seat) for seat in range(self.game.seats)])

    def evaluate_within(self, state: State, low: float, high: float) -> float:
        """Return `evaluate` for seat 0, or any bound outside (low, high) that it clearly exceeds.

        For lazy evaluation: most positions are far from the window of a search.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> parlour.Heuristics(game).evaluate_within(game.start(), -0.5, 0.5)
        0.0
        """
        return self.evaluate(state, 0)

    # For mcts.

    def evaluation_weight(self, state: State) -> float:
        """Return the weight of `evaluate` relative to the result of a playout, from 0 to 1.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> parlour.Heuristics(game).evaluation_weight(game.start())
        0.0
        """
        return 0.0

    def rollout_policy(self, state: State, rng: Rng) -> i64:
        """Return a random legal action for a playout: quick, and better than uniform.

        >>> import parlour
        >>> state = parlour.game("octa:size=1").start(seed=8)
        >>> parlour.heuristics("octa:size=1").rollout_policy(state, parlour.Rng(1)) in (2, 6)
        True
        """
        return state.sample(rng)

    def priors(self, state: State, actions: vec[i64]) -> vec[float]:
        """Return the logarithm of each legal action's odds, up to a constant; empty: all equal.

        >>> import parlour
        >>> state = parlour.game("octa").start()
        >>> len(parlour.Heuristics(state.game).priors(state, state.legal_actions()))
        0
        """
        return vec[float]()

    # For search.

    def fingerprint(self, state: State) -> i64:
        """Return a hash for the transposition table, from 0 to 2**62 - 1; equal states share it.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> 0 <= parlour.heuristics(game).fingerprint(game.start()) < 2**62
        True
        """
        from hashlib import blake2b  # here, because `import parlour` should not pay for it

        digest = blake2b(repr(state.key()).encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") >> 2

    def search_actions(self, state: State, depth: i64) -> vec[i64]:
        """Return the legal actions to search with `depth` plies left, at least one.

        >>> import parlour
        >>> state = parlour.game("octa:size=1").start(seed=8)
        >>> list(parlour.Heuristics(state.game).search_actions(state, 3))
        [2, 6]
        """
        return state.legal_actions()

    def move_order(self, state: State, action: i64) -> i64:
        """Return the rank of a legal action: larger is searched earlier.

        >>> import parlour
        >>> state = parlour.game("octa").start()
        >>> parlour.Heuristics(state.game).move_order(state, 0)
        0
        """
        return 0

    def can_reduce(self, state: State, action: i64) -> bool:
        """Whether a search may reduce the depth after this action (late move reductions).

        >>> import parlour
        >>> state = parlour.game("octa").start()
        >>> parlour.Heuristics(state.game).can_reduce(state, 0)
        False
        """
        return False

    def null_move(self, state: State, depth: i64) -> State | None:
        """Return the position after a null move, or `None` to skip null-move pruning.

        Only sound where `search_actions(state, depth)` left out an action that changes little.

        >>> import parlour
        >>> state = parlour.game("octa").start()
        >>> parlour.Heuristics(state.game).null_move(state, 3) is None
        True
        """
        return None

    def is_repetition(self, state: State) -> bool:
        """Whether the position occurred before, in games that such a repetition draws.

        >>> import parlour
        >>> state = parlour.game("octa").start()
        >>> parlour.Heuristics(state.game).is_repetition(state)
        False
        """
        return False

    def known_value(self, state: State, is_deep: bool) -> float:
        """Return seat 0's value of a solved position, otherwise UNKNOWN_VALUE.

        A win is beyond UNDECIDED, and the farther from 0 the sooner it comes; a draw is 0. With
        `is_deep` the call may be slow.

        >>> import parlour
        >>> state = parlour.game("octa").start()
        >>> parlour.Heuristics(state.game).known_value(state, False)
        2.0
        """
        return UNKNOWN_VALUE

    def futility_margin(self, state: State) -> float:
        """Return the largest change in evaluation that a quiet action can make, or NO_MARGIN.

        >>> import parlour
        >>> state = parlour.game("octa").start()
        >>> parlour.Heuristics(state.game).futility_margin(state)
        2.0
        """
        return NO_MARGIN

    def quiescence_actions(self, state: State) -> vec[i64]:
        """Return the legal actions to play out before `evaluate` is trusted, such as captures.

        >>> import parlour
        >>> state = parlour.game("octa").start()
        >>> list(parlour.Heuristics(state.game).quiescence_actions(state))
        []
        """
        return vec[i64]()

    # For every game.

    def weighted(self, weights: Mapping[str, float]) -> "Heuristics":
        """Return these heuristics with some weights replaced, or `self` if `weights` is empty.

        Raises `OptionError` for an unknown weight or for a value that is not a number.

        >>> import parlour
        >>> parlour.heuristics("banqi").weighted({"cannon": 5.0}).weights["cannon"]
        5.0
        """
        if not weights:
            return self
        for name, value in weights.items():
            if name not in self.weights:
                known = ", ".join(self.weights) or "none"
                raise OptionError(f"{self.game.name} has no weight {shown(name)}; it has {known}")
            if not isinstance(value, float | int) or not isfinite(value):
                raise OptionError(f"the weight {name} must be a number, not {shown(value)}")
        make: Any = type(self)
        changed = {name: float(value) for name, value in weights.items()}
        made: Heuristics = make(self.game, {**self.weights, **changed})
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy the game and the weights."""
        return (_rebuild, (self.game, dict(self.weights)))

    def __repr__(self) -> str:
        """Return the game."""
        return f"<heuristics of {self.game!r}>"


# By game, and not in the game: that would be a reference cycle.
_kept: Final[dict[Game, Heuristics]] = {}
MOST_KEPT: Final = 16


def heuristics(game: object) -> Heuristics:
    """Return the heuristics of a game. `game` is a `Game`, or its name or text.

    >>> import parlour
    >>> parlour.heuristics("banqi").best_agent
    'search'
    """
    known = game if isinstance(game, Game) else find_game(game)
    kept = _kept.get(known)
    if kept is not None:
        return kept
    author: Any = known  # untyped: the method of a plain Python class may return anything
    made: object = author.heuristics()
    if not isinstance(made, Heuristics):
        raise ContractError(
            f"{known.name}.heuristics() must return parlour.Heuristics, not {shown(made)}"
        )
    if len(_kept) >= MOST_KEPT:
        _kept.clear()
    _kept[known] = made
    return made


def _rebuild(game: Game, weights: dict[str, float]) -> Heuristics:
    plain = heuristics(game)
    return plain.weighted(weights) if weights else plain
