"""Clocks and adjudication, with a clock that the test controls."""

import odd_agents
import pytest
from climb import Climb
from nim import Nim

import parlour
from parlour.agents import Analysis
from parlour.arena import Conditions, MatchError, Streak, run_match
from parlour.arena.contest import play_game
from parlour.arena.plan import Plan
from parlour.table.clock import ClockError, TimeControl


class Watch:
    """A clock that advances only when time is spent."""

    time = 0.0

    def __call__(self):
        return self.time


WATCH = Watch()


class Spending(odd_agents.First):
    """Takes a second per decision, and records its limits."""

    told = []

    def best(self, state, limit=None):
        Spending.told.append(limit)
        WATCH.time += 1.0
        return state.legal_actions()[0]

    def analyse(self, state):
        return Analysis((), 0, 0.0)


class Judging(odd_agents.First):
    """Has the opinion of its blunder setting on every position, and plays well."""

    def __init__(self, seed=0, blunder=None):
        super().__init__(seed, 0.0)
        self.view = 2.0 * (blunder or 0.0) - 1.0

    def best(self, state, limit=None):
        self.opinion = self.view
        return state.legal_actions()[0]


class Quick(odd_agents.First):
    """Takes no time."""

    def best(self, state, limit=None):
        return state.legal_actions()[0]


odd_agents.Spending = Spending
odd_agents.Quick = Quick
odd_agents.Judging = Judging


def play(agents, conditions, game=None, number=0):
    game = game or Nim(heap=20)
    plan = Plan.of_match(game, agents, number + 1, 0)
    return play_game(game, plan.task(number), conditions, now=WATCH)


def timed(seconds, increment=0.0, margin=0.0):
    Spending.told.clear()
    return Conditions(TimeControl(seconds, increment), margin)


def test_a_clock_runs_while_its_agent_thinks_and_the_increment_comes_after():
    played, _ = play(["odd_agents:Spending", "odd_agents:Quick"], timed(30.0, 0.25))
    assert played.fault is None
    assert [limit.left for limit in Spending.told[:3]] == [30.0, 29.25, 28.5]
    assert Spending.told[0].increment == 0.25
    assert Spending.told[2].others == (30.5,)


def test_exceeding_the_clock_loses():
    played, record = play(["odd_agents:Spending", "odd_agents:Quick"], timed(2.5))
    assert played.returns == (-1.0, 1.0)
    assert played.reason == "time"
    assert played.fault == (0, "time: exceeded by 0.500 s")
    assert played.plies == len(record.actions) == 4


def test_a_margin_applies_to_each_decision():
    played, _ = play(["odd_agents:Spending", "odd_agents:Quick"], timed(2.5, margin=0.5))
    # The third decision is forgiven and leaves no time for the fourth.
    assert played.fault == (0, "time: exceeded by 1.000 s")
    assert played.plies == 6
    calm, _ = play(["odd_agents:Spending", "odd_agents:Quick"], timed(2.5, margin=1.0))
    assert calm.fault is None


def judging(value):
    return f"odd_agents:Judging:blunder={(value + 1) / 2}"


def test_a_streak_of_hopeless_opinions_resigns():
    agents = [judging(-0.96), judging(0.5)]
    conditions = Conditions(resign=Streak(0.95, 3))
    played, record = play(agents, conditions)
    assert (played.reason, played.returns, played.scores) == ("resigned", (-1.0, 1.0), None)
    assert played.fault is None
    assert played.plies == 5
    assert record.final.result() is None
    other, _ = play([judging(-0.94), judging(0.5)], conditions)
    assert other.reason == "took the last one"


def test_a_streak_of_even_opinions_of_both_draws():
    conditions = Conditions(draw=Streak(0.03, 4))
    played, _ = play([judging(0.01), judging(-0.02)], conditions)
    assert (played.reason, played.returns, played.plies) == ("drawn by opinions", (0.0, 0.0), 8)
    for others in (judging(0.1), "odd_agents:First"):
        assert play([judging(0.0), others], conditions)[0].reason == "took the last one"


def test_a_game_beyond_max_plies_is_drawn_or_lost_with_one_seat():
    played, _ = play(["random", "random"], Conditions(max_plies=4))
    assert (played.reason, played.returns, played.plies) == ("max-plies", (0.0, 0.0), 4)
    climb, _ = play(["random"] * 2, Conditions(max_plies=4), Climb())
    assert climb.returns == (0.0,) * 4
    alone, _ = play(["random"], Conditions(max_plies=2), parlour.game("cat_mouse"))
    assert alone.returns == (-1.0,)


def test_the_reason_of_an_end_is_stored(tmp_path):
    arguments = {"processes": 0, "folder": tmp_path, "conditions": Conditions(max_plies=4)}
    result = run_match(Nim(heap=20), ["random"] * 2, 4, **arguments)
    assert {played.reason for played in result.games} == {"max-plies"}
    assert run_match(Nim(heap=20), ["random"] * 2, 4, **arguments) == result
    with pytest.raises(MatchError, match=r"with conditions \{'max_plies': 4\}: choose another"):
        run_match(Nim(heap=20), ["random"] * 2, 4, processes=0, folder=tmp_path)


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        ({"tc": "soon"}, ClockError, "write a clock like 5m"),
        ({"tc": "0"}, ClockError, "a clock must have 0.001 seconds"),
        ({"margin": 1.0}, MatchError, "--margin needs --tc"),
        (
            {"tc": "1", "margin": -1.0},
            MatchError,
            "the margin must be from 0 to 60 seconds, not -1.0",
        ),
        ({"tc": "1", "margin": float("nan")}, MatchError, "the margin must be from 0 to 60"),
        ({"resign": "0.95"}, MatchError, "--resign must look like 0.95x6"),
        ({"resign": "1.5x3"}, MatchError, "--resign must look like 0.95x6"),
        ({"draw": "0.02x0"}, MatchError, "--draw must look like 0.95x6"),
        ({"draw": "-0.02x5"}, MatchError, "--draw must look like 0.95x6"),
        ({"max_plies": 0}, MatchError, "--max-plies must be 1 or more, not 0"),
    ],
)
def test_invalid_conditions_are_refused(texts, error, message):
    with pytest.raises(error, match=message):
        Conditions.from_texts(**texts).checked(Nim())


def test_adjudication_by_opinions_needs_two_sides():
    with pytest.raises(MatchError, match=r"--resign needs a zero-sum game .* climb .* 4 seats"):
        Conditions.from_texts(resign="0.9x3").checked(Climb())
    with pytest.raises(MatchError, match=r"--draw needs a zero-sum game .* cat_mouse is a common"):
        Conditions.from_texts(draw="0.1x3").checked(parlour.game("cat_mouse"))
