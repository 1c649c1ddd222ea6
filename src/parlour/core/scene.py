"""What a viewer sees, in one form for every kind of display.

A scene is built only from what the viewer may know. Terminal and page draw scenes, not games.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from parlour.core.errors import ContractError

NOBODY: Final = -1

SQUARE: Final = "square"
HEX: Final = "hex"
SHAPES: Final = (SQUARE, HEX)
"""The shapes of boards with rows and columns."""
POINTS: Final = "points"

CLOSEST: Final = 0.02
"""The least distance of two points, as a part of the longer side of the board."""
MOST_POINTS: Final = 400

MARKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "wall": "always empty; nothing can enter",
        "start": "a starting place",
        "goal": "a target",
        "face-down": "hidden from every player",
        "flipping": "about to be revealed",
    }
)
"""The marks that `Cell.marks` may have, and their meaning. Marks of a game begin with `x-`."""


class Board(NamedTuple):
    """The geometry of a game's board, the same in all its scenes.

    Cells are numbered in reading order. With the shape `hex` each row is shifted by half a
    cell to the right of the one above it, and a cell has six neighbours. `Board.points` returns a
    board of points.

    >>> Board(2, 2, ("1", "2"), ("a", "b")).size
    4
    """

    rows: int
    cols: int
    row_names: tuple[str, ...]
    col_names: tuple[str, ...]
    shape: str = SQUARE
    holes: tuple[int, ...] = ()
    """Cells that are not part of the board: they are not drawn and cannot be chosen."""
    positions: tuple[tuple[float, float], ...] = ()
    """With the shape `points`: x to the right and y down of each cell of the one row. The longer
    side of the board is from 0 to 1."""
    links: tuple[tuple[int, int], ...] = ()
    """With the shape `points`: pairs of cells with a line between them."""
    pieces: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = ()
    """In games with pieces of several cells: the name of each piece, as in trays and groups, and
    its shape as rows and columns from 0. Displays draw trays with it."""

    @property
    def size(self) -> int:
        """The number of cells, holes included; 0 for a game without a board.

        >>> Board(6, 7, tuple("654321"), tuple("abcdefg")).size
        42
        """
        return self.rows * self.cols

    @staticmethod
    def points(
        positions: Iterable[tuple[float, float]],
        links: Iterable[tuple[int, int]] = (),
        names: Iterable[str] = (),
    ) -> "Board":
        """Return a board of points that lines connect.

        Positions are x to the right and y down, in any unit. Links are pairs of points. Points are
        named 1, 2, ... if there are no names. A point in the middle of a line can hold what stands
        on an edge. Raises `ContractError` for a board that cannot be drawn.

        >>> Board.points([(0, 0), (3, 0), (3, 6)], [(0, 1), (1, 2)]).positions
        ((0.0, 0.0), (0.5, 0.0), (0.5, 1.0))
        """
        placed = [(float(x), float(y)) for x, y in positions]
        left = min((x for x, _ in placed), default=0.0)
        top = min((y for _, y in placed), default=0.0)
        side = max((max(x - left, y - top) for x, y in placed), default=0.0) or 1.0
        scaled = tuple([((x - left) / side, (y - top) / side) for x, y in placed])
        named = tuple(names) or tuple([str(number + 1) for number in range(len(placed))])
        board = Board(1, len(placed), ("",), named, POINTS, positions=scaled, links=tuple(links))
        wrong = fault_of_points(board)
        if wrong:
            raise ContractError(wrong)
        return board


def fault_of_points(board: Board) -> str:
    """Return why displays cannot draw this board of points, or "".

    >>> fault_of_points(Board(1, 2, ("",), ("a", "b"), POINTS))
    'a board of points must have a position for each of its 2 cells, not 0'
    """
    count = board.size
    if board.rows != 1 or not 1 <= count <= MOST_POINTS:
        return f"a board of points must have one row of 1 to {MOST_POINTS} cells"
    if len(board.positions) != count:
        return (
            f"a board of points must have a position for each of its {count} cells, "
            f"not {len(board.positions)}"
        )
    if board.holes:
        return "a board of points has no holes; leave the points out"
    for number, (x, y) in enumerate(board.positions):
        if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
            return f"the position of point {number} must lie within 0 and 1, not ({x}, {y})"
        for other, (a, b) in enumerate(board.positions[:number]):
            if (x - a) ** 2 + (y - b) ** 2 < CLOSEST**2:
                return f"the points {other} and {number} are too close to each other"
    for one, two in board.links:
        if not (0 <= one < count and 0 <= two < count and one != two):
            return f"a link must be two points from 0 to {count - 1}, not ({one}, {two})"
    return ""


NO_BOARD: Final = Board(0, 0, (), ())


class Cell(NamedTuple):
    """One cell of the board, readable with and without colour and by screen readers.

    >>> Cell("x", "a cross", owner=0).label
    'a cross'
    """

    glyph: str
    """At most two columns of text that show the content without colour."""
    label: str
    """The content in words, without its place."""
    owner: int = NOBODY
    """The seat it belongs to, or NOBODY."""
    colour: str = ""
    """One of `COLOURS`; empty: the owner's colour."""
    face: str = ""
    """A stable name of the content for artwork, such as `red-king`; one of the game's `faces`."""
    sign: str = ""
    """The traditional character of the content, such as 帥; or empty."""
    marks: tuple[str, ...] = ()
    """Further properties: from `MARKS`, or of the game, which begin with `x-`."""
    piece: int = 0
    """The number, from 1, of the piece on this cell. Neighbouring cells with the same number are
    drawn as one shape. 0: a separate cell."""
    number: int = 0
    """How many pieces lie here, if displays should show the number; otherwise 0."""

    def _repr_svg_(self) -> str:
        """Return the picture, for notebooks."""
        from parlour.drawing.svg import cells_to_svg  # here, because only notebooks need it

        return cells_to_svg(Board(1, 1, ("",), ("",)), (self,), self.label)


HOLE: Final = Cell(" ", "no cell")
"""The cell that scenes have at the holes of a board."""


@mypyc_attr(serializable=True)
@dataclass(frozen=True, kw_only=True)
class SeatView:
    """What a display shows beside the board for one seat.

    >>> SeatView(score="3 points", tray=("king", "pawn")).score
    '3 points'
    """

    score: str = ""
    """The points so far, in words, or empty."""
    tray: tuple[str | Cell, ...] = ()
    """Pieces or cards that the seat holds or has taken."""

    def tray_texts(self) -> tuple[str, ...]:
        """Return the tray in words; the text of a cell is its label.

        >>> SeatView(tray=("king", Cell("p", "a pawn"))).tray_texts()
        ('king', 'a pawn')
        """
        return tuple([each if isinstance(each, str) else each.label for each in self.tray])


class ActionView(NamedTuple):
    """An action, and the cells that a player selects to choose it.

    >>> ActionView(5, "b2", cells=(5,)).text
    'b2'
    """

    action: int
    text: str
    cells: tuple[int, ...] = ()
    group: str = ""
    """The piece that is placed on `cells`, by its name in the tray; or empty.

    Without a group the player selects the cells one after another. With one the player chooses
    the piece first, then turns and places it.
    """
    also: tuple[int, ...] = ()
    """Further cells that choose an action of one cell, such as every cell of a column."""


class Scene(NamedTuple):
    """A whole view. The game gives cells, seats and status; core adds the rest.

    >>> Scene((Cell(".", "empty"),), (SeatView(),), "Player 1 to move.").status
    'Player 1 to move.'
    """

    cells: tuple[Cell, ...] = ()
    """In reading order, one for each cell of the board."""
    seats: tuple[SeatView, ...] = ()
    status: str = ""
    """One sentence: whose turn it is, or how the game ended."""
    board: Board = NO_BOARD
    actor: int = NOBODY
    actions: tuple[ActionView, ...] = ()
    """The legal actions on the viewer's turn; for a spectator the actor's if nothing is secret."""
    actors: tuple[int, ...] = ()
    """All seats to act, if several choose at once; empty: `actor` alone."""
    names: tuple[str, ...] = ()
    """The name of each seat, from `Game.seat_names`."""

    def seat_texts(self) -> list[str]:
        """Return a line for each seat: its name, score and tray.

        >>> Scene(seats=(SeatView(score="3 points"),), names=("White",)).seat_texts()
        ['White: 3 points']
        """
        lines = []
        for name, seat in zip(self.names, self.seats, strict=True):
            words = (name, seat.score, " ".join(seat.tray_texts()))
            lines.append(": ".join([word for word in words if word]))
        return lines

    def _repr_svg_(self) -> str:
        """Return the picture, for notebooks."""
        from parlour.drawing.svg import scene_to_svg  # here, because only notebooks need it

        return scene_to_svg(self)


def display_width(text: str) -> int:
    """Return the number of terminal columns of a text: two for 帥, none for a combining mark."""
    width = 0
    for sign in text:
        if unicodedata.combining(sign):
            continue
        width += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return width
