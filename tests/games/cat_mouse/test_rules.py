"""The numbered rules of Cat and Mouse, tested on the engine's state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour import OVER, IllegalAction, InvalidState, Rng, StateTextError
from parlour.games.cat_mouse.layout import CELLS, SIDE

GAME = parlour.game("cat_mouse")
UP, DOWN, LEFT, RIGHT = range(4)


def position(*rows, head="step 0, playing", game=GAME):
    """Return a grid with these rows at the top left and no other obstacles."""
    grid = [row.ljust(SIDE, ".") for row in rows]
    grid += ["." * SIDE] * (SIDE - len(grid))
    return game.state_from_text("\n".join([head, *grid]))


def where(state):
    return divmod(state.cat, SIDE), divmod(state.mouse, SIDE)


def test_rule_1_the_grid_has_25_by_25_cells():
    assert (SIDE, CELLS) == (25, 625)
    assert len(GAME.start(1).layout.walls) == 625


def test_rule_1_an_animal_never_stands_on_an_obstacle():
    walls = bytes([1]) + bytes(CELLS - 1)
    with pytest.raises(InvalidState, match="the cat must not stand on an obstacle"):
        GAME.position(walls, 0, 5, 0, 0)
    with pytest.raises(InvalidState, match="the mouse must not stand on an obstacle"):
        GAME.position(walls, 5, 0, 0, 0)


def test_rule_2_a_turn_is_a_step_of_the_cat_and_then_one_of_the_mouse():
    state = position("....", ".C..", "....", "...M").play(RIGHT)
    assert where(state) == ((1, 2), (4, 3))


def test_rule_3_the_cat_cannot_step_onto_an_obstacle_or_off_the_grid():
    state = position("C#", ".M", head="step 0, playing")
    assert list(state.legal_actions()) == [DOWN]
    assert state.refusal(RIGHT) == "the cat cannot go right: an obstacle is in the way"
    assert state.refusal(UP) == "the cat cannot go up: that is the edge of the grid"
    assert state.refusal(LEFT) == "the cat cannot go left: that is the edge of the grid"
    with pytest.raises(IllegalAction, match="an obstacle is in the way"):
        state.play(RIGHT)


def test_rule_4_the_cat_wins_by_stepping_onto_the_mouse():
    state = position("CM").play(RIGHT)
    assert state.actor == OVER
    assert state.result() == ((1.0,), None, "caught")
    assert where(state) == ((0, 1), (0, 1))


def test_rule_5_the_cat_wins_when_the_mouse_cannot_step():
    state = position("M.C", "##.").play(LEFT)
    assert state.result() == ((1.0,), None, "trapped")
    assert where(state) == ((0, 1), (0, 0))


def test_rule_6_a_mouse_trapped_before_the_cat_moves_stays_trapped():
    freeing = position("MC.", "##.").play(RIGHT)
    assert freeing.result() == ((1.0,), None, "trapped")
    assert where(freeing) == ((0, 2), (0, 0))
    walled = position("M#C", "##.").play(RIGHT)
    assert walled.result().reason == "trapped"


def test_rule_6_catching_takes_precedence_over_trapping():
    assert position("MC.", "##.").play(LEFT).result().reason == "caught"


def test_rule_7_the_mouse_flees_to_where_the_cat_is_farthest():
    state = position("C....", ".....", "..M..").play(RIGHT)
    assert where(state)[1] == (3, 2)


@pytest.mark.parametrize(
    ("rows", "direction", "mouse"),
    [
        # After the cat's step, every step away is equally far: up, down, left, right.
        (("......", "..M...", ".....C"), LEFT, (0, 2)),
        ((".....C", "......", "...M.."), LEFT, (3, 3)),
        (("......", "...M..", "......", "...C.."), UP, (0, 3)),
        (("...C", "....", "...M"), UP, None),
    ],
)
def test_rule_7_ties_are_broken_up_down_left_right(rows, direction, mouse):
    state = position(*rows)
    if mouse is None:
        assert state.refusal(direction)
    else:
        assert where(state.play(direction))[1] == mouse


def reference_reply(walls, cat, mouse):
    """Apply rule 7, implemented independently."""
    options = []
    for order, (down, right) in enumerate([(-1, 0), (1, 0), (0, -1), (0, 1)]):
        row, col = mouse // SIDE + down, mouse % SIDE + right
        if 0 <= row < SIDE and 0 <= col < SIDE:
            cell = row * SIDE + col
            if not walls[cell] and cell != cat:
                distance = abs(row - cat // SIDE) + abs(col - cat % SIDE)
                options.append((-distance, order, cell))
    return min(options)[2] if options else -1


@given(st.integers(), st.floats(0.1, 0.4), st.integers(0, 80))
def test_random_games_match_an_independent_implementation(seed, density, plies):
    game = parlour.game("cat_mouse", density=density)
    state, rng = game.start(seed), Rng(seed)
    walls = state.layout.walls
    for _ in range(plies):
        action = state.sample(rng)
        step = (-SIDE, SIDE, -1, 1)[action]
        after = state.play(action)
        assert after.cat == state.cat + step
        if after.cat == state.mouse:
            assert after.result().reason == "caught"
            break
        reply = reference_reply(walls, after.cat, state.mouse)
        if reply < 0:
            assert after.result().reason == "trapped"
            assert after.mouse == state.mouse
            break
        assert after.mouse == reply
        state = after


def test_rule_8_the_playable_game_is_lost_at_the_ply_cap():
    game = parlour.game("cat_mouse", ply_cap=2)
    state = position("C....", ".....", "..M..", game=game).play(RIGHT).play(LEFT)
    assert state.actor == OVER
    assert state.result() == ((-1.0,), None, "ply cap")
    assert list(state.legal_actions()) == []


def test_rule_8_a_catch_with_the_last_step_still_wins():
    game = parlour.game("cat_mouse", ply_cap=1)
    assert position("CM", game=game).play(RIGHT).result().returns == (1.0,)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((bytes(624), 0, 1, 0, 0), "there must be 625 cells"),
        ((bytes([2]) + bytes(624), 1, 2, 0, 0), "there must be 625 cells"),
        ((bytes(625), 625, 1, 0, 0), "the cat must stand on the grid"),
        ((bytes(625), 0, -1, 0, 0), "the mouse must stand on the grid"),
        ((bytes(625), 0, 1, 501, 0), "the cat's steps must be 0 to 500, not 501"),
        ((bytes(625), 7, 7, 0, 0), "share a cell if and only if the mouse is caught"),
        ((bytes(625), 7, 8, 0, 1), "share a cell if and only if the mouse is caught"),
        ((bytes(625), 7, 300, 4, 2), "the mouse can step, so it is not trapped"),
        ((bytes(625), 0, 1, 0, 9), "the outcome must be 0 to 2, not 9"),
    ],
)
def test_an_impossible_position_is_an_invalid_state(parts, message):
    with pytest.raises(InvalidState) as caught:
        GAME.position(*parts)
    assert message in str(caught.value)


def test_a_cat_that_cannot_move_is_an_invalid_state():
    with pytest.raises(InvalidState, match="the cat must be able to step"):
        position("C#M", "#..")


TEXT = GAME.state_to_text(position("C.M", head="step 3, playing"))


def test_position_texts_round_trip_exactly():
    assert GAME.state_to_text(GAME.state_from_text(TEXT)) == TEXT
    assert TEXT.splitlines()[:2] == ["step 3, playing", "C.M" + "." * 22]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1 must read like 'step 0, playing', not ''"),
        (TEXT.replace("step 3", "step x"), "line 1 must read like"),
        (TEXT.rsplit("\n", 1)[0], "the grid must have 25 lines, not 24"),
        (TEXT.replace("C.M.", "C.M"), "line 2 must have 25 cells, not 24"),
        (TEXT.replace("C.M", "C.m"), "line 2: 'm' is not a cell; use . # C M X"),
        (TEXT.replace("C.M", "..M"), "there must be one C and one M, or one X for both"),
        (TEXT.replace("C.M", "C.X"), "there must be one C and one M, or one X for both"),
    ],
)
def test_malformed_position_text_is_refused_with_its_line(text, message):
    with pytest.raises(StateTextError) as caught:
        GAME.state_from_text(text)
    assert message in str(caught.value)


def test_a_caught_mouse_is_written_as_x():
    caught = position("CM").play(RIGHT)
    assert GAME.state_to_text(caught).splitlines()[:2] == ["step 1, caught", ".X" + "." * 23]
    assert GAME.state_from_text(GAME.state_to_text(caught)) == caught
