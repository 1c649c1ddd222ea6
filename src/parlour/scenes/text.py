"""A scene as plain text."""

import textwrap

from parlour.core.scene import Scene

WIDTH = 78


def draw(scene: Scene) -> str:
    """The grid with its names, the seats, and the status line."""
    width = max(len(name) for name in scene.board.col_names)
    width = max(width, *(len(cell.glyph) for cell in scene.cells))
    margin = max(len(name) for name in scene.board.row_names)
    lines = []
    for row, name in enumerate(scene.board.row_names):
        cells = scene.cells[row * scene.board.cols : (row + 1) * scene.board.cols]
        glyphs = " ".join(f"{cell.glyph:>{width}}" for cell in cells)
        lines.append(f"{name:>{margin}}  {glyphs}".rstrip())
    names = " ".join(f"{name:>{width}}" for name in scene.board.col_names)
    lines.append(f"{'':>{margin}}  {names}".rstrip())
    lines.append("")
    for number, seat in enumerate(scene.seats):
        turn = ">" if number == scene.actor else " "
        parts = [part for part in (seat.name, seat.score, " ".join(seat.tray)) if part]
        lines.append(f"{turn} {': '.join(parts)}")
    lines.append(scene.status)
    return "\n".join(lines)


def list_actions(scene: Scene, most: int | None = None) -> str:
    """The legal actions' texts, wrapped; of many only the first `most`."""
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
