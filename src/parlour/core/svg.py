"""A scene as an SVG picture: the board with its names, the seats, the status.

It needs nothing but the scene, so that any game has a picture.
"""

import re
import textwrap
from collections.abc import Collection
from math import sqrt
from xml.sax.saxutils import escape

from parlour.core.colours import COLOURS, Paint, cell_colour, seat_colours
from parlour.core.geometry import SPAN, column_ends, real_cells, slot, slots
from parlour.core.scene import HEX, Board, Cell, Scene, SeatView, display_width

CELL = 36
"""The width of a cell in pixels; a square's height too."""
MARGIN = 34
LINE = 20
SWATCH = 18
"""The room for one of a seat's colours before its name."""
LETTER = 8
"""About what one column of text is wide."""
LEAST_WIDTH = 420
"""How wide the text beside a small board, or without one, may be before it is wrapped."""

FONTS = "DejaVu Sans, Noto Sans, Noto Sans CJK TC, Noto Sans TC, Microsoft JhengHei, sans-serif"
TEXT = "#22252a"
FRAME = "#bfbfb5"
LAST = "#a33e00"

PLAIN = Paint("#ebe9e2", TEXT)
MARKED = {
    "wall": Paint("#5b6069", "#ffffff"),
    "face-down": Paint("#d8cdb8", TEXT),
    "goal": Paint("#fbeab5", TEXT),
    "start": Paint("#d6d6cc", TEXT),
}
"""How a cell is painted that has no colour, but one of these marks."""


def picture_size(scene: Scene) -> tuple[int, int]:
    """Width and height in pixels."""
    text = max(LETTER * (display_width(line) + 3) for line in _text_lines(scene))
    width = max(_board_width(scene.board), min(text, _text_width(scene)))
    return 2 * MARGIN + width, _text_top(scene.board) + LINE * len(_text_lines(scene))


def scene_to_svg(scene: Scene, last: Collection[int] = (), title: str = "") -> str:
    """The picture; the cells `last` have a frame, and every cell says what is on it."""
    width, height = picture_size(scene)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{FONTS}" role="img">',
        f"<title>{_escaped(title or scene.status)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    cells = real_cells(scene.board)
    parts += _names(scene.board, cells)
    parts += [_cell(scene, cell, cell in last) for cell in cells]
    below = _text_top(scene.board)
    colours = [seat_colours(scene.cells, number) for number in range(len(scene.seats))]
    indent = SWATCH * max(map(len, colours), default=0)
    for number, seat in enumerate(scene.seats):
        for place, colour in enumerate(colours[number]):
            parts.append(
                f'<rect x="{MARGIN + SWATCH * place}" y="{below - 11}" width="12" height="12" '
                f'fill="{COLOURS[colour].fill}" stroke="{FRAME}"/>'
            )
        for line in _wrapped(_seat_text(seat), scene):
            is_turn = number == scene.actor
            parts.append(_text(MARGIN + indent, below, line, 13, "start", bold=is_turn))
            below += LINE
    for line in _wrapped(scene.status, scene):
        parts.append(_text(MARGIN, below, line, 13, "start"))
        below += LINE
    return "\n".join([*filter(None, parts), "</svg>"]) + "\n"


# Where things are.


def _row_height(board: Board) -> float:
    return CELL * sqrt(3) / 2 if board.shape == HEX else CELL


def _top(board: Board) -> int:
    """Where the first row begins; the names of square columns are above it."""
    return MARGIN // 2 if board.shape == HEX else MARGIN


def _centre(board: Board, row: int, col: int) -> tuple[float, float]:
    """The middle of a cell, in pixels."""
    x = MARGIN + CELL * (slot(board, row, col) + SPAN / 2) / SPAN
    first = CELL / sqrt(3) if board.shape == HEX else CELL / 2
    return x, _top(board) + first + row * _row_height(board)


def _board_width(board: Board) -> int:
    return slots(board) * CELL // SPAN


def _text_top(board: Board) -> int:
    """The base line of the first text under the board."""
    if not board.size:
        return MARGIN
    _, y = _centre(board, board.rows, 0)
    return round(y) + LINE if board.shape == HEX else _top(board) + board.rows * CELL + LINE + 4


def _names(board: Board, cells: list[int]) -> list[str]:
    """The rows' names before them; the columns' above, or where slanting columns end."""
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
        parts.append(_text(x, y + 4, board.col_names[col], 12))
    for row in sorted({cell // board.cols for cell in cells}):
        x = firsts[row] if board.shape == HEX else MARGIN + CELL / 2
        _, y = _centre(board, row, 0)
        parts.append(_text(x - CELL / 2 - MARGIN / 2, y + 4, board.row_names[row], 12))
    return parts


# What is drawn.


def _paint(content: Cell) -> Paint:
    colour = cell_colour(content.colour, content.owner)
    if colour:
        return COLOURS[colour]
    return next((paint for mark, paint in MARKED.items() if mark in content.marks), PLAIN)


def _cell(scene: Scene, cell: int, is_last: bool) -> str:
    content = scene.cells[cell]
    board = scene.board
    x, y = _centre(board, *divmod(cell, board.cols))
    fill, ink = _paint(content)
    shape = f"<g><title>{_escaped(content.label)}</title>"
    shape += _outline(board, x, y, 0, f'fill="{fill}" stroke="{FRAME}"')
    if is_last:  # dark on light, to be seen on any fill
        shape += _outline(board, x, y, 3, 'fill="none" stroke="#ffffff" stroke-width="4"')
        shape += _outline(board, x, y, 2, f'fill="none" stroke="{LAST}" stroke-width="3"')
    if content.sign:
        shape += _text(x - 3, y + 4, content.sign, 20, ink=ink)
        shape += _text(x + 9, y + 12, content.glyph, 9, ink=ink)  # for who cannot read the sign
    elif "wall" not in content.marks:
        shape += _text(x, y + 6, content.glyph, 16, ink=ink)
    return shape + "</g>"


def _outline(board: Board, x: float, y: float, inset: float, looks: str) -> str:
    """A square or a hexagon around a point, smaller by `inset` on every side."""
    half = CELL / 2 - inset
    if board.shape != HEX:
        side = f"{2 * half:g}"
        return f'<rect x="{x - half:g}" y="{y - half:g}" width="{side}" height="{side}" {looks}/>'
    tall = half * 2 / sqrt(3)
    corners = ((0, -tall), (half, -tall / 2), (half, tall / 2))
    points = (*corners, *((-right, -down) for right, down in corners))
    text = " ".join(f"{round(x + right, 2):g},{round(y + down, 2):g}" for right, down in points)
    return f'<polygon points="{text}" {looks}/>'


# What is written.


def _seat_text(seat: SeatView) -> str:
    return ": ".join(word for word in (seat.name, seat.score, " ".join(seat.tray)) if word)


def _text_width(scene: Scene) -> int:
    return max(_board_width(scene.board), LEAST_WIDTH)


def _wrapped(text: str, scene: Scene) -> list[str]:
    columns = _text_width(scene) // LETTER - 3
    letters = columns * len(text) // max(1, display_width(text))  # fewer where they are wide
    return textwrap.wrap(text, max(1, letters)) or [""]


def _text_lines(scene: Scene) -> list[str]:
    texts = [*map(_seat_text, scene.seats), scene.status]
    return [line for text in texts for line in _wrapped(text, scene)]


def _escaped(text: str) -> str:
    """The text, without what XML cannot hold."""
    return escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text))


def _text(
    x: float,
    y: float,
    text: str,
    size: int,
    anchor: str = "middle",
    ink: str = TEXT,
    bold: bool = False,
) -> str:
    if not text.strip():
        return ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{round(x, 2):g}" y="{round(y, 2):g}" font-size="{size}" '
        f'text-anchor="{anchor}" fill="{ink}"{weight}>{_escaped(text)}</text>'
    )
