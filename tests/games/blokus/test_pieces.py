"""Pieces: shapes, orientation, equality."""

import pickle

import pytest

import parlour
from parlour.games.blokus import Piece
from parlour.games.blokus.guide import preview, preview_orientations
from parlour.games.blokus.pieces import ORIENTATIONS, PIECE_NAMES

SHAPES = {
    "I1": [(0, 0)],
    "I2": [(0, 0), (1, 0)],
    "I3": [(0, 0), (1, 0), (2, 0)],
    "V3": [(0, 0), (1, 0), (1, 1)],
    "I4": [(0, 0), (1, 0), (2, 0), (3, 0)],
    "L4": [(0, 0), (0, 1), (0, 2), (1, 2)],
    "O4": [(0, 0), (0, 1), (1, 0), (1, 1)],
    "T4": [(0, 0), (0, 1), (0, 2), (1, 1)],
    "Z4": [(0, 0), (0, 1), (1, 1), (1, 2)],
    "F5": [(0, 1), (1, 0), (1, 1), (1, 2), (2, 0)],
    "I5": [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)],
    "L5": [(0, 0), (0, 1), (0, 2), (0, 3), (1, 3)],
    "N5": [(0, 0), (1, 0), (1, 1), (2, 1), (3, 1)],
    "P5": [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)],
    "T5": [(0, 0), (0, 1), (0, 2), (1, 1), (2, 1)],
    "U5": [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)],
    "V5": [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)],
    "W5": [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)],
    "X5": [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)],
    "Y5": [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0)],
    "Z5": [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2)],
}


def test_the_piece_names_are_in_order():
    assert tuple(SHAPES) == PIECE_NAMES


@pytest.mark.parametrize("name", SHAPES)
def test_a_piece_has_its_default_shape_as_sorted_pairs(name):
    piece = Piece(name)
    assert list(piece.coordinates) == SHAPES[name] == sorted(SHAPES[name])
    assert (piece.name, piece.size, piece.is_placed) == (name, len(SHAPES[name]), False)


def test_pieces_are_equal_by_value_hashable_picklable_and_immutable():
    piece = Piece("L4")
    assert piece == Piece("L4") != Piece("T4")
    assert piece != Piece("L4", is_placed=True)
    assert piece != piece.flip()
    assert len({piece, Piece("L4"), piece.rotate(90)}) == 2
    assert pickle.loads(pickle.dumps(piece.rotate(90))) == piece.rotate(90)
    with pytest.raises(AttributeError):
        piece.name = "T4"


@pytest.mark.parametrize("name", ["", "l4", "Q9", None, 4, ["L4"], b"L4", object()])
def test_an_unknown_name_of_any_type_is_a_value_error(name):
    with pytest.raises(ValueError, match="Unknown piece"):
        Piece(name)


def test_is_placed_must_be_a_bool():
    with pytest.raises(ValueError, match="is_placed"):
        Piece("L4", is_placed=1)


def test_flip_mirrors_left_and_right_and_normalises():
    assert Piece("V3").flip().coordinates == ((0, 1), (1, 0), (1, 1))
    assert Piece("L4").flip().coordinates == ((0, 0), (0, 1), (0, 2), (1, 0))


def test_the_specifications_example_shape_flips_as_written_before_normalising():
    # [(0,0), (0,1), (1,1)] flips to [(0,0), (0,-1), (1,-1)]: shifted, {(0,1), (0,0), (1,0)}.
    shape = Piece("V3").flip().rotate(180)
    assert shape.coordinates == ((0, 0), (0, 1), (1, 0))


def test_rotate_turns_clockwise_as_seen_on_the_screen():
    # (r, c) -> (c, -r): the foot of L4 at the lower right goes to the lower left.
    assert Piece("L4").rotate(90).coordinates == ((0, 1), (1, 1), (2, 0), (2, 1))
    assert Piece("I2").rotate(90).coordinates == ((0, 0), (0, 1))


@pytest.mark.parametrize("name", SHAPES)
def test_four_quarter_turns_and_two_flips_change_nothing(name):
    piece = Piece(name)
    assert piece.flip().flip() == piece
    assert piece.rotate(90).rotate(90).rotate(90).rotate(90) == piece
    assert piece.rotate(90).rotate(90) == piece.rotate(180)
    assert piece.rotate(180).rotate(90) == piece.rotate(270)


def test_flip_and_rotate_return_new_pieces():
    piece = Piece("F5")
    piece.flip()
    piece.rotate(90)
    assert list(piece.coordinates) == SHAPES["F5"]


@pytest.mark.parametrize("degrees", [45, -90, 360, 90.0, "90", None, True, [90]])
def test_another_rotation_of_any_type_is_a_value_error(degrees):
    with pytest.raises(ValueError, match="Invalid rotation"):
        Piece("L4").rotate(degrees)


def test_the_order_of_flip_and_rotation_matters():
    piece = Piece("F5")
    assert piece.flip().rotate(90) != piece.rotate(90).flip()


def test_orientations_name_the_flip_and_rotation_that_give_their_cells():
    for piece, flip, rotation, cells in ORIENTATIONS:
        shown = Piece(PIECE_NAMES[piece])
        shown = shown.flip() if flip else shown
        assert shown.rotate(rotation).coordinates == cells


def test_the_preview_draws_every_piece_over_its_name_within_the_width():
    text = preview(range(21), width=40)
    assert max(map(len, text.splitlines())) <= 40
    assert all(name in text.split() for name in PIECE_NAMES)
    assert text.count("■") == 89
    assert preview([3, 0]).splitlines() == ["■", "■■  ■", "V3  I1"]
    assert preview([]) == ""


def test_help_draws_a_piece_in_every_orientation_with_flip_and_rotation():
    assert preview_orientations("I3").splitlines() == ["■", "■", "■     ■■■", "I3 0  I3 90"]
    text = preview_orientations("F5")
    assert text.count("F5 ") == 8
    assert text.count("F5 flip ") == 4
    assert preview_orientations("Q7") is None


def test_help_shows_the_pieces_in_hand_and_one_piece():
    game = parlour.game("blokus")
    state = game.start()
    assert game.guide().explain(state, "pieces", 0) == preview(range(21))
    assert game.guide().explain(state, "V3", 0) == preview_orientations("V3")
    assert game.guide().explain(state, "nothing", 0) is None
    placed = state.play(game.action_from_text(state, "a20"))
    assert game.guide().explain(placed, "pieces", 0) == preview(range(21))
    assert set(game.guide().topics()) == {"pieces", "L4"}
