"""Moving from cell to cell, on every board with up to three rows and columns and on larger ones."""

from itertools import combinations

import pytest
from hex import Hex
from hex_holes import Yavalath

import parlour
from parlour import grids
from parlour.core.scene import NO_BOARD, SHAPES, Board
from parlour.drawing.cursor import DIRECTIONS, first_cell, step
from parlour.drawing.geometry import slot
from parlour.grids import real_cells


def board(rows, cols, shape="square", holes=()):
    return Board(
        rows, cols, tuple(map(str, range(rows))), tuple("abcdefghijk"[:cols]), shape, holes
    )


def small_boards():
    """Every shape, size and set of holes that leaves at least one cell."""
    for shape in SHAPES:
        for rows in (1, 2, 3):
            for cols in (1, 2, 3):
                size = rows * cols
                for count in range(size):
                    for holes in combinations(range(size), count):
                        yield board(rows, cols, shape, holes)


BOARDS = [
    *small_boards(),
    Hex().board,
    Yavalath(side=5).board,
    board(5, 7, "hex", (0, 1, 7, 12, 17, 18, 24, 33, 34)),
    parlour.game("octa").board,
    parlour.game("banqi").board,
]


def reached(board, start):
    """Return the cells that the four keys lead to."""
    seen, found = {start}, [start]
    while found:
        cell = found.pop()
        for direction in DIRECTIONS:
            to = step(board, cell, direction)
            if to not in seen:
                seen.add(to)
                found.append(to)
    return seen


def test_the_keys_lead_from_the_first_cell_to_every_other_and_to_nothing_else():
    for each in BOARDS:
        assert reached(each, first_cell(each)) == set(real_cells(each)), each


def test_the_keys_lead_back_to_the_first_cell_from_every_other():
    for each in BOARDS:
        for cell in real_cells(each):
            assert first_cell(each) in reached(each, cell), each


def test_a_key_moves_to_its_own_side_or_stays():
    for each in BOARDS:
        for cell in real_cells(each):
            row, col = divmod(cell, each.cols)
            to = {name: divmod(step(each, cell, name), each.cols) for name in DIRECTIONS}
            assert to["left"][0] == to["right"][0] == row
            assert to["left"][1] <= col <= to["right"][1]
            assert to["up"] == (row, col) or to["up"][0] < row
            assert to["down"] == (row, col) or to["down"][0] > row


def test_on_squares_without_holes_a_key_goes_to_the_next_cell_and_stops_at_the_edge():
    plain = board(3, 4)
    assert [step(plain, 5, name) for name in DIRECTIONS] == [1, 9, 4, 6]
    assert [step(plain, 0, name) for name in DIRECTIONS] == [0, 4, 0, 1]
    assert [step(plain, 11, name) for name in DIRECTIONS] == [7, 11, 10, 11]


def test_left_and_right_go_over_holes():
    row = board(1, 5, holes=(1, 2, 4))
    assert step(row, 0, "right") == 3
    assert step(row, 3, "left") == 0
    assert step(row, 3, "right") == 3


def test_up_and_down_go_to_the_nearest_cell_of_the_next_row_that_has_any():
    holed = board(3, 4, holes=(4, 5, 6, 7, 9))
    assert step(holed, 3, "down") == 11
    assert step(holed, 1, "down") in (8, 10)
    assert step(holed, 10, "up") == 2


def test_on_hexagons_up_and_down_go_to_a_neighbour_straight_on_and_back_the_same_way():
    large = Hex().board
    cell = start = 5
    way = [cell]
    for _ in range(10):
        cell = step(large, cell, "down")
        assert cell in grids.neighbours(large, way[-1])
        way.append(cell)
    places = [slot(large, *divmod(cell, 11)) for cell in way]
    assert set(places) == {10, 11}
    for before in reversed(way[:-1]):
        cell = step(large, cell, "up")
        assert cell == before
    assert cell == start


def test_the_first_cell_is_not_a_hole():
    assert first_cell(board(2, 2)) == 0
    assert first_cell(Yavalath().board) == 2


def test_without_a_board_every_key_stays():
    assert first_cell(NO_BOARD) == 0
    assert [step(NO_BOARD, 0, name) for name in DIRECTIONS] == [0] * 4


def test_there_are_four_directions():
    with pytest.raises(ValueError, match="up, down, left, right, not 'north'"):
        step(board(2, 2), 0, "north")
