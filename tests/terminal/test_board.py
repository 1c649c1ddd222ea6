"""The board's widget: what it draws, and what a click on it means."""

import asyncio

import pytest
from boardless import TwentyOne
from drop import Drop
from hex import Hex
from hex_holes import Yavalath
from textual.app import App

import parlour
from parlour.core.colours import COLOURS
from parlour.core.scene import NO_BOARD, Board, Cell, Scene
from parlour.terminal import board as widgets
from parlour.terminal import palette
from parlour.terminal.marks import Marks


class Frame(App):
    """The widget alone."""

    def __init__(self, scene, marks):
        super().__init__()
        self.widget = widgets.Board(scene)
        self.scene, self.marks = scene, marks
        self.touched = []

    def compose(self):
        yield self.widget

    def on_mount(self):
        self.widget.show(self.scene, self.marks)

    def on_board_touched(self, message):
        self.touched.append(message.cell)


def drive(script, scene, size=(30, 8), **marks):
    """Run the widget alone while `script(app, pilot)` uses it."""

    async def session():
        app = Frame(scene, Marks(**{"shows_cursor": False, **marks}))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(session())


def lines(scene, size=(30, 8), **marks):
    """The lines of the widget as text, without what is blank at their ends."""
    found = []

    async def script(app, pilot):
        found.extend(app.widget.render_line(y).text.rstrip() for y in range(size[1]))

    drive(script, scene, size, **marks)
    while found and not found[-1]:
        found.pop()
    return found


def backgrounds(scene, size=(30, 8), **marks):
    """The background of each column of each line."""
    found = []

    async def script(app, pilot):
        for y in range(size[1]):
            strip = app.widget.render_line(y)
            found.append([s.style.bgcolor.name for s in strip for _ in range(s.cell_length)])

    drive(script, scene, size, **marks)
    return found


def test_a_board_of_squares_has_its_names_above_and_at_the_left():
    state = Drop(rows=4, cols=5).state_from_text("YR - - Y -")
    assert lines(state.scene()) == [
        "   a b c d e",
        "4  · · · · ·",
        "3  · · · · ·",
        "2  R · · · ·",
        "1  Y · · Y ·",
    ]


def test_a_board_of_hexagons_is_shifted_by_half_a_cell_in_each_row():
    state = Hex(size=4).state_from_text("...R/.RB./BB.B/R.RR")
    assert lines(state.scene(), (30, 7)) == [
        "",
        "1  · · · R",
        " 2  · R B ·",
        "  3  B B · B",
        "   4  R · R R",
        "       a b c d",
    ]


def test_larger_hexagons_are_shifted_by_half_of_their_columns():
    drawn = lines(Hex(size=2).start().scene(), (30, 6))
    assert drawn == ["", "1   ·   ·", "", "  2   ·   ·", "", "        a   b"]


def test_holes_are_background_and_names_stand_beside_the_cells():
    scene = Yavalath().start().scene()
    assert lines(scene) == [
        "",
        "    1  · · ·",
        "   2  · · · ·",
        "  3  · · · · ·",
        "   4  · · · · e",
        "    5  · · · d",
        "        a b c",
    ]
    quiet, plain = palette.DARK.quiet.bgcolor.name, palette.DARK.plain.bgcolor.name
    for y, cells in ((1, 3), (2, 4), (3, 5), (4, 4), (5, 3)):
        row = backgrounds(scene)[y]
        assert row.count(plain) == 2 * cells
        assert set(row) == {quiet, plain}


def test_holes_in_a_board_of_squares_are_background_too():
    ring = Board(3, 3, tuple("123"), tuple("abc"), holes=(4,))
    scene = Scene(tuple(Cell(sign, sign) for sign in "ABCD EFGH"), board=ring)
    drawn = lines(scene, (30, 5))
    assert drawn[1:4] == ["1  A B C", "2  D   E", "3  F G H"]
    quiet = palette.DARK.quiet.bgcolor.name
    assert backgrounds(scene, (30, 5))[2][4:6] == [quiet, quiet]


def test_the_cursor_is_in_brackets_on_every_kind_of_board():
    hexagons = Yavalath().start().scene()
    assert lines(hexagons, cursor=12, shows_cursor=True)[3] == "  3  · ·[·]· ·"
    assert lines(hexagons, cursor=14, shows_cursor=True)[3] == "  3  · · · ·[·]"
    ring = Board(1, 3, ("1",), tuple("abc"), holes=(1,))
    scene = Scene(tuple(Cell(sign, sign) for sign in "A B"), board=ring)
    assert lines(scene, (30, 2), cursor=0, shows_cursor=True)[1] == "1 [A]  B"


def test_a_column_that_ends_beside_the_cursor_keeps_its_name():
    scene = Yavalath().start().scene()
    assert lines(scene, cursor=18, shows_cursor=True)[4] == "   4  · · ·[·]e"


@pytest.mark.parametrize("shape", parlour.core.scene.SHAPES)
def test_wide_glyphs_take_two_columns_and_keep_the_rest_in_line(shape):
    board = Board(2, 3, ("1", "2"), ("a", "b", "車"), shape)
    glyphs = ("帥", "·", "x", "·", "兵", "·")
    scene = Scene(tuple(Cell(glyph, glyph) for glyph in glyphs), board=board)
    drawn = {}

    async def script(app, pilot):
        for cell, glyph in enumerate(glyphs):
            x, y = app.widget.point_of(cell)
            assert app.widget.render_line(y).cell_length == 30
            drawn[cell] = app.widget.render_line(y).crop(x - 1, x + 2).text
            assert glyph in drawn[cell]

    drive(script, scene, (30, 4))
    assert len(drawn) == 6


def test_colours_are_the_published_ones():
    for name, paint in COLOURS.items():
        style = palette.STYLES[name]
        assert (style.bgcolor.name, style.color.name) == (paint.fill, paint.ink)
    state = parlour.game("blokus", variant="duo").start()
    state = state.apply(state.legal_actions()[0])
    state = state.apply(state.legal_actions()[0])
    painted = {name for line in backgrounds(state.scene(), (40, 20)) for name in line}
    assert {COLOURS["purple"].fill, COLOURS["orange"].fill} <= painted


def test_unknown_colours_and_marks_are_ignored():
    board = Board(1, 1, ("1",), ("a",))
    odd = Scene((Cell("x", "x", -1, "ultraviolet", marks=("x-odd", "goal")),), board=board)
    plain = Scene((Cell("x", "x"),), board=board)
    assert lines(odd) == lines(plain)
    assert backgrounds(odd) == backgrounds(plain)


def test_a_game_without_a_board_is_a_quiet_empty_area():
    scene = TwentyOne().start().scene()
    assert scene.board == NO_BOARD
    for cursor in (-1, 0, 5):
        assert lines(scene, cursor=cursor, shows_cursor=True) == []
        quiet = palette.DARK.quiet.bgcolor.name
        assert {name for line in backgrounds(scene, cursor=cursor) for name in line} == {quiet}


def test_a_click_touches_the_cell_under_it():
    async def script(app, pilot):
        for cell in (2, 12, 22):
            await pilot.click(widgets.Board, offset=app.widget.point_of(cell))
        assert app.touched == [2, 12, 22]

    drive(script, Yavalath().start().scene())


def test_a_click_on_a_hole_or_beside_the_board_touches_nothing():
    async def script(app, pilot):
        for hole in Yavalath().board.holes:
            await pilot.click(widgets.Board, offset=app.widget.point_of(hole))
        await pilot.click(widgets.Board, offset=(28, 2))
        await pilot.click(widgets.Board, offset=(9, 0))
        assert app.touched == []

    drive(script, Yavalath().start().scene())


def test_a_click_where_there_is_no_board_touches_nothing():
    async def script(app, pilot):
        await pilot.click(widgets.Board, offset=(5, 3))
        app.widget.on_mouse_scroll_down(None)
        app.widget.on_mouse_scroll_up(None)
        assert app.touched == []

    drive(script, TwentyOne().start().scene())


def test_a_large_board_of_hexagons_scrolls_with_the_cursor():
    scene = Hex().start().scene()
    assert lines(scene, (20, 6), cursor=120, shows_cursor=True) == [
        "▴◂",
        " 8  · · · · · ·",
        "  9  · · · · · ·",
        "10  · · · · · · ·",
        " 11  · · · · · ·[·]",
        "      e f g h i j k",
    ]
