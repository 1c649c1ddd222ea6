"""The full-screen game: what its keys and clicks do."""

from collections.abc import Callable, Sequence

from textual.binding import Binding
from textual.events import Key
from textual.widgets import Input

from parlour.core.errors import ActionTextError, ParlourError
from parlour.table import PERSON
from parlour.terminal.board import Board
from parlour.terminal.opening import Opening
from parlour.terminal.panels import HelpScreen
from parlour.terminal.stage import Stage
from parlour.terminal.words import cell_words

ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
FASTEST, SLOWEST = 0.02, 10.0


def _do(keys: str, what: str) -> Binding:
    return Binding(keys, f"do({what!r})", show=False)


class ParlourApp(Stage):
    """One game after another, by keyboard and by mouse."""

    BINDINGS = [
        *(_do(key, f"move_{key}") for key in ARROWS),
        _do("enter,space", "touch"),
        _do("escape", "let_go"),
        _do("tab", "next_piece"),
        _do("shift+tab", "previous_piece"),
        _do("r", "turn"),
        _do("f", "flip"),
        _do("full_stop", "next_place"),
        _do("comma", "previous_place"),
        _do("u", "undo"),
        _do("n", "new"),
        _do("s", "save"),
        _do("h", "hint"),
        _do("a", "analysis"),
        _do("e", "evaluation"),
        _do("t", "theme"),
        _do("colon", "type"),
        _do("question_mark,f1", "help"),
        _do("ctrl+r", "resign"),
        _do("ctrl+d", "draw"),
        _do("plus", "faster"),
        _do("minus", "slower"),
        Binding("q,ctrl+c,ctrl+q", "leave", show=False, priority=False),
    ]

    def action_do(self, what: str) -> None:
        """Every key comes here: the first one skips what is being shown."""
        if self.frames:
            self.skip()
            return
        if what != self.asking_again:
            self.asking_again = ""
        getattr(self, f"do_{what}")()

    def action_leave(self) -> None:
        """Leave; the game is kept."""
        self.exit(0)

    def action_take(self, group: str) -> None:
        """Take a piece from the tray."""
        self.picker.pick(group)
        self.draw()
        self.tell_ghost()

    def action_choose(self, number: int) -> None:
        """Choose an action that has no cell, by its number."""
        if self.frames:
            self.skip()
        elif 1 <= number <= len(self.picker.by_name):
            self.perform(self.picker.by_name[number - 1].action)

    def on_key(self, event: Key) -> None:
        """Letters take pieces, digits choose actions without cells."""
        sign = event.character or ""
        if isinstance(self.focused, Input):
            if event.key == "escape":
                self.close_entry()
            return
        if self.frames:
            self.skip()
            event.prevent_default()  # it skips, and does nothing else
            event.stop()
        elif sign.isdecimal():
            self.action_choose(int(sign))
        elif sign.isalpha() and sign.isupper() and self.picker.groups:
            if self.picker.pick_letter(sign):
                self.draw()
                self.tell_ghost()
            else:
                self.say(f"No piece that begins with {sign} fits anywhere.")

    def on_board_touched(self, message: Board.Touched) -> None:
        """A click moves the cursor and chooses."""
        if self.frames:
            self.skip()
            return
        self.cursor = message.cell
        self.do_touch()

    def on_board_hovered(self, message: Board.Hovered) -> None:
        """A piece in hand follows the mouse."""
        if self.picker.shape and not self.frames:
            self.cursor = message.cell
            self.draw()
            self.tell_ghost()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Play what was typed."""
        text = message.value.strip()
        self.close_entry()
        if text:
            self.play_text(text)

    def play_text(self, text: str) -> None:
        """Play an action's text, or say why not."""
        state = self.table.state
        try:
            action = self.table.game.action_from_text(state, text)
        except ActionTextError as error:
            self.say(f"{error}.")
            return
        self.perform(action)

    def close_entry(self) -> None:
        """Back to the board."""
        entry = self.screen_stack[0].query_one(Input)
        entry.value = ""
        entry.display = False
        self.board.focus()

    def is_my_turn(self) -> bool:
        """Whether a person is to act; says so if not."""
        table = self.table
        if table.is_over:
            self.say("The game is over: n starts another, u takes back.")
            return False
        if table.seats[table.actor] != PERSON:
            self.say(f"{table.name_of(table.actor)} is thinking.")
            return False
        return True

    def do_touch(self) -> None:
        """Choose the cell under the cursor, or lay the piece in hand there."""
        if self.delay is not None and not self.table.people:
            self.is_paused = not self.is_paused
            self.draw()
            return
        if not self.is_my_turn():
            self.draw()
            return
        ghost = self.picker.ghost(self.cursor)
        if ghost is not None:
            if ghost.action is None:
                self.draw()
                self.say(f"{self.picker.group} does not go there: {ghost.reason}.")
            else:
                self.perform(ghost.action)
            return
        if self.picker.groups:
            self.say("Take a piece first: a letter, Tab, or a click on it.")
            return
        touch = self.picker.touch(self.cursor)
        if touch.action is not None:
            self.perform(touch.action)
            return
        self.draw()
        where = cell_words(self.scene, self.cursor)
        self.say(f"Not legal: {touch.refusal}." if touch.refusal else f"{where}. Where to?")

    def move(self, key: str) -> None:
        """Move the cursor; where actions are named like the arrow keys, play them."""
        texts: Sequence[str] = [view.text for view in self.scene.actions]
        if texts and all(text in ARROWS for text in texts):
            self.play_text(key)
            self.cursor = self.first_cursor()
            return
        down, right = ARROWS[key]
        row, col = divmod(self.cursor, self.scene.cols)
        row = min(max(row + down, 0), self.scene.rows - 1)
        col = min(max(col + right, 0), self.scene.cols - 1)
        self.cursor = row * self.scene.cols + col
        self.draw()
        if self.picker.shape:
            self.tell_ghost()
        else:
            self.say(cell_words(self.scene, self.cursor))

    def do_move_up(self) -> None:
        """Cursor key."""
        self.move("up")

    def do_move_down(self) -> None:
        """Cursor key."""
        self.move("down")

    def do_move_left(self) -> None:
        """Cursor key."""
        self.move("left")

    def do_move_right(self) -> None:
        """Cursor key."""
        self.move("right")

    def do_let_go(self) -> None:
        """Forget what was chosen."""
        self.picker.clear()
        self.picker.group, self.picker.shape = "", ()
        self.draw()

    # Pieces.

    def tell_ghost(self) -> None:
        """Say whether the piece in hand fits at the cursor, and why not."""
        ghost = self.picker.ghost(self.cursor)
        if ghost is None:
            return
        if ghost.action is not None:
            self.say(f"{self.picker.group} fits: Enter lays it.")
        else:
            self.say(f"{self.picker.group} does not fit: {ghost.reason}.")

    def with_piece(self) -> None:
        """Show what was done to the piece in hand."""
        self.draw()
        if self.picker.shape:
            self.tell_ghost()
        elif self.scene.actions and not self.picker.groups:
            self.say("There are no pieces to lay.")
        else:
            self.say("Take a piece first: a letter, Tab, or a click on it.")

    def do_next_piece(self) -> None:
        """Take the next piece that fits somewhere."""
        self.picker.pick_next(1)
        self.with_piece()

    def do_previous_piece(self) -> None:
        """Take the piece before."""
        self.picker.pick_next(-1)
        self.with_piece()

    def do_turn(self) -> None:
        """Turn the piece in hand."""
        self.picker.turn()
        self.with_piece()

    def do_flip(self) -> None:
        """Flip it."""
        self.picker.flip()
        self.with_piece()

    def do_next_place(self) -> None:
        """Go to the next place where it fits."""
        self.to_place(1)

    def do_previous_place(self) -> None:
        """Go to the place before."""
        self.to_place(-1)

    def to_place(self, step: int) -> None:
        """Move the piece in hand, the first one if there is none."""
        if not self.picker.shape:
            self.picker.pick_next(1)
        place = self.picker.step(self.cursor, step)
        if place is not None:
            self.cursor = place
        self.with_piece()

    # The game.

    def do_undo(self) -> None:
        """Take the last action of a person back."""
        try:
            undone = self.table.takeback()
        except ParlourError as error:
            self.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return
        self.interrupt_opponent()
        self.hinted = ()
        self.settle("Taken back: " + ", ".join(event.text for event in undone) + ".")

    def do_new(self) -> None:
        """Start another game; asks again if this one is going on."""
        if not self.table.is_over and self.table.events and self.asking_again != "new":
            self.asking_again = "new"
            self.say("This game is kept. Press n again for a new one.")
            return
        self.asking_again = ""
        self.interrupt_opponent()
        self.hinted = ()
        try:
            self.table = self.opening.sit_down()
        except ParlourError as error:
            self.say(f"{error}.")
            return
        self.cursor = self.first_cursor()
        self.settle(self.greeting())

    def do_save(self) -> None:
        """Write the file now, and say where it is."""
        if self.table.save():
            self.say(f"Saved in {self.table.path}.")
        elif not self.table.save_problem:
            self.say("This game is not kept: it was started with --no-keep.")
        else:
            self.say("")

    def do_hint(self) -> None:
        """Ask for an action to consider."""
        if self.is_my_turn():
            self.say("Looking for a hint ...")
            self.think_along(self.turn_number, True)

    def do_analysis(self) -> None:
        """Show or hide the analysis."""
        self.shows_analysis = not self.shows_analysis
        self.think_or_draw()

    def do_evaluation(self) -> None:
        """Show or hide the evaluation bar."""
        self.shows_bar = not self.shows_bar
        self.think_or_draw()

    def think_or_draw(self) -> None:
        """Ask the adviser if somebody wants to know."""
        self.draw()
        wanted = self.shows_analysis or self.shows_bar
        if wanted and self.analysis is None and not self.table.is_over:
            self.think_along(self.turn_number)

    def do_theme(self) -> None:
        """Light or dark."""
        self.wanted_theme = "dark" if self.wanted_theme == "light" else "light"
        self.apply_theme()
        self.draw()

    def do_type(self) -> None:
        """Open the line to type an action into."""
        if self.is_my_turn():
            entry = self.screen_stack[0].query_one(Input)
            entry.display = True
            entry.focus()

    def do_help(self) -> None:
        """Open the help."""
        self.push_screen(HelpScreen())

    def do_resign(self) -> None:
        """Give up; asks again."""
        if not self.is_my_turn():
            return
        if self.asking_again != "resign":
            self.asking_again = "resign"
            self.say("Press Ctrl+R again to resign.")
            return
        self.asking_again = ""
        self.attempt(lambda: self.table.resign(self.table.actor))

    def do_draw(self) -> None:
        """Offer or accept a draw."""
        if self.is_my_turn():
            self.attempt(lambda: self.table.offer_draw(self.table.draw_speaker))

    def attempt(self, deed: Callable[[], object]) -> None:
        """Do something at the table, or say why it does not go."""
        try:
            deed()
        except ParlourError as error:
            self.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        else:
            self.settle()

    def do_faster(self) -> None:
        """Halve the delay between the actions of agents."""
        if self.delay is not None:
            self.delay = max(FASTEST, self.delay / 2)
            self.draw()

    def do_slower(self) -> None:
        """Double it."""
        if self.delay is not None:
            self.delay = min(SLOWEST, max(FASTEST, self.delay) * 2)
            self.draw()


def run(opening: Opening, theme: str | None, delay: float | None) -> int:
    """Play in the full screen until the player leaves; the exit status."""
    app = ParlourApp(opening, theme, delay)
    status = app.run()
    table = app.table
    if table.save_problem:
        print(table.save_problem)
    elif table.path is not None and table.path.exists():
        print(f"The game is kept in {table.path}.")
        if not table.is_over:
            print("'parlour play --resume' takes it up again.")
    return app.return_code or status or 0
