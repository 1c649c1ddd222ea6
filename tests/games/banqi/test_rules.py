"""The rules by their numbers in `rules.py`."""

from collections.abc import Callable

import pytest

import parlour
from parlour.games.banqi import BanqiGame, BanqiState

Draw = Callable[..., BanqiState]

ORDER = "KGMRHP"
TAKES = {
    "K": "KGMRHC",
    "G": "GMRHCP",
    "M": "MRHCP",
    "R": "RHCP",
    "H": "HCP",
    "P": "PK",
}


def texts(state: BanqiState) -> set[str]:
    return {state.game.action_to_text(state, action) for action in state.legal_actions()}


def play(state: BanqiState, *actions: str) -> BanqiState:
    for text in actions:
        state = state.play(state.game.action_from_text(state, text))
    return state


def test_rule_1_the_start_is_32_face_down_pieces_of_a_full_set() -> None:
    state = BanqiGame().start()
    assert state.squares() == [-2] * 32
    assert state.hidden() == [1, 2, 2, 2, 2, 2, 5] * 2
    assert state.actor == 0
    assert list(state.legal_actions()) == list(range(32))


def test_rule_1_every_seed_has_the_same_start() -> None:
    assert BanqiGame().start(1) == BanqiGame().start(2)


def test_rule_2_any_face_down_piece_can_be_flipped_by_either_colour(draw_state: Draw) -> None:
    for turn in ("red", "black"):
        state = draw_state("K??.....", "k...?...", turn=turn, down="Ppp")
        assert {"b1", "c1", "e2"} <= texts(state)


def test_rule_2_a_flip_is_followed_by_chance_with_odds_by_number() -> None:
    state = BanqiGame().start().apply(9)
    assert state.actor == parlour.CHANCE
    assert state.chance_outcomes() == [
        (piece, number / 32) for piece, number in enumerate([1, 2, 2, 2, 2, 2, 5] * 2)
    ]


def test_rule_2_revealed_pieces_are_no_longer_outcomes() -> None:
    state = play(BanqiGame().start(), "a1", "=K", "a2")
    assert 0 not in state.legal_actions()
    assert dict(state.chance_outcomes())[7] == 1 / 31


@pytest.mark.parametrize(("shown", "turn"), [("=K", 0), ("=p", 1)])
def test_rule_3_the_first_flipper_owns_the_colour_and_acts_again(shown: str, turn: int) -> None:
    state = play(BanqiGame().start(), "a1", shown)
    assert (state.actor, state.turn, state.seat_0) == (0, turn, turn)


@pytest.mark.parametrize("shown", ["=K", "=p"])
def test_rule_3_with_first_flip_passes_the_other_player_moves(shown: str) -> None:
    state = play(BanqiGame(first_flip_passes=True).start(), "a1", shown)
    assert state.actor == 1
    assert state.turn != state.seat_0


def test_rule_3_every_later_flip_passes_the_turn() -> None:
    state = play(BanqiGame().start(), "a1", "=K", "b1", "=p")
    assert state.actor == 1
    assert play(state, "c1", "=P").actor == 0


def test_rule_4_a_piece_moves_one_step_to_an_empty_square(draw_state: Draw) -> None:
    state = draw_state("........", "..R.....", ".......k")
    assert texts(state) == {"c2-c1", "c2-b2", "c2-d2", "c2-c3"}


def test_rule_4_nothing_wraps_around_the_edges(draw_state: Draw) -> None:
    state = draw_state("R......H", "........", "....k...", "G......M")
    assert texts(state) == {
        "a1-b1", "a1-a2", "h1-g1", "h1-h2", "a4-a3", "a4-b4", "h4-g4", "h4-h3",
    }  # fmt: skip


def test_rule_4_a_move_changes_nothing_else(draw_state: Draw) -> None:
    state = play(draw_state("R.......", ".......k"), "a1-b1")
    assert state.game.state_to_text(state).splitlines()[-4:-2] == [
        ". R . . . . . .",
        ". . . . . . . k",
    ]
    assert state.actor == 1


@pytest.mark.parametrize("attacker", ORDER)
@pytest.mark.parametrize("target", "KGMRHCP")
@pytest.mark.parametrize("is_red", [True, False])
def test_rule_5_captures_depend_on_rank(
    attacker: str, target: str, is_red: bool, draw_state: Draw
) -> None:
    own, foe = (attacker, target.lower()) if is_red else (attacker.lower(), target)
    state = draw_state("........", f"..{own}{foe}....", turn="red" if is_red else "black")
    assert ("c2xd2" in texts(state)) == (target in TAKES[attacker])


@pytest.mark.parametrize("to", ["b2xb1", "b2xa2", "b2xc2", "b2xb3"])
def test_rule_5_captures_go_up_down_left_and_right(to: str, draw_state: Draw) -> None:
    state = draw_state(".p......", "pRp.....", ".p......")
    assert to in texts(state)


def test_rule_5_nothing_is_captured_across_an_edge_or_a_corner(draw_state: Draw) -> None:
    assert not any("x" in text for text in texts(draw_state(".......R", "p.....p.")))


def test_rule_5_own_and_face_down_pieces_cannot_be_captured(draw_state: Draw) -> None:
    state = draw_state("RP?.....", "?......k", down="pp")
    assert texts(state) == {"b1-b2", "c1", "a2"}


def test_rule_5_the_attacker_moves_to_the_square_of_the_captured_piece(draw_state: Draw) -> None:
    state = play(draw_state("Rp.....k"), "a1xb1")
    assert (state.piece(0), state.piece(1), state.quiet) == (-1, 3, 0)


@pytest.mark.parametrize("screen", ["P", "p", "?"])
@pytest.mark.parametrize("target", "kgmrhcp")
def test_rule_6_a_cannon_jumps_over_any_piece_and_captures_any_rank(
    screen: str, target: str, draw_state: Draw
) -> None:
    row = f"C.{screen}..{target}.."
    state = draw_state(row, down="P" if screen == "?" else "-")
    assert "a1xf1" in texts(state)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("Ck......", "a Cannon cannot capture the piece next to it"),
        ("C.k.....", "a Cannon captures by jumping over exactly one piece"),
        ("CPPk....", "a Cannon captures by jumping over exactly one piece"),
        ("CP?k....", "a Cannon captures by jumping over exactly one piece"),
        ("CPpk....", "a Cannon captures by jumping over exactly one piece"),
    ],
)
def test_rule_6_a_cannon_needs_exactly_one_screen(row: str, why: str, draw_state: Draw) -> None:
    state = draw_state(row, ".......K", down="P" if "?" in row else "-")
    target = row.index("k")
    assert f"a1x{'abcdefgh'[target]}1" not in texts(state)
    assert state.refusal(32 + target) == why


def test_rule_6_a_cannon_captures_along_its_column_too(draw_state: Draw) -> None:
    state = draw_state("C.......", "p.......", "........", "k.......")
    assert "a1xa4" in texts(state)
    assert "a1xa2" not in texts(state)


def test_rule_6_a_cannon_hits_in_four_directions_at_once(draw_state: Draw) -> None:
    state = draw_state("..k.....", "rPCPm...", "..P.....", "..g.....")
    assert {"c2xa2", "c2xe2", "c2xc4"} <= texts(state)
    assert "c2xc1" not in texts(state)


def test_rule_6_two_cannons_each_have_their_own_targets(draw_state: Draw) -> None:
    state = draw_state("Cp.r....", "Cp.m....")
    assert {"a1xd1", "a2xd2"} <= texts(state)


def test_rule_6_a_cannon_moves_one_step_like_the_others(draw_state: Draw) -> None:
    assert texts(draw_state("C.......", ".......k")) == {"a1-b1", "a1-a2"}


def test_rule_7_a_colour_without_pieces_has_lost_at_once(draw_state: Draw) -> None:
    state = play(draw_state("Rp??....", down="PP"), "a1xb1")
    assert state.actor == parlour.OVER
    assert state.result() == parlour.Result((1.0, -1.0), None, "capture-all")
    assert state.turn == 0


def test_rule_7_face_down_pieces_keep_a_colour_in_the_game(draw_state: Draw) -> None:
    state = play(draw_state("Rp??....", down="Pp"), "a1xb1")
    assert (state.result(), state.actor) == (None, 1)


def test_rule_8_a_colour_that_cannot_act_has_lost(draw_state: Draw) -> None:
    # The black pawn in the corner is blocked by pieces that it cannot capture.
    state = play(draw_state("p.R.....", "H......."), "c1-b1")
    assert state.actor == parlour.OVER
    assert state.result() == parlour.Result((1.0, -1.0), None, "stalemate")
    assert state.turn == 1


def test_rule_8_a_flip_saves_from_stalemate(draw_state: Draw) -> None:
    state = play(draw_state("p.R.....", "H......?", down="P"), "c1-b1")
    assert state.actor == 1
    assert texts(state) == {"h2"}


def test_rule_8_seat_1_wins_when_it_has_the_better_colour(draw_state: Draw) -> None:
    state = play(draw_state("p.R.....", "H.......", seat=1), "c1-b1")
    assert state.result() == parlour.Result((-1.0, 1.0), None, "stalemate")


def test_rule_9_the_quiet_limit_is_a_draw(draw_state: Draw) -> None:
    state = draw_state("R......k", quiet=59)
    after = play(state, "a1-b1")
    assert after.result() == parlour.Result((0.0, 0.0), None, "quiet-limit")


def test_rule_9_a_flip_and_a_capture_start_the_count_again(draw_state: Draw) -> None:
    state = draw_state("Rp.?...k", quiet=59, down="P")
    assert play(state, "a1xb1").quiet == 0
    assert play(state, "d1").quiet == 0
    assert play(state, "d1", "=P").quiet == 0
    assert play(state, "a1-a2").quiet == 60


REPEATED = ("a1-b1", "h1-g1", "b1-a1", "g1-h1") * 2


def test_rule_10_the_third_occurrence_is_a_draw_in_olympiad(draw_state: Draw) -> None:
    state = draw_state("R......k", rules="olympiad")
    before = play(state, *REPEATED[:-1])
    assert before.result() is None
    after = play(before, REPEATED[-1])
    assert after.result() == parlour.Result((0.0, 0.0), None, "repetition")


def test_rule_10_the_second_occurrence_is_not_a_draw(draw_state: Draw) -> None:
    state = draw_state("R......k", rules="olympiad")
    again = play(state, *REPEATED[:4])
    assert (again.squares(), again.turn) == (state.squares(), state.turn)
    assert again.result() is None


def test_rule_10_the_occurrences_need_not_be_consecutive(draw_state: Draw) -> None:
    state = draw_state("R......k", rules="olympiad")
    state = play(state, *REPEATED[:4], "a1-a2", "h1-h2", "a2-a1", "h2-h1")
    assert state.result() == parlour.Result((0.0, 0.0), None, "repetition")


def test_rule_10_a_capture_resets_the_history(draw_state: Draw) -> None:
    state = draw_state("R......k", ".p......", rules="olympiad")
    state = play(state, *REPEATED[:6], "b1xb2")
    assert state.quiet_actions() == ()


@pytest.mark.parametrize("rules", ["house", "taiwan"])
def test_rule_10_repetition_is_not_a_draw_in_other_presets(rules: str, draw_state: Draw) -> None:
    state = play(draw_state("R......k", rules=rules), *REPEATED, *REPEATED)
    assert state.result() is None


def test_rule_11_a_win_takes_precedence_over_the_quiet_limit(draw_state: Draw) -> None:
    state = play(draw_state("p.R.....", "H.......", quiet=59), "c1-b1")
    assert state.quiet == 60
    assert state.result() == parlour.Result((1.0, -1.0), None, "stalemate")


def test_rule_11_a_win_by_the_last_capture_takes_precedence_over_a_draw(draw_state: Draw) -> None:
    state = play(draw_state("Rp......", quiet=59), "a1xb1")
    assert state.result() == parlour.Result((1.0, -1.0), None, "capture-all")


def test_action_ids_of_flips_and_moves(draw_state: Draw) -> None:
    state = draw_state("R?......", ".......k", down="P")
    assert list(state.legal_actions()) == [1, 32 + 0 * 32 + 8]


def test_action_ids_of_revealed_pieces() -> None:
    game = BanqiGame()
    state = game.start().apply(0)
    shown = [game.action_to_text(state, outcome) for outcome in state.legal_actions()]
    assert shown == [f"={sign}" for sign in "KGMRHCPkgmrhcp"]


def test_a_state_never_changes(draw_state: Draw) -> None:
    state = draw_state("Rp.?...k", down="P")
    before = state.game.state_to_text(state)
    for action in state.legal_actions():
        state.apply(action)
    assert state.game.state_to_text(state) == before
