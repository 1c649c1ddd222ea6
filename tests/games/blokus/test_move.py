"""The specification's `Move`: fields, errors, text, dictionary."""

import json
import pickle
import re

import numpy
import pytest

from parlour.games.blokus import Move, Piece, PlacementHandler


def move(**changes):
    fields = {"piece": Piece("I1"), "position": (10, 10), "rotation": 90, "player_id": 1}
    return Move(**{**fields, **changes})


def test_a_move_has_its_fields_in_the_specifications_order():
    made = Move(Piece("L4"), (5, 6), 270, 3, False, True)
    assert (made.piece, made.position, made.rotation) == (Piece("L4"), (5, 6), 270)
    assert (made.player_id, made.is_pass, made.flip) == (3, False, True)


def test_a_move_can_be_created_with_flip_true_and_false():
    assert move(flip=True).flip is True
    assert move(flip=False).flip is False


def test_flip_defaults_to_false_as_old_code_expects():
    assert Move(Piece("I1"), (5, 5), 0, player_id=1).flip is False


def test_is_pass_defaults_to_false():
    assert move().is_pass is False


def test_a_pass_has_neither_piece_nor_position():
    made = Move(None, None, 0, player_id=1, is_pass=True)
    assert (made.is_pass, made.piece, made.position) == (True, None, None)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"piece": None}, "Move must specify piece unless passing"),
        ({"piece": Piece("I1", is_placed=True)}, "Cannot place already-placed piece"),
        ({"position": None}, "Move must specify position unless passing"),
        ({"position": (-1, 0)}, "Position out of board bounds"),
        ({"position": (0, 20)}, "Position out of board bounds"),
        ({"position": (20, 0)}, "Position out of board bounds"),
        ({"rotation": 45}, "Invalid rotation: 45"),
        ({"rotation": 360}, "Invalid rotation: 360"),
        ({"player_id": 0}, "Invalid player_id: 0"),
        ({"player_id": 5}, "Invalid player_id: 5"),
    ],
)
def test_a_wrong_field_is_a_value_error_with_the_specifications_text(changes, text):
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        move(**changes)


def test_the_fields_are_checked_in_the_specifications_order():
    wrong = {"piece": None, "position": None, "rotation": 45, "player_id": 9}
    texts = [
        "Move must specify piece unless passing",
        "Move must specify position unless passing",
        "Invalid rotation: 45",
        "Invalid player_id: 9",
    ]
    for text, (name, right) in zip(
        texts,
        {"piece": Piece("I1"), "position": (0, 0), "rotation": 0, "player_id": 1}.items(),
        strict=True,
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
            Move(**wrong)
        wrong[name] = right
    Move(**wrong)
    with pytest.raises(ValueError, match=r"^Cannot place already-placed piece$"):
        Move(Piece("I1", is_placed=True), None, 45, 9)
    with pytest.raises(ValueError, match=r"^Position out of board bounds$"):
        Move(Piece("I1"), (0, -1), 45, 9)


def test_an_oriented_piece_is_folded_into_flip_and_rotation():
    turned = Piece("L4").flip().rotate(90)
    assert Move(turned, (3, 4), 0, 1) == Move(Piece("L4"), (3, 4), 90, 1, flip=True)
    assert Move(turned, (3, 4), 90, 1) == Move(Piece("L4"), (3, 4), 180, 1, flip=True)
    assert Move(turned, (3, 4), 90, 1, flip=True) == Move(Piece("L4"), (3, 4), 0, 1)
    assert repr(Move(Piece("I3").rotate(90), (0, 0), 0, 1)).endswith("rotation=90°, flip=False)")
    assert Move(Piece("O4").rotate(90), (0, 0), 0, 1).rotation == 0


def test_integers_of_numpy_are_accepted():
    one = numpy.int64(1)
    made = move(position=(one, one), rotation=numpy.int64(90), player_id=one)
    assert made == move(position=(1, 1), rotation=90, player_id=1)
    assert json.loads(json.dumps(made.to_dict())) == made.to_dict()


@pytest.mark.parametrize("rotation", [None, "90", 90.0, True, False, [90], {}, float("nan")])
def test_a_rotation_of_another_type_is_a_value_error(rotation):
    with pytest.raises(ValueError, match="Invalid rotation"):
        move(rotation=rotation)


@pytest.mark.parametrize("player_id", [None, "1", 1.0, True, [1], {}])
def test_a_player_id_of_another_type_is_a_value_error(player_id):
    with pytest.raises(ValueError, match="Invalid player_id"):
        move(player_id=player_id)


@pytest.mark.parametrize("position", [5, "ab", (1,), (1, 2, 3), (1.0, 2), ("1", 2), (True, 0), {}])
def test_a_position_of_another_type_is_a_value_error(position):
    with pytest.raises(ValueError, match="Position"):
        move(position=position)


@pytest.mark.parametrize("piece", ["I1", 1, object(), ()])
def test_a_piece_of_another_type_is_a_value_error(piece):
    with pytest.raises(ValueError, match="piece"):
        move(piece=piece)


@pytest.mark.parametrize("field", ["flip", "is_pass"])
@pytest.mark.parametrize("value", [None, 0, 1, "yes"])
def test_flip_and_is_pass_are_bools(field, value):
    with pytest.raises(ValueError, match=field):
        move(**{field: value})


@pytest.mark.parametrize("changes", [{"piece": Piece("I1")}, {"position": (0, 0)}])
def test_a_pass_with_a_piece_or_a_position_is_a_value_error(changes):
    with pytest.raises(ValueError, match="pass"):
        Move(**{"piece": None, "position": None, "rotation": 0, "player_id": 1, **changes},
             is_pass=True)  # fmt: skip


def test_the_bounds_themselves_are_allowed():
    for position in ((0, 0), (19, 19), [0, 19]):
        assert move(position=position).position == tuple(position)
    for rotation in (0, 90, 180, 270):
        assert move(rotation=rotation).rotation == rotation
    for player_id in (1, 2, 3, 4):
        assert move(player_id=player_id).player_id == player_id


def test_repr_of_a_placement_includes_the_flip_state():
    text = "Move(player=1, piece=I1, position=(10, 10), rotation=90°, flip=True)"
    assert repr(move(flip=True)) == str(move(flip=True)) == text
    assert repr(move()).endswith("flip=False)")


def test_repr_of_a_pass():
    assert repr(Move(None, None, 0, 1, is_pass=True)) == "Move(player=1, action=pass)"


def test_moves_are_immutable_hashable_and_equal_by_value():
    assert move() == move()
    assert len({move(), move(), move(flip=True)}) == 2
    assert move() != move(player_id=2)
    with pytest.raises(AttributeError):
        move().flip = True
    assert pickle.loads(pickle.dumps(move(flip=True))) == move(flip=True)


@pytest.mark.parametrize("made", [move(flip=True), Move(None, None, 0, 4, is_pass=True)])
def test_the_dictionary_has_the_fields_as_keys_and_round_trips_through_json(made):
    data = made.to_dict()
    assert list(data) == ["piece", "position", "rotation", "player_id", "is_pass", "flip"]
    assert Move.from_dict(json.loads(json.dumps(data))) == made


def test_missing_flip_and_is_pass_in_old_dictionaries_mean_false():
    old = {"piece": "L4", "position": [5, 5], "rotation": 90, "player_id": 2}
    assert Move.from_dict(old) == Move(Piece("L4"), (5, 5), 90, 2)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"piece": "L4", "position": [5, 5], "rotation": 90},
        {"piece": "Q", "position": [5, 5], "rotation": 90, "player_id": 2},
        {"piece": "L4", "position": [5, 5], "rotation": 90, "player_id": 2, "flipped": True},
        {"piece": "L4", "position": 5, "rotation": 90, "player_id": 2},
    ],
)
def test_a_wrong_dictionary_is_a_value_error(data):
    with pytest.raises(ValueError, match=r".+"):
        Move.from_dict(data)


def test_an_even_number_of_flips_changes_nothing(new):
    handler = PlacementHandler(new)
    handler.select_piece("F5")
    for _ in range(1_000):
        handler.flip_piece()
    assert handler.selected_piece == Piece("F5")
