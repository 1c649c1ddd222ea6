"""The colours of cells, chosen so that colour-blind people can distinguish them.

Most are from the palette of Okabe and Ito; the others keep as far from them as their names allow.
A display with fewer colours maps them. Colour is never needed: every cell also has a glyph and a
label.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from parlour.core.scene import Cell


class Paint(NamedTuple):
    """A colour for screens and pictures: the fill of a cell and the ink of its text.

    Their contrast is at least 4.5, which WCAG requires for text.
    """

    fill: str
    ink: str


COLOURS: Final[Mapping[str, Paint]] = MappingProxyType(
    {
        "blue": Paint("#0072b2", "#ffffff"),
        "orange": Paint("#e69f00", "#000000"),
        "green": Paint("#37b98b", "#000000"),
        "pink": Paint("#e493bf", "#000000"),
        "yellow": Paint("#f0e442", "#000000"),
        "cyan": Paint("#56b4e9", "#000000"),
        "red": Paint("#cf222e", "#ffffff"),
        "purple": Paint("#692a94", "#ffffff"),
        "brown": Paint("#54361a", "#ffffff"),
        "grey": Paint("#737476", "#ffffff"),
        "black": Paint("#000000", "#ffffff"),
        "white": Paint("#ffffff", "#000000"),
    }
)
"""The allowed values of `Cell.colour`."""

SEAT_COLOURS: Final = ("blue", "orange", "green", "pink", "yellow", "cyan")
"""By seat, the colours of cells that have an owner and no colour."""


def cell_colour(colour: str, owner: int) -> str:
    """Return the name of a cell's colour: its own, otherwise its owner's, or empty.

    An unknown colour counts as none, so that displays never fail on one.
    """
    if colour in COLOURS:
        return colour
    return SEAT_COLOURS[owner % len(SEAT_COLOURS)] if owner >= 0 else ""


def seat_colours(cells: Iterable[Cell], seat: int) -> list[str]:
    """Return the colours of the seat's cells; empty before it has any on the board."""
    own = dict.fromkeys([cell.colour for cell in cells if cell.owner == seat])
    return list(dict.fromkeys([cell_colour(colour, seat) for colour in own]))


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colours such as `#0072b2`: 1 (the same) to 21.

    4.5 is enough for text, 3 for edges.
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
