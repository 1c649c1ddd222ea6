"""Draw the pictures of observations for the docs: a board, its planes and its extras.

    python tests/games/observation_pictures.py

writes docs/images/observation-<game>.svg anew, for docs/observations.md.
"""

from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import parlour
from parlour import Rng
from parlour.drawing.svg import scene_to_svg

FOLDER = Path(__file__).parent.parent.parent / "docs" / "images"

FONT = "DejaVu Sans, Noto Sans, sans-serif"
INK, PAPER, LINE, FULL, EMPTY = "#22252a", "#ffffff", "#c9ccd1", "#0072b2", "#f4f5f7"
GAP = 18
TITLE = 16


class Sheet(NamedTuple):
    """How a game's picture is laid out."""

    text: str
    plies: int
    across: int
    """Planes in a row."""
    cell: int
    """Pixels of a plane's cell."""
    lines: int
    """Extras in a column."""
    column: int
    """Pixels of such a column."""
    board: int
    """The width of the board."""


SHEETS = {
    "banqi": Sheet("banqi", 45, 5, 16, 7, 190, 460),
    "blokus": Sheet("blokus", 24, 4, 9, 21, 190, 460),
    "cat_mouse": Sheet("cat_mouse", 12, 3, 9, 1, 190, 320),
    "octa": Sheet("octa", 30, 4, 16, 2, 190, 400),
}


def position(sheet):
    """Return a position of a random game in which a seat is to act."""
    rng = Rng(3)
    state = parlour.game(sheet.text).start(3)
    plies = 0
    while plies < sheet.plies or state.actor < 0:
        plies += state.actor >= 0
        state = state.apply(state.sample(rng))
    return state


def text(x, y, words, size=11, weight="normal"):
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{INK}">'
        f"{escape(words)}</text>"
    )


def plane_svg(x, y, name, values, cols, cell):
    """Draw one plane: its name, and a grid with a square for each non-zero byte."""
    rows = len(values) // cols
    parts = [
        text(x, y + 11, name),
        f'<rect x="{x}" y="{y + TITLE}" width="{cols * cell}" height="{rows * cell}" '
        f'fill="{EMPTY}" stroke="{LINE}"/>',
    ]
    for at, value in enumerate(values):
        if value:
            row, col = divmod(at, cols)
            parts.append(
                f'<rect x="{x + col * cell}" y="{y + TITLE + row * cell}" width="{cell}" '
                f'height="{cell}" fill="{FULL}" stroke="{PAPER}"/>'
            )
    return "".join(parts)


def picture(name):
    """Draw the whole picture."""
    sheet = SHEETS[name]
    state = position(sheet)
    watching = parlour.observer(state.game)
    planes, extras = watching.observe(state, state.actor)
    count, rows, cols = watching.shape
    wide, high = cols * sheet.cell, rows * sheet.cell + TITLE
    drawn = scene_to_svg(state.scene(None), (), state.game.title)
    width, height = map(int, drawn.split('viewBox="0 0 ', 1)[1].split('"', 1)[0].split())
    board_high = sheet.board * height // width
    across = sheet.across * (wide + GAP)
    left = sheet.board + 2 * GAP
    who = state.game.seat_names(state)[state.actor]
    board = drawn.replace(
        f'width="{width}" height="{height}"',
        f'x="{GAP}" y="{GAP + TITLE}" width="{sheet.board}" height="{board_high}"',
        1,
    )
    parts = [text(GAP, GAP + 8, f"{state.game.title}: what {who}, to act, sees", 13, "bold"), board]
    area = rows * cols
    for number, plane in enumerate(watching.planes):
        down, right = divmod(number, sheet.across)
        values = planes[number * area : (number + 1) * area]
        x, y = left + right * (wide + GAP), GAP + down * (high + GAP)
        parts.append(plane_svg(x, y, plane, values, cols, sheet.cell))
    below = max(GAP + -(-count // sheet.across) * (high + GAP), board_high + TITLE + 2 * GAP)
    parts.append(text(GAP, below + 10, "extras", 13, "bold"))
    for number, (extra, value) in enumerate(zip(watching.extra_names, extras, strict=True)):
        right, down = divmod(number, sheet.lines)
        x, y = GAP + right * sheet.column, below + 30 + 15 * down
        parts.append(text(x, y, f"{value:>3}", weight="bold" if value else "normal"))
        parts.append(text(x + 28, y, extra))
    columns = -(-len(extras) // sheet.lines)
    full_width = max(left + across, GAP + columns * sheet.column)
    full_height = below + 30 + 15 * sheet.lines
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}" '
        f'width="{full_width}" height="{full_height}" font-family="{FONT}">\n'
        f'<rect width="{full_width}" height="{full_height}" fill="{PAPER}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def path_of(name):
    return FOLDER / f"observation-{name}.svg"


if __name__ == "__main__":
    for each in SHEETS:
        path_of(each).write_text(picture(each), "utf-8")
