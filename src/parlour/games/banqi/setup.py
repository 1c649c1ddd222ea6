"""Positions of Banqi set up by hand, and the checks that make states of them.

A `BanqiSetup` may hold anything. A `BanqiState` built from it can be reached in a game that
starts with the full set or with a part of it.
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

SQUARE_NAMES = [f"{'abcdefgh'[square % COLS]}{square // COLS + 1}" for square in range(SQUARES)]


def piece_words(piece: int) -> str:
    """Return the colour and kind, such as `red King`."""
    return f"{COLOUR_WORDS[piece // KINDS]} {KIND_WORDS[piece % KINDS]}"


def square_name(square: int) -> str:
    """Return column letter and row number: `a1` is the top left, `h4` the bottom right."""
    return SQUARE_NAMES[square]


class BanqiSetup(NamedTuple):
    """The parts of a position. Pieces that appear nowhere count as captured."""

    squares: tuple[int, ...]
    """EMPTY, FACE_DOWN or a piece for each square."""
    hidden: tuple[int, ...]
    """The number of face-down pieces of each kind."""
    turn: int = NO_COLOUR
    """The colour to move, or NO_COLOUR before the first flip."""
    seat_0: int = NO_COLOUR
    """The first flipper's colour."""
    flipping: int = NOTHING
    """The square that is being flipped, or NOTHING."""
    quiet: int = 0
    """The number of turns since the last flip or capture."""
    moves: tuple[int, ...] = ()
    """Those turns, oldest first; only with the repetition rule."""

    def build(self, rules: BanqiRules) -> BanqiState:
        """Return the state. Raises `InvalidState` if it is impossible."""
        self._check_pieces()
        self._check_turn(rules)
        if not rules.repetition:
            _refuse(bool(self.moves), "only games with the repetition rule list moves")
            return self._state(rules)
        _refuse(
            len(self.moves) != self.quiet,
            f"with repetition all {self.quiet} quiet moves must be listed, not {len(self.moves)}",
        )
        return self._replay(rules)

    def totals(self) -> list[int]:
        """Return how many of each piece are on the board, face-up or face-down."""
        return [self.squares.count(piece) + self.hidden[piece] for piece in range(PIECES)]

    def _check_pieces(self) -> None:
        _refuse(len(self.squares) != SQUARES, f"the board must have {SQUARES} squares")
        _refuse(len(self.hidden) != PIECES, f"hidden must have {PIECES} counts")
        for square, piece in enumerate(self.squares):
            known = piece in (EMPTY, FACE_DOWN) or 0 <= piece < PIECES
            _refuse(not known, f"{square_name(square)}: {piece} is not a piece")
        _refuse(min(self.hidden) < 0, "the number of face-down pieces must not be negative")
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
            _refuse(has_face_up, "a piece is face-up, so red or black must be to move")
            _refuse(self.seat_0 != NO_COLOUR, "no seat has a colour before the first flip")
            _refuse(self.quiet != 0, "there are no quiet turns before the first flip")
        else:
            _refuse(turn not in (RED, BLACK), f"{turn} is not a colour")
            _refuse(
                self.seat_0 not in (RED, BLACK), "seat 0 must have a colour after the first flip"
            )
            _refuse(not has_face_up, "no piece is face-up, so no seat can have a colour")
        limit = rules.quiet_limit
        _refuse(
            not 0 <= self.quiet <= limit, f"the quiet turns must be 0 to {limit}, not {self.quiet}"
        )
        totals = self.totals()
        lost = [sum(totals[:KINDS]) == 0, sum(totals[KINDS:]) == 0]
        for colour in (RED, BLACK):
            word, other = COLOUR_WORDS[colour], COLOUR_WORDS[1 - colour]
            if lost[colour]:
                _refuse(
                    turn != 1 - colour,
                    f"{word} has no pieces; the game is over, and the turn must stay with {other}",
                )
                _refuse(
                    self.quiet != 0 or self.flipping != NOTHING,
                    f"{word} has no pieces, so the last turn must be a capture",
                )
        if self.flipping != NOTHING:
            is_down = 0 <= self.flipping < SQUARES and self.squares[self.flipping] == FACE_DOWN
            _refuse(not is_down, "only a face-down piece can be flipped")
            _refuse(self.quiet != 0, "quiet must be 0 during a flip")

    def _state(self, rules: BanqiRules) -> BanqiState:
        totals = self.totals()
        captured = (SET - sum(totals[:KINDS]), SET - sum(totals[KINDS:]))
        return position(rules, self, captured)

    def _replay(self, rules: BanqiRules) -> BanqiState:
        """Undo the quiet moves and replay them, to record the boards in between."""
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
                raise InvalidState(f"the quiet move {text} is not legal: {reason}")
            after = state.apply(action)
            assert isinstance(after, BanqiState)
            state = after
        return state


def position(rules: BanqiRules, setup: BanqiSetup, captured: tuple[int, int]) -> BanqiState:
    """Return the state with these parts, without checks.

    `captured` holds the numbers of captured red and black pieces.
    """
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
