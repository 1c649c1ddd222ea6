"""Scenes as plain text."""

import pytest
from boardless import TwentyOne
from connect_four import ConnectFour
from hex import Hex
from hex_holes import Yavalath
from nim import Nim

import parlour
from parlour.core.scene import Board, Cell, Scene, display_width
from parlour.drawing.text import board_lines, draw, list_actions


def test_a_scene_is_a_grid_with_names_seats_and_status():
    state = parlour.game("octa", size=1).state_from_text(
        "turn 0, player 1 to move\n1↑ .↗ 2→\n.↘ #↓ .↙\n2← .↖ 1↑"
    )
    assert draw(state.scene()) == (
        " 1  1↑ .↗ 2→\n"
        " 0  .↘ ## .↙\n"
        "-1  2← .↖ 1↑\n"
        "    -1  0  1\n"
        "\n"
        "> player 1: 2 cells\n"
        "  player 2: 2 cells\n"
        "Turn 1 of 8: player 1 to move."
    )


def test_a_board_of_hexagons_is_shifted_by_half_a_cell_in_each_row():
    state = Hex(size=4).state_from_text("...R/.RB./BB.B/R.RR")
    assert draw(state.scene()) == (
        "1  · · · R\n"
        " 2  · R B ·\n"
        "  3  B B · B\n"
        "   4  R · R R\n"
        "       a b c d\n"
        "\n"
        "  red: 5 stones\n"
        "> blue: 4 stones\n"
        "Blue to move: join left and right."
    )


def test_names_with_two_signs_do_not_move_the_hexagons():
    lines = board_lines(Hex().start().scene())
    assert lines[8:] == [
        "         9  · · · · · · · · · · ·",
        "         10  · · · · · · · · · · ·",
        "          11  · · · · · · · · · · ·",
        "               a b c d e f g h i j k",
    ]


def test_holes_are_blank_and_names_stand_beside_the_cells():
    assert board_lines(Yavalath().start().scene()) == [
        "    1  · · ·",
        "   2  · · · ·",
        "  3  · · · · ·",
        "   4  · · · · e",
        "    5  · · · d",
        "        a b c",
    ]


def plain(board, *glyphs):
    return Scene(cells=tuple(Cell(glyph, glyph) for glyph in glyphs), board=board)


def test_holes_in_a_square_board_are_blank_too():
    ring = Board(3, 3, tuple("123"), tuple("abc"), holes=(4,))
    assert board_lines(plain(ring, *"ABCD EFGH")) == [
        "1  A B C",
        "2  D   E",
        "3  F G H",
        "   a b c",
    ]


def test_a_row_or_a_column_of_holes_has_no_name():
    board = Board(3, 3, tuple("123"), tuple("abc"), holes=(0, 3, 4, 5, 6))
    assert board_lines(plain(board, *" AB    CD")) == ["1    A B", "", "3    C D", "     b c"]


def test_a_slanting_column_that_ends_beside_a_rows_name_is_named_after_it():
    down = Board(3, 3, tuple("123"), tuple("abc"), "hex", (3, 6, 7))
    assert board_lines(plain(down, *"ABC DE  F")) == [
        "1  A B C",
        " 2  a D E",
        "    3  b F",
        "          c",
    ]


@pytest.mark.parametrize("shape", parlour.core.scene.SHAPES)
def test_wide_glyphs_line_up(shape):
    board = Board(2, 3, ("1", "帥"), ("a", "b", "車"), shape)
    lines = board_lines(plain(board, "帥", "·", "x", "·", "兵", "·"))
    pitch = 3 if shape == "square" else 4
    first, second = (
        [display_width(line[: line.index(sign)]) + display_width(sign) for sign in signs]
        for line, signs in ((lines[0], "帥x"), (lines[1], "兵"))
    )
    assert first[1] - first[0] == 2 * pitch
    assert second[0] - first[0] == pitch + (pitch // 2 if shape == "hex" else 0)


def test_without_a_board_there_are_seats_and_status():
    assert draw(TwentyOne().state_from_text("said 3 1 2").scene()) == (
        "  player 1: 3 2\n> player 2: 1\nThe sum is 6: player 2 adds to it."
    )


def test_the_text_of_a_square_board_is_pinned():
    lines = board_lines(
        ConnectFour(rows=4, cols=5).state_from_text("...../...../R..../Y..Y.").scene()
    )
    assert lines == ["4  · · · · ·", "3  · · · · ·", "2  R · · · ·", "1  Y · · Y ·", "   a b c d e"]


def test_actions_are_wrapped_and_of_many_only_the_first_are_shown():
    scene = Nim().start().scene()
    assert list_actions(scene) == "Actions: take1 take2 take3"
    assert list_actions(scene, 2) == "Actions: take1 take2 ... and 1 more ('actions' lists all)"
    lines = list_actions(parlour.game("octa", size=2).state_from_text(MANY).scene()).splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 78 for line in lines)


MANY = "turn 1, player 1 to move\n" + "\n".join(" ".join(["1↑"] * 4 + ["2↑"]) for _ in range(5))
