"""A scene as an SVG picture: cells with glyphs and owners' colours, names, seats, status."""

from collections.abc import Collection
from xml.sax.saxutils import escape

from parlour.core.colours import COLOURS, cell_colour
from parlour.core.scene import Scene, SeatView

CELL = 32
MARGIN = 34
LINE = 20

BOARD = "#f4f4f0"
FRAME = "#c9c9c0"
WALL = "#5b6069"
TEXT = "#22252a"
LAST = "#a33e00"


def picture_size(scene: Scene) -> tuple[int, int]:
    """Width and height in pixels."""
    texts = [scene.status, *(_seat_text(seat) + "   " for seat in scene.seats)]
    width = 2 * MARGIN + max(scene.board.cols * CELL, *(8 * len(text) for text in texts))
    return width, 2 * MARGIN + scene.board.rows * CELL + LINE * (len(scene.seats) + 1)


def scene_to_svg(scene: Scene, last: Collection[int] = (), title: str = "") -> str:
    """The picture; the cells `last` have a frame, and every cell says what is on it."""
    width, height = picture_size(scene)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="DejaVu Sans, sans-serif">',
        f"<title>{escape(title or scene.status)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for col, name in enumerate(scene.board.col_names):
        parts.append(_text(MARGIN + col * CELL + CELL // 2, MARGIN - 10, name, 12))
    for row, name in enumerate(scene.board.row_names):
        parts.append(_text(MARGIN // 2, MARGIN + row * CELL + CELL // 2 + 4, name, 12))
    parts += [_cell(scene, cell, cell in last) for cell in range(len(scene.cells))]
    below = MARGIN + scene.board.rows * CELL + LINE + 4
    for number, seat in enumerate(scene.seats):
        colour = _seat_colour(scene, number)
        parts.append(
            f'<rect x="{MARGIN}" y="{below - 11}" width="12" height="12" fill="{colour}"/>'
        )
        weight = number == scene.actor
        parts.append(_text(MARGIN + 20, below, _seat_text(seat), 13, "start", bold=weight))
        below += LINE
    parts.append(_text(MARGIN, below, scene.status, 13, "start"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _seat_colour(scene: Scene, seat: int) -> str:
    """The colour of the seat's cells, where they have one by name."""
    named = [cell.colour for cell in scene.cells if cell.owner == seat and cell.colour]
    return COLOURS[cell_colour(named[0] if named else "", seat)].fill


def _seat_text(seat: SeatView) -> str:
    return ": ".join(word for word in (seat.name, seat.score, " ".join(seat.tray)) if word)


def _cell(scene: Scene, cell: int, is_last: bool) -> str:
    content = scene.cells[cell]
    row, col = divmod(cell, scene.board.cols)
    x, y = MARGIN + col * CELL, MARGIN + row * CELL
    fill, ink, glyph = BOARD, TEXT, content.glyph
    colour = cell_colour(content.colour, content.owner)
    if colour:
        fill, ink = COLOURS[colour]
    elif "wall" in content.marks:
        fill, glyph = WALL, ""
    shape = (
        f'<g><title>{escape(content.label)}</title><rect x="{x}" y="{y}" width="{CELL}" '
        f'height="{CELL}" fill="{fill}" stroke="{FRAME}"/>'
    )
    if is_last:
        shape += (
            f'<rect x="{x + 2}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}" '
            f'fill="none" stroke="{LAST}" stroke-width="3"/>'
        )
    return shape + _text(x + CELL // 2, y + CELL // 2 + 6, glyph, 16, ink=ink) + "</g>"


def _text(
    x: int,
    y: int,
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
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{ink}"{weight}>{escape(text)}</text>'
    )
