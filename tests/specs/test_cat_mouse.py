"""The specification's own list of contract tests for Cat and Mouse, one test per entry."""

from parlour.games.cat_mouse import (
    Cat,
    GameState,
    Grid,
    Mouse,
    Position,
    apply_move,
    choose_mouse_move,
    create_game,
    get_valid_moves,
)

DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def direction_to(state, target):
    row, col = state.cat.position
    return next(name for name, (r, c) in DIRECTIONS.items() if (row + r, col + c) == target)


def state(cat, mouse, walls):
    grid = Grid(25, 25, frozenset(Position(*wall) for wall in walls))
    return GameState(grid, Cat(Position(*cat)), Mouse(Position(*mouse)), 0, "playing", None)


def test_create_game_seeds_1_and_2_differ_and_the_same_seed_is_identical_twice():
    assert create_game(1) != create_game(2)
    assert create_game(1).grid != create_game(2).grid
    assert create_game(1) == create_game(1)


def test_apply_move_valid_cat_and_mouse_have_changed_and_the_state_is_consistent():
    before = create_game(1)
    target = get_valid_moves(before, "cat")[0]
    result = apply_move(before, direction_to(before, target))
    assert result.success
    assert result.state.cat.position == target != before.cat.position
    assert result.state.status == "won" or result.state.mouse.position != before.mouse.position
    assert result.state.grid == before.grid
    assert result.state.mouse.position not in before.grid.obstacles


def test_apply_move_invalid_into_an_obstacle_leaves_the_state_unchanged():
    before = state((5, 5), (20, 20), [(4, 5)])
    result = apply_move(before, "up")
    assert not result.success
    assert result.state == before
    assert result.message


def test_apply_move_win_by_catch():
    result = apply_move(state((5, 5), (5, 6), [(0, 0)]), "right")
    assert result.state.status == "won"


def test_apply_move_win_by_trap():
    # The mouse in the corner has one exit, and the cat steps onto it.
    result = apply_move(state((0, 2), (0, 0), [(1, 0)]), "left")
    assert result.state.status == "won"


def test_choose_mouse_move_returns_the_single_best_cell_deterministically():
    # Up and left are nearer to the cat, down is an obstacle: right is farthest.
    given = state((10, 10), (12, 12), [(13, 12)])
    assert choose_mouse_move(given) == Position(12, 13)
    assert choose_mouse_move(given) == choose_mouse_move(given)
