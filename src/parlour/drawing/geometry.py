"""Positions of the cells and names of a board, for everything that draws one.

Positions are counted in half cells from the left, because each row of a hexagonal board is shifted
by half a cell. This shows the slot at which each cell begins:

    square   0 2 4        hex   0 2 4
             0 2 4               1 3 5
             0 2 4                2 4 6
"""

from collections.abc import Iterable

from parlour.core.scene import HEX, Board

SPAN = 2
"""The width of a cell in slots."""


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
