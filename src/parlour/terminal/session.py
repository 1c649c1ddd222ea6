"""One game after another for the person at the keyboard, without a display.

A session knows a game only through scenes, events and requests: it holds the cursor, the
piece in hand and the message, turns keys into requests, and tells what happened. A display
draws what a session shows and calls its methods.
"""

from collections.abc import Callable

from parlour.core.errors import ParlourError
from parlour.core.scene import ActionView, Scene
from parlour.drawing.choices import Advice, choice_words
from parlour.drawing.cursor import first_cell, step
from parlour.drawing.picker import Picker
from parlour.drawing.words import cell_words
from parlour.shapes import Shape
from parlour.table import (
    PERSON,
    EventView,
    LiveGame,
    OfferDraw,
    Play,
    Redo,
    Replace,
    Request,
    Resign,
    Undo,
)
from parlour.terminal.marks import Marks
from parlour.terminal.opponents import DEFAULT_OPPONENT
from parlour.terminal.sentences import sentence

DIRECTIONS = ("up", "down", "left", "right")
HELP_HINT = "Press ? for help."
NEXT_GAME = "Press n to play again, v to look back, m for another game."
WAYS_OUT = f"Press o to take over, g to let {DEFAULT_OPPONENT} go on, : to name another agent."


class Session:
    """What the player sees and does."""

    def __init__(self, open_game: Callable[[], LiveGame], shows_frames: bool = True) -> None:
        """`open_game` sits down at a game, and at the next one when that is asked for."""
        self._open_game = open_game
        self._shows_frames = shows_frames
        self.game: LiveGame = open_game()
        self.message = ""
        self.cursor = 0
        self.hinted: tuple[int, ...] = ()
        self.advice: Advice | None = None
        self.frames: list[Scene] = []
        """The steps of an action that are still to be shown; the first is on the screen."""
        self.confirmed: int | None = None
        """At a keyboard with secrets: the seat whose person has said to be there."""
        self.has_fault = False
        """Whether the agent to act cannot go on, and the player has to say who does."""
        self.shapes: dict[str, Shape] = {}
        """The shapes of the pieces that have fitted somewhere, by their names."""
        self._asked_twice = ""
        self._pending: list[EventView] = []
        self._previewed: tuple[int, int, tuple[int, ...]] = (-1, -1, ())
        self.picker = Picker(Scene(), self.game.why_not)
        self._greet()

    # What there is to see.

    @property
    def is_covered(self) -> bool:
        """Whether what is private waits for the next person to be there."""
        return self.game.is_shared and self.game.is_my_turn and self.confirmed != self.game.viewer

    @property
    def scene(self) -> Scene:
        """What to draw now."""
        if self.frames:
            return self.frames[0]
        return self.game.public_scene() if self.is_covered else self.game.scene()

    @property
    def marks(self) -> Marks:
        """What to draw on top of it."""
        is_still = not self.frames
        ghost = self.picker.ghost(self.cursor) if is_still else None
        return Marks(
            cursor=self.cursor,
            targets=self.picker.targets() if is_still else (),
            touched=self.picker.touched,
            last=self.game.last_cells,
            hint=self.hinted,
            ghost=ghost.cells if ghost else (),
            ghost_fits=ghost is not None and ghost.action is not None,
            preview=self.preview if is_still else (),
            shows_cursor=self._shows_cursor,
        )

    @property
    def _shows_cursor(self) -> bool:
        """Where the arrow keys play there is none, but on what is hinted."""
        if not self.game.has_people or not self.scene.board.size:
            return False
        return not self._arrows_play or self.cursor in self.hinted

    @property
    def _arrows_play(self) -> bool:
        """Whether the actions are named like the arrow keys."""
        texts = [view.text for view in self.scene.actions]
        return bool(texts) and all(text in DIRECTIONS for text in texts)

    @property
    def preview(self) -> tuple[int, ...]:
        """The cells beside those touched that change hands if the cursor's cell is chosen."""
        if self._arrows_play:
            return ()
        touched = (*self.picker.touched, self.cursor)
        views = (view for view in self.picker.by_cells if view.cells == touched)
        view = next(views, None)
        if view is None:
            return ()
        version = self.game.version
        if self._previewed[:2] != (version, view.action):
            cells = tuple(set(self.game.preview(view.action)) - set(view.cells))
            self._previewed = (version, view.action, tuple(sorted(cells)))
        return self._previewed[2]

    @property
    def announcement(self) -> str:
        """The message; a game that cannot be saved comes first."""
        return " ".join(filter(None, (self.game.notice, self.message)))

    # The game, and the next one.

    def new(self) -> None:
        """Start another game; asks again if this one is going on."""
        is_under_way = not self.game.is_over and self.game.last_event is not None
        if is_under_way and not self._confirms("new"):
            self.message = "This game is kept. Press n again for a new one."
            return
        try:
            fresh = self._open_game()
        except ParlourError as error:
            self.message = sentence(error)
            return
        self.game.close()
        self.game = fresh
        self.hinted, self.advice, self.frames, self._pending = (), None, [], []
        self.confirmed, self.has_fault, self.shapes = None, False, {}
        self.picker = Picker(Scene(), fresh.why_not)
        self._greet()

    def _greet(self) -> None:
        self._choose_anew()
        self.cursor = self._first_cursor()
        self.settle(" ".join(filter(None, (self.game.greeting(), HELP_HINT))))

    def _first_cursor(self) -> int:
        """On a cell that can be chosen."""
        views = [view for view in self.scene.actions if view.cells]
        return views[0].cells[0] if views else first_cell(self.scene.board)

    def _confirms(self, what: str) -> bool:
        """Whether the same was asked just before."""
        asked, self._asked_twice = self._asked_twice, what
        return asked == what

    def other_key(self) -> None:
        """Something else was pressed: nothing is half confirmed any more."""
        self._asked_twice = ""

    # What happens.

    def happened(self, events: list[EventView]) -> None:
        """Show what happened, step by step where the game has steps."""
        self.hinted = ()
        self.has_fault = False
        self._pending += events
        self.frames = self.game.frames(events[0]) if self._shows_frames and events else []
        if not self.frames:
            self.settle()

    def next_frame(self) -> bool:
        """Go on to the next step; whether there is one."""
        self.frames = self.frames[1:]
        if not self.frames:
            self.settle()
        return bool(self.frames)

    def skip(self) -> None:
        """End what is being shown."""
        self.frames = []
        self.settle()

    def settle(self, message: str = "") -> None:
        """After everything that happens: choose anew, and say what happened."""
        game = self.game
        self.advice = None
        self._choose_anew()
        told = "; ".join(view.sentence for view in self._pending)
        aside = "; ".join(view.sentence for view in self._pending if view.is_aside)
        self._pending = []
        if game.is_over:
            words = (aside, game.outcome(), game.remark(), NEXT_GAME)
            self.message = " ".join(filter(None, words))
        elif self.is_covered:
            self.message = self._cover_words(told)
        else:
            offer = "A draw is offered: Ctrl+D accepts." if game.draw_offer is not None else ""
            self.message = " ".join(filter(None, (message, told, offer))) or self.scene.status

    def _cover_words(self, told: str) -> str:
        viewer = self.game.viewer
        name = "the next player" if viewer is None else self.game.names[viewer]
        return " ".join(filter(None, (told, f"Press Enter when {name} is at the keyboard.")))

    def _choose_anew(self) -> None:
        group = self.picker.group
        self.picker = Picker(self.scene, self.game.why_not)
        for name, placed in self.picker.by_group.items():
            if name not in self.shapes:
                self.shapes[name] = self.picker.shape_of(next(iter(placed)))
        if group:
            self.picker.pick(group)

    def tick(self) -> bool:
        """Once in a while: whether something happened although nobody waited for it."""
        events = self.game.check_clocks()
        if events:
            self.happened(events)
        return bool(events)

    def ask(self, request: Request) -> None:
        """Send a request, and show what happened or why it did not."""
        try:
            events = self.game.send(request)
        except ParlourError as error:
            self.picker.clear()
            self.message = sentence(error)
            return
        self.happened(events)

    def agent_failed(self, error: ParlourError) -> None:
        """The agent to act cannot go on: say so, and what can be done."""
        self.has_fault = True
        self.message = f"{sentence(error)} {WAYS_OUT}"

    def replace(self, who: str) -> None:
        """Let a person or another agent play for the one that cannot go on."""
        if self.has_fault:
            self.ask(Replace(self.game.scene().actor, who))
        else:
            self.message = "No agent has failed: everybody keeps their seat."

    def take_over(self) -> None:
        """Play for the agent that cannot go on."""
        self.replace(PERSON)

    def let_another_go_on(self) -> None:
        """Let our usual opponent play for it."""
        self.replace(DEFAULT_OPPONENT)

    def undo(self) -> None:
        """Take the last action of a person back."""
        self.ask(Undo())

    def redo(self) -> None:
        """Make it again."""
        self.ask(Redo())

    def resign(self) -> None:
        """Give up; asks again."""
        if not self._is_my_turn():
            return
        if self._confirms("resign"):
            self._asked_twice = ""
            self.ask(Resign())
        else:
            self.message = "Press Ctrl+R again to resign."

    def draw(self) -> None:
        """Offer or accept a draw."""
        if self._is_my_turn():
            self.ask(OfferDraw())

    def can_replay(self) -> bool:
        """Whether the game can be looked back on, once it is over; says so if not."""
        if not self.game.is_over:
            self.message = "v looks back on the game once it is over."
        return self.game.is_over

    def save(self) -> None:
        """Keep the game now, and say where it is."""
        self.message = self.game.save()

    # Choosing an action.

    def _is_my_turn(self) -> bool:
        """Whether a person here is to act, and has said to be there; says so if not."""
        game = self.game
        if game.is_over:
            self.message = "The game is over: n starts another, u takes back."
        elif self.has_fault:
            self.message = f"{game.names[game.scene().actor]} cannot go on. {WAYS_OUT}"
        elif not game.is_my_turn:
            self.message = f"{game.names[game.scene().actor]} is thinking."
        elif self.is_covered:
            self.message = self._cover_words("")
        else:
            return True
        return False

    def can_type(self) -> bool:
        """Whether an action, or an agent after a fault, may be typed now; says so if not."""
        return self.has_fault or self._is_my_turn()

    def can_ask(self) -> bool:
        """Whether a hint may be asked for; says that it is looked for, or why not."""
        if not self._is_my_turn():
            return False
        self.message = "Looking for a hint ..."
        return True

    def play_text(self, text: str) -> None:
        """Play an action's text, or say why not; after a fault it is an agent's."""
        if self.has_fault:
            self.replace(text)
        elif self._is_my_turn():
            self.ask(Play(text))

    def choose(self, number: int) -> None:
        """Choose an action that has no cell, by its number from 1 on."""
        if 1 <= number <= len(self.picker.by_name):
            self.ask(Play(self.picker.by_name[number - 1].action))

    def touch(self) -> None:
        """Choose the cell under the cursor, or lay the piece in hand there."""
        if self.is_covered:
            self.confirmed = self.game.viewer
            self._greet()
            self.message = self.scene.status
            return
        if not self._is_my_turn():
            return
        if self.picker.shape:
            self._lay()
        elif self.picker.groups:
            self.message = "Take a piece first: a letter, Tab, or a click on it."
        elif self._arrows_play and self.cursor not in self.hinted:
            self.message = "Play with the arrow keys, or click a cell."
        elif self.scene.board.size == 0:
            self.message = "Choose by number, or type an action after a colon."
        else:
            self._touch_cell()

    def touch_at(self, cell: int) -> None:
        """A click: move the cursor there and choose."""
        self.cursor = cell
        if self._arrows_play and not self.is_covered and self._is_my_turn():
            self._touch_cell()
        else:
            self.touch()

    def _lay(self) -> None:
        ghost = self.picker.ghost(self.cursor)
        assert ghost is not None
        if ghost.action is None:
            self.message = f"{self.picker.group} does not go there: {ghost.reason}."
        else:
            self.ask(Play(ghost.action))

    def _touch_cell(self) -> None:
        touch = self.picker.touch(self.cursor)
        if touch.action is not None:
            self.ask(Play(touch.action))
        elif touch.refusal:
            self.message = f"Not legal: {touch.refusal}."
        else:
            self.message = f"{cell_words(self.scene, self.cursor)}. Where to?"

    def move(self, direction: str) -> None:
        """Move the cursor; where actions are named like the arrow keys, play them."""
        if self._arrows_play:
            self.play_text(direction)
            self.cursor = self._first_cursor()
            return
        board = self.scene.board
        if board.size == 0:
            return
        self.cursor = step(board, self.cursor, direction)
        if self.picker.shape:
            self._tell_ghost()
        else:
            self.message = cell_words(self.scene, self.cursor) + self._preview_words()

    def _preview_words(self) -> str:
        """How many cells the one under the cursor would take along."""
        count = len(self.preview)
        cells = "1 cell changes" if count == 1 else f"{count} cells change"
        return f". Enter: {cells} hands." if count else ""

    def hover(self, cell: int) -> bool:
        """A piece in hand follows the mouse; whether there is one."""
        if not self.picker.shape or self.frames:
            return False
        self.cursor = cell
        self._tell_ghost()
        return True

    def let_go(self) -> None:
        """Forget what was chosen."""
        self.picker.clear()
        self.picker.let_go()

    # Pieces.

    def take(self, group: str) -> None:
        """Take a piece from the tray."""
        is_first = not self.picker.shape
        self.picker.pick(group)
        self._start_where_it_fits(is_first)
        self._tell_ghost()

    def _start_where_it_fits(self, is_first: bool) -> None:
        """The first piece taken is held where it can be laid; the next ones stay there."""
        ghost = self.picker.ghost(self.cursor)
        if is_first and ghost is not None and ghost.action is None:
            place = self.picker.step(self.cursor, 1)
            self.cursor = self.cursor if place is None else place

    def take_letter(self, letter: str) -> None:
        """Take the next piece whose name begins with that letter."""
        if not self.picker.groups:
            return
        is_first = not self.picker.shape
        if self.picker.pick_letter(letter):
            self._start_where_it_fits(is_first)
            self._tell_ghost()
        else:
            self.message = f"No piece that begins with {letter} fits anywhere."

    def take_next(self, step: int) -> None:
        """Take the next piece that fits somewhere, or the one before."""
        is_first = not self.picker.shape
        self.picker.pick_next(step)
        self._start_where_it_fits(is_first)
        self._with_piece()

    def turn(self) -> None:
        """Turn the piece in hand."""
        self.picker.turn()
        self._with_piece()

    def flip(self) -> None:
        """Turn it over."""
        self.picker.flip()
        self._with_piece()

    def to_place(self, step: int) -> None:
        """Move the piece in hand, the first one if there is none, to where it fits next."""
        if not self.picker.shape:
            self.picker.pick_next(1)
        place = self.picker.step(self.cursor, step)
        if place is not None:
            self.cursor = place
        self._with_piece()

    def _tell_ghost(self) -> None:
        ghost = self.picker.ghost(self.cursor)
        if ghost is None:
            return
        if ghost.action is not None:
            self.message = f"{self.picker.group} fits: Enter lays it."
        else:
            self.message = f"{self.picker.group} does not fit: {ghost.reason}."

    def _with_piece(self) -> None:
        if self.picker.shape:
            self._tell_ghost()
        elif self.scene.actions and not self.picker.groups:
            self.message = "There are no pieces to lay."
        else:
            self.message = "Take a piece first: a letter, Tab, or a click on it."

    # What an agent thinks.

    def show_hint(self, advice: Advice) -> None:
        """Make the best choice easy to make: its cells marked, its piece in hand."""
        self.advice = advice
        best = advice.choices[0]
        wanted = best.choice.action
        view = next((view for view in self.scene.actions if view.action == wanted), None)
        if view is not None and view.cells:
            self._point_to(view)
        self.message = f"Consider {choice_words(best)}."

    def _point_to(self, view: ActionView) -> None:
        self.hinted = view.cells
        if view.group:
            self.picker.pick(view.group)
            self.picker.shape = self.picker.shape_of(view.cells)
            self.cursor = self.picker.cursor_for(view.cells)
        else:
            self.picker.touched = view.cells[:-1]
            self.cursor = view.cells[-1]
