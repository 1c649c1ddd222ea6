"""Blokus: the rules, and the position they act on.

1. The board is a square of cells. There are up to four colours; each has the 21 pieces,
   one of every shape of one to five cells (89 cells in all).
2. The colours take turns in a fixed order. A turn lays one piece that the colour still
   has, turned and mirrored at will, on free cells of the board.
3. A colour's first piece covers its starting cell.
4. Every later piece touches a piece of its own colour corner to corner ...
5. ... and never touches one of its own colour edge to edge. Other colours may be touched
   in any way.
6. A colour that cannot lay a piece is skipped, from then on for good: what does not fit
   now never will. There is no other way to pass.
7. The game ends when no colour can lay a piece.
8. A colour's score is -1 for each cell of its pieces left over; +15 if there are none;
   +5 more if the last piece laid was the single cell I1.
9. A seat may play several colours: its score is their sum. A shared colour is played by
   the seats in turn, and its score counts for nobody.
10. Seats are ranked by score. The best place is worth +1, the worst -1, those between lie
    evenly between; equal scores share the mean of their places.

The classic board, cells as (row, column); in text a cell is its column's letter and its
row's number, counted from the bottom. Colours 1 to 4 start in its corners, clockwise:

    a20 (0,0)  1  ...  2  (0,19) t20
                  ...
    a1 (19,0)  4  ...  3 (19,19) t1

Rules 3 to 5 need two facts about a cell and a colour. It is *blocked* if it is occupied
or beside a cell of that colour. It is a *corner* if it is the colour's start or diagonal
to a cell of that colour. A piece may be laid iff it is in hand, none of its cells is
blocked and one of them is a corner. Listing, checking and refusing all ask these two.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i16, i64

from parlour.core.game import OVER, State
from parlour.core.result import Result
from parlour.core.rng import Rng
from parlour.games.blokus.evaluation import place_value
from parlour.games.blokus.movegen import (
    all_that_fit,
    any_fits,
    any_one,
    ascending_ids,
    cover,
    reach,
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


def blank_state(rules: BlokusRuleset) -> "BlokusState":
    """The empty board, colour 0 to lay."""
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
    """The state after these (colour, id) placements, in any order of colours. Trusting."""
    state = blank_state(rules)
    state._set_up(placements, mover, small)
    return state


class BlokusState(State):
    """A position: the board, the hands, the colour to lay."""

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
        """Take everything over, unchecked."""
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

    # The position, for those who read it.

    @property
    def actor(self) -> i64:
        """The seat that plays the colour to lay."""
        mover = self._mover
        if mover == NOBODY:
            return OVER
        seat: i64 = self._rules._players[mover]
        return self.pieces_laid(mover) % self._rules.seats if seat == SHARED else seat

    @property
    def rules(self) -> BlokusRuleset:
        """The game, with what the rules need to know of it."""
        return self._rules

    @property
    def mover(self) -> int:
        """The colour to lay, counted from 0, or NOBODY."""
        return self._mover

    @property
    def small(self) -> int:
        """A bit for each colour that laid all its pieces and I1 last."""
        return self._small

    def cells(self) -> bytes:
        """Every cell in reading order: 0, or the colour there counted from 1."""
        side = self._rules.side
        square = self._tables.square
        return bytes(
            [
                i64(self._board[square(row, col)]) >> OWNER_SHIFT
                for row in range(side)
                for col in range(side)
            ]
        )

    def hand(self, colour: int) -> i64:
        """The pieces that a colour still has, a bit for each."""
        return self._numbers[colour]

    def pieces_laid(self, colour: i64) -> i64:
        """How many pieces a colour has laid."""
        return PIECES - pieces_in(self._numbers[colour])

    def score(self, colour: i64) -> i64:
        """Rule 8."""
        hand = self._numbers[colour]
        if hand == 0:
            return 20 if self._small >> colour & 1 != 0 else 15
        return -cells_in(hand)

    def score_of_seat(self, seat: i64) -> i64:
        """Rule 9."""
        players = self._rules._players
        score: i64 = 0
        colour: i64 = 0
        while colour < len(players):
            if players[colour] == seat:
                score += self.score(colour)
            colour += 1
        return score

    # For those who choose placements without listing them all.

    def open_corners(self, colour: i64) -> vec[i64]:
        """The squares (see `tables`) that a placement of this colour must cover one of."""
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
        """What every colour has, may not and must touch; to read. From now on the state keeps it.

        A copy does not: who searches does not pay for what is not looked at.
        """
        if len(self._planes) == 0:
            self._planes = planes_of(self._tables, self._board, self._rules.colours)
        return self._planes

    def is_blocked(self, colour: i64, square: i64) -> bool:
        """Whether this colour may not cover that square."""
        return i64(self._board[square]) >> colour & 1 != 0

    def fits(self, colour: i64, action: i64) -> bool:
        """Whether rules 2 to 5 let this colour lay this placement, were it its turn."""
        code = i64(self._tables.codes[action])
        shape = self._tables.shapes[code >> CODE_SHIFT]
        bits = cover(self._board, shape, code & SQUARE_MASK)
        return (
            bits >> colour & 1 == 0
            and bits & CORNER << colour != 0
            and self._numbers[colour] >> (shape >> PIECE_SHIFT) & 1 != 0
        )

    def corners_after(self, colour: i64, action: i64) -> int:
        """How many open corners the colour would have after this placement."""
        state = self.scratch()
        lay(state._tables, state._board, state._corners, state._numbers, colour, action)
        return state._numbers[LISTED + colour]

    def reach(self, colour: i64) -> i64:
        """How many cells lie within its largest piece of a colour's corners, if it can lay any."""
        if self._out >> colour & 1 != 0 or not self.can_lay(colour):
            return 0
        size = largest_size(self._numbers[colour])
        return reach(self._tables, self._board, self._corners, self._numbers, colour, size)

    # The contract.

    def legal_actions(self) -> vec[i64]:
        """Every placement that fits the colour to lay."""
        if self._mover == NOBODY:
            return vec[i64]()
        codes, count = all_that_fit(
            self._tables, self._board, self._corners, self._numbers, self._mover
        )
        return ascending_ids(codes, count, self._tables.ids)

    def rule_against(self, action: i64) -> str | None:
        """Rules 2 to 5, in this order."""
        colour = self._mover
        if self.fits(colour, action):
            return None
        name = self._rules.colour_names[colour]
        code = i64(self._tables.codes[action])
        piece = self._tables.shapes[code >> CODE_SHIFT] >> PIECE_SHIFT
        if self._numbers[colour] >> piece & 1 == 0:
            return f"{name} has placed {PIECE_NAMES[piece]} already"
        beside = False
        for square in self._tables.squares(action):
            bits = i64(self._board[square])
            if bits >> OWNER_SHIFT != 0:
                holder = self._rules.colour_names[(bits >> OWNER_SHIFT) - 1]
                return f"the piece overlaps one of {holder}"
            beside = beside or bits >> colour & 1 != 0
        if beside:
            return f"the piece touches another of {name} edge to edge"
        if self._numbers[colour] == FULL_HAND:
            return f"the first piece of {name} must cover its starting cell"
        return f"the piece touches no other of {name} corner to corner"

    def sample(self, rng: Rng) -> i64:
        """A uniformly random placement that fits."""
        table = self._tables
        code = any_one(table, self._board, self._corners, self._numbers, self._mover, rng)
        return i64(table.ids[code])

    def apply(self, action: i64) -> "BlokusState":
        """A copy, advanced."""
        return self.scratch().advance(action)

    def scratch(self) -> "BlokusState":
        """A copy."""
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
        """Lay the placement in place, and give the turn to the next colour that can lay."""
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
        """Rules 7 to 10."""
        if self._mover != NOBODY:
            return None
        scores = [float(self.score_of_seat(seat)) for seat in range(self._rules.seats)]
        return Result(place_values(scores), tuple(scores), REASON)

    def key(self) -> bytes:
        """The board, the colour to lay, and rule 8's last piece; all else follows."""
        return bytes(memoryview(self._board)) + b"%d,%d" % (self._mover, self._small)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as the game and its cells, without a detour through text."""
        return (self._rules.position, (self.cells(), int(self._mover), int(self._small)))

    def _set_up(self, placements: list[tuple[int, int]], mover: int, small: int) -> None:
        """Lay these (colour, id) placements, unchecked, and say whose turn it then is."""
        for colour, action in placements:
            lay(self._tables, self._board, self._corners, self._numbers, colour, action)
        self._mover = mover
        self._small = small

    def turned_to(self, colour: int) -> "BlokusState":
        """A copy with another colour to lay, to ask what it could do; no position of the game."""
        state = self.scratch()
        state._set_up([], colour, self._small)
        return state

    def can_lay(self, colour: i64) -> bool:
        """Rule 6: whether anything fits this colour. Stops at the first that does."""
        return any_fits(self._tables, self._board, self._corners, self._numbers, colour)


def place_values(scores: list[float]) -> tuple[float, ...]:
    """Rule 10: one value for each score."""
    return tuple(
        [
            place_value(len(scores), len([x for x in scores if x > score]), scores.count(score) - 1)
            for score in scores
        ]
    )
