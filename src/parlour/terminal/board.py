"""The board on the screen: draws a scene, scrolls with the cursor, reports clicks."""

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour.core.colours import cell_colour
from parlour.core.scene import NOBODY, Scene
from parlour.terminal import palette
from parlour.terminal.marks import Marks
from parlour.terminal.palette import DARK, Paint

UNDERLINE = Style(underline=True)
REVERSE = Style(reverse=True, bold=True)

MOST_ZOOM = 3


class Board(Widget, can_focus=True):
    """A scene in as large cells as fit; a board that is larger scrolls with the cursor."""

    DEFAULT_CSS = "Board { width: 1fr; height: 1fr; }"

    class Touched(Message):
        """A cell was clicked."""

        def __init__(self, cell: int) -> None:
            self.cell = cell
            super().__init__()

    class Hovered(Message):
        """The mouse went over a cell."""

        def __init__(self, cell: int) -> None:
            self.cell = cell
            super().__init__()

    def __init__(self, scene: Scene) -> None:
        """Start with nothing marked."""
        super().__init__(id="board")
        self.scene = scene
        self.marks = Marks()
        self.paint: Paint = DARK
        self.top = 0
        self.left = 0
        self.zoom = 1
        self.fitted = Size(0, 0)

    def show(self, scene: Scene, marks: Marks) -> None:
        """Draw this from now on, with the cursor in sight."""
        self.scene = scene
        self.marks = marks
        self.fit()
        self.refresh()

    # Where things are.

    @property
    def glyph_width(self) -> int:
        """The columns of the widest glyph."""
        return max(len(cell.glyph) for cell in self.scene.cells)

    @property
    def pitch(self) -> tuple[int, int]:
        """The columns and lines of a cell; the first column is for signs."""
        return self.glyph_width + 2 * self.zoom - 1, self.zoom

    @property
    def margin(self) -> int:
        """The columns of the rows' names."""
        return max(len(name) for name in self.scene.board.row_names) + 1

    def room(self) -> tuple[int, int]:
        """How many columns and rows of the board are seen at once, at least one each."""
        wide, high = self.pitch
        cols = (self.size.width - self.margin - 1) // wide
        rows = (self.size.height - 1) // high
        return max(1, min(cols, self.scene.board.cols)), max(1, min(rows, self.scene.board.rows))

    def fit(self) -> None:
        """Choose the zoom, and scroll until the cursor is in sight."""
        self.fitted = self.size
        for self.zoom in range(MOST_ZOOM, 0, -1):
            if self.room() == (self.scene.board.cols, self.scene.board.rows):
                break
        row, col = divmod(min(self.marks.cursor, len(self.scene.cells) - 1), self.scene.board.cols)
        cols, rows = self.room()
        self.top = _scrolled(self.top, rows, row, self.scene.board.rows)
        self.left = _scrolled(self.left, cols, col, self.scene.board.cols)

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell under a point of the widget, or `None`."""
        wide, high = self.pitch
        cols, rows = self.room()
        row, col = (y - 1) // high, (x - self.margin) // wide
        if y < 1 or not (0 <= row < rows and 0 <= col < cols):
            return None
        return (self.top + row) * self.scene.board.cols + self.left + col

    def point_of(self, cell: int) -> tuple[int, int]:
        """A point of the widget over that cell, which must be in sight."""
        wide, high = self.pitch
        row, col = divmod(cell, self.scene.board.cols)
        x = self.margin + (col - self.left) * wide + wide // 2
        return x, 1 + (row - self.top) * high

    # What the user does.

    def on_resize(self, _: events.Resize) -> None:
        """Fit again."""
        self.fit()

    def on_click(self, event: events.Click) -> None:
        """Tell which cell it was."""
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.post_message(self.Touched(cell))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell which cell it is, for a piece in hand."""
        cell = self.cell_at(event.x, event.y)
        if cell is not None and cell != self.marks.cursor:
            self.post_message(self.Hovered(cell))

    def on_mouse_scroll_down(self, _: events.MouseScrollDown) -> None:
        """Scroll without the cursor."""
        self.top = min(self.top + 1, self.scene.board.rows - self.room()[1])
        self.refresh()

    def on_mouse_scroll_up(self, _: events.MouseScrollUp) -> None:
        """Scroll without the cursor."""
        self.top = max(self.top - 1, 0)
        self.refresh()

    # How it is drawn.

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        if self.fitted != self.size:  # drawn before it was told of its new size
            self.fit()
        width = self.size.width
        _, rows = self.room()
        high = self.pitch[1]
        if y == 0:
            segments = self.header()
        elif y <= rows * high:
            segments = self.row(self.top + (y - 1) // high, (y - 1) % high == (high - 1) // 2)
        else:
            segments = []
        strip = Strip(segments).extend_cell_length(width, self.paint.quiet)
        return strip.crop(0, width)

    def header(self) -> list[Segment]:
        """The columns' names; arrows in the corner say where there is more."""
        cols, rows = self.room()
        wide = self.pitch[0]
        more = ("▴" if self.top else "") + ("▾" if self.top + rows < self.scene.board.rows else "")
        more += ("◂" if self.left else "") + (
            "▸" if self.left + cols < self.scene.board.cols else ""
        )
        segments = [Segment(f"{more:<{self.margin}}", self.paint.quiet)]
        used = max(self.margin, len(more))
        for number, name in enumerate(self.scene.board.col_names[self.left : self.left + cols]):
            # The middle of the name over the middle of the glyph; a name without room is left out.
            at = self.margin + number * wide + 1 + (wide - 1 - len(name)) // 2
            if at < used + bool(number) and number:
                continue
            at = max(at, used)
            segments.append(Segment(f"{'':{at - used}}{name}", self.paint.quiet))
            used = at + len(name)
        return segments

    def row(self, row: int, is_middle: bool) -> list[Segment]:
        """A row's line; glyphs and names stand on its middle line."""
        name = self.scene.board.row_names[row] if is_middle else ""
        segments = [Segment(f"{name:>{self.margin - 1}} ", self.paint.quiet)]
        cols, _ = self.room()
        marks = self.marks
        closing = ""
        for col in range(self.left, self.left + cols):
            cell = row * self.scene.board.cols + col
            glyph, style, sign = self.cell(cell)
            width = self.pitch[0] - 1
            if not is_middle:
                glyph = glyph if glyph == "█" else ""
                sign = ""
            shown = glyph * width if glyph == "█" else f"{glyph:^{width}}"
            is_cursor = marks.shows_cursor and cell == marks.cursor
            opening = palette.CURSOR[0] if is_cursor and is_middle else sign or closing or " "
            sign_style = style if self.zoom > 1 else self.paint.plain
            if opening != " ":
                sign_style = sign_style + (REVERSE if is_cursor else self.sign_style(cell))
            if closing:
                opening, sign_style = closing, self.paint.plain + REVERSE
            segments.append(Segment(opening, sign_style))
            is_reversed = is_cursor and cell not in marks.ghost
            segments.append(Segment(shown, style + REVERSE if is_reversed else style))
            closing = palette.CURSOR[1] if is_cursor and is_middle else ""
        if closing:
            segments.append(Segment(closing, self.paint.plain + REVERSE))
        return segments

    def sign_style(self, cell: int) -> Style:
        """A colour of its own on the plain board; on a seat's colour that would be hard to see."""
        is_owned = self.zoom > 1 and self.scene.cells[cell].owner != NOBODY
        return Style(bold=True) if is_owned else self.paint.last

    def cell(self, cell: int) -> tuple[str, Style, str]:
        """Glyph, style and sign of a cell."""
        content = self.scene.cells[cell]
        marks, paint = self.marks, self.paint
        style, glyph, sign = paint.plain, content.glyph, ""
        colour = cell_colour(content.colour, content.owner)
        if colour:
            style = palette.STYLES[colour]
        elif "wall" in content.marks:
            style = paint.wall
        elif cell in marks.targets:
            style = paint.target
        if cell in marks.targets:
            style, sign = style + UNDERLINE, palette.TARGET
        if cell in marks.last:
            sign = palette.LAST
        if cell in marks.touched:
            style, sign = style + REVERSE, palette.TOUCHED
        if cell in marks.hint:
            sign = palette.HINT
        if cell in marks.ghost:
            glyph = palette.FITS if marks.ghost_fits else palette.FITS_NOT
            style, sign = (paint.fits if marks.ghost_fits else paint.fits_not), ""
        return glyph, style, sign


def _scrolled(first: int, room: int, wanted: int, count: int) -> int:
    """The first row or column to show so that the wanted one is in sight."""
    return min(max(first, wanted - room + 1, 0), wanted, count - room)
