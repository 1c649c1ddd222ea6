"""What a viewer sees, described once for every kind of display.

A scene is built up from what the viewer may know and from nothing else. Terminal and
page draw scenes and know no game.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

NOBODY: Final = -1

SQUARE: Final = "square"
HEX: Final = "hex"
POINTS: Final = "points"
"""Carried by the protocol; displays do not draw it yet, so games cannot use it."""
SHAPES: Final = (SQUARE, HEX)

MARKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "wall": "nothing can ever be here",
        "start": "a place where somebody begins",
        "goal": "what the players are after",
        "face-down": "something that nobody sees yet",
        "flipping": "about to be shown",
    }
)
"""What `Cell.marks` may be, and what it means; marks of a game's own begin with `x-`."""


class Board(NamedTuple):
    """The geometry of a game's board, the same in all its scenes.

    Cells are numbered in reading order. With the shape `hex` each row is shifted by half a
    cell to the right of the one above it, and a cell has six neighbours.
    """

    rows: int
    cols: int
    row_names: tuple[str, ...]
    col_names: tuple[str, ...]
    shape: str = SQUARE
    holes: tuple[int, ...] = ()
    """Cells that are no part of the board: never drawn, never entered."""
    points: tuple[tuple[float, float], ...] = ()
    """With the shape `points`: where each cell of the one row is, from 0 to 1."""
    links: tuple[tuple[int, int], ...] = ()
    """With the shape `points`: pairs of cells with a line between them."""

    @property
    def size(self) -> int:
        """How many cells a scene has, holes included; 0 for a game without a board."""
        return self.rows * self.cols


NO_BOARD: Final = Board(0, 0, (), ())


class Cell(NamedTuple):
    """One cell of the board, for eyes, for the colour-blind and for screen readers."""

    glyph: str
    """At most two columns that tell its content without the help of colour."""
    label: str
    """Its content in words, without its place."""
    owner: int = NOBODY
    """The seat it belongs to, or NOBODY."""
    colour: str = ""
    """One of `COLOURS`; empty: its owner's."""
    face: str = ""
    """A stable name of what is here, for artwork: `red-king`; one of the game's `faces`."""
    sign: str = ""
    """The traditional character of what is here, such as 帥; or empty."""
    marks: tuple[str, ...] = ()
    """Further properties: of `MARKS`, or of the game's own, which begin with `x-`."""
    piece: int = 0
    """The number, from 1 on, of the piece that covers this cell and others: cells that share a
    side and this number are drawn as one shape. 0: the cell is for itself."""

    def _repr_svg_(self) -> str:
        """Its picture, for notebooks."""
        from parlour.drawing.svg import cells_to_svg  # here, because only notebooks need it

        return cells_to_svg(Board(1, 1, ("",), ("",)), (self,), self.label)


HOLE: Final = Cell(" ", "no cell")
"""What to put at the holes of a board."""


@mypyc_attr(serializable=True)
@dataclass(frozen=True, kw_only=True)
class SeatView:
    """What a display shows beside the board for one seat: `SeatView(score="3 points")`."""

    score: str = ""
    """Its points so far in the game's own words, or empty."""
    tray: tuple[str | Cell, ...] = ()
    """Pieces or cards that it holds or has taken."""

    def tray_texts(self) -> tuple[str, ...]:
        """Return the tray in words; a cell is called by its label."""
        return tuple([each if isinstance(each, str) else each.label for each in self.tray])


class ActionView(NamedTuple):
    """An action, and the cells that a click or a key touches to choose it."""

    action: int
    text: str
    cells: tuple[int, ...] = ()
    group: str = ""
    """The piece that is laid onto `cells`, by its name in the tray; or empty.

    Without it the cells are touched one after another. With it a display lets the player
    choose among the groups first, then turn the piece and place it.
    """
    also: tuple[int, ...] = ()
    """Further cells that choose an action of one cell: every cell of a column, say."""


class Scene(NamedTuple):
    """A whole view. A game gives its cells, seats and status; core fills in the rest."""

    cells: tuple[Cell, ...] = ()
    """In reading order, as many as the board has."""
    seats: tuple[SeatView, ...] = ()
    status: str = ""
    """One sentence: whose turn it is, or how the game ended."""
    board: Board = NO_BOARD
    actor: int = NOBODY
    actions: tuple[ActionView, ...] = ()
    """Empty unless it is this viewer's turn; a spectator sees the actor's, without secrets."""
    actors: tuple[int, ...] = ()
    """All seats to act, where several choose at once; empty: `actor` alone."""
    names: tuple[str, ...] = ()
    """The name of each seat, from `Game.seat_names`."""

    def seat_texts(self) -> list[str]:
        """Return a line for each seat: its name, score and tray."""
        lines = []
        for name, seat in zip(self.names, self.seats, strict=True):
            words = (name, seat.score, " ".join(seat.tray_texts()))
            lines.append(": ".join([word for word in words if word]))
        return lines

    def _repr_svg_(self) -> str:
        """Its picture, for notebooks."""
        from parlour.drawing.svg import scene_to_svg  # here, because only notebooks need it

        return scene_to_svg(self)


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes: two for 帥, none for a combining sign."""
    width = 0
    for sign in text:
        if unicodedata.combining(sign):
            continue
        width += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return width
