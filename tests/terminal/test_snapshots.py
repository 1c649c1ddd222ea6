"""Every screen matches its reviewed snapshot and is readable."""

import asyncio

import pytest
from screens import FOLDER, SCREENS, STARTS, content, shoot
from textual.containers import VerticalScroll

from parlour.core.colours import contrast
from parlour.core.scene import display_width
from parlour.terminal.help import HelpScreen
from parlour.terminal.replay_screen import ReplayApp

TEXT, EDGE = 4.5, 3.0

SHAPES = frozenset("▏▕─│┌┐└┘╭╮╰╯▴▾◂▸‹›•!+×[]▛▜▌▐▙▟▗▖▝▘■█░▁▂▃▅▆▇")
HALVES = frozenset("▀▄")
"""Two cells, or a cell and a disc, in one character: tests of the board check their contrast."""


def unreadable(app):
    """Return the texts and shapes with too little contrast, with their colours."""
    found = set()
    # The area behind the help is dimmed on purpose.
    area = (
        app.screen.query_one(VerticalScroll) if isinstance(app.screen, HelpScreen) else app.screen
    )
    left, top, wide, high = area.region
    for strip in app.screen._compositor.render_strips()[top : top + high]:
        for text, style, _ in strip.crop(left, left + wide):
            signs = frozenset(text) - {" "} - HALVES
            if not signs or style is None or style.color is None or style.bgcolor is None:
                continue
            ink, fill = (part.get_truecolor().hex for part in (style.color, style.bgcolor))
            least = EDGE if signs <= SHAPES else TEXT
            if contrast(ink, fill) < least or style.dim:
                found.add((text.strip(), ink, fill))
    return found


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_matches_its_snapshot_and_is_readable(name):
    def look(app):
        assert unreadable(app) == set()
        if name not in STARTS:
            nothing_is_outside(app)

    expected = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert content(asyncio.run(shoot(name, look))) == content(expected)


def nothing_is_outside(app):
    """Check that only names, the frame and pointers are beside the cells of the board."""
    board = app.view.board if isinstance(app, ReplayApp) else app.board
    view = board.view
    if not view.board.size:
        return
    cells = set()
    for cell in (cell for row in view.cells.values() for cell in row):
        x, y, wide, high = view.rectangle(cell)
        assert 0 <= x <= x + wide <= view.width
        assert 0 <= y <= y + high <= 2 * view.height
        cells |= {(a, b) for a in range(x, x + wide) for b in range(y // 2, (y + high + 1) // 2)}
    allowed = set(" ┌─┐│└┘▴▾◂▸").union(*view.board.row_names, *view.board.col_names)
    allowed |= {sign for cell in board.things() for sign in board.scene.cells[cell].glyph}
    for y in range(view.height):
        x = 0
        for sign in board.render_line(y).text:
            assert (x, y) in cells or sign in allowed
            x += display_width(sign)
        assert x == view.width


def test_every_snapshot_has_a_screen():
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(SCREENS)


def test_content_contains_text_and_colours():
    text, colours = content((FOLDER / "octa_80_dark.svg").read_text("utf-8"))
    assert any("Octa — Turn 1 of 80" in line for line in text)
    assert len(colours) > 4
