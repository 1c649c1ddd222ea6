"""The board on the screen: draws a scene, scrolls with the cursor, reports clicks."""

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour.core.colours import cell_colour
from parlour.core.scene import Scene, display_width
from parlour.terminal import palette
from parlour.terminal.marks import Marks
from parlour.terminal.palette import DARK, Paint
from parlour.terminal.viewport import HEADER, Viewport, fitted

UNDERLINE = Style(underline=True)
REVERSE = Style(reverse=True, bold=True)

BLOCK = "█"
"""The glyph that fills its whole cell."""


class Board(Widget, can_focus=True):
    """A scene in as large cells as fit; a board that is larger scrolls with the cursor.

    Of a game without a board it is a quiet, empty area.
    """

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
        self.view: Viewport = fitted(scene, (0, 0), 0, None)

    def show(self, scene: Scene, marks: Marks) -> None:
        """Draw this from now on, with the cursor in sight."""
        self.scene = scene
        self.marks = marks
        self.fit()
        self.refresh()

    # Where things are.

    @property
    def top(self) -> int:
        """The first row in sight."""
        return self.view.top

    def fit(self) -> None:
        """Choose the zoom, and scroll until the cursor is in sight."""
        size = (self.size.width, self.size.height)
        self.view = fitted(self.scene, size, self.marks.cursor, self.view)

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell under a point of the widget; `None` if there is none, or a hole."""
        return self.view.cell_at(x, y)

    def point_of(self, cell: int) -> tuple[int, int]:
        """A point of the widget over that cell, which must be in sight."""
        return self.view.point_of(cell)

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
        self.view = self.view.scrolled(1)
        self.refresh()

    def on_mouse_scroll_up(self, _: events.MouseScrollUp) -> None:
        """Scroll without the cursor."""
        self.view = self.view.scrolled(-1)
        self.refresh()

    # How it is drawn.

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        if (self.view.width, self.view.height) != (self.size.width, self.size.height):
            self.fit()  # drawn before it was told of its new size
        view = self.view
        high = view.pitch[1]
        row, line = divmod(y - HEADER, high)
        if y < HEADER:
            drawn = self.names(view.top - 1, f"{view.arrows:<{view.margin}}")
        elif row < view.rows:
            drawn = self.row(view.top + row, line == (high - 1) // 2)
        elif (row, line) == (view.rows, 0):
            drawn = self.names(view.top + row)
        else:
            drawn = Line(self.paint.quiet)
        width = self.size.width
        return Strip(drawn.segments).extend_cell_length(width, self.paint.quiet).crop(0, width)

    def names(self, row: int, corner: str = "") -> "Line":
        """The names of columns on a line of their own; one without room is left out."""
        drawn = Line(self.paint.quiet)
        drawn.add(corner)
        for number, (at, name) in enumerate(self.view.column_names.get(row, ())):
            if number == 0 or at > drawn.width:
                drawn.pad(at)
                drawn.add(name)
        return drawn

    def row(self, row: int, is_middle: bool) -> "Line":
        """A row's line; glyphs and names stand on its middle line."""
        view = self.view
        cells = {view.column(row, cell % view.board.cols): cell for cell in view.cells.get(row, ())}
        names = dict(view.column_names.get(row, ()) if is_middle else ())
        first = min((*cells, *names), default=view.margin) if view.is_hex else view.margin
        name = view.board.row_names[row] if cells and is_middle else ""
        drawn = Line(self.paint.quiet)
        drawn.pad(first - 1 - display_width(name))
        drawn.add(f"{name} ")
        for at in sorted((*cells, *names)):
            if at > drawn.width:
                self.close(drawn)
            if at in cells:
                drawn.pad(at)
                self.add_cell(drawn, cells[at], is_middle)
            elif not any(at < other < at + display_width(names[at]) for other in cells):
                drawn.pad(at)
                drawn.add(names[at])
        self.close(drawn)
        return drawn

    def close(self, drawn: "Line") -> None:
        """The bracket after the cursor, where no cell follows to show it."""
        if drawn.is_open:
            drawn.add(palette.CURSOR[1], self.paint.plain + REVERSE)
            drawn.is_open = False

    def add_cell(self, drawn: "Line", cell: int, is_middle: bool) -> None:
        """A cell's part of a line: its sign, or one of the cursor's brackets, and its glyph."""
        glyph, style, sign = self.cell(cell)
        is_cursor = self.marks.shows_cursor and cell == self.marks.cursor
        sign_style = style if self.view.zoom > 1 else self.paint.plain
        if drawn.is_open:
            sign, sign_style = palette.CURSOR[1], self.paint.plain + REVERSE
        elif is_middle and is_cursor:
            sign, sign_style = palette.CURSOR[0], sign_style + REVERSE
        elif is_middle and sign:
            sign_style += self.sign_style(cell)
        else:
            sign = " "
        drawn.add(sign, sign_style)
        width = self.view.pitch[0] - 1
        shown = BLOCK * width if glyph == BLOCK else _centred(glyph if is_middle else "", width)
        is_reversed = is_cursor and cell not in self.marks.ghost
        drawn.add(shown, style + REVERSE if is_reversed else style)
        drawn.is_open = is_cursor and is_middle

    def sign_style(self, cell: int) -> Style:
        """A colour of its own on the plain board; on a cell's colour that would be hard to see."""
        content = self.scene.cells[cell]
        is_coloured = self.view.zoom > 1 and cell_colour(content.colour, content.owner)
        return Style(bold=True) if is_coloured else self.paint.last

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


class Line:
    """A line of the screen that grows to the right."""

    def __init__(self, quiet: Style) -> None:
        """Empty; gaps and names are in that style."""
        self.quiet = quiet
        self.segments: list[Segment] = []
        self.width = 0
        self.is_open = False
        """Whether the cursor's second bracket is still to come."""

    def add(self, text: str, style: Style | None = None) -> None:
        """Write on."""
        self.segments.append(Segment(text, style or self.quiet))
        self.width += display_width(text)

    def pad(self, column: int) -> None:
        """Go on at that column, unless it is passed already."""
        if column > self.width:
            self.add(" " * (column - self.width))


def _centred(text: str, width: int) -> str:
    """The text in the middle of that many columns."""
    room = max(0, width - display_width(text))
    return " " * (room // 2) + text + " " * (room - room // 2)
