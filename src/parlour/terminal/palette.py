"""The colours of the board, by theme and by how many colours the terminal has.

A cell's own colour is a published one. All others are chosen for contrast: at least 4.5 for text,
and at least 3 for the edges of cells and marks. Colour is never the only sign: every mark is also a
sign or a shape, and without colours the glyphs, lines and reversed cells show the same.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from rich.color import Color, ColorSystem
from rich.style import Style

from parlour.core.colours import COLOURS, Paint, contrast

TARGET = "›"
LAST = "•"
HINT = "!"
PREVIEW = "+"
FITS = "■"
FITS_NOT = "×"

TEXT_CONTRAST = 4.5
EDGE_CONTRAST = 3.0

TRUECOLOR = "truecolor"
EIGHT_BIT = "256"
STANDARD = "standard"
NONE = ""
"""The number of colours, in Rich's words."""


class Palette(NamedTuple):
    """The colours of one theme; all are empty without colours."""

    ground: str
    """The area around the board, and its holes."""
    name: str
    """The names of rows and columns."""
    frame: str
    plain: Paint
    """A cell without a colour."""
    edge: str
    """The lines between plain cells."""
    wall: Paint
    goal: Paint
    start: Paint
    back: Paint
    """A face-down disc."""
    last: Paint
    """A plain cell of the last action."""
    preview: Paint
    """A plain cell that would change hands."""
    touched: Paint
    """The cell that was chosen to move from."""
    fits: Paint
    fits_not: Paint
    sign: str
    """Signs of the last action and of hints on plain cells."""
    target: str
    """The sign of a cell that can be chosen: visible but unobtrusive."""
    colours: Mapping[str, Paint]
    """The published colours in this theme."""

    @property
    def has_colours(self) -> bool:
        """Whether there are colours."""
        return bool(self.ground)


DARK = Palette(
    ground="#101216",
    name="#9aa0ab",
    frame="#6e7480",
    plain=Paint("#1d2026", "#d7dae0"),
    edge="#737986",
    wall=Paint("#8b93a1", "#000000"),
    goal=Paint("#f0e442", "#000000"),
    start=Paint("#282d38", "#ffffff"),
    back=Paint("#9c7a4d", "#000000"),
    last=Paint("#2b2c17", "#ffffff"),
    preview=Paint("#143029", "#ffffff"),
    touched=Paint("#f0e442", "#000000"),
    fits=Paint("#ffffff", "#000000"),
    fits_not=Paint("#d55e00", "#000000"),
    sign="#f0e442",
    target="#7f92b3",
    colours=COLOURS,
)

LIGHT = Palette(
    ground="#dcdcd4",
    name="#4b5058",
    frame="#646971",
    plain=Paint("#f7f7f3", "#2b2f35"),
    edge="#7b7f86",
    wall=Paint("#565c66", "#ffffff"),
    goal=Paint("#8a3d00", "#ffffff"),
    start=Paint("#e4e7ee", "#000000"),
    back=Paint("#86643a", "#ffffff"),
    last=Paint("#f8f0c0", "#000000"),
    preview=Paint("#dcf3e7", "#000000"),
    touched=Paint("#5b2d8e", "#ffffff"),
    fits=Paint("#22262c", "#ffffff"),
    fits_not=Paint("#b5470a", "#ffffff"),
    sign="#a33e00",
    target="#61759a",
    colours=COLOURS,
)

# The sixteen colours with Rich's values, so that Rich does not change them.
BLACK, MAROON, FOREST, BROWN = "#000000", "#aa0000", "#00aa00", "#aa5500"
NAVY, VIOLET, TEAL, SILVER = "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa"
GREY, SALMON, LIME, YELLOW = "#555555", "#ff5555", "#55ff55", "#ffff55"
INDIGO, PINK, CYAN, WHITE = "#5555ff", "#ff55ff", "#55ffff", "#ffffff"

SIXTEEN = {
    "blue": Paint(NAVY, WHITE),
    "orange": Paint(SALMON, BLACK),
    "green": Paint(FOREST, BLACK),
    "pink": Paint(PINK, BLACK),
    "yellow": Paint(YELLOW, BLACK),
    "cyan": Paint(CYAN, BLACK),
    "red": Paint(MAROON, WHITE),
    "purple": Paint(VIOLET, WHITE),
    "brown": Paint(BROWN, WHITE),
    "grey": Paint(GREY, WHITE),
    "black": Paint(BLACK, WHITE),
    "white": Paint(WHITE, BLACK),
}

DARK_SIXTEEN = Palette(
    ground=BLACK,
    name=SILVER,
    frame=SILVER,
    plain=Paint(BLACK, SILVER),
    edge=INDIGO,
    wall=Paint(SILVER, BLACK),
    goal=Paint(YELLOW, BLACK),
    start=Paint(GREY, WHITE),
    back=Paint(BROWN, WHITE),
    last=Paint(BLACK, WHITE),
    preview=Paint(TEAL, BLACK),
    touched=Paint(YELLOW, BLACK),
    fits=Paint(WHITE, BLACK),
    fits_not=Paint(SALMON, BLACK),
    sign=YELLOW,
    target=TEAL,
    colours=SIXTEEN,
)

LIGHT_SIXTEEN = Palette(
    ground=WHITE,
    name=BLACK,
    frame=GREY,
    plain=Paint(WHITE, BLACK),
    edge=GREY,
    wall=Paint(GREY, WHITE),
    goal=Paint(BROWN, WHITE),
    start=Paint(SILVER, BLACK),
    back=Paint(BROWN, WHITE),
    last=Paint(YELLOW, BLACK),
    preview=Paint(TEAL, BLACK),
    touched=Paint(VIOLET, WHITE),
    fits=Paint(BLACK, WHITE),
    fits_not=Paint(MAROON, WHITE),
    sign=MAROON,
    target=NAVY,
    colours=SIXTEEN,
)

BARE = Paint("", "")
COLOURLESS = Palette(
    *("", "", ""),
    BARE,
    "",
    *(BARE,) * 9,
    *("", ""),
    dict.fromkeys(COLOURS, BARE),
)


@cache
def nearest(colour: str) -> str:
    """Return the nearest of the 256 colours that most terminals have."""
    return Color.parse(colour).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex


THEMES = {
    ("dark", TRUECOLOR): DARK,
    ("light", TRUECOLOR): LIGHT,
    ("dark", EIGHT_BIT): DARK,
    ("light", EIGHT_BIT): LIGHT,
    ("dark", STANDARD): DARK_SIXTEEN,
    ("light", STANDARD): LIGHT_SIXTEEN,
}
"""Palettes by theme and number of colours."""


def palette(theme: str, colour_system: str | None) -> Palette:
    """Return the palette of a theme for a terminal with these colours; `None` for no colours."""
    return THEMES.get((theme, colour_system or NONE), COLOURLESS)


@cache
def style(
    ink: str, fill: str, bold: bool = False, underline: bool = False, reverse: bool = False
) -> Style:
    """Return a style; an empty colour is the terminal's default."""
    return Style(
        color=ink or None,
        bgcolor=fill or None,
        bold=bold or None,
        underline=underline or None,
        reverse=reverse or None,
    )


def seat_paint(palette: Palette, colour: str) -> Paint:
    """Return the colours of a seat beside the board, matching its discs.

    Black and white become grey if the background is as dark or as light.
    """
    paint = palette.colours[colour]
    if colour not in ("black", "white") or not palette.ground:
        return paint
    if contrast(paint.fill, palette.ground) >= EDGE_CONTRAST:
        return paint
    return Paint(palette.name, paint.fill)


@cache
def line_on(fill: str, wanted: str) -> str:
    """Return the colour of a line on that fill: the wanted one if it is visible, or black or white.

    It must also be visible in 256 colours.
    """
    if not fill:
        return ""
    for colour in (wanted, "#000000"):
        shown = contrast(nearest(colour), nearest(fill))
        if min(contrast(colour, fill), shown) >= EDGE_CONTRAST:
            return colour
    return "#ffffff"


@cache
def shade_on(fill: str, wanted: str) -> str:
    """Return the colour of an area beside another: the wanted one, made darker or lighter.

    It changes only as much as is needed to see where the areas meet.
    """
    if not fill or not wanted:
        return ""
    end = int(cursor_on(fill)[1:3], 16)
    parts = [int(wanted[at : at + 2], 16) for at in (1, 3, 5)]
    shade = wanted
    for tenths in range(11):
        mixed = [round(part + (end - part) * tenths / 10) for part in parts]
        shade = "#" + "".join(f"{part:02x}" for part in mixed)
        shown = contrast(nearest(shade), nearest(fill))
        if min(contrast(shade, fill), shown) >= EDGE_CONTRAST:
            break
    return shade


@cache
def cursor_on(fill: str) -> str:
    """Return the colour of the cursor on that fill: white, or black if that is more visible."""
    if not fill:
        return ""
    return max(("#ffffff", "#000000"), key=lambda colour: contrast(colour, fill))


@cache
def block_on(fill: str, plain: str) -> str:
    """Return the fill of a cell that is the cursor, visible among plain cells and on `fill`."""
    if not fill:
        return ""
    block = cursor_on(plain)
    return block if block != fill else cursor_on(fill)


@cache
def written_on(fill: str, wanted: str) -> str:
    """Return the colour of text on that fill: the wanted one if it is readable."""
    if not fill or not wanted:
        return ""
    shown = contrast(nearest(wanted), nearest(fill))
    readable = min(contrast(wanted, fill), shown) >= TEXT_CONTRAST
    return wanted if readable else cursor_on(fill)
