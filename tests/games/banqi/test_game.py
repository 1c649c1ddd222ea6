"""The playable game: options, presets, bounds, scenes, and the conformance suite."""

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.games.banqi import BanqiGame, BanqiState
from parlour.games.banqi.pieces import PLAYER_TEXTS
from parlour.testing import check_game

Draw = Callable[..., BanqiState]

PRESETS = ("house", "taiwan", "olympiad")


def test_conformance_with_short_limits() -> None:
    check_game(BanqiGame(quiet_limit=1, repetition=True), seeds=(1, 2), states=20)


@pytest.mark.parametrize(
    ("rules", "passes", "limit", "repetition"),
    [("house", False, 60, False), ("taiwan", True, 50, False), ("olympiad", True, 180, True)],
)
def test_presets_fill_options_left_on_auto(
    rules: str, passes: bool, limit: int, repetition: bool
) -> None:
    options = dict(parlour.game("banqi", rules=rules).options)
    assert options == {
        "rules": rules,
        "first_flip_passes": passes,
        "quiet_limit": limit,
        "repetition": repetition,
    }


def test_a_given_option_overrides_the_preset() -> None:
    game = BanqiGame(rules="olympiad", first_flip_passes=False, quiet_limit=20, repetition=False)
    assert (game.first_flip_passes, game.quiet_limit, game.repetition) == (False, 20, False)


def test_house_is_the_default() -> None:
    assert parlour.game("banqi") == BanqiGame(rules="house")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"rules": "club"}, "rules must be one of house, taiwan, olympiad, not 'club'"),
        ({"quiet_limit": 0}, "quiet_limit must be an int from 1 to 1000"),
        ({"quiet_limit": True}, "quiet_limit must be an int"),
        ({"first_flip_passes": 1}, "first_flip_passes must be true or false, or auto"),
        ({"repetition": "yes"}, "repetition must be true or false, or auto"),
        ({"rule": "house"}, "did you mean 'rules'"),
    ],
)
def test_a_wrong_option_error_lists_the_valid_ones(
    options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(parlour.OptionError, match=complaint):
        parlour.game("banqi", **options)


def test_description() -> None:
    game = BanqiGame()
    assert (game.seats, game.num_actions, game.has_chance) == (2, 1056, True)


@pytest.mark.parametrize("limit", [1, 2, 60])
def test_max_plies_bounds_every_game(limit: int) -> None:
    game = BanqiGame(quiet_limit=limit)
    assert game.max_plies == 63 * limit + 1
    assert parlour.playouts(game.start(), 50).games == 50


def test_random_games_have_the_known_length() -> None:
    done = parlour.playouts(BanqiGame().start(), 300, seed=5)
    assert 230 < done.plies / done.games < 290
    assert sum(done.returns) == 0


def test_playouts_are_the_same_in_every_build() -> None:
    start = BanqiGame(rules="taiwan").start()
    assert parlour.playouts(start, 40, seed=1) == parlour.Playouts(40, 10125, (-2.0, 2.0))


@pytest.mark.parametrize("rules", PRESETS)
def test_a_game_and_its_states_are_picklable(rules: str) -> None:
    game = BanqiGame(rules=rules)
    state: parlour.State = game.start()
    rng = parlour.Rng(1)
    for _ in range(80):
        state = state.apply(state.sample(rng))
    assert pickle.loads(pickle.dumps(game)) == game
    assert pickle.loads(pickle.dumps(state)) == state


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.integers(0, 250))
def test_legal_actions_are_those_without_a_refusal(seed: int, plies: int) -> None:
    rng = parlour.Rng(seed)
    state: parlour.State = BanqiGame().start()
    for _ in range(plies):
        if state.actor == parlour.OVER:
            break
        state = state.apply(state.sample(rng))
    if state.actor >= 0:
        free = [action for action in range(1056) if state.refusal(action) is None]
        assert free == list(state.legal_actions())


@pytest.mark.parametrize("plies", [0, 30, 90, 150])
def test_sample_draws_every_legal_action_about_equally(plies: int) -> None:
    rng = parlour.Rng(plies)
    state: parlour.State = BanqiGame().start()
    for _ in range(plies):
        state = state.apply(state.sample(rng))
    if state.actor == parlour.CHANCE:
        state = state.apply(state.sample(rng))
    legal = list(state.legal_actions())
    each = 300
    drawn = [state.sample(rng) for _ in range(each * len(legal))]
    assert set(drawn) == set(legal)
    assert all(0.7 * each < drawn.count(action) < 1.3 * each for action in legal)


def test_sample_draws_the_hits_of_both_cannons(draw_state: Draw) -> None:
    state = draw_state("Cp.r....", "Cp.m....", "?.......", down="P")
    rng = parlour.Rng(0)
    assert {state.sample(rng) for _ in range(400)} == set(state.legal_actions())


def test_sample_draws_chance_outcomes_by_their_odds() -> None:
    state = BanqiGame().start().apply(0)
    rng = parlour.Rng(0)
    drawn = [state.sample(rng) for _ in range(6400)]
    for outcome, odds in state.chance_outcomes():
        assert abs(drawn.count(outcome) - 6400 * odds) < 6400 * odds * 0.35


def test_scene_shows_only_face_up_pieces(draw_state: Draw) -> None:
    state = draw_state("R?.....k", down="P", seat=1)
    scene = state.scene(None)
    assert [cell.glyph for cell in scene.cells[:3]] == ["R", "?", "·"]
    assert [cell.label for cell in scene.cells[:3]] == ["red Rook", "face-down", "empty"]
    assert [cell.owner for cell in scene.cells[:3]] == [1, -1, -1]
    assert scene.cells[7].owner == 0
    assert scene.cells[1].marks == ("face-down",)
    assert scene.board.col_names == tuple("abcdefgh")
    assert scene.board.row_names == ("1", "2", "3", "4")


def test_scene_shows_what_each_seat_has_captured(draw_state: Draw) -> None:
    state = draw_state("KGGMMRRH", "HCCPPPP.", "kggmmrrh", "hccpppp.")
    scene = state.scene(None)
    seats = scene.seats
    assert scene.names == ("player 1, red", "player 2, black")
    assert [seat.tray for seat in seats] == [("p",), ("P",)]
    assert [seat.score for seat in seats] == ["1 captured", "1 captured"]


def test_scene_gives_the_seat_to_act_and_the_reason_for_the_end(draw_state: Draw) -> None:
    start = BanqiGame().start()
    assert start.scene(None).status == "Player 1: flip a piece; its colour will be yours."
    assert start.apply(10).scene(None).status == "The piece on c2 is being flipped."
    state = draw_state("Rp.....?", down="P", quiet=2)
    assert state.scene(0).status == (
        "Player 1 (red) to move; 1 face-down; 2 of 60 quiet turns until a draw."
    )
    over = state.play(state.game.action_from_text(state, "a1xb1"))
    assert over.scene(1).status == ("Player 1 (red) wins: every enemy piece is captured.")
    drawn = draw_state("R......k", quiet=60, more=("over: draw by quiet-limit",))
    assert drawn.scene(0).status == (
        "The game is a draw: too many turns without a flip or capture."
    )


def test_scene_offers_actions_only_to_the_seat_to_act(draw_state: Draw) -> None:
    state = draw_state("R......k", seat=1)
    assert state.scene(0).actions == ()
    assert [(view.text, view.cells) for view in state.scene(1).actions] == [
        ("a1-b1", (0, 1)),
        ("a1-a2", (0, 8)),
    ]


def test_refusals_use_words_for_players(draw_state: Draw) -> None:
    state = draw_state("Kp?.....", "..k.....", down="P")
    with pytest.raises(parlour.IllegalAction, match=r"^a King cannot capture a Pawn$"):
        state.play(state.game.action_from_text(state, "a1xb1"))
    assert state.refusal(0) == "that piece is already face-up"
    assert state.refusal(9) == "there is no piece there"
    assert state.refusal(1056) == "an action is an id from 0 to 1055, not 1056"


def test_every_refusal_is_a_text_for_players() -> None:
    texts = set(PLAYER_TEXTS.values())
    rng = parlour.Rng(5)
    state = BanqiGame().start()
    found = set()
    while not state.is_over:
        if state.actor != parlour.CHANCE:
            refusals = {state.refusal(action) for action in range(state.game.num_actions)}
            found |= refusals - {None}
        state = state.apply(state.sample(rng))
    assert found <= texts
    assert len(found) >= 10
