"""Pairings: every pair meets equally often, within one."""

from collections import Counter
from itertools import combinations

import pytest

from parlour.arena.design import gauntlet, round_robin
from parlour.arena.swiss import count_meetings, next_round


def meetings(sets):
    met = Counter()
    count_meetings(sets, met)
    return met


@pytest.mark.parametrize("agents", [2, 3, 4, 7, 8])
def test_with_two_seats_every_pair_meets_once_a_lap(agents):
    sets, laps = round_robin(agents, 2, 3)
    assert laps == 3
    assert meetings(sets) == Counter(combinations(range(agents), 2))
    firsts = Counter(one for one, _ in sets)
    assert max(firsts.values()) - min(firsts.values()) <= agents


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("agents", [5, 6, 7, 8, 9, 13, 16])
@pytest.mark.parametrize("wanted", [1, 2, 5])
def test_with_more_seats_meetings_of_pairs_differ_by_at_most_one(agents, size, wanted):
    sets, laps = round_robin(agents, size, wanted)
    counts = meetings(sets)
    pairs = list(combinations(range(agents), 2))
    least, most = min(counts[pair] for pair in pairs), max(counts.values())
    assert least * laps >= wanted
    assert most - least <= 1
    assert all(len(set(each)) == size for each in sets)
    played = Counter(agent for each in sets for agent in each)
    assert len(set(played.values())) == 1


def test_a_longer_tournament_begins_with_the_sets_of_a_shorter_one():
    short, _ = round_robin(9, 4, 1)
    longer, _ = round_robin(9, 4, 6)
    assert longer[: len(short)] == short
    assert len(longer) > len(short)


def test_as_many_agents_as_seats_are_one_set():
    assert round_robin(4, 4, 3) == ([(0, 1, 2, 3)], 3)
    assert round_robin(5, 1, 2) == ([(0, 1, 2, 3, 4)], 2)


@pytest.mark.parametrize(("agents", "size"), [(5, 2), (4, 3), (6, 3), (7, 4), (4, 4), (3, 1)])
def test_in_a_gauntlet_the_first_meets_every_other_equally_often(agents, size):
    sets, laps = gauntlet(agents, size, 3)
    assert all(each[0] == 0 for each in sets)
    counts = meetings(sets)
    against = {counts[0, other] for other in range(1, agents)}
    assert len(against) == 1
    assert against.pop() * laps >= 3


def test_neighbours_in_the_standings_meet_in_the_next_round():
    assert next_round([1, 4, 3, 2], 2, {}, [0] * 4) == ([(1, 2), (3, 0)], [])


def test_pairings_are_not_repeated_if_possible():
    met = Counter({(1, 2): 1, (0, 3): 1})
    assert next_round([1, 4, 3, 2], 2, met, [0] * 4) == ([(1, 3), (2, 0)], [])
    # Pairing the nearest first fails: 1 and 2 would be left for each other.
    met = Counter({(1, 2): 1})
    assert next_round([3, 2, 1, 3], 2, met, [0] * 4)[0] == [(0, 1), (3, 2)]
    everybody = Counter(combinations(range(4), 2))
    assert next_round([4, 3, 2, 1], 2, everybody, [0] * 4)[0] == [(0, 1), (2, 3)]


def test_the_lowest_agent_with_fewest_byes_gets_the_bye():
    assert next_round([3, 2, 1], 2, {}, [0, 0, 0]) == ([(0, 1)], [2])
    assert next_round([3, 2, 1], 2, {}, [0, 0, 1]) == ([(0, 2)], [1])
    assert next_round([3, 2, 1, 0, 0], 4, {}, [0] * 5)[1] == [4]


def test_with_more_seats_neighbours_meet_and_repetitions_are_avoided():
    assert next_round([6, 5, 4, 3, 2, 1], 3, {}, [0] * 6)[0] == [(0, 1, 2), (3, 4, 5)]
    met = meetings([(0, 1, 2), (3, 4, 5)])
    first, second = next_round([6, 5, 4, 3, 2, 1], 3, met, [0] * 6)[0]
    assert set(first) == {0, 3, 1}
    assert set(second) == {2, 4, 5}


def test_many_agents_are_paired_within_the_step_limit():
    met = Counter(combinations(range(60), 2))
    sets, _ = next_round(list(range(60, 0, -1)), 2, met, [0] * 60)
    assert sorted(agent for each in sets for agent in each) == list(range(60))
