"""The help: a page of keys, and a page of rules with pictures of the cells."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.visual import VisualType
from textual.widgets import Static

from parlour.core.checks import printable
from parlour.core.guide import NO_RULES, Section
from parlour.core.scene import Cell, Scene, display_width
from parlour.terminal.keys import HELP
from parlour.terminal.marks import Marks
from parlour.terminal.palette import Palette
from parlour.terminal.pictures import UNMARKED, cell_picture, cell_size, kinds_of

SIGNS = {
    "the cursor": Marks(),
    "can be chosen": Marks(targets=(0,), shows_cursor=False),
    "the last action": Marks(last=(0,), shows_cursor=False),
    "a hint": Marks(hint=(0,), shows_cursor=False),
    "would change hands": Marks(preview=(0,), shows_cursor=False),
    "chosen to go from": Marks(touched=(0,), shows_cursor=False),
}
"""The marks on top of cells, by their meaning."""

PIECE_SIGNS = {
    "the piece fits": Marks(ghost=(0,), ghost_fits=True, shows_cursor=False),
    "it does not fit": Marks(ghost=(0,), shows_cursor=False),
}


Entry = tuple[list[Text], str]
"""A picture and its meaning."""


class RulesPage:
    """The rules of a game, laid out for any width."""

    def __init__(
        self,
        rules: Sequence[Section],
        topics: Sequence[tuple[str, str]],
        kinds: list[Entry],
        signs: list[Entry],
    ) -> None:
        """Set the rules in sections, the game's explanations, and pictures of cells and signs."""
        self.rules = rules
        self.topics = topics
        self.kinds = kinds
        self.signs = signs

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render sections, then pictures in columns, then the game's topics verbatim."""
        for number, section in enumerate(self.rules or (Section("", NO_RULES),)):
            if number:
                yield Text("")
            if section.title:
                yield Text(printable(section.title), "bold")
            yield from paragraphs(section.text)
        for title, entries in (("On the board", self.kinds), ("Marks", self.signs)):
            if entries:
                yield Text(f"\n{title}", "bold")
                yield from side_by_side(entries, options.max_width)
        for title, text in self.topics:
            yield Text(f"\n{printable(title)}", "bold")
            for line in text.splitlines():
                yield Text(printable(line), no_wrap=True, overflow="fold")


def rules_page(
    rules: Sequence[Section],
    topics: Sequence[tuple[str, str]],
    scene: Scene,
    palette: Palette,
    shows_signs: bool,
    legend: Sequence[Cell] = (),
) -> RulesPage:
    """Return the page for a game, with the cells of its legend or else of its current scene."""
    if scene.board.size == 0:
        return RulesPage(rules, topics, [], [])
    size = cell_size(scene, palette, shows_signs)
    kinds = kinds_of(scene)
    plain = min(kinds, key=lambda cell: (cell.owner >= 0, bool(cell.face or cell.marks)))

    def drawn(cell: Cell, marks: Marks = UNMARKED) -> list[Text]:
        return cell_picture(cell, marks, size, palette, shows_signs)

    signs = dict(SIGNS)
    if any(view.group for view in scene.actions):
        signs |= PIECE_SIGNS
    return RulesPage(
        rules,
        topics,
        [(drawn(cell), cell.label) for cell in legend or kinds],
        [(drawn(plain, marks), meaning) for meaning, marks in signs.items()],
    )


def paragraphs(text: str) -> Iterable[Text]:
    """Return the paragraphs of a text for wrapping; indented lines stay as they are."""
    for number, block in enumerate(text.split("\n\n")):
        if number:
            yield Text("")
        lines = [printable(line) for line in block.splitlines()]
        is_list = any(line.startswith((" ", "-", "*")) for line in lines)
        yield Text(("\n" if is_list else " ").join(lines))


def side_by_side(entries: Sequence[Entry], width: int) -> Iterable[Text]:
    """Return pictures with their labels, in as many columns as fit."""
    words = max(display_width(printable(label)) for _, label in entries)
    wide = entries[0][0][0].cell_len + 1 + words
    columns = max(1, (width + 2) // (wide + 2))
    for first in range(0, len(entries), columns):
        if first:
            yield Text("")
        row = entries[first : first + columns]
        parts = [_entry(picture, label, wide) for picture, label in row]
        for line in zip_longest(*parts):
            text = Text(no_wrap=True, overflow="crop")
            for number, part in enumerate(line):
                text.append("  " if number else "")
                text.append_text(part)
            yield text


def _entry(picture: list[Text], label: str, wide: int) -> list[Text]:
    """Return the lines of a picture with its label at the middle, all equally wide."""
    middle = (len(picture) - 1) // 2
    lines = []
    for number, part in enumerate(picture):
        line = part.copy()
        line.append(f" {printable(label)}" if number == middle else "", "not bold")
        line.append(" " * (wide - line.cell_len))
        lines.append(line)
    return lines


class HelpScreen(ModalScreen[None]):
    """Two pages. Tab switches, Esc closes, arrows and the wheel scroll."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > VerticalScroll {
        width: 80; max-width: 100%; height: auto; max-height: 100%;
        border: round $primary; border-title-color: $text; border-subtitle-color: $text;
        padding: 0 1; background: $surface;
    }
    """
    BINDINGS: ClassVar = [
        Binding("escape,q,enter", "close", show=False),
        Binding("tab,left,right,question_mark,f1,space", "turn", show=False),
    ]

    def __init__(self, rules: VisualType, keys: str = HELP, first: int = 0) -> None:
        """Set the pages; `keys` is markup, and `first` 1 opens the rules."""
        super().__init__()
        self.pages: tuple[tuple[str, VisualType], ...] = (
            ("Keys", keys),
            ("How to play", rules),
        )
        self.at = first

    def compose(self) -> ComposeResult:
        """Create the widget for one page."""
        with VerticalScroll():
            yield Static(id="help")

    def on_mount(self) -> None:
        """Open the first page."""
        self.show()

    def show(self) -> None:
        """Show the page from its beginning."""
        title, content = self.pages[self.at]
        other = self.pages[1 - self.at][0]
        scroll = self.query_one(VerticalScroll)
        scroll.border_title = title
        scroll.border_subtitle = f"Tab: {other.lower()}   Esc: close"
        self.query_one("#help", Static).update(content)
        scroll.scroll_home(animate=False)
        scroll.focus()

    def action_turn(self) -> None:
        """Switch to the other page."""
        self.at = 1 - self.at
        self.show()

    def action_close(self) -> None:
        """Close the help."""
        if self.is_current:
            self.dismiss()

    def on_click(self) -> None:
        """Switch pages on a click."""
        self.action_turn()
