"""The full-screen game: its keys, and what they do to the game."""

from collections.abc import Callable

from textual.binding import Binding
from textual.widgets import Input

from parlour.core.errors import ParlourError
from parlour.table.opening import Opening
from parlour.terminal.hands import ARROWS, LEAVING, Hands
from parlour.terminal.panels import HelpScreen

FASTEST, SLOWEST = 0.02, 10.0


def _do(keys: str, what: str) -> Binding:
    return Binding(keys, f"do({what!r})", show=False)


class ParlourApp(Hands):
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
        Binding(",".join(LEAVING), "leave", show=False),
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
