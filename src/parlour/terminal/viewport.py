"""Which part of a board is seen in an area of the screen, and where each cell is drawn.

A character of a terminal is about twice as high as wide, so a cell of two columns to one
line is a square. Heights are counted in half lines: a board that is too large for whole
lines may be drawn in half blocks, one column by half a line a cell.

The cells of a square board are in the middle of the area, in a frame that carries the names
of the columns; the names of the rows are at its left. Where a line is missing the lower
frame is left out first, then the upper one. Slanting columns of hexagons have their names at
their lower ends, so one line below the rows and half a cell at the right are kept for them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from parlour.core.scene import HEX, Board, display_width
from parlour.drawing.geometry import SPAN, column_ends, slot, slots

HALF = (1, 1)
"""The pitch of a cell in half blocks."""


class Rectangle(NamedTuple):
    """A part of the area: columns and half lines."""

    x: int
    y: int
    wide: int
    high: int


@dataclass(frozen=True)
class Viewport:
    """A part of a board in an area of the screen."""

    board: Board
    width: int
    height: int
    pitch: tuple[int, int] = (2, 2)
    """The columns and the half lines of a cell."""
    top: int = 0
    """The first row that is seen."""
    left: int = 0
    """The first slot that is seen, in half cells."""

    @property
    def is_hex(self) -> bool:
        """Whether the rows are shifted against each other."""
        return self.board.shape == HEX

    @property
    def is_half(self) -> bool:
        """Whether two rows share a line."""
        return self.pitch == HALF

    @property
    def lines(self) -> int:
        """The lines of a cell; 1 where two rows share it."""
        return max(1, self.pitch[1] // 2)

    @cached_property
    def margin(self) -> int:
        """The columns of the rows' names, with the frame or a gap after them."""
        return max(map(display_width, self.board.row_names), default=0) + 1

    def _lines_of(self, rows: int) -> int:
        return (rows * self.pitch[1] + 1) // 2

    @cached_property
    def header(self) -> int:
        """The lines above the cells: the frame, where it does not cost a row."""
        if self.is_hex:
            return 1
        return 0 if self._lines_of(self.board.rows) == self.height else 1

    @cached_property
    def slots(self) -> int:
        """How many half cells of the board are seen side by side, at least one cell of any."""
        space = self.width - self.margin
        fitting = (
            (space - 1) * SPAN // self.pitch[0] - 1
            if self.is_hex
            else space // self.pitch[0] * SPAN
        )
        return min(max(fitting, SPAN), slots(self.board))

    @cached_property
    def rows(self) -> int:
        """How many rows of the board are seen, at least one of any."""
        space = self.height - self.header - (1 if self.is_hex else 0)
        return min(max(space * 2 // self.pitch[1], 1), self.board.rows)

    @property
    def is_whole(self) -> bool:
        """Whether all of the board, with its names, fits into the area."""
        spare = 1 if self.is_hex else 0
        width = self.margin + (slots(self.board) + spare) * self.pitch[0] // SPAN + spare
        height = self.header + self._lines_of(self.board.rows) + spare
        return width <= self.width and height <= self.height

    # Where the cells as a whole are.

    @cached_property
    def body(self) -> tuple[int, int]:
        """The columns and lines of all cells in sight."""
        return self.slots * self.pitch[0] // SPAN, self._lines_of(self.rows)

    @cached_property
    def origin(self) -> tuple[int, int]:
        """The column and the line of the first cell: as near to the middle as names allow."""
        wide, high = self.body
        right = self.pitch[0] // SPAN if self.is_hex else 0
        left = min(max((self.width - wide) // 2, self.margin), self.width - wide - right)
        below = 1 if self.is_hex else 0
        above = min(max((self.height - high) // 2, self.header), self.height - high - below)
        return max(left, self.margin), max(above, self.header)

    @property
    def has_right_frame(self) -> bool:
        """Whether there is a column for it."""
        return not self.is_hex and self.origin[0] + self.body[0] < self.width

    @property
    def has_lower_frame(self) -> bool:
        """Whether there is a line for it."""
        return not self.is_hex and self.origin[1] + self.body[1] < self.height

    # Another part of the board.

    def scrolled(self, rows: int) -> "Viewport":
        """The same with other rows in sight, as far as there are any."""
        return replace(self, top=min(max(self.top + rows, 0), self.board.rows - self.rows))

    def with_cells(self, cells: Iterable[int]) -> "Viewport":
        """The same, scrolled no farther than it takes to see these; the first ones come first."""
        rows: list[int] = []
        ats: list[int] = []
        for cell in cells:
            if not 0 <= cell < self.board.size:
                continue
            row, col = divmod(cell, self.board.cols)
            at = slot(self.board, row, col)
            if max((*rows, row)) - min((*rows, row)) < self.rows:
                rows.append(row)
            if max((*ats, at)) - min((*ats, at)) <= self.slots - SPAN:
                ats.append(at)
        if not rows:
            return replace(self, top=0, left=0)
        return replace(
            self,
            top=_scrolled(self.top, self.rows, min(rows), max(rows) + 1, self.board.rows),
            left=_scrolled(self.left, self.slots, min(ats), max(ats) + SPAN, slots(self.board)),
        )

    # Where cells are.

    def sees(self, row: int, col: int) -> bool:
        """Whether that place of the board is wholly in sight."""
        at = slot(self.board, row, col) - self.left
        return 0 <= row - self.top < self.rows and 0 <= at <= self.slots - SPAN

    @cached_property
    def cells(self) -> dict[int, list[int]]:
        """The cells in sight, without holes, by row."""
        board = self.board
        holes = frozenset(board.holes)
        found: dict[int, list[int]] = {}
        for row in range(self.top, min(self.top + self.rows, board.rows)):
            shift = self.left - slot(board, row, 0)
            first = max(0, -(-shift // SPAN))
            end = min(board.cols, (shift + self.slots) // SPAN)
            cells = range(row * board.cols + first, row * board.cols + end)
            seen = [cell for cell in cells if cell not in holes]
            if seen:
                found[row] = seen
        return found

    def column(self, row: int, col: int) -> int:
        """The first column of the screen of that place of the board."""
        at = slot(self.board, row, col) - self.left
        return self.origin[0] + at * self.pitch[0] // SPAN

    def rectangle(self, cell: int) -> Rectangle:
        """Where a cell is drawn, and nothing else."""
        row, col = divmod(cell, self.board.cols)
        wide, high = self.pitch
        y = 2 * self.origin[1] + (row - self.top) * high
        return Rectangle(self.column(row, col), y, wide, high)

    def cells_at(self, x: int, y: int) -> list[int]:
        """The cells under a point of the area, from above: two where rows share a line."""
        wide, high = self.pitch
        found = []
        start = 2 * (y - self.origin[1])
        for row in dict.fromkeys(self.top + half // high for half in (start, start + 1)):
            col = (x - self.column(row, 0)) // wide
            if 0 <= col < self.board.cols and self.sees(row, col):
                cell = row * self.board.cols + col
                if cell not in self.board.holes:
                    found.append(cell)
        return found

    def cell_at(self, x: int, y: int, preferred: Collection[int] = ()) -> int | None:
        """The cell under a point of the area; of two the preferred one; `None` if none is."""
        found = self.cells_at(x, y)
        return next((cell for cell in found if cell in preferred), found[0] if found else None)

    def point_of(self, cell: int) -> tuple[int, int]:
        """A point of the area over that cell, which must be in sight."""
        x, y, wide, high = self.rectangle(cell)
        return x + wide // 2, (y + max(0, high - 2) // 2) // 2

    # Where names are.

    @cached_property
    def column_names(self) -> dict[int, list[tuple[int, str]]]:
        """For each row the names of columns on its line, each with the screen's column.

        They stand in the middle of their cells: of squares on the line before the first row
        in sight, of hexagons where their columns end.
        """
        wide = self.pitch[0]
        shown = [cell for cells in self.cells.values() for cell in cells]
        lines: dict[int, list[tuple[int, str]]] = {}
        for col, row in sorted(column_ends(self.board, shown).items()):
            name = self.board.col_names[col]
            at = self.column(row, col) + middle(wide, display_width(name))
            lines.setdefault(row if self.is_hex else self.top - 1, []).append((at, name))
        return lines

    @property
    def arrows(self) -> str:
        """The sides on which there is more to see."""
        sides = {
            "▴": self.top > 0,
            "▾": self.top + self.rows < self.board.rows,
            "◂": self.left > 0,
            "▸": self.left + self.slots < slots(self.board),
        }
        return "".join(arrow for arrow, is_hidden in sides.items() if is_hidden)


def middle(wide: int, content: int) -> int:
    """The column in a cell at which its content begins; the first one is for signs and lines."""
    return min(wide - 1, 1) + max(0, wide - 1 - content) // 2


def fitted(
    board: Board,
    sizes: Sequence[tuple[int, int]],
    area: tuple[int, int],
    cells: Iterable[int],
    before: Viewport | None,
) -> Viewport:
    """The board in the first of the sizes in which it is whole, otherwise in the last one.

    Half blocks are for whole boards only. Scrolled so that these cells are in sight, the
    first ones first; what was seen of the same board `before` stays where it is, as far as
    that goes.
    """
    views = [Viewport(board, *area, pitch) for pitch in sizes]
    last = next(view for view in reversed(views) if not view.is_half)
    view = next((view for view in views if view.is_whole), last)
    if before is not None and before.board == board:
        view = replace(view, top=before.top, left=before.left)
    return view.with_cells(cells)


def _scrolled(first: int, space: int, start: int, end: int, count: int) -> int:
    """The first row or slot to show so that those from `start` to `end` are in sight."""
    return max(0, min(max(first, end - space, 0), start, count - space))
