"""How a cell looks in a picture: a tile, a disc, an arrow, or a part of a larger piece.

The drawing depends only on the scene, so it suits any game. Cells of one `piece` form one solid
shape with an outline. An arrow glyph is drawn as an arrow. A face with artwork is drawn as its
picture. A cell with another `face` or lying face-down is a disc. Any other cell is filled and shows
its glyph.
"""

import re
from collections.abc import Collection
from itertools import pairwise
from math import cos, pi, sin, sqrt
from xml.sax.saxutils import escape

from parlour.core.colours import COLOURS, Paint, cell_colour, contrast
from parlour.core.scene import HEX, POINTS, SQUARE, Board, Cell
from parlour.drawing.artwork import SIZE, artwork, has_artwork

CELL = 36
"""The width of a cell in pixels, and the height of a square."""

MANY_COLUMNS = 15
MANY_SCALE = 1.5
"""Artwork is enlarged by this factor on boards with more columns, as on the page."""

FONTS = "DejaVu Sans, Noto Sans, Noto Sans CJK TC, Noto Sans TC, Microsoft JhengHei, sans-serif"
TEXT = "#22252a"
FRAME = "#bfbfb5"
LAST = "#a33e00"
LINK = "#8f8b7e"
"""The colour of the lines between points."""
QUIET = "#7d7b70"
"""The colour of an arrow without an owner."""

PLAIN = Paint("#ebe9e2", TEXT)
MARKED = {
    "wall": Paint("#5b6069", "#ffffff"),
    "face-down": Paint("#d8cdb8", TEXT),
    "goal": Paint("#fbeab5", TEXT),
    "start": Paint("#d6d6cc", TEXT),
}
"""The colours of cells with a mark but no colour."""

BLANK = ("·", ".", "-", "_")
"""Glyphs of empty cells, which a picture leaves blank."""

ARROWS = {"↑": 0, "↗": 45, "→": 90, "↘": 135, "↓": 180, "↙": 225, "←": 270, "↖": 315}
"""Degrees from north, clockwise."""

NODE = 5
"""The radius of an empty point of a board of points."""
CORNERS = 24
"""A round cell is drawn as a polygon of so many corners."""

Point = tuple[float, float]
_SIDES = {
    True: ((-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)),
    False: ((-1, 0), (0, 1), (1, 0), (0, -1)),
}
"""Offsets to the neighbour beyond each side; the key is whether the board is hexagonal."""


def paint(content: Cell) -> Paint:
    """Return a cell's colours: its own or its owner's, otherwise those of its marks."""
    colour = cell_colour(content.colour, content.owner)
    if colour:
        return COLOURS[colour]
    return next((each for mark, each in MARKED.items() if mark in content.marks), PLAIN)


def outline_of(fill: str) -> str:
    """Return a darker or lighter shade that contrasts with the fill."""
    toward = "#000000" if contrast(fill, "#000000") >= 3 else "#ffffff"
    parts = [
        round(0.4 * int(fill[at : at + 2], 16) + 0.6 * int(toward[at : at + 2], 16))
        for at in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)


def cell_to_svg(board: Board, centre: Point, content: Cell, is_first: bool, is_last: bool) -> str:
    """Return the group of a cell: its label as a title, then its drawing.

    `is_first` marks the first cell of a piece, which shows the glyph. `is_last` marks cells of the
    last action.
    """
    x, y = centre
    arrow = next((sign for sign in content.glyph if sign in ARROWS), "")
    is_picture = has_artwork(content.face)
    is_disc = not arrow and not is_picture and (bool(content.face) or "face-down" in content.marks)
    fill, ink = paint(content)
    parts = [f"<title>{escaped(content.label)}</title>"]
    if content.piece:
        parts.append(polygon(board, x, y, 0, f'fill="{fill}"'))
        if is_first:
            parts.append(text(x, y + 5, content.glyph, 14, ink=ink, bold=True))
        return f"<g>{''.join(parts)}</g>"
    under = PLAIN.fill if is_disc or is_picture else fill
    is_open = board.shape == POINTS and under == PLAIN.fill
    if is_open:
        parts.append(f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{NODE}" fill="{LINK}"/>')
    if not is_open or not (is_disc or is_picture or content.glyph in BLANK):
        parts.append(polygon(board, x, y, 0, f'fill="{under}" stroke="{FRAME}"'))
    if is_last:  # dark on light is visible on any fill
        parts.append(polygon(board, x, y, 3, 'fill="none" stroke="#ffffff" stroke-width="4"'))
        parts.append(polygon(board, x, y, 2, f'fill="none" stroke="{LAST}" stroke-width="3"'))
    if is_picture:
        pass  # drawn over the neighbours by `picture_to_svg`
    elif is_disc:
        parts.append(_disc(x, y, content, Paint(fill, ink)))
    elif arrow:
        is_owned = cell_colour(content.colour, content.owner) != ""
        parts.append(_arrow(x, y, ARROWS[arrow], ink if is_owned else QUIET, is_owned))
        rest = content.glyph.replace(arrow, "")
        if rest not in BLANK:
            parts.append(text(x - 12, y - 8, rest, 9, ink=ink, bold=True))
    elif content.sign:
        parts.append(text(x - 3, y + 4, content.sign, 20, ink=ink))
        parts.append(text(x + 9, y + 12, content.glyph, 9, ink=ink))
    elif "wall" not in content.marks and content.glyph not in BLANK:
        parts.append(text(x, y + 6, content.glyph, 16, ink=ink))
    return f"<g>{''.join(parts)}</g>"


def number_to_svg(centre: Point, content: Cell) -> str:
    """Return the number in the lower right corner of a cell that has one; or nothing."""
    if not content.number:
        return ""
    (x, y), number = centre, content.number
    width = 8 + 6 * len(str(number))
    left, top = x + 19 - width, y + 5
    return (
        f'<rect x="{_short(left)}" y="{_short(top)}" width="{width}" height="14" rx="7" '
        f'fill="{TEXT}" stroke="#ffffff"/>'
    ) + text(left + width / 2, top + 11, str(number), 10, ink="#ffffff", bold=True)


def picture_to_svg(board: Board, centre: Point, content: Cell) -> str:
    """Return the artwork of a cell's face, larger than the cell if there are many; or nothing."""
    if not has_artwork(content.face):
        return ""
    fill = paint(content).fill
    is_wide = board.shape != POINTS and board.cols > MANY_COLUMNS
    size = CELL * (MANY_SCALE if is_wide else 0.98)
    x, y = centre[0] - size / 2, centre[1] - size / 2
    return (
        f'<svg x="{_short(x)}" y="{_short(y)}" width="{_short(size)}" height="{_short(size)}" '
        f'viewBox="0 0 {SIZE} {SIZE}" stroke-linecap="round" stroke-linejoin="round">'
        f"{artwork(content.face, fill, outline_of(fill))}</svg>"
    )


def _disc(x: float, y: float, content: Cell, colours: Paint) -> str:
    """Draw a round piece with its character or glyph; the letter stays beside a character."""
    fill, ink = colours
    edge = LAST if "flipping" in content.marks else outline_of(fill)
    dashes = ' stroke-dasharray="4 3"' if "flipping" in content.marks else ""
    place = f'cx="{_short(x)}" cy="{_short(y)}"'
    drawn = f'<circle {place} r="15" fill="{fill}" stroke="{edge}" stroke-width="2"{dashes}/>'
    drawn += f'<circle {place} r="12" fill="none" stroke="{ink}" stroke-opacity="0.35"/>'
    if not content.sign:
        return drawn + text(x, y + 5, content.glyph, 14, ink=ink, bold=True)
    drawn += text(x, y + 6, content.sign, 17, ink=ink)
    return drawn + text(x + 13.5, y + 17, content.glyph, 9)  # for readers of letters only


def _arrow(x: float, y: float, degrees: int, ink: str, is_bold: bool) -> str:
    width = 3.5 if is_bold else 2
    return (
        f'<path d="M0,9 L0,-8 M-6,-2 L0,-9 L6,-2" transform="translate({_short(x)} {_short(y)}) '
        f'rotate({degrees})" fill="none" stroke="{ink}" stroke-width="{width}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


# Pieces of several cells.


def pieces_to_svg(
    board: Board, centres: dict[int, Point], cells: tuple[Cell, ...], last: Collection[int]
) -> list[str]:
    """Draw the outlines of the pieces, and a frame around those of the last action.

    Only sides of the cells that have a centre are drawn.
    """
    found: dict[int, list[int]] = {}
    for cell, content in enumerate(cells):
        if content.piece:
            members = found.setdefault(content.piece, [])
            if cell in centres:
                members.append(cell)
    parts: list[str] = []
    frames: list[str] = []
    for members in filter(None, found.values()):
        edge = outline_of(paint(cells[members[0]]).fill)
        outer, inner = _sides(board, centres, cells, members)
        if inner:
            parts.append(_path(inner, f'stroke="{edge}" stroke-opacity="0.3"'))
        parts.append(_path(outer, f'stroke="{edge}" stroke-width="2.5"'))
        if any(cell in last for cell in members):
            frames.append(_path(outer, 'stroke="#ffffff" stroke-width="6"'))
            frames.append(_path(outer, f'stroke="{LAST}" stroke-width="3"'))
    return parts + frames


def _sides(
    board: Board, centres: dict[int, Point], cells: tuple[Cell, ...], members: list[int]
) -> tuple[list[tuple[Point, Point]], list[tuple[Point, Point]]]:
    """Return the sides around a piece, and those between two of its cells."""
    outer: list[tuple[Point, Point]] = []
    inner: list[tuple[Point, Point]] = []
    for cell in members:
        row, col = divmod(cell, board.cols)
        points = corners(board, *centres[cell], 0)
        if board.shape == POINTS:
            outer += list(pairwise([*points, points[0]]))
            continue
        for number, (down, right) in enumerate(_SIDES[board.shape == HEX]):
            side = points[number], points[(number + 1) % len(points)]
            near = (row + down) * board.cols + col + right
            is_inside = 0 <= row + down < board.rows and 0 <= col + right < board.cols
            if not (is_inside and cells[near].piece == cells[cell].piece):
                outer.append(side)
            elif cell < near or near not in centres:
                inner.append(side)
    return outer, inner


def _path(sides: list[tuple[Point, Point]], looks: str) -> str:
    drawn = " ".join(
        f"M{_short(a)},{_short(b)} L{_short(c)},{_short(d)}" for (a, b), (c, d) in sides
    )
    return f'<path d="{drawn}" fill="none" stroke-linecap="round" {looks}/>'


# Shapes and texts.


def links_to_svg(board: Board, centres: dict[int, Point]) -> list[str]:
    """Draw the lines between points, and the names of the points."""
    lines = [(centres[one], centres[two]) for one, two in board.links]
    parts = [_path(lines, f'stroke="{LINK}" stroke-width="2"')] if lines else []
    for cell, (x, y) in centres.items():
        parts.append(text(x + 19, y - 11, board.col_names[cell], 9, ink=QUIET))
    return parts


def corners(board: Board, x: float, y: float, inset: float) -> list[Point]:
    """Return the corners of a cell around a point, clockwise, moved inwards by `inset`."""
    half = CELL / 2 - inset
    if board.shape == POINTS:
        turns = [2 * pi * number / CORNERS for number in range(CORNERS)]
        return [(x + half * sin(turn), y - half * cos(turn)) for turn in turns]
    if board.shape != HEX:
        return [
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        ]
    tall = half * 2 / sqrt(3)
    right = ((0.0, -tall), (half, -tall / 2), (half, tall / 2))
    return [(x + a, y + b) for a, b in (*right, *((-a, -b) for a, b in right))]


def polygon(board: Board, x: float, y: float, inset: float, looks: str) -> str:
    """Draw a square, hexagon or circle around a point, smaller by `inset` on every side."""
    points = corners(board, x, y, inset)
    if board.shape == SQUARE:
        (left, top), (right, _), *_ = points
        side = _short(right - left)
        return (
            f'<rect x="{_short(left)}" y="{_short(top)}" width="{side}" height="{side}" {looks}/>'
        )
    drawn = " ".join(f"{_short(a)},{_short(b)}" for a, b in points)
    return f'<polygon points="{drawn}" {looks}/>'


def _short(number: float) -> str:
    return f"{round(number, 2):g}"


def escaped(words: str) -> str:
    """Escape text for XML, without invalid characters."""
    return escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", words))


def text(
    x: float,
    y: float,
    words: str,
    size: int,
    anchor: str = "middle",
    ink: str = TEXT,
    bold: bool = False,
) -> str:
    """Draw a line of text on a baseline; empty text draws nothing."""
    if not words.strip():
        return ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{_short(x)}" y="{_short(y)}" font-size="{size}" '
        f'text-anchor="{anchor}" fill="{ink}"{weight}>{escaped(words)}</text>'
    )
