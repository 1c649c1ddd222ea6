"""Small pictures of a scene: a board without names, and a single cell."""

from collections.abc import Iterable
from dataclasses import replace

from rich.segment import Segment
from rich.text import Text

from parlour.core.scene import HEX, POINTS, Board, Cell, Scene
from parlour.drawing.geometry import SPAN, slots
from parlour.grids import real_cells
from parlour.terminal.marks import Marks
from parlour.terminal.palette import Palette, style
from parlour.terminal.points import point_line
from parlour.terminal.tiles import Look, Looks, half_line, is_disc, sizes_for, tile
from parlour.terminal.viewport import PointView, Viewport, viewport

ENOUGH = 24 * SPAN
"""If this many half cells of a board are visible, discs can be drawn round."""
UNMARKED = Marks(shows_cursor=False)
CELL_LINES = 2
"""The lines of a cell's picture, if cells can be that large."""


def as_text(segments: Iterable[Segment]) -> Text:
    """Return segments as a text."""
    text = Text(no_wrap=True, end="")
    for segment in segments:
        text.append(segment.text, segment.style)
    return text


def cell_picture(
    cell: Cell, marks: Marks, size: tuple[int, int], palette: Palette, shows_signs: bool
) -> list[Text]:
    """Return the lines of a single cell of this size."""
    scene = Scene((cell,), board=Board(1, 1, ("",), ("",)))
    look = Looks(scene, marks, palette, shows_signs).look(0)
    # With lines around it, so that it is visible on any background.
    look = replace(look, left=True, right=True, below=True)
    wide, lines = size
    return [as_text(line) for line in tile(look, wide, lines)]


def cell_size(scene: Scene, palette: Palette, shows_signs: bool) -> tuple[int, int]:
    """Return the columns and lines of a cell's picture: two lines if possible."""
    sizes = [size for size in sizes_for(scene, palette, shows_signs) if size[1] > 1]
    wide, high = next((size for size in sizes if size[1] == 2 * CELL_LINES), sizes[-1])
    return wide, high // 2


def kinds_of(scene: Scene) -> list[Cell]:
    """Return one cell of each kind on the board, sorted by label."""
    holes = frozenset(scene.board.holes)
    kinds = {cell.label: cell for number, cell in enumerate(scene.cells) if number not in holes}
    return [kinds[label] for label in sorted(kinds)]


def picture(scene: Scene, wide: int, lines: int, palette: Palette, shows_signs: bool) -> list[Text]:
    """Return the board in this size: all of it as large as it fits, or its busiest part.

    It has no names and no marks; the area around the board is in the background colour.
    """
    ground = style("", palette.ground)
    blank = [as_text([Segment(" " * wide, ground)]) for _ in range(lines)]
    if scene.board.size == 0:
        return blank
    view = _view(scene, wide, lines, palette, shows_signs)
    looks = Looks(scene, UNMARKED, palette, shows_signs)
    left = view.origin[0]
    aside = max(0, (wide - view.body[0]) // 2)
    above = max(0, (lines - view.body[1]) // 2)
    drawn = [_line(view, looks, number) for number in range(min(view.body[1], lines))]
    for number, cells in enumerate(drawn):
        segments = [Segment(" " * aside, ground)]
        at = left
        for column, width, parts in cells:
            segments += [Segment(" " * (column - at), ground), *parts]
            at = column + width
        text = as_text(segments)
        text.append(" " * max(0, wide - aside - (at - left)), ground)
        blank[above + number] = text
    return blank


class Sketch:
    """A picture that is drawn again only after a change."""

    def __init__(self) -> None:
        """Start without a picture."""
        self._of: tuple[Scene, int, int, Palette, bool] | None = None
        self._lines: list[Text] = []

    def lines(
        self, scene: Scene, wide: int, lines: int, palette: Palette, shows_signs: bool
    ) -> list[Text]:
        """Return the lines that `picture` draws."""
        wanted = (scene, wide, lines, palette, shows_signs)
        if self._of != wanted:
            self._of, self._lines = wanted, picture(*wanted)
        return self._lines


def _view(scene: Scene, wide: int, lines: int, palette: Palette, shows_signs: bool) -> Viewport:
    """Return the visible part of the board: the busiest one if not all of it fits."""
    board = scene.board
    bare = board._replace(row_names=("",) * board.rows, col_names=("",) * board.cols)
    spare = (2, 2) if board.shape == HEX else (1, 1)
    area = (wide + spare[0], lines + spare[1])
    views = [viewport(bare, *area, pitch) for pitch in sizes_for(scene, palette, shows_signs)]
    whole = [view for view in views if view.is_whole and view.body[1] <= lines]
    if board.shape == POINTS:
        return whole[0] if whole else views[-1]
    round_ones = [view for view in views if view.lines > 1 and view.rows * view.slots >= ENOUGH]
    if any(is_disc(cell) for cell in scene.cells) and round_ones:
        view = round_ones[0]
    elif whole:
        view = whole[0]
    else:
        view = next(view for view in reversed(views) if not view.is_half)
    parts = [
        replace(view, top=top, left=left)
        for top in range(board.rows - view.rows + 1)
        for left in range(0, slots(board) - view.slots + 1, SPAN)
        if (top + left // SPAN) % 2 == 0
    ]
    lively = frozenset(cell for cell in real_cells(board) if _is_lively(scene.cells[cell]))

    def count(part: Viewport) -> int:
        return sum(len(lively.intersection(cells)) for cells in part.cells.values())

    return max(parts, key=count) if len(parts) > 1 else parts[0]


def _is_lively(cell: Cell) -> bool:
    """Return whether a cell holds something."""
    return bool(cell.owner >= 0 or cell.piece or cell.face or cell.sign)


def _line(view: Viewport, looks: Looks, line: int) -> list[tuple[int, int, Iterable[Segment]]]:
    """Return the cells on a line of a view, each with its column and width."""
    board = view.board
    if isinstance(view, PointView):
        return [(view.origin[0], view.body[0], point_line(view, looks, line))]
    if view.is_half:
        holes = frozenset(board.holes)

        def look_at(row: int, col: int) -> Look | None:
            cell = row * board.cols + col
            return looks.look(cell) if row < board.rows and cell not in holes else None

        row = view.top + 2 * line
        pairs = [(look_at(row, col), look_at(row + 1, col)) for col in range(board.cols)]
        return [(view.origin[0], board.cols, half_line(pairs, looks.palette.ground))]
    row, part = divmod(line, view.lines)
    row += view.top
    wide = view.pitch[0]
    return [
        (view.column(row, cell % board.cols), wide, looks.tile(cell, wide, view.lines)[part])
        for cell in view.cells.get(row, ())
    ]
