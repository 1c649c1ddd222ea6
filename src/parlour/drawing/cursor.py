"""Moving from cell to cell with four keys, on boards of squares and of hexagons."""

from parlour.core.scene import Board
from parlour.drawing.geometry import slot
from parlour.grids import real_cells

UP = "up"
DOWN = "down"
LEFT = "left"
RIGHT = "right"
DIRECTIONS = (UP, DOWN, LEFT, RIGHT)


def first_cell(board: Board) -> int:
    """The first cell that is not a hole; 0 where there is none."""
    return next(iter(real_cells(board)), 0)


def step(board: Board, cell: int, direction: str) -> int:
    """The cell that the key leads to; the same one where there is nothing on that side.

    Left and right go along the row, over holes. Up and down go to the next row that has
    cells, to the nearest of them. So the keys lead from every cell to every other. Between
    the two nearest hexagons the rows lean in turn to either side: repeated keys go straight
    up and down, and back the same way.
    """
    if not board.size:
        return cell
    row, col = divmod(cell, board.cols)
    cells = real_cells(board)
    if direction in (LEFT, RIGHT):
        in_row = [other for other in cells if other // board.cols == row]
        if direction == RIGHT:
            return min((other for other in in_row if other > cell), default=cell)
        return max((other for other in in_row if other < cell), default=cell)
    if direction == DOWN:
        to = min((other // board.cols for other in cells if other // board.cols > row), default=row)
    elif direction == UP:
        to = max((other // board.cols for other in cells if other // board.cols < row), default=row)
    else:
        raise ValueError(f"a direction is one of {', '.join(DIRECTIONS)}, not {direction!r}")
    if to == row:
        return cell
    here = slot(board, row, col)
    lean = (to - row) * (1 if min(row, to) % 2 == 0 else -1)

    def farness(other: int) -> tuple[int, int]:
        aside = slot(board, to, other % board.cols) - here
        return abs(aside), -aside * lean

    return min((other for other in cells if other // board.cols == to), key=farness)
