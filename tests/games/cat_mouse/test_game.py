"""The playable game of Cat and Mouse: its options, texts and scenes."""

import pytest

import parlour
from parlour import ActionTextError, OptionError
from parlour.games.cat_mouse import create_game

GAME = parlour.game("cat_mouse")


def test_one_seat_four_actions_and_a_ply_cap():
    assert (GAME.seats, GAME.num_actions, GAME.max_plies) == (1, 4, 500)
    assert dict(GAME.options) == {"density": None, "ply_cap": 500}
    assert parlour.game("cat_mouse", ply_cap=7).max_plies == 7


@pytest.mark.parametrize("density", [None, 0.05, 0.3])
@pytest.mark.parametrize("seed", [0, 1, -1, 2**64 - 1, 2**70])
def test_the_start_of_a_seed_is_the_one_that_create_game_gives(seed, density):
    state = parlour.game("cat_mouse", density=density).start(seed)
    spec = create_game(seed, density) if density else create_game(seed)
    assert divmod(state.cat, 25) == spec.cat.position
    assert divmod(state.mouse, 25) == spec.mouse.position
    walls = {divmod(cell, 25) for cell in range(625) if state.layout.walls[cell]}
    assert walls == spec.grid.obstacles


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"density": 0}, "density must be a number between 0 and 1, or auto, not 0"),
        ({"density": 1}, "density must be a number between 0 and 1, or auto, not 1"),
        ({"density": "x"}, "density must be a number between 0 and 1, or auto, not 'x'"),
        ({"ply_cap": 0}, "ply_cap must be an int from 1 to 1000000, not 0"),
        ({"seed": 1}, "cat_mouse has no option 'seed'"),
    ],
)
def test_a_wrong_option_is_refused(options, message):
    with pytest.raises(OptionError) as caught:
        parlour.game("cat_mouse", **options)
    assert message in str(caught.value)


def test_the_texts_of_actions_are_up_down_left_right():
    state = GAME.start()
    assert [GAME.action_to_text(state, a) for a in range(4)] == ["up", "down", "left", "right"]
    assert [GAME.action_from_text(state, t) for t in ("up", " down ", "left", "right")] == [
        0,
        1,
        2,
        3,
    ]


@pytest.mark.parametrize("text", ["", "UP", "u", "north", "up down"])
def test_invalid_direction_text_is_refused_with_the_valid_ones(text):
    with pytest.raises(ActionTextError, match="use up, down, left, right"):
        GAME.action_from_text(GAME.start(), text)


def test_a_misspelt_direction_gets_a_suggestion():
    with pytest.raises(ActionTextError, match=r"did you mean 'right'\?"):
        GAME.action_from_text(GAME.start(), "rigth")


def test_a_scene_shows_the_animals_as_glyphs_and_labels():
    state = GAME.start(1)
    scene = state.scene(0)
    assert (scene.cells[state.cat].glyph, scene.cells[state.cat].label) == ("C", "the cat")
    assert (scene.cells[state.mouse].glyph, scene.cells[state.mouse].label) == ("M", "the mouse")
    wall = state.layout.walls.index(1)
    assert (scene.cells[wall].glyph, scene.cells[wall].marks) == ("█", ("wall",))
    assert scene.seats[0].score == "0 steps"
    for view in scene.actions:
        assert view.cells == (state.play(view.action).cat,)


def test_the_status_gives_the_reason_for_the_end():
    grid = ["." * 25] * 24
    near = GAME.state_from_text("\n".join(["step 6, playing", "CM" + "." * 23, *grid]))
    assert near.play(3).scene().status == "The cat caught the mouse in 7 steps."
    dead_end = ["M.C" + "." * 22, "##" + "." * 23, *grid[1:]]
    trap = GAME.state_from_text("\n".join(["step 0, playing", *dead_end]))
    assert trap.play(2).scene().status == "The cat trapped the mouse in 1 step."
    capped = parlour.game("cat_mouse", ply_cap=6)
    lost = capped.state_from_text("\n".join(["step 6, playing", "CM" + "." * 23, *grid]))
    assert lost.scene().status == "The mouse is still free after 6 steps. The cat loses."


def solution(state):
    return state.game.guide().solution(state)


def test_the_solution_wins_in_par_or_is_none():
    game = parlour.game("cat_mouse")
    state = start = game.start(40)
    moves = solution(state)
    assert len(moves) == 9
    for move in moves:
        state = state.play(move)
    assert state.result().returns == (1.0,)
    assert solution(state) is None
    assert game.guide().remark(start, start, 0) == "0 steps; par is 9."
    assert game.guide().remark(start, state, 0) == "9 steps, par 9: a perfect hunt!"
    assert solution(parlour.game("cat_mouse", ply_cap=8).start(40)) is None


def test_the_remark_during_a_hunt_compares_it_with_par():
    game = parlour.game("cat_mouse")
    start = game.start(40)
    best = solution(start)[0]
    on_par = start.play(best)
    assert game.guide().remark(start, on_par, 0) == "1 step, par 9: on par so far."
    astray = start.play(next(a for a in start.legal_actions() if len(solution(start.play(a))) > 8))
    above = len(solution(astray)) + 1 - 9
    words = f"1 step, par 9: {above} above par."
    assert game.guide().remark(start, astray, 0) == words


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (10, "10 steps, par 9: 1 over par, well hunted."),
        (30, "30 steps, par 9: 21 over par, a long chase."),
    ],
)
def test_the_remark_at_the_end_compares_with_par(steps, words):
    game = parlour.game("cat_mouse")
    start = state = game.start(40)
    for move in solution(start):
        state = state.play(move)
    text = game.state_to_text(state)
    late = game.state_from_text(text.replace("step 9,", f"step {steps},"))
    assert game.guide().remark(start, late, 0) == words


def test_the_remark_on_a_lost_game_mentions_that_a_win_was_possible():
    game = parlour.game("cat_mouse", ply_cap=1)
    start = game.start(40)
    lost = start.play(start.legal_actions()[0])
    assert game.guide().remark(start, lost, 0) == "Par was 9 steps, so a win was possible."
    assert game.json_fields(lost, 40, 0)["status"] == "lost"


def test_the_json_fields_match_the_specification():
    state = parlour.game("cat_mouse").start(40)
    fields = state.game.json_fields(state, 40, 0)
    assert list(fields) == ["status", "message", "grid", "cat", "mouse", "obstacles", "seed"]
    assert fields["seed"] == 40
