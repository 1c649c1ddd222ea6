"""The full-screen replay: board, moves and graph, with keys and clicks."""

import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key, Resize
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from parlour.agents.guard import analysis_of
from parlour.agents.isolation import memory_bound
from parlour.agents.process import AgentProcess, Interrupted
from parlour.agents.registry import is_built_in
from parlour.core.errors import ParlourError
from parlour.drawing.review import REVIEWER
from parlour.exit_codes import INTERRUPTED
from parlour.terminal.analysis import advice_panel
from parlour.terminal.board import BoardWidget
from parlour.terminal.full_screen import FullScreenApp, put
from parlour.terminal.graph import Graph
from parlour.terminal.help import HelpScreen, rules_page
from parlour.terminal.keys import KeyHint, fitting_keys
from parlour.terminal.markup import cropped, escape
from parlour.terminal.move_list import MoveList, SeatList
from parlour.terminal.replay import PAGE, Replay
from parlour.terminal.sentences import sentence

TICK_SECONDS = 0.05
TALL = 30
"""From this many lines on, the graph is as wide as the screen; in smaller ones it is beside the
board, which keeps its height. Tall screens have frames."""
LOW, HIGH = 2, 4
"""The lines of a graph."""


def _hint(key: str, label: str, what: str) -> KeyHint:
    return KeyHint(key, label, f"screen.do({what!r})")


KEYS = (
    _hint("→", "next", "on"),
    _hint("←", "back", "back"),
    _hint("space", "play", "play"),
    _hint("b", "best", "best"),
    _hint("a", "lines", "lines"),
    _hint("m", "mistakes", "next_mark"),
    _hint("x", "exact", "exact"),
)
ALWAYS = (_hint("?", "help", "help"), KeyHint("q", "back", "screen.back"))

HELP = """\
[b]Moves[/b] click the list or the graph to jump
  ← → ↑ ↓        one move back; one move forward
  PgUp PgDn      ten moves
  Home End       the start; the end
  0 to 9, Enter  go to the move with that number
  m  M           the next mistake; the previous one
  space + -      start or stop automatic replay; faster; slower

[b]Analysis[/b]
  b              show the best choice instead of the move on the board
  a              lines of play for this position, or the moves
  c              stop or resume the analysis
  x              exact texts of actions, or words

[b]Values[/b] are for seat 1 with two seats, otherwise for the seat that moved.
  +1.0 is won, -1.0 is lost, +#7 is a proven win in 7. With one seat and a
  proven win, the graph shows how near the win is.
[b]Signs[/b] • the move  ! the better choice  ? mistake  ?? blunder

  t  l           light or dark; letters or characters on the pieces
  q  Esc         back"""


def _do(keys: str, what: str) -> Binding:
    return Binding(keys, f"do({what!r})", show=False)


W = TypeVar("W", bound=Widget)


def framed(widget: W, title: str) -> W:
    """Return the widget with a title; it has a frame on tall screens."""
    widget.border_title = title
    return widget.add_class("framed")


class ReplayScreen(ModalScreen[None]):
    """The replay of one record by keyboard and mouse, while an agent reviews it."""

    DEFAULT_CSS = """
    ReplayScreen { background: $background; }
    ReplayScreen #title { height: 1; background: $primary-darken-2; color: $text; padding: 0 1; }
    ReplayScreen #side { width: 34%; min-width: 28; max-width: 44; }
    ReplayScreen Horizontal { align-horizontal: center; }
    ReplayScreen #side.alone { width: 1fr; max-width: 72; }
    ReplayScreen #lines { display: none; height: 1fr; padding: 0 1; background: $surface; }
    ReplayScreen #lines { scrollbar-size-vertical: 1; scrollbar-color: $primary; }
    ReplayScreen #lines { scrollbar-background: $panel; }
    ReplayScreen.roomy .framed { border: round $primary; box-sizing: content-box; }
    ReplayScreen.roomy #moves, ReplayScreen.roomy #lines { box-sizing: border-box; }
    ReplayScreen .framed { border-title-color: $text; border-title-style: bold; }
    ReplayScreen #message { height: auto; min-height: 2; max-height: 3; }
    ReplayScreen #message { padding: 0 1; background: $panel; }
    ReplayScreen #keys { height: 1; padding: 0 1; color: $text-muted; link-color: $text-muted; }
    ReplayScreen #keys { link-style: none; link-background: transparent; }
    """

    BINDINGS = [
        _do("left,up,comma", "back"),
        _do("right,down,full_stop", "on"),
        _do("pageup", "page_back"),
        _do("pagedown", "page_on"),
        _do("home", "first"),
        _do("end", "last"),
        _do("enter", "enter"),
        _do("space", "play"),
        _do("plus", "faster"),
        _do("minus", "slower"),
        _do("m", "next_mark"),
        _do("M", "previous_mark"),
        _do("b", "best"),
        _do("a", "lines"),
        _do("c", "analysis"),
        _do("x", "exact"),
        _do("t", "theme"),
        _do("l", "letters"),
        _do("question_mark,f1", "help"),
        _do("backspace", "erase"),
        Binding("escape,q", "back", show=False),
        Binding("ctrl+d,ctrl+q", "leave(0)", show=False),
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False),
    ]

    app: FullScreenApp[int]

    def __init__(self, replay: Replay, reviewer: str | None = REVIEWER) -> None:
        """Set the agent that reviews the game; `None` for no review."""
        super().__init__()
        self.replay = replay
        self.reviewer = reviewer
        self.problem = ""
        """Why there is no analysis, in a sentence."""
        self._process: AgentProcess | None = None
        self._shows_lines = False
        self._commands: dict[str, Callable[[], object]] = {
            "back": lambda: replay.go(-1),
            "on": lambda: replay.go(1),
            "page_back": lambda: replay.go(-PAGE),
            "page_on": lambda: replay.go(PAGE),
            "first": lambda: replay.go(-replay.last),
            "last": lambda: replay.go(replay.last),
            "enter": replay.enter,
            "play": replay.toggle_play,
            "faster": replay.pace.faster,
            "slower": replay.pace.slower,
            "next_mark": lambda: self.to_mark(1),
            "previous_mark": lambda: self.to_mark(-1),
            "best": self.toggle_best,
            "lines": self.toggle_lines,
            "analysis": self.toggle_review,
            "exact": self.toggle_exact,
            "theme": self.toggle_theme,
            "letters": self.toggle_letters,
            "help": self.open_help,
            "erase": self.erase,
        }

    def compose(self) -> ComposeResult:
        """Create the title, board, moves, graph, message and keys."""
        yield Static(id="title")
        with Horizontal():
            yield BoardWidget(self.replay.scene)
            with Vertical(id="side"):
                yield framed(SeatList(self.replay), "Players")
                yield framed(MoveList(self.replay), "Moves")
                with framed(VerticalScroll(id="lines", can_focus=False), "Analysis"):
                    yield Static(id="advice")
                yield Graph(self.replay, LOW)
        yield framed(Graph(self.replay, HIGH), "Evaluation")
        yield Static(id="message")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Start, and begin the review."""
        self.board.shows_signs = self.app.shows_signs
        if not self.replay.game.board.size:
            self.board.display = False
            self.query_one("#side").add_class("alone")
        self.paint()
        self.board.focus()
        self.set_interval(TICK_SECONDS, self.tick)
        if self.reviewer is not None:
            self.start_review()
        self.show()

    def on_unmount(self) -> None:
        """Leave no process behind."""
        self.stop_review()

    def on_resize(self, event: Resize) -> None:
        """Use the wide graph if there is space."""
        beside, below = self.query(Graph)
        beside.display = event.size.height < TALL
        self.set_class(not beside.display, "roomy")
        below.display = not beside.display
        self.call_after_refresh(self.show)

    def open_help(self) -> None:
        """Open the help: keys, signs and rules."""
        scene, app = self.replay.scene, self.app
        rules = self.replay.game.guide().rules()
        page = rules_page(rules, (), scene, app.paints, self.board.shows_signs)
        app.push_screen(HelpScreen(page, HELP))

    # Display.

    @property
    def board(self) -> BoardWidget:
        """The board's widget."""
        return self.query_one(BoardWidget)

    def static(self, name: str) -> Static:
        """Return one of the text widgets."""
        return self.query_one(f"#{name}", Static)

    def paint(self) -> None:
        """Apply the colours of the theme."""
        if self.app.paints.has_colours:
            self.query_one(Horizontal).styles.background = self.app.paints.ground
        self.board.palette = self.app.paints
        for graph in self.query(Graph):
            graph.palette = self.app.paints
        self.query_one(MoveList).palette = self.app.paints
        self.query_one(SeatList).palette = self.app.paints

    def show(self) -> None:
        """Draw the replay as it is now."""
        replay = self.replay
        scene = replay.scene
        self.board.show(scene, replay.marks)
        where = f"{replay.at} of {replay.last}"
        title = f"{replay.game.title} — {where} — {scene.status}"
        if replay.shows_best:
            title = f"{replay.game.title} — the best choice instead of move {replay.at}"
        put(self.static("title"), escape(cropped(title, self.size.width - 2)))
        self.query_one(SeatList).show(scene)
        self.query_one(MoveList).follow()
        for graph in self.query(Graph):
            graph.refresh()
        put(self.static("message"), escape(self.message))
        put(self.static("keys"), fitting_keys(KEYS, ALWAYS, self.size.width - 2))
        self.query_one(MoveList).display = not self._shows_lines
        lines = self.query_one("#lines")
        lines.display = self._shows_lines
        if self._shows_lines:
            width = max(12, lines.size.width - 3 if lines.size.width else 24)
            put(self.static("advice"), "\n".join(self.advice_lines(width)))

    def advice_lines(self, width: int) -> list[str]:
        """Return the analysis of the position, or why there is none."""
        replay = self.replay
        advice = replay.review.advices.get(replay.ply)
        if advice is not None:
            return advice_panel(advice, replay.is_exact, width, most=8)[1:]
        if replay.is_over or replay.ply == len(replay.record.actions):
            return ["[b]Analysis[/b]", "  The record ends here."]
        state = "thinking ..." if self._process else "not analysed: c resumes"
        return ["[b]Analysis[/b]", f"  {state}"]

    @property
    def message(self) -> str:
        """The replay's message, and the progress of the analysis."""
        return " ".join(filter(None, (self.replay.message, self.progress)))

    @property
    def progress(self) -> str:
        """The progress of the analysis; empty when it is complete."""
        review = self.replay.review
        if self.problem:
            return self.problem
        if review.is_whole or self.replay.typed:
            return ""
        done = f"{len(review.advices)} of {len(review.decisions)}"
        return f"Analysing {done} (c stops)." if self._process else f"Analysed {done}."

    # Review.

    def start_review(self) -> None:
        """Review the remaining positions in a separate process."""
        if not self.replay.is_open:
            self.problem = "This game has secrets: no analysis before its end."
        elif self.reviewer is not None and not self.replay.review.is_whole:
            self.problem = ""
            self._process = AgentProcess(0 if is_built_in(self.reviewer) else memory_bound())
            self.think(self._process, self.reviewer)

    def stop_review(self) -> None:
        """Stop the review and keep its results."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    @work(thread=True, group="review")
    def think(self, process: AgentProcess, reviewer: str) -> None:
        """Review one position after another in a worker thread."""
        problem = ""
        agent = process.agent(reviewer)
        try:
            for _ in self.replay.review.steps(lambda state: analysis_of(agent, state)):
                self.report(process)
        except Interrupted:
            pass
        except ParlourError as error:
            problem = f"No analysis: {sentence(error)}"
        process.stop()
        self.report(process, problem, is_done=True)

    def report(self, process: AgentProcess, problem: str = "", is_done: bool = False) -> None:
        """Draw the progress; called from the worker thread."""

        def draw() -> None:
            if self._process is not process:
                return
            if is_done:
                self._process, self.problem = None, problem
            if self.is_mounted and self.is_current:
                self.show()

        # The screen may have been closed in the meantime.
        with contextlib.suppress(RuntimeError):
            if self.app.is_running and threading.current_thread() is not threading.main_thread():
                self.app.call_from_thread(draw)

    def toggle_review(self) -> None:
        """Stop or resume the review."""
        if self._process is not None:
            self.stop_review()
        else:
            self.start_review()

    # Commands.

    def action_do(self, what: str) -> None:
        """Run the command of a key."""
        self._commands[what]()
        if self.is_current:
            self.show()

    def action_back(self) -> None:
        """Clear a partly typed number; otherwise leave."""
        if self.replay.typed:
            self.replay.typed = ""
            self.show()
        else:
            self.dismiss()

    def action_leave(self, status: int) -> None:
        """Quit the program."""
        self.app.exit(status)

    def on_key(self, event: Key) -> None:
        """Collect digits as the number of a move."""
        if self.is_current and event.character and event.character in "0123456789":
            self.replay.type_digit(event.character)
            self.show()

    def erase(self) -> None:
        """Delete the last digit."""
        self.replay.typed = self.replay.typed[:-1]

    def on_move_list_jumped(self, message: MoveList.Jumped) -> None:
        """Go to the clicked move of the list."""
        self.replay.go(message.place - self.replay.at)
        self.show()

    def on_graph_jumped(self, message: Graph.Jumped) -> None:
        """Go to the clicked position of the graph."""
        self.replay.jump(message.position)
        self.show()

    def tick(self) -> None:
        """Advance the automatic replay."""
        if self.is_current and self.replay.tick():
            self.show()

    def to_mark(self, step: int) -> None:
        """Go to a mistake."""
        if not self.replay.to_mark(step):
            self.notify("No more mistakes.", timeout=2)

    def toggle_best(self) -> None:
        """Show the best choice instead of the move, if it is known."""
        self.replay.shows_best = not self.replay.shows_best and self.replay.verdict is not None

    def toggle_lines(self) -> None:
        """Switch between lines of play and the moves."""
        self._shows_lines = not self._shows_lines

    def toggle_exact(self) -> None:
        """Switch between exact texts and words."""
        self.replay.is_exact = not self.replay.is_exact

    def toggle_theme(self) -> None:
        """Switch between light and dark."""
        self.app.toggle_theme()
        self.paint()

    def toggle_letters(self) -> None:
        """Switch between letters and traditional characters on the pieces."""
        self.app.shows_signs = self.board.shows_signs = not self.board.shows_signs


class ReplayApp(FullScreenApp[int]):
    """An app that shows only a replay, for the command."""

    def __init__(
        self, replay: Replay, theme: str | None = None, reviewer: str | None = REVIEWER
    ) -> None:
        """Show a record."""
        super().__init__(theme)
        self.view = ReplayScreen(replay, reviewer)

    def on_mount(self) -> None:
        """Start; leaving the replay ends the program."""
        self.apply_theme()
        self.push_screen(self.view, lambda _: self.exit(0))
