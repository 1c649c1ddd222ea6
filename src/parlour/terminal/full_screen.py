"""Shared by all full-screen apps: theme, colours and error handling."""

import os
from typing import TypeVar

from rich.text import Text
from textual.app import App
from textual.filter import NoColor
from textual.screen import Screen
from textual.widgets import Static

from parlour.core.checks import printable
from parlour.core.errors import ContractError, ParlourError
from parlour.core.packages import failure_of_a_game
from parlour.exit_codes import WRONG
from parlour.terminal.characters import draws_wide_characters
from parlour.terminal.palette import TRUECOLOR, Palette, palette

SMALLEST = (40, 12)
"""The columns and lines that an app needs."""

COMMON_CSS = """
#title { height: auto; max-height: 2; background: $primary-darken-2; color: $text; padding: 0 1; }
#message { height: auto; min-height: 1; max-height: 3; padding: 0 1; background: $panel; }
#keys { height: 1; padding: 0 1; color: $text-muted; }
#entry { display: none; height: 1; border: none; padding: 0 1; }
Static { link-style: none; link-color: $text; link-background: transparent; }
Static { link-style-hover: bold; link-color-hover: $text; link-background-hover: $primary 40%; }
#keys { link-color: $text-muted; }
#tiny { display: none; }
Screen.tiny > * { display: none; }
Screen.tiny > #tiny { display: block; }
VerticalScroll { scrollbar-size-vertical: 1; scrollbar-color: $primary; }
VerticalScroll { scrollbar-background: $panel; }
"""
"""The common style. Text has a contrast of at least 4.5."""

R = TypeVar("R")


class BareScreen(Screen[None], inherit_bindings=False):
    """A screen that leaves every key to its app, including Tab."""


class FullScreenApp(App[R]):
    """An app in light or dark, with as many colours as the terminal has."""

    TITLE = "Parlour"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, theme: str | None = None) -> None:
        """Set `theme` to `light` or `dark`; by default it follows the terminal's background."""
        super().__init__()
        if self.no_color:
            self._filters = [NoColor()]  # Textual would use shades of grey
        self.wanted_theme = theme or ("light" if _is_light_terminal() else "dark")
        self.shows_signs = draws_wide_characters(os.environ)
        """Whether traditional characters are shown; otherwise letters."""

    def get_default_screen(self) -> BareScreen:
        """Return the bottom screen."""
        return BareScreen(id="_default")

    def _handle_exception(self, error: Exception) -> None:
        """End with a message if a third-party game fails; Parlour's own bugs get a traceback."""
        failure = error if isinstance(error, ContractError) else failure_of_a_game(error)
        if failure is None:
            super()._handle_exception(error)
        else:
            self.give_up(failure)

    def give_up(self, failure: ParlourError) -> None:
        """Exit with an error message."""
        self.exit(return_code=WRONG, message=Text(printable(f"parlour: {failure}")))

    @property
    def colour_system(self) -> str | None:
        """The number of colours, in Rich's words; `None` if colours are disabled."""
        if self.no_color:
            return None
        return TRUECOLOR if self.is_headless else self.console.color_system

    @property
    def paints(self) -> Palette:
        """The palette for boards."""
        return palette(self.wanted_theme, self.colour_system)

    def apply_theme(self) -> None:
        """Apply light or dark."""
        self.theme = f"textual-{self.wanted_theme}"

    def toggle_theme(self) -> None:
        """Switch between light and dark."""
        self.wanted_theme = "dark" if self.wanted_theme == "light" else "light"
        self.apply_theme()


def put(widget: Static, text: str) -> None:
    """Show a text, but skip the layout if it has not changed."""
    if widget.content != text:
        widget.update(text)


def _is_light_terminal() -> bool:
    """Return whether the terminal reports a light background."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return background in ("7", "15")
