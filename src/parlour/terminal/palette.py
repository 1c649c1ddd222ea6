"""The colours of seats and marks: told apart by the colour-blind, and never alone.

The seats' colours are Okabe and Ito's. Every mark is a sign as well as a colour: the
cursor is in brackets, a cell to choose has an angle before it, the last action an
asterisk, a piece in hand a block where it fits and a cross where it does not.
"""

from typing import NamedTuple

from rich.style import Style

from parlour.core.colours import COLOURS

CURSOR = ("[", "]")
TOUCHED = "{"
TARGET = "›"
LAST = "*"
HINT = "!"
FITS = "■"
FITS_NOT = "×"


class Paint(NamedTuple):
    """The styles of one theme."""

    plain: Style
    quiet: Style
    wall: Style
    target: Style
    """Laid over a cell that can be chosen and belongs to nobody."""
    fits: Style
    fits_not: Style
    last: Style
    """For the sign of the last action, the target and the hint."""


STYLES = {
    name: Style(color=paint.ink, bgcolor=paint.fill, bold=True) for name, paint in COLOURS.items()
}
"""How a cell of each published colour is painted, in both themes."""

DARK = Paint(
    plain=Style(color="#c8c8c8", bgcolor="#1b1d22"),
    quiet=Style(color="#8a8f98", bgcolor="#121317"),
    wall=Style(color="#5b6069", bgcolor="#1b1d22"),
    target=Style(color="#ffffff", bgcolor="#3a3f55", bold=True),
    fits=Style(color="#000000", bgcolor="#56b4e9", bold=True),
    fits_not=Style(color="#ffffff", bgcolor="#a33e00", bold=True),
    last=Style(color="#f0e442", bold=True),
)

LIGHT = Paint(
    plain=Style(color="#33373d", bgcolor="#f4f4f0"),
    quiet=Style(color="#5c6168", bgcolor="#e4e4de"),
    wall=Style(color="#8d9096", bgcolor="#f4f4f0"),
    target=Style(color="#000000", bgcolor="#d3d9f2", bold=True),
    fits=Style(color="#000000", bgcolor="#56b4e9", bold=True),
    fits_not=Style(color="#ffffff", bgcolor="#a33e00", bold=True),
    last=Style(color="#a33e00", bold=True),
)
