"""Where cells are on the screen, for boards and screens of every size."""

from hex import Hex
from hex_holes import Yavalath
from hypothesis import given
from hypothesis import strategies as st
from nim import Nim

import parlour
from parlour.core.geometry import real_cells
from parlour.core.scene import NO_BOARD, SHAPES, Board, Cell, Scene
from parlour.terminal.viewport import HEADER, fitted


@st.composite
def scenes(draw, least=1):
    """Boards of either shape, with holes, names and glyphs of one or two columns."""
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


def shown(view):
    return [cell for cells in view.cells.values() for cell in cells]


@given(scenes(), SIZES, st.data())
def test_points_and_cells_are_inverse(scene, size, data):
    cursor = data.draw(st.sampled_from(real_cells(scene.board)))
    view = fitted(scene, size, cursor, None)
    for cell in shown(view):
        assert view.cell_at(*view.point_of(cell)) == cell
    wide, high = view.pitch
    points = {}
    for x in range(-2, size[0] + 2):
        for y in range(-2, size[1] + 2):
            points.setdefault(view.cell_at(x, y), []).append((x, y))
    points.pop(None)
    assert set(points) == set(shown(view))
    assert not set(points) & set(scene.board.holes)
    for cell, found in points.items():
        assert len(found) == wide * high
        assert view.point_of(cell) in found


@given(scenes(), SIZES, st.data())
def test_the_cursor_is_always_in_sight_and_inside(scene, size, data):
    cells = st.sampled_from(real_cells(scene.board))
    view = None
    for cursor in data.draw(st.lists(cells, min_size=1, max_size=5)):
        view = fitted(scene, size, cursor, view)
        assert cursor in shown(view)
        x, y = view.point_of(cursor)
        assert view.margin <= x < size[0]
        assert HEADER <= y < size[1]


@given(scenes(), SIZES, st.data())
def test_everything_that_is_named_has_a_name_and_none_is_on_a_cell(scene, size, data):
    view = fitted(scene, size, data.draw(st.sampled_from(real_cells(scene.board))), None)
    names = [name for line in view.column_names.values() for _, name in line]
    cols = sorted({cell % scene.board.cols for cell in shown(view)})
    assert sorted(names) == [scene.board.col_names[col] for col in cols]
    for row, line in view.column_names.items():
        y = HEADER + (row - view.top) * view.pitch[1]
        assert all(view.cell_at(x, y) is None and 0 <= x < size[0] for x, _ in line)


def test_a_board_that_fits_is_drawn_as_large_as_it_can():
    scene = Yavalath().start().scene()
    assert fitted(scene, (60, 20), 12, None).zoom == 3
    assert fitted(scene, (60, 13), 12, None).zoom == 2
    assert fitted(scene, (60, 8), 12, None).zoom == 1
    assert all(fitted(scene, (60, high), 12, None).is_whole for high in (20, 13, 8))
    assert not fitted(scene, (60, 6), 12, None).is_whole


def test_a_single_row_is_no_larger_than_there_are_lines():
    scene = Nim(heap=4).start().scene()
    assert [fitted(scene, (60, high), 0, None).zoom for high in (2, 3, 4, 9)] == [1, 2, 3, 3]


def test_a_hexagon_is_an_even_number_of_columns_wide():
    for glyph in ("x", "帥"):
        scene = Hex().start().scene()
        scene = scene._replace(cells=(Cell(glyph, "a stone"),) * 121)
        for size in ((200, 60), (100, 40), (50, 20)):
            assert fitted(scene, size, 0, None).pitch[0] % 2 == 0


def test_the_wheel_scrolls_as_far_as_there_are_rows():
    scene = parlour.game("octa", size=8).start().scene()
    view = fitted(scene, (40, 11), 0, None)
    assert (view.top, view.rows) == (0, 10)
    assert view.scrolled(-1).top == 0
    assert view.scrolled(3).top == 3
    assert view.scrolled(99).top == 7


def test_arrows_say_where_there_is_more():
    scene = Hex().start().scene()
    assert fitted(scene, (80, 24), 0, None).arrows == ""
    assert fitted(scene, (20, 8), 0, None).arrows == "▾▸"
    assert fitted(scene, (20, 8), 93, None).arrows == "▴▾◂▸"
    assert fitted(scene, (20, 8), 120, None).arrows == "▴◂"


def test_another_board_is_not_scrolled_as_the_one_before():
    large, small = Hex().start().scene(), Hex(size=3).start().scene()
    before = fitted(large, (20, 8), 120, None)
    assert before.left > 0
    assert fitted(small, (20, 8), 0, before).left == 0


def test_without_a_board_there_is_no_cell_anywhere():
    view = fitted(Scene(board=NO_BOARD), (40, 10), 0, None)
    assert view.cells == view.column_names == {}
    assert view.arrows == ""
    assert view.scrolled(1).top == 0
    assert {view.cell_at(x, y) for x in range(40) for y in range(10)} == {None}
