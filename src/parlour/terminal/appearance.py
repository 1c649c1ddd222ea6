"""What every screen of ours has: light and dark, the terminal's colours, broken games in words."""

import os
from collections.abc import Mapping

from rich.text import Text
from textual.app import App
from textual.filter import NoColor

from parlour.core.checks import printable
from parlour.core.errors import ContractError
from parlour.core.packages import failure_of_a_game
from parlour.terminal.palette import TRUECOLOR, Palette, palette

BROKEN_GAME = 2  # the status of a command that cannot be carried out


class ThemedApp(App[int]):
    """An app in the light or dark theme."""

    TITLE = "Parlour"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, theme: str | None = None) -> None:
        """`theme` is `light` or `dark`; otherwise what the terminal says of itself."""
        super().__init__()
        if self.no_color:
            self._filters = [NoColor()]  # Textual's own choice is shades of grey
        self.wanted_theme = theme or ("light" if _is_light_terminal() else "dark")
        self.shows_signs = draws_wide_characters(os.environ)
        """Whether traditional characters are shown; otherwise letters."""

    def _handle_exception(self, error: Exception) -> None:
        """Other people's game that goes wrong ends with a sentence; a traceback is for ours."""
        failure = error if isinstance(error, ContractError) else failure_of_a_game(error)
        if failure is None:
            super()._handle_exception(error)
        else:
            self.exit(return_code=BROKEN_GAME, message=Text(printable(f"parlour: {failure}")))

    @property
    def colour_system(self) -> str | None:
        """How many colours the terminal has, in Rich's words; `None`: none are wanted."""
        if self.no_color:
            return None
        return TRUECOLOR if self.is_headless else self.console.color_system

    @property
    def paints(self) -> Palette:
        """What to paint boards with."""
        return palette(self.wanted_theme, self.colour_system)

    def apply_theme(self) -> None:
        """Light or dark; who draws with `paints` takes them anew."""
        self.theme = f"textual-{self.wanted_theme}"

    def toggle_theme(self) -> None:
        """Light or dark."""
        self.wanted_theme = "dark" if self.wanted_theme == "light" else "light"
        self.apply_theme()


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
