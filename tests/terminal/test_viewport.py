"""The places of cells on the screen, for boards and screens of every size."""

from hex import Hex
from hex_holes import Yavalath
from hypothesis import given
from hypothesis import strategies as st
from nim import Nim

import parlour
from parlour.core.scene import NO_BOARD, SHAPES, Board, Cell, Scene
from parlour.grids import real_cells
from parlour.terminal.palette import COLOURLESS, DARK
from parlour.terminal.tiles import sizes_for
from parlour.terminal.viewport import HALF, fitted


@st.composite
def scenes(draw, least=1):
    """Return boards of either shape, with holes, names and glyphs of one or two columns."""
    rows, cols = draw(st.integers(least, 12)), draw(st.integers(least, 12))
    holes = draw(st.sets(st.integers(0, rows * cols - 1), max_size=rows * cols - 1))
    board = Board(
        rows,
        cols,
        tuple(str(row + 5) for row in range(rows)),
        tuple("abcdefghijkl"[:cols]),
        draw(st.sampled_from(SHAPES)),
        tuple(sorted(holes)),
    )
    glyph = draw(st.sampled_from(["x", "xx", "帥"]))
    return Scene(tuple(Cell(glyph, "a cell") for _ in range(board.size)), board=board)


SIZES = st.tuples(st.integers(8, 100), st.integers(4, 40))
"""At least one cell with its names fits into each of these."""


def fit(scene, size, cursor, before=None, palette=DARK, also=()):
    """Return the scene's board in an area, with the cursor visible."""
    sizes = sizes_for(scene, palette, True)
    return fitted(scene.board, sizes, size, (cursor, *also), before)


def shown(view):
    return [cell for cells in view.cells.values() for cell in cells]


@given(scenes(), SIZES, st.data())
def test_points_and_cells_are_inverse(scene, size, data):
    cursor = data.draw(st.sampled_from(real_cells(scene.board)))
    view = fit(scene, size, cursor)
    for cell in shown(view):
        assert view.cell_at(*view.point_of(cell), preferred=(cell,)) == cell
    points = {}
    for x in range(-2, size[0] + 2):
        for y in range(-2, size[1] + 2):
            for cell in view.cells_at(x, y):
                points.setdefault(cell, []).append((x, y))
    assert set(points) == set(shown(view))
    assert not set(points) & set(scene.board.holes)
    for cell, found in points.items():
        left, top, wide, high = view.rectangle(cell)
        columns = range(left, left + wide)
        lines = range(top // 2, (top + high + 1) // 2)
        assert sorted(found) == [(x, y) for x in columns for y in lines]


@given(scenes(), SIZES, st.data())
def test_the_cursor_is_always_visible_and_inside(scene, size, data):
    cells = st.sampled_from(real_cells(scene.board))
    view = None
    for cursor in data.draw(st.lists(cells, min_size=1, max_size=5)):
        view = fit(scene, size, cursor, view)
        assert cursor in shown(view)
        left, top, wide, high = view.rectangle(cursor)
        assert view.margin <= left <= left + wide <= size[0]
        assert 2 * view.header <= top <= top + high <= 2 * size[1]


@given(scenes(), SIZES, st.data())
def test_the_board_is_in_the_middle_within_one_cell(scene, size, data):
    view = fit(scene, size, data.draw(st.sampled_from(real_cells(scene.board))))
    rectangles = [
        view.rectangle(cell)
        for cell in range(scene.board.size)
        if view.sees(*divmod(cell, scene.board.cols))
    ]
    left, top = view.origin
    assert left <= min(r.x for r in rectangles)
    wide, high = view.body
    # Names of rows are beside the cells, and those of slanting columns below them. In an area that
    # is filled to its edges, the cells are moved by only as much as the names need.
    aside = abs(2 * left + wide - size[0]) / 2
    down = abs(2 * top + high - size[1]) / 2
    assert aside <= max(view.pitch[0], view.margin / 2 + 1)
    assert down <= max(view.lines, 1)


@given(scenes(), SIZES, st.data())
def test_every_visible_row_and_column_is_named_outside_the_cells(scene, size, data):
    view = fit(scene, size, data.draw(st.sampled_from(real_cells(scene.board))))
    names = [name for line in view.column_names.values() for _, name in line]
    cols = sorted({cell % scene.board.cols for cell in shown(view)})
    assert sorted(names) == [scene.board.col_names[col] for col in cols]
    for row, line in view.column_names.items():
        y = view.origin[1] + (row - view.top) * view.lines
        if not view.is_half:
            assert all(view.cell_at(x, y) is None and 0 <= x < size[0] for x, _ in line)


def test_a_board_that_fits_is_drawn_as_large_as_it_can():
    scene = Yavalath().start().scene()
    assert fit(scene, (60, 20), 12).lines == 3
    assert fit(scene, (60, 13), 12).lines == 2
    assert fit(scene, (60, 8), 12).lines == 1
    assert all(fit(scene, (60, high), 12).is_whole for high in (20, 13, 8))
    assert not fit(scene, (60, 6), 12).is_whole


def test_cells_are_two_columns_to_one_line():
    for game in ("octa", "banqi", "blokus", "cat_mouse"):
        scene = parlour.game(game).start().scene()
        for size in ((54, 21), (94, 37)):
            wide, high = fit(scene, size, 0).pitch
            assert wide == high, game


def test_every_game_fits_into_24_lines_and_fills_40():
    for game in ("octa", "banqi", "blokus", "cat_mouse"):
        scene = parlour.game(game).start().scene()
        assert fit(scene, (54, 21), 0).is_whole
        large = fit(scene, (94, 37), 0)
        wide, high = large.body
        next_wide = wide + 2 * scene.board.cols
        next_high = high + scene.board.rows
        assert large.lines == 5 or next_wide > 90 or next_high > 36, game


def test_frames_are_dropped_before_rows():
    scene = parlour.game("blokus").start().scene()
    views = [fit(scene, (54, high), 0) for high in (22, 21, 20, 19)]
    assert [view.header for view in views] == [1, 1, 0, 1]
    assert [view.has_lower_frame for view in views] == [True, False, False, False]
    assert [view.rows for view in views] == [20, 20, 20, 18]


def test_large_cells_leave_a_line_for_the_names_of_the_columns():
    view = fit(parlour.game("octa", size=1).start(1).scene(), (54, 21), 0)
    assert (view.lines, view.header) == (6, 1)


def test_half_blocks_need_boards_that_colours_distinguish():
    cat_mouse = parlour.game("cat_mouse").start().scene()
    assert fit(cat_mouse, (54, 21), 0).pitch == HALF
    assert fit(cat_mouse, (54, 27), 0).pitch == (2, 2)
    assert fit(cat_mouse, (54, 21), 0, palette=COLOURLESS).pitch == (2, 2)
    octa = parlour.game("octa", size=12).start().scene()
    assert not fit(octa, (100, 21), 0).is_half


def test_scrolling_keeps_both_animals_visible_if_possible():
    scene = parlour.game("cat_mouse").start().scene()
    for cat in range(25):
        for mouse in range(25):
            view = fit(scene, (40, 18), cat * 25, palette=COLOURLESS, also=(mouse * 25,))
            assert view.sees(cat, 0)
            assert view.sees(mouse, 0) == (abs(cat - mouse) < view.rows)


def test_a_single_row_is_no_larger_than_there_are_lines():
    scene = Nim(heap=4).start().scene()
    assert [fit(scene, (60, high), 0).lines for high in (2, 3, 4, 9)] == [2, 3, 3, 7]


def test_a_hexagon_is_an_even_number_of_columns_wide():
    for glyph in ("x", "帥"):
        scene = Hex().start().scene()
        scene = scene._replace(cells=(Cell(glyph, "a stone"),) * 121)
        for size in ((200, 60), (100, 40), (50, 20)):
            assert fit(scene, size, 0).pitch[0] % 2 == 0


def test_the_wheel_scrolls_as_far_as_there_are_rows():
    scene = parlour.game("octa", size=8).start().scene()
    view = fit(scene, (40, 11), 0)
    assert (view.top, view.rows) == (0, 10)
    assert view.scrolled(-1).top == 0
    assert view.scrolled(3).top == 3
    assert view.scrolled(99).top == 7


def test_arrows_point_to_hidden_parts():
    scene = Hex().start().scene()
    assert fit(scene, (80, 24), 0).arrows == ""
    assert fit(scene, (20, 8), 0).arrows == "▾▸"
    assert fit(scene, (20, 8), 93).arrows == "▴▾◂▸"
    assert fit(scene, (20, 8), 120).arrows == "▴◂"


def test_a_new_board_does_not_keep_the_scroll_position():
    large, small = Hex().start().scene(), Hex(size=3).start().scene()
    before = fit(large, (20, 8), 120)
    assert before.left > 0
    assert fit(small, (20, 8), 0, before).left == 0


def test_without_a_board_there_are_no_cells():
    view = fit(Scene(board=NO_BOARD), (40, 10), 0)
    assert view.cells == view.column_names == {}
    assert view.arrows == ""
    assert view.scrolled(1).top == 0
    assert {view.cell_at(x, y) for x in range(40) for y in range(10)} == {None}
