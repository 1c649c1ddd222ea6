"""A scene as plain text."""

import textwrap

from parlour.core.checks import printable
from parlour.core.scene import HEX, POINTS, Cell, Scene, display_width
from parlour.drawing.geometry import SPAN, SPREAD, column_ends, point_centres, slot
from parlour.drawing.links import link_signs
from parlour.drawing.words import seat_words
from parlour.grids import real_cells

WIDTH = 78
GAP = "  "
POINT_LINES = 2
"""The lines between the closest points of a board."""


def draw(scene: Scene) -> str:
    """Return the board with its names, the seats and the status line.

    Cells are identified by their glyphs, and wide glyphs stay aligned. The column names of a
    hexagonal
    board are at the lower ends. Without a board there are only the seats and the status.
    """
    board = [*board_lines(scene), ""] if scene.board.size else []
    return printable("\n".join([*board, *seat_words(scene), scene.status]))


def board_lines(scene: Scene) -> list[str]:
    """Return the lines of the board, with the column names below; points have theirs beside them.

    A number follows the glyph of a cell that has one.
    """
    board = scene.board
    if board.shape == POINTS:
        return _point_lines(scene)
    cells = real_cells(board)
    width = max(
        display_width(text)
        for text in (" ", *board.col_names, *(_content(scene.cells[cell]) for cell in cells))
    )
    if board.shape == HEX:
        width |= 1  # odd, so that half a cell with its space is a whole column
    margin = max(display_width(name) for name in board.row_names)
    lines: list[list[tuple[int, str]]] = [[] for _ in range(board.rows + 1)]
    for cell in cells:
        row, col = divmod(cell, board.cols)
        lines[row].append((slot(board, row, col), _content(scene.cells[cell])))
    named = {cell // board.cols for cell in cells}
    for col, row in column_ends(board, cells).items():
        lines[row].append((slot(board, row, col), board.col_names[col]))
    drawn = []
    for row, texts in enumerate(lines):
        first = min(texts)[0] if texts and board.shape == HEX else 0
        name = board.row_names[row] if row in named else ""
        line = _right(name, margin + first * (width + 1) // SPAN) + GAP
        for at, text in sorted(texts):
            start = margin + len(GAP) + at * (width + 1) // SPAN
            line += " " * (start - display_width(line)) + _right(text, width)
        drawn.append(line.rstrip())
    while not drawn[-1]:
        drawn.pop()
    return drawn


def _content(cell: Cell) -> str:
    return f"{cell.glyph}{cell.number or ''}"


def _point_lines(scene: Scene) -> list[str]:
    """Return the points, each with its name, and the lines between them."""
    board = scene.board
    texts = [
        f"{_content(cell)} {name}".rstrip() + " "
        for cell, name in zip(scene.cells, board.col_names, strict=True)
    ]
    wide = max(display_width(text) for text in texts) + 2
    places = [
        (round((x - 0.5) / SPREAD * wide), round((y - 0.5) / SPREAD * POINT_LINES))
        for x, y in point_centres(board)
    ]
    lines: dict[int, dict[int, str]] = {}
    for (col, line), sign in link_signs(board, places).items():
        lines.setdefault(line, {})[col] = sign
    for (col, line), text in zip(places, texts, strict=True):
        row = lines.setdefault(line, {})
        for covered in range(col, col + display_width(text)):
            row.pop(covered, None)
        row[col] = text
    drawn = []
    for line in range(max(lines) + 1):
        text = ""
        for col, part in sorted(lines.get(line, {}).items()):
            text += " " * (col - display_width(text)) + part
        drawn.append(text.rstrip())
    return drawn


def _right(text: str, width: int) -> str:
    """Right-align the text in this many columns."""
    return " " * (width - display_width(text)) + text


def list_actions(scene: Scene, most: int | None = None) -> str:
    """Return the texts of the legal actions, wrapped; only the first `most` if given."""
    texts = [view.text for view in scene.actions]
    shown = texts if most is None else texts[:most]
    rest = len(texts) - len(shown)
    tail = f" ... and {rest} more ('actions' lists all)" if rest else ""
    return textwrap.fill(
        "Actions: " + " ".join(shown) + tail,
        width=WIDTH,
        subsequent_indent="  ",
        break_on_hyphens=False,
        break_long_words=False,
    )
