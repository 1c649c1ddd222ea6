"""A scene as an SVG picture: the board with its names, the seats, the status.

It depends only on the scene, so every game has a picture. It is a light card with its own colours,
so it is readable on light and dark pages.
"""

import textwrap
from collections.abc import Collection
from math import ceil, sqrt
from typing import NamedTuple

from parlour.core.colours import COLOURS, seat_colours
from parlour.core.scene import HEX, POINTS, SQUARE, Board, Cell, Scene, display_width
from parlour.drawing.geometry import (
    SPAN,
    column_ends,
    point_centres,
    points_extent,
    slot,
    slots,
)
from parlour.drawing.svg_cells import (
    CELL,
    FONTS,
    FRAME,
    Point,
    cell_to_svg,
    escaped,
    links_to_svg,
    number_to_svg,
    picture_to_svg,
    pieces_to_svg,
    text,
)
from parlour.grids import real_cells
from parlour.shapes import Shape

MARGIN = 34
LINE = 20
SWATCH = 18
"""The width of one of a seat's colours before its name."""
LETTER = 8
"""The approximate width of one column of text."""
LEAST_WIDTH = 420
"""The width at which text beside a small board is wrapped."""


class TextLine(NamedTuple):
    """A line of text: its baseline, its right edge at most, and its drawing."""

    below: int
    right: int
    drawing: str


def picture_size(scene: Scene) -> tuple[int, int]:
    """Return the width and height in pixels."""
    lines = _text_lines(scene)
    words = max((LETTER * (display_width(line) + 3) for line in lines), default=0)
    width = max(_board_width(scene.board), min(words, _text_width(scene)))
    return 2 * MARGIN + width, _text_top(scene.board) + LINE * len(lines)


def scene_to_svg(scene: Scene, last: Collection[int] = (), title: str = "") -> str:
    """Return the picture; the cells `last` are framed, and every cell has its label as title."""
    width, height = picture_size(scene)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{FONTS}" role="img">',
        f"<title>{escaped(title or scene.status)}</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>',
    ]
    parts += _names(scene.board, real_cells(scene.board))
    parts += board_to_svg(scene, last)
    parts += [line.drawing for line in lines_to_svg(scene)]
    return "\n".join([*filter(None, parts), "</svg>"]) + "\n"


def cells_to_svg(board: Board, cells: tuple[Cell, ...], title: str) -> str:
    """Return a picture of cells alone, without names and words."""
    rim = 3
    left, top = MARGIN - rim, _top(board) - rim
    width = _board_width(board) + 2 * rim
    height = _text_top(board) - LINE - 4 - _top(board) + 2 * rim
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" '
        f'width="{width}" height="{height}" font-family="{FONTS}" role="img">',
        f"<title>{escaped(title)}</title>",
        *board_to_svg(Scene(cells, board=board), ()),
    ]
    return "\n".join([*filter(None, parts), "</svg>"]) + "\n"


def shape_to_svg(shape: Shape, colour: str, title: str) -> str:
    """Return a picture of a piece alone."""
    rows, cols = (1 + max(place[axis] for place in shape) for axis in (0, 1))
    covered = {row * cols + col for row, col in shape}
    holes = tuple(cell for cell in range(rows * cols) if cell not in covered)
    piece = Cell(" ", title, colour=colour, piece=1)
    return cells_to_svg(
        Board(rows, cols, ("",) * rows, ("",) * cols, holes=holes), (piece,) * (rows * cols), title
    )


# Layout.


def _row_height(board: Board) -> float:
    return CELL * sqrt(3) / 2 if board.shape == HEX else CELL


def _top(board: Board) -> int:
    """Return the top of the first row; the names of square columns are above it."""
    return MARGIN if board.shape == SQUARE else MARGIN // 2


def cell_centre(board: Board, cell: int) -> Point:
    """Return the centre of a cell in pixels."""
    return _centre(board, *divmod(cell, board.cols))


def _centre(board: Board, row: int, col: int) -> Point:
    if board.shape == POINTS:
        x, y = point_centres(board)[col]
        return MARGIN + CELL * x, _top(board) + CELL * y
    x = MARGIN + CELL * (slot(board, row, col) + SPAN / 2) / SPAN
    first = CELL / sqrt(3) if board.shape == HEX else CELL / 2
    return x, _top(board) + first + row * _row_height(board)


def _board_width(board: Board) -> int:
    if board.shape == POINTS:
        return ceil(CELL * points_extent(board)[0])
    return slots(board) * CELL // SPAN


def _text_top(board: Board) -> int:
    """Return the baseline of the first text below the board."""
    if not board.size:
        return MARGIN
    if board.shape == POINTS:
        return _top(board) + ceil(CELL * points_extent(board)[1]) + LINE + 4
    _, y = _centre(board, board.rows, 0)
    return round(y) + LINE if board.shape == HEX else _top(board) + board.rows * CELL + LINE + 4


def _names(board: Board, cells: list[int]) -> list[str]:
    """Draw row names on the left, and column names above or at the end of slanted columns."""
    if board.shape == POINTS:
        return []
    parts = []
    firsts: dict[int, float] = {}
    for cell in cells:
        row, col = divmod(cell, board.cols)
        x, _ = _centre(board, row, col)
        firsts[row] = min(firsts.get(row, x), x)
    for col, row in column_ends(board, cells).items():
        x, y = _centre(board, row if board.shape == HEX else -1, col)
        if board.shape == HEX:
            firsts[row] = min(firsts.get(row, x), x)
            x, y = x - CELL * 0.14, y - CELL * 0.2
        else:
            y += CELL * 0.18
        parts.append(text(x, y + 4, board.col_names[col], 12))
    for row in sorted({cell // board.cols for cell in cells}):
        x = firsts[row] if board.shape == HEX else MARGIN + CELL / 2
        _, y = _centre(board, row, 0)
        parts.append(text(x - CELL / 2 - MARGIN / 2, y + 4, board.row_names[row], 12))
    return parts


# Drawing.


def board_to_svg(
    scene: Scene, last: Collection[int], only: Collection[int] | None = None
) -> list[str]:
    """Draw every cell, or `only` some, the outlines of pieces, and artwork, which may be larger."""
    board, cells = scene.board, scene.cells
    drawn = [cell for cell in real_cells(board) if only is None or cell in only]
    centres = {cell: cell_centre(board, cell) for cell in drawn}
    firsts = {cells[cell].piece: cell for cell in reversed(range(board.size))}
    parts = links_to_svg(board, centres) if board.shape == POINTS else []
    parts += [
        cell_to_svg(board, centres[cell], content, firsts[content.piece] == cell, cell in last)
        for cell in drawn
        for content in [cells[cell]]
    ]
    parts += pieces_to_svg(board, centres, cells, last)
    parts += [picture_to_svg(board, at, cells[cell]) for cell, at in centres.items()]
    return parts + [number_to_svg(at, cells[cell]) for cell, at in centres.items()]


def lines_to_svg(scene: Scene) -> list[TextLine]:
    """Draw the lines of text below the board."""
    lines = []
    below = _text_top(scene.board)
    colours = [seat_colours(scene.cells, number) for number in range(len(scene.seats))]
    indent = SWATCH * max(map(len, colours), default=0)
    for number, words in enumerate(scene.seat_texts()):
        swatches = [
            f'<rect x="{MARGIN + SWATCH * place}" y="{below - 11}" width="12" height="12" '
            f'fill="{COLOURS[colour].fill}" stroke="{FRAME}"/>'
            for place, colour in enumerate(colours[number])
        ]
        for line in _wrapped(words, scene):
            is_turn = number == scene.actor
            drawn = text(MARGIN + indent, below, line, 13, "start", bold=is_turn)
            right = MARGIN + indent + LETTER * (display_width(line) + 3)
            lines.append(TextLine(below, right, "".join([*swatches, drawn])))
            swatches = []
            below += LINE
    for line in _wrapped(scene.status, scene):
        right = MARGIN + LETTER * (display_width(line) + 3)
        lines.append(TextLine(below, right, text(MARGIN, below, line, 13, "start")))
        below += LINE
    return lines


# Text.


def _text_width(scene: Scene) -> int:
    return max(_board_width(scene.board), LEAST_WIDTH)


def _wrapped(text: str, scene: Scene) -> list[str]:
    columns = _text_width(scene) // LETTER - 3
    letters = columns * len(text) // max(1, display_width(text))  # fewer if characters are wide
    return textwrap.wrap(text, max(1, letters))


def _text_lines(scene: Scene) -> list[str]:
    texts = [*scene.seat_texts(), scene.status]
    return [line for text in texts for line in _wrapped(text, scene)]
