"""A hand: the pieces that a colour still has, as a bit set."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from parlour.games.blokus.pieces import SIZES

FULL_HAND: Final[i64] = (1 << len(SIZES)) - 1

SIZE_OF: Final = vec[i64](SIZES)
"""The number of cells of each piece."""

_OF_SIZE: Final = vec[i64](
    [sum(1 << piece for piece, size in enumerate(SIZES) if size == wanted) for wanted in range(6)]
)


def pieces_in(hand: i64) -> i64:
    """Return the number of pieces in a hand."""
    count: i64 = 0
    while hand != 0:
        hand &= hand - 1
        count += 1
    return count


def cells_in(hand: i64) -> i64:
    """Return the number of cells of all pieces in a hand."""
    cells: i64 = 0
    piece: i64 = 0
    while hand != 0:
        if hand & 1 != 0:
            cells += SIZE_OF[piece]
        hand >>= 1
        piece += 1
    return cells


def largest_size(hand: i64) -> i64:
    """Return the size of the largest piece in a hand, or 0 for an empty hand."""
    size: i64 = 5
    while size > 0 and hand & _OF_SIZE[size] == 0:
        size -= 1
    return size


def largest(hand: i64) -> i64:
    """Return the pieces of the largest size in a hand."""
    return hand & _OF_SIZE[largest_size(hand)]
