"""The seats and the moves of a record, one per line, with the current move in view."""

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour.core.checks import printable
from parlour.core.game import CHANCE
from parlour.core.scene import Scene, display_width
from parlour.terminal.markup import cropped
from parlour.terminal.palette import DARK, Palette, seat_paint, style
from parlour.terminal.replay import Move, Replay
from parlour.terminal.small_shapes import dotted_shape

VALUE = 6
"""The columns of a value, with the spaces around it."""
MARK = 2
WIDE = 50
"""From this many columns on, a move is shown as a whole sentence."""


class MoveList(Widget):
    """Scrolls with the current move and with the wheel; a click jumps to a move."""

    DEFAULT_CSS = "MoveList { height: 1fr; }"

    class Jumped(Message):
        """A line was clicked."""

        def __init__(self, place: int) -> None:
            self.place = place
            super().__init__()

    def __init__(self, replay: Replay) -> None:
        """List the moves of a record."""
        super().__init__(id="moves")
        self.replay = replay
        self.palette: Palette = DARK
        self.colours = replay.colours()
        self.scrolled = 0
        """How far the wheel has scrolled away from the current move."""

    @property
    def top(self) -> int:
        """The first visible line; the start is line 0."""
        space = self.size.height
        return self._clamped(self._clamped(self.replay.at - space // 2) + self.scrolled)

    def _clamped(self, top: int) -> int:
        """Return the line, limited so that no line stays empty that could show a move."""
        return max(0, min(self.replay.last + 1 - self.size.height, top))

    def follow(self) -> None:
        """Scroll back to the current move."""
        self.scrolled = 0
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Report the clicked move."""
        inside = event.get_content_offset(self)
        place = self.top + (0 if inside is None else inside.y)
        if inside is not None and place <= self.replay.last:
            self.post_message(self.Jumped(place))

    def on_mouse_scroll_down(self, _: events.MouseScrollDown) -> None:
        """Scroll without changing the current move."""
        self.turn(1)

    def on_mouse_scroll_up(self, _: events.MouseScrollUp) -> None:
        """Scroll without changing the current move."""
        self.turn(-1)

    def turn(self, lines: int) -> None:
        """Scroll, but not beyond the list."""
        before = self.top
        self.scrolled += 3 * lines
        if self.top == before:
            self.scrolled -= 3 * lines
        self.refresh()

    # Drawing.

    def render_line(self, y: int) -> Strip:
        """Render one line of the widget."""
        place = self.top + y
        quiet = style(self.palette.name, self.palette.ground)
        width = self.size.width
        if place > self.replay.last:
            return Strip([Segment(" " * width, quiet)])
        is_here = place == self.replay.at
        chosen = self.palette.touched
        look = style(chosen.ink, chosen.fill, True, reverse=not chosen.fill) if is_here else None
        move = self.replay.moves[place - 1] if place else None
        return (
            Strip(self.segments(place, move, look, quiet)).extend_cell_length(width).crop(0, width)
        )

    def segments(
        self, place: int, move: Move | None, look: Style | None, quiet: Style
    ) -> list[Segment]:
        """Return a line: number, seat, words, piece, mark and value."""
        plain = look or style(self.palette.plain.ink, self.palette.ground)
        digits = len(str(self.replay.last))
        pointer = "▶" if look else " "
        number = Segment(f"{pointer}{place:>{digits}} ", look or quiet)
        space = self.size.width - digits - 2
        if move is None:
            return [number, Segment("  the start".ljust(space), look or quiet)]
        space -= 2 + MARK + VALUE
        words = move.text if self.replay.is_exact else move.words
        if space > WIDE and not self.replay.is_exact:
            words = move.sentence
        picture = "" if self.replay.is_exact else dotted_shape(move.shape)
        if display_width(words) + len(picture) + 1 > space:
            picture = ""
        if display_width(words) > space >= display_width(move.text):
            words = move.text  # the record's notation is shorter
        words = cropped(printable(words), space)
        words = f"{words} {picture}" if picture else words
        words += " " * (space - display_width(words))
        verdict = self.replay.review.verdict(move.ply) if move.seat != CHANCE else None
        mark = verdict.mark if verdict else ""
        figure = self.replay.figure_after(move)
        loud = look or style(self.palette.sign, self.palette.ground, bold=True)
        return [
            number,
            self.chip(move.seat, look or quiet),
            Segment(" ", plain),
            Segment(words, plain),
            Segment(mark.ljust(MARK), loud),
            Segment(f"{figure} ".rjust(VALUE), look or quiet),
        ]

    def chip(self, seat: int, quiet: Style) -> Segment:
        """Return the number of a seat in its colours; chance has none."""
        if seat == CHANCE:
            return Segment(" ", quiet)
        paint = seat_paint(self.palette, self.colours[seat])
        return Segment(str(seat + 1), style(paint.ink, paint.fill, bold=True))


class SeatList(Widget):
    """The number, colour, name and points of each seat in this position."""

    def __init__(self, replay: Replay) -> None:
        """List the seats of a record."""
        super().__init__(id="seats")
        self.replay = replay
        self.palette: Palette = DARK
        self.colours = replay.colours()
        self.styles.height = replay.game.seats
        self.scores = [""] * replay.game.seats

    def show(self, scene: Scene) -> None:
        """Show the points of that scene."""
        self.scores = [seat.score for seat in scene.seats]
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Render a seat: its number, name and points."""
        quiet = style(self.palette.name, self.palette.ground)
        plain = style(self.palette.plain.ink, self.palette.ground, bold=True)
        paint = seat_paint(self.palette, self.colours[y])
        score = printable(self.scores[y])
        space = self.size.width - 4
        name = cropped(self.replay.names[y], max(8, space - display_width(score) - 1))
        gap = " " * max(1, space - display_width(name) - display_width(score))
        parts = [
            Segment(" ", quiet),
            Segment(str(y + 1), style(paint.ink, paint.fill, bold=True)),
            Segment(f" {name}", plain),
            Segment(f"{gap}{cropped(score, max(0, space - display_width(name) - 1))} ", quiet),
        ]
        return Strip(parts).extend_cell_length(self.size.width, quiet).crop(0, self.size.width)
