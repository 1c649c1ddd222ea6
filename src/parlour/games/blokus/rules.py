"""The rules of Blokus, and the positions they act on.

1. The board is a square grid of cells. There are up to four colours. Each has 21 pieces, one
   of every shape of one to five cells (89 cells in all).
2. The colours take turns in a fixed order. On each turn a colour places one of its remaining
   pieces, in any orientation, on free cells of the board.
3. A colour's first piece must cover its starting cell.
4. Every later piece must touch a piece of its own colour corner to corner.
5. No piece may touch another of its own colour edge to edge. Pieces may touch other colours
   in any way.
6. A colour that cannot place a piece is skipped from then on, because no piece will fit
   later either. There is no other way to pass.
7. The game ends when no colour can place a piece.
8. A colour scores -1 for each cell of its remaining pieces; or +15 if none remain, and +5
   more if its last piece was the single cell I1.
9. A seat may play several colours; its score is their sum. The seats take turns to play a
   shared colour, whose score counts for no seat.
10. Seats are ranked by score. The best place is worth +1, the worst -1, and the others lie
    evenly in between. Equal scores share the mean of their places.

The classic board with cells as (row, column). In texts a cell is its column letter and its
row number, counted from the bottom. Colours 1 to 4 start in the corners, clockwise:

    a20 (0,0)  1  ...  2  (0,19) t20
                  ...
    a1 (19,0)  4  ...  3 (19,19) t1

Rules 3 to 5 reduce to two facts about a cell and a colour. A cell is *blocked* if it is
occupied or next to a cell of that colour. It is a *corner* if it is the colour's start or
diagonal to a cell of that colour. A placement is legal iff its piece is in hand, none of its
cells is blocked, and at least one is a corner.
"""

import sys
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i16, i64

from parlour.core.game import OVER, State
from parlour.core.result import Result
from parlour.core.rng import Rng
from parlour.games.blokus.evaluation import place_value
from parlour.games.blokus.movegen import (
    any_fits,
    ascending_ids,
    cover,
    list_placements,
    reach,
    sample_placement,
)
from parlour.games.blokus.piece_set import FULL_HAND, cells_in, largest_size, pieces_in
from parlour.games.blokus.pieces import MONOMINO, PIECE_NAMES
from parlour.games.blokus.placement import lay
from parlour.games.blokus.planes import follow, planes_of
from parlour.games.blokus.ruleset import NOBODY, PIECES, SHARED, BlokusRuleset
from parlour.games.blokus.tables import (
    CODE_SHIFT,
    CORNER,
    CORNER_ROOM,
    LISTED,
    OWNER_SHIFT,
    PIECE_SHIFT,
    SQUARE_MASK,
    PlacementTables,
)

REASON: Final = "no colour can place"
PIECE_BITS: Final = 9
"""Bits of the number of a piece in `BlokusState.pieces`: a board has fewer than 512 cells."""
HIGH_BYTE: Final = 1 if sys.byteorder == "little" else 0


def number_piece(colours: bytes, found: list[int], side: i64, at: i64, piece: int) -> None:
    """Give a number to a cell and to all cells of its piece."""
    found[at] = piece
    colour = colours[at]
    column = at % side
    if column + 1 < side and colours[at + 1] == colour and found[at + 1] == 0:
        number_piece(colours, found, side, at + 1, piece)
    if column > 0 and colours[at - 1] == colour and found[at - 1] == 0:
        number_piece(colours, found, side, at - 1, piece)
    below = at + side
    if below < len(found) and colours[below] == colour and found[below] == 0:
        number_piece(colours, found, side, below, piece)
    above = at - side
    if above >= 0 and colours[above] == colour and found[above] == 0:
        number_piece(colours, found, side, above, piece)


def blank_state(rules: BlokusRuleset) -> "BlokusState":
    """Return the empty board with colour 0 to move."""
    board = rules.tables.blank[:]
    numbers = vec[i64]([0] * 8)
    corners = vec[i16]([0] * (4 * CORNER_ROOM))
    for colour, (row, col) in enumerate(rules.starts):
        square = rules.tables.square(row, col)
        board[square] = i16(i64(board[square]) | CORNER << colour)
        corners[colour * CORNER_ROOM] = i16(square)
        numbers[colour] = FULL_HAND
        numbers[LISTED + colour] = 1
    return BlokusState(rules, board, corners, numbers, 0, 0, 0)


def arranged(
    rules: BlokusRuleset, placements: list[tuple[int, int]], mover: int, small: int
) -> "BlokusState":
    """Return the state after these (colour, id) placements in any order, without checks."""
    state = blank_state(rules)
    state._set_up(placements, mover, small)
    return state


class BlokusState(State):
    """A position: the board, the hands, and the colour to move."""

    def __init__(
        self,
        rules: BlokusRuleset,
        board: vec[i16],
        corners: vec[i16],
        numbers: vec[i64],
        mover: i64,
        out: i64,
        small: i64,
    ) -> None:
        """Take ownership of the parts, without checks."""
        super().__init__(rules)
        self._rules: Final = rules
        self._tables: Final[PlacementTables] = rules.tables
        self._board: vec[i16] = board
        self._corners: vec[i16] = corners
        self._numbers: vec[i64] = numbers
        self._mover: i64 = mover
        self._out: i64 = out
        self._small: i64 = small
        self._planes: vec[i64] = vec[i64]()

    # Reading the position.

    @property
    def actor(self) -> i64:
        """The seat that plays the colour to move, or OVER."""
        mover = self._mover
        if mover == NOBODY:
            return OVER
        seat: i64 = self._rules._players[mover]
        return self.pieces_laid(mover) % self._rules.seats if seat == SHARED else seat

    @property
    def rules(self) -> BlokusRuleset:
        """The game, typed with the parameters of the rules."""
        return self._rules

    @property
    def mover(self) -> int:
        """The colour to move, counted from 0, or NOBODY."""
        return self._mover

    @property
    def small(self) -> int:
        """A bit for each colour that placed all its pieces with I1 last."""
        return self._small

    def cells(self) -> bytes:
        """Return every cell in reading order: 0, or its colour counted from 1."""
        # The owner is the high byte of a square: slices take a tenth of the time of a loop.
        owners = bytes(memoryview(self._board))[HIGH_BYTE::2]
        first, width, side = (
            int(self._tables.square(0, 0)),
            int(self._tables.width),
            self._rules.side,
        )
        rows = range(first, first + side * width, width)
        return b"".join([owners[row : row + side] for row in rows])

    def pieces(self) -> list[int]:
        """Return every cell in reading order: 0, or its colour and its piece.

        A piece is numbered by its first cell, so that its number stays the same as pieces are
        added: cell 0 of colour 1 is `1 << PIECE_BITS | 1`. Cells of one colour that share an edge
        belong to the same piece (rule 5).
        """
        colours = self.cells()
        side: i64 = self._rules.side
        found = [0] * len(colours)
        size: i64 = len(colours)
        first: i64 = 0
        while first < size:
            if colours[first] != 0 and found[first] == 0:
                piece = int(colours[first]) << PIECE_BITS | int(first + 1)
                number_piece(colours, found, side, first, piece)
            first += 1
        return found

    def hand(self, colour: int) -> i64:
        """Return the pieces that a colour still has, one bit for each."""
        return self._numbers[colour]

    def pieces_laid(self, colour: i64) -> i64:
        """Return the number of pieces that a colour has placed."""
        return PIECES - pieces_in(self._numbers[colour])

    def score(self, colour: i64) -> i64:
        """Return the score of a colour (rule 8)."""
        hand = self._numbers[colour]
        if hand == 0:
            return 20 if self._small >> colour & 1 != 0 else 15
        return -cells_in(hand)

    def score_of_seat(self, seat: i64) -> i64:
        """Return the score of a seat (rule 9)."""
        players = self._rules._players
        score: i64 = 0
        colour: i64 = 0
        while colour < len(players):
            if players[colour] == seat:
                score += self.score(colour)
            colour += 1
        return score

    # Choosing placements without listing them all.

    def open_corners(self, colour: i64) -> vec[i64]:
        """Return the squares (see `tables`) of which a placement of this colour must cover one."""
        corners = self._corners
        board = self._board
        out = vec[i64]()
        k = colour * CORNER_ROOM
        end = k + self._numbers[LISTED + colour]
        while k < end:
            square = i64(corners[k])
            if i64(board[square]) >> colour & 1 == 0:
                out = append(out, square)
            k += 1
        return out

    def planes(self) -> vec[i64]:
        """Return the observation planes, read-only. From then on the state updates them.

        Copies drop them, so searches do not pay for planes that are not observed.
        """
        if len(self._planes) == 0:
            self._planes = planes_of(self._tables, self._board, self._rules.colours)
        return self._planes

    def is_blocked(self, colour: i64, square: i64) -> bool:
        """Whether this colour must not cover that square."""
        return i64(self._board[square]) >> colour & 1 != 0

    def fits(self, colour: i64, action: i64) -> bool:
        """Whether rules 2 to 5 allow this placement, if it were this colour's turn."""
        code = i64(self._tables.codes[action])
        shape = self._tables.shapes[code >> CODE_SHIFT]
        bits = cover(self._board, shape, code & SQUARE_MASK)
        return (
            bits >> colour & 1 == 0
            and bits & CORNER << colour != 0
            and self._numbers[colour] >> (shape >> PIECE_SHIFT) & 1 != 0
        )

    def corners_after(self, colour: i64, action: i64) -> int:
        """Return how many open corners the colour would have after this placement."""
        state = self.scratch()
        lay(state._tables, state._board, state._corners, state._numbers, colour, action)
        return state._numbers[LISTED + colour]

    def reach(self, colour: i64) -> i64:
        """Return how many cells the colour's largest piece can reach; 0 if it cannot place any."""
        if self._out >> colour & 1 != 0 or not self.can_lay(colour):
            return 0
        size = largest_size(self._numbers[colour])
        return reach(self._tables, self._board, self._corners, self._numbers, colour, size)

    # The contract.

    def legal_actions(self) -> vec[i64]:
        """Return the legal placements of the colour to move."""
        if self._mover == NOBODY:
            return vec[i64]()
        codes, count = list_placements(
            self._tables, self._board, self._corners, self._numbers, self._mover
        )
        return ascending_ids(codes, count, self._tables.ids)

    def rule_against(self, action: i64) -> str | None:
        """Return the first of the rules 2 to 5 that the placement breaks, or `None`."""
        colour = self._mover
        if self.fits(colour, action):
            return None
        name = self._rules.colour_names[colour]
        code = i64(self._tables.codes[action])
        piece = self._tables.shapes[code >> CODE_SHIFT] >> PIECE_SHIFT
        if self._numbers[colour] >> piece & 1 == 0:
            return f"{name} has already placed {PIECE_NAMES[piece]}"
        beside = False
        for square in self._tables.squares(action):
            bits = i64(self._board[square])
            if bits >> OWNER_SHIFT != 0:
                holder = self._rules.colour_names[(bits >> OWNER_SHIFT) - 1]
                return f"the piece overlaps one of {holder}'s pieces"
            beside = beside or bits >> colour & 1 != 0
        if beside:
            return f"the piece touches another of {name}'s pieces along an edge"
        if self._numbers[colour] == FULL_HAND:
            return f"{name}'s first piece must cover the starting square"
        return f"the piece must touch another of {name}'s pieces at a corner"

    def sample(self, rng: Rng) -> i64:
        """Return a uniformly random legal placement."""
        table = self._tables
        code = sample_placement(table, self._board, self._corners, self._numbers, self._mover, rng)
        return i64(table.ids[code])

    def apply(self, action: i64) -> "BlokusState":
        """Return an advanced copy."""
        return self.scratch().advance(action)

    def scratch(self) -> "BlokusState":
        """Return a copy."""
        return BlokusState(
            self._rules,
            self._board[:],
            self._corners[:],
            self._numbers[:],
            self._mover,
            self._out,
            self._small,
        )

    def advance(self, action: i64) -> "BlokusState":
        """Place the piece in place, and pass the turn to the next colour that can move."""
        colour = self._mover
        piece = lay(self._tables, self._board, self._corners, self._numbers, colour, action)
        if len(self._planes) != 0:
            colours = self._rules.colours
            follow(self._planes, self._tables, self._board, colours, colour, action)
        if piece == MONOMINO and self._numbers[colour] == 0:
            self._small |= 1 << colour
        left = self._rules.colours
        last = left - 1
        while left > 0:
            colour = 0 if colour == last else colour + 1
            if self._out >> colour & 1 == 0:
                if self.can_lay(colour):
                    self._mover = colour
                    return self
                self._out |= 1 << colour
            left -= 1
        self._mover = NOBODY
        return self

    def result(self) -> Result | None:
        """Return the result by rules 7 to 10."""
        if self._mover != NOBODY:
            return None
        scores = [float(self.score_of_seat(seat)) for seat in range(self._rules.seats)]
        return Result(place_values(scores), tuple(scores), REASON)

    def key(self) -> bytes:
        """Return the board, the colour to move and `small`, which determine the rest."""
        return bytes(memoryview(self._board)) + b"%d,%d" % (self._mover, self._small)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game and the cells, which is faster than the text."""
        return (self._rules.position, (self.cells(), int(self._mover), int(self._small)))

    def _set_up(self, placements: list[tuple[int, int]], mover: int, small: int) -> None:
        """Make these (colour, id) placements without checks, and set the colour to move."""
        for colour, action in placements:
            lay(self._tables, self._board, self._corners, self._numbers, colour, action)
        self._mover = mover
        self._small = small

    def turned_to(self, colour: int) -> "BlokusState":
        """Return a copy with another colour to move, to query its moves."""
        state = self.scratch()
        state._set_up([], colour, self._small)
        return state

    def can_lay(self, colour: i64) -> bool:
        """Whether this colour can place a piece (rule 6). Stops at the first that fits."""
        return any_fits(self._tables, self._board, self._corners, self._numbers, colour)


def place_values(scores: list[float]) -> tuple[float, ...]:
    """Return the value of each score by rule 10."""
    return tuple(
        [
            place_value(len(scores), len([x for x in scores if x > score]), scores.count(score) - 1)
            for score in scores
        ]
    )
