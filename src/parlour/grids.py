"""What the text and the picture of a grid game need, so that the rules are most of it.

    from parlour import grids

    BOARD = grids.board(6, 7, first_row="bottom")   # rows 1 to 6, columns a to g
    grids.cell_to_text(BOARD, 35)                   # 'a1', and cell_from_text back
    grids.board_to_text(BOARD, state.signs)         # a line for each row, and board_from_text back
    grids.scene(state, draw, "Red to move.")        # draw(cell) returns the cell's parlour.Cell

Cells are numbered in reading order. A position is kept as its signs: a str with one sign for each
cell, `#` at the holes of the board. Wrong texts are one-line errors that say what would be right;
wrong arguments of a game's own code are a `ContractError`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Literal

from parlour.core.checks import check_text, shown
from parlour.core.errors import ActionTextError, ContractError, StateTextError
from parlour.core.game import State
from parlour.core.grid import (
    DOWN,
    DOWN_LEFT,
    DOWN_RIGHT,
    LEFT,
    RIGHT,
    UP,
    UP_RIGHT,
)
from parlour.core.scene import HEX, HOLE, SQUARE, Board, Cell, Scene, SeatView

__all__ = [
    "HOLE_SIGN",
    "board",
    "board_from_text",
    "board_to_text",
    "cell_from_text",
    "cell_to_text",
    "column_from_text",
    "empty",
    "half",
    "lines",
    "mirrored",
    "neighbours",
    "opposite",
    "placed",
    "real_cells",
    "scene",
    "step",
    "symmetric",
]

HOLE_SIGN = "#"
"""What stands for a hole of the board in texts and signs."""

_SIDES = {
    SQUARE: (UP, LEFT, RIGHT, DOWN),
    HEX: (UP, UP_RIGHT, LEFT, RIGHT, DOWN_LEFT, DOWN),
}
_LINES = {SQUARE: (RIGHT, DOWN_LEFT, DOWN, DOWN_RIGHT), HEX: (RIGHT, DOWN_LEFT, DOWN)}


def board(
    rows: int,
    cols: int,
    *,
    first_row: Literal["top", "bottom"] = "top",
    shape: str = SQUARE,
    holes: Iterable[int] = (),
) -> Board:
    """A board whose columns are a, b, c, ... and whose rows are numbered from 1.

    `first_row` says where row 1 is. After column z come aa, ab and so on.
    """
    numbers = [str(row + 1) for row in range(rows)]
    if first_row == "bottom":
        numbers.reverse()
    names = tuple(_letters(col) for col in range(cols))
    return Board(rows, cols, tuple(numbers), names, shape, tuple(holes))


def _letters(number: int) -> str:
    higher, last = divmod(number, 26)
    return (_letters(higher - 1) if higher else "") + chr(ord("a") + last)


# Coordinates.


def cell_to_text(board: Board, cell: int) -> str:
    """The cell's name: its column and its row, `c2`; `0,-1` where columns are not letters."""
    row, col = divmod(cell, board.cols)
    of_row, of_col = board.row_names[row], board.col_names[col]
    joined_by = "," if of_row and of_col and not of_col.isalpha() else ""
    return f"{of_col}{joined_by}{of_row}"


def cell_from_text(board: Board, text: str) -> int:
    """The cell of that name, in letters of either case; `ActionTextError` if there is none."""
    word = check_text("a cell's name", text, ActionTextError)
    cells = _cells_by_name(board)
    cell = cells.get(word, cells.get(word.lower()))
    if cell is None:
        names = [*cells]
        raise ActionTextError(f"{shown(word)} is not a cell; they are {names[0]} to {names[-1]}")
    return cell


@lru_cache(maxsize=64)
def _cells_by_name(board: Board) -> dict[str, int]:
    """The cells that are not holes, the least name first."""
    names = {cell_to_text(board, cell): cell for cell in real_cells(board)}
    return dict(sorted(names.items(), key=lambda item: (len(item[0]), item[0])))


def column_from_text(board: Board, text: str) -> int:
    """The number of the column of that name; `ActionTextError` if there is none."""
    word = check_text("a column's name", text, ActionTextError)
    names = board.col_names
    for name in (word, word.lower()):
        if name in names:
            return names.index(name)
    raise ActionTextError(f"{shown(word)} is not a column; they are {names[0]} to {names[-1]}")


def real_cells(board: Board) -> list[int]:
    """Return the cells that are not holes, in reading order."""
    holes = frozenset(board.holes)
    return [cell for cell in range(board.size) if cell not in holes]


def step(board: Board, cell: int, down: int, right: int) -> int | None:
    """The cell so many rows down and columns right, or `None` off the board and at a hole."""
    row, col = divmod(cell, board.cols)
    row, col = row + down, col + right
    if not (0 <= row < board.rows and 0 <= col < board.cols):
        return None
    found = row * board.cols + col
    return None if found in board.holes else found


def neighbours(board: Board, cell: int) -> tuple[int, ...]:
    """The cells that share a side with this one, four or of hexagons six, in reading order."""
    near = [step(board, cell, *way) for way in _SIDES[board.shape]]
    return tuple(other for other in near if other is not None)


def lines(board: Board, length: int) -> tuple[tuple[int, ...], ...]:
    """Every straight line of so many cells, holes never among them; each once, from the top.

    On squares they go across, down and in both diagonals, on hexagons in three directions.
    """
    found: list[tuple[int, ...]] = []
    for cell in real_cells(board):
        for down, right in _LINES[board.shape]:
            line = [step(board, cell, down * n, right * n) for n in range(length)]
            if None not in line:
                found.append(tuple(each for each in line if each is not None))
    return tuple(found)


# Positions as signs, and in text.


def board_to_text(board: Board, signs: Iterable[str]) -> str:
    """The signs as a line for each row of the board, from the top; `#` stands at holes.

    `signs` has one sign for each cell, whatever stands there for a hole.
    """
    listed = list(signs)
    if len(listed) != board.size or any(len(sign) != 1 or sign.isspace() for sign in listed):
        raise ContractError(f"a text of this board takes {board.size} signs, not {shown(signs)}")
    for hole in board.holes:
        listed[hole] = HOLE_SIGN
    rows = range(0, board.size, board.cols)
    return "\n".join("".join(listed[at : at + board.cols]) for at in rows)


def board_from_text(board: Board, text: str, known: Iterable[str]) -> str:
    """The signs of the text that `board_to_text` wrote; between rows a `/` is read as well.

    `known` are the signs that a cell may have: `".xo"`, or a dict that is keyed by them.
    Raises `StateTextError`, which names the line and what belongs there.
    """
    whole = check_text("a position's text", text, StateTextError)
    rows = [row.strip() for row in whole.replace("/", "\n").split("\n")]
    if len(rows) != board.rows:
        raise StateTextError(f"the board has {board.rows} lines, not {len(rows)}")
    allowed = list(known)
    holes = frozenset(board.holes)
    for number, row in enumerate(rows):
        if len(row) != board.cols:
            raise StateTextError(f"line {number + 1} must have {board.cols} cells, not {len(row)}")
        for col, sign in enumerate(row):
            if number * board.cols + col in holes:
                if sign != HOLE_SIGN:
                    raise StateTextError(
                        f"line {number + 1}: place {col + 1} is not a cell and must be "
                        f"{HOLE_SIGN}, not {sign!r}"
                    )
            elif sign not in allowed:
                raise StateTextError(
                    f"line {number + 1}: {sign!r} is not a cell; use {' '.join(allowed)}"
                )
    return "".join(rows)


def empty(board: Board, sign: str = ".") -> str:
    """The signs of a board with this sign in every cell, and `#` at the holes."""
    holes = frozenset(board.holes)
    return "".join(HOLE_SIGN if cell in holes else sign for cell in range(board.size))


def placed(signs: str, changes: Mapping[int, str]) -> str:
    """The same signs with these in place of what stood in their cells."""
    listed = list(signs)
    for cell, sign in changes.items():
        listed[cell] = sign
    return "".join(listed)


# Starts that favour nobody.

Image = Callable[[Board, int], int]
"""Where a cell goes in a symmetry that is its own inverse: `opposite`, `mirrored`, or yours."""


def opposite(board: Board, cell: int) -> int:
    """Where the cell is after half a turn of the board, of squares or hexagons."""
    return board.size - 1 - cell


def mirrored(board: Board, cell: int) -> int:
    """Where the cell is when top and bottom of a board of squares are exchanged."""
    row, col = divmod(cell, board.cols)
    return (board.rows - 1 - row) * board.cols + col


def half(board: Board, image: Image = opposite) -> tuple[int, ...]:
    """The first cell of each pair of images, in reading order: what a start can choose from.

    A cell that is its own image, as the middle of an odd board is, belongs to no pair.
    """
    return tuple(cell for cell in real_cells(board) if cell < image(board, cell))


def symmetric(
    board: Board,
    one_side: Mapping[int, str],
    swap: Mapping[str, str] | None = None,
    *,
    image: Image = opposite,
    sign: str = ".",
) -> str:
    """The signs of a start in which each side has the same: `one_side`, and its image.

    `swap` says what a sign becomes on the other side, `{"x": "o"}`; others stay what they
    are. All further cells have `sign`. Raises `ContractError` where two signs would meet in
    one cell, or one would fall into a hole.
    """
    changes = dict(one_side)
    for cell, own in one_side.items():
        other = (swap or {}).get(own, own)
        if changes.setdefault(image(board, cell), other) != other:
            where = cell_to_text(board, image(board, cell))
            raise ContractError(
                f"both {changes[image(board, cell)]!r} and {other!r} are on {where}"
            )
    if not changes.keys() <= set(real_cells(board)):
        raise ContractError("a start has signs in the cells of its board and nowhere else")
    return placed(empty(board, sign), changes)


# The picture.


def scene(
    state: State,
    draw: Callable[[int], Cell],
    status: str,
    seats: Iterable[SeatView] | None = None,
) -> Scene:
    """The scene in which each cell is what `draw` makes of its number; holes are not asked for.

    It is what `Game.scene` returns. `seats` is what stands beside the board for each seat; if
    missing, that is nothing but its name.
    """
    board = state.game.board
    holes = frozenset(board.holes)
    cells = tuple(HOLE if cell in holes else draw(cell) for cell in range(board.size))
    views = (SeatView(),) * state.game.seats if seats is None else tuple(seats)
    return Scene(cells, views, status)
