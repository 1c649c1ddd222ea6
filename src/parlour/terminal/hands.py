"""The full screen in the player's hands: choosing cells, typing actions, laying pieces."""

from collections.abc import Sequence

from textual.events import Key
from textual.widgets import Input

from parlour.core.errors import ActionTextError
from parlour.scenes.cursor import DIRECTIONS, step
from parlour.scenes.words import cell_words
from parlour.table import PERSON
from parlour.terminal.board import Board
from parlour.terminal.stage import Stage

LEAVING = ("q", "ctrl+c", "ctrl+q")
ARROWS = DIRECTIONS


class Hands(Stage):
    """A stage on which a person chooses actions, by keys and by clicks."""

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
        if event.key in LEAVING:
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
        if not self.scene.cells:
            self.say("Choose by number, as listed beside the board.")
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
        self.cursor = step(self.scene.board, self.cursor, key)
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
