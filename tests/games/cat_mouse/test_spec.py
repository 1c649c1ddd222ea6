"""The specification's API of Cat and Mouse, sentence by sentence, and each reading."""

import json
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour.games.cat_mouse import (
    ApplyResult,
    Cat,
    GameState,
    Grid,
    Mouse,
    PlacementError,
    Position,
    Status,
    apply_move,
    choose_mouse_move,
    create_game,
    get_valid_moves,
    hint,
    par,
    solve,
)
from parlour.games.cat_mouse.placement import _mouse_starts, _obstacles

DIRECTIONS = ("up", "down", "left", "right")
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

UNWINNABLE_AT_FIRST = [2, 6, 7, 11]

SEEDS = st.integers(-(2**63), 2**64 - 1)


def state(cat, mouse, walls=(), **fields):
    return GameState(Grid(25, 25, frozenset(walls)), Cat(cat), Mouse(mouse), 0, **fields)


def reachable(grid, start):
    """Return every cell reachable from the start."""
    found, queue = {start}, [start]
    while queue:
        row, col = queue.pop()
        for down, right in STEPS.values():
            cell = (row + down, col + right)
            if (
                cell not in found
                and cell not in grid.obstacles
                and min(cell) >= 0
                and max(cell) < 25
            ):
                found.add(cell)
                queue.append(cell)
    return found


# Position


def test_a_position_has_row_and_col_and_equals_the_tuple():
    position = Position(3, 7)
    assert (position.row, position.col) == (3, 7)
    assert position == (3, 7)
    assert hash(position) == hash((3, 7))
    assert repr(position) == "Position(row=3, col=7)"
    assert Position(row=3, col=7) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert isinstance(pickle.loads(pickle.dumps(position)), Position)


@pytest.mark.parametrize(
    ("row", "col"),
    [(-1, 0), (0, -1), (25, 0), (0, 25), (1.0, 0), ("1", 0), (None, 0), (True, 0), (2**70, 0)],
)
def test_a_position_outside_0_to_24_is_a_value_error(row, col):
    with pytest.raises(ValueError, match="must be an int from 0 to 24"):
        Position(row, col)


# Grid, Cat, Mouse, GameState


def test_a_grid_is_25_by_25_with_a_set_of_obstacles():
    grid = Grid(25, 25, {(0, 1), Position(2, 3)})
    assert grid.obstacles == {Position(0, 1), Position(2, 3)}
    assert all(isinstance(obstacle, Position) for obstacle in grid.obstacles)


@pytest.mark.parametrize(
    ("width", "height"), [(24, 25), (25, 26), (0, 0), (25.0, 25), ("25", 25), (None, 25)]
)
def test_any_other_size_is_a_value_error(width, height):
    with pytest.raises(ValueError, match="must be 25"):
        Grid(width, height, frozenset())


@pytest.mark.parametrize("obstacles", [{(25, 0)}, {(0, -1)}, [3], ["ab"], 5, None])
def test_obstacles_outside_the_grid_are_a_value_error(obstacles):
    with pytest.raises(ValueError, match=r"must be|is a pair"):
        Grid(25, 25, obstacles)


def test_an_animal_on_an_obstacle_is_a_value_error():
    with pytest.raises(ValueError, match="must not stand on an obstacle"):
        state((0, 0), (1, 1), {(0, 0)})
    with pytest.raises(ValueError, match="must not stand on an obstacle"):
        state((0, 0), (1, 1), {(1, 1)})


def test_both_on_one_cell_while_playing_is_a_value_error():
    with pytest.raises(ValueError, match="distinct cells while playing"):
        state((1, 1), (1, 1))
    assert state((1, 1), (1, 1), status="won").status == "won"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("grid", None),
        ("cat", (0, 0)),
        ("mouse", "mouse"),
        ("seed", "1"),
        ("seed", True),
        ("status", "lost"),
        ("status", None),
        ("message", 3),
    ],
)
def test_a_field_of_the_wrong_type_is_a_value_error(field, value):
    good = create_game(1)
    fields = {
        name: getattr(good, name) for name in ("grid", "cat", "mouse", "seed", "status", "message")
    }
    with pytest.raises(ValueError, match=field):
        GameState(**{**fields, field: value})


def test_status_compares_equal_to_its_text():
    assert create_game(1).status == "playing"
    assert create_game(1).status is Status.PLAYING
    assert Status.WON == "won"


def test_every_value_is_immutable_hashable_and_picklable():
    start = create_game(1)
    result = apply_move(start, "up")
    for value in (start, start.grid, start.cat, start.mouse, start.cat.position, result):
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)
    for value, name in ((start, "cat"), (start.grid, "width"), (start.cat, "position")):
        with pytest.raises(AttributeError):
            setattr(value, name, None)
    with pytest.raises(AttributeError):
        start.cat.position.row = 1
    with pytest.raises(AttributeError):
        result.success = True


# GameState as dict, as text, and as a state of the playable game


def some_states():
    start = create_game(7, density=0.1)
    won = start
    for direction in solve(start).moves:
        won = apply_move(won, direction).state
    trapped = apply_move(state((0, 2), (0, 0), {(1, 0), (1, 1)}), "left").state
    odd = state((0, 0), (5, 5), message='a "message"\nin two lines')
    return [create_game(-1), start, won, trapped, odd]


def test_a_state_round_trips_through_json_and_text():
    for each in some_states():
        assert GameState.from_dict(json.loads(json.dumps(each.to_dict()))) == each
        assert GameState.from_text(each.to_text()) == each


def test_a_states_dict_has_the_names_of_the_specification():
    data = create_game(1).to_dict()
    names = ["grid", "cat", "mouse", "seed", "status", "message", "density"]
    assert list(data) == names
    assert data["cat"] == {"position": {"row": 10, "col": 3}}
    assert data["grid"]["width"] == data["grid"]["height"] == 25
    assert data["grid"]["obstacles"][0].keys() == {"row", "col"}
    del data["message"], data["density"]
    assert GameState.from_dict({**data, "unknown": 1}) == create_game(1)


def test_a_states_text_shows_the_grid():
    lines = create_game(1).to_text().splitlines()
    assert lines[:4] == ["seed 1", "density null", 'status "playing"', "message null"]
    assert lines[4 + 10][3] == "C"
    assert lines[4 + 19][15] == "M"
    assert len(lines) == 4 + 25


@pytest.mark.parametrize("missing", ["grid", "cat", "mouse", "seed", "status"])
def test_a_dict_without_a_field_is_a_value_error(missing):
    data = create_game(1).to_dict()
    del data[missing]
    with pytest.raises(ValueError, match=f"expected a dict with '{missing}'"):
        GameState.from_dict(data)


@pytest.mark.parametrize(
    "change",
    [
        {"cat": {"position": {"row": 1}}},
        {"cat": {"position": {"row": 25, "col": 0}}},
        {"cat": 3},
        {"grid": {"width": 25, "height": 25, "obstacles": 3}},
        {"grid": {"width": 24, "height": 25, "obstacles": []}},
        {"status": "lost"},
        {"seed": "1"},
        {"density": 2},
        {"message": 3},
    ],
)
def test_a_wrong_dict_is_a_value_error(change):
    with pytest.raises(ValueError, match=r"must be|expected"):
        GameState.from_dict({**create_game(1).to_dict(), **change})


def test_a_wrong_text_is_a_value_error_that_names_the_line():
    good = create_game(1).to_text()
    for wrong, message in (
        (good.replace("seed 1", "sead 1"), "expected a line such as seed null, not 'sead 1'"),
        (good.replace("density null", "density x"), "expected a line such as density null"),
        (good + "\n.", "a state has 29 lines"),
        (good.replace("C", "c"), "line 15: 'c' is not a cell"),
        (good.replace("C", "."), "there must be one C and one M"),
        (good.replace('"playing"', '"lost"'), "status must be playing or won"),
        (3, "must be a str"),
    ):
        with pytest.raises(ValueError, match=message):
            GameState.from_text(wrong)


def test_a_state_keeps_the_density_it_was_made_with():
    start = create_game(3, density=0.2)
    assert start.density == 0.2
    direction = solve(start).moves[0]
    assert apply_move(start, direction).state.density == 0.2
    assert create_game(start.seed, start.density) == start
    assert create_game(3).density is None
    with pytest.raises(ValueError, match="density"):
        state((0, 0), (1, 1), density=1.5)


@given(SEEDS, st.lists(st.sampled_from(DIRECTIONS), max_size=40))
def test_a_game_continues_in_the_playable_game_and_back(seed, directions):
    game = parlour.game("cat_mouse", density=0.12)
    current, playing, steps = create_game(seed, 0.12), game.start(seed), 0
    for direction in directions:
        assert current.to_state(steps) == playing
        assert GameState.from_state(playing, seed) == current
        result = apply_move(current, direction)
        action = DIRECTIONS.index(direction)
        assert result.success == (action in playing.legal_actions())
        if result.success:
            current, playing, steps = result.state, playing.apply(action), steps + 1
    assert GameState.from_state(playing, seed) == current


def test_a_state_of_the_playable_game_does_not_tell_its_seed():
    playing = parlour.game("cat_mouse").start(7)
    assert GameState.from_state(playing) == replace(create_game(7), seed=0)


def test_won_states_have_a_playable_game_and_stuck_cats_have_none():
    trapped = some_states()[3]
    caught = apply_move(state((0, 0), (0, 1)), "right").state
    assert caught.to_state().result().reason == "caught"
    assert trapped.to_state().result().reason == "trapped"
    with pytest.raises(ValueError, match="the cat must be able to step"):
        state((0, 0), (5, 5), {(0, 1), (1, 0)}).to_state()
    with pytest.raises(ValueError, match="state must be a state of Cat and Mouse"):
        GameState.from_state(parlour.game("octa").start(), 1)


def test_a_game_lost_at_the_ply_cap_is_still_playing_here():
    lost = parlour.game("cat_mouse", ply_cap=1).start(1)
    lost = lost.apply(lost.legal_actions()[0])
    assert lost.result().returns == (-1.0,)
    assert GameState.from_state(lost, 1).status == "playing"


def test_integers_of_numpy_are_accepted():
    one = numpy.int64(1)
    assert Position(one, one) == (1, 1)
    assert type(Position(one, one).row) is int
    assert Grid(numpy.int8(25), 25, {(one, one)}) == Grid(25, 25, {(1, 1)})
    assert create_game(one) == create_game(1)
    made = GameState(Grid(25, 25, ()), Cat((one, 0)), Mouse((3, 3)), one)
    assert json.loads(json.dumps(made.to_dict())) == made.to_dict()


# create_game


@given(SEEDS)
def test_a_start_is_playing_with_one_cat_one_mouse_and_obstacles(seed):
    start = create_game(seed)
    assert start.status == "playing"
    assert (start.grid.width, start.grid.height) == (25, 25)
    assert start.cat.position != start.mouse.position
    assert start.seed == seed
    assert start.message is None


@given(SEEDS)
def test_15_to_20_percent_of_the_cells_are_obstacles(seed):
    assert 94 <= len(create_game(seed).grid.obstacles) <= 125


def test_both_ends_of_that_range_occur():
    counts = {_obstacles(parlour.Rng(seed), None) for seed in range(300)}
    assert (min(counts), max(counts)) == (94, 125)


@given(SEEDS, st.floats(0.01, 0.5))
def test_both_animals_have_a_valid_move_and_a_path_joins_them(seed, density):
    start = create_game(seed, density=density)
    assert get_valid_moves(start, "cat")
    assert get_valid_moves(start, "mouse")
    assert solve(start) is not None
    assert start.mouse.position in reachable(start.grid, start.cat.position)


def test_a_mouse_is_never_placed_where_it_cannot_step():
    """With the cat on its only exit, a mouse in a dead end has no valid move."""
    dead_end = state((0, 1), (5, 5), {(1, 0)})
    layout = dead_end.to_state().layout
    assert 0 not in list(_mouse_starts(layout, 1))
    assert 0 in list(_mouse_starts(layout, 2))


@pytest.mark.parametrize("seed", UNWINNABLE_AT_FIRST)
def test_a_start_that_cannot_be_won_is_rejected(seed):
    """The first start that these seeds give at 5 % obstacles cannot be won."""
    assert solve(create_game(seed, density=0.05)) is not None


@given(SEEDS)
def test_the_same_seed_always_produces_the_same_state(seed):
    assert create_game(seed) == create_game(seed)


def test_the_same_seed_gives_the_same_state_in_another_process():
    code = (
        "from parlour.games.cat_mouse import create_game\n"
        "start = create_game(-1)\n"
        "print(start.cat, start.mouse)"
    )
    start = create_game(-1)
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == f"{start.cat} {start.mouse}"


def test_each_seed_is_its_own_game():
    seeds = [0, 1, -1, 2**63, -(2**63), 2**64 - 1, 2**32, -(2**32)]
    assert len({create_game(seed).grid for seed in seeds}) == len(seeds)


@pytest.mark.parametrize("seed", [2**64, -(2**63) - 1, 10**30, -(10**30)])
def test_another_int_is_folded_into_the_range(seed):
    start = create_game(seed)
    assert -(2**63) <= start.seed < 2**64
    assert start == create_game(start.seed)


@pytest.mark.parametrize("seed", [True, 1.0, "1", None, b"1"])
def test_a_seed_of_another_type_is_a_type_error(seed):
    with pytest.raises(TypeError, match="a seed is an int"):
        create_game(seed)


@pytest.mark.parametrize(("density", "count"), [(0.1, 62), (0.3, 188), (0.0001, 1), (0.5, 312)])
def test_density_sets_the_share_of_obstacles_at_least_one(density, count):
    assert len(create_game(3, density=density).grid.obstacles) == count


@pytest.mark.parametrize("density", [0, 1, -0.1, 1.5, float("nan"), float("inf"), "0.1", True])
def test_a_density_outside_0_to_1_is_a_value_error(density):
    with pytest.raises(ValueError, match="density must be a number between 0 and 1"):
        create_game(1, density=density)


@pytest.mark.parametrize("density", [0.999, 0.9999])
def test_a_density_without_a_winnable_start_is_a_placement_error(density):
    with pytest.raises(PlacementError, match="found no start that can be won"):
        create_game(1, density=density)


# apply_move


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_valid_move_moves_the_cat_that_way_and_then_the_mouse(direction):
    before = state((12, 12), (20, 20))
    result = apply_move(before, direction)
    down, right = STEPS[direction]
    assert isinstance(result, ApplyResult)
    assert result.success
    assert result.message is None
    assert result.state.cat.position == (12 + down, 12 + right)
    assert result.state.mouse.position in get_valid_moves(before, "mouse")
    assert result.state.status == "playing"


def test_the_mouse_flees_from_where_the_cat_is_after_its_step():
    # From (11, 10) the mouse would go down; from (12, 10) up, down and right are equally far.
    result = apply_move(state((11, 10), (12, 12)), "down")
    assert result.state.mouse.position == (11, 12)


def test_apply_move_has_no_side_effects():
    before = state((12, 12), (20, 20))
    copy = pickle.loads(pickle.dumps(before))
    apply_move(before, "up")
    assert before == copy


def test_seed_and_grid_stay_the_same():
    before = create_game(9)
    direction = next(d for d in DIRECTIONS if apply_move(before, d).success)
    after = apply_move(before, direction).state
    assert (after.seed, after.grid) == (before.seed, before.grid)


def refused(before, direction):
    result = apply_move(before, direction)
    assert not result.success
    assert result.state is before
    return result.message


def test_an_invalid_move_gives_the_reason_and_the_same_state_object():
    before = state((0, 0), (20, 20), {(0, 1)})
    messages = {
        refused(before, "right"),
        refused(before, "up"),
        refused(before, "north"),
        refused(state((0, 0), (0, 0), status="won"), "down"),
    }
    assert messages == {
        "Invalid move: the cat cannot go right: an obstacle is in the way.",
        "Invalid move: the cat cannot go up: that is the edge of the grid.",
        "Unknown direction 'north': use up, down, left, right.",
        "The game is over: start a new game to play on.",
    }


class Evil(str):
    """A string whose methods raise."""

    def __eq__(self, other):
        raise RuntimeError

    def __hash__(self):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


class Worse:
    """An object whose methods raise."""

    @property
    def __class__(self):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


def test_apply_move_never_raises_for_directions_of_any_type():
    before = state((12, 12), (20, 20))
    for direction in (
        "UP",
        "",
        "u p",
        None,
        0,
        1.5,
        True,
        b"up",
        [],
        {},
        object(),
        ("up",),
        Worse(),
    ):
        assert "Unknown direction" in refused(before, direction)
    assert "Unknown direction" in refused(before, Evil("north"))
    assert apply_move(before, Evil("up")).success
    assert len(refused(before, "x" * 10_000)) < 120


CAUGHT = "The cat caught the mouse: you win!"
TRAPPED = "The mouse is trapped: you win!"


@pytest.mark.parametrize(
    ("before", "direction", "message"),
    [
        (state((0, 0), (0, 1)), "right", CAUGHT),
        (state((0, 2), (0, 0), {(1, 0), (1, 1)}), "left", TRAPPED),
        # The mouse cannot step: the cat may catch it or free it.
        (state((0, 1), (0, 0), {(1, 0), (1, 1)}), "left", CAUGHT),
        (state((0, 1), (0, 0), {(1, 0), (1, 1)}), "right", TRAPPED),
    ],
)
def test_a_catch_and_a_trap_have_their_own_messages_in_result_and_state(before, direction, message):
    result = apply_move(before, direction)
    assert result.success
    assert result.state.status == "won"
    assert result.message == result.state.message == message


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_if_neither_animal_can_step_any_direction_wins_and_the_cat_stays(direction):
    before = state((0, 0), (2, 2), {(0, 1), (1, 0), (1, 2), (3, 2), (2, 1), (2, 3)})
    result = apply_move(before, direction)
    assert result.success
    assert result.message == result.state.message == TRAPPED
    assert result.state.status == "won"
    assert (result.state.cat, result.state.mouse) == (before.cat, before.mouse)
    assert refused(result.state, direction)
    assert "Unknown direction" in refused(before, "north")
    assert (par(before), hint(before)) == (1, "up")


def test_a_cat_that_cannot_step_does_not_win_against_a_mouse_that_can():
    before = state((0, 0), (5, 5), {(0, 1), (1, 0)})
    assert [apply_move(before, direction).success for direction in DIRECTIONS] == [False] * 4
    assert par(before) is None


def test_after_a_catch_both_stand_on_one_cell():
    after = apply_move(state((0, 0), (0, 1)), "right").state
    assert after.cat.position == after.mouse.position == (0, 1)


def test_a_trapped_mouse_stays_where_it_is():
    after = apply_move(state((0, 2), (0, 0), {(1, 0), (1, 1)}), "left").state
    assert after.mouse.position == (0, 0)


def test_a_mouse_trapped_before_the_cat_moves_loses_to_any_valid_move():
    before = state((0, 1), (0, 0), {(1, 0), (1, 1)})
    after = apply_move(before, "right")
    assert after.state.status == "won"
    assert after.state.mouse.position == (0, 0)
    assert refused(before, "up")
    assert refused(before, "down")


def test_a_walled_in_cat_gets_the_reason_for_each_direction():
    before = state((0, 0), (5, 5), {(0, 1), (1, 0)})
    assert "obstacle" in refused(before, "right")
    assert "edge" in refused(before, "up")
    assert get_valid_moves(before, "cat") == []


@given(SEEDS, st.lists(st.sampled_from(DIRECTIONS), max_size=60))
def test_no_move_leads_onto_an_obstacle_or_off_the_grid(seed, directions):
    current = create_game(seed)
    for direction in directions:
        result = apply_move(current, direction)
        assert result.success == (
            current.status == "playing"
            and any(
                apply_target(current, direction) == position
                for position in get_valid_moves(current, "cat")
            )
        )
        current = result.state
        for animal in (current.cat, current.mouse):
            assert animal.position not in current.grid.obstacles
            assert 0 <= min(animal.position) <= max(animal.position) <= 24


def apply_target(current, direction):
    down, right = STEPS[direction]
    return (current.cat.position.row + down, current.cat.position.col + right)


# get_valid_moves


def test_valid_moves_come_in_the_order_up_down_left_right():
    assert get_valid_moves(state((12, 12), (0, 0)), "cat") == [
        (11, 12),
        (13, 12),
        (12, 11),
        (12, 13),
    ]
    assert all(isinstance(p, Position) for p in get_valid_moves(state((12, 12), (0, 0)), "cat"))


def test_valid_moves_are_free_adjacent_cells_on_the_grid():
    assert get_valid_moves(state((0, 0), (5, 5), {(0, 1)}), "cat") == [(1, 0)]


def test_the_cat_may_step_onto_the_mouse_but_not_the_reverse():
    near = state((0, 0), (0, 1))
    assert (0, 1) in get_valid_moves(near, "cat")
    assert (0, 0) not in get_valid_moves(near, "mouse")


@pytest.mark.parametrize("actor", ["dog", "", "CAT", None, 1])
def test_an_unknown_actor_is_a_value_error(actor):
    with pytest.raises(ValueError, match="actor must be 'cat' or 'mouse'"):
        get_valid_moves(state((0, 0), (5, 5)), actor)


# choose_mouse_move


def test_the_mouse_maximises_the_manhattan_distance():
    assert choose_mouse_move(state((12, 12), (13, 13), {(14, 13)})) == (13, 14)


def test_the_mouse_breaks_ties_up_down_left_right():
    assert choose_mouse_move(state((12, 10), (12, 12), {(12, 13)})) == (11, 12)
    assert choose_mouse_move(state((10, 12), (12, 12), {(13, 12)})) == (12, 11)


def test_the_mouse_must_move_even_towards_the_cat():
    assert choose_mouse_move(state((0, 3), (0, 0), {(1, 0)})) == (0, 1)


def test_choose_mouse_move_returns_none_without_a_valid_move():
    assert choose_mouse_move(state((0, 1), (0, 0), {(1, 0)})) is None


@given(SEEDS)
def test_the_choice_is_one_of_the_valid_moves_and_none_is_farther(seed):
    start = create_game(seed)
    cat = start.cat.position

    def distance(position):
        return abs(position[0] - cat.row) + abs(position[1] - cat.col)

    moves = get_valid_moves(start, "mouse")
    choice = choose_mouse_move(start)
    assert choice == max(moves, key=distance)
    assert isinstance(choice, Position)
