"""Texts and scenes of grid games, so that an author writes little but the rules.

    from parlour import grids

    BOARD = grids.board(6, 7, first_row="bottom")   # rows 1 to 6, columns a to g
    grids.cell_to_text(BOARD, 35)                   # 'a1', and cell_from_text back
    grids.board_to_text(BOARD, state.signs)         # a line for each row, and board_from_text back
    grids.scene(state, draw, "Red to move.")        # draw(cell) returns the cell's parlour.Cell

Cells are numbered in reading order. Signs are a position as a str: one character for each cell, and
`#` at the holes of the board. Wrong texts raise errors for players that say what would be right;
wrong arguments raise `ContractError`, for authors.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Literal

from parlour.core.checks import check_text, shown
from parlour.core.errors import ActionTextError, ContractError, StateTextError
from parlour.core.game import State
from parlour.core.grid import DOWN, DOWN_LEFT, DOWN_RIGHT, LEFT, RIGHT, UP, UP_RIGHT
from parlour.core.lines import Lines
from parlour.core.scene import HEX, HOLE, POINTS, SQUARE, Board, Cell, Scene, SeatView

__all__ = [
    "HOLE_SIGN",
    "board",
    "board_from_text",
    "board_to_text",
    "cell_from_text",
    "cell_to_text",
    "column_from_text",
    "cut",
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
"""A hole of the board in texts and signs."""

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
    """Return a board whose columns are a, b, c, ... and whose rows are numbered from 1.

    `first_row` says where row 1 is. After column z come aa, ab and so on.

    >>> board(2, 3).col_names
    ('a', 'b', 'c')
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
    """Return the cell's name: column and row, `c2`; or `0,-1` if columns are not letters.

    >>> cell_to_text(board(6, 7, first_row="bottom"), 35)
    'a1'
    """
    row, col = divmod(cell, board.cols)
    of_row, of_col = board.row_names[row], board.col_names[col]
    joined_by = "," if of_row and of_col and not of_col.isalpha() else ""
    return f"{of_col}{joined_by}{of_row}"


def cell_from_text(board: Board, text: str) -> int:
    """Return the cell of that name, in either case. Raises `ActionTextError`.

    >>> cell_from_text(board(6, 7, first_row="bottom"), "A1")
    35
    """
    word = check_text("a cell's name", text, ActionTextError)
    cells = _cells_by_name(board)
    cell = cells.get(word, cells.get(word.lower()))
    if cell is None:
        names = [*cells]
        raise ActionTextError(f"{shown(word)} is not a cell; use {names[0]} to {names[-1]}")
    return cell


@lru_cache(maxsize=64)
def _cells_by_name(board: Board) -> dict[str, int]:
    """Return the cells that are not holes by name, shortest names first."""
    names = {cell_to_text(board, cell): cell for cell in real_cells(board)}
    return dict(sorted(names.items(), key=lambda item: (len(item[0]), item[0])))


def column_from_text(board: Board, text: str) -> int:
    """Return the number of the column of that name. Raises `ActionTextError`.

    >>> column_from_text(board(6, 7), "c")
    2
    """
    word = check_text("a column's name", text, ActionTextError)
    names = board.col_names
    for name in (word, word.lower()):
        if name in names:
            return names.index(name)
    raise ActionTextError(f"{shown(word)} is not a column; use {names[0]} to {names[-1]}")


def real_cells(board: Board) -> list[int]:
    """Return the cells that are not holes, in reading order.

    >>> from parlour import grids
    >>> grids.real_cells(grids.board(2, 2, holes=[1]))
    [0, 2, 3]
    """
    holes = frozenset(board.holes)
    return [cell for cell in range(board.size) if cell not in holes]


def step(board: Board, cell: int, down: int, right: int) -> int | None:
    """Return the cell `down` rows down and `right` columns right, or `None`.

    `None` means a place off the board or at a hole.

    >>> from parlour import grids
    >>> grids.step(grids.board(3, 3), 0, 1, 1)
    4
    """
    if board.shape == POINTS:
        raise ContractError("points have no rows and columns; take `grids.neighbours`")
    row, col = divmod(cell, board.cols)
    row, col = row + down, col + right
    if not (0 <= row < board.rows and 0 <= col < board.cols):
        return None
    found = row * board.cols + col
    return None if found in board.holes else found


def neighbours(board: Board, cell: int) -> tuple[int, ...]:
    """Return the cells that share a side with this one, or a line of a board of points.

    >>> from parlour import grids
    >>> grids.neighbours(grids.board(3, 3), 4)
    (1, 3, 5, 7)
    """
    if board.shape == POINTS:
        ends = [two if one == cell else one for one, two in board.links if cell in (one, two)]
        return tuple(sorted(set(ends)))
    near = [step(board, cell, *way) for way in _SIDES[board.shape]]
    return tuple(other for other in near if other is not None)


def lines(board: Board, length: int) -> Lines:
    """Return every straight line of `length` cells without holes, each once, from the top.

    On squares they go across, down and along both diagonals; on hexagons in three directions.
    `has` tells quickly whether one of them has the same sign in every cell.

    >>> from parlour import grids
    >>> len(grids.lines(grids.board(3, 3), 3))
    8
    """
    if board.shape == POINTS:
        raise ContractError("points have no straight lines of their own; list those of your game")
    found: list[tuple[int, ...]] = []
    for cell in real_cells(board):
        for down, right in _LINES[board.shape]:
            line = [step(board, cell, down * n, right * n) for n in range(length)]
            real = tuple(each for each in line if each is not None)
            if len(real) == length:
                found.append(real)
    return Lines(found)


# Positions as signs, and in text.


def board_to_text(board: Board, signs: Iterable[str]) -> str:
    """Return the signs as a line for each row of the board, from the top, with `#` at holes.

    `signs` has one character for each cell; those of holes are ignored.

    >>> from parlour import grids
    >>> print(grids.board_to_text(grids.board(2, 2), "x..o"))
    x.
    .o
    """
    listed = list(signs)
    if len(listed) != board.size or any(len(sign) != 1 or sign.isspace() for sign in listed):
        raise ContractError(f"this board needs {board.size} signs, not {shown(signs)}")
    for hole in board.holes:
        listed[hole] = HOLE_SIGN
    rows = range(0, board.size, board.cols)
    return "\n".join("".join(listed[at : at + board.cols]) for at in rows)


def board_from_text(board: Board, text: str, known: Iterable[str]) -> str:
    """Return the signs of a text from `board_to_text`; `/` may separate rows too.

    `known` are the allowed signs: `".xo"`, or a dict with these keys. Raises `StateTextError` with
    the line and what is expected there.

    >>> from parlour import grids
    >>> grids.board_from_text(grids.board(2, 2), "x./.o", ".xo")
    'x..o'
    """
    whole = check_text("a position's text", text, StateTextError)
    rows = [row.strip() for row in whole.replace("/", "\n").split("\n")]
    if len(rows) != board.rows:
        raise StateTextError(f"the board must have {board.rows} lines, not {len(rows)}")
    allowed = list(known)
    holes = frozenset(board.holes)
    for number, row in enumerate(rows):
        if len(row) != board.cols:
            raise StateTextError(f"line {number + 1} must have {board.cols} cells, not {len(row)}")
        for col, sign in enumerate(row):
            if number * board.cols + col in holes:
                if sign != HOLE_SIGN:
                    raise StateTextError(
                        f"line {number + 1}: character {col + 1} is a hole and must be "
                        f"{HOLE_SIGN}, not {sign!r}"
                    )
            elif sign not in allowed:
                raise StateTextError(
                    f"line {number + 1}: {sign!r} is not a cell; use {' '.join(allowed)}"
                )
    return "".join(rows)


def empty(board: Board, sign: str = ".") -> str:
    """Return the signs of a board with this sign in every cell, and `#` at the holes.

    >>> from parlour import grids
    >>> grids.empty(grids.board(2, 2))
    '....'
    """
    holes = frozenset(board.holes)
    return "".join(HOLE_SIGN if cell in holes else sign for cell in range(board.size))


def placed(signs: str, changes: Mapping[int, str]) -> str:
    """Return the signs with some cells changed.

    >>> from parlour import grids
    >>> grids.placed("....", {0: "x", 3: "o"})
    'x..o'
    """
    listed = list(signs)
    for cell, sign in changes.items():
        listed[cell] = sign
    return "".join(listed)


# Symmetric starts.

Image = Callable[[Board, int], int]
"""The image of a cell in a symmetry that is its own inverse: `opposite`, `mirrored`, or yours."""


def opposite(board: Board, cell: int) -> int:
    """Return the image of the cell in a half turn of the board, of squares or hexagons.

    >>> from parlour import grids
    >>> grids.opposite(grids.board(3, 3), 0)
    8
    """
    return board.size - 1 - cell


def mirrored(board: Board, cell: int) -> int:
    """Return the image of the cell when top and bottom of a board of squares are swapped.

    >>> from parlour import grids
    >>> grids.mirrored(grids.board(3, 3), 0)
    6
    """
    row, col = divmod(cell, board.cols)
    return (board.rows - 1 - row) * board.cols + col


def half(board: Board, image: Image = opposite) -> tuple[int, ...]:
    """Return the first cell of each pair of images, in reading order, for symmetric starts.

    A cell that is its own image, such as the centre of an odd board, belongs to no pair.

    >>> from parlour import grids
    >>> grids.half(grids.board(3, 3))
    (0, 1, 2, 3)
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
    """Return the signs of a symmetric start: `one_side` and its image.

    `swap` maps signs to those of the other side, `{"x": "o"}`; others stay the same. All further
    cells have `sign`. Raises `ContractError` if two signs meet in one cell, or one is at a hole.

    >>> from parlour import grids
    >>> grids.symmetric(grids.board(2, 2), {0: "x"}, {"x": "o"})
    'x..o'
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
        raise ContractError("a start has signs off the board or at holes: use cells of the board")
    return placed(empty(board, sign), changes)


# Scenes.


def scene(
    state: State,
    draw: Callable[[int], Cell],
    status: str,
    seats: Iterable[SeatView] | None = None,
) -> Scene:
    """Return a scene for `Game.scene` whose cells are `draw(number)`; holes are drawn for you.

    `seats` has a `SeatView` for each seat; without it displays show only the names.

    >>> from parlour import Cell, game, grids
    >>> state = game("octa:size=1").start()
    >>> len(grids.scene(state, lambda cell: Cell(".", "empty"), "Your turn.").cells)
    9
    """
    board = state.game.board
    cells = range(board.size)
    holes = frozenset(board.holes)
    drawn = (HOLE if cell in holes else draw(cell) for cell in cells) if holes else map(draw, cells)
    views = (SeatView(),) * state.game.seats if seats is None else tuple(seats)
    return Scene(tuple(drawn), views, status)


def cut(scene: Scene, top: int, left: int, rows: int, cols: int) -> Scene:
    """Return the part of a scene from row `top` and column `left`, without its actions.

    The part is moved inside the board if it does not fit. Use it for small pictures of a large
    board.

    >>> import parlour
    >>> part = cut(parlour.game("cat_mouse").start().scene(None), 0, 0, 5, 7)
    >>> part.board.rows, part.board.cols, len(part.cells)
    (5, 7, 35)
    """
    whole = scene.board
    rows, cols = min(rows, whole.rows), min(cols, whole.cols)
    top = max(0, min(top, whole.rows - rows))
    left = max(0, min(left, whole.cols - cols))
    kept = [(top + row) * whole.cols + left + col for row in range(rows) for col in range(cols)]
    holes = set(whole.holes)
    part = Board(
        rows,
        cols,
        whole.row_names[top : top + rows],
        whole.col_names[left : left + cols],
        whole.shape,
        tuple([at for at, cell in enumerate(kept) if cell in holes]),
        pieces=whole.pieces,
    )
    return scene._replace(cells=tuple([scene.cells[at] for at in kept]), board=part, actions=())
