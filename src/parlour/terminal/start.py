"""The start screen: choose a game, its options, seats and clock, or resume a game."""

from collections.abc import Callable
from textwrap import wrap
from typing import ClassVar, Generic, TypeVar

from rich.console import Group
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.events import Click, Key, Resize
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static

from parlour.core.checks import printable
from parlour.core.errors import ParlourError
from parlour.core.scene import Scene
from parlour.exit_codes import INTERRUPTED
from parlour.terminal.draft import Draft, GameChoice
from parlour.terminal.fields import Field
from parlour.terminal.full_screen import COMMON_CSS, SMALLEST, FullScreenApp, put
from parlour.terminal.help import HelpScreen, rules_page
from parlour.terminal.markup import cropped, escape
from parlour.terminal.pictures import Sketch, picture
from parlour.terminal.previews import facts
from parlour.terminal.sentences import sentence

KEYS = "↑↓ choose  Tab options  ←→ change  : type  Enter play  ? rules  q quit"
SHORT_KEYS = "Tab options  Enter play  q quit"
RESUME = "Resume"

HELP = """\
[b]Choose a game[/b]
  up, down       the previous game; the next one; or click it
  Enter, space   play; or click Play
  Tab, right     go to its options and seats; Tab or Esc: back to the games

[b]Options and seats[/b]
  up, down       the previous field; the next one
  left, right    change the value; or click ‹ ›
  :              type a value; or click it

[b]Anywhere[/b]
  t  l           light or dark; letters or characters on the pieces
  ?  q           this help; quit"""

LEAST_PICTURE, MOST_PICTURE = 3, 8
"""The lines of a game's picture."""
NARROW, WIDE = 70, 100
"""The widths below which there are no pictures, and from which there are large ones."""
WORDS = 15
"""The columns of the words beside a picture."""
LEAST_VIEW = 6
"""The fewest lines of a useful picture below the fields."""
VALUE_WIDTH, LEAST_VALUE = 19, 9
"""Names are shortened if a value has less space than this; less in narrow terminals."""

T = TypeVar("T")


class Card(Static):
    """A game in the list of games."""

    DEFAULT_CSS = """
    Card { height: auto; padding: 0 0 1 1; }
    Card.chosen { background: $primary 25%; }
    .used Card.chosen { background: $primary 55%; }
    Card.plain { padding: 0 0 0 1; }
    """

    class Touched(Message):
        """The card was clicked."""

        def __init__(self, number: int) -> None:
            self.number = number
            super().__init__()

    def __init__(self, number: int) -> None:
        """Create the card of that entry."""
        super().__init__()
        self.number = number
        self.sketch = Sketch()

    def on_click(self, event: Click) -> None:
        """Report the clicked card."""
        event.stop()
        self.post_message(self.Touched(self.number))


class Picture(Widget):
    """A large picture below the fields, drawn in advance."""

    def __init__(self) -> None:
        """Start without a picture."""
        super().__init__(id="view")
        self._lines: list[Strip] = []

    def show(self, lines: list[Strip]) -> None:
        """Show these lines after a blank one."""
        if self._lines is not lines:
            self._lines = lines
            self.styles.height = len(lines) + 1
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Render one line of the widget."""
        if 0 < y <= len(self._lines):
            return self._lines[y - 1]
        return Strip.blank(self.size.width, self.rich_style)


class StartApp(FullScreenApp[T], Generic[T]):
    """Choose a game. Exits with the result of `begin`, or `None` if the player quits."""

    CSS = (
        COMMON_CSS
        + """
    #shelf { background: $surface; }
    #form { padding: 0 1; }
    #fields, #about { height: auto; }
    #fields { text-wrap: nowrap; text-overflow: ellipsis; }
    """
    )
    AUTO_FOCUS = ""  # the input line opens on demand
    BINDINGS: ClassVar = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
        Binding("tab,shift+tab", "switch", show=False),
        Binding("escape", "to_shelf", show=False),
        Binding("enter,space", "play", show=False),
        Binding("colon", "type", show=False),
        Binding("t", "theme", show=False),
        Binding("l", "letters", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q,ctrl+d,ctrl+q", "leave(0)", show=False),
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False),
    ]

    def __init__(
        self,
        draft: Draft,
        begin: Callable[[GameChoice], T],
        theme: str | None = None,
        note: str = "",
    ) -> None:
        """Set `begin`, which opens a game or raises `ParlourError`; `note` is the first message."""
        super().__init__(theme)
        self.draft = draft
        self.begin = begin
        self.message = note
        self.in_form = False
        """Whether keys go to the fields of the game and not to the list of games."""
        self.row = 0
        self._pictures: dict[int, tuple[Scene, dict[object, list[Strip]]]] = {}
        """The large pictures that were drawn, by the scene's id and their size and look."""
        self._drawn: dict[Static, object] = {}
        """The source from which each widget's content was drawn."""

    def compose(self) -> ComposeResult:
        """Create the list of games at the left and the chosen game at the right."""
        yield Static("Parlour — choose a game", id="title")
        with Horizontal():
            with VerticalScroll(id="shelf", can_focus=False):
                for number in range(len(self.draft.entries)):
                    yield Card(number)
            with VerticalScroll(id="form", can_focus=False):
                yield Static(id="about")
                yield Static(id="fields")
                yield Picture()
        yield Static(id="message")
        yield Input(id="entry")
        yield Static(id="keys")
        yield Static(f"Parlour needs {SMALLEST[0]} columns and {SMALLEST[1]} lines.", id="tiny")

    def on_mount(self) -> None:
        """Show the draft."""
        self.apply_theme()
        self.show()

    def on_resize(self, event: Resize) -> None:
        """Update the layout."""
        tiny = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        self.screen_stack[0].set_class(tiny, "tiny")
        self.call_after_refresh(self.show)

    # Display.

    def static(self, name: str) -> Static:
        """Return one of the text widgets."""
        return self.screen_stack[0].query_one(f"#{name}", Static)

    def pane(self, name: str) -> VerticalScroll:
        """Return the list of games or the form."""
        return self.screen_stack[0].query_one(f"#{name}", VerticalScroll)

    @property
    def rows(self) -> int:
        """The number of rows in the form."""
        return len(self.draft.fields if self.draft.name else self.draft.unfinished)

    @property
    def picture_size(self) -> tuple[int, int]:
        """The columns and lines of the pictures in the list; zero without space."""
        wide, high = self.size
        space = high - 4
        if wide < NARROW or space < 4 * LEAST_PICTURE:
            return (0, 0)
        lines = space // len(self.draft.entries) - 1
        return (24 if wide >= WIDE else 16, min(MOST_PICTURE, max(LEAST_PICTURE, lines)))

    def redraw(self, widget: Static, draw: Callable[[], Group | Text], *source: object) -> None:
        """Draw a widget's content unless its source is unchanged."""
        if self._drawn.get(widget) != source:
            self._drawn[widget] = source
            widget.update(draw())

    def show(self) -> None:
        """Draw the draft as it is now."""
        draft = self.draft
        self.row = max(0, min(self.row, self.rows - 1))
        columns, _ = self.picture_size
        width = columns + WORDS + 2 if columns else max(16, self.size.width // 3)
        shelf, form = self.pane("shelf"), self.pane("form")
        shelf.styles.width = width
        if self.paints.has_colours:
            form.styles.background = self.paints.ground
        shelf.set_class(not self.in_form, "used")
        for card in self.screen_stack[0].query(Card):
            card.set_class(card.number == draft.at, "chosen")
            card.set_class(not columns, "plain")
            self.show_card(card, card.number == draft.at)
        space = self.size.width - width - 3
        about = self.about() if self.size.height > 2 * SMALLEST[1] - 2 else []
        lines, at = self.field_lines(space)
        self.static("about").display = bool(about)
        chosen = draft.played if draft.name else None
        self.redraw(self.static("about"), lambda: Group(*about), chosen, bool(about))
        put(self.static("fields"), "\n".join(lines))
        taken = sum(len(line.wrap(self.console, space)) for line in about) + len(lines)
        left = self.size.height - 4 - taken - 1
        self.screen_stack[0].query_one(Picture).display = left >= LEAST_VIEW
        if left >= LEAST_VIEW:
            self.show_view(space, left)
        # The visible area is known only after the layout.
        self.call_after_refresh(self.scroll_to_chosen, taken - len(lines) + at)
        has_space = self.size.width >= len(KEYS) + 2
        put(self.static("keys"), escape(KEYS if has_space else SHORT_KEYS))
        put(self.static("message"), escape(self.message or self.words()))

    def scroll_to_chosen(self, line: int) -> None:
        """Scroll to the chosen game and to that line of the form."""
        shelf, form = self.pane("shelf"), self.pane("form")
        for card in self.screen_stack[0].query(Card):
            if card.number == self.draft.at:
                shelf.scroll_to_widget(card, animate=False, immediate=True)
        form.scroll_to_region(Region(0, line, 1, 2), animate=False, immediate=True)

    def words(self) -> str:
        """Return the text about the chosen game or field."""
        draft = self.draft
        if not draft.name:
            return f"{len(draft.unfinished)} unfinished: press Enter to resume the chosen one."
        if self.in_form and draft.fields:
            chosen = draft.fields[self.row]
            text = chosen.problem or chosen.help
            return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."
        problem = draft.problem
        if problem:
            return f"{problem[:1].upper()}{problem[1:]}."
        return "Press Enter to play, Tab for options."

    def show_card(self, card: Card, is_chosen: bool) -> None:
        """Draw a card in the list of games."""
        size = self.picture_size
        scene = self.draft.scene_of(self.draft.entries[card.number]) if size[0] else None
        source = (scene, size, self.paints, self.shows_signs, is_chosen)
        self.redraw(card, lambda: self.card(card, is_chosen), *source)

    def card(self, card: Card, is_chosen: bool) -> Group | Text:
        """Return a card: a picture, and words beside it."""
        draft = self.draft
        columns, lines = self.picture_size
        name = draft.entries[card.number]
        game = draft.games.get(name)
        title = RESUME if game is None else printable(game.title)
        mark = "▸ " if is_chosen else "  "
        if not columns:
            return Text(mark + title, "bold" if is_chosen else "", no_wrap=True, overflow="crop")
        count = f"{len(draft.unfinished)} unfinished"
        words = [title, *(facts(game).split(" · ") if game is not None else [count])]
        beside = [Text(""), *(Text(word) for word in words)] if lines > len(words) else []
        beside = (beside or [Text(word) for word in words])[:lines]
        scene = draft.scene_of(name)
        drawn = card.sketch.lines(scene, columns, lines, self.paints, self.shows_signs)
        rows = []
        for number, part in enumerate(drawn):
            row = Text(no_wrap=True, overflow="crop").append_text(part)
            text = beside[number].plain if number < len(beside) else ""
            is_title = text == title
            row.append((mark if is_title else "  ") + text, "bold" if is_title else "")
            rows.append(row)
        return Group(*rows)

    def about(self) -> list[Text]:
        """Return the name of the chosen game and the beginning of its rules."""
        game = self.draft.games.get(self.draft.name)
        if game is None:
            return [Text("Unfinished games", "bold"), Text("")]
        played = self.draft.played
        words = next((section.text for section in played.guide().rules()), "")
        lines = [Text(f"{printable(played.title)}  ", "bold").append(facts(played), "not bold dim")]
        if words:
            lines += [Text(""), Text(printable(words))]
        return [*lines, Text("")]

    def field_lines(self, width: int) -> tuple[list[str], int]:
        """Return the form with markup, and the line of the chosen row."""
        draft = self.draft
        lines: list[str] = []
        at = 0
        if not draft.name:
            for number, left in enumerate(draft.unfinished):
                is_chosen = number == draft.resumed
                at = len(lines) if is_chosen else at
                words = f"{left.record.game.title}: {draft.words_on(left)}"
                look = "reverse" if is_chosen else "not bold"
                mark = "▸ " if is_chosen else "  "
                lines.append(f"[{look} @click=app.pick({number})]{escape(mark + words)}[/]")
        fields = draft.fields
        labels = max((len(each.heading) for each in fields), default=0)
        for number, each in enumerate(fields):
            is_chosen = self.in_form and number == self.row
            at = len(lines) if is_chosen else at
            lines += self.field_line(number, each, is_chosen, labels, width)
        word = RESUME if not draft.name else "Play"
        lines += ["", f"[reverse b @click=app.play()]  {word}  [/]"]
        return lines, at

    def field_line(
        self, number: int, each: Field, is_chosen: bool, labels: int, width: int
    ) -> list[str]:
        """Return a field, with its problem below it; the longest label has `labels` letters."""
        mark = "▸ " if is_chosen else "  "
        least = VALUE_WIDTH if width > 2 * VALUE_WIDTH else LEAST_VALUE
        space = max(1, min(labels, width - least - 7))
        label = escape(f"{mark}{cropped(each.heading, space):{space}}")
        look = "reverse" if is_chosen else "b"
        value = escape(printable(each.shown or each.value))
        line = (
            f"[@click=app.pick({number})]{label}[/] [@click=app.value_before({number})]‹[/]"
            f"[{look} @click=app.edit({number})] {value} [/][@click=app.value_after({number})]›[/]"
        )
        if not each.problem:
            return [line]
        wrapped = wrap(printable(each.problem), max(8, width - 4))
        return [line, *(f"    [$text-error]{escape(part)}[/]" for part in wrapped)]

    def show_view(self, width: int, lines: int) -> None:
        """Draw a large picture of the chosen game."""
        scene = self.draft.scene
        source = (width, lines - 1, self.wanted_theme, self.shows_signs)
        known = self._pictures.setdefault(id(scene), (scene, {}))[1]  # the scene keeps its id
        if source not in known:
            drawn = picture(scene, width, lines - 1, self.paints, self.shows_signs)
            known[source] = [Strip(line.render(self.console)) for line in drawn]
        self.screen_stack[0].query_one(Picture).show(known[source])

    # Commands.

    def done(self) -> None:
        """Clear the message and draw after a choice."""
        self.message = ""
        self.show()

    def action_move(self, by: int) -> None:
        """Choose another game or another row of the form."""
        if not self.in_form:
            self.draft.step(by)
            self.row = 0
        elif not self.draft.name:
            self.draft.step_resumed(by)
        else:
            self.row = max(0, min(self.row + by, self.rows - 1))
        self.done()

    def action_turn(self, by: int) -> None:
        """Change a value, or go from the list to the form."""
        if self.in_form and self.draft.name:
            self.draft.change(self.row, by)
        else:
            self.in_form = by > 0
        self.done()

    def action_switch(self) -> None:
        """Switch between the list and the form."""
        self.in_form = not self.in_form
        self.done()

    def action_to_shelf(self) -> None:
        """Go to the list of games."""
        self.in_form = False
        self.done()

    def action_pick(self, number: int) -> None:
        """Choose a clicked row of the form."""
        self.in_form = True
        self.row = number
        if not self.draft.name:
            self.draft.resumed = number
        self.done()

    def action_value_before(self, number: int) -> None:
        """Choose the previous value of a field."""
        self.action_pick(number)
        self.action_turn(-1)

    def action_value_after(self, number: int) -> None:
        """Choose the next value of a field."""
        self.action_pick(number)
        self.action_turn(1)

    def action_edit(self, number: int) -> None:
        """Type into a clicked field."""
        self.action_pick(number)
        self.action_type()

    def on_card_touched(self, message: Card.Touched) -> None:
        """Choose a clicked game."""
        self.in_form = False
        self.draft.at = message.number
        self.row = 0
        self.done()

    def action_type(self) -> None:
        """Open the input line for a value."""
        if not self.draft.name:
            return
        if not self.in_form:
            self.in_form = True
            self.done()
        chosen = self.draft.fields[self.row]
        entry = self.screen_stack[0].query_one(Input)
        entry.placeholder = chosen.name
        entry.value = chosen.value
        entry.display = True
        entry.focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Set the typed value."""
        self.draft.set(self.row, message.value)
        self.close_entry()

    def on_key(self, event: Key) -> None:
        """Close the input line on Esc."""
        if isinstance(self.focused, Input) and event.key == "escape":
            event.stop()
            event.prevent_default()
            self.close_entry()

    def close_entry(self) -> None:
        """Close the input line and return to the fields."""
        entry = self.screen_stack[0].query_one(Input)
        entry.display = False
        self.set_focus(None)
        self.done()

    def action_play(self) -> None:
        """Start the game, or show why that is not possible."""
        try:
            begun = self.begin(self.draft.choice())
        except ParlourError as error:
            self.message = sentence(error)
            self.show()
        else:
            self.exit(begun)

    def action_theme(self) -> None:
        """Switch between light and dark."""
        self.toggle_theme()
        self.show()

    def action_letters(self) -> None:
        """Switch between letters and characters on the pieces."""
        self.shows_signs = not self.shows_signs
        self.show()

    def action_help(self) -> None:
        """Open the rules of the chosen game, and the keys."""
        draft = self.draft
        game = draft.played if draft.name else draft.unfinished[draft.resumed].record.game
        page = rules_page(game.guide().rules(), [], draft.scene, self.paints, self.shows_signs)
        self.push_screen(HelpScreen(page, HELP, first=1))

    def action_leave(self, status: int) -> None:
        """Quit."""
        self.exit(None, return_code=status)
