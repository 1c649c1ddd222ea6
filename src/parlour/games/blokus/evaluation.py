"""What helps agents to play Blokus well: what a placement should bring, what a position is worth.

The weights were fitted, not chosen (`bench/strength/fit_blokus.py`): in three thousand
positions of played games some 25 placements each were played out at random, and least
squares found how much of the mean result goes with each feature. They are in the unit of
`evaluate`. What they say:

- cells laid count most, until few pieces are left;
- in the first rounds, being near the centre counts, and corners do not yet;
- after that an open corner is worth a sixth of a cell, a corner taken from others nearly as much;
- cells beside the placement that one could have covered are lost: the more so the later it
  is, when room is what is missing.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64

from parlour.core.result import estimate
from parlour.games.blokus.piece_set import SIZE_OF
from parlour.games.blokus.tables import (
    CODE_SHIFT,
    CORNER,
    OFFSET_BITS,
    OFFSET_MASK,
    PIECE_SHIFT,
    REACH,
    SQUARE_MASK,
    Tables,
)

CELL: Final = 0.075
CELL_AT_THE_END: Final = 0.03
CENTRE: Final = 0.004
OPENED: Final = 0.012
TAKEN: Final = 0.01
LOST_EARLY: Final = 0.008
LOST_LATE: Final = 0.026
LOST_AT_THE_END: Final = 0.058

# The pieces that a colour has laid when these phases begin.
CORNERS_FROM: Final[i64] = 3
CENTRE_UNTIL: Final[i64] = 4
LATE_FROM: Final[i64] = 10
END_FROM: Final[i64] = 14

LEAD: Final = 30.0
"""A lead of so many points over the mean of the others is as good as any."""

PLACE: Final = 0.6
"""What the place counts at the end; the rest is the lead."""

LEAD_SO_FAR: Final = 0.03
"""What a point of lead is worth before the end, ..."""

ROOT_OF_REACH: Final = 0.17
"""... and what the square root of the cells that a seat still reaches is worth."""


def worth_at_the_end(place: float, lead: float) -> float:
    """What a seat's place, from -1 to 1, and its lead over the mean of the others are worth."""
    return PLACE * place + (1.0 - PLACE) * max(-1.0, min(1.0, lead / LEAD))


def worth_so_far(lead: float, further: float) -> float:
    """The same before the end, by how much further than the others' mean the seat reaches.

    How far a seat reaches is the sum over its colours of the square roots of the cells.
    """
    return estimate(LEAD_SO_FAR * lead + ROOT_OF_REACH * further)


def promise(table: Tables, board: vec[i16], colour: i64, code: i64, laid: i64) -> float:
    """What this placement should bring a colour that has laid so many pieces.

    Only differences between placements of one position mean something.
    """
    size = SIZE_OF[table.shapes[code >> CODE_SHIFT] >> PIECE_SHIFT]
    value = (CELL if laid < END_FROM else CELL_AT_THE_END) * float(size)
    if laid < CENTRE_UNTIL:
        value -= CENTRE * float(way_to_centre(table, code, size))
    else:
        value += TAKEN * float(corners_taken(table, board, colour, code, size))
    if laid < CORNERS_FROM:
        return value
    opened, lost = room(table, board, colour, code)
    value += OPENED * float(opened)
    if laid < LATE_FROM:
        return value - LOST_EARLY * float(lost)
    if laid < END_FROM:
        return value - LOST_LATE * float(lost)
    return value - LOST_AT_THE_END * float(lost)


def way_to_centre(table: Tables, code: i64, size: i64) -> i64:
    """How far its nearest cell is from the middle of the board, in half steps."""
    shape = table.shapes[code >> CODE_SHIFT]
    nearest: i64 = 1000
    k: i64 = 0
    while k < size:
        square = (code & SQUARE_MASK) + (shape & OFFSET_MASK)
        row = square // table.width - REACH
        col = square - (row + REACH) * table.width - REACH
        down = 2 * row - table.side + 1
        right = 2 * col - table.side + 1
        away = (down if down >= 0 else -down) + (right if right >= 0 else -right)
        if away < nearest:
            nearest = away
        shape = shape >> OFFSET_BITS
        k += 1
    return nearest


def corners_taken(table: Tables, board: vec[i16], colour: i64, code: i64, size: i64) -> i64:
    """How many open corners of other colours it covers."""
    shape = table.shapes[code >> CODE_SHIFT]
    taken: i64 = 0
    k: i64 = 0
    while k < size:
        bits = i64(board[(code & SQUARE_MASK) + (shape & OFFSET_MASK)])
        theirs = (bits >> 4) & ~bits & 15 & ~(1 << colour)
        while theirs != 0:
            theirs &= theirs - 1
            taken += 1
        shape = shape >> OFFSET_BITS
        k += 1
    return taken


def room(table: Tables, board: vec[i16], colour: i64, code: i64) -> tuple[i64, i64]:
    """How many corners it opens, and how many cells beside it the colour could have covered."""
    orientation = code >> CODE_SHIFT
    corner = code & SQUARE_MASK
    bit: i64 = CORNER << colour
    blocked: i64 = 1 << colour
    opened: i64 = 0
    around = table.corners
    k = table.corner_starts[orientation]
    end = table.corner_starts[orientation + 1]
    while k < end:
        if i64(board[corner + around[k]]) & (bit | blocked) == 0:
            opened += 1
        k += 1
    lost: i64 = 0
    around = table.edges
    k = table.edge_starts[orientation]
    end = table.edge_starts[orientation + 1]
    while k < end:
        if i64(board[corner + around[k]]) & blocked == 0:
            lost += 1
        k += 1
    return opened, lost
