"""Bitboards for Banqi's 32 squares, and their lookup tables.

Bit i stands for square i. Every value is below 2**63, so a compiled `i64` and an interpreted
`int` hold the same bits.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

ROWS: Final = 4
COLS: Final = 8
SQUARES: Final = 32

ALL: Final[i64] = 0xFFFFFFFF
# A step west never ends in the last column, and a step east never ends in the first.
WEST_TARGETS: Final[i64] = 0x7F7F7F7F
EAST_TARGETS: Final[i64] = 0xFEFEFEFE

_PAIRS: Final[i64] = 0x5555555555555555
_FOURS: Final[i64] = 0x3333333333333333
_BYTES: Final[i64] = 0x0F0F0F0F0F0F0F0F

# A de Bruijn sequence: multiplied by a single bit, its upper five of 32 bits identify that bit.
DE_BRUIJN: Final[i64] = 0x077CB531
# Multiplying by it gathers bits 0, 8, 16 and 24 of a number without other bits in bits 24 to 27.
_GATHER: Final[i64] = 0x01020408


def _neighbours() -> list[int]:
    table = []
    for square in range(SQUARES):
        row, col = divmod(square, COLS)
        mask = 0
        for r, c in ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)):
            if 0 <= r < ROWS and 0 <= c < COLS:
                mask |= 1 << (r * COLS + c)
        table.append(mask)
    return table


def _jumps(length: int, place: int, occupied: int) -> int:
    """Return the places of a line that a cannon at `place` hits: the second piece each way."""
    hits = 0
    for step in (-1, 1):
        met = 0
        at = place + step
        while 0 <= at < length and met < 2:
            if occupied >> at & 1:
                met += 1
                if met == 2:
                    hits |= 1 << at
            at += step
    return hits


def _row_jumps() -> list[int]:
    return [_jumps(COLS, col, row) for row in range(256) for col in range(COLS)]


def _column_jumps() -> list[int]:
    table = []
    for column in range(16):
        for place in range(ROWS):
            hits = _jumps(ROWS, place, column)
            table.append(sum((hits >> row & 1) << (COLS * row) for row in range(ROWS)))
    return table


def _bit_places() -> list[int]:
    table = [0] * SQUARES
    for place in range(SQUARES):
        table[((1 << place) * 0x077CB531 & 0xFFFFFFFF) >> 27] = place
    return table


BIT: Final = vec[i64]([i64(1 << number) for number in range(63)])
"""`BIT[n]` is 2**n. A compiled `1 << n` with an `i64` n shifts only 32 bits."""
NEIGHBOURS: Final = vec[i64]([i64(mask) for mask in _neighbours()])
"""The squares one step away, by square."""
_ROW_JUMPS: Final = vec[u8]([u8(hits) for hits in _row_jumps()])
_COLUMN_JUMPS: Final = vec[i64]([i64(hits) for hits in _column_jumps()])
BIT_PLACES: Final = vec[u8]([u8(place) for place in _bit_places()])


def lowest(mask: i64) -> i64:
    """Return the index of the lowest bit of a non-empty mask of at most 32 bits."""
    return i64(BIT_PLACES[(((mask & -mask) * DE_BRUIJN) & ALL) >> 27])


def count(mask: i64) -> i64:
    """Return the number of set bits, of at most 63."""
    mask -= (mask >> 1) & _PAIRS
    mask = (mask & _FOURS) + ((mask >> 2) & _FOURS)
    mask = (mask + (mask >> 4)) & _BYTES
    mask += mask >> 8
    mask += mask >> 16
    return (mask + (mask >> 32)) & 127


def without_lowest(mask: i64, bits: i64) -> i64:
    """Return the mask without its `bits` lowest set bits."""
    while bits > 0:
        mask &= mask - 1
        bits -= 1
    return mask


def jumps(square: i64, occupied: i64) -> i64:
    """Return the occupied squares in line with `square` with exactly one piece in between."""
    col = square & 7
    row = square >> 3
    in_row = i64(_ROW_JUMPS[((occupied >> (row << 3)) & 255) << 3 | col]) << (row << 3)
    column = ((((occupied >> col) & 0x01010101) * _GATHER) >> 24) & 15
    return in_row | (_COLUMN_JUMPS[column << 2 | row] << col)
