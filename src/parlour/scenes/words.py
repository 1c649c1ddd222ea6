"""Scenes in words, for screen readers and for everybody who asks."""

from collections import Counter

from parlour.core.scene import Scene

MOST_CHANGES = 12


def place(scene: Scene, cell: int) -> str:
    """Where a cell is: `row 3, column b`."""
    row, col = divmod(cell, scene.board.cols)
    names = [
        f"{word} {name}"
        for word, name in (
            ("row", scene.board.row_names[row]),
            ("column", scene.board.col_names[col]),
        )
        if name
    ]
    return ", ".join(names)


def cell_words(scene: Scene, cell: int) -> str:
    """A cell's place and content."""
    return f"{place(scene, cell)}: {scene.cells[cell].label}"


def find_cell(scene: Scene, text: str) -> int | None:
    """The cell that a row's and a column's name mean, in this order: `3 b`; or `None`."""
    words = text.replace(",", " ").replace("row", " ").replace("column", " ").split()
    if (
        len(words) != 2
        or words[0] not in scene.board.row_names
        or words[1] not in scene.board.col_names
    ):
        return None
    return scene.board.row_names.index(words[0]) * scene.board.cols + scene.board.col_names.index(
        words[1]
    )


def every_cell(scene: Scene) -> list[str]:
    """Every cell in words, a line for each; the commonest content is counted, not listed."""
    counts = Counter(cell.label for cell in scene.cells)
    common, number = counts.most_common(1)[0]
    if number < 3:
        return [cell_words(scene, cell) for cell in range(len(scene.cells))]
    lines = [
        cell_words(scene, cell)
        for cell, content in enumerate(scene.cells)
        if content.label != common
    ]
    return [*lines, f"the other {number} cells: {common}"]


def row_words(scene: Scene, row: int) -> str:
    """A whole row; equal neighbours are put together."""
    parts: list[str] = []
    col = 0
    while col < scene.board.cols:
        label = scene.cells[row * scene.board.cols + col].label
        end = col
        while (
            end + 1 < scene.board.cols
            and scene.cells[row * scene.board.cols + end + 1].label == label
        ):
            end += 1
        names = scene.board.col_names[col]
        if end > col:
            names += f" to {scene.board.col_names[end]}"
        parts.append(f"{names} {label}".strip())
        col = end + 1
    return f"row {scene.board.row_names[row]}: ".replace("row :", "") + "; ".join(parts)


def changes(before: Scene, after: Scene) -> list[str]:
    """The cells whose content changed, with what they were and are."""
    if (before.board.rows, before.board.cols) != (after.board.rows, after.board.cols):
        return [f"the board now has {after.board.rows} rows and {after.board.cols} columns"]
    changed = [
        f"{place(after, cell)}: {new.label} (was {old.label})"
        for cell, (old, new) in enumerate(zip(before.cells, after.cells, strict=True))
        if old.label != new.label
    ]
    if len(changed) > MOST_CHANGES:
        rest = len(changed) - MOST_CHANGES
        changed = [*changed[:MOST_CHANGES], f"and {rest} more cells"]
    return changed


def seat_words(scene: Scene) -> list[str]:
    """Each seat's name, points and tray."""
    lines = []
    for number, seat in enumerate(scene.seats):
        parts = [part for part in (seat.name, seat.score, " ".join(seat.tray)) if part]
        lines.append(f"{'>' if number == scene.actor else ' '} {': '.join(parts)}")
    return lines
