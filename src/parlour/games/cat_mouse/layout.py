"""The obstacles of Cat and Mouse, and the steps they allow.

Rule numbers refer to `rules`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from parlour.core.grid import DOWN, LEFT, RIGHT, UP, neighbour_table

SIDE: Final = 25
CELLS: Final = 625

EDGE: Final = -1
WALL: Final = -2
NO_STEP: Final = -1

PLAYING: Final = 0
CAUGHT: Final = 1
TRAPPED: Final = 2

_GRID: Final = neighbour_table(SIDE, SIDE, (UP, DOWN, LEFT, RIGHT))


class Layout:
    """The obstacles and the steps they allow. Immutable; states share it."""

    def __init__(self, walls: bytes) -> None:
        """Take one byte per cell, 1 for an obstacle."""
        self.walls: Final = walls
        links = vec[i32](_GRID)
        exits = vec[u8](bytes(CELLS))
        i: i64 = 0
        while i < CELLS * 4:
            to = i64(links[i])
            if to >= 0:
                if walls[to]:
                    links[i] = WALL
                else:
                    exits[i // 4] = exits[i // 4] + 1
            i += 1
        # Indexed by 4 * cell + direction: the neighbour, EDGE or WALL.
        self._links: Final = links
        # The number of free neighbours of each cell.
        self._exits: Final = exits

    def exits(self, cell: i64) -> i64:
        """Return how many neighbours of a cell are free."""
        return i64(self._exits[cell])

    def step(self, cell: i64, direction: i64) -> i64:
        """Return the cell that a step leads to, or EDGE or WALL (both negative)."""
        return i64(self._links[cell * 4 + direction])

    def reply(self, cat: i64, mouse: i64) -> i64:
        """Return where the mouse steps by rule 7, or NO_STEP."""
        links = self._links
        cat_row = cat // SIDE
        cat_col = cat - cat_row * SIDE
        best: i64 = NO_STEP
        best_distance: i64 = -1
        k: i64 = 0
        while k < 4:
            to = i64(links[mouse * 4 + k])
            if to >= 0 and to != cat:
                row = to // SIDE
                rows = row - cat_row
                cols = to - row * SIDE - cat_col
                distance = (rows if rows >= 0 else -rows) + (cols if cols >= 0 else -cols)
                if distance > best_distance:
                    best = to
                    best_distance = distance
            k += 1
        return best

    def is_trapped(self, cat: i64, mouse: i64) -> bool:
        """Whether the mouse cannot step."""
        exits = self._exits[mouse]
        if exits > 1:
            return False
        return exits == 0 or self.reply(cat, mouse) == NO_STEP

    def was_trapped(self, cat: i64, mouse: i64) -> bool:
        """Whether the mouse is trapped, or was before the last step of the cat (rule 6)."""
        k: i64 = 0
        while k < 4:
            before = self.step(cat, k)
            if before >= 0 and self.is_trapped(before, mouse):
                return True
            k += 1
        return self.is_trapped(cat, mouse)

    def turn(self, cat: i64, mouse: i64, to: i64) -> tuple[i64, i64]:
        """Apply rules 4 to 7 to the cat's step to `to`. Return the outcome and the mouse's cell."""
        if to == mouse:
            return CAUGHT, mouse
        if self.is_trapped(cat, mouse):
            return TRAPPED, mouse
        fled = self.reply(to, mouse)
        if fled == NO_STEP:
            return TRAPPED, mouse
        return PLAYING, fled
