"""The visible part of a board in an area of the screen, and the place of each cell.

A terminal character is about twice as high as wide, so a cell of two columns and one line is a
square. Heights are counted in half lines: a board that is too large for whole lines may be drawn in
half blocks, one column by half a line per cell.

A square board is centred in the area, in a frame with the names of the columns; the names of the
rows are at its left. If a line is missing, the lower frame is dropped first, then the upper one.
Slanting columns of hexagons have their names at their lower ends, so one line below the rows and
half a cell at the right are reserved for them.

The positions of a board of points are scaled to characters. It has no frame, and a board that is
larger than the area scrolls by characters.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from parlour.core.scene import HEX, POINTS, Board, display_width
from parlour.drawing.geometry import SPAN, SPREAD, column_ends, point_centres, slot, slots
from parlour.drawing.links import Place, link_signs

HALF = (1, 1)
"""The pitch of a cell in half blocks."""
LARGE = 3
"""Cells of more lines than this are large."""
GAP = (2, 1)
"""The columns and lines between the closest points."""


class Rectangle(NamedTuple):
    """A part of the area, in columns and half lines."""

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
    """The columns and half lines of a cell."""
    top: int = 0
    """The first visible row."""
    left: int = 0
    """The first visible slot, in half cells."""

    @property
    def is_hex(self) -> bool:
        """Whether alternate rows are shifted."""
        return self.board.shape == HEX

    @property
    def is_half(self) -> bool:
        """Whether two rows share a line."""
        return self.pitch == HALF

    @property
    def lines(self) -> int:
        """The lines of a cell; 1 if two rows share it."""
        return max(1, self.pitch[1] // 2)

    @cached_property
    def margin(self) -> int:
        """The columns of the row names, including the frame or gap after them."""
        return max(map(display_width, self.board.row_names), default=0) + 1

    def _lines_of(self, rows: int) -> int:
        return (rows * self.pitch[1] + 1) // 2

    @cached_property
    def header(self) -> int:
        """The lines above the cells: the frame, unless it would cost a row."""
        if self.is_hex:
            return 1
        return 0 if self._lines_of(self.board.rows) == self.height else 1

    @cached_property
    def slots(self) -> int:
        """The number of visible half cells in a row, at least one cell."""
        space = self.width - self.margin
        fitting = (
            (space - 1) * SPAN // self.pitch[0] - 1
            if self.is_hex
            else space // self.pitch[0] * SPAN
        )
        return min(max(fitting, SPAN), slots(self.board))

    @cached_property
    def rows(self) -> int:
        """The number of visible rows, at least one."""
        space = self.height - self.header - (1 if self.is_hex else 0)
        return min(max(space * 2 // self.pitch[1], 1), self.board.rows)

    @property
    def is_whole(self) -> bool:
        """Whether the whole board with its names fits."""
        spare = 1 if self.is_hex else 0
        width = self.margin + (slots(self.board) + spare) * self.pitch[0] // SPAN + spare
        height = self.header + self._lines_of(self.board.rows) + spare
        return width <= self.width and height <= self.height

    # The area of the cells.

    @cached_property
    def body(self) -> tuple[int, int]:
        """The columns and lines of all visible cells."""
        return self.slots * self.pitch[0] // SPAN, self._lines_of(self.rows)

    @cached_property
    def origin(self) -> tuple[int, int]:
        """The column and line of the first cell: as central as the names allow."""
        wide, high = self.body
        right = self.pitch[0] // SPAN if self.is_hex else 0
        left = min(max((self.width - wide) // 2, self.margin), self.width - wide - right)
        below = 1 if self.is_hex else 0
        above = min(max((self.height - high) // 2, self.header), self.height - high - below)
        return max(left, self.margin), max(above, self.header)

    @property
    def has_right_frame(self) -> bool:
        """Whether there is a column for the right frame."""
        return not self.is_hex and self.origin[0] + self.body[0] < self.width

    @property
    def has_lower_frame(self) -> bool:
        """Whether there is a line for the lower frame."""
        return not self.is_hex and self.origin[1] + self.body[1] < self.height

    # Scrolling.

    def scrolled(self, rows: int) -> "Viewport":
        """Return the view scrolled by some rows, within the board."""
        return replace(self, top=min(max(self.top + rows, 0), self.board.rows - self.rows))

    def with_cells(self, cells: Iterable[int]) -> "Viewport":
        """Return the view scrolled just enough to show these cells; earlier ones have priority."""
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

    # Cells.

    def sees(self, row: int, col: int) -> bool:
        """Return whether that place of the board is completely visible."""
        at = slot(self.board, row, col) - self.left
        return 0 <= row - self.top < self.rows and 0 <= at <= self.slots - SPAN

    @cached_property
    def cells(self) -> dict[int, list[int]]:
        """The visible cells, without holes, by row."""
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
        """Return the first screen column of that place of the board."""
        at = slot(self.board, row, col) - self.left
        return self.origin[0] + at * self.pitch[0] // SPAN

    def rectangle(self, cell: int) -> Rectangle:
        """Return the rectangle of a cell."""
        row, col = divmod(cell, self.board.cols)
        wide, high = self.pitch
        y = 2 * self.origin[1] + (row - self.top) * high
        return Rectangle(self.column(row, col), y, wide, high)

    def cells_at(self, x: int, y: int) -> list[int]:
        """Return the cells at a point, from the top: two if rows share a line."""
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
        """Return the cell at a point, preferring the given ones; `None` if there is none."""
        found = self.cells_at(x, y)
        return next((cell for cell in found if cell in preferred), found[0] if found else None)

    def point_of(self, cell: int) -> tuple[int, int]:
        """Return a point in that cell, which must be visible."""
        x, y, wide, high = self.rectangle(cell)
        return x + wide // 2, (y + max(0, high - 2) // 2) // 2

    # Names.

    @cached_property
    def column_names(self) -> dict[int, list[tuple[int, str]]]:
        """The names of columns on the line of each row, with their screen columns.

        They are centred on their cells: for squares on the line above the first visible row, for
        hexagons where their columns end.
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
        """Arrows toward the hidden parts of the board."""
        sides = {
            "▴": self.top > 0,
            "▾": self.top + self.rows < self.board.rows,
            "◂": self.left > 0,
            "▸": self.left + self.slots < slots(self.board),
        }
        return "".join(arrow for arrow, is_hidden in sides.items() if is_hidden)


@dataclass(frozen=True)
class PointView(Viewport):
    """A part of a board of points; `top` and `left` count lines and columns."""

    @cached_property
    def margin(self) -> int:
        """No columns: the names are beside the points."""
        return 0

    @cached_property
    def header(self) -> int:
        """No lines: there is no frame."""
        return 0

    @property
    def has_right_frame(self) -> bool:
        """There is no frame."""
        return False

    @property
    def has_lower_frame(self) -> bool:
        """There is no frame."""
        return False

    @cached_property
    def corners(self) -> list[Place]:
        """The upper left character of each point's cell, counted from that of the board."""
        wide, high = self.pitch[0] + GAP[0], self.lines + GAP[1]
        return [
            (round((x - 0.5) / SPREAD * wide), round((y - 0.5) / SPREAD * high))
            for x, y in point_centres(self.board)
        ]

    @cached_property
    def whole(self) -> tuple[int, int]:
        """The columns and lines of the whole board, with the names beside its points."""
        names = map(display_width, self.board.col_names)
        ends = [
            col + self.pitch[0] + name for (col, _), name in zip(self.corners, names, strict=True)
        ]
        return max(ends), max(line for _, line in self.corners) + self.lines

    @property
    def is_whole(self) -> bool:
        """Whether the whole board fits."""
        return self.whole[0] <= self.width and self.whole[1] <= self.height

    @cached_property
    def body(self) -> tuple[int, int]:
        """The columns and lines of the visible part."""
        return min(self.whole[0], max(1, self.width)), min(self.whole[1], max(1, self.height))

    @cached_property
    def origin(self) -> tuple[int, int]:
        """The column and line of the first visible character: the board is centred."""
        return max(0, self.width - self.body[0]) // 2, max(0, self.height - self.body[1]) // 2

    def scrolled(self, rows: int) -> "PointView":
        """Return the view scrolled by some lines, within the board."""
        return replace(self, top=min(max(self.top + rows, 0), self.whole[1] - self.body[1]))

    def with_cells(self, cells: Iterable[int]) -> "PointView":
        """Return the view scrolled just enough to show the first of these cells."""
        first = next((cell for cell in cells if 0 <= cell < self.board.size), None)
        if first is None:
            return replace(self, top=0, left=0)
        col, line = self.corners[first]
        left = min(max(self.left, col + self.pitch[0] - self.body[0]), col)
        top = min(max(self.top, line + self.lines - self.body[1]), line)
        return replace(
            self,
            top=min(top, self.whole[1] - self.body[1]),
            left=min(left, self.whole[0] - self.body[0]),
        )

    def rectangle(self, cell: int) -> Rectangle:
        """Return the rectangle of a cell."""
        col, line = self.corners[cell]
        x, y = self.origin[0] + col - self.left, self.origin[1] + line - self.top
        return Rectangle(x, 2 * y, self.pitch[0], 2 * self.lines)

    def cells_at(self, x: int, y: int) -> list[int]:
        """Return the cell at a character."""
        at = (x - self.origin[0] + self.left, y - self.origin[1] + self.top)
        return [
            cell
            for cell, (col, line) in enumerate(self.corners)
            if 0 <= at[0] - col < self.pitch[0] and 0 <= at[1] - line < self.lines
        ]

    @cached_property
    def centres(self) -> list[Place]:
        """The character of each point at which its lines meet."""
        aside, below = middle(self.pitch[0], 1), (self.lines - 1) // 2
        return [(col + aside, line + below) for col, line in self.corners]

    @cached_property
    def links(self) -> dict[Place, str]:
        """The signs of the lines between the points."""
        return link_signs(self.board, self.centres)


def viewport(board: Board, width: int, height: int, pitch: tuple[int, int] = (2, 2)) -> Viewport:
    """Return the part of a board of any shape in an area of this size."""
    kind = PointView if board.shape == POINTS else Viewport
    return kind(board, width, height, pitch)


def middle(wide: int, content: int) -> int:
    """Return the column at which a cell's content begins; the first is for signs and lines."""
    return min(wide - 1, 1) + max(0, wide - 1 - content) // 2


def fitted(
    board: Board,
    sizes: Sequence[tuple[int, int]],
    area: tuple[int, int],
    cells: Iterable[int],
    before: Viewport | None,
) -> Viewport:
    """Return the board in the first size in which it fits, otherwise in the last one.

    Half blocks are for whole boards only. The view shows these cells, with priority for the first
    ones; it keeps the scroll position of the view `before` as far as possible.
    """
    views = [viewport(board, *area, pitch) for pitch in sizes]
    last = next(view for view in reversed(views) if not view.is_half)
    # Large cells give up a line for the names of the columns; small ones need it more.
    is_free = board.shape == POINTS
    whole = [v for v in views if v.is_whole and (is_free or v.header or v.lines <= LARGE)]
    view = whole[0] if whole else last
    if before is not None and before.board == board:
        view = replace(view, top=before.top, left=before.left)
    return view.with_cells(cells)


def _scrolled(first: int, space: int, start: int, end: int, count: int) -> int:
    """Return the first row or slot to show so that `start` to `end` are visible."""
    return max(0, min(max(first, end - space, 0), start, count - space))
