"""The widget beside the board: framed sections in the space that the screen has."""

from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.widgets import Static

from parlour.core.scene import Scene
from parlour.terminal.full_screen import put
from parlour.terminal.panels import (
    CHOICES,
    MOVES,
    PIECES,
    PLAYERS,
    SECTIONS,
    PanelLook,
    panel_sections,
)
from parlour.terminal.session import Session

ROOMY = 30
"""From this many lines on, each section has a whole frame; in lower ones only a title."""


class SidePanel(VerticalScroll, can_focus=False):
    """Seats, pieces, choices, analysis and moves; the moves fill the rest."""

    DEFAULT_CSS = """
    SidePanel { padding: 0 0 0 1; scrollbar-gutter: stable; }
    SidePanel > Static { border-top: solid $primary; border-title-style: bold; }
    SidePanel > Static { border-title-color: $text; }
    SidePanel > .first { border-top: none; }
    SidePanel.roomy { padding: 0; }
    SidePanel.roomy > Static { border: round $primary; padding: 0 1; }
    SidePanel > .active { border-title-style: bold reverse; }
    """

    def __init__(self) -> None:
        """Start empty."""
        super().__init__(id="side")
        self._shown: tuple[Session, Scene, PanelLook] | None = None

    def compose(self) -> ComposeResult:
        """Create a widget for each section."""
        for number, title in enumerate(SECTIONS):
            section = Static(id=title.lower(), classes="" if number else "first")
            section.border_title = title
            yield section

    def show(self, session: Session, scene: Scene, look: PanelLook) -> None:
        """Show a session; the size of the panel replaces the one in `look`."""
        self._shown = (session, scene, look)
        wide, high = self.scrollable_content_region.size
        is_roomy = high >= ROOMY
        self.set_class(is_roomy, "roomy")
        look = replace(
            look,
            width=max(1, wide - 4 if is_roomy else wide),
            height=high,
            frame=2 if is_roomy else 1,
        )
        sections = panel_sections(session, scene, look)
        for title in SECTIONS:
            section = self.query_one(f"#{title.lower()}", Static)
            section.display = title in sections
            is_free = session.game.is_my_turn and not session.picker.shape
            section.set_class(title in (PIECES, CHOICES) and is_free, "active")
            lines = sections.get(title, ())
            has_frame = is_roomy or title != PLAYERS
            fills = is_roomy and title == MOVES
            section.styles.height = "1fr" if fills else len(lines) + look.frame * has_frame
            put(section, "\n".join(lines))

    def on_resize(self, _: Resize) -> None:
        """Fit the sections to the new size."""
        if self._shown is not None:
            self.show(*self._shown)
