"""The full-screen game: draws a session, and maps keys and clicks to its methods."""

import asyncio
import threading
import time
from collections.abc import Callable

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.events import Key, Resize
from textual.geometry import Size
from textual.widgets import Input, Static

from parlour.agents.hints import MOST_DEEPER
from parlour.agents.process import Interrupted
from parlour.core.errors import ParlourError
from parlour.exit_codes import INTERRUPTED
from parlour.table import EventView, GameLost, LiveGame, drive
from parlour.terminal.analysis import evaluation_text
from parlour.terminal.board import BoardWidget
from parlour.terminal.full_screen import COMMON_CSS, SMALLEST, FullScreenApp, put
from parlour.terminal.help import HelpScreen, rules_page
from parlour.terminal.keys import key_line
from parlour.terminal.markup import escape
from parlour.terminal.pace import Pace
from parlour.terminal.panels import PanelLook
from parlour.terminal.replay import Replay
from parlour.terminal.replay_screen import ReplayScreen
from parlour.terminal.sentences import sentence
from parlour.terminal.session import DIRECTIONS, Session
from parlour.terminal.side_panel import SidePanel

FRAME_SECONDS = 0.12
LOOK_SECONDS = 0.02
"""The polling interval for the next action in a game between agents."""
NARROWEST_SIDE, WIDEST_SIDE = 27, 60
"""The columns of the panel, which takes what the largest board leaves free."""
LARGEST_SHARE = 0.4
"""The share of the screen that the panel may take."""
TEXT_LINES = 3
"""The lines of the title, the message and the keys."""
SLOW_SECONDS = 1.0
"""After this time, the panel shows how long an agent has been thinking."""
LEAVING = ("q", "ctrl+c", "ctrl+d", "ctrl+q")
UNUSED = "vogyl"
"""Keys that take a piece while their command is not possible."""
TO_START = -1
"""The app's exit value if the player wants to choose another game."""


def _do(keys: str, what: str) -> Binding:
    return Binding(keys, f"do({what!r})", show=False)


class ParlourApp(FullScreenApp[int]):
    """One game after another, by keyboard and mouse."""

    CSS = (
        COMMON_CSS
        + """
    #side { width: 27; }
    #bar { height: 1; display: none; padding: 0 1; }
    """
    )

    BINDINGS = [
        *(_do(key, key) for key in DIRECTIONS),
        _do("enter,space", "touch"),
        _do("escape", "let_go"),
        _do("tab", "next_piece"),
        _do("shift+tab", "previous_piece"),
        _do("r", "turn"),
        _do("f", "flip"),
        _do("full_stop", "next_place"),
        _do("comma", "previous_place"),
        _do("u", "undo"),
        _do("y", "redo"),
        _do("v", "replay"),
        _do("x", "exact"),
        _do("o", "take_over"),
        _do("g", "go_on"),
        _do("n", "new"),
        _do("s", "save"),
        _do("h", "hint"),
        _do("a", "analysis"),
        _do("e", "evaluation"),
        _do("t", "theme"),
        _do("l", "letters"),
        _do("colon", "type"),
        _do("question_mark,f1", "help"),
        _do("ctrl+r", "resign"),
        _do("ctrl+o", "draw"),
        _do("plus", "faster"),
        _do("minus", "slower"),
        Binding("m", "to_start", show=False),
        Binding("q,ctrl+d,ctrl+q", "leave", show=False),
        Binding("ctrl+c", "interrupt", show=False),
    ]

    def __init__(
        self,
        open_game: Callable[[], LiveGame],
        theme: str | None = None,
        delay: float | None = None,
        frame_seconds: float = FRAME_SECONDS,
    ) -> None:
        """Set a `delay` between actions for watching; `frame_seconds` 0 skips animations."""
        super().__init__(theme)
        self.session = Session(open_game, shows_frames=frame_seconds > 0)
        self.pace = None if delay is None else Pace(delay)
        """How fast a watched game runs; `None` if people play."""
        self.frame_seconds = frame_seconds
        self.shows_analysis = False
        self.shows_bar = False
        self.is_exact = False
        """Whether actions are shown as typed and stored, not in the game's words."""
        self._thought_of = -1
        self._driven: LiveGame | None = None
        """The game whose other players a worker thread waits for."""
        self._waiting_since = 0.0
        """When the wait for another player began, by the monotonic clock."""
        # Set while no animation is running: the other players wait for this.
        self._is_still = threading.Event()
        self._is_still.set()
        session = self.session
        self._commands: dict[str, Callable[[], None]] = {
            **{key: lambda key=key: session.move(key) for key in DIRECTIONS},  # type: ignore[misc]
            "touch": session.touch,
            "let_go": session.let_go,
            "next_piece": lambda: session.take_next(1),
            "previous_piece": lambda: session.take_next(-1),
            "turn": session.turn,
            "flip": session.flip,
            "next_place": lambda: session.to_place(1),
            "previous_place": lambda: session.to_place(-1),
            "undo": session.undo,
            "redo": session.redo,
            "replay": self.open_replay,
            "exact": self.toggle_exact,
            "take_over": session.take_over,
            "go_on": session.replace_agent,
            "new": session.new,
            "save": session.save,
            "hint": self.hint,
            "analysis": self.toggle_analysis,
            "evaluation": self.toggle_bar,
            "theme": self.toggle_theme,
            "letters": self.toggle_letters,
            "type": self.open_entry,
            "help": self.open_help,
            "resign": session.resign,
            "draw": session.draw,
            "faster": lambda: None,
            "slower": lambda: None,
        }
        if self.pace is not None:
            self._watching: dict[str, Callable[[], None]] = {
                **dict.fromkeys(("touch", "let_go"), self.pace.toggle),
                **dict.fromkeys(("right", "next_place"), self.pace.step),
                **dict.fromkeys(("up", "faster"), self.pace.faster),
                **dict.fromkeys(("down", "slower"), self.pace.slower),
            }

    def compose(self) -> ComposeResult:
        """Title, board and side panel, message, keys."""
        yield Static(id="title")
        with Horizontal():
            yield BoardWidget(self.session.scene)
            yield SidePanel()
        yield Static(id="bar")
        yield Static(id="message")
        yield Input(id="entry")
        yield Static(id="keys")
        yield Static(f"Parlour needs {SMALLEST[0]} columns and {SMALLEST[1]} lines.", id="tiny")

    def on_mount(self) -> None:
        """Start the game."""
        self.apply_theme()
        self.board.shows_signs = self.shows_signs
        self.board.focus()
        self.show()
        self.set_interval(0.5, self.tick)

    def on_unmount(self) -> None:
        """Leave no process behind."""
        self._is_still.set()
        self.session.game.close()

    def on_resize(self, event: Resize) -> None:
        """Show a notice in a terminal that is too small; the game continues."""
        tiny = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        self.screen_stack[0].set_class(tiny, "tiny")
        self.fit_side(event.size)
        self.call_after_refresh(self.show_for_size)

    # Display.

    @property
    def board(self) -> BoardWidget:
        """The board's widget."""
        return self.screen_stack[0].query_one(BoardWidget)

    @property
    def side(self) -> SidePanel:
        """The panel beside the board."""
        return self.screen_stack[0].query_one(SidePanel)

    def static(self, name: str) -> Static:
        """Return one of the text widgets."""
        return self.screen_stack[0].query_one(f"#{name}", Static)

    def show(self) -> None:
        """Draw the session, and let the others act if it is their turn."""
        session = self.session
        scene = session.scene
        self.board.show(scene, session.marks)
        paused = "[reverse b] PAUSED [/] " if self.is_paused else ""
        put(self.static("title"), f"{paused}{escape(f'{session.game.title} — {scene.status}')}")
        message = f"{scene.status} (any key skips)" if session.frames else session.announcement
        put(self.static("message"), escape(message))
        self.proceed()
        self.show_for_size()

    def fit_side(self, size: Size) -> None:
        """Give the panel the columns that the board does not need, or all without a board."""
        self.board.display = self.session.scene.board.size > 0
        wide, high = size.width, size.height - TEXT_LINES
        if self.board.display:
            least = min(NARROWEST_SIDE, int(wide * LARGEST_SHARE))
            most = max(least, min(WIDEST_SIDE, int(wide * LARGEST_SHARE)))
            needed = self.board.needed((wide - least, high))
            wide = max(least, min(most, wide - needed - 1))
        self.side.styles.width = wide

    def show_panel(self) -> None:
        """Draw the panel."""
        session = self.session
        look = PanelLook(
            palette=self.paints,
            shows_signs=self.shows_signs,
            shows_analysis=self.shows_analysis,
            is_exact=self.is_exact,
            pace=self.pace.words() if self.pace is not None and self.is_watching else "",
            thinking=self.thinking,
        )
        self.side.show(session, session.scene, look)

    @property
    def is_paused(self) -> bool:
        """Whether the player has paused a watched game."""
        is_watched = self.is_watching and not self.session.game.is_over
        return is_watched and self.pace is not None and self.pace.is_paused

    @property
    def thinking(self) -> str:
        """That another player is thinking, and for how long; empty if none is."""
        session = self.session
        game = session.game
        if game.is_my_turn or game.is_over or session.has_fault or session.frames:
            return ""
        seconds = time.monotonic() - self._waiting_since
        if seconds < SLOW_SECONDS:
            return "" if self.is_watching else "thinking ..."
        return "" if self.is_paused else f"thinking ... {int(seconds)} s"

    def show_for_size(self) -> None:
        """Draw the parts whose text depends on the size of the screen."""
        self.show_panel()
        bar = self.static("bar")
        bar.display = self.shows_bar
        if self.shows_bar:
            put(bar, evaluation_text(self.session, self.size.width))
        keys = key_line(self.session.game, self.size.width - 2, self.is_paused)
        put(self.static("keys"), keys)
        base = self.screen_stack[0]
        if base.focused is None and not base.has_class("tiny"):  # hidden widgets lose the focus
            entry = base.query_one(Input)
            base.set_focus(entry if entry.display else self.board)

    def proceed(self) -> None:
        """Schedule the next frame, let others act, and start the analysis."""
        session = self.session
        if session.frames:
            if self._is_still.is_set():
                self._is_still.clear()
                self.set_timer(self.frame_seconds, self.next_frame)
            return
        self._is_still.set()
        game = session.game
        if game.is_over:
            return
        if not game.is_my_turn and not session.has_fault and self._driven is not game:
            self._driven = game
            self._waiting_since = time.monotonic()
            self.let_others_act(game)
        if (self.shows_analysis or self.shows_bar) and self._thought_of != game.version:
            self.think_along(game, False)

    def next_frame(self) -> None:
        """Show the next frame of an animation; after the last one, the game continues."""
        if self.session.frames and self.session.next_frame():
            self.set_timer(self.frame_seconds, self.next_frame)
        self.show()

    def apply_theme(self) -> None:
        """Apply light or dark to the app and the board."""
        super().apply_theme()
        self.board.palette = self.paints
        if self.paints.has_colours:
            self.side.styles.background = self.paints.ground

    # The other players.

    @work(thread=True, group="others")
    def let_others_act(self, game: LiveGame) -> None:
        """Wait for agents and show their actions, while the screen stays responsive.

        One worker thread does this for each game, until a person is to act.
        """

        def report(events: list[EventView]) -> None:
            if self.is_running and self.session.game is game:
                self.call_from_thread(self.report, events)
                self._is_still.wait()
                self.pause(game)

        fault: ParlourError | None = None
        try:
            drive(game, report)
        except Interrupted:
            pass
        except ParlourError as error:
            fault = error
        if self.is_running:
            self.call_from_thread(self.others_have_acted, game, fault)

    def others_have_acted(self, game: LiveGame, fault: ParlourError | None) -> None:
        """Handle the end of the worker thread; start another if the others are to act again."""
        if self._driven is game:
            self._driven = None
        if self.session.game is not game:
            return
        if isinstance(fault, GameLost):
            self.give_up(fault)
        elif fault is not None:
            self.session.agent_failed(fault)
            self.show()
        else:
            self.proceed()

    def pause(self, game: LiveGame) -> None:
        """Wait between two actions of a watched game."""
        if self.pace is None:
            return
        self.pace.shown()
        while self.is_running and self.session.game is game and not game.is_over:
            if self.pace.take():
                return
            threading.Event().wait(LOOK_SECONDS)

    def report(self, events: list[EventView]) -> None:
        """Show the events of the other players."""
        self._waiting_since = time.monotonic()
        if events:
            self.session.happened(events)
        self.show()

    def show_problem(self, message: str) -> None:
        """Show why there is no hint."""
        self.session.message = message
        put(self.static("message"), escape(self.session.announcement))

    @work(exclusive=True, group="advice")
    async def think_along(self, game: LiveGame, is_hint: bool) -> None:
        """Analyse the position for the panel, the bar or a hint.

        While the player looks at the panel, the analysis is repeated a few times with a deeper
        search.
        """
        version = game.version
        self._thought_of = version
        shown: tuple[int, ...] = ()
        for deeper in range(MOST_DEEPER + 1):
            try:
                advice = await asyncio.to_thread(game.analyse, deeper, shown)
            except Interrupted:
                return
            except ParlourError as error:
                if is_hint:
                    self.show_problem(sentence(error))
                return
            session = self.session
            if not self.is_running or session.game is not game or game.version != version:
                return
            session.advice, shown = advice, advice.actions
            if is_hint and deeper == 0:
                session.show_hint(advice)
            self.show()
            if advice.is_final or not (self.shows_analysis and game.is_my_turn):
                return

    def tick(self) -> None:
        """Poll for clocks and unexpected events."""
        session = self.session
        if session.frames:
            return
        is_waited_for = self._driven is session.game
        has_clocks = bool(session.game.clocks)
        happened = session.tick() if has_clocks or not is_waited_for else False
        if has_clocks or happened:
            self.show()
        elif self.thinking:
            self.show_panel()

    # Commands.

    def action_do(self, what: str) -> None:
        """Run the command of a key; during an animation of a player's game, only skip it."""
        session = self.session
        if session.frames:
            session.skip()
            if not self.is_watching:
                self.show()
                return
        if what not in ("new", "resign", "draw"):
            session.other_key()
        commands = self._watching if self.is_watching else {}
        commands.get(what, self._commands[what])()
        self.show()

    def action_leave(self) -> None:
        """Quit. The game is saved."""
        self.exit(0)

    def action_interrupt(self) -> None:
        """Quit with the exit status of Ctrl-C. The game is saved."""
        self.exit(INTERRUPTED)

    def action_to_start(self) -> None:
        """Return to the start screen. The game is saved."""
        self.exit(TO_START)

    def action_take(self, group: str) -> None:
        """Take a piece from the tray."""
        self.session.take(group)
        self.show()

    def action_choose(self, number: int) -> None:
        """Choose an action without cells by its number."""
        if self.session.frames:
            self.session.skip()
        else:
            self.session.choose(number)
        self.show()

    def on_key(self, event: Key) -> None:
        """Take pieces with letters and choose actions without cells with digits."""
        sign = event.character or ""
        if len(self.screen_stack) > 1:
            return  # the screen in front has handled it
        if isinstance(self.focused, Input):
            if event.key == "escape":
                self.close_entry()
            return
        if event.key in LEAVING:
            return
        if self.session.frames:
            self.session.skip()
            self.show()
            if not self.is_watching:
                event.prevent_default()  # it only skips
                event.stop()
        elif sign.isdecimal():
            self.action_choose(int(sign))
        elif sign.isalpha() and (sign.isupper() or self.is_free(sign)):
            self.session.take_letter(sign)
            self.show()
            event.prevent_default()

    def is_free(self, sign: str) -> bool:
        """Return whether a small letter has no command now, so that it takes a piece."""
        session = self.session
        if not session.picker.groups:
            return False
        if sign not in UNUSED:
            return sign not in self.active_bindings
        if sign == "l":
            return not any(cell.sign for cell in session.scene.cells)
        return not (session.has_fault if sign in "og" else sign == "y" and session.game.can_redo)

    def on_board_widget_touched(self, message: BoardWidget.Touched) -> None:
        """Move the cursor to a clicked cell and choose it."""
        if self.session.frames:
            self.session.skip()
        else:
            self.session.touch_at(message.cell)
        self.show()

    def on_board_widget_hovered(self, message: BoardWidget.Hovered) -> None:
        """Move the piece in hand with the mouse."""
        if self.session.hover(message.cell):
            self.show()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Play the typed action."""
        text = message.value.strip()
        self.close_entry()
        if text:
            self.session.play_text(text)
            self.show()

    def open_entry(self) -> None:
        """Open the input line for an action."""
        if self.session.can_type():
            entry = self.screen_stack[0].query_one(Input)
            actions = self.session.scene.actions
            example = f", for example {actions[0].text}" if actions else ""
            entry.placeholder = f"type an action{example}"
            entry.display = True
            entry.focus()

    def close_entry(self) -> None:
        """Close the input line and return to the board."""
        entry = self.screen_stack[0].query_one(Input)
        entry.value = ""
        entry.display = False
        self.board.focus()

    @property
    def is_watching(self) -> bool:
        """Whether the player is watching, so that keys control the speed."""
        return self.pace is not None and not self.session.game.has_people

    def open_replay(self) -> None:
        """Open the replay of a finished game."""
        if self.session.can_replay():
            replay = Replay(self.session.game.record())
            replay.go_to(replay.last)
            self.push_screen(ReplayScreen(replay))

    def toggle_exact(self) -> None:
        """Switch between exact texts and the game's words."""
        self.is_exact = not self.is_exact

    def open_help(self) -> None:
        """Open the help: keys, signs and rules."""
        session = self.session
        page = rules_page(
            session.game.rules,
            [*session.game.topics(), *chance_topics(session.game)],
            session.scene,
            self.paints,
            self.shows_signs,
            session.game.legend(),
        )
        self.push_screen(HelpScreen(page))

    def hint(self) -> None:
        """Ask for a hint."""
        if self.session.can_ask():
            self.think_along(self.session.game, True)

    def toggle_analysis(self) -> None:
        """Show or hide the analysis."""
        self.shows_analysis = not self.shows_analysis

    def toggle_bar(self) -> None:
        """Show or hide the evaluation bar."""
        self.shows_bar = not self.shows_bar

    def toggle_letters(self) -> None:
        """Switch between letters and traditional characters on the pieces."""
        self.shows_signs = self.board.shows_signs = not self.shows_signs
        self.session.message = "Characters." if self.shows_signs else "Letters."


def chance_topics(game: LiveGame) -> list[tuple[str, str]]:
    """Return the commitment to the game's chance for the help, and after the end its key."""
    promise, proof = game.promise(), game.proof()
    if not promise:
        return []
    lines = [
        "A key fixes every random event before the game. This is its SHA-256;",
        "the key is shown here after the end, and both are in the record.",
        f"SHA-256 {promise}",
    ]
    return [("Chance", "\n".join([*lines, f"key     {proof}"] if proof else lines))]
