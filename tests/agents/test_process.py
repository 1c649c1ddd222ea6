"""Agents in a process of their own."""

import threading

import pytest
from nim import Nim

import parlour
from parlour import AgentError
from parlour.agents.hints import ADVISER
from parlour.agents.process import Interrupted, Thinker


@pytest.fixture
def thinker():
    made = Thinker()
    yield made
    made.stop()


def test_it_chooses_what_the_agent_would(thinker):
    state = parlour.game("octa", size=2).start(1)
    for seed in (3, 4):
        text = f"mcts:sims=50,seed={seed}"
        assert thinker.choose(text, state) == parlour.agent(text).choose(state)


def test_it_knows_games_of_others(thinker):
    assert thinker.choose("random", Nim().start()) in (0, 1, 2)


def test_it_analyses_and_uses_a_solution_where_there_is_one(thinker):
    state = parlour.game("cat_mouse").start(7)
    analysis = thinker.analyse(ADVISER, state)
    assert analysis.choices[0].action == state.solution()[0]
    assert thinker.analyse("random", state).choices


def test_an_error_of_the_agent_comes_back(thinker):
    with pytest.raises(AgentError, match="exact"):
        thinker.choose("exact", Nim().start())
    assert thinker.choose("random", Nim().start()) in (0, 1, 2)


def test_an_agent_that_goes_wrong_is_named(thinker):
    state = Nim(heap=3).start()
    with pytest.raises(AgentError, match="the agent odd_agents:Quitting cannot go on: crashed: S"):
        thinker.choose("odd_agents:Quitting", state)
    with pytest.raises(AgentError, match="the agent odd_agents:First cannot go on: no analysis"):
        thinker.analyse("odd_agents:First", state)
    assert thinker.choose("odd_agents:First", state) == 0


def test_stop_interrupts_a_long_thought(thinker):
    state = parlour.game("octa").start(1)
    caught = []

    def think():
        try:
            thinker.choose("mcts:time=3000", state)
        except Interrupted as error:
            caught.append(error)

    thread = threading.Thread(target=think)
    thread.start()
    while not thinker._asking.locked() and thread.is_alive():
        pass
    thinker.stop()
    thread.join(60)
    assert len(caught) == 1


def test_once_stopped_it_stays_so(thinker):
    thinker.stop()
    with pytest.raises(Interrupted):
        thinker.choose("random", Nim().start())
