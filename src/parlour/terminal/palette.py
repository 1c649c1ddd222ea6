"""The colours of seats and marks: told apart by the colour-blind, and never alone.

The seats' colours are Okabe and Ito's. Every mark is a sign as well as a colour: the
cursor is in brackets, a cell to choose has an angle before it, the last action an
asterisk, a piece in hand a block where it fits and a cross where it does not.
"""

from typing import NamedTuple

from rich.style import Style

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
    seats: tuple[Style, ...]
    wall: Style
    target: Style
    """Laid over a cell that can be chosen and belongs to nobody."""
    fits: Style
    fits_not: Style
    last: Style
    """For the sign of the last action, the target and the hint."""


SEATS = (
    Style(color="#ffffff", bgcolor="#0072b2", bold=True),
    Style(color="#000000", bgcolor="#e69f00", bold=True),
    Style(color="#000000", bgcolor="#37b98b", bold=True),
    Style(color="#000000", bgcolor="#e493bf", bold=True),
    Style(color="#000000", bgcolor="#f0e442", bold=True),
    Style(color="#000000", bgcolor="#56b4e9", bold=True),
)

NAMED = {
    "blue": SEATS[0],
    "yellow": Style(color="#000000", bgcolor="#f0e442", bold=True),
    "red": Style(color="#ffffff", bgcolor="#c64600", bold=True),
    "green": Style(color="#000000", bgcolor="#37b98b", bold=True),
    "black": Style(color="#ffffff", bgcolor="#000000", bold=True),
    "white": Style(color="#000000", bgcolor="#ffffff", bold=True),
}
"""A cell with such a mark has that colour, whoever owns it."""

DARK = Paint(
    plain=Style(color="#c8c8c8", bgcolor="#1b1d22"),
    quiet=Style(color="#8a8f98", bgcolor="#121317"),
    seats=SEATS,
    wall=Style(color="#5b6069", bgcolor="#1b1d22"),
    target=Style(color="#ffffff", bgcolor="#3a3f55", bold=True),
    fits=Style(color="#000000", bgcolor="#56b4e9", bold=True),
    fits_not=Style(color="#ffffff", bgcolor="#a33e00", bold=True),
    last=Style(color="#f0e442", bold=True),
)

LIGHT = Paint(
    plain=Style(color="#33373d", bgcolor="#f4f4f0"),
    quiet=Style(color="#5c6168", bgcolor="#e4e4de"),
    seats=SEATS,
    wall=Style(color="#8d9096", bgcolor="#f4f4f0"),
    target=Style(color="#000000", bgcolor="#d3d9f2", bold=True),
    fits=Style(color="#000000", bgcolor="#56b4e9", bold=True),
    fits_not=Style(color="#ffffff", bgcolor="#a33e00", bold=True),
    last=Style(color="#a33e00", bold=True),
)
