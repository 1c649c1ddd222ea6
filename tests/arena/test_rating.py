"""Ratings: accurate for known strengths, with intervals of the right coverage."""

import json
import math
import random

import pytest
from simulated_results import simulated

from parlour.arena import MatchError
from parlour.arena.outcomes import Outcomes, ranks_of
from parlour.arena.rating import rate
from parlour.arena.rating_report import (
    markdown_table,
    rating_json,
    rating_report,
    write_between_markers,
)


def of_games(games, seats=2):
    outcomes = Outcomes(seats)
    for group in games:
        outcomes.add_group(group)
    return outcomes


def pair(one, two, first, second):
    """Return a pair of games with the points of `one` in each, from both seats."""
    return [([one, two], (first, 1 - first)), ([two, one], (1 - second, second))]


def elo(ratings):
    return {each.agent: each.elo.mean for each in ratings.agents}


def test_ranks_follow_the_returns_and_ties_share_one():
    assert ranks_of([0.5, 1.0, 0.5, -1.0]) == (1, 0, 1, 2)


def test_three_quarters_of_many_points_are_191_elo():
    games = [pair("a", "b", *points) for points in ((1, 1), (1, 1), (1, 0), (0, 1))] * 1000
    found = elo(rate(of_games(games)))
    assert found["a"] - found["b"] == pytest.approx(191, abs=1)
    assert found["a"] + found["b"] == pytest.approx(0, abs=1e-6)


def test_winning_everything_gives_a_finite_rating():
    found = elo(rate(of_games([pair("a", "b", 1, 1)] * 3)))
    assert 150 < found["a"] - found["b"] < 800


def test_seat_advantage_is_separated_from_strength():
    # The first seat wins three games of four, with any player.
    games = [pair("a", "b", 1, 0)] * 300 + [pair("a", "b", 0, 1)] * 100
    ratings = rate(of_games(games))
    assert elo(ratings)["a"] == pytest.approx(0, abs=1)
    assert ratings.seats[0] - ratings.seats[1] == pytest.approx(191, abs=2)


def test_draws_between_equals_are_counted():
    games = [pair("a", "b", 0.5, 0.5)] * 40 + [pair("a", "b", 1, 0), pair("a", "b", 0, 1)] * 30
    ratings = rate(of_games(games))
    assert ratings.draws == pytest.approx(0.4, abs=0.01)
    assert rate(of_games([pair("a", "b", 1, 0)] * 9)).draws == 0.0


def test_ratings_are_transitive():
    games = [pair("a", "b", 1, 0.5)] * 30 + [pair("b", "c", 1, 0.5)] * 30
    found = elo(rate(of_games(games)))
    assert found["a"] > found["b"] > found["c"]
    assert rate(of_games(games)).superiority["a", "c"] > 0.99


def test_the_order_of_games_and_groups_does_not_matter():
    games = [pair("a", "b", 1, 0.5), pair("b", "c", 0, 1), pair("c", "a", 0.5, 0.5)] * 9
    shuffled = list(games)
    random.Random(1).shuffle(shuffled)
    turned = [group[::-1] for group in shuffled]
    assert rate(of_games(games)) == rate(of_games(shuffled)) == rate(of_games(turned))


def test_unconnected_groups_are_reported_separately():
    games = [pair("a", "b", 1, 1)] * 20 + [pair("c", "d", 1, 0)] * 20 + [pair("d", "e", 1, 0)] * 9
    ratings = rate(of_games(games))
    assert ratings.parts == 2
    assert [{"c", "d", "e"}, {"a", "b"}] == [
        {each.agent for each in ratings.agents if each.part == part} for part in (0, 1)
    ]
    assert ("a", "c") not in ratings.superiority
    assert sum(each.elo.mean for each in ratings.agents if each.part == 1) == pytest.approx(0)
    assert "part 2 of 2, not comparable with the others" in rating_report(ratings, "")


def test_an_anchor_has_its_rating_and_no_interval():
    games = [pair("a", "b", 1, 0.5)] * 20
    ratings = rate(of_games(games), anchor=("b", 1500.0))
    anchored = next(each for each in ratings.agents if each.agent == "b")
    assert anchored.elo == pytest.approx((1500, 1500, 1500))
    free, held = elo(rate(of_games(games))), elo(ratings)
    assert held["a"] - held["b"] == pytest.approx(free["a"] - free["b"])
    with pytest.raises(MatchError, match="--anchor: nobody has not played; the agents are a, b"):
        rate(of_games(games), anchor=("nobody", 0.0))


def test_with_more_seats_the_first_places_have_the_odds_of_the_strengths():
    # One agent comes first in half of the games of three: odds 2 : 1 : 1.
    orders = [(2, 1, 0), (2, 0, 1)] * 300
    orders += [(1, 2, 0), (1, 0, 2)] * 200 + [(0, 2, 1), (0, 1, 2)] * 100
    outcomes = Outcomes(3)
    for order in orders:
        outcomes.add_group(
            [
                (["a", "b", "c"], order),
                (["c", "a", "b"], (order[2], order[0], order[1])),
                (["b", "c", "a"], (order[1], order[2], order[0])),
            ]
        )
    ratings = rate(outcomes)
    found = elo(ratings)
    assert found["b"] == pytest.approx(found["c"], abs=0.01)
    assert found["a"] - found["b"] == pytest.approx(400 * math.log10(2), abs=3)
    assert ratings.draws is None


def test_ties_are_the_mean_of_the_orders_that_they_leave_open():
    def outcomes(*orders):
        found = Outcomes(3)
        for order in orders:
            found.add_group([(["a", "b", "c"], order)])
        return found

    tied = rate(outcomes((1, 1, 0), (1, 1, 0)))
    either = rate(outcomes((2, 1, 0), (1, 2, 0)))
    assert elo(tied) == pytest.approx(elo(either))


def test_with_one_seat_the_agents_of_a_group_are_compared():
    outcomes = Outcomes(1)
    for _ in range(20):
        outcomes.add_group([(["a"], [1.0]), (["b"], [0.5]), (["c"], [0.5])])
    ratings = rate(outcomes)
    found = elo(ratings)
    assert found["a"] > found["b"] == pytest.approx(found["c"], abs=1e-3)
    assert ratings.seats == ()
    assert {each.games for each in ratings.agents} == {20}


@pytest.mark.parametrize(("agents", "seats", "groups"), [(4, 2, 25), (5, 4, 10)])
def test_rating_intervals_have_about_the_right_coverage(agents, seats, groups):
    # The full run, 200 simulations each, is in bench/arena.py.
    held = total = 0
    for seed in range(8):
        outcomes, truth = simulated(seed, agents, seats, groups)
        for each in rate(outcomes).agents:
            total += 1
            held += each.elo.low <= truth[each.agent] <= each.elo.high
    assert 0.85 <= held / total <= 1.0


def test_fit_near_converges_to_the_full_fit(monkeypatch):
    outcomes, _ = simulated(3, 4, 3, 20)
    quick = rate(outcomes)
    monkeypatch.setattr("parlour.arena.rating.MOST_NEAR_STEPS", 0)
    exact = rate(outcomes)
    for one, two in zip(exact.agents, quick.agents, strict=True):
        assert one.elo == pytest.approx(two.elo, abs=0.5)


def test_nothing_to_rate_is_an_error():
    with pytest.raises(MatchError, match="nothing to rate: "):
        rate(Outcomes(2))


RATINGS = [pair("a", "b", 1, 0.5)] * 20 + [pair("b", "c", 1, 0.5)] * 20


def test_the_report_lists_all_agents_with_intervals():
    lines = rating_report(rate(of_games(RATINGS)), "octa size=2").splitlines()
    assert lines[0] == "octa size=2, 80 games, Elo with 95 % intervals"
    assert lines[2].split() == ["agent", "Elo", "95", "%", "games"]
    assert lines[3].split()[:2] == ["1", "a"]
    assert "stronger than" in lines[7]
    assert lines[8].split()[:4] == ["1", "a", "-", "100"]


def test_json_and_markdown_say_the_same():
    ratings = rate(of_games(RATINGS))
    found = json.loads(json.dumps(rating_json(ratings)))
    assert [each["agent"] for each in found["agents"]] == ["a", "b", "c"]
    assert found["agents"][0]["stronger_than"]["b"] == 1.0
    row = markdown_table(ratings).splitlines()[2]
    assert row.startswith(f"| `a` | {found['agents'][0]['elo']:+.0f} | [")


PAGE = "before\n<!-- ratings mine -->\nold\n<!-- end of ratings -->\nafter\n"


def test_a_table_is_put_between_its_markers_and_nothing_else_changes(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE + PAGE.replace("mine", "yours"))
    assert write_between_markers(page, "mine", "new")
    assert page.read_text() == PAGE.replace("old", "\nnew\n") + PAGE.replace("mine", "yours")
    assert not write_between_markers(page, "mine", "new")
    with pytest.raises(MatchError, match="needs one line '<!-- ratings other -->'"):
        write_between_markers(page, "other", "new")
    with pytest.raises(MatchError, match="No such file"):
        write_between_markers(tmp_path / "none.md", "mine", "new")
