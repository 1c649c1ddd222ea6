"""One cell of the board as characters: its fill, content, edges and marks.

Nothing is drawn outside the cell. Its first column holds the line at its left or a sign, and its
last line carries the line below it. The cursor is a frame inside the cell. It fills the cell if the
cell has only one line or holds an arrow, which a frame would cover.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from rich.segment import Segment

from parlour import grids
from parlour.core.colours import Paint, cell_colour
from parlour.core.scene import HEX, POINTS, SQUARE, Cell, Scene, display_width
from parlour.terminal.marks import Marks
from parlour.terminal.palette import (
    FITS,
    FITS_NOT,
    HINT,
    LAST,
    PREVIEW,
    TARGET,
    Palette,
    block_on,
    cursor_on,
    line_on,
    shade_on,
    style,
    written_on,
)
from parlour.terminal.viewport import HALF, middle

MOST_LINES = 7
"""The lines of the largest cell."""
DISC_LINES = (2, 3, 5, 7)
"""The lines of a cell with a disc, which has a line in its middle."""
LONG_ARROW, LONGEST_ARROW = 6, 5
"""From this many lines on, an arrow has its full length."""

ARROWS = {
    "↑": (-1, 0, "▲", "┃"),
    "↗": (-1, 1, "◥", "╱"),
    "→": (0, 1, "▶", "━"),
    "↘": (1, 1, "◢", "╲"),
    "↓": (1, 0, "▼", "┃"),
    "↙": (1, -1, "◣", "╱"),
    "←": (0, -1, "◀", "━"),
    "↖": (-1, -1, "◤", "╲"),
}
"""The direction of an arrow, down and right, and the head and shaft of a large one."""

BLANKS = ("·", ".")
"""Glyphs of empty cells, not needed where lines show the cells."""

BLACK_DISC = "#000000"
GHOST = -1
"""The number of the piece in hand; no piece on the board has it."""
NO_PIECE = 0


@dataclass(frozen=True)
class Look:
    """Everything that a cell's characters depend on."""

    fill: str
    ink: str
    glyph: str = ""
    is_repeated: bool = False
    """Whether the glyph fills the cell."""
    disc: Paint | None = None
    is_turning: bool = False
    """Whether the disc is being turned over."""
    rim: str = ""
    """The colour of the disc's edge if the disc itself is hardly visible on the cell."""
    edge: str = ""
    left: bool = False
    """Whether there is a line at that side."""
    right: bool = False
    below: bool = False
    sign: str = ""
    sign_ink: str = ""
    is_cursor: bool = False
    block: str = ""
    """The fill of a cell that is the cursor."""
    is_ghost: bool = False
    """Whether it is part of the piece in hand."""
    is_reversed: bool = False
    """Replaces a fill without colours."""


def is_disc(cell: Cell) -> bool:
    """Return whether the cell holds a piece with two faces or a traditional character."""
    return bool(cell.sign) or "face-down" in cell.marks


def paint_of(cell: Cell, palette: Palette) -> Paint:
    """Return a cell's colours without marks."""
    colour = cell_colour(cell.colour, cell.owner)
    if colour:
        return palette.colours[colour]
    for mark, paint in (("wall", palette.wall), ("goal", palette.goal), ("start", palette.start)):
        if mark in cell.marks:
            return paint
    return palette.plain


def sizes_for(scene: Scene, palette: Palette, shows_signs: bool) -> list[tuple[int, int]]:
    """Return the possible sizes of cells, largest first, in columns and half lines.

    Half blocks come last, for boards without outlines on which
    colours alone distinguish the cells.
    """
    kinds = set(scene.cells)
    contents = {(content(cell, palette, shows_signs), paint_of(cell, palette)) for cell in kinds}
    has_discs = any(is_disc(cell) for cell in kinds)
    tall = (lines for lines in range(MOST_LINES, 1, -1) if not has_discs or lines in DISC_LINES)
    least = 1 + max((display_width(text) for text, _ in contents), default=1)
    if scene.board.shape == POINTS:
        least += 1 - least % 2  # so that lines meet in the middle
    if scene.board.shape == HEX:
        least += least % 2  # so that half of a cell is a whole number of columns
    sizes = [(2 * lines, 2 * lines) for lines in tall]
    sizes = [size for size in sizes if size[0] > least]
    sizes.append((least, 2))
    fills = {paint.fill for _, paint in contents}
    is_laid = any(cell.piece for cell in kinds) or any(view.group for view in scene.actions[:1])
    is_clear = palette.has_colours and len(fills) == len(contents) and not is_laid
    if is_clear and scene.board.shape == SQUARE:
        sizes.append(HALF)
    return sizes


def content(cell: Cell, palette: Palette, shows_signs: bool) -> str:
    """Return the text on a cell; empty if its fill or outline shows everything."""
    return _content_alone(cell, palette, shows_signs) + str(cell.number or "")


def _content_alone(cell: Cell, palette: Palette, shows_signs: bool) -> str:
    if palette.has_colours:
        if "wall" in cell.marks or "face-down" in cell.marks or cell.glyph in BLANKS:
            return ""
        if cell.glyph[-1:] in ARROWS:
            return cell.glyph[-1]
    if cell.sign and shows_signs:
        return cell.sign
    return cell.glyph


class Looks:
    """The looks of a scene's cells with their marks."""

    def __init__(self, scene: Scene, marks: Marks, palette: Palette, shows_signs: bool) -> None:
        """Store the scene; looks are computed on demand."""
        self.scene = scene
        self.marks = marks
        self.palette = palette
        self.shows_signs = shows_signs
        self.holes = frozenset(scene.board.holes)
        self.firsts: dict[int, int] = {}
        """The first cell of each piece, which carries its glyph."""
        for cell, here in enumerate(scene.cells):
            self.firsts.setdefault(here.piece, cell)
        self._looks: dict[int, Look] = {}
        self._tiles: dict[tuple[int, int, int], tuple[tuple[Segment, ...], ...]] = {}

    def piece(self, cell: int) -> int:
        """Return the number of a cell's piece; walls count as one piece."""
        if cell in self.marks.ghost:
            return GHOST
        content = self.scene.cells[cell]
        if "wall" in content.marks:
            return GHOST - 1
        return content.piece

    def are_joined(self, cell: int, other: int) -> bool:
        """Return whether there is no line between two cells."""
        piece = self.piece(cell)
        return piece != NO_PIECE and piece == self.piece(other)

    def paint(self, cell: int) -> Paint:
        """Return a cell's colours, marks included."""
        marks, palette = self.marks, self.palette
        if cell in marks.ghost:
            return palette.fits if marks.ghost_fits else palette.fits_not
        if cell in marks.touched:
            return palette.touched
        content = self.scene.cells[cell]
        paint = palette.plain if is_disc(content) else paint_of(content, palette)
        if paint is palette.plain:
            for cells, marked in ((marks.preview, palette.preview), (marks.last, palette.last)):
                if cell in cells and self.keeps_disc(cell, marked):
                    return marked
        return paint

    def keeps_disc(self, cell: int, paint: Paint) -> bool:
        """Return whether the disc on a cell, if there is one, is also visible on that paint."""
        plain = self.palette.plain.fill
        disc = self.disc_on(cell, plain)
        if disc is None or self.rim_on(disc, plain):
            return True
        return line_on(paint.fill, disc.fill) == disc.fill

    def disc(self, cell: int) -> Paint | None:
        """Return the colours of the disc on a cell, if there is one."""
        return self.disc_on(cell, self.paint(cell).fill)

    def disc_on(self, cell: int, fill: str) -> Paint | None:
        """Return the disc on a cell of that fill, with swapped colours if it would be invisible.

        A black one keeps its colours and gets a rim.
        """
        here = self.scene.cells[cell]
        if not is_disc(here) or cell in self.marks.ghost:
            return None
        is_down = "face-down" in here.marks
        paint = self.palette.back if is_down else paint_of(here, self.palette)
        if not fill or line_on(fill, paint.fill) == paint.fill or self.rim_on(paint, fill):
            return paint
        return Paint(paint.ink, paint.fill)

    def rim_on(self, disc: Paint, fill: str) -> str:
        """Return the edge of a black disc that is hardly visible on that fill; otherwise empty."""
        if not fill or disc.fill != BLACK_DISC or line_on(fill, disc.fill) == disc.fill:
            return ""
        return line_on(fill, self.palette.name)

    def sign(self, cell: int) -> str:
        """Return the sign of the most important mark."""
        marks = self.marks
        if cell in marks.ghost:
            return ""
        signs = ((marks.hint, HINT), (marks.preview, PREVIEW), (marks.last, LAST))
        for cells, sign in (*signs, (marks.targets, TARGET)):
            if cell in cells:
                return sign
        return ""

    def look(self, cell: int) -> Look:
        """Return the look of a cell, cached."""
        found = self._looks.get(cell)
        if found is None:
            found = self._looks[cell] = self._look(cell)
        return found

    def tile(self, cell: int, wide: int, lines: int) -> tuple[tuple[Segment, ...], ...]:
        """Return the lines of a cell in that size, cached."""
        key = (cell, wide, lines)
        found = self._tiles.get(key)
        if found is None:
            found = self._tiles[key] = tile(self.look(cell), wide, lines)
        return found

    def _look(self, cell: int) -> Look:
        marks, palette = self.marks, self.palette
        here = self.scene.cells[cell]
        fill, ink = self.paint(cell)
        text = content(here, palette, self.shows_signs)
        is_solid = here.piece != NO_PIECE or "wall" in here.marks
        if cell in marks.ghost:
            text = FITS_NOT if not marks.ghost_fits else "" if palette.has_colours else FITS
        elif palette.has_colours and here.piece != NO_PIECE and self.firsts[here.piece] != cell:
            text = ""
        sign = self.sign(cell)
        sign_ink = palette.target if sign == TARGET else palette.sign
        board = self.scene.board
        ways = ((0, -1), (0, 1), (1, 0))
        are_points = board.shape == POINTS
        near = [None] * 3 if are_points else [grids.step(board, cell, *way) for way in ways]
        left, right, below = near
        has_outline = board.shape != SQUARE
        disc = self.disc_on(cell, fill)
        return Look(
            fill,
            ink,
            text,
            is_repeated=not palette.has_colours and (is_solid or cell in marks.ghost),
            disc=disc,
            is_turning="flipping" in here.marks,
            rim=self.rim_on(disc, fill) if disc else "",
            edge=line_on(fill, palette.edge),
            left=(left is not None or cell % board.cols > 0 or has_outline)
            and (left is None or not self.are_joined(cell, left)),
            right=right is None and (has_outline or (cell + 1) % board.cols != 0),
            below=(below is not None or has_outline or cell + board.cols in self.holes)
            and (below is None or not self.are_joined(cell, below)),
            sign=sign,
            sign_ink=line_on(fill, sign_ink),
            is_cursor=marks.shows_cursor and cell == marks.cursor,
            block=block_on(disc.fill if disc else fill, palette.plain.fill),
            is_ghost=cell in marks.ghost,
            is_reversed=not palette.has_colours and cell in marks.touched,
        )


@dataclass
class Canvas:
    """The characters of one cell."""

    wide: int
    lines: int
    fill: str
    ink: str
    text: list[list[str]] = field(init=False)
    looks: list[list[tuple[str, str, bool, bool, bool]]] = field(init=False)

    def __post_init__(self) -> None:
        """Fill with blanks."""
        plain = (self.ink, self.fill, False, False, False)
        self.text = [[" "] * self.wide for _ in range(self.lines)]
        self.looks = [[plain] * self.wide for _ in range(self.lines)]

    def put(self, line: int, col: int, text: str, ink: str, fill: str, bold: bool = False) -> None:
        """Write a text; a wide character covers the next column too."""
        for sign in text:
            width = display_width(sign)
            if width == 0:
                self.text[line][col - 1] += sign
                continue
            for part in range(width):
                self.text[line][col + part] = sign if part == 0 else ""
                self.looks[line][col + part] = (ink, fill, bold, False, False)
            col += width

    def strips(self) -> tuple[tuple[Segment, ...], ...]:
        """Return the lines, with runs of one style merged."""
        drawn = []
        for texts, looks in zip(self.text, self.looks, strict=True):
            segments: list[Segment] = []
            run, now = "", looks[0]
            for text, look in zip(texts, looks, strict=True):
                if look != now:
                    segments.append(Segment(run, style(*now)))
                    run, now = "", look
                run += text
            segments.append(Segment(run, style(*now)))
            drawn.append(tuple(segments))
        return tuple(drawn)


@lru_cache(maxsize=4096)
def tile(look: Look, wide: int, lines: int) -> tuple[tuple[Segment, ...], ...]:
    """Return the lines of a cell of that size as segments."""
    has_arrow = look.glyph in ARROWS and bool(look.fill)
    is_block = look.is_cursor and not look.is_ghost and (lines == 1 or has_arrow)
    fill, ink = look.fill, look.ink
    disc = look.disc
    if is_block and fill:
        fill, ink = look.block, written_on(look.block, disc.fill if disc else fill)
        disc = None
    canvas = Canvas(wide, lines, fill, ink)
    _content(canvas, look, disc)
    edge = ink if is_block else look.edge
    _edges(canvas, look, edge)
    if look.sign:
        _sign(canvas, look, ink if is_block else look.sign_ink)
    if is_block and has_arrow and lines > 1:
        _sides(canvas, look)
    elif look.is_cursor and look.is_ghost and lines == 1:  # a block would hide the piece
        canvas.put(0, 0, "[", ink, fill, bold=True)
        canvas.put(0, wide - 1, "]", ink, fill, bold=True)
    elif look.is_cursor and not is_block:
        _frame(canvas, cursor_on(look.fill))
    if look.is_reversed or (is_block and not look.fill):
        for line in canvas.looks:
            line[:] = [(*part[:4], True) for part in line]
    return canvas.strips()


def _content(canvas: Canvas, look: Look, disc: Paint | None) -> None:
    wide, lines = canvas.wide, canvas.lines
    fill, ink = canvas.fill, canvas.ink
    row = (lines - 1) // 2
    width = display_width(look.glyph)
    at = (wide - width) // 2 if disc is not None and lines > 1 else middle(wide, width)
    if disc is not None and disc.fill:
        fill, ink = _disc(canvas, disc, look.rim, look.is_turning)
    elif disc is not None and 0 < at < wide - width:
        canvas.put(row, at - 1, "(", ink, fill)
        canvas.put(row, at + width, ")", ink, fill)
    if look.glyph in ARROWS and lines > 2 and fill:
        _arrow(canvas, look.glyph, ink)
    elif look.is_repeated:
        start = 1 if look.left else 0
        for line in range(lines):
            canvas.put(line, start, look.glyph * ((wide - start) // width), ink, fill)
    elif look.glyph:
        canvas.put(row, at, look.glyph, ink, fill, bold=True)


def _disc(canvas: Canvas, disc: Paint, rim: str, is_turning: bool) -> tuple[str, str]:
    """Draw a disc as round as half blocks allow; return the colours for text on it.

    A disc with a rim keeps its own colours inside; with one line there is only room for the rim's.
    """
    wide, lines, board = canvas.wide, canvas.lines, canvas.fill
    fill, ink = disc
    if rim and lines > 1 and not is_turning:
        _disc(canvas, Paint(rim, fill), "", is_turning)
        inner = (0, 1) if lines == 2 else (1, 2)
        for line in range(inner[0], lines - 1):
            canvas.put(line, inner[1], " " * (wide - 2 * inner[1]), ink, fill)
        return fill, ink
    if rim:
        fill, ink = rim, fill
    if is_turning:  # seen from its edge
        for line in range(lines):
            canvas.put(line, (wide - 1) // 2, "▐▌"[: wide - 1], fill, board)
    elif lines == 1:
        canvas.put(0, 1, " " * (wide - 1), ink, fill)
    elif lines == 2:
        canvas.put(0, 0, "▐", fill, board)
        canvas.put(0, 1, " " * (wide - 2), ink, fill)
        canvas.put(0, wide - 1, "▌", fill, board)
        canvas.put(1, 1, "▀" * (wide - 2), fill, board)
    else:
        canvas.put(0, 1, f"▗{'▄' * (wide - 4)}▖", fill, board)
        canvas.put(lines - 1, 1, f"▝{'▀' * (wide - 4)}▘", fill, board)
        for line in range(1, lines - 1):
            canvas.put(line, 1, " " * (wide - 2), ink, fill)
    return fill, ink


def _arrow(canvas: Canvas, glyph: str, ink: str) -> None:
    """Draw a head and a shaft through the middle.

    A line of the cell stays free, so that arrows of neighbours do not touch.
    """
    down, right, head, shaft = ARROWS[glyph]
    length = min(canvas.lines - 1, LONGEST_ARROW if canvas.lines >= LONG_ARROW else 3)
    top = (canvas.lines - length) // 2
    left = (canvas.wide - length) // 2 + length % 2
    for step in range(length):
        line = top + (step if down > 0 else length - 1 - step) if down else (canvas.lines - 1) // 2
        col = left + (step if right > 0 else length - 1 - step) if right else canvas.wide // 2
        canvas.put(line, col, head if step == length - 1 else shaft, ink, canvas.fill, bold=True)


def _edges(canvas: Canvas, look: Look, edge: str) -> None:
    for line in range(canvas.lines):
        if look.left and canvas.text[line][0] == " ":
            canvas.put(line, 0, "▏", edge, canvas.fill)
        if look.right and canvas.text[line][-1] == " ":
            canvas.put(line, canvas.wide - 1, "▕", edge, canvas.fill)
    if look.below:
        last = canvas.looks[-1]
        for col, (ink, fill, bold, _, is_reversed) in enumerate(last):
            is_blank = canvas.text[-1][col] == " "
            is_beside = fill == canvas.fill and canvas.text[-1][col] in (" ", "▏", "▕")
            if look.disc is not None and not is_beside:
                continue  # the line would take the disc's colour
            last[col] = (edge if is_blank else ink, fill, bold, True, is_reversed)


def _sign(canvas: Canvas, look: Look, ink: str) -> None:
    is_underlined = canvas.looks[0][0][3]
    canvas.put(0, 0, look.sign, ink, canvas.fill, bold=look.sign != TARGET)
    if is_underlined:
        canvas.looks[0][0] = (ink, canvas.fill, look.sign != TARGET, True, False)


def _sides(canvas: Canvas, look: Look) -> None:
    """Leave half a column of the cell's own colour at both sides of a cell that is the cursor."""
    own = shade_on(canvas.fill, look.fill)
    for line in range(canvas.lines):
        canvas.put(line, 0, "▐", canvas.fill, own)
        canvas.put(line, canvas.wide - 1, "▌", canvas.fill, own)


def _frame(canvas: Canvas, ink: str) -> None:
    """Draw the cursor around the cell; in two lines, text stays visible in the frame."""
    wide, lines = canvas.wide, canvas.lines
    for line in range(lines):
        signs = "▌" + " " * (wide - 2) + "▐"
        if line == 0:
            signs = "▛" + "▀" * (wide - 2) + "▜"
        elif line == lines - 1:
            signs = "▙" + "▄" * (wide - 2) + "▟"
        for col, sign in enumerate(signs):
            under = canvas.text[line][col]
            if sign == " ":
                continue
            if lines == 2 and under not in FREE and 0 < col < wide - 1:
                _, fill, bold, _, _ = canvas.looks[line][col]
                canvas.looks[line][col] = (written_on(ink, fill), ink, bold, False, not ink)
                continue
            # The other half of the character stays a disc's edge if the colours are
            # distinguishable.
            edge = canvas.looks[line][col][0]
            is_edge = under in ("▄", "▀") and line_on(edge, ink) == ink
            canvas.put(line, col, sign, ink, edge if is_edge else canvas.fill)


FREE = (" ", "▄", "▀", "▏", "▕", "▗", "▖", "▝", "▘")
"""Characters that the cursor may cover."""


def half_line(pairs: Iterable[tuple[Look | None, Look | None]], ground: str) -> list[Segment]:
    """Return a line of half blocks, one for each pair of cells; `None` is the background."""
    return [
        Segment("▀", style(_half(upper, ground), _half(lower, ground))) for upper, lower in pairs
    ]


def _half(look: Look | None, ground: str) -> str:
    if look is None:
        return ground
    return look.block if look.is_cursor else look.fill
