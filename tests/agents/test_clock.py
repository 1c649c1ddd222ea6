"""Time budgets, measured by a clock that the test controls."""

import signal

import pytest
from nim import Nim

import parlour
from parlour.agents import Limit
from parlour.agents.base import LEAST_SECONDS, MARGIN, limit_of, seconds_for

TICK = 0.001


class Ticking:
    """A clock that advances by a tick on every reading."""

    def __init__(self, tick=TICK):
        self.time = 100.0
        self.tick = tick

    def __call__(self):
        self.time += self.tick
        return self.time


def seconds_of(text, state, limit=None, tick=TICK):
    """Return the time of a choice by the agent's clock."""
    agent = parlour.agent(text)
    agent.now = clock = Ticking(tick)
    before = clock.time
    agent.choose(state) if limit is None else agent.choose(state, limit)
    return clock.time - before


@pytest.mark.parametrize("seconds", [0.02, 0.1])
@pytest.mark.parametrize("name", ["mcts", "search", "best"])
def test_a_time_budget_is_used_and_not_exceeded(name, seconds):
    state = parlour.game("octa", size=2).start(1)
    spent = seconds_of(f"{name}:time={seconds}", state)
    assert spent <= seconds + 4 * TICK
    assert spent >= seconds or name == "mcts"  # which may stop early: see below


def plies_into(name, plies, **options):
    """Return a position of a game that a weak agent has played for this many plies."""
    state = parlour.game(name, **options).start(1)
    agent = parlour.agent("greedy", seed=plies)
    for _ in range(plies):
        state = state.apply(agent.choose(state))
    return state


@pytest.mark.parametrize("plies", range(0, 24, 3))
@pytest.mark.parametrize("game", [("octa", {"size": 2}), ("blokus", {"variant": "duo"})])
def test_mcts_stops_early_only_when_the_choice_cannot_change(game, plies):
    name, options = game
    state = plies_into(name, plies, **options)
    text = "mcts:time=0.5,width=30,keep=false,seed=3"
    thorough = parlour.agent(text)
    thorough.now = Ticking()
    found = thorough.analyse(state)
    assert found.seconds >= 0.5
    quick = parlour.agent(text)
    quick.now = clock = Ticking()
    assert quick.choose(state) == found.choices[0].action
    spent = clock.time - 100.0
    ahead = found.choices[0].visits - found.choices[1].visits
    if ahead > 0.6 * found.work:
        assert spent < 0.45
    elif ahead < 0.04 * found.work:
        assert spent > 0.45


class SlowStart(Ticking):
    """A clock that jumps before the first simulation."""

    def __init__(self, jump):
        super().__init__()
        self.looks = 0
        self.jump = jump

    def __call__(self):
        self.looks += 1
        return super().__call__() + (self.jump if self.looks > 1 else 0.0)


@pytest.mark.parametrize("plies", range(0, 24, 3))
def test_mcts_excludes_preparation_from_the_time_per_simulation(plies):
    state = plies_into("octa", plies, size=2)
    spent = []
    for clock, seconds in ((SlowStart(0.3), 0.5), (Ticking(), 0.2)):
        agent = parlour.agent(f"mcts:time={seconds},keep=false,seed=3")
        agent.now = clock
        agent.choose(state)
        spent.append(clock.time)
    assert abs(spent[0] - spent[1]) < 0.005


def test_mcts_with_a_budget_of_simulations_makes_all_of_them():
    """Reads the clock once in each rollout."""
    spent = seconds_of("mcts:sims=900,time=100", plies_into("octa", 21, size=2))
    assert spent >= 900 * TICK


@pytest.mark.parametrize("name", ["mcts:sims=100000", "search:depth=40", "best:time=50"])
@pytest.mark.parametrize(
    ("limit", "share"),
    [
        (Limit(10.0), 0.5),
        (Limit(10.0, 1.0), 1.5),
        (Limit(2.0, 30.0, (4.0,)), 1.0),
        (Limit(0.3, 0.0), 0.015),
    ],
)
def test_a_choice_uses_a_share_of_the_clock(name, limit, share):
    state = parlour.game("octa", size=2).start(1)
    allowed = max(share - MARGIN, LEAST_SECONDS)
    assert seconds_for(0.0, limit) == pytest.approx(allowed)
    spent = seconds_of(name, state, limit, tick=0.02)
    assert allowed <= spent <= allowed + 4 * 0.02


def test_an_agents_own_budget_stays_within_the_clock():
    assert seconds_for(0.3, None) == 0.3
    assert seconds_for(0.0, None) == 0.0
    assert seconds_for(0.3, Limit(100.0)) == 0.3
    assert seconds_for(30.0, Limit(100.0)) == pytest.approx(5.0 - MARGIN)
    assert seconds_for(30.0, Limit(-1.0)) == LEAST_SECONDS


@pytest.mark.parametrize("name", ["mcts", "search", "greedy", "random", "best", "level:9", "exact"])
def test_there_is_a_choice_when_the_clock_has_run_out(name):
    game = parlour.game("cat_mouse") if name == "exact" else parlour.game("octa", size=2)
    state = game.start(1)
    agent = parlour.agent(name)
    agent.now = Ticking(1.0)
    assert state.refusal(agent.choose(state, Limit(0.0))) is None


def test_an_agent_without_a_limit_parameter_is_called_without_it():
    state = Nim().start()
    assert parlour.agent("odd_agents:First").choose(state) == 0
    assert parlour.agent("odd_agents:Clocked").choose(state, Limit(2.5)) == 2
    with pytest.raises(TypeError):
        parlour.agent("odd_agents:First").choose(state, Limit(2.5))


@pytest.mark.parametrize("settings", ["", ",cutoff=900"])
def test_a_long_rollout_checks_the_clock(settings):
    """A heap played to its end is won or lost; an unfinished one is neither."""
    agent = parlour.agent(f"mcts:time=0.5{settings}")
    agent.now = Ticking(0.3)
    (choice,) = agent.analyse(Nim(heap=1000).start()).choices
    assert (choice.visits, choice.value) == (1, 0.0)
    agent.now = Ticking(0.3)
    (choice,) = agent.analyse(Nim(heap=100).start()).choices
    assert (choice.visits, abs(choice.value)) == (1, 1.0)


@pytest.mark.parametrize("text", ["mcts:sims=100000000", "search:nodes=10000000000"])
def test_a_signal_interrupts_a_long_search(text):
    class Enough(Exception):
        pass

    def stop(*_):
        raise Enough

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Enough):
            parlour.agent(text).choose(parlour.game("octa").start(1))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("seat", "others"), [(0, (2.0, 3.0, 4.0)), (2, (4.0, 1.0, 2.0)), (3, (1.0, 2.0, 3.0))]
)
def test_the_clocks_of_the_others_are_listed_in_the_order_of_play(seat, others):
    left = [1.0, 2.0, 3.0, 4.0]
    assert limit_of(left, seat, 0.5) == Limit(left[seat], 0.5, others)


def test_a_clock_that_has_run_out_leaves_nothing():
    assert limit_of((-0.2, 5.0), 0, 0.0).left == 0.0
