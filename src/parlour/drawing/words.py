"""Scenes in words, for screen readers and text displays."""

from collections import Counter
from itertools import groupby

from parlour.core.colours import COLOURS, seat_colours
from parlour.core.scene import POINTS, Board, Scene
from parlour.grids import real_cells

MOST_CHANGES = 12
NO_BOARD_WORDS = "this game has no board"


def place(scene: Scene, cell: int) -> str:
    """Return the position of a cell: `row 3, column b`, or `point b3`."""
    if scene.board.shape == POINTS:
        return f"point {scene.board.col_names[cell]}"
    words = zip(("row", "column"), _names(scene.board, cell), strict=True)
    return ", ".join(f"{word} {name}" for word, name in words if name)


def cell_words(scene: Scene, cell: int) -> str:
    """Describe a cell's position and content."""
    if not scene.board.size:
        return NO_BOARD_WORDS
    return f"{place(scene, cell)}: {scene.cells[cell].label}"


def seat_colour(scene: Scene, seat: int) -> str:
    """Return the name of a seat's colour on the board, or in its name; empty if it has none."""
    words = scene.names[seat].replace(",", " ").split() if seat < len(scene.names) else []
    named = [word for word in words if word in COLOURS]
    return next(iter([*seat_colours(scene.cells, seat), *named]), "")


def find_cell(scene: Scene, text: str) -> int | None:
    """Return the cell with a row's and a column's name, in this order: `3 b`; or `None`.

    `row 3, column b` works too, and one name if the board needs only one.
    """
    wanted = _words(text)
    for cell in real_cells(scene.board):
        if wanted == _words(" ".join(_names(scene.board, cell))):
            return cell
    return None


def every_cell(scene: Scene) -> list[str]:
    """Describe every cell, one per line; the most common content is counted, not listed."""
    cells = real_cells(scene.board)
    if not cells:
        return [NO_BOARD_WORDS]
    counts = Counter(scene.cells[cell].label for cell in cells)
    common, number = counts.most_common(1)[0]
    if number < 3:
        return [cell_words(scene, cell) for cell in cells]
    lines = [cell_words(scene, cell) for cell in cells if scene.cells[cell].label != common]
    others = "the other" if lines else "all"
    return [*lines, f"{others} {number} cells: {common}"]


def board_words(scene: Scene) -> list[str]:
    """Describe the board, one line per row; consecutive equal rows are merged."""
    board = scene.board
    rows = sorted({cell // board.cols for cell in real_cells(board)})
    if not rows:
        return [NO_BOARD_WORDS]
    lines = []
    for text, run in groupby(rows, lambda row: _row_content(scene, row)):
        same = list(run)
        names = [board.row_names[row] for row in (same[0], same[-1])]
        if not all(names):
            lines += [text] * len(same)
        elif len(same) > 1:
            lines.append(f"rows {names[0]} to {names[1]}: {text}")
        else:
            lines.append(f"row {names[0]}: {text}")
    return lines


def row_words(scene: Scene, row: int) -> str:
    """Describe a row; equal neighbours are merged."""
    name = scene.board.row_names[row]
    return (f"row {name}: " if name else "") + _row_content(scene, row)


def _row_content(scene: Scene, row: int) -> str:
    board = scene.board
    in_row = [cell for cell in real_cells(board) if cell // board.cols == row]
    parts = []
    # The index minus the position in the row grows after each hole, which ends a run.
    runs = groupby(enumerate(in_row), lambda at: (at[1] - at[0], scene.cells[at[1]].label))
    for (_, label), run in runs:
        cols = [cell % board.cols for _, cell in run]
        names = board.col_names[cols[0]]
        if len(cols) > 1:
            names += f" to {board.col_names[cols[-1]]}"
        parts.append(f"{names} {label}".strip())
    return "; ".join(parts) or "no cells"


def changes(before: Scene, after: Scene) -> list[str]:
    """Describe the cells whose content changed, with old and new content."""
    if (before.board.rows, before.board.cols) != (after.board.rows, after.board.cols):
        return [f"the board now has {after.board.rows} rows and {after.board.cols} columns"]
    changed = [
        f"{cell_words(after, cell)} (was {before.cells[cell].label})"
        for cell in real_cells(after.board)
        if before.cells[cell].label != after.cells[cell].label
    ]
    if len(changed) > MOST_CHANGES:
        rest = len(changed) - MOST_CHANGES
        changed = [*changed[:MOST_CHANGES], f"and {rest} more cells"]
    return changed


def seat_words(scene: Scene) -> list[str]:
    """Return each seat's name, points and tray, with `>` before the one to act."""
    return [
        f"{'>' if seat == scene.actor else ' '} {text}"
        for seat, text in enumerate(scene.seat_texts())
    ]


def _names(board: Board, cell: int) -> tuple[str, str]:
    """Return the names of a cell's row and column, or their numbers if neither has a name."""
    row, col = divmod(cell, board.cols)
    names = (board.row_names[row], board.col_names[col])
    return names if any(names) else (str(row + 1), str(col + 1))


def _words(text: str) -> list[str]:
    return [
        word for word in text.replace(",", " ").split() if word not in ("row", "column", "point")
    ]
