"""Positions of the cells and names of a board, for everything that draws one.

Positions are counted in half cells from the left, because each row of a hexagonal board is shifted
by half a cell. This shows the slot at which each cell begins:

    square   0 2 4        hex   0 2 4
             0 2 4               1 3 5
             0 2 4                2 4 6

The points of a board of points are round cells of width 1, and the closest two have a gap between
them.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from math import dist

from parlour.core.scene import HEX, Board

SPAN = 2
"""The width of a cell in slots."""
SPREAD = 1.3
"""The distance of the closest points of a board, in cells."""


@lru_cache(maxsize=64)
def point_centres(board: Board) -> tuple[tuple[float, float], ...]:
    """Return the centre of each point, in cells; the closest ones are `SPREAD` apart."""
    pairs = combinations(board.positions, 2)
    scale = SPREAD / min((dist(*pair) for pair in pairs), default=SPREAD)
    return tuple((0.5 + x * scale, 0.5 + y * scale) for x, y in board.positions)


def points_extent(board: Board) -> tuple[float, float]:
    """Return the width and height of a board of points, in cells."""
    xs, ys = zip(*point_centres(board), strict=True)
    return max(xs) + 0.5, max(ys) + 0.5


def slot(board: Board, row: int, col: int) -> int:
    """Return the slot at which a cell begins; rows and columns may be outside the board."""
    return SPAN * col + (row if board.shape == HEX else 0)


def slots(board: Board) -> int:
    """Return the width of the board in slots; 0 if it has no cells."""
    if board.size == 0:
        return 0
    return slot(board, board.rows - 1, board.cols - 1) + SPAN


def column_ends(board: Board, shown: Iterable[int]) -> dict[int, int]:
    """Return for each column the row below its last shown cell, where its name is written.

    On a square board all are in line. On a hexagonal board each is where its slanted column ends.
    """
    ends: dict[int, int] = {}
    for cell in shown:
        row, col = divmod(cell, board.cols)
        ends[col] = max(ends.get(col, 0), row + 1)
    if board.shape == HEX or not ends:
        return ends
    return dict.fromkeys(ends, max(ends.values()))
