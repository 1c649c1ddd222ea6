"""Nine Men's Morris in full screen: a board of points by keys and by mouse."""

from test_app import drive

import parlour

GAME = parlour.game("examples.nine_mens_morris")


def test_a_point_is_chosen_by_arrow_keys():
    async def script(app, pilot):
        await pilot.press("right", "down", "enter")
        assert app.session.game.table.state.signs[GAME.board.col_names.index("d6")] == "W"

    drive(script, GAME)


def test_a_point_is_chosen_by_a_click_in_small_and_large_windows():
    async def script(app, pilot):
        point = app.board.point_of(GAME.board.col_names.index("e4"))
        await pilot.click(app.board, offset=point)
        assert app.session.game.table.state.signs[GAME.board.col_names.index("e4")] == "W"

    for size in ((80, 24), (130, 50)):
        drive(script, GAME, size=size)


def test_a_small_window_scrolls_to_the_cursor():
    async def script(app, pilot):
        await pilot.press("down", "down")
        assert app.board.view.top > 0
        cursor = app.session.cursor
        assert app.board.cell_at(*app.board.point_of(cursor)) == cursor
        app.board.on_mouse_scroll_up(None)
        assert app.board.view.top == 0 or app.board.view.top < app.board.view.whole[1]

    drive(script, GAME, size=(50, 10))
