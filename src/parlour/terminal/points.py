"""A line of a board of points and lines, as characters.

A point with something on it is a tile of the view's size; an empty one is a sign where its lines
meet. The name of a point is beside it if there is room.
"""

from collections.abc import Iterable

from rich.segment import Segment
from textual.strip import Strip

from parlour.core.scene import display_width
from parlour.terminal.palette import style
from parlour.terminal.tiles import BLANKS, Looks
from parlour.terminal.viewport import PointView

NODE = "○"
"""An empty point."""


def point_line(view: PointView, looks: Looks, number: int) -> list[Segment]:
    """Return a visible line of a board of points."""
    line, palette = number + view.top, looks.palette
    ground = palette.ground
    quiet = style(palette.frame, ground)
    parts: dict[int, tuple[int, Iterable[Segment]]] = {
        col: (1, (Segment(sign, quiet),)) for (col, at), sign in view.links.items() if at == line
    }
    names: dict[int, str] = {}
    for cell, ((left, top), (col, middle_line)) in enumerate(
        zip(view.corners, view.centres, strict=True)
    ):
        if not 0 <= line - top < view.lines:
            continue
        end = col + 1
        if is_open(looks, cell):
            look = looks.look(cell)
            ink = look.sign_ink if look.sign else palette.name
            node = Segment(look.sign or NODE, style(ink, ground, bold=True))
            if line == middle_line:
                parts[col] = (1, (node,))
        else:
            end = left + view.pitch[0]
            for covered in range(left, end):
                parts.pop(covered, None)
            parts[left] = (view.pitch[0], looks.tile(cell, view.pitch[0], view.lines)[line - top])
        if line == middle_line:
            names[end] = view.board.col_names[cell]
    named = style(palette.name, ground)
    links = {col for (col, at) in view.links if at == line}
    for start, name in names.items():
        ends = range(start, start + display_width(name))
        if name and not any(col in parts and col not in links for col in ends):
            for col in ends:
                parts.pop(col, None)
            parts[start] = (len(ends), (Segment(name, named),))
    segments, at = [], 0
    for col, (width, drawn) in sorted(parts.items()):
        segments += [Segment(" " * (col - at), quiet), *drawn]
        at = col + width
    strip = Strip(segments).extend_cell_length(view.whole[0], quiet)
    return list(strip.crop(view.left, view.left + view.body[0]))


def is_open(looks: Looks, cell: int) -> bool:
    """Return whether a point is drawn as a sign, because nothing is on it."""
    here, marks = looks.scene.cells[cell], looks.marks
    is_cursor = marks.shows_cursor and cell == marks.cursor
    if here.glyph not in BLANKS or here.number or is_cursor or cell in marks.touched:
        return False
    return looks.look(cell).fill == looks.palette.plain.fill and looks.disc(cell) is None
