"""One game after another for the person at the keyboard, without a display.

A session sees a game only through scenes, events and requests. It holds the cursor, the piece in
hand and the message, turns keys into requests, and describes events. A display draws the session
and calls its methods.
"""

from collections.abc import Callable

from parlour.core.checks import counted
from parlour.core.errors import ParlourError
from parlour.core.scene import ActionView, Scene
from parlour.drawing.choices import Advice
from parlour.drawing.cursor import first_cell, step
from parlour.drawing.picker import Picker
from parlour.drawing.words import cell_words, seat_colour
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
from parlour.terminal.sentences import hint_words, sentence

DIRECTIONS = ("up", "down", "left", "right")
HELP_HINT = "Press ? for help."
NEXT_GAME = "Press n to play again, v to replay, m to return to the start screen."
WAYS_OUT = f"Press o to take over, g to let {DEFAULT_OPPONENT} continue, : to name another agent."


class Session:
    """The player's view of a game, and the player's commands."""

    def __init__(self, open_game: Callable[[], LiveGame], shows_frames: bool = True) -> None:
        """Set `open_game`, which opens the first game and each next one."""
        self._open_game = open_game
        self._shows_frames = shows_frames
        self.game: LiveGame = open_game()
        self.message = ""
        self.cursor = 0
        self.hinted: tuple[int, ...] = ()
        self.advice: Advice | None = None
        self.frames: list[Scene] = []
        """The remaining frames of an action; the first is on the screen."""
        self.confirmed: int | None = None
        """With secrets at a shared keyboard: the seat whose person has confirmed."""
        self.hints = 0
        """The number of hints in this game."""
        self.has_fault = False
        """Whether the agent to act has failed and the player must replace it."""
        self.shapes: dict[str, Shape] = {}
        """The shapes of the pieces that have fitted somewhere, by name."""
        self._asked_twice = ""
        self._pending: list[EventView] = []
        self._previewed: tuple[int, int, tuple[int, ...]] = (-1, -1, ())
        self.picker = Picker(Scene(), self.game.why_not)
        self._greet()

    # Display.

    @property
    def is_covered(self) -> bool:
        """Whether private information is hidden until the next person confirms."""
        return self.game.is_shared and self.game.is_my_turn and self.confirmed != self.game.viewer

    @property
    def scene(self) -> Scene:
        """The scene to draw."""
        if self.frames:
            return self.frames[0]
        return self.game.public_scene() if self.is_covered else self.game.scene()

    @property
    def marks(self) -> Marks:
        """The marks to draw on top of it."""
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
        """Whether to show the cursor; if the arrow keys play, only on a hint."""
        if not self.game.has_people or not self.scene.board.size:
            return False
        return not self._arrows_play or self.cursor in self.hinted

    @property
    def _arrows_play(self) -> bool:
        """Whether the actions are named after the arrow keys."""
        texts = [view.text for view in self.scene.actions]
        return bool(texts) and all(text in DIRECTIONS for text in texts)

    @property
    def preview(self) -> tuple[int, ...]:
        """The other cells that change hands if the cursor's cell is chosen."""
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
        """The message, after a warning that the game cannot be saved."""
        return " ".join(filter(None, (self.game.notice, self.message)))

    # Games.

    def new(self) -> None:
        """Start another game; ask for confirmation if this one is unfinished."""
        is_under_way = not self.game.is_over and self.game.last_event is not None
        if is_under_way and not self._confirms("new"):
            self.message = "This game is saved. Press n again to start a new one."
            return
        try:
            fresh = self._open_game()
        except ParlourError as error:
            self.message = sentence(error)
            return
        self.game.close()
        self.game = fresh
        self.hinted, self.advice, self.frames, self._pending = (), None, [], []
        self.hints = 0
        self.confirmed, self.has_fault, self.shapes = None, False, {}
        self.picker = Picker(Scene(), fresh.why_not)
        self._greet()

    def _greet(self) -> None:
        self._reset_picker()
        self.cursor = self._first_cursor()
        self.settle(" ".join(filter(None, (self._greeting_in_colour(), self._first_steps()))))

    def _greeting_in_colour(self) -> str:
        """Return the game's greeting, with the colour of the only person's pieces."""
        greeting, people = self.game.greeting(), self.game.people
        is_new = len(people) == 1 < len(self.game.names) and self.game.names[people[0]] in greeting
        colour = seat_colour(self.scene, people[0]) if is_new else ""
        return f"{greeting.removesuffix('.')}, {colour}." if colour not in greeting else greeting

    def _first_steps(self) -> str:
        """Return how to act at the start of a game."""
        if not self.game.is_my_turn or self.is_covered or self.game.last_event is not None:
            return HELP_HINT
        if self._arrows_play:
            return "The arrow keys play, ? helps."
        if self.picker.groups:
            return "Take a piece and place it, ? helps."
        is_chosen = self.picker.by_cells and self.scene.board.size
        return "Arrow keys move, Enter chooses, ? helps." if is_chosen else HELP_HINT

    def _first_cursor(self) -> int:
        """Return a cell that can be chosen."""
        views = [view for view in self.scene.actions if view.cells]
        return views[0].cells[0] if views else first_cell(self.scene.board)

    def _confirms(self, what: str) -> bool:
        """Return whether the same command was given just before."""
        asked, self._asked_twice = self._asked_twice, what
        return asked == what

    def other_key(self) -> None:
        """Cancel a pending confirmation."""
        self._asked_twice = ""

    # Events.

    def happened(self, events: list[EventView]) -> None:
        """Show events, frame by frame if the game has frames."""
        self.hinted = ()
        self.has_fault = False
        self._pending += events
        self.frames = self.game.frames(events[0]) if self._shows_frames and events else []
        if not self.frames:
            self.settle()

    def next_frame(self) -> bool:
        """Go to the next frame; return whether there is one."""
        self.frames = self.frames[1:]
        if not self.frames:
            self.settle()
        return bool(self.frames)

    def skip(self) -> None:
        """Skip the animation."""
        self.frames = []
        self.settle()

    def settle(self, message: str = "") -> None:
        """Update the picker and the message after events."""
        game = self.game
        self.advice = None
        self._reset_picker()
        news = "; ".join(view.sentence for view in self._pending)
        aside = "; ".join(view.sentence for view in self._pending if view.is_aside)
        self._pending = []
        if game.is_over:
            words = (aside, game.outcome(), game.remark(), self._hint_count(), NEXT_GAME)
            self.message = " ".join(filter(None, words))
        elif self.is_covered:
            self.message = self._cover_words(news)
        else:
            offer = "" if game.draw_offer is None else "A draw is offered: press Ctrl+O to accept."
            self.message = " ".join(filter(None, (message, news, offer))) or self.scene.status

    def _hint_count(self) -> str:
        """Return how many hints helped; empty without hints."""
        return f"You used {counted(self.hints, 'hint')}." if self.hints else ""

    def _cover_words(self, news: str) -> str:
        viewer = self.game.viewer
        name = "the next player" if viewer is None else self.game.names[viewer]
        return " ".join(filter(None, (news, f"Press Enter when {name} is at the keyboard.")))

    def _reset_picker(self) -> None:
        group = self.picker.group
        self.picker = Picker(self.scene, self.game.why_not)
        for name, placed in self.picker.by_group.items():
            if name not in self.shapes:
                self.shapes[name] = self.picker.shape_of(next(iter(placed)))
        if group:
            self.picker.pick(group)

    def tick(self) -> bool:
        """Check for events that came unasked; return whether there were any."""
        events = self.game.check_clocks()
        if events:
            self.happened(events)
        return bool(events)

    def ask(self, request: Request) -> None:
        """Send a request, and show its events or the error."""
        try:
            events = self.game.send(request)
        except ParlourError as error:
            self.picker.clear()
            self.message = sentence(error)
            return
        self.happened(events)

    def agent_failed(self, error: ParlourError) -> None:
        """Show that the agent to act failed, and what the player can do."""
        self.has_fault = True
        self.message = f"{sentence(error)} {WAYS_OUT}"

    def replace(self, who: str) -> None:
        """Give the seat of a failed agent to a person or another agent."""
        if self.has_fault:
            self.ask(Replace(self.game.scene().actor, who))
        else:
            self.message = "No agent has failed."

    def take_over(self) -> None:
        """Play for the failed agent."""
        self.replace(PERSON)

    def replace_agent(self) -> None:
        """Let the default opponent play for the failed agent."""
        self.replace(DEFAULT_OPPONENT)

    def undo(self) -> None:
        """Take back the last action of a person."""
        self.ask(Undo())

    def redo(self) -> None:
        """Repeat what was taken back."""
        self.ask(Redo())

    def resign(self) -> None:
        """Resign after a confirmation."""
        if not self._is_my_turn():
            return
        if self._confirms("resign"):
            self._asked_twice = ""
            self.ask(Resign())
        else:
            self.message = "Press Ctrl+R again to resign."

    def draw(self) -> None:
        """Offer or accept a draw after a confirmation."""
        if not self._is_my_turn():
            return
        if self._confirms("draw"):
            self._asked_twice = ""
            self.ask(OfferDraw())
        else:
            what = "offer" if self.game.draw_offer is None else "accept"
            self.message = f"Press Ctrl+O again to {what} a draw."

    def can_replay(self) -> bool:
        """Return whether the game is over and can be replayed; show a message if not."""
        if not self.game.is_over:
            self.message = "Press v to replay the game once it is over."
        return self.game.is_over

    def save(self) -> None:
        """Save the game now, and say where it is."""
        self.message = self.game.save()

    # Choosing an action.

    def _is_my_turn(self) -> bool:
        """Return whether a confirmed person here is to act; show a message if not."""
        game = self.game
        if game.is_over:
            self.message = "The game is over. Press n to start another or u to undo."
        elif self.has_fault:
            self.message = f"{game.names[game.scene().actor]} has failed. {WAYS_OUT}"
        elif not game.is_my_turn:
            self.message = f"{game.names[game.scene().actor]} is thinking."
        elif self.is_covered:
            self.message = self._cover_words("")
        else:
            return True
        return False

    def can_type(self) -> bool:
        """Return whether an action or an agent may be typed now; show a message if not."""
        return self.has_fault or self._is_my_turn()

    def can_ask(self) -> bool:
        """Return whether a hint is possible; show a message either way."""
        if not self._is_my_turn():
            return False
        self.message = "Looking for a hint ..."
        return True

    def play_text(self, text: str) -> None:
        """Play an action's text; after a fault, the text names an agent."""
        if self.has_fault:
            self.replace(text)
        elif self._is_my_turn():
            self.ask(Play(text))

    def choose(self, number: int) -> None:
        """Choose an action without cells by its number, counted from 1."""
        if 1 <= number <= len(self.picker.by_name):
            self.ask(Play(self.picker.by_name[number - 1].action))

    def touch(self) -> None:
        """Choose the cell under the cursor, or place the piece in hand there."""
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
        """Move the cursor to a clicked cell and choose it."""
        self.cursor = cell
        if self._arrows_play and not self.is_covered and self._is_my_turn():
            self._touch_cell()
        else:
            self.touch()

    def _lay(self) -> None:
        ghost = self.picker.ghost(self.cursor)
        assert ghost is not None
        if ghost.action is None:
            self.message = f"{self.picker.group} does not fit here: {ghost.reason}."
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
        """Move the cursor; if actions are named after the arrow keys, play one."""
        if self._arrows_play:
            self.play_text(direction)
            self.cursor = self._first_cursor()
            return
        board = self.scene.board
        if board.size == 0:
            return
        self.cursor = step(board, self.cursor, direction)
        if self.picker.shape:
            self._describe_ghost()
        else:
            self.message = cell_words(self.scene, self.cursor) + self._preview_words()

    def _preview_words(self) -> str:
        """Return how many cells would change hands."""
        count = len(self.preview)
        cells = "1 cell changes" if count == 1 else f"{count} cells change"
        return f". Enter: {cells} hands." if count else ""

    def hover(self, cell: int) -> bool:
        """Move the piece in hand with the mouse; return whether there is one."""
        if not self.picker.shape or self.frames:
            return False
        self.cursor = cell
        self._describe_ghost()
        return True

    def let_go(self) -> None:
        """Clear the selection."""
        self.picker.clear()
        self.picker.let_go()
        self.message = self.scene.status

    # Pieces.

    def take(self, group: str) -> None:
        """Take a piece from the tray."""
        is_first = not self.picker.shape
        self.picker.pick(group)
        self._start_where_it_fits(is_first)
        self._describe_ghost()

    def _start_where_it_fits(self, is_first: bool) -> None:
        """Move the first piece taken to a place where it fits; later ones stay at the cursor."""
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
            self._describe_ghost()
        else:
            self.message = f"No piece whose name begins with {letter} fits anywhere."

    def take_next(self, step: int) -> None:
        """Take the next or previous piece that fits somewhere."""
        is_first = not self.picker.shape
        self.picker.pick_next(step)
        self._start_where_it_fits(is_first)
        self._with_piece()

    def turn(self) -> None:
        """Rotate the piece in hand."""
        self.picker.turn()
        self._with_piece()

    def flip(self) -> None:
        """Flip the piece in hand."""
        self.picker.flip()
        self._with_piece()

    def to_place(self, step: int) -> None:
        """Move the piece in hand, or the first piece, to the next place where it fits."""
        if not self.picker.shape:
            self.picker.pick_next(1)
        place = self.picker.step(self.cursor, step)
        if place is not None:
            self.cursor = place
        self._with_piece()

    def _describe_ghost(self) -> None:
        ghost = self.picker.ghost(self.cursor)
        if ghost is None:
            return
        if ghost.action is not None:
            self.message = f"{self.picker.group} fits: press Enter to place it."
        else:
            self.message = f"{self.picker.group} does not fit: {ghost.reason}."

    def _with_piece(self) -> None:
        if self.picker.shape:
            self._describe_ghost()
        elif self.scene.actions and not self.picker.groups:
            self.message = "There are no pieces to place."
        else:
            self.message = "Take a piece first: a letter, Tab, or a click on it."

    # Hints.

    def show_hint(self, advice: Advice) -> None:
        """Prepare the best choice: mark its cells, and take its piece."""
        self.advice = advice
        self.hints += 1
        best = advice.choices[0]
        wanted = best.choice.action
        view = next((view for view in self.scene.actions if view.action == wanted), None)
        if view is not None and view.cells:
            self._point_to(view)
        self.message = hint_words(best)

    def _point_to(self, view: ActionView) -> None:
        self.hinted = view.cells
        if view.group:
            self.picker.pick(view.group)
            self.picker.shape = self.picker.shape_of(view.cells)
            self.cursor = self.picker.cursor_for(view.cells)
        else:
            self.picker.touched = view.cells[:-1]
            self.cursor = view.cells[-1]
