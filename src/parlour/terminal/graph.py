"""A graph of a game: the value of each position, and the mistakes."""

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour.core.colours import Paint
from parlour.core.game import has_two_sides
from parlour.terminal.palette import DARK, Palette, seat_paint, shade_on, style
from parlour.terminal.replay import Replay

BLOCKS = " ▁▂▃▄▅▆▇█"
UNITS = len(BLOCKS) - 1
UNKNOWN = "·"
HERE = "▲"
LOST = {"?": "·", "??": "?"}
"""Signs below the graph for a mistake and for a blunder."""
MARGIN = 2
"""The columns for the seats' numbers."""
WIDEST_STEP = 4


def columns(positions: int, width: int) -> list[int]:
    """Return the position that each column of a graph shows."""
    count = min(width, 1 + (positions - 1) * WIDEST_STEP)
    if count < 2 or positions < 2:
        return [positions - 1] * max(0, min(1, width))
    return [round(at * (positions - 1) / (count - 1)) for at in range(count)]


def column_of(position: int, positions: int, width: int) -> int:
    """Return the column of a position."""
    count = len(columns(positions, width))
    return round(position * (count - 1) / (positions - 1)) if positions > 1 else 0


def filled(value: float, lines: int, line: int) -> str:
    """Return the block of a line, counted from the top, in a column filled from below."""
    units = round((max(-1.0, min(1.0, value)) + 1) / 2 * lines * UNITS)
    return BLOCKS[max(0, min(UNITS, units - (lines - 1 - line) * UNITS))]


class Graph(Widget):
    """One area for one or two seats, with the first seat below; one line per seat for more."""

    DEFAULT_CSS = "Graph { height: 3; }"

    class Jumped(Message):
        """A column was clicked."""

        def __init__(self, position: int) -> None:
            self.position = position
            super().__init__()

    def __init__(self, replay: Replay, lines: int) -> None:
        """Create the graph of a record; an area has this many lines."""
        super().__init__()
        seats = replay.game.seats
        self.styles.height = 1 + (seats if seats > 2 else lines)  # plus the marks below
        self.replay = replay
        self.palette: Palette = DARK
        self.colours = replay.colours()

    @property
    def shown(self) -> list[int]:
        """The position that each column shows."""
        return columns(len(self.replay.record.states), max(1, self.size.width - 2 * MARGIN))

    def on_click(self, event: events.Click) -> None:
        """Report the clicked position."""
        inside = event.get_content_offset(self)
        column = -1 if inside is None else inside.x - MARGIN
        shown = self.shown
        if 0 <= column < len(shown):
            self.post_message(self.Jumped(shown[column]))

    def paint(self, seat: int) -> Paint:
        """Return the colours of a seat."""
        return seat_paint(self.palette, self.colours[seat])

    def render_line(self, y: int) -> Strip:
        """Render one line of the widget."""
        quiet = style(self.palette.name, self.palette.ground)
        lines = self.size.height - 1
        shown = self.shown
        if y == lines:
            segments = [Segment(" " * MARGIN, quiet), *self.marks(shown, quiet)]
        elif self.replay.game.seats > 2:
            segments = [*self.chip(y, quiet), *self.area(shown, y, None, 1, 0, quiet)]
        else:
            game = self.replay.game
            other = 1 if game.seats == 2 and has_two_sides(game) else None
            ends = {0: other, lines - 1: 0}
            head = self.chip(ends.get(y), quiet)
            segments = [*head, *self.area(shown, 0, other, lines, y, quiet)]
        width = self.size.width
        return Strip(segments).extend_cell_length(width, quiet).crop(0, width)

    def chip(self, seat: int | None, quiet: Style) -> list[Segment]:
        """Return the number of a seat in its colours."""
        if seat is None:
            return [Segment(" " * MARGIN, quiet)]
        paint = self.paint(seat)
        look = style(paint.ink, paint.fill, bold=True)
        return [Segment(str(seat + 1), look), Segment(" " * (MARGIN - 1), quiet)]

    def area(
        self,
        shown: Sequence[int],
        seat: int,
        other: int | None,
        lines: int,
        line: int,
        quiet: Style,
    ) -> list[Segment]:
        """Return a line of a seat's values, with the other seat's share above it."""
        above = self.palette.plain.fill if other is None else self.paint(other).fill
        look = style(shade_on(above, self.paint(seat).fill), above)
        series = self.replay.graph(seat)
        segments = []
        for position in shown:
            value = series[position]
            if value is None:
                segments.append(Segment(UNKNOWN if line == lines // 2 else " ", quiet))
            else:
                segments.append(Segment(filled(value, lines, line), look))
        return segments

    def marks(self, shown: Sequence[int], quiet: Style) -> list[Segment]:
        """Return the marks of the current position and of mistakes."""
        positions = len(self.replay.record.states)
        space = max(1, self.size.width - 2 * MARGIN)
        signs = [" "] * len(shown)
        for number, mark in self.replay.lost():
            at = column_of(number, positions, space)
            if signs[at] != LOST["??"]:
                signs[at] = LOST[mark]
        loud = style(self.palette.sign, self.palette.ground, bold=True)
        segments = [Segment(sign, loud) for sign in signs]
        here = column_of(self.replay.ply, positions, space)
        segments[here] = Segment(
            HERE, style(self.palette.plain.ink, self.palette.ground, bold=True)
        )
        return segments
