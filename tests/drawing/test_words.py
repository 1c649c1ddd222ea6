"""Scenes in words."""

import pytest
from boardless import TwentyOne
from climb import Climb
from connect_four import ConnectFour
from hex import Hex
from hex_holes import Yavalath
from nim import Nim

import parlour
from parlour.core.scene import Board, Cell, Scene
from parlour.drawing.words import (
    board_words,
    cell_words,
    changes,
    every_cell,
    find_cell,
    place,
    row_words,
    seat_words,
)

YAVALATH = Yavalath().state_from_text("##.../#.X../OXOO./.OX.#/X.X##").scene()


def test_a_cell_is_described_by_row_and_column():
    assert cell_words(YAVALATH, 7) == "row 2, column c: white"
    assert cell_words(Nim().start().scene(), 3) == "column 4: a stone"


def test_a_cell_without_names_is_described_by_numbers():
    scene = Scene((Cell("x", "here"),) * 4, board=Board(2, 2, ("", ""), ("", "")))
    assert place(scene, 2) == "row 2, column 1"
    assert find_cell(scene, "2 1") == 2


@pytest.mark.parametrize("text", ["3 b", "row 3 column b", "row 3, column b", " 3,b "])
def test_a_cell_is_found_by_its_names(text):
    assert find_cell(YAVALATH, text) == 11


@pytest.mark.parametrize("text", ["", "3", "b", "b 3", "9 b", "3 z", "row", "3 b c", "row column"])
def test_an_unknown_name_finds_no_cell(text):
    assert find_cell(YAVALATH, text) is None


def test_a_hole_is_not_found():
    assert find_cell(YAVALATH, "1 a") is None
    assert find_cell(YAVALATH, "1 c") == 2


def test_one_name_is_enough_where_a_board_has_one_row_without_a_name():
    assert find_cell(Nim().start().scene(), "4") == 3
    assert find_cell(Climb().start().scene(), "height 4") == 3


@pytest.mark.parametrize(
    "game",
    [Hex(size=3), Yavalath(), ConnectFour(), *map(parlour.game, parlour.game_names())],
    ids=repr,
)
def test_every_cell_is_found_by_its_description(game):
    scene = game.start().scene()
    for cell in range(game.board.size):
        expected = None if cell in game.board.holes else cell
        assert find_cell(scene, place(scene, cell)) == expected


def test_the_commonest_content_is_counted_and_holes_are_not():
    lines = every_cell(YAVALATH)
    assert lines[0] == "row 2, column c: white"
    assert lines[-1] == "the other 10 cells: empty"
    assert len(lines) == 10
    assert every_cell(Yavalath().start().scene()) == ["all 19 cells: empty"]


def test_few_cells_are_all_listed():
    scene = Scene((Cell("x", "x"), Cell("y", "y")), board=Board(1, 2, ("",), ("a", "b")))
    assert every_cell(scene) == ["column a: x", "column b: y"]


def test_equal_neighbours_in_a_row_are_merged():
    assert row_words(YAVALATH, 0) == "row 1: c to e empty"
    assert row_words(YAVALATH, 2) == "row 3: a black; b white; c to d black; e empty"
    assert row_words(Nim(heap=3).start().scene(), 0) == "1 to 3 a stone"


def test_a_hole_separates_neighbours_in_a_row():
    board = Board(2, 5, ("1", "2"), tuple("abcde"), holes=(2, 5, 6, 7, 8, 9))
    scene = Scene((Cell(".", "empty"),) * 10, board=board)
    assert row_words(scene, 0) == "row 1: a to b empty; d to e empty"
    assert row_words(scene, 1) == "row 2: no cells"


def test_changes_have_old_and_new_content():
    state = Hex(size=3).start()
    assert changes(state.scene(), state.play("b2").scene()) == ["row 2, column b: red (was empty)"]
    assert changes(state.scene(), state.scene()) == []


def test_only_the_first_of_many_changes_are_listed():
    before = ConnectFour().start().scene()
    after = before._replace(cells=(Cell("x", "gone"),) * 42)
    lines = changes(before, after)
    assert len(lines) == 13
    assert lines[-1] == "and 30 more cells"


def test_a_resized_board_is_described_as_a_whole():
    before, after = Hex(size=3).start().scene(), Hex(size=4).start().scene()
    assert changes(before, after) == ["the board now has 4 rows and 4 columns"]


def test_a_game_without_a_board_has_no_cells():
    state = TwentyOne().start()
    scene = state.scene()
    assert every_cell(scene) == ["this game has no board"]
    assert cell_words(scene, 0) == "this game has no board"
    assert find_cell(scene, "1 a") is None
    assert changes(scene, state.play("two").scene()) == []


def test_seats_are_described_with_points_and_tray():
    scene = TwentyOne().state_from_text("said 3 1 2").scene()
    assert seat_words(scene) == ["  player 1: 3 2", "> player 2: 1"]


def test_a_board_is_described_by_row_with_equal_rows_merged():
    cells = [Cell(".", "free")] * 6 + [Cell("x", "a stone"), Cell(".", "free")]
    scene = Scene(tuple(cells), board=Board(4, 2, ("4", "3", "2", "1"), ("a", "b")))
    assert board_words(scene) == ["rows 4 to 2: a to b free", "row 1: a a stone; b free"]


def test_a_board_without_names_or_cells_is_described():
    assert board_words(Nim(heap=2).start().scene()) == ["1 to 2 a stone"]
    assert board_words(TwentyOne().start().scene()) == ["this game has no board"]
    assert board_words(YAVALATH)[0].startswith("row 1: c")
