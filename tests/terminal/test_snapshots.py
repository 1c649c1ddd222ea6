"""The screens look as they did when somebody last looked at them."""

import asyncio

import pytest
from screens import FOLDER, SCREENS, content, shoot

from parlour.core.scene import display_width
from parlour.terminal.replay_screen import ReplayApp


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_in_its_snapshot_and_nothing_stands_outside_its_cell(name):
    expected = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert content(asyncio.run(shoot(name, nothing_is_outside))) == content(expected)


def nothing_is_outside(app):
    """Beside the cells of the board are names, frame and what points to things, nothing else."""
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


def test_there_is_no_snapshot_without_a_screen():
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(SCREENS)


def test_content_sees_text_and_colours():
    text, colours = content((FOLDER / "octa_80_dark.svg").read_text("utf-8"))
    assert any("Octa — Turn 1 of 80" in line for line in text)
    assert len(colours) > 4
