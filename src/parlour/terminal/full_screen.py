"""What every full-screen app of Parlour shares: its theme, its colours, and how it fails."""

import os
from collections.abc import Mapping
from typing import TypeVar

from rich.text import Text
from textual.app import App
from textual.filter import NoColor
from textual.screen import Screen
from textual.widgets import Static

from parlour.core.checks import printable
from parlour.core.errors import ContractError, ParlourError
from parlour.core.packages import failure_of_a_game
from parlour.terminal.palette import TRUECOLOR, Palette, palette

BROKEN_GAME = 2  # the status of a command that cannot be carried out
SMALLEST = (40, 12)
"""The columns and lines that an app needs."""

COMMON_CSS = """
#title { height: auto; max-height: 2; background: $primary-darken-2; color: $text; padding: 0 1; }
#message { height: auto; min-height: 1; max-height: 3; padding: 0 1; background: $panel; }
#keys { height: 1; padding: 0 1; color: $text-muted; }
#entry { display: none; height: 1; border: none; padding: 0 1; }
#tiny { display: none; }
Screen.tiny > * { display: none; }
Screen.tiny > #tiny { display: block; }
VerticalScroll { scrollbar-size-vertical: 1; scrollbar-color: $primary; }
VerticalScroll { scrollbar-background: $panel; }
"""
"""How what all apps have looks: what is read has a contrast of at least 4.5."""

R = TypeVar("R")


class BareScreen(Screen[None], inherit_bindings=False):
    """A screen that leaves every key to its app: Tab too, which would go from widget to widget."""


class FullScreenApp(App[R]):
    """Light or dark, in as many colours as the terminal has."""

    TITLE = "Parlour"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, theme: str | None = None) -> None:
        """`theme` is `light` or `dark`; without it the terminal's own is guessed."""
        super().__init__()
        if self.no_color:
            self._filters = [NoColor()]  # Textual's own choice is shades of grey
        self.wanted_theme = theme or ("light" if _is_light_terminal() else "dark")
        self.shows_signs = draws_wide_characters(os.environ)
        """Whether traditional characters are shown; otherwise letters."""

    def get_default_screen(self) -> BareScreen:
        """The screen below all others."""
        return BareScreen(id="_default")

    def _handle_exception(self, error: Exception) -> None:
        """Other people's game that goes wrong ends with a sentence; a traceback is for ours."""
        failure = error if isinstance(error, ContractError) else failure_of_a_game(error)
        if failure is None:
            super()._handle_exception(error)
        else:
            self.give_up(failure)

    def give_up(self, failure: ParlourError) -> None:
        """Nobody can go on: end with a sentence."""
        self.exit(return_code=BROKEN_GAME, message=Text(printable(f"parlour: {failure}")))

    @property
    def colour_system(self) -> str | None:
        """How many colours the terminal has, in Rich's words; `None`: none are wanted."""
        if self.no_color:
            return None
        return TRUECOLOR if self.is_headless else self.console.color_system

    @property
    def paints(self) -> Palette:
        """What boards are painted with."""
        return palette(self.wanted_theme, self.colour_system)

    def apply_theme(self) -> None:
        """Light or dark."""
        self.theme = f"textual-{self.wanted_theme}"

    def toggle_theme(self) -> None:
        """Light instead of dark, or the other way round."""
        self.wanted_theme = "dark" if self.wanted_theme == "light" else "light"
        self.apply_theme()


def put(widget: Static, text: str) -> None:
    """Show a text, unless the widget shows it already: a new layout takes time."""
    if widget.content != text:
        widget.update(text)


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
