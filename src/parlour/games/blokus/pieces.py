"""The 21 pieces of Blokus and their 91 orientations.

Cells are (row, column) pairs; rows grow downwards. A shape is normalised: its smallest row
and column are 0, and its cells are sorted.
"""

from typing import NamedTuple

from parlour.shapes import Shape, mirrored, normalise, turned

_DRAWINGS = {
    "I1": "#",
    "I2": "# #",
    "I3": "# # #",
    "V3": "# ##",
    "I4": "# # # #",
    "L4": "### ..#",
    "O4": "## ##",
    "T4": "### .#.",
    "Z4": "##. .##",
    "F5": ".#. ### #..",
    "I5": "# # # # #",
    "L5": "#### ...#",
    "N5": "#. ## .# .#",
    "P5": "### ##.",
    "T5": "### .#. .#.",
    "U5": "### #.#",
    "V5": "#.. #.. ###",
    "W5": "#.. ##. .##",
    "X5": ".#. ### .#.",
    "Y5": "#. #. ## #.",
    "Z5": "##. .#. .##",
}


def oriented(cells: Shape, flip: bool, rotation: int) -> Shape:
    """Return the cells mirrored if `flip`, then rotated clockwise by `rotation` degrees."""
    if flip:
        cells = mirrored(cells)
    for _ in range(rotation // 90):
        cells = turned(cells)
    return cells


def _shape(drawing: str) -> Shape:
    lines = drawing.split()
    return normalise(
        (row, col) for row, line in enumerate(lines) for col, mark in enumerate(line) if mark == "#"
    )


class Orientation(NamedTuple):
    """One orientation of a piece, with the first (flip, rotation) that produces it."""

    piece: int
    flip: bool
    rotation: int
    cells: Shape


PIECE_NAMES: tuple[str, ...] = tuple(_DRAWINGS)
SHAPES: tuple[Shape, ...] = tuple(_shape(drawing) for drawing in _DRAWINGS.values())
SIZES: tuple[int, ...] = tuple(len(shape) for shape in SHAPES)
SQUARES = sum(SIZES)
MONOMINO = PIECE_NAMES.index("I1")


def _orientations() -> tuple[Orientation, ...]:
    found: dict[Shape, Orientation] = {}
    for piece, shape in enumerate(SHAPES):
        for flip in (False, True):
            for rotation in (0, 90, 180, 270):
                cells = oriented(shape, flip, rotation)
                found.setdefault(cells, Orientation(piece, flip, rotation, cells))
    return tuple(found.values())


ORIENTATIONS: tuple[Orientation, ...] = _orientations()
"""All orientations by piece, flip and rotation, without duplicate shapes."""

ORIENTATION_OF: dict[Shape, int] = {each.cells: i for i, each in enumerate(ORIENTATIONS)}


def drawing(cells: Shape) -> tuple[str, ...]:
    """Return a shape as lines of `#` and `.`."""
    rows = 1 + max(row for row, _ in cells)
    cols = 1 + max(col for _, col in cells)
    return tuple(
        "".join("#" if (row, col) in cells else "." for col in range(cols)) for row in range(rows)
    )
