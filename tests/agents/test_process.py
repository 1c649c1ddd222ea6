"""Agents in a separate process."""

import threading

import pytest
from nim import Nim
from patience import PATIENCE

import parlour
from parlour import AgentError
from parlour.agents import AgentFault, Limit, SeatedAgent
from parlour.agents.hints import ADVISER
from parlour.agents.process import AgentProcess, Interrupted


@pytest.fixture
def process():
    made = AgentProcess()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def shared():
    """Owns processes for tests that leave one running."""
    made = AgentProcess()
    yield made
    made.stop()


def test_a_remote_agent_chooses_like_a_local_one(shared):
    state = parlour.game("octa", size=2).start(1)
    for seed in (3, 4):
        text = f"mcts:sims=50,seed={seed}"
        here, there = parlour.agent(text), shared.agent(text)
        assert there.choose(state) == here.choose(state)
        assert there.opinion == here.opinion
        assert repr(there) == repr(here)


def test_a_remote_agent_plays_third_party_games(shared):
    assert shared.agent("random").choose(Nim().start()) in (0, 1, 2)


def test_a_remote_adviser_uses_the_solution(shared):
    state = parlour.game("cat_mouse").start(7)
    analysis = shared.agent(ADVISER).analyse(state)
    assert analysis.choices[0].action == state.game.guide().solution(state)[0]
    assert shared.agent("random").analyse(state).choices


def test_two_seats_with_the_same_text_share_nothing(shared):
    state = Nim().start()
    one, two = shared.agent("odd_agents:Turning"), shared.agent("odd_agents:Turning")
    assert [one.choose(state) for _ in range(2)] == [0, 1]
    assert two.choose(state) == 0
    assert one.choose(state) == 2
    assert (one.opinion, two.opinion) == (0.03, 0.01)


def test_events_and_clocks_reach_a_remote_agent(shared):
    start = Nim(heap=7).start()
    agent = shared.agent("odd_agents:Diary")
    with pytest.raises(AgentFault, match=r"crashed: AttributeError: .*'seat'"):
        agent.watch(0, start.play(0))
    agent.begin(start, 1)
    agent.watch(0, start.play(0))
    assert agent.choose(start.play(0)) == 0
    agent.close()
    assert shared.agent("odd_agents:Clocked").choose(start, Limit(1.5)) == 1


def test_a_closed_agent_is_created_again_on_the_next_question(shared):
    state = Nim().start()
    agent = shared.agent("odd_agents:Turning")
    assert [agent.choose(state) for _ in range(2)] == [0, 1]
    agent.close()
    assert agent.choose(state) == 0


def test_closing_an_unused_agent_starts_no_process(process):
    process.agent("random").close()
    assert process._child is None


def test_an_error_of_a_remote_agent_is_raised(shared):
    with pytest.raises(AgentError, match="nim has no solver"):
        shared.agent("exact").choose(Nim().start())
    with pytest.raises(AgentError, match="nim has no solver"):
        shared.agent("exact").check_game(Nim())
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        shared.agent("nobody").choose(Nim().start())
    assert shared.agent("random").choose(Nim().start()) in (0, 1, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("odd_agents:Quitting", "crashed: SystemExit: 3"),
        ("odd_agents:Illegal", "illegal action: an action is an id from 0 to 2"),
        ("odd_agents:Wordy", "no action: an action is an int, not str"),
    ],
)
def test_a_fault_of_a_remote_agent_is_raised(shared, text, message):
    with pytest.raises(AgentFault, match=message) as caught:
        SeatedAgent(shared.agent(text), 0, b"").choose(Nim(heap=3).start())
    assert caught.value.code == "agent_fault"


def test_an_analysis_without_a_choice_is_a_fault(shared):
    with pytest.raises(AgentFault, match="invalid analysis"):
        shared.agent("odd_agents:First").analyse(Nim(heap=3).start())


def test_output_of_an_agent_is_discarded(shared):
    assert shared.agent("odd_agents:Printing").choose(Nim().start()) == 0


def test_stop_interrupts_a_long_search(process):
    state = parlour.game("octa").start(1)
    caught = []
    agent = process.agent("mcts:time=3000")

    def think():
        try:
            agent.choose(state)
        except Interrupted as error:
            caught.append(error)

    thread = threading.Thread(target=think)
    thread.start()
    while not process.is_asked and thread.is_alive():
        pass
    process.stop()
    thread.join(PATIENCE)
    assert len(caught) == 1


def test_a_stopped_process_stays_stopped(process):
    agent = process.agent("random")
    process.stop()
    for _ in range(2):
        with pytest.raises(Interrupted):
            agent.choose(Nim().start())
    agent.close()


def test_a_dead_process_is_reported_once_and_replaced(shared):
    state = Nim().start()
    other = shared.agent("odd_agents:Turning")
    assert other.choose(state) == 0
    with pytest.raises(AgentError, match="crashed: its process ended with status 7"):
        shared.agent("odd_agents:Dying").choose(state)
    fresh = shared.agent("odd_agents:Turning")
    assert [fresh.choose(state) for _ in range(2)] == [0, 1]
    with pytest.raises(AgentError, match="crashed: its process ended"):
        other.choose(state)
    assert other.choose(state) == 0
    assert fresh.choose(state) == 2


def test_a_killed_process_is_detected(shared):
    agent = shared.agent("random")
    agent.choose(Nim().start())
    shared._child.process.kill()
    shared._child.process.wait()
    with pytest.raises(AgentError, match="its process ended with status -9"):
        agent.choose(Nim().start())
    agent.close()
    assert agent.choose(Nim().start()) in (0, 1, 2)
