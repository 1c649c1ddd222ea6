"""Which part of a board is seen in an area of the screen, and where each cell is drawn.

The first line of the area is for the names of square columns, and for arrows where there
is more to see. Slanting columns of hexagons have their names at their lower ends, so one
line below the rows and half a cell at the right are kept for them.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from parlour.core.geometry import SPAN, column_ends, real_cells, slot, slots
from parlour.core.scene import HEX, Board, Scene, display_width

MOST_ZOOM = 3
HEADER = 1


@dataclass(frozen=True)
class Viewport:
    """A part of a board in an area of the screen."""

    board: Board
    glyph_width: int
    """The columns of the widest glyph."""
    width: int
    height: int
    zoom: int = 1
    top: int = 0
    """The first row that is seen."""
    left: int = 0
    """The first slot that is seen, in half cells."""

    @property
    def is_hex(self) -> bool:
        """Whether the rows are shifted against each other."""
        return self.board.shape == HEX

    @cached_property
    def pitch(self) -> tuple[int, int]:
        """The columns and lines of a cell; the first column is for signs.

        The columns of a hexagon are even, so that half of it is a whole number of them.
        """
        wide = self.glyph_width + 2 * self.zoom - 1
        return wide + (wide % 2 if self.is_hex else 0), self.zoom

    @cached_property
    def margin(self) -> int:
        """The columns of the rows' names."""
        return max(map(display_width, self.board.row_names), default=0) + 1

    @cached_property
    def slots(self) -> int:
        """How many half cells of the board are seen side by side, at least one cell of any."""
        wide = self.pitch[0]
        room = self.width - self.margin - 1
        fitting = room * SPAN // wide - 1 if self.is_hex else room // wide * SPAN
        return min(max(fitting, SPAN), slots(self.board))

    @cached_property
    def rows(self) -> int:
        """How many rows of the board are seen, at least one of any."""
        room = self.height - HEADER - (1 if self.is_hex else 0)
        return min(max(room // self.zoom, 1), self.board.rows)

    @property
    def is_whole(self) -> bool:
        """Whether all of the board, with its names, fits into the area."""
        wide, high = self.pitch
        spare = 1 if self.is_hex else 0
        width = self.margin + (slots(self.board) + spare) * wide // SPAN + 1
        height = HEADER + self.board.rows * high + spare
        return width <= self.width and height <= self.height

    def scrolled(self, rows: int) -> "Viewport":
        """The same with other rows in sight, as far as there are any."""
        return replace(self, top=min(max(self.top + rows, 0), self.board.rows - self.rows))

    def with_cell(self, cell: int) -> "Viewport":
        """The same, scrolled no farther than it takes to see that cell."""
        if not 0 <= cell < self.board.size:
            return replace(self, top=0, left=0)
        row, col = divmod(cell, self.board.cols)
        at = slot(self.board, row, col)
        return replace(
            self,
            top=_scrolled(self.top, self.rows, row, row + 1, self.board.rows),
            left=_scrolled(self.left, self.slots, at, at + SPAN, slots(self.board)),
        )

    # Where cells are.

    def sees(self, row: int, col: int) -> bool:
        """Whether that place of the board is wholly in sight."""
        at = slot(self.board, row, col) - self.left
        return 0 <= row - self.top < self.rows and 0 <= at <= self.slots - SPAN

    @cached_property
    def cells(self) -> dict[int, list[int]]:
        """The cells in sight, without holes, by row."""
        found: dict[int, list[int]] = {}
        for cell in real_cells(self.board):
            row, col = divmod(cell, self.board.cols)
            if self.sees(row, col):
                found.setdefault(row, []).append(cell)
        return found

    def column(self, row: int, col: int) -> int:
        """The first column of the screen of that place of the board."""
        return self.margin + (slot(self.board, row, col) - self.left) * self.pitch[0] // SPAN

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell under a point of the area; `None` if there is none, or a hole."""
        wide, high = self.pitch
        row = self.top + (y - HEADER) // high
        col = (x - self.column(row, 0)) // wide
        if not 0 <= col < self.board.cols or not self.sees(row, col):
            return None
        cell = row * self.board.cols + col
        return None if cell in self.board.holes else cell

    def point_of(self, cell: int) -> tuple[int, int]:
        """A point of the area over that cell, which must be in sight."""
        wide, high = self.pitch
        row, col = divmod(cell, self.board.cols)
        return self.column(row, col) + wide // 2, HEADER + (row - self.top) * high

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
            at = self.column(row, col) + 1 + (wide - 1 - display_width(name)) // 2
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


def fitted(scene: Scene, size: tuple[int, int], cursor: int, before: Viewport | None) -> Viewport:
    """The scene's board as large as it fits, with the cursor in sight.

    What was seen of the same board `before` stays where it is, as far as that goes.
    """
    glyphs = {cell.glyph for cell in scene.cells}
    view = Viewport(scene.board, max(map(display_width, glyphs), default=1), *size)
    if before is not None and before.board == scene.board:
        view = replace(view, top=before.top, left=before.left)
    for zoom in range(MOST_ZOOM, 0, -1):
        view = replace(view, zoom=zoom)
        if view.is_whole:
            break
    return view.with_cell(cursor)


def _scrolled(first: int, room: int, start: int, end: int, count: int) -> int:
    """The first row or slot to show so that those from `start` to `end` are in sight."""
    return min(max(first, end - room, 0), start, count - room)
