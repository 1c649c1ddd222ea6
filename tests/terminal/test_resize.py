"""Resizing the window during a game keeps the game and the layout."""

import pytest
from boardless import TwentyOne
from hex import Hex
from scouts import Scouts
from screens import content
from test_app import drive, table, until
from tiles import Tiles

import parlour
from parlour.table import PERSON
from parlour.terminal.full_screen import SMALLEST
from parlour.terminal.help import HelpScreen

FOUR = (PERSON,) * 4
SIZES = [(40, 12), (120, 40), (39, 12), (80, 24), (40, 11), (20, 5), (200, 60), (41, 13), (80, 24)]
"""Sizes, in order; some are too small to play."""

GAMES = {
    "octa": (lambda: parlour.game("octa"), ["down", "down", "enter", "right"]),
    "octa 20": (lambda: parlour.game("octa", size=20), ["right"] * 12 + ["down"] * 9),
    "banqi": (lambda: parlour.game("banqi"), ["enter", "right", "enter", "right"]),
    "blokus": (lambda: parlour.game("blokus"), ["Z", "full_stop", "enter", "F", "full_stop"]),
    "cat_mouse": (lambda: parlour.game("cat_mouse"), ["up", "left"]),
    "tiles": (Tiles, ["V", "full_stop", "r"]),
    "scouts": (Scouts, ["enter", "right"]),
    "hex": (Hex, ["enter", "right", "down", "down"]),
    "boardless": (TwentyOne, ["2"]),
}


def session_state(app):
    """Return everything in a session that the player has changed."""
    session = app.session
    return (
        session.cursor,
        session.picker.touched,
        session.picker.group,
        session.picker.shape,
        session.message,
        session.hinted,
        session.game.version,
        table(app).line.actions,
        session.marks,
    )


def check_places(app):
    """Check that the board fits its widget, is centred, and has its cursor at its cell."""
    board, scene = app.board, app.session.scene
    view = board.view
    assert (view.width, view.height) == (board.size.width, board.size.height)
    if not scene.board.size:
        return
    cursor = app.session.cursor
    assert view.sees(*divmod(cursor, scene.board.cols))
    assert board.cell_at(*board.point_of(cursor)) is not None
    assert cursor in view.cells_at(*board.point_of(cursor))
    left, top, wide, high = view.rectangle(cursor)
    assert 0 <= left <= left + wide <= view.width
    assert 0 <= top <= top + high <= 2 * view.height
    aside = abs(2 * view.origin[0] + view.body[0] - view.width) / 2
    down = abs(2 * view.origin[1] + view.body[1] - view.height) / 2
    assert aside <= max(view.pitch[0], view.margin / 2 + 1)
    assert down <= max(view.lines, 1)


async def resize(app, pilot, size):
    await pilot.resize_terminal(*size)
    await pilot.pause()
    await pilot.pause()


def is_tiny(size):
    return size[0] < SMALLEST[0] or size[1] < SMALLEST[1]


@pytest.mark.parametrize("name", GAMES)
def test_a_resize_keeps_the_game_and_the_layout(name):
    make, keys = GAMES[name]

    async def script(app, pilot):
        await pilot.press(*keys)
        before = session_state(app)
        shot = app.export_screenshot()
        for size in SIZES:
            await resize(app, pilot, size)
            assert app.screen.has_class("tiny") == is_tiny(size)
            assert app.static("tiny").display == is_tiny(size)
            if not is_tiny(size):
                check_places(app)
            assert session_state(app) == before
            assert app.focused is app.board or is_tiny(size)
        if app.board.view.is_whole:  # otherwise another part of the board may be visible
            assert content(app.export_screenshot()) == content(shot)
        await pilot.press("question_mark", "escape")
        assert session_state(app) == before

    drive(script, make(), FOUR)


@pytest.mark.parametrize("size", [(40, 12), (30, 8), (120, 40)], ids=str)
def test_the_game_continues_after_each_resize(size):
    async def script(app, pilot):
        for number in range(1, 5):
            await resize(app, pilot, size if number % 2 else (80, 24))
            cell = app.session.scene.actions[0].cells[0]
            app.session.cursor = cell
            app.show()
            if not is_tiny(size):
                assert await pilot.click("#board", offset=app.board.point_of(cell))
            else:
                await pilot.press("enter")
            await pilot.pause()
            assert len(table(app).line.actions) == number

    drive(script, parlour.game("octa"))


def test_only_keys_that_fit_are_listed():
    async def script(app, pilot):
        for width in (40, 80, 60, 120):
            await resize(app, pilot, (width, 24))
            told = str(app.static("keys").render())
            assert len(told) <= width - 2
            assert told.endswith("q quit")
            assert told.startswith("h hint  u undo")
            assert (": type" in told) == (width > 80)

    drive(script, parlour.game("octa"))


def test_the_evaluation_bar_follows_the_width():
    async def script(app, pilot):
        await pilot.press("e")
        await until(pilot, lambda: app.session.advice is not None)
        widths = []
        for width in (40, 80):
            await resize(app, pilot, (width, 24))
            bar = str(app.static("bar").render())
            assert len(bar) <= width - 2
            widths.append(len(bar))
        assert widths[0] < widths[1]

    drive(script, parlour.game("octa", size=2))


def test_a_typed_action_and_the_help_stay_open():
    async def script(app, pilot):
        wanted = app.session.scene.actions[-1]
        assert app.session.cursor not in wanted.cells
        await pilot.press("colon", *wanted.text[:2])
        for size in ((40, 12), (30, 8), (80, 24)):
            await resize(app, pilot, size)
        await pilot.press("end", *wanted.text[2:], "enter")
        assert table(app).line.actions == (wanted.action,)
        await pilot.press("question_mark", "tab")
        for size in ((40, 12), (120, 40), (80, 24)):
            await resize(app, pilot, size)
            assert isinstance(app.screen, HelpScreen)
            assert app.screen.query_one("VerticalScroll").border_title == "How to play"
        await pilot.press("escape")
        assert app.session.game.version == 1
        check_places(app)

    drive(script, parlour.game("octa"))


def test_an_animation_continues_after_a_resize():
    async def script(app, pilot):
        await pilot.press("enter")
        assert app.session.frames
        for size in ((40, 12), (30, 8), (120, 40)):
            await resize(app, pilot, size)
        assert app.session.frames
        await pilot.press("space")  # any key skips the rest
        await until(pilot, lambda: not app.session.frames)
        assert len(table(app).line.actions) == 1
        check_places(app)

    drive(script, parlour.game("octa"), frames=600)
