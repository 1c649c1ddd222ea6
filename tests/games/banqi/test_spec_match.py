"""The types of the specification: construction, checks, immutability and dictionaries."""

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import numpy
import pytest

from parlour.games.banqi import (
    CaptureAction,
    Color,
    LegalMoveSet,
    Match,
    MatchStatus,
    MoveAction,
    Piece,
    PieceKind,
    ValidationResult,
    WinResult,
    create_match,
    execute_flip,
)

Draw = Callable[..., Match]
Make = Callable[..., Piece]
Whole = Callable[..., tuple[Piece, ...]]

GOLDEN = Path(__file__).with_name("layouts.txt")


def test_the_layout_of_a_seed_never_changes() -> None:
    """`layouts.txt` pins seeds and their pieces in reading order for ever."""
    for line in GOLDEN.read_text("utf-8").splitlines():
        seed, layout = line.split()
        assert layout_of(create_match(int(seed))) == layout
        assert layout_of(create_match(int(seed), first_flip_passes=True)) == layout


def layout_of(match: Match) -> str:
    signs = []
    for piece in match.board:
        assert piece
        sign = "KGMRHCP"[list(PieceKind).index(piece.kind)]
        signs.append(sign if piece.color is Color.RED else sign.lower())
    return "".join(signs)


@pytest.mark.parametrize(
    ("kind", "rank", "number"),
    [
        ("King", 7, 1),
        ("Guard", 6, 2),
        ("Minister", 5, 2),
        ("Rook", 4, 2),
        ("Horse", 3, 2),
        ("Cannon", 2, 2),
        ("Pawn", 1, 5),
    ],
)
def test_kinds_have_their_ranks_and_numbers(kind: str, rank: int, number: int) -> None:
    assert PieceKind(kind).rank == rank
    assert PieceKind(kind).number == number
    assert PieceKind(kind) == kind


def test_plain_strings_become_enum_members(make_piece: Make) -> None:
    piece = Piece(kind="King", color="red", is_revealed=True, is_dead=False)
    assert piece == make_piece("K")
    assert piece.kind is PieceKind.KING
    match = Match(
        board=[piece] + [None] * 31,
        status="in-progress",
        current_turn="red",
        red_captured=[],
        black_captured=(),
        winner=None,
    )
    assert match.status is MatchStatus.IN_PROGRESS
    assert match.current_turn is Color.RED
    assert match.red_captured == ()
    assert isinstance(match.board, tuple)


@pytest.mark.parametrize(
    "value",
    [
        Piece(PieceKind.KING, Color.RED),
        create_match(1),
        ValidationResult(True),
        WinResult(False),
        MoveAction(1, 2),
        CaptureAction(1, 2),
        LegalMoveSet((1,), (MoveAction(1, 2),), ()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_are_frozen_hashable_and_picklable(value: object) -> None:
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert again == value
        assert hash(again) == hash(value)
    assert not hasattr(value, "__dict__")
    field = next(iter(type(value).__dataclass_fields__))
    with pytest.raises(FrozenInstanceError):
        setattr(value, field, None)


def test_a_move_is_never_equal_to_a_capture() -> None:
    assert MoveAction(1, 2) != CaptureAction(1, 2)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"status": "paused"}, "status must be one of 'waiting-first-flip', 'in-progress'"),
        ({"status": None}, "status must be one of"),
        ({"current_turn": "green"}, "current_turn must be one of 'red', 'black'"),
        ({"current_turn": None}, "must have a current_turn"),
        ({"winner": "red"}, "must not have a winner"),
        ({"board": ()}, "board must have 32 squares, not 0"),
        ({"board": None}, "board must be a sequence of pieces"),
        ({"board": ("King",) * 32}, "board must hold Piece values"),
        ({"red_captured": 5}, "red_captured must be a sequence of pieces"),
        ({"first_flip_passes": 1}, "first_flip_passes must be True or False"),
        ({"status": "waiting-first-flip"}, "current_turn must be None before the first flip"),
        (
            {"status": "waiting-first-flip", "current_turn": None},
            "before the first flip the board must have pieces, all of them face-down",
        ),
    ],
)
def test_a_match_that_breaks_an_invariant_is_a_value_error(
    fields: dict[str, object], complaint: str, draw_match: Draw
) -> None:
    match = draw_match({0: "R", 31: "k"})
    with pytest.raises(ValueError, match=complaint):
        replace(match, **fields)


def test_seventeen_red_pieces_are_too_many(make_piece: Make) -> None:
    match = create_match(1)
    index = next(i for i, piece in enumerate(match.board) if piece and piece.color == "black")
    board = list(match.board)
    board[index] = make_piece("P", is_revealed=False)
    with pytest.raises(ValueError, match="there are 17 red pieces; a set has 16"):
        replace(match, board=tuple(board))


def test_two_kings_are_too_many(draw_match: Draw) -> None:
    with pytest.raises(ValueError, match="there are 2 red Kings; a set has 1"):
        draw_match({0: "K", 9: "?K"})


def test_captured_pieces_count_towards_the_set(draw_match: Draw, whole_set: Whole) -> None:
    with pytest.raises(ValueError, match="there are 17 black pieces"):
        draw_match({0: "p"}, red_captured=whole_set("black"))


def test_captured_pieces_must_be_dead_enemy_pieces(draw_match: Draw, make_piece: Make) -> None:
    with pytest.raises(ValueError, match="red_captured must hold black pieces only"):
        draw_match({0: "K"}, red_captured=(make_piece("P", is_dead=True),))
    with pytest.raises(ValueError, match="a captured piece must be dead and revealed"):
        draw_match({0: "K"}, red_captured=(make_piece("p"),))
    with pytest.raises(ValueError, match="red_captured must hold black pieces only, not None"):
        draw_match({0: "K"}, red_captured=(None,))


def test_a_dead_piece_on_the_board_is_refused(make_piece: Make) -> None:
    board = (make_piece("K", is_dead=True), *[None] * 31)
    with pytest.raises(ValueError, match="the piece at index 0 must not be dead"):
        Match(board, MatchStatus.IN_PROGRESS, Color.RED)


def test_nothing_is_captured_before_the_first_flip(make_piece: Make) -> None:
    board = (make_piece("K", is_revealed=False), *[None] * 31)
    with pytest.raises(ValueError, match="nothing can be captured before the first flip"):
        Match(
            board,
            MatchStatus.WAITING_FIRST_FLIP,
            red_captured=(make_piece("p", is_dead=True),),
        )


def test_an_ended_match_may_have_no_winner() -> None:
    assert replace(create_match(1), status="ended").winner is None


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"kind": "Queen"}, "kind must be one of 'King', 'Guard'"),
        ({"kind": None}, "kind must be one of"),
        ({"color": "blue"}, "color must be one of 'red', 'black'"),
        ({"is_revealed": 1}, "is_revealed must be True or False"),
        ({"is_dead": None}, "is_dead must be True or False"),
    ],
)
def test_an_invalid_piece_is_a_value_error(fields: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        replace(Piece(PieceKind.KING, Color.RED), **fields)


def test_to_dict_uses_the_specifications_names(draw_match: Draw) -> None:
    data = draw_match({0: "K"}).to_dict()
    assert list(data) == [
        "board",
        "status",
        "currentTurn",
        "redCaptured",
        "blackCaptured",
        "winner",
        "firstFlipPasses",
    ]
    assert data["board"][0] == {
        "kind": "King",
        "color": "red",
        "isRevealed": True,
        "isDead": False,
    }
    assert data["board"][1] is None
    assert type(data["status"]) is str


@pytest.mark.parametrize("passes", [False, True])
def test_from_dict_round_trips_exactly_through_json(passes: bool) -> None:
    match = execute_flip(create_match(3, first_flip_passes=passes), 5)
    for value in (match, create_match(3), replace(match, status="ended", winner="black")):
        data = json.loads(json.dumps(value.to_dict()))
        assert Match.from_dict(data) == value
        assert Match.from_dict(data).to_dict() == data


def test_from_dict_accepts_missing_optional_fields(draw_match: Draw) -> None:
    data = create_match(1).to_dict()
    for name in ("currentTurn", "winner", "firstFlipPasses"):
        del data[name]
    assert Match.from_dict(data) == create_match(1)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"board": None}, "board must be a list"),
        ({"board": [{}] * 32}, "a piece must have 'kind'"),
        ({"board": ["K"] * 32}, "a piece must be a dict"),
        ({"redCaptured": "x"}, "redCaptured must be a list"),
        ({"status": "asleep"}, "status must be one of"),
        ({"turn": "red"}, "a match has no 'turn'"),
    ],
)
def test_from_dict_names_the_wrong_field(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Match.from_dict(create_match(1).to_dict() | change)
    with pytest.raises(ValueError, match="a match must have 'board'"):
        Match.from_dict({})
    with pytest.raises(ValueError, match="a match must be a dict"):
        Match.from_dict([])


RESULTS = [
    (ValidationResult(True), {"isValid": True}),
    (ValidationResult(False, "Invalid indices"), {"isValid": False, "error": "Invalid indices"}),
    (WinResult(False), {"hasEnded": False}),
    (
        WinResult(True, "red", "stalemate"),
        {"hasEnded": True, "winner": "red", "reason": "stalemate"},
    ),
    (MoveAction(1, 2), {"fromIndex": 1, "toIndex": 2}),
    (CaptureAction(31, 0), {"fromIndex": 31, "toIndex": 0}),
    (
        LegalMoveSet((1, 2), (MoveAction(1, 2),), (CaptureAction(3, 4),)),
        {
            "flips": [1, 2],
            "moves": [{"fromIndex": 1, "toIndex": 2}],
            "captures": [{"fromIndex": 3, "toIndex": 4}],
        },
    ),
]


@pytest.mark.parametrize(("value", "data"), RESULTS, ids=lambda each: type(each).__name__)
def test_results_are_dicts_with_the_specifications_names(value: Any, data: dict[str, Any]) -> None:
    assert value.to_dict() == data
    assert json.loads(json.dumps(data)) == data
    assert all(type(each) in (bool, str, int, list) for each in value.to_dict().values())
    again = type(value).from_dict(data)
    assert again == value
    assert type(again) is type(value)
    assert type(value).from_dict({**data, "unknown": object()}) == value


def test_optional_fields_of_results_may_be_null() -> None:
    assert ValidationResult.from_dict({"isValid": True, "error": None}) == ValidationResult(True)
    read = WinResult.from_dict({"hasEnded": False, "winner": None, "reason": None})
    assert read == WinResult(False)


@pytest.mark.parametrize(
    ("kind", "data", "complaint"),
    [
        (ValidationResult, {}, "a validation result must have 'isValid'"),
        (ValidationResult, [], "a validation result must be a dict"),
        (ValidationResult, {"isValid": 1}, "isValid must be True or False"),
        (ValidationResult, {"isValid": False, "error": 3}, "error must be a str"),
        (WinResult, {}, "a win result must have 'hasEnded'"),
        (WinResult, {"hasEnded": "yes"}, "hasEnded must be True or False"),
        (WinResult, {"hasEnded": True, "winner": "green"}, "winner must be one of"),
        (WinResult, {"hasEnded": True, "reason": "luck"}, "reason must be one of"),
        (MoveAction, {"fromIndex": 1}, "a move must have 'toIndex'"),
        (MoveAction, {"fromIndex": 1, "toIndex": 32}, "toIndex must be an int from 0 to 31"),
        (CaptureAction, {"fromIndex": "1", "toIndex": 3}, "fromIndex must be an int"),
        (LegalMoveSet, {"flips": [], "moves": []}, "must have 'captures'"),
        (LegalMoveSet, {"flips": 3, "moves": [], "captures": []}, "flips must be a list"),
        (LegalMoveSet, {"flips": [-1], "moves": [], "captures": []}, "flips must be an int"),
    ],
)
def test_a_wrong_dict_of_a_result_is_a_value_error(kind: Any, data: object, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        kind.from_dict(data)


def test_a_win_result_refuses_other_colours_and_reasons() -> None:
    assert WinResult(True, "red", "capture-all").winner is Color.RED
    with pytest.raises(ValueError, match="winner must be one of"):
        WinResult(True, "green")


@pytest.mark.parametrize("kind", [MoveAction, CaptureAction])
def test_actions_take_any_integer_and_refuse_what_is_not_a_square(kind: Any) -> None:
    action = kind(numpy.int64(1), 2)
    assert json.loads(json.dumps(action.to_dict())) == {"fromIndex": 1, "toIndex": 2}
    for source, target in ((-1, 2), (1, 32), (1, "2"), (True, 2)):
        with pytest.raises(ValueError, match="must be an int from 0 to 31"):
            kind(source, target)


def test_a_set_of_legal_moves_takes_lists() -> None:
    made: Any = LegalMoveSet([1], [MoveAction(1, 2)], [])  # type: ignore[arg-type]
    assert made == LegalMoveSet((1,), (MoveAction(1, 2),), ())
    assert hash(made) == hash(LegalMoveSet.from_dict(made.to_dict()))


@pytest.mark.parametrize("make", [WinResult, ValidationResult])
def test_a_flag_of_a_result_is_a_bool(make: Any) -> None:
    with pytest.raises(ValueError, match="must be True or False"):
        make(1)
