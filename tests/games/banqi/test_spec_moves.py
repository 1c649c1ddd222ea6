"""The specification's functions, sentence by sentence, and our readings of open points."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace

import numpy
import pytest

import parlour
from parlour.games.banqi import (
    CaptureAction,
    Color,
    LegalMoveSet,
    Match,
    MoveAction,
    Piece,
    ValidationResult,
    WinResult,
    check_win_condition,
    create_match,
    execute_action,
    execute_capture,
    execute_flip,
    execute_move,
    get_legal_moves,
    match_from_state,
    public_state,
    validate_capture,
    validate_flip,
    validate_move,
)

Draw = Callable[..., Match]
Whole = Callable[..., tuple[Piece, ...]]

BAD_INDICES = [
    -1, 32, 2**70, -(2**70), True, False, 1.0, float("nan"), "0", None, b"0", (), [], {}, object(),
]  # fmt: skip


class Three:
    """An integer of another library."""

    def __index__(self) -> int:
        return 3


class Awkward:
    """An index whose every method raises."""

    @property
    def __class__(self) -> type:
        raise RuntimeError("no class")

    def __index__(self) -> int:
        raise RuntimeError("no index here")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison either")

    __hash__ = None


def invalid(error: str) -> ValidationResult:
    return ValidationResult(is_valid=False, error=error)


VALID = ValidationResult(is_valid=True, error=None)


# create_match


def test_create_match_waits_for_the_first_flip_with_a_full_set_face_down() -> None:
    match = create_match(1)
    assert match.status == "waiting-first-flip"
    assert match.current_turn is None
    assert match.winner is None
    assert match.red_captured == match.black_captured == ()
    assert all(piece and not piece.is_revealed and not piece.is_dead for piece in match.board)
    kinds = sorted((piece.color, piece.kind) for piece in match.board if piece)
    assert len(kinds) == 32
    assert len(set(kinds)) == 14


def test_create_match_depends_only_on_the_seed() -> None:
    assert create_match(7) == create_match(7)
    assert len({create_match(seed) for seed in (-1, 0, 1, 2**63, 2**64 - 1, -(2**63))}) == 6


@pytest.mark.parametrize("seed", [True, 1.0, "1", None])
def test_create_match_requires_an_int_as_seed(seed: object) -> None:
    with pytest.raises(TypeError):
        create_match(seed)


# validate_flip


def test_validate_flip_accepts_any_face_down_piece_before_the_first_flip() -> None:
    match = create_match(3)
    assert all(validate_flip(match, index) == VALID for index in range(32))


@pytest.mark.parametrize("turn", ["red", "black"])
def test_validate_flip_in_progress_has_no_colour_restriction(turn: str, draw_match: Draw) -> None:
    match = draw_match({0: "R", 1: "?P", 2: "?p"}, turn)
    assert validate_flip(match, 1) == validate_flip(match, 2) == VALID


def test_validate_flip_errors(draw_match: Draw) -> None:
    match = draw_match({0: "R", 1: "?P"})
    assert validate_flip(match, 0) == invalid("Piece already revealed")
    assert validate_flip(match, 5) == invalid("No piece at index")
    assert validate_flip(match, 32) == invalid("Invalid piece index")
    assert validate_flip(match, -1) == invalid("Invalid piece index")


def test_validate_flip_checks_the_status_first(draw_match: Draw) -> None:
    match = draw_match({0: "R", 1: "?P"}, status="ended", winner="red")
    for index in (0, 1, 5, 99, None):
        assert validate_flip(match, index) == invalid("Match already ended")


# validate_move


@pytest.mark.parametrize("target", [2, 9, 11, 18])
def test_validate_move_accepts_one_step_to_an_empty_square(target: int, draw_match: Draw) -> None:
    assert validate_move(draw_match({10: "R"}), 10, target) == VALID


@pytest.mark.parametrize(
    ("source", "target", "error"),
    [
        (10, 32, "Invalid indices"),
        (-1, 10, "Invalid indices"),
        (5, 6, "No piece at index"),
        (0, 8, "Piece not revealed"),
        (20, 21, "Not current player's turn"),
        (10, 10, "Destination not adjacent"),
        (10, 12, "Destination not adjacent"),
        (10, 19, "Destination not adjacent"),
        (10, 26, "Destination not adjacent"),
        (15, 16, "Destination not adjacent"),
        (10, 30, "Destination not adjacent"),
        (10, 11, "Destination not empty"),
        (10, 2, "Destination not empty"),
        (10, 9, "Destination not empty"),
    ],
)
def test_validate_move_errors(source: int, target: int, error: str, draw_match: Draw) -> None:
    match = draw_match({0: "?K", 10: "R", 11: "p", 2: "?h", 9: "P", 20: "m", 15: "H"})
    assert validate_move(match, source, target) == invalid(error)


@pytest.mark.parametrize("index", [0, 99, None])
def test_validate_move_checks_the_status_first(index: object, draw_match: Draw) -> None:
    error = invalid("Match not in progress")
    assert validate_move(create_match(1), index, 1) == error
    ended = draw_match({0: "R"}, status="ended", winner="red")
    assert validate_move(ended, index, 1) == error


@pytest.mark.parametrize("kind", "KGMRHCP")
def test_validate_move_every_kind_moves_one_step(kind: str, draw_match: Draw) -> None:
    match = draw_match({10: kind})
    assert [m.to_index for m in get_legal_moves(match).moves] == [2, 9, 11, 18]


# validate_capture


@pytest.mark.parametrize(
    ("source", "target", "error"),
    [
        (10, 32, "Invalid indices"),
        (-1, 10, "Invalid indices"),
        (5, 6, "No piece at index"),
        (10, 18, "No piece at index"),
        (0, 10, "Attacker not revealed"),
        (11, 10, "Not current player's turn"),
        (10, 2, "Target not revealed"),
        (10, 9, "Target is own piece"),
        (10, 10, "Target is own piece"),
        (10, 20, "Destination not adjacent"),
        (10, 31, "Destination not adjacent"),
        (10, 11, "Invalid capture: rank too low"),
        (24, 25, "King cannot capture Pawn"),
        (24, 31, "Destination not adjacent"),
        (22, 23, "Cannon cannot capture adjacent piece"),
        (22, 20, "Cannon must jump over exactly one piece"),
        (22, 25, "Cannon must jump over exactly one piece"),
        (22, 14, "Cannon cannot capture adjacent piece"),
        (22, 24, "Target is own piece"),
        (22, 19, "Target is own piece"),
    ],
)
def test_validate_capture_errors(source: int, target: int, error: str, draw_match: Draw) -> None:
    match = draw_match(
        {
            0: "?G", 2: "?h", 9: "P", 10: "R", 11: "m", 14: "g", 19: "H", 20: "p",
            22: "C", 23: "c", 24: "K", 25: "p", 31: "p",
        }
    )  # fmt: skip
    assert validate_capture(match, source, target) == invalid(error)


@pytest.mark.parametrize("index", [0, 99, None])
def test_validate_capture_checks_the_status_first(index: object, draw_match: Draw) -> None:
    error = invalid("Match not in progress")
    assert validate_capture(create_match(1), index, 1) == error
    ended = draw_match({0: "R", 1: "p"}, status="ended", winner="red")
    assert validate_capture(ended, index, 1) == error


RANKS = "PCHRMGK"


@pytest.mark.parametrize("attacker", "KGMRHP")
@pytest.mark.parametrize("target", "KGMRHCP")
def test_validate_capture_by_rank(attacker: str, target: str, draw_match: Draw) -> None:
    result = validate_capture(draw_match({0: attacker, 1: target.lower()}), 0, 1)
    if (attacker, target) == ("K", "P"):
        assert result == invalid("King cannot capture Pawn")
    elif (attacker, target) == ("P", "K") or RANKS.index(attacker) >= RANKS.index(target):
        assert result == VALID
    else:
        assert result == invalid("Invalid capture: rank too low")


@pytest.mark.parametrize("kind", "KGMRHCP")
def test_validate_capture_a_cannon_takes_any_rank_over_one_screen(
    kind: str, draw_match: Draw
) -> None:
    match = draw_match({0: "C", 3: "?P", 6: kind.lower()})
    assert validate_capture(match, 0, 6) == VALID


@pytest.mark.parametrize("screen", ["P", "p", "?P", "?p"])
def test_validate_capture_a_screen_is_any_piece(screen: str, draw_match: Draw) -> None:
    assert validate_capture(draw_match({0: "C", 8: screen, 24: "k"}), 0, 24) == VALID


@pytest.mark.parametrize("squares", [{}, {8: "P", 16: "p"}, {8: "?P", 16: "P"}])
def test_validate_capture_a_cannon_needs_exactly_one_screen(
    squares: dict[int, str], draw_match: Draw
) -> None:
    match = draw_match({0: "C", 24: "k", **squares})
    assert validate_capture(match, 0, 24) == invalid("Cannon must jump over exactly one piece")


def test_validate_capture_a_cannon_target_must_be_face_up(draw_match: Draw) -> None:
    match = draw_match({0: "C", 1: "P", 2: "?k"})
    assert validate_capture(match, 0, 2) == invalid("Target not revealed")


# Any index, any type


@pytest.mark.parametrize("index", [*BAD_INDICES, Awkward])
def test_validators_reject_bad_indices_without_raising(index: object, draw_match: Draw) -> None:
    match = draw_match({0: "R", 1: "p", 8: "?k"})
    index = Awkward() if index is Awkward else index
    assert validate_flip(match, index) == invalid("Invalid piece index")
    for validate in (validate_move, validate_capture):
        assert validate(match, index, 1) == invalid("Invalid indices")
        assert validate(match, 0, index) == invalid("Invalid indices")


def test_validators_accept_integers_of_other_libraries(draw_match: Draw) -> None:
    match = draw_match({3: "R", 4: "p", 11: "?k"})
    assert validate_move(match, Three(), 2) == VALID
    assert validate_capture(match, Three(), 4) == VALID
    assert validate_flip(match, Three()) == invalid("Piece already revealed")


# Executing


def test_the_first_execute_flip_sets_turn_and_status() -> None:
    match = create_match(5)
    for index in range(32):
        hidden = match.board[index]
        assert hidden
        after = execute_flip(match, index)
        assert after.board[index] == replace(hidden, is_revealed=True)
        assert after.status == "in-progress"
        assert after.current_turn == hidden.color


def test_the_first_execute_flip_can_pass_the_turn() -> None:
    match = create_match(5, first_flip_passes=True)
    hidden = match.board[4]
    assert hidden
    after = execute_flip(match, 4)
    assert after.current_turn == hidden.color.opponent
    assert after.first_flip_passes


def test_execute_flip_in_progress_toggles_the_turn(draw_match: Draw) -> None:
    match = draw_match({0: "R", 1: "?P", 2: "?p"}, "black")
    after = execute_flip(match, 1)
    assert after.current_turn == Color.RED
    assert after.board[2] == match.board[2]


def test_execute_move_moves_the_piece_and_toggles(draw_match: Draw) -> None:
    match = draw_match({10: "R", 31: "k"})
    after = execute_move(match, 10, 11)
    assert (after.board[10], after.board[11]) == (None, match.board[10])
    assert after.current_turn == "black"
    assert after.status == "in-progress"
    assert after.red_captured == ()


@pytest.mark.parametrize("turn", ["red", "black"])
def test_execute_capture_kills_and_collects(turn: str, draw_match: Draw) -> None:
    own, foe = ("R", "p") if turn == "red" else ("r", "P")
    match = draw_match({10: own, 11: foe, 31: "k", 30: "K"}, turn)
    after = execute_capture(match, 10, 11)
    taken = replace(match.board[11], is_dead=True)
    mine = after.red_captured if turn == "red" else after.black_captured
    other = after.black_captured if turn == "red" else after.red_captured
    assert (mine, other) == ((taken,), ())
    assert (after.board[10], after.board[11]) == (None, match.board[10])
    assert after.current_turn == ("black" if turn == "red" else "red")
    assert after.status == "in-progress"


def test_execute_capture_by_a_cannon_leaves_the_screen(draw_match: Draw) -> None:
    match = draw_match({0: "C", 3: "?P", 6: "k", 31: "p"})
    after = execute_capture(match, 0, 6)
    assert (after.board[0], after.board[3], after.board[6]) == (
        None,
        match.board[3],
        match.board[0],
    )


def test_execute_capture_of_the_last_piece_ends_with_the_capturer_to_move(
    draw_match: Draw, whole_set: Whole
) -> None:
    black = whole_set("black")
    match = draw_match({10: "R", 11: "p", 0: "?K"}, red_captured=black[:-1])
    after = execute_capture(match, 10, 11)
    assert len(after.red_captured) == 16
    assert (after.status, after.winner, after.current_turn) == ("ended", "red", "red")
    assert check_win_condition(after) == WinResult(True, Color.RED, "capture-all")
    assert get_legal_moves(after) == LegalMoveSet((), (), ())


@pytest.mark.parametrize("act", ["move", "flip", "capture"])
def test_stalemate_ends_the_match_with_the_blocked_side_to_move(act: str, draw_match: Draw) -> None:
    if act == "move":
        after = execute_move(draw_match({0: "p", 2: "R", 8: "H"}), 2, 1)
    elif act == "capture":
        after = execute_capture(draw_match({0: "p", 1: "h", 2: "R", 8: "H"}), 2, 1)
    else:
        after = execute_flip(draw_match({0: "p", 1: "?R", 8: "H"}), 1)
    assert (after.status, after.winner, after.current_turn) == ("ended", "red", "black")
    assert check_win_condition(after) == WinResult(True, Color.RED, "stalemate")


@pytest.mark.parametrize(
    ("execute", "arguments", "error"),
    [
        (execute_flip, (0,), "Piece already revealed"),
        (execute_flip, (True,), "Invalid piece index"),
        (execute_move, (0, 1), "Destination not empty"),
        (execute_move, (0, None), "Invalid indices"),
        (execute_capture, (0, 8), "No piece at index"),
        (execute_capture, (0, 1), "Invalid capture: rank too low"),
        (execute_capture, ("0", 1), "Invalid indices"),
    ],
)
def test_executing_an_illegal_action_raises_with_the_validators_text(
    execute: Callable[..., Match], arguments: tuple[object, ...], error: str, draw_match: Draw
) -> None:
    match = draw_match({0: "P", 1: "g"})
    before = copy.deepcopy(match)
    with pytest.raises(parlour.IllegalAction) as caught:
        execute(match, *arguments)
    assert str(caught.value) == error
    assert match == before


def test_acting_after_the_end_is_illegal(draw_match: Draw) -> None:
    match = draw_match({0: "R", 1: "p", 8: "?k"}, status="ended", winner="red")
    for execute, arguments, error in (
        (execute_flip, (8,), "Match already ended"),
        (execute_move, (0, 8), "Match not in progress"),
        (execute_capture, (0, 1), "Match not in progress"),
    ):
        with pytest.raises(parlour.IllegalAction, match=error):
            execute(match, *arguments)


def test_no_function_changes_its_match(draw_match: Draw) -> None:
    match = draw_match({0: "R", 1: "p", 8: "?k", 31: "g", 20: "H"})
    before = match.to_dict()
    execute_flip(match, 8)
    execute_move(match, 20, 21)
    execute_capture(match, 0, 1)
    validate_flip(match, 8)
    validate_move(match, 20, 21)
    validate_capture(match, 0, 1)
    get_legal_moves(match)
    check_win_condition(match)
    assert match.to_dict() == before
    with pytest.raises(FrozenInstanceError):
        match.winner = Color.RED


# check_win_condition


def test_win_an_unfinished_match_has_no_winner(draw_match: Draw) -> None:
    assert check_win_condition(create_match(1)) == WinResult(False, None, None)
    assert check_win_condition(draw_match({0: "R", 31: "k"})) == WinResult(False, None, None)


@pytest.mark.parametrize("winner", ["red", "black", None])
def test_win_an_ended_match_stays_ended_with_its_winner(
    winner: str | None, draw_match: Draw
) -> None:
    """A match may end for other reasons, such as a resignation; those have no name here."""
    match = draw_match({0: "R", 31: "k"}, status="ended", winner=winner)
    assert check_win_condition(match) == WinResult(True, winner, None)
    unstarted = replace(create_match(1), status="ended", winner=winner)
    assert check_win_condition(unstarted) == WinResult(True, winner, None)


@pytest.mark.parametrize("color", ["red", "black"])
def test_win_by_capturing_all_16(color: str, draw_match: Draw, whole_set: Whole) -> None:
    lost = Color(color).opponent
    captured = {f"{color}_captured": whole_set(lost)}
    sign = "R" if color == "red" else "r"
    hidden = "?K" if color == "red" else "?k"
    match = draw_match({0: sign, 5: hidden}, lost.value, **captured)
    assert check_win_condition(match) == WinResult(True, Color(color), "capture-all")


def test_win_capture_all_is_checked_before_stalemate(draw_match: Draw, whole_set: Whole) -> None:
    match = draw_match({}, "red", red_captured=whole_set("black"))
    assert check_win_condition(match) == WinResult(True, Color.RED, "capture-all")
    without_turn = replace(match, current_turn=None, status="ended", winner="red")
    assert check_win_condition(without_turn) == WinResult(True, Color.RED, "capture-all")


@pytest.mark.parametrize("turn", ["red", "black"])
def test_win_stalemate_the_side_without_an_action_loses(turn: str, draw_match: Draw) -> None:
    match = draw_match({} if turn == "red" else {5: "R"}, turn)
    assert check_win_condition(match) == WinResult(
        True,
        Color(turn).opponent,
        "stalemate",
    )


def test_win_a_flip_prevents_stalemate(draw_match: Draw) -> None:
    match = draw_match({0: "p", 1: "R", 8: "H", 31: "?k"}, "black")
    assert check_win_condition(match) == WinResult(False, None, None)


# get_legal_moves


def test_legal_moves_before_the_first_flip_are_all_32_flips() -> None:
    assert get_legal_moves(create_match(1)) == LegalMoveSet(tuple(range(32)), (), ())


def test_legal_moves_lists_flips_moves_and_captures(draw_match: Draw) -> None:
    match = draw_match({0: "R", 1: "p", 9: "?k", 31: "g"})
    assert get_legal_moves(match) == LegalMoveSet(
        flips=(9,), moves=(MoveAction(0, 8),), captures=(CaptureAction(0, 1),)
    )


@pytest.mark.parametrize("seed", range(6))
def test_legal_moves_are_exactly_what_the_validators_accept(seed: int) -> None:
    rng = parlour.Rng(seed)
    match = create_match(seed, first_flip_passes=seed % 2 == 1)
    for _ in range(60):
        legal = get_legal_moves(match)
        for validate, listed in (
            (validate_move, {(m.from_index, m.to_index) for m in legal.moves}),
            (validate_capture, {(c.from_index, c.to_index) for c in legal.captures}),
        ):
            sources = [i for i, piece in enumerate(match.board) if piece] or [0]
            tried = {(sources[rng.below(len(sources))], rng.below(32)) for _ in range(40)}
            for pair in tried | listed:
                assert validate(match, *pair).is_valid == (pair in listed)
        flips = {index for index in range(32) if validate_flip(match, index).is_valid}
        assert flips == set(legal.flips)
        total = len(legal.flips) + len(legal.moves) + len(legal.captures)
        assert (total == 0) == (match.status == "ended")
        if total == 0:
            break
        match = perform(match, legal, rng.below(total))


def perform(match: Match, legal: LegalMoveSet, choice: int) -> Match:
    if choice < len(legal.flips):
        return execute_flip(match, legal.flips[choice])
    choice -= len(legal.flips)
    if choice < len(legal.moves):
        move = legal.moves[choice]
        return execute_move(match, move.from_index, move.to_index)
    capture = legal.captures[choice - len(legal.moves)]
    return execute_capture(match, capture.from_index, capture.to_index)


@pytest.mark.parametrize("seed", range(12))
def test_a_whole_match_keeps_its_pieces_and_stays_consistent(seed: int) -> None:
    rng = parlour.Rng(seed)
    match = create_match(seed)
    for _ in range(400):
        assert pickle.loads(pickle.dumps(match)) == match
        assert check_win_condition(match).has_ended == (match.status == "ended")
        on_board = sum(piece is not None for piece in match.board)
        assert on_board + len(match.red_captured) + len(match.black_captured) == 32
        legal = get_legal_moves(match)
        if match.status == "ended":
            assert match.winner == check_win_condition(match).winner
            break
        match = perform(
            match, legal, rng.below(len(legal.flips) + len(legal.moves) + len(legal.captures))
        )


def test_the_specifications_functions_have_no_draws(draw_match: Draw) -> None:
    match = draw_match({0: "R", 31: "k"})
    for _ in range(50):
        for source, target in ((0, 1), (31, 30), (1, 0), (30, 31)):
            match = execute_move(match, source, target)
    assert match.status == "in-progress"


# Bridges to the playable game


@pytest.mark.parametrize("seed", range(4))
def test_a_match_continues_as_a_playable_game_and_back(seed: int) -> None:
    rng = parlour.Rng(seed)
    match = create_match(seed, first_flip_passes=seed % 2 == 1)
    for _ in range(300):
        state = public_state(match)
        again = match_from_state(state, seed)
        assert public_state(again) == state
        assert (again.status, again.current_turn, again.winner) == (
            match.status,
            match.current_turn,
            match.winner,
        )
        assert again.first_flip_passes is match.first_flip_passes
        for mine, theirs in (
            (again.red_captured, match.red_captured),
            (again.black_captured, match.black_captured),
        ):
            assert sorted(piece.kind for piece in mine) == sorted(piece.kind for piece in theirs)
        assert get_legal_moves(again) == get_legal_moves(match)
        if match.status == "ended":
            break
        match = execute_action(match, state.sample(rng))


def test_the_seed_deals_the_face_down_pieces() -> None:
    state = parlour.game("banqi").start()
    assert match_from_state(state, 1) == match_from_state(state, 1)
    assert match_from_state(state, 1) != match_from_state(state, 2)
    assert match_from_state(state, 1).status == "waiting-first-flip"
    with pytest.raises(ValueError, match="between two actions"):
        match_from_state(state.apply(0), 1)
    with pytest.raises(ValueError, match="state of Banqi"):
        match_from_state(parlour.game("octa").start(), 1)


def test_a_drawn_game_is_still_in_progress_for_the_specification() -> None:
    game = parlour.game("banqi", quiet_limit=1)
    lines = ["turn: red, seat 0", "quiet: 1", "over: draw by quiet-limit", "face-down: -"]
    rows = ["R.......", "........", "........", ".......k"]
    state = game.state_from_text("\n".join(lines + rows))
    assert state.result().returns == (0.0, 0.0)
    assert match_from_state(state, 0).status == "in-progress"


def test_an_agents_choice_is_executed_in_a_match(draw_match: Draw) -> None:
    match = draw_match({0: "R", 1: "p", 8: "?k", 31: "g"})
    assert execute_action(match, 8) == execute_flip(match, 8)
    assert execute_action(match, 32 + 32 * 0 + 1) == execute_capture(match, 0, 1)
    chosen = parlour.agent("greedy").choose(public_state(match))
    assert execute_action(match, chosen) == execute_capture(match, 0, 1)
    with pytest.raises(parlour.IllegalAction, match="Piece already revealed"):
        execute_action(match, 0)
    for action in (-1, 32 + 32 * 32, True, 1.0, "a2", None):
        with pytest.raises(parlour.IllegalAction, match="an action must be 0 to 1055, not"):
            execute_action(match, action)


def test_integers_of_numpy_are_accepted(draw_match: Draw) -> None:
    match = draw_match({3: "R", 4: "p", 11: "?k"})
    three = numpy.int64(3)
    assert validate_move(match, three, numpy.int8(2)) == VALID
    assert execute_move(match, three, 2) == execute_move(match, 3, 2)
    assert create_match(three) == create_match(3)
    assert execute_action(match, numpy.int64(11)) == execute_flip(match, 11)
