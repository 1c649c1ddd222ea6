"""The full screen: draws a session, and turns keys and clicks into what a session does."""

import asyncio
import os
import threading
from collections.abc import Callable, Mapping

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.events import Key, Resize
from textual.filter import NoColor
from textual.widgets import Input, Static

from parlour.agents.process import Interrupted
from parlour.core.checks import printable
from parlour.core.errors import ContractError, ParlourError
from parlour.core.packages import failure_of_a_game
from parlour.table import EventView, GameLost, LiveGame, drive
from parlour.terminal.board import Board
from parlour.terminal.palette import TRUECOLOR, palette
from parlour.terminal.panels import HelpScreen, escape, evaluation_text, key_line, panel_lines
from parlour.terminal.session import DIRECTIONS, Session, sentence

FRAME_SECONDS = 0.12
SMALLEST = (40, 12)
BROKEN_GAME = 2  # the status of a command that cannot be carried out
FASTEST, SLOWEST = 0.02, 10.0
LEAVING = ("q", "ctrl+c", "ctrl+q")


def _do(keys: str, what: str) -> Binding:
    return Binding(keys, f"do({what!r})", show=False)


class ParlourApp(App[int]):
    """One game after another, by keyboard and by mouse."""

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
        _do("ctrl+d", "draw"),
        _do("plus", "faster"),
        _do("minus", "slower"),
        Binding(",".join(LEAVING), "leave", show=False),
    ]

    def __init__(
        self,
        open_game: Callable[[], LiveGame],
        theme: str | None = None,
        delay: float | None = None,
        frame_seconds: float = FRAME_SECONDS,
    ) -> None:
        """`delay` between the actions is for watching; `frame_seconds` 0 shows no chains."""
        super().__init__()
        if self.no_color:
            self._filters = [NoColor()]  # Textual's own choice is shades of grey
        self.session = Session(open_game, shows_frames=frame_seconds > 0)
        self.delay = delay
        self.is_paused = False
        self.frame_seconds = frame_seconds
        self.shows_analysis = False
        self.shows_bar = False
        self.wanted_theme = theme or ("light" if _is_light_terminal() else "dark")
        self._thought_of = -1
        self._driven: LiveGame | None = None
        """The game whose other players are waited for."""
        # Set while nothing is shown step by step: others go on only then.
        self._is_still = threading.Event()
        self._is_still.set()
        session = self.session
        self._deeds: dict[str, Callable[[], None]] = {
            **{key: lambda key=key: session.move(key) for key in DIRECTIONS},  # type: ignore[misc]
            "touch": self.touch,
            "let_go": session.let_go,
            "next_piece": lambda: session.take_next(1),
            "previous_piece": lambda: session.take_next(-1),
            "turn": session.turn,
            "flip": session.flip,
            "next_place": lambda: session.to_place(1),
            "previous_place": lambda: session.to_place(-1),
            "undo": session.undo,
            "take_over": session.take_over,
            "go_on": session.let_another_go_on,
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
            "faster": lambda: self.change_delay(0.5),
            "slower": lambda: self.change_delay(2.0),
        }

    def _handle_exception(self, error: Exception) -> None:
        """Other people's game that goes wrong ends with a sentence; a traceback is for ours."""
        failure = error if isinstance(error, ContractError) else failure_of_a_game(error)
        if failure is None:
            super()._handle_exception(error)
        else:
            self.exit(return_code=BROKEN_GAME, message=Text(printable(f"parlour: {failure}")))

    def compose(self) -> ComposeResult:
        """Title, board and side panel, message, keys."""
        yield Static(id="title")
        with Horizontal():
            yield Board(self.session.scene)
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
        self.board.shows_signs = draws_wide_characters(os.environ)
        self.board.focus()
        self.show()
        self.set_interval(0.5, self.tick)

    def on_unmount(self) -> None:
        """Leave no process behind."""
        self._is_still.set()
        self.session.game.close()

    def on_resize(self, event: Resize) -> None:
        """A terminal that is too small says so; the game is still there."""
        tiny = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        self.screen_stack[0].set_class(tiny, "tiny")

    # What there is to see.

    @property
    def board(self) -> Board:
        """The board's widget."""
        return self.screen_stack[0].query_one(Board)

    def static(self, name: str) -> Static:
        """One of the text widgets."""
        return self.screen_stack[0].query_one(f"#{name}", Static)

    def show(self) -> None:
        """Draw the session as it is now; let others act if it is their turn."""
        session = self.session
        scene = session.scene
        self.board.show(scene, session.marks)
        title = f"{session.game.title} — {scene.status}"
        self.static("title").update(escape(title))
        watching = None
        if self.delay is not None:
            watching = "paused" if self.is_paused else f"{self.delay:g} s"
        lines = panel_lines(session, scene, watching, self.shows_analysis)
        self.static("panel").update("\n".join(lines))
        bar = self.static("bar")
        bar.display = self.shows_bar
        if self.shows_bar:
            bar.update(evaluation_text(session, self.size.width))
        self.static("keys").update(escape(key_line(self.size.width - 2)))
        message = f"{scene.status} (any key skips)" if session.frames else session.announcement
        self.static("message").update(escape(message))
        self.go_on()

    def go_on(self) -> None:
        """Show the next step in a while, let others act, let the adviser think."""
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
            self.let_others_act(game)
        if (self.shows_analysis or self.shows_bar) and self._thought_of != game.version:
            self.think_along(game, False)

    def next_frame(self) -> None:
        """Show the next step of a chain; after the last one the game goes on."""
        if self.session.frames and self.session.next_frame():
            self.set_timer(self.frame_seconds, self.next_frame)
        self.show()

    @property
    def colour_system(self) -> str | None:
        """How many colours the terminal has, in Rich's words; `None`: none are wanted."""
        if self.no_color:
            return None
        return TRUECOLOR if self.is_headless else self.console.color_system

    def apply_theme(self) -> None:
        """Light or dark, for the board too."""
        self.theme = f"textual-{self.wanted_theme}"
        self.board.palette = palette(self.wanted_theme, self.colour_system)

    # What others do.

    @work(thread=True, group="others")
    def let_others_act(self, game: LiveGame) -> None:
        """Wait for agents, and show what they do, while the screen stays alive.

        One thread does so for a game, until a person is to act.
        """

        def tell(events: list[EventView]) -> None:
            if self.is_running and self.session.game is game:
                self.call_from_thread(self.tell, events)
                self._is_still.wait()
                self.pause(game)

        fault: ParlourError | None = None
        try:
            drive(game, tell)
        except Interrupted:
            pass
        except ParlourError as error:
            fault = error
        if self.is_running:
            self.call_from_thread(self.others_have_acted, game, fault)

    def others_have_acted(self, game: LiveGame, fault: ParlourError | None) -> None:
        """Nobody waits for them any more; they are waited for again if they are to act."""
        if self._driven is game:
            self._driven = None
        if self.session.game is not game:
            return
        if isinstance(fault, GameLost):
            self.exit(return_code=BROKEN_GAME, message=Text(printable(f"parlour: {fault}")))
        elif fault is not None:
            self.session.agent_failed(fault)
            self.show()
        else:
            self.go_on()

    def pause(self, game: LiveGame) -> None:
        """Between two actions that are watched."""
        if self.delay is None:
            return
        threading.Event().wait(self.delay)
        while self.is_paused and self.is_running and self.session.game is game:
            threading.Event().wait(0.05)

    def tell(self, events: list[EventView]) -> None:
        """Somebody else has acted."""
        if events:
            self.session.happened(events)
        self.show()

    def complain(self, message: str) -> None:
        """The adviser cannot help."""
        self.session.message = message
        self.static("message").update(escape(self.session.announcement))

    @work(exclusive=True, group="advice")
    async def think_along(self, game: LiveGame, is_hint: bool) -> None:
        """Ask the adviser about the position, for the panel, the bar or a hint."""
        version = game.version
        self._thought_of = version
        try:
            advice = await asyncio.to_thread(game.analyse)
        except Interrupted:
            return
        except ParlourError as error:
            if is_hint:
                self.complain(sentence(error))
            return
        session = self.session
        if session.game is not game or game.version != version:
            return
        session.advice = advice
        if is_hint:
            session.show_hint(advice)
        self.show()

    def tick(self) -> None:
        """Once in a while: for clocks, and for what happens although nobody waits for it."""
        session = self.session
        if session.frames:
            return
        is_waited_for = self._driven is session.game
        has_clocks = bool(session.game.clocks)
        happened = session.tick() if has_clocks or not is_waited_for else False
        if has_clocks or happened:
            self.show()

    # What the player does.

    def action_do(self, what: str) -> None:
        """Every key comes here: the first one skips what is being shown."""
        session = self.session
        if session.frames:
            session.skip()
            self.show()
            return
        if what not in ("new", "resign"):
            session.other_key()
        self._deeds[what]()
        self.show()

    def action_leave(self) -> None:
        """Leave; the game is kept."""
        self.exit(0)

    def action_take(self, group: str) -> None:
        """Take a piece from the tray."""
        self.session.take(group)
        self.show()

    def action_choose(self, number: int) -> None:
        """Choose an action that has no cell, by its number."""
        if self.session.frames:
            self.session.skip()
        else:
            self.session.choose(number)
        self.show()

    def on_key(self, event: Key) -> None:
        """Letters take pieces, digits choose actions without cells."""
        sign = event.character or ""
        if isinstance(self.focused, Input):
            if event.key == "escape":
                self.close_entry()
            return
        if event.key in LEAVING:
            return
        if self.session.frames:
            self.session.skip()
            self.show()
            event.prevent_default()  # it skips, and does nothing else
            event.stop()
        elif sign.isdecimal():
            self.action_choose(int(sign))
        elif sign.isalpha() and sign.isupper():
            self.session.take_letter(sign)
            self.show()

    def on_board_touched(self, message: Board.Touched) -> None:
        """A click moves the cursor and chooses."""
        if self.session.frames:
            self.session.skip()
        else:
            self.session.touch_at(message.cell)
        self.show()

    def on_board_hovered(self, message: Board.Hovered) -> None:
        """A piece in hand follows the mouse."""
        if self.session.hover(message.cell):
            self.show()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Play what was typed."""
        text = message.value.strip()
        self.close_entry()
        if text:
            self.session.play_text(text)
            self.show()

    def touch(self) -> None:
        """Choose, or pause where nobody here plays."""
        if self.delay is not None and not self.session.game.has_people:
            self.is_paused = not self.is_paused
        else:
            self.session.touch()

    def open_entry(self) -> None:
        """Open the line to type an action into."""
        if self.session.can_type():
            entry = self.screen_stack[0].query_one(Input)
            entry.display = True
            entry.focus()

    def close_entry(self) -> None:
        """Back to the board."""
        entry = self.screen_stack[0].query_one(Input)
        entry.value = ""
        entry.display = False
        self.board.focus()

    def open_help(self) -> None:
        """The keys and signs."""
        self.push_screen(HelpScreen())

    def hint(self) -> None:
        """Ask for an action to consider."""
        if self.session.can_ask():
            self.think_along(self.session.game, True)

    def toggle_analysis(self) -> None:
        """Show or hide the analysis."""
        self.shows_analysis = not self.shows_analysis

    def toggle_bar(self) -> None:
        """Show or hide the evaluation bar."""
        self.shows_bar = not self.shows_bar

    def toggle_theme(self) -> None:
        """Light or dark."""
        self.wanted_theme = "dark" if self.wanted_theme == "light" else "light"
        self.apply_theme()

    def toggle_letters(self) -> None:
        """Letters or traditional characters on the pieces."""
        self.board.shows_signs = not self.board.shows_signs
        self.session.message = "Characters." if self.board.shows_signs else "Letters."

    def change_delay(self, factor: float) -> None:
        """Between the actions of agents that are watched."""
        if self.delay is not None:
            self.delay = min(SLOWEST, max(FASTEST, max(FASTEST, self.delay) * factor))


def _is_light_terminal() -> bool:
    """Whether the terminal says that its background is light."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return background in ("7", "15")


NARROW_TERMINALS = ("linux", "dumb", "vt", "cons", "ansi")
"""How the names of terminals begin that draw wide characters badly or not at all."""


def draws_wide_characters(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is to show traditional characters, which are two columns wide.

    `PARLOUR_LETTERS` says so, 1 for letters and 0 for characters; otherwise they are shown
    where the terminal is not known to draw them badly and the language's letters are UTF-8.
    """
    wanted = environ.get("PARLOUR_LETTERS", "")
    if wanted:
        return wanted == "0"
    language = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    is_utf = "utf" in language.lower() or not language
    return is_utf and not environ.get("TERM", "").startswith(NARROW_TERMINALS)
