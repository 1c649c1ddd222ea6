"""The full screen without its keys: shows a table, lets agents act, tells what happens."""

import asyncio
import os

from textual import work
from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.events import Resize
from textual.markup import escape
from textual.widgets import Input, Static

from parlour.agents import Analysis, choice_of
from parlour.agents.hints import ADVISER
from parlour.agents.process import AgentProcess, Interrupted, RemoteAgent
from parlour.core.errors import AgentError, ParlourError
from parlour.core.game import CHANCE, OVER, State
from parlour.core.scene import Scene
from parlour.scenes.choices import choice_words
from parlour.scenes.picker import Picker
from parlour.table import PERSON, Ending, Event, Table
from parlour.table.opening import Opening
from parlour.terminal.board import Board, Marks
from parlour.terminal.palette import DARK, LIGHT
from parlour.terminal.panels import (
    analysis_panel,
    choice_lines,
    evaluation_bar,
    seat_lines,
)

FRAME_SECONDS = 0.12
SMALLEST = (40, 12)

KEYS = (
    "h hint",
    "u undo",
    "n new",
    "a analysis",
    "e bar",
    "s save",
    ": type",
    "? help",
    "q quit",
)


class Stage(App[int]):
    """A table on the screen."""

    TITLE = "Parlour"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #title { height: auto; max-height: 2; background: $primary; color: $text; padding: 0 1; }
    #side { width: 26; max-width: 40%; padding: 0 1; background: $surface; }
    #side { scrollbar-size-vertical: 1; }
    #bar { height: 1; display: none; padding: 0 1; }
    #message { height: auto; min-height: 1; max-height: 3; padding: 0 1; background: $panel; }
    #keys { height: 1; padding: 0 1; color: $text-muted; }
    #entry { display: none; height: 1; border: none; padding: 0 1; }
    #tiny { display: none; }
    Screen.tiny > * { display: none; }
    Screen.tiny > #tiny { display: block; }
    """

    def __init__(
        self,
        opening: Opening,
        theme: str | None = None,
        delay: float | None = None,
        frame_seconds: float = FRAME_SECONDS,
    ) -> None:
        """`delay` between the actions is for watching; `frame_seconds` 0 shows no chains."""
        super().__init__()
        self._seen: tuple[State, int | None, Ending | None] | None = None
        self._scene: Scene
        self._last: tuple[Event | None, tuple[int, ...]] = (None, ())
        self.opening = opening
        self.table: Table = opening.sit_down()
        self.delay = delay
        self.is_paused = False
        self.frame_seconds = frame_seconds
        self.frames: list[Scene] = []
        self.pending: list[Event] = []
        self.cursor = 0
        self.picker = Picker(self.table.state, self.scene)
        self.hinted: tuple[int, ...] = ()
        self.asking_again = ""
        self.turn_number = 0
        self.opponent = AgentProcess()
        self.players: dict[int, RemoteAgent] = {}
        self.adviser = AgentProcess()
        self.advising = self.adviser.agent(ADVISER)
        self.analysis: Analysis | None = None
        self.shows_analysis = False
        self.shows_bar = False
        self.wanted_theme = theme or ("light" if _is_light_terminal() else "dark")

    def compose(self) -> ComposeResult:
        """Title, board and side panel, message, keys."""
        yield Static(id="title")
        with Horizontal():
            yield Board(self.scene)
            with VerticalScroll(id="side", can_focus=False):
                yield Static(id="panel")
        yield Static(id="bar")
        yield Static(id="message")
        yield Input(id="entry", placeholder="an action, for instance as in the record")
        yield Static(id="keys")
        yield Static(f"Parlour needs {SMALLEST[0]} columns and {SMALLEST[1]} lines.", id="tiny")

    def on_mount(self) -> None:
        """Begin."""
        self.apply_theme()
        self.board.focus()
        self.cursor = self.first_cursor()
        self.settle(self.greeting())
        if self.table.clocks is not None:
            self.set_interval(0.5, self.tick)

    def on_unmount(self) -> None:
        """Leave no process behind."""
        self.turn_number += 1
        self.opponent.stop()
        self.adviser.stop()

    def on_resize(self, event: Resize) -> None:
        """A terminal that is too small says so; the game is still there."""
        tiny = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        self.screen_stack[0].set_class(tiny, "tiny")

    # What there is to see.

    @property
    def board(self) -> Board:
        """The board's widget."""
        return self.screen_stack[0].query_one(Board)

    @property
    def scene(self) -> Scene:
        """What the person at the screen may see."""
        table = self.table
        seen = (table.state, table.viewer, table.ending)
        if self._seen is None or any(a is not b for a, b in zip(seen, self._seen, strict=True)):
            scene = table.state.scene(table.viewer)
            if table.actor not in table.people:
                scene = scene._replace(actions=())  # nothing for a person to choose
            if table.ending is not None:
                scene = scene._replace(actor=OVER, status=table.outcome_words())
            # Built once: a key press asks for it many times.
            self._seen, self._scene = seen, scene
        return self._scene

    def static(self, name: str) -> Static:
        """One of the text widgets."""
        return self.screen_stack[0].query_one(f"#{name}", Static)

    def greeting(self) -> str:
        """The first message of a game."""
        if self.table.events and self.table.people:
            return "The game goes on where it was left."
        if self.table.game.has_chance:
            return f"Chance is fixed: SHA-256 {self.table.commitment[:16]}… Press ? for help."
        return "Press ? for help."

    def first_cursor(self) -> int:
        """Where the cursor starts: on a cell that can be chosen."""
        views = [view for view in self.scene.actions if view.cells]
        return views[0].cells[0] if views else len(self.scene.cells) // 2

    def say(self, text: str) -> None:
        """The message line; a game that cannot be saved comes first."""
        problem = self.table.save_problem
        words = f"{problem} {text}" if problem else text
        self.static("message").update(escape(words))

    def draw(self, scene: Scene | None = None) -> None:
        """Everything, as it is now; `scene` instead of the table's during a chain."""
        table, picker = self.table, self.picker
        shown = scene or self.scene
        ghost = picker.ghost(self.cursor) if scene is None else None
        self.cursor = min(self.cursor, len(shown.cells) - 1)
        marks = Marks(
            cursor=self.cursor,
            targets=picker.targets() if scene is None else (),
            touched=picker.touched,
            last=self.last_cells(),
            hint=self.hinted,
            ghost=ghost.cells if ghost else (),
            ghost_fits=ghost is not None and ghost.action is not None,
            shows_cursor=bool(table.people),
        )
        self.board.show(shown, marks)
        self.static("title").update(escape(f"{table.game.title} — {shown.status}"))
        self.static("panel").update("\n".join(self.panel_lines(shown)))
        self.draw_bar()
        width = self.size.width - 2
        keys = "  ".join(KEYS)
        while len(keys) > width and "  " in keys:
            keys = keys.partition("  ")[2]
        self.static("keys").update(escape(keys))

    def panel_lines(self, scene: Scene) -> list[str]:
        """The side panel."""
        table, picker = self.table, self.picker
        lines = seat_lines(table, scene, picker)
        remark = table.game.remark(table.start, table.state, table.viewer)
        if remark:
            lines += ["", escape(remark)]
        if table.events:
            lines += ["", f"[b]Last[/b] {escape(table.event_words(table.events[-1]))}"]
        lines += choice_lines(picker)
        if self.delay is not None:
            lines += ["", f"{'paused' if self.is_paused else f'{self.delay:g} s'}: + - space"]
        if self.shows_analysis and not table.is_over:
            lines += analysis_panel(self.analysis)
        if table.is_over and table.game.has_chance:
            lines += ["", "Chance key:", table.reveal().hex()]
        return lines

    def draw_bar(self) -> None:
        """The evaluation bar, if it is wanted."""
        bar = self.static("bar")
        bar.display = self.shows_bar
        if not self.shows_bar:
            return
        names = [seat.name for seat in self.scene.seats]
        result = self.table.state.result()
        if result is not None:
            bar.update(evaluation_bar(names, result.returns[0], self.size.width))
        elif self.analysis is None:
            bar.update("thinking ...")
        else:
            actor, value = self.table.state.actor, self.analysis.choices[0].value
            if len(names) == 2:
                value = value if actor == 0 else -value
            else:
                names = [names[actor]]
            bar.update(evaluation_bar(names, value, self.size.width))

    def last_cells(self) -> tuple[int, ...]:
        """The cells of the last action that a seat made."""
        for event in reversed(self.table.events):
            if event.seat != CHANCE:
                if self._last[0] is not event:
                    views = event.before.scene(event.seat).actions
                    cells = [view.cells for view in views if view.action == event.action]
                    self._last = (event, cells[0] if cells else ())
                return self._last[1]
        return ()

    def apply_theme(self) -> None:
        """Light or dark, for the board too."""
        self.theme = f"textual-{self.wanted_theme}"
        self.board.paint = LIGHT if self.wanted_theme == "light" else DARK

    # What happens.

    def perform(self, action: object) -> None:
        """Play an action and show it, step by step where the game has steps."""
        table = self.table
        before, viewer = table.state, table.viewer
        try:
            events = table.play(action)
        except ParlourError as error:
            self.picker.clear()
            self.draw()
            self.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return
        self.hinted = ()
        self.pending = events
        frames = table.game.frames(before, events[0].action, viewer) if self.frame_seconds else []
        self.picker = Picker(table.state, self.scene)
        self.frames = frames[:-1]
        if self.frames:
            self.next_frame()
        else:
            self.settle()

    def next_frame(self) -> None:
        """Show the next step of a chain; after the last one the game goes on."""
        if not self.frames:
            return
        scene = self.frames.pop(0)
        self.draw(scene)
        self.say(f"{scene.status} (any key skips)")
        if self.frames:
            self.set_timer(self.frame_seconds, self.next_frame)
        else:
            self.set_timer(self.frame_seconds, self.settle_after_frames)
            self.frames = [scene]  # still shown, still to be skipped

    def settle_after_frames(self) -> None:
        """The chain was shown to its end."""
        if self.frames:
            self.skip()

    def skip(self) -> None:
        """End a chain that is being shown."""
        self.frames = []
        self.settle()

    def settle(self, message: str = "") -> None:
        """After everything that happens: draw, say what happened, let an agent think."""
        table = self.table
        self.turn_number += 1
        self.analysis = None
        group = self.picker.group
        self.picker = Picker(table.state, self.scene)
        if group:
            self.picker.pick(group)
        told = "; ".join(table.event_words(event) for event in self.pending)
        self.pending = []
        self.draw()
        if table.is_over:
            remark = table.game.remark(table.start, table.state, table.viewer)
            self.say(" ".join(filter(None, (table.outcome_words(), remark, "Press n to go on."))))
        else:
            offer = "A draw is offered: Ctrl+D accepts." if table.draw_offer is not None else ""
            self.say(" ".join(filter(None, (message, told, offer))) or self.scene.status)
        if not table.is_over and table.seats[table.actor] != PERSON:
            self.let_agent_act(self.turn_number)
        if (self.shows_analysis or self.shows_bar) and not table.is_over:
            self.think_along(self.turn_number)

    def interrupt_opponent(self) -> None:
        """Let an agent that thinks about something else now stop."""
        self.opponent.stop()
        self.opponent = AgentProcess()
        self.players = {}

    @work(exclusive=True, group="agent")
    async def let_agent_act(self, turn: int) -> None:
        """Ask the agent to act, elsewhere, and play its answer unless something has changed."""
        table = self.table
        seat, text, state = table.actor, table.seats[table.actor], table.state
        if seat not in self.players or self.players[seat].made_from != text:
            self.players[seat] = self.opponent.agent(text)
        try:
            action = await asyncio.to_thread(choice_of, self.players[seat], state)
        except Interrupted:
            return
        except AgentError as error:
            self.say(f"{text} cannot play: {error}.")
            return
        if self.delay is not None:
            await asyncio.sleep(self.delay)
            while self.is_paused:
                await asyncio.sleep(0.05)
        if turn == self.turn_number and self.table is table:
            self.perform(action)

    @work(exclusive=True, group="advice")
    async def think_along(self, turn: int, is_hint: bool = False) -> None:
        """Ask the adviser about the position, for the panel, the bar or a hint."""
        try:
            analysis = await asyncio.to_thread(self.advising.analyse, self.table.state)
        except (Interrupted, AgentError):
            return
        if turn != self.turn_number:
            return
        self.analysis = analysis
        if is_hint:
            best = analysis.choices[0]
            views = {view.action: view for view in self.scene.actions}
            view = views.get(best.action)
            if view is not None:
                self.hinted = view.cells
                if view.group:
                    self.picker.pick(view.group)
                    self.picker.shape = self.picker.shape_of(view.cells)
                    self.cursor = self.picker.places()[0] if len(view.cells) else self.cursor
                elif view.cells:
                    self.cursor = view.cells[-1]
            self.say(f"Consider {choice_words(self.table.state, best, self.table.viewer)}.")
        self.draw()

    def tick(self) -> None:
        """Once in a while, in a game with clocks."""
        if self.table.check_clocks() is not None:
            self.settle()
        elif not self.frames:
            self.draw()


def _is_light_terminal() -> bool:
    """Whether the terminal says that its background is light."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return background in ("7", "15")
