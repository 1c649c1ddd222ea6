"""Where the cells and the names of a board are, for everything that draws one.

Places are counted in half cells from the left, because on a board of hexagons each row is
shifted by half a cell. Here each cell shows the slot at which it begins:

    square   0 2 4        hex   0 2 4
             0 2 4               1 3 5
             0 2 4                2 4 6
"""

from collections.abc import Iterable

from parlour.core.scene import HEX, Board

SPAN = 2
"""How many slots a cell is wide."""


def slot(board: Board, row: int, col: int) -> int:
    """The slot at which a cell begins; rows and columns may be outside the board."""
    return SPAN * col + (row if board.shape == HEX else 0)


def slots(board: Board) -> int:
    """How many slots the whole board is wide; 0 for none."""
    if board.size == 0:
        return 0
    return slot(board, board.rows - 1, board.cols - 1) + SPAN


def column_ends(board: Board, shown: Iterable[int]) -> dict[int, int]:
    """For each column of the cells shown, the row below its last one: where its name can stand.

    On a square board all of them are in line. On a board of hexagons each is where its
    column, which runs aslant, leaves the cells that are shown.
    """
    ends: dict[int, int] = {}
    for cell in shown:
        row, col = divmod(cell, board.cols)
        ends[col] = max(ends.get(col, 0), row + 1)
    if board.shape == HEX or not ends:
        return ends
    return dict.fromkeys(ends, max(ends.values()))
