"""A position of Banqi put together by hand: checked once, here, and then a state.

A `BanqiSetup` may be wrong in any way; a `BanqiState` made from it is one that a game from the
full set, or from a part of it, can reach.
"""

from typing import NamedTuple

from parlour.core.errors import InvalidState
from parlour.games.banqi.bits import COLS, SQUARES
from parlour.games.banqi.pieces import (
    BLACK,
    COLOUR_WORDS,
    EMPTY,
    FACE_DOWN,
    FIRST_MOVE,
    KIND_WORDS,
    KINDS,
    NO_COLOUR,
    NOTHING,
    PIECES,
    RED,
    SET,
    SET_SIZES,
)
from parlour.games.banqi.rules import BanqiRules, BanqiState


def piece_words(piece: int) -> str:
    """For instance `red King`."""
    return f"{COLOUR_WORDS[piece // KINDS]} {KIND_WORDS[piece % KINDS]}"


def square_name(square: int) -> str:
    """Column letter and row number: `a1` is the top left corner, `h4` the bottom right."""
    row, col = divmod(square, COLS)
    return f"{'abcdefgh'[col]}{row + 1}"


class BanqiSetup(NamedTuple):
    """The parts of a position. A piece that is nowhere counts as captured."""

    squares: tuple[int, ...]
    """EMPTY, FACE_DOWN or a piece for each square."""
    hidden: tuple[int, ...]
    """How many of each piece lie face-down."""
    turn: int = NO_COLOUR
    """The colour to move; NO_COLOUR before the first piece shows."""
    seat_0: int = NO_COLOUR
    """The first flipper's colour."""
    flipping: int = NOTHING
    """The square whose piece is about to show."""
    quiet: int = 0
    """Turns since the last flip or capture."""
    moves: tuple[int, ...] = ()
    """Those turns, oldest first; only where repetition counts."""

    def build(self, rules: BanqiRules) -> BanqiState:
        """The state; `InvalidState` if it cannot be."""
        self._check_pieces()
        self._check_turn(rules)
        if not rules.repetition:
            _refuse(bool(self.moves), "moves are listed only where repetition counts")
            return self._state(rules)
        _refuse(
            len(self.moves) != self.quiet,
            f"with repetition all {self.quiet} quiet moves are listed, not {len(self.moves)}",
        )
        return self._replay(rules)

    def totals(self) -> list[int]:
        """How many of each piece are on the board, face-up and face-down."""
        return [self.squares.count(piece) + self.hidden[piece] for piece in range(PIECES)]

    def _check_pieces(self) -> None:
        _refuse(len(self.squares) != SQUARES, f"the board has {SQUARES} squares")
        _refuse(len(self.hidden) != PIECES, f"there are {PIECES} kinds of pieces")
        for square, piece in enumerate(self.squares):
            known = piece in (EMPTY, FACE_DOWN) or 0 <= piece < PIECES
            _refuse(not known, f"{square_name(square)}: {piece} is not a piece")
        _refuse(min(self.hidden) < 0, "no number of face-down pieces is negative")
        totals = self.totals()
        for piece, number in enumerate(totals):
            most = SET_SIZES[piece % KINDS]
            if number > most:
                raise InvalidState(f"there are {number} {piece_words(piece)}s; a set has {most}")
        down = self.squares.count(FACE_DOWN)
        _refuse(
            down != sum(self.hidden),
            f"{down} squares are face-down, but {sum(self.hidden)} face-down pieces are listed",
        )

    def _check_turn(self, rules: BanqiRules) -> None:
        turn = self.turn
        has_face_up = any(piece >= 0 for piece in self.squares)
        if turn == NO_COLOUR:
            _refuse(has_face_up, "a piece is face-up, so it is the turn of red or of black")
            _refuse(self.seat_0 != NO_COLOUR, "before the first flip no seat has a colour")
            _refuse(self.quiet != 0, "before the first flip there is no quiet turn")
        else:
            _refuse(turn not in (RED, BLACK), f"{turn} is not a colour")
            _refuse(self.seat_0 not in (RED, BLACK), "after the first flip seat 0 has a colour")
            _refuse(not has_face_up, "no piece is face-up, so nobody has a colour yet")
        limit = rules.quiet_limit
        _refuse(not 0 <= self.quiet <= limit, f"the quiet turns are 0 to {limit}, not {self.quiet}")
        totals = self.totals()
        lost = [sum(totals[:KINDS]) == 0, sum(totals[KINDS:]) == 0]
        for colour in (RED, BLACK):
            word, other = COLOUR_WORDS[colour], COLOUR_WORDS[1 - colour]
            if lost[colour]:
                _refuse(
                    turn != 1 - colour,
                    f"{word} has no piece; the game is over, and the turn stays with {other}",
                )
                _refuse(
                    self.quiet != 0 or self.flipping != NOTHING,
                    f"{word} has no piece, so the last turn was a capture",
                )
        if self.flipping != NOTHING:
            is_down = 0 <= self.flipping < SQUARES and self.squares[self.flipping] == FACE_DOWN
            _refuse(not is_down, "only a face-down piece can be flipped")
            _refuse(self.quiet != 0, "a flip is not a quiet turn, so quiet is 0 while it goes on")

    def _state(self, rules: BanqiRules) -> BanqiState:
        totals = self.totals()
        captured = (SET - sum(totals[:KINDS]), SET - sum(totals[KINDS:]))
        return position(rules, self, captured)

    def _replay(self, rules: BanqiRules) -> BanqiState:
        """Take the quiet moves back and play them again, so that the boards between are known."""
        squares = list(self.squares)
        for action in reversed(self.moves):
            source, target = divmod(action - FIRST_MOVE, SQUARES)
            can_be = 0 <= source < SQUARES and squares[source] == EMPTY and squares[target] >= 0
            _refuse(not can_be, "the quiet moves do not lead to this board")
            squares[source], squares[target] = squares[target], EMPTY
        turn = self.turn if len(self.moves) % 2 == 0 else 1 - self.turn
        state = self._replace(squares=tuple(squares), turn=turn, quiet=0)._state(rules)
        for action in self.moves:
            reason = state.refusal(action)
            if reason is not None:
                source, target = divmod(action - FIRST_MOVE, SQUARES)
                text = f"{square_name(source)}-{square_name(target)}"
                raise InvalidState(f"the quiet move {text} was not possible: {reason}")
            after = state.apply(action)
            assert isinstance(after, BanqiState)
            state = after
        return state


def position(rules: BanqiRules, setup: BanqiSetup, captured: tuple[int, int]) -> BanqiState:
    """The state with these parts, unchecked; `captured` red and black pieces count as lost."""
    planes = [0, 0, 0]
    red = down = bag = 0
    for square, piece in enumerate(setup.squares):
        if piece == FACE_DOWN:
            down |= 1 << square
        elif piece != EMPTY:
            rank = KINDS - piece % KINDS
            for plane in range(3):
                planes[plane] |= (rank >> plane & 1) << square
            red |= (piece < KINDS) << square
    for piece, number in enumerate(setup.hidden):
        bag |= number << 4 * piece
    state = BanqiState(
        rules,
        planes[0],
        planes[1],
        planes[2],
        red,
        down,
        sum(setup.hidden),
        bag,
        max(setup.turn, RED),
        setup.seat_0,
        setup.flipping,
        setup.quiet,
        SET - captured[RED],
        SET - captured[BLACK],
        None,
    )
    state.settle()
    return state


def _refuse(wrong: bool, why: str) -> None:
    if wrong:
        raise InvalidState(why)
