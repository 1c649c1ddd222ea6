"""The exact solver, against an independent solver and known facts."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour.games.cat_mouse import (
    Cat,
    GameState,
    Grid,
    Mouse,
    apply_move,
    create_game,
    hint,
    par,
    solve,
)
from parlour.games.cat_mouse.layout import Layout
from parlour.games.cat_mouse.placement import _walls
from parlour.games.cat_mouse.solver import shortest_win

DIRECTIONS = ("up", "down", "left", "right")


def second_solver(start):
    """Solve by breadth-first search with the specification's functions only."""
    queue, seen = deque([(start, 0)]), {(start.cat, start.mouse)}
    while queue:
        current, depth = queue.popleft()
        for direction in DIRECTIONS:
            result = apply_move(current, direction)
            if result.success and result.state.status == "won":
                return depth + 1
            place = (result.state.cat, result.state.mouse)
            if result.success and place not in seen:
                seen.add(place)
                queue.append((result.state, depth + 1))
    return None


@given(st.integers(-(2**63), 2**64 - 1), st.sampled_from([None, 0.05, 0.3, 0.4]))
def test_every_start_of_create_game_can_be_won_in_par(seed, density):
    current = start = create_game(seed) if density is None else create_game(seed, density)
    solution = solve(start)
    assert par(start) == len(solution.moves)
    assert hint(start) == solution.moves[0]
    for move in solution.moves:
        assert current.status == "playing"
        current = apply_move(current, move).state
    assert current.status == "won"


def test_par_falls_by_one_with_each_move_of_a_solution():
    current = create_game(4)
    for left in range(par(current), 0, -1):
        assert par(current) == left
        current = apply_move(current, hint(current)).state
    assert par(current) == 0


def small(rows, cat, mouse):
    """Return a small room in the top left corner, walled off from the rest."""
    walls = {
        (row, col)
        for row in range(25)
        for col in range(25)
        if row >= len(rows) or col >= len(rows[0]) or rows[row][col] == "#"
    }
    return GameState(Grid(25, 25, walls), Cat(cat), Mouse(mouse), 0)


@given(st.integers(0, 2**16 - 1), st.integers(0, 15), st.integers(0, 15))
def test_solutions_are_shortest_and_never_missed(bits, cat, mouse):
    rows = ["".join("#" if bits >> (4 * r + c) & 1 else "." for c in range(4)) for r in range(4)]
    cat, mouse = divmod(cat, 4), divmod(mouse, 4)
    if cat == mouse or "#" in (rows[cat[0]][cat[1]], rows[mouse[0]][mouse[1]]):
        return
    start = small(rows, cat, mouse)
    assert par(start) == second_solver(start)


def test_a_win_one_step_away_is_found():
    start = small(["C.M.".replace("C", ".").replace("M", ".")], (0, 0), (0, 1))
    assert solve(start).moves == ("right",)
    assert hint(start) == "right"
    assert par(start) == 1


def test_a_won_state_has_par_0_and_no_hint():
    won = apply_move(small(["...."], (0, 0), (0, 1)), "right").state
    assert par(won) == 0
    assert solve(won).moves == ()
    assert hint(won) is None


def test_a_start_that_cannot_be_won_has_no_solution_hint_or_par():
    room = small(["..", ".."], (0, 0), (1, 1))
    assert solve(room) is None
    assert hint(room) is None
    assert par(room) is None


def test_a_walled_in_cat_cannot_win():
    assert par(small([".#.."], (0, 0), (0, 2))) is None


def test_a_mouse_that_is_already_trapped_loses_to_the_first_valid_move():
    trapped = small([".", ".", "."], (1, 0), (0, 0))
    assert solve(trapped).moves == ("up",)


def starts(density, seeds):
    """Yield random starts, winnable or not, with the parity of their distance."""
    for seed in range(seeds):
        rng = parlour.Rng(seed)
        layout = Layout(_walls(rng, round(density * 625)))
        free = [cell for cell in range(625) if not layout.walls[cell]]
        cat = free[rng.below(len(free))]
        reach, queue = {cat}, [cat]
        while queue:
            here = queue.pop()
            for k in range(4):
                to = layout.step(here, k)
                if to >= 0 and to not in reach:
                    reach.add(to)
                    queue.append(to)
        others = sorted(reach - {cat})
        if not others:
            continue
        mouse = others[rng.below(len(others))]
        odd = (cat // 25 + cat % 25 + mouse // 25 + mouse % 25) % 2
        yield layout, cat, mouse, odd


@pytest.mark.parametrize("density", [0.05, 0.15])
def test_odd_starts_can_always_be_won(density):
    found = [
        shortest_win(layout, cat, mouse) for layout, cat, mouse, odd in starts(density, 30) if odd
    ]
    assert len(found) > 8
    assert None not in found


def test_without_a_dead_end_no_even_start_can_be_won():
    layout = Layout(bytes(625))
    assert shortest_win(layout, 0, 48) is None
    assert shortest_win(layout, 0, 49) is not None


def test_at_5_percent_many_even_starts_cannot_be_won():
    even = [
        shortest_win(layout, cat, mouse) is not None
        for layout, cat, mouse, odd in starts(0.05, 40)
        if not odd
    ]
    assert 0.3 < sum(even) / len(even) < 0.85


def test_par_is_15_to_60_for_most_starts():
    pars = [par(create_game(seed)) for seed in range(50)]
    assert sum(15 <= value <= 60 for value in pars) > 37
