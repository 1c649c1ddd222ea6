"""The board widget: draws a scene, scrolls with the cursor, reports clicks."""

from collections.abc import Callable, Iterable
from functools import cache

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour.core.scene import Scene, display_width
from parlour.grids import real_cells
from parlour.terminal.marks import Marks
from parlour.terminal.palette import DARK, Palette, line_on, style
from parlour.terminal.points import point_line
from parlour.terminal.tiles import Look, Looks, half_line, paint_of, sizes_for
from parlour.terminal.viewport import PointView, fitted, viewport

MOST_THINGS = 4
"""Up to this many things on a board are kept in view, and pointed to where they are small."""


class BoardWidget(Widget, can_focus=True):
    """A scene in the largest cells that fit. A larger board scrolls with the cursor.

    For a game without a board it is empty.
    """

    DEFAULT_CSS = "BoardWidget { width: 1fr; height: 1fr; }"

    class Touched(Message):
        """A cell was clicked."""

        def __init__(self, cell: int) -> None:
            self.cell = cell
            super().__init__()

    class Hovered(Message):
        """The mouse moved over a cell."""

        def __init__(self, cell: int) -> None:
            self.cell = cell
            super().__init__()

    def __init__(self, scene: Scene) -> None:
        """Show the scene without marks."""
        super().__init__(id="board")
        self.scene = scene
        self.marks = Marks()
        self.palette: Palette = DARK
        self.shows_signs = True
        """Whether traditional characters are shown; otherwise letters."""
        self.looks = Looks(scene, self.marks, self.palette, self.shows_signs)
        self.view = viewport(scene.board, 0, 0)

    def show(self, scene: Scene, marks: Marks) -> None:
        """Draw this scene from now on, with the cursor in view."""
        self.scene = scene
        self.marks = marks
        self.fit()
        self.refresh()

    # Geometry.

    @property
    def top(self) -> int:
        """The first visible row."""
        return self.view.top

    def fit(self) -> None:
        """Choose the size of the cells and scroll to the cells that matter."""
        scene = self.scene
        self.looks = Looks(scene, self.marks, self.palette, self.shows_signs)
        sizes = sizes_for(scene, self.palette, self.shows_signs)
        area = (self.size.width, self.size.height)
        matter = (self.marks.cursor, *self.things())
        self.view = fitted(scene.board, sizes, area, matter, self.view)

    def needed(self, area: tuple[int, int]) -> int:
        """Return the columns that the board needs in its largest size within an area."""
        sizes = sizes_for(self.scene, self.palette, self.shows_signs)
        view = fitted(self.scene.board, sizes, area, (), None)
        return view.margin + view.body[0] + 1 + (view.pitch[0] // 2 if view.is_hex else 0)

    def things(self) -> list[int]:
        """Return the cells with movable things, if there are only a few."""
        cells = self.scene.cells
        found = [cell for cell in real_cells(self.scene.board) if cells[cell].face]
        return found if len(found) <= MOST_THINGS else []

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell at a point of the widget; `None` for none or a hole.

        If two cells share a line, a cell that can be chosen is preferred.
        """
        return self.view.cell_at(x, y, self.marks.targets)

    def point_of(self, cell: int) -> tuple[int, int]:
        """Return a point of the widget in that cell, which must be visible."""
        return self.view.point_of(cell)

    # Input.

    def on_resize(self, _: events.Resize) -> None:
        """Fit the board to the new size."""
        self.fit()

    def on_click(self, event: events.Click) -> None:
        """Report the clicked cell."""
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.post_message(self.Touched(cell))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report the cell under the mouse, for a piece in hand."""
        cell = self.cell_at(event.x, event.y)
        if cell is not None and cell != self.marks.cursor:
            self.post_message(self.Hovered(cell))

    def on_mouse_scroll_down(self, _: events.MouseScrollDown) -> None:
        """Scroll without moving the cursor."""
        self.view = self.view.scrolled(1)
        self.refresh()

    def on_mouse_scroll_up(self, _: events.MouseScrollUp) -> None:
        """Scroll without moving the cursor."""
        self.view = self.view.scrolled(-1)
        self.refresh()

    # Drawing.

    @property
    def name_style(self) -> Style:
        """The style of names and blank areas."""
        return style(self.palette.name, self.palette.ground)

    @property
    def frame_style(self) -> Style:
        """The style of the frame."""
        return style(self.palette.frame, self.palette.ground)

    def render_line(self, y: int) -> Strip:
        """Render one line of the widget."""
        if (self.view.width, self.view.height) != (self.size.width, self.size.height):
            self.fit()  # drawn before the resize event arrived
        view = self.view
        line = y - view.origin[1]
        drawn = ScreenLine(self.name_style)
        if view.board.size == 0:
            pass
        elif isinstance(view, PointView):
            if 0 <= line < view.body[1]:
                drawn.pad(view.origin[0])
                drawn.extend(point_line(view, self.looks, line), view.body[0])
        elif line == -1 and view.header:
            self.add_header(drawn)
        elif 0 <= line < view.body[1]:
            self.add_row(drawn, line)
        elif line == view.body[1]:
            self.add_footer(drawn)
        width = self.size.width
        return Strip(drawn.segments).extend_cell_length(width, self.name_style).crop(0, width)

    def add_header(self, drawn: "ScreenLine") -> None:
        """Add column names in the upper frame, and arrows toward hidden parts."""
        view = self.view
        left = view.origin[0] - 1
        if view.is_hex:
            drawn.pad(max(0, left + 1 - view.margin))
            drawn.add(view.arrows)
            return
        arrows = view.arrows
        drawn.pad(max(0, left - len(arrows)))
        drawn.add(arrows)
        if drawn.width <= left:
            drawn.pad(left)
            drawn.add("┌", self.frame_style)
        start, end = view.origin[0], view.origin[0] + view.body[0]
        labels = self.pointers(lambda cell: view.rectangle(cell).x)
        taken = set(labels)
        for at, name in view.column_names.get(view.top - 1, ()):
            space = range(at - 1, at + display_width(name) + 1)
            if not taken.intersection(space) and drawn.width <= at and space[-1] <= end:
                labels[at] = (name, self.name_style)
                taken.update(space[1:-1])
        for at, (text, look) in sorted(labels.items()):
            drawn.add("─" * (at - drawn.width), self.frame_style)
            drawn.add(text, look)
        drawn.add("─" * (max(start, end) - drawn.width), self.frame_style)
        if view.has_right_frame and drawn.width == end:
            drawn.add("┐", self.frame_style)

    def add_footer(self, drawn: "ScreenLine") -> None:
        """Add the lower frame; for hexagons, the names below the last row."""
        view = self.view
        if view.is_hex:
            for number, (at, name) in enumerate(view.column_names.get(view.top + view.rows, ())):
                if number == 0 or at > drawn.width:
                    drawn.pad(at)
                    drawn.add(name)
        elif view.has_lower_frame:
            drawn.pad(view.origin[0] - 1)
            drawn.add("└" + "─" * view.body[0], self.frame_style)
            if view.has_right_frame:
                drawn.add("┘", self.frame_style)

    def add_row(self, drawn: "ScreenLine", line: int) -> None:
        """Add a line of cells with the name of its row."""
        view = self.view
        if view.is_half:
            self.add_half_row(drawn, line)
            return
        row, line = divmod(line, view.lines)
        row += view.top
        cells = {view.column(row, cell % view.board.cols): cell for cell in view.cells.get(row, ())}
        is_middle = line == (view.lines - 1) // 2
        names = dict(view.column_names.get(row, ()) if is_middle and view.is_hex else ())
        first = min((*cells, *names), default=view.origin[0]) if view.is_hex else view.origin[0]
        name = view.board.row_names[row] if cells and is_middle else ""
        drawn.pad(first - 1 - display_width(name))
        drawn.add(name)
        if not view.is_hex:
            drawn.pad(first - 1)
            drawn.add("│", self.frame_style)
        for at in sorted((*cells, *names)):
            if at in cells:
                drawn.pad(at)
                strips = self.looks.tile(cells[at], view.pitch[0], view.lines)
                drawn.extend(strips[line], view.pitch[0])
            elif not any(at < other < at + display_width(names[at]) for other in cells):
                drawn.pad(at)
                drawn.add(names[at])
        self.close_row(drawn)
        if row == view.board.rows - 1 and line == view.lines - 1:
            self.close_board(drawn)

    def close_row(self, drawn: "ScreenLine") -> None:
        """Add the right frame."""
        view = self.view
        if view.has_right_frame:
            drawn.pad(view.origin[0] + view.body[0])
            drawn.add("│", self.frame_style)

    def close_board(self, drawn: "ScreenLine") -> None:
        """Underline the last line of a board that has no line left for its lower frame."""
        view = self.view
        if view.is_hex or view.has_lower_frame:
            return
        frame, at = self.palette.frame, 0
        for number, (text, look, _) in enumerate(drawn.segments):
            if at >= view.origin[0] - 1 and look is not None:
                is_blank = not text.strip()
                drawn.segments[number] = Segment(text, underlined(look, frame if is_blank else ""))
            at += display_width(text)

    def add_half_row(self, drawn: "ScreenLine", line: int) -> None:
        """Add two rows in one line, with pointers to things at the left."""
        view = self.view
        rows = (view.top + 2 * line, view.top + 2 * line + 1)
        pointers = self.pointers(lambda cell: cell // view.board.cols)
        name, look = view.board.row_names[rows[0]], self.name_style
        for row in rows:
            if row in pointers:
                name, look = pointers[row]
        drawn.pad(view.origin[0] - 1 - display_width(name))
        drawn.add(name, look)
        drawn.add("│", self.frame_style)
        holes = frozenset(view.board.holes)

        def look_at(row: int, col: int) -> Look | None:
            cell = row * view.board.cols + col
            return self.looks.look(cell) if row < view.board.rows and cell not in holes else None

        pairs = [(look_at(rows[0], col), look_at(rows[1], col)) for col in range(view.board.cols)]
        drawn.extend(half_line(pairs, self.palette.ground), view.board.cols)
        self.close_row(drawn)

    def pointers(self, place: Callable[[int], int]) -> dict[int, tuple[str, Style]]:
        """Return the glyphs of things in half blocks, coloured, by the place of each."""
        if not self.view.is_half:
            return {}
        found = {}
        for cell in self.things():
            here = self.scene.cells[cell]
            paint = paint_of(here, self.palette)
            found[place(cell)] = (here.glyph, style(paint.ink, paint.fill, bold=True))
        return found


@cache
def underlined(look: Style, wanted: str) -> Style:
    """Return the style with a line below it, in the wanted colour if that is visible."""
    ink = line_on(look.bgcolor.name, wanted) if wanted and look.bgcolor is not None else None
    return look + Style(color=ink or None, underline=True)


class ScreenLine:
    """A line of the screen, written from left to right."""

    def __init__(self, quiet: Style) -> None:
        """Start an empty line; gaps and names use this style."""
        self.quiet = quiet
        self.segments: list[Segment] = []
        self.width = 0

    def add(self, text: str, look: Style | None = None) -> None:
        """Append a text."""
        self.segments.append(Segment(text, look or self.quiet))
        self.width += display_width(text)

    def extend(self, segments: Iterable[Segment], width: int) -> None:
        """Append segments of this total width."""
        self.segments.extend(segments)
        self.width += width

    def pad(self, column: int) -> None:
        """Pad with spaces up to a column."""
        if column > self.width:
            self.add(" " * (column - self.width))
