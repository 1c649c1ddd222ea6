"""What helps a search to play Blokus well: how promising a placement looks.

Large pieces first, for they get hard to place; corners opened are room to come; corners
of the others that are covered are room taken from them; and early on the centre decides
who reaches where.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64

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

SIZE: Final = 2.0
OPENED: Final = 0.8
CLOSED: Final = 0.5
TAKEN: Final = 0.5
CENTRE: Final = 0.12

_SIZES: Final = vec[i64]([1, 2, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5])

FIVES: Final[i64] = 0b111111111111000000000


def size_of(table: Tables, code: i64) -> i64:
    """How many cells a placement covers."""
    return _SIZES[table.shapes[code >> CODE_SHIFT] >> PIECE_SHIFT]


def promise(
    table: Tables, board: vec[i16], colour: i64, colours: i64, code: i64, early: bool
) -> float:
    """How good it looks to lay this placement; only differences mean something."""
    orientation = code >> CODE_SHIFT
    corner = code & SQUARE_MASK
    shape = table.shapes[orientation]
    size = _SIZES[shape >> PIECE_SHIFT]
    value = SIZE * float(size)
    nearest: i64 = 1000
    k: i64 = 0
    while k < size:
        square = corner + (shape & OFFSET_MASK)
        bits = i64(board[square])
        other: i64 = 0
        while other < colours:
            if other != colour and (bits >> (other + 4)) & 1 != 0 and (bits >> other) & 1 == 0:
                value += TAKEN
            other += 1
        if early:
            row = square // table.width - REACH
            col = square - (row + REACH) * table.width - REACH
            down = 2 * row - table.side + 1
            right = 2 * col - table.side + 1
            away = (down if down >= 0 else -down) + (right if right >= 0 else -right)
            if away < nearest:
                nearest = away
        shape = shape >> OFFSET_BITS
        k += 1
    if early:
        value -= CENTRE * float(nearest)
    bit: i64 = CORNER << colour
    blocked: i64 = 1 << colour
    around = table.corners
    k = table.corner_starts[orientation]
    end = table.corner_starts[orientation + 1]
    while k < end:
        if i64(board[corner + around[k]]) & (bit | blocked) == 0:
            value += OPENED
        k += 1
    around = table.edges
    k = table.edge_starts[orientation]
    end = table.edge_starts[orientation + 1]
    while k < end:
        if i64(board[corner + around[k]]) & (bit | blocked) == bit:
            value -= CLOSED
        k += 1
    return value


def pick_large(table: Tables, codes: vec[i32], count: i64, point: i64) -> i64:
    """One of the largest placements of a list: the one that `point` falls on, going round."""
    best: i64 = 0
    many: i64 = 0
    k: i64 = 0
    while k < count:
        size = size_of(table, i64(codes[k]))
        if size > best:
            best = size
            many = 1
        elif size == best:
            many += 1
        k += 1
    point = point % many
    k = 0
    while True:
        if size_of(table, i64(codes[k])) == best:
            if point == 0:
                return i64(codes[k])
            point -= 1
        k += 1
