"""Heuristics for Banqi; the kernels are in `evaluation` and `ordering`."""

from collections.abc import Mapping
from math import sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.game import OVER, Game, State
from parlour.core.heuristics import UNKNOWN_VALUE, Heuristics
from parlour.core.result import UNDECIDED
from parlour.core.weights import weights_of
from parlour.games.banqi.bits import ALL
from parlour.games.banqi.endings import MAX_PIECES
from parlour.games.banqi.pieces import FIRST_MOVE, NO_COLOUR, RED
from parlour.games.banqi.rules import BanqiState
from parlour.games.banqi.values import Scales

# Matches show that neighbouring levels differ by more than noise.
LEVELS: Final = (
    "greedy:blunder=0.75",
    "greedy:blunder=0.45",
    "greedy:blunder=0.15",
    "search:nodes=100,blunder=0.35",
    "search:nodes=200,blunder=0.15",
    "search:nodes=1000,blunder=0.08",
    "search:nodes=5000,blunder=0.04",
    "search:nodes=20000",
    "search:time=3",
)

# How much the positional terms usually add to material, and the futility margin (about the value
# of a King while all pieces are alive).
PLACES: Final = 0.12
MARGIN: Final = 0.08

# The most pieces of an ending to look up inside a search, and at its root.
QUICK_ENDING: Final[i64] = 3
ENDING: Final[i64] = MAX_PIECES
# The value that a win loses with each ply, so that shorter wins are preferred.
SOONER: Final = 0.0005

# The multipliers of the two halves of a fingerprint.
LOW: Final[i64] = 0x5BD1E995
HIGH: Final[i64] = 0x27D4EB2F


class BanqiHeuristics(Heuristics):
    """Material and position, captures first, a few of the flips, and solved endings."""

    WEIGHTS = weights_of("parlour.games.banqi")

    def __init__(self, game: Game, weights: Mapping[str, float] | None = None) -> None:
        """Arrange the weights for the evaluation."""
        super().__init__(game, weights, best_agent="search", levels=LEVELS)
        self._scales: Final = Scales(self.weights)

    def evaluate(self, state: State, seat: i64) -> float:
        """Return the lead of the seat's colour, which fades as the quiet turns run out."""
        assert isinstance(state, BanqiState)
        if state._actor == OVER:
            return super().evaluate(state, seat)
        if state._seat_0 == NO_COLOUR:
            return 0.0
        value = state.lead(self._scales) * _faded(state)
        return value if (state._seat_0 ^ seat) == RED else -value

    def evaluate_within(self, state: State, low: float, high: float) -> float:
        """Return material alone if the positional terms cannot bring it into the window."""
        assert isinstance(state, BanqiState)
        if state._actor == OVER or state._seat_0 == NO_COLOUR:
            return self.evaluate(state, 0)
        value = self._scales.lead * state.piece_values(self._scales).share
        value = UNDECIDED * value / sqrt(1.0 + value * value) * _faded(state)
        if state._seat_0 != RED:
            value = -value
        if value - PLACES >= high or value + PLACES <= low:
            return value
        return self.evaluate(state, 0)

    def futility_margin(self, state: State) -> float:
        """Return the same margin for every position."""
        return MARGIN

    def known_value(self, state: State, is_deep: bool) -> float:
        """Return the tablebase value, if the game ends within the limit of quiet turns."""
        assert isinstance(state, BanqiState)
        pieces = state._left_red + state._left_black
        if pieces > (ENDING if is_deep else QUICK_ENDING) or state._down_count > 0:
            return UNKNOWN_VALUE
        if state._actor == OVER:
            return UNKNOWN_VALUE
        number = state._ending_number()
        if number == 0:
            return 0.0
        plies = number - 1
        if state._quiet + plies > state._rules.quiet_limit:
            return UNKNOWN_VALUE
        value = 1.0 - SOONER * float(plies)
        return value if (plies & 1 == 1) == (state._actor == 0) else -value

    def search_actions(self, state: State, depth: i64) -> vec[i64]:
        """Return the legal actions with only the most promising flips."""
        assert isinstance(state, BanqiState)
        return state.narrowed(depth, self._scales)

    def null_move(self, state: State, depth: i64) -> State | None:
        """Return the position after a null move where flips were pruned.

        On average a pruned flip changes little, so a null move approximates it.
        """
        assert isinstance(state, BanqiState)
        if state._seat_0 == NO_COLOUR or not state.leaves_out_flips(depth):
            return None
        return state.after_null_move()

    def can_reduce(self, state: State, action: i64) -> bool:
        """Allow reductions for moves to empty squares."""
        assert isinstance(state, BanqiState)
        return action >= FIRST_MOVE and (state._up() >> (action & 31)) & 1 == 0

    def is_repetition(self, state: State) -> bool:
        """Whether the board has occurred before."""
        assert isinstance(state, BanqiState)
        return state.occurred() >= 2

    def quiescence_actions(self, state: State) -> vec[i64]:
        """Return the captures."""
        assert isinstance(state, BanqiState)
        return state.captures()

    def move_order(self, state: State, action: i64) -> i64:
        """Rank captures first and flips last."""
        assert isinstance(state, BanqiState)
        return state.rank_of_action(action)

    def fingerprint(self, state: State) -> i64:
        """Return two 31-bit hashes of the position.

        They include the quiet turns only when few are left.
        """
        assert isinstance(state, BanqiState)
        left = state._rules.quiet_limit - state._quiet
        rest = (state._turn << 1 | (state._seat_0 & 1)) << 8 | (left if left < 16 else 255)
        low: i64 = 0x1234567
        high: i64 = 0x7654321
        # Unrolled, because a loop over a tuple would box every word.
        low = _mixed(low, state._p0, LOW)
        high = _mixed(high, state._p0, HIGH)
        low = _mixed(low, state._p1, LOW)
        high = _mixed(high, state._p1, HIGH)
        low = _mixed(low, state._p2, LOW)
        high = _mixed(high, state._p2, HIGH)
        low = _mixed(low, state._red & ALL, LOW)
        high = _mixed(high, state._red & ALL, HIGH)
        low = _mixed(low, state._down, LOW)
        high = _mixed(high, state._down, HIGH)
        low = _mixed(low, state._bag & ALL, LOW)
        high = _mixed(high, state._bag & ALL, HIGH)
        low = _mixed(low, state._bag >> 32, LOW)
        high = _mixed(high, state._bag >> 32, HIGH)
        return _mixed(high, rest, HIGH) << 31 | _mixed(low, rest, LOW)


def _faded(state: BanqiState) -> float:
    """Return the share of a lead that remains as the quiet turns run out."""
    quiet = float(state._quiet) / float(state._rules.quiet_limit)
    return 1.0 - 0.5 * quiet * quiet


def _mixed(state: i64, word: i64, factor: i64) -> i64:
    """Mix 32 bits of input into a 31-bit hash, without any product reaching 2**63."""
    product = ((state ^ word) & 0x7FFFFFFF) * factor + (word >> 31) * 0x9E3779B1
    return (product ^ (product >> 29)) & 0x7FFFFFFF
