"""The rules of Banqi, and the positions they act on.

1. The board has 4 rows of 8 squares. Red and black have 16 pieces each. By rank, highest
   first: King 7 (one), Guard 6, Minister 5, Rook 4, Horse 3, Cannon 2 (two each), Pawn 1
   (five). At the start all 32 pieces are face-down, one on each square.
2. On each turn a player flips, moves or captures. Flip: turn any face-down piece face-up.
3. The first flip decides the colours: the flipper (seat 0) plays the revealed colour. That
   colour moves next, so the flipper moves again; with `first_flip_passes` the other colour
   moves next. Every later turn passes to the other colour.
4. Move: one of your face-up pieces moves one square up, down, left or right to an empty
   square.
5. Capture: one of your face-up pieces other than a Cannon captures a face-up enemy piece
   one square away if its rank is equal or higher. Exceptions: a King cannot capture a Pawn,
   and a Pawn captures a King.
6. A Cannon captures along its row or column, never one square away. It jumps over exactly
   one piece, face-up or face-down and of either colour, and captures the next piece, which
   must be a face-up enemy of any rank. There may be empty squares in between.
7. A colour loses as soon as all its 16 pieces are captured. The turn does not pass.
8. A colour loses if it is to move and has no flip, move or capture.
9. The game is a draw after `quiet_limit` consecutive turns without a flip or capture.
10. With `repetition` the game is a draw when the same board occurs for the third time with
    the same colour to move.
11. A win (rules 7 and 8) takes precedence over a draw.

A state holds only what both players see: the face-up pieces, the squares of the face-down
pieces, and how many of each kind are face-down. Flips are chance events.

The index and name of each square:

     a   b   c   d   e   f   g   h
     0   1   2   3   4   5   6   7   1
     8   9  10  11  12  13  14  15   2
    16  17  18  19  20  21  22  23   3
    24  25  26  27  28  29  30  31   4

Action ids: a flip is its square; a move or capture is 32 + 32 * from + to. A piece, and the
chance outcome that reveals it, is 7 * colour + kind, with kinds from King 0 to Pawn 6.
"""

from collections.abc import Mapping
from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from parlour.core.checks import shown
from parlour.core.errors import InvalidState
from parlour.core.game import CHANCE, OVER, Game
from parlour.core.options import Value
from parlour.core.result import Result
from parlour.core.rng import Rng
from parlour.games.banqi.bits import BIT, SQUARES
from parlour.games.banqi.evaluation import UNKNOWN
from parlour.games.banqi.history import (
    History,
    history_from_turns,
    history_to_turns,
    occurrences,
)
from parlour.games.banqi.ordering import OrderedState
from parlour.games.banqi.pieces import (
    BLACK,
    BOARD,
    CAPTURE_ALL,
    FACES,
    FIRST_MOVE,
    KINDS,
    NO_COLOUR,
    NOTHING,
    NUM_ACTIONS,
    ONGOING,
    PIECES,
    PLAYER_TEXTS,
    QUIET_LIMIT,
    REASONS,
    RED,
    REPETITION,
    STALEMATE,
)
from parlour.games.banqi.validation import Parts, checked_parts, checked_turns

_ODDS_PER_PIECE: Final[i64] = 6
_ODDS_PER_TOTAL: Final[i64] = 84
# The pairs of `chance_outcomes` by total, piece and number. A lookup takes a quarter of the time
# of building them. `Any` keeps mypyc from unboxing and reboxing the tuples.
_ODDS: Final[list[Any]] = [
    (piece, number / max(total, 1))
    for total in range(SQUARES + 1)
    for piece in range(PIECES)
    for number in range(6)
]

# The most irreversible turns: 32 flips and 31 captures.
_IRREVERSIBLE: Final = 63


@mypyc_attr(allow_interpreted_subclasses=True)
class BanqiRules(Game["BanqiState"]):
    """The parameters of the rules 3, 9 and 10."""

    def __init__(
        self,
        title: str,
        options: Mapping[str, Value],
        first_flip_passes: bool,
        quiet_limit: int,
        repetition: bool,
    ) -> None:
        """Set up a game for two seats; seat 0 flips first."""
        # At most quiet_limit - 1 quiet turns follow each irreversible turn, and quiet_limit the
        # last one.
        plies = _IRREVERSIBLE * quiet_limit + 1
        super().__init__(
            name="banqi",
            title=title,
            seats=2,
            num_actions=NUM_ACTIONS,
            max_plies=plies,
            options=options,
            has_chance=True,
            board=BOARD,
            faces=FACES,
        )
        self.first_flip_passes: Final = first_flip_passes
        self.quiet_limit: Final[i64] = quiet_limit
        self.repetition: Final = repetition


@mypyc_attr(free_list_len=1)
class BanqiState(OrderedState):
    """A position: the face-up pieces, the face-down squares, and the counts of hidden pieces."""

    def __init__(
        self,
        rules: BanqiRules,
        p0: i64,
        p1: i64,
        p2: i64,
        red: i64,
        down: i64,
        down_count: i64,
        bag: i64,
        turn: i64,
        seat_0: i64,
        flipping: i64,
        quiet: i64,
        left_red: i64,
        left_black: i64,
        history: History | None,
    ) -> None:
        """Hold the parts, without checks (`BanqiSetup` makes them); call `settle` afterwards."""
        super().__init__(rules, p0, p1, p2, red, down, down_count, bag, turn)
        self._rules: Final = rules
        self._seat_0: i64 = seat_0
        self._flipping: i64 = flipping
        self._quiet: i64 = quiet
        # Pieces that are not captured.
        self._left_red: i64 = left_red
        self._left_black: i64 = left_black
        self._history: History | None = history
        self._why: i64 = ONGOING
        self._actor: i64 = OVER

    # The rules.

    def settle(self) -> None:
        """Apply rules 4 to 11: find the legal moves, and whether the game is over."""
        self._find_targets()
        self._why = self._verdict()
        if self._why != ONGOING:
            self._actor = OVER
        elif self._flipping != NOTHING:
            self._actor = CHANCE
        else:
            self._actor = 0 if self._seat_0 == NO_COLOUR else self._turn ^ self._seat_0

    def _verdict(self) -> i64:
        """Apply rules 7 to 11: return ONGOING, or the reason for the end."""
        if self._left_red == 0 or self._left_black == 0:
            return CAPTURE_ALL
        if self._down == 0 and not (
            self._north | self._south | self._west | self._east | self._hits_1 | self._hits_2
        ):
            return STALEMATE
        if self._quiet >= self._rules.quiet_limit:
            return QUIET_LIMIT
        if self.occurred() >= 3:
            return REPETITION
        return ONGOING

    # The contract.

    @property
    def actor(self) -> i64:
        """The seat to act, CHANCE after a flip, or OVER."""
        return self._actor

    def legal_actions(self) -> vec[i64]:
        """Return flips, moves and captures; at CHANCE the pieces that can be revealed."""
        if self._actor == OVER:
            return vec[i64]()
        if self._actor != CHANCE:
            return self.decisions()
        outcomes = vec[i64](capacity=PIECES)
        bag = self._bag
        piece: i64 = 0
        while bag:
            if bag & 15:
                outcomes = append(outcomes, piece)
            bag >>= 4
            piece += 1
        return outcomes

    def rule_against(self, action: i64) -> str | None:
        """Return why rules 2 to 6 forbid the action, in words for players, or `None`."""
        reason = self._specification_error(action)
        return None if reason is None else PLAYER_TEXTS[reason]

    def _specification_error(self, action: i64) -> str | None:
        if action < FIRST_MOVE:
            return self.flip_refusal(action)
        source = (action - FIRST_MOVE) >> 5
        target = action & 31
        if ((self._up() | self._down) >> target) & 1:
            return self.capture_refusal(source, target)
        return self.move_refusal(source, target)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each piece that can be revealed, with its share of the face-down pieces."""
        outcomes: list[Any] = []
        if self._actor != CHANCE:
            return outcomes
        odds = _ODDS
        base = self._down_count * _ODDS_PER_TOTAL
        bag = self._bag
        while bag:
            if bag & 15:
                outcomes.append(odds[base + (bag & 15)])
            bag >>= 4
            base += _ODDS_PER_PIECE
        return outcomes

    def sample(self, rng: Rng) -> i64:
        """Return a random action, or at CHANCE an outcome by its probability."""
        if self._actor == CHANCE:
            left = rng.below(self._down_count)
            bag = self._bag
            piece: i64 = 0
            while left >= bag & 15:
                left -= bag & 15
                bag >>= 4
                piece += 1
            return piece
        return self._sample_decision(rng)

    def _copy(self) -> "BanqiState":
        """Return a copy that is not settled."""
        copy = BanqiState(
            self._rules,
            self._p0,
            self._p1,
            self._p2,
            self._red,
            self._down,
            self._down_count,
            self._bag,
            self._turn,
            self._seat_0,
            self._flipping,
            self._quiet,
            self._left_red,
            self._left_black,
            self._history,
        )
        copy._living = self._living
        copy._piece_values = self._piece_values
        return copy

    def scratch(self) -> "BanqiState":
        """Return a copy."""
        copy = self._copy()
        copy.settle()
        return copy

    def apply(self, action: i64) -> "BanqiState":
        """Return an advanced copy."""
        return self._copy().advance(action)

    def after_null_move(self) -> "BanqiState":
        """Return the position with the other colour to move, as if after an irreversible turn."""
        after = self._copy()
        after._turn = 1 - self._turn
        after._quiet = 0
        after._history = None
        after.settle()
        return after

    def occurred(self) -> i64:
        """Return how often this board occurred with this colour to move (rule 10)."""
        history = self._history
        if history is None:
            return 1
        return occurrences(history, self._p0, self._p1, self._p2, self._red)

    def advance(self, action: i64) -> "BanqiState":
        """Apply a turn or a chance outcome in place."""
        if self._flipping != NOTHING:
            self._reveal(action)
        elif action < FIRST_MOVE:
            self._flipping = action
            self._quiet = 0
            self._history = None
            self._actor = CHANCE
            return self
        else:
            self._go((action - FIRST_MOVE) >> 5, action & 31, action)
        self.settle()
        return self

    def _reveal(self, piece: i64) -> None:
        """Apply rules 2 and 3."""
        self._turn_over(self._flipping, piece)
        self._flipping = NOTHING
        if self._seat_0 != NO_COLOUR:
            self._turn = 1 - self._turn
            return
        colour: i64 = RED if piece < KINDS else BLACK
        self._seat_0 = colour
        self._turn = 1 - colour if self._rules.first_flip_passes else colour

    def _go(self, source: i64, target: i64, action: i64) -> None:
        """Apply rules 4 to 7: move the piece, capturing what is on the target."""
        p0 = self._p0
        p1 = self._p1
        p2 = self._p2
        red = self._red
        to: i64 = BIT[target]
        passes = True
        if (p0 | p1 | p2) & to:
            self._quiet = 0
            self._history = None
            if self._living != UNKNOWN:
                self._living -= BIT[self.piece(target) << 2]
                self._piece_values = None
            if red & to:
                self._left_red -= 1
                passes = self._left_red != 0
            else:
                self._left_black -= 1
                passes = self._left_black != 0
        else:
            self._quiet += 1
            if self._rules.repetition:
                self._history = History(action, p0, p1, p2, red, self._history)
        self._shift(source, target)
        if passes:
            self._turn = 1 - self._turn

    def result(self) -> Result | None:
        """Return the result by rules 7 to 11."""
        if self._why == ONGOING:
            return None
        winner = self.winner
        if winner == NO_COLOUR:
            return Result((0.0, 0.0), None, REASONS[self._why])
        value = 1.0 if winner == self._seat_0 else -1.0
        return Result((value, -value), None, REASONS[self._why])

    def _parts(self) -> Parts:
        return (
            self._p0,
            self._p1,
            self._p2,
            self._red,
            self._down,
            self._down_count,
            self._bag,
            self._turn,
            self._seat_0,
            self._flipping,
            self._quiet,
            self._left_red,
            self._left_black,
        )

    def key(self) -> object:
        """Return the board, the hidden pieces, the turn and the quiet turns."""
        if self._history is None:
            return self._parts()
        return (self._parts(), self.quiet_actions())

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game and the parts, which is faster than the text."""
        return (_rebuild, (self._rules, self._parts(), history_to_turns(self._history)))

    # For displays and texts.

    def quiet_actions(self) -> tuple[int, ...]:
        """Return the turns since the last flip or capture; empty without `repetition`."""
        return tuple([turn[0] for turn in history_to_turns(self._history)])

    @property
    def turn(self) -> int:
        """The colour to move, or NO_COLOUR before the first flip."""
        return NO_COLOUR if self._seat_0 == NO_COLOUR else self._turn

    @property
    def seat_0(self) -> int:
        """The colour of the first flipper, or NO_COLOUR before the first flip."""
        return self._seat_0

    @property
    def flipping(self) -> int:
        """The square that is being flipped, or NOTHING."""
        return self._flipping

    @property
    def quiet(self) -> int:
        """The number of turns since the last flip or capture."""
        return self._quiet

    @property
    def why(self) -> int:
        """ONGOING, or the reason for the end."""
        return self._why

    @property
    def winner(self) -> int:
        """The colour that has won, or NO_COLOUR."""
        if self._why == CAPTURE_ALL:
            return RED if self._left_black == 0 else BLACK
        if self._why == STALEMATE:
            return 1 - self._turn
        return NO_COLOUR


def _rebuild(rules: object, parts: object, turns: object) -> BanqiState:
    """Rebuild a state from `__reduce__`. Raises `InvalidState` if it is impossible."""
    if not isinstance(rules, BanqiRules):
        raise InvalidState(
            f"a position of Banqi must belong to a game of Banqi, not to {shown(rules)}"
        )
    known = checked_parts(parts, rules.quiet_limit)
    history = history_from_turns(checked_turns(turns, known, rules.repetition))
    state = BanqiState(rules, *known, history)
    state.settle()
    return state
