"""Move a cursor from cell to cell with four keys, on boards of any shape."""

from parlour.core.scene import POINTS, Board
from parlour.drawing.geometry import slot
from parlour.grids import real_cells

UP = "up"
DOWN = "down"
LEFT = "left"
RIGHT = "right"
DIRECTIONS = (UP, DOWN, LEFT, RIGHT)
WAYS = {UP: (0, -1), DOWN: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}
ASIDE = 3.0
"""How much worse a point is for lying aside than for being far."""
LEVEL = 1e-6
"""Points whose positions differ by less are level."""


def first_cell(board: Board) -> int:
    """Return the first cell that is not a hole, or 0."""
    return next(iter(real_cells(board)), 0)


def step(board: Board, cell: int, direction: str) -> int:
    """Return the cell that a key leads to; the same cell if there is none on that side.

    Left and right move along the row and skip holes. Up and down move to the nearest cell of the
    next row that has cells. So every cell can be reached from every other. Ties between two
    hexagons are broken to alternate sides by row, so repeated keys go straight and return the same
    way. On a board of points they lead to the nearest point on that side.
    """
    if not board.size:
        return cell
    if board.shape == POINTS:
        return _step_between_points(board, cell, direction)
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
        raise ValueError(f"a direction must be one of {', '.join(DIRECTIONS)}, not {direction!r}")
    if to == row:
        return cell
    here = slot(board, row, col)
    lean = (to - row) * (1 if min(row, to) % 2 == 0 else -1)

    def farness(other: int) -> tuple[int, int]:
        aside = slot(board, to, other % board.cols) - here
        return abs(aside), -aside * lean

    return min((other for other in cells if other // board.cols == to), key=farness)


def _step_between_points(board: Board, cell: int, direction: str) -> int:
    """Return the nearest point on that side; one straight ahead is preferred."""
    if direction not in WAYS:
        raise ValueError(f"a direction must be one of {', '.join(DIRECTIONS)}, not {direction!r}")
    (right, down), (x, y) = WAYS[direction], board.positions[cell]
    best, least = cell, float("inf")
    for other, (a, b) in enumerate(board.positions):
        ahead = (a - x) * right + (b - y) * down
        far = ahead + ASIDE * abs((a - x) * down + (b - y) * right)
        if ahead > LEVEL and far < least - LEVEL:
            best, least = other, far
    return best
