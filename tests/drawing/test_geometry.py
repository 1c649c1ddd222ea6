"""Positions of cells and names."""

from hex_holes import Yavalath

from parlour.core.scene import NO_BOARD, Board
from parlour.drawing.geometry import column_ends, slot, slots
from parlour.grids import real_cells

SQUARE = Board(3, 4, tuple("123"), tuple("abcd"))
HEX = SQUARE._replace(shape="hex")


def test_each_row_of_hexagons_is_half_a_cell_to_the_right_of_the_one_above():
    assert [slot(SQUARE, row, 1) for row in range(3)] == [2, 2, 2]
    assert [slot(HEX, row, 1) for row in range(3)] == [2, 3, 4]


def test_a_board_is_as_wide_as_its_rows_reach():
    assert slots(SQUARE) == 8
    assert slots(HEX) == 10
    assert slots(NO_BOARD) == 0


def test_holes_are_not_cells():
    assert real_cells(SQUARE._replace(holes=(0, 5, 11))) == [1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert real_cells(NO_BOARD) == []


def test_the_names_of_square_columns_stand_in_line_under_the_board():
    assert column_ends(SQUARE, range(12)) == dict.fromkeys(range(4), 3)
    assert column_ends(SQUARE, range(8)) == dict.fromkeys(range(4), 2)
    assert column_ends(NO_BOARD, ()) == {}


def test_the_names_of_slanting_columns_stand_where_each_ends_and_never_on_a_cell():
    board = Yavalath().board
    cells = real_cells(board)
    ends = column_ends(board, cells)
    assert ends == {0: 5, 1: 5, 2: 5, 3: 4, 4: 3}
    assert not any(
        row < board.rows and row * board.cols + col in cells for col, row in ends.items()
    )
