"""Rectangular grids: flat cell indices and tables of neighbours.

A cell's index counts in reading order, index = row * cols + col:

    0  1  2        rows = 2, cols = 3
    3  4  5
"""

from librt.vecs import vec
from mypy_extensions import i32

UP = (-1, 0)
DOWN = (1, 0)
LEFT = (0, -1)
RIGHT = (0, 1)
UP_RIGHT = (-1, 1)
DOWN_RIGHT = (1, 1)
DOWN_LEFT = (1, -1)
UP_LEFT = (-1, -1)


CLOCKWISE = (UP, UP_RIGHT, RIGHT, DOWN_RIGHT, DOWN, DOWN_LEFT, LEFT, UP_LEFT)


def neighbour_table(rows: int, cols: int, steps: tuple[tuple[int, int], ...]) -> vec[i32]:
    """Return the cell that each (row, col) step from each cell leads to, or -1 off the grid.

    The neighbour of `cell` by step number `k` is at `cell * len(steps) + k`.
    """
    table: list[int] = []
    for row in range(rows):
        for col in range(cols):
            for down, right in steps:
                r, c = row + down, col + right
                table.append(r * cols + c if 0 <= r < rows and 0 <= c < cols else -1)
    return vec[i32]([i32(cell) for cell in table])


def rotated_cells(side: int, quarters: int) -> tuple[int, ...]:
    """Return where each cell of a square grid goes in that many clockwise quarter turns."""
    cells = list(range(side * side))
    for _ in range(quarters):
        cells = [col * side + side - 1 - row for row, col in [divmod(cell, side) for cell in cells]]
    return tuple(cells)


def mirrored_cells(side: int) -> tuple[int, ...]:
    """Return where each cell of a square grid goes when left and right are swapped."""
    return tuple([row * side + side - 1 - col for row in range(side) for col in range(side)])
