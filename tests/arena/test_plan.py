"""The plan of a match is fair, and each game can be computed without the others."""

from collections import Counter

import pytest
from climb import Climb
from nim import Nim

import parlour
from parlour.arena import MatchError
from parlour.arena.plan import Plan


def tasks_of(plan):
    return [plan.task(number) for number in range(plan.games)]


def test_two_agents_play_each_start_from_both_seats():
    plan = Plan.of_match(Nim(), ["greedy", "random"], 6, 0)
    assert [task.seating for task in tasks_of(plan)] == [(0, 1), (1, 0)] * 3
    assert [task.group for task in tasks_of(plan)] == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("agents", [2, 3, 4])
def test_on_four_seats_every_agent_takes_every_seat_equally_often_in_each_group(agents):
    plan = Plan.of_match(Climb(), ["random"] * agents, 8, 0)
    assert plan.groups == 2
    for group in range(2):
        seatings = [task.seating for task in tasks_of(plan) if task.group == group]
        for seat in range(4):
            assert Counter(seating[seat] for seating in seatings) == Counter(
                [*range(agents), *[agents - 1] * (4 - agents)]
            )


def test_the_last_agent_fills_the_seats_that_are_left():
    plan = Plan.of_match(Climb(), ["best", "level:5"], 4, 0)
    seatings = [task.seating for task in tasks_of(plan)]
    assert seatings == [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]


def test_four_agents_keep_their_order_round_the_table():
    plan = Plan.of_match(Climb(), ["random"] * 4, 4, 0)
    seatings = [task.seating for task in tasks_of(plan)]
    assert seatings == [(0, 1, 2, 3), (3, 0, 1, 2), (2, 3, 0, 1), (1, 2, 3, 0)]


def test_with_one_seat_each_agent_plays_each_start():
    plan = Plan.of_match(parlour.game("cat_mouse"), ["random", "greedy", "mcts"], 6, 0)
    assert [task.seating for task in tasks_of(plan)] == [(0,), (1,), (2,)] * 2
    assert len({task.start_seed for task in tasks_of(plan)}) == 2


def test_a_group_has_one_start_and_one_source_of_chance_and_each_agent_its_own_seed():
    plan = Plan.of_match(Climb(), ["random", "random"], 400, 0)
    tasks = tasks_of(plan)
    for group in range(plan.groups):
        same = [task for task in tasks if task.group == group]
        assert len({(task.start_seed, task.chance_seed) for task in same}) == 1
    assert len({task.start_seed for task in tasks}) == plan.groups
    assert len({task.chance_seed for task in tasks}) == plan.groups
    seeds = [seed for task in tasks for seed in task.agent_seeds]
    assert len(set(seeds)) == len(seeds) == 1600


def test_the_number_of_games_is_rounded_up_to_whole_groups():
    assert [Plan.of_match(Nim(), ["random"] * 2, games, 0).games for games in (1, 2, 3)] == [
        2,
        2,
        4,
    ]
    assert Plan.of_match(Climb(), ["random"] * 2, 5, 0).games == 8


def test_longer_matches_share_a_prefix_and_other_seeds_differ():
    short = tasks_of(Plan.of_match(Nim(), ["random"] * 2, 10, 3))
    assert tasks_of(Plan.of_match(Nim(), ["random"] * 2, 20, 3))[:10] == short
    other = tasks_of(Plan.of_match(Nim(), ["random"] * 2, 10, 4))
    assert not {task.start_seed for task in short} & {task.start_seed for task in other}


def test_the_seeds_of_a_plan_never_change():
    task = Plan.of_match(Nim(), ["random"] * 2, 2, 7).task(1)
    assert (task.start_seed, task.chance_seed, task.agent_seeds) == SEEDS_OF_SEVEN


SEEDS_OF_SEVEN = (249253791886738, 69519980866343, (83127747006438, 8196250663005))


@pytest.mark.parametrize(
    ("game", "agents", "games", "message"),
    [
        ("nim", ["random"], 2, "nim has 2 seats: a match needs 2 agents, not 1"),
        ("nim", ["random"] * 3, 2, "nim has 2 seats: a match needs 2 agents, not 3"),
        ("climb", ["random"] * 5, 4, "climb has 4 seats: a match needs 2 to 4 agents, not 5"),
        ("cat_mouse", [], 4, "a match of cat_mouse needs at least one agent"),
        ("nim", "random", 2, "a list of texts, not one text"),
        ("nim", ["random"] * 2, 0, "at least 1 game, not 0"),
        ("nim", ["random"] * 2, True, "at least 1 game, not True"),
    ],
)
def test_wrong_numbers_are_refused(game, agents, games, message):
    with pytest.raises(MatchError, match=message):
        Plan.of_match(parlour.game(game), agents, games, 0)
