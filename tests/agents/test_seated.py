"""An agent in a seat: its events, its views and its faults."""

import odd_agents
import pytest
from dice import Dice
from goofspiel import Goofspiel
from kuhn import Kuhn
from nim import Nim

import parlour
from parlour import CHANCE, AgentError, Rng
from parlour.agents import AgentFault, Limit, SeatedAgent, seat_view

SECRET = b"not for players"


@pytest.fixture(autouse=True)
def told():
    odd_agents.TOLD.clear()
    return odd_agents.TOLD


def play(game, agents, seed=0, secret=SECRET):
    """Play a game between seated agents; return the states, the actions and the agents."""
    state, rng = game.start(seed), Rng(seed)
    seated = [SeatedAgent(player, seat, secret) for seat, player in enumerate(agents)]
    for each in seated:
        each.begin(state)
    states, actions = [state], []
    while state.actor != parlour.OVER:
        is_chance = state.actor == CHANCE
        action = state.sample(rng) if is_chance else seated[state.actor].choose(state)
        before, state = state, state.play(action)
        for each in seated:
            each.watch(before, action, state)
        states.append(state)
        actions.append(action)
    for each in seated:
        each.close()
    return states, actions


def test_an_agent_gets_every_event_in_order(told):
    agents = [parlour.agent("odd_agents:Diary"), parlour.agent("odd_agents:Last")]
    states, actions = play(Dice(), agents, seed=2)
    assert told[0] == ("begin", 0, states[0])
    watched = [entry for entry in told if entry[0] == "watch"]
    assert watched == [
        ("watch", 0, action, state) for action, state in zip(actions, states[1:], strict=True)
    ]
    assert [entry[2] for entry in told if entry[0] == "choose"] == [
        state for state in states if state.actor == 0
    ]
    assert told[-1] == ("close", 0)
    assert any(state.actor == CHANCE for state in states)


def test_a_seat_learns_only_what_it_may_see(told):
    agents = [parlour.agent("odd_agents:Diary"), parlour.agent("odd_agents:Diary")]
    _, actions = play(Kuhn(), agents, seed=1)
    watched = {
        seat: [entry[2] for entry in told if entry[:2] == ("watch", seat)] for seat in (0, 1)
    }
    assert watched[0] == [actions[0], None, *actions[2:]]
    assert watched[1] == [None, *actions[1:]]


def test_views_depend_only_on_secret_seat_and_event():
    state = Goofspiel(cards=13).start().play(4).play(7)
    drawn = {
        (secret, seat, number): seat_view(state, seat, secret, number).bids[0]
        for secret in (b"a", b"b")
        for seat in (0, 1)
        for number in range(20)
    }
    assert all(bids == (8,) for (_, seat, _), bids in drawn.items() if seat == 0)
    assert len({bids for (_, seat, _), bids in drawn.items() if seat == 1}) > 5
    assert [drawn[b"a", 1, n] for n in range(20)] != [drawn[b"b", 1, n] for n in range(20)]
    assert seat_view(state, 1, b"a", 3) == seat_view(state, 1, b"a", 3)


def test_watch_and_choose_get_the_same_view(told):
    agents = [parlour.agent("odd_agents:Diary"), parlour.agent("odd_agents:Diary")]
    play(Goofspiel(), agents, seed=1)
    last = {}
    for entry in told:
        if entry[0] == "watch":
            last[entry[1]] = entry[3]
        if entry[0] == "choose":
            assert entry[2] == last[entry[1]]


def test_equal_secrets_give_equal_views_and_begin_restarts_the_count(told):
    agents = [parlour.agent("odd_agents:Diary"), parlour.agent("odd_agents:Diary")]
    play(Goofspiel(), agents, seed=3)
    first = list(told)
    told.clear()
    play(Goofspiel(), agents, seed=3)
    assert told == first
    told.clear()
    play(Goofspiel(), agents, seed=3, secret=b"another")
    assert told != first


def test_without_secrets_agents_get_the_true_position():
    state = Nim().start()
    assert seat_view(state, 0, b"", 0) is state


def test_agents_get_copies_of_states():
    game = parlour.game("octa", size=2)
    start, quiet = game.start(5), SeatedAgent(parlour.agent("odd_agents:Tampering"), 0, b"")
    before = start.key()
    quiet.begin(start)
    after = start.apply(start.legal_actions()[0])
    kept = after.key()
    quiet.watch(start, start.legal_actions()[0], after)
    assert (start.key(), after.key()) == (before, kept)


def test_the_clock_is_passed_on():
    state = Nim().start()
    seated = SeatedAgent(parlour.agent("odd_agents:Clocked"), 0, b"")
    assert seated.choose(state) == 0
    assert seated.choose(state, Limit(1.5)) == 1


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("begin", "crashed: RuntimeError: no beginning"),
        ("watch", "crashed: SystemExit: 5"),
        ("close", "crashed: RuntimeError: no end"),
    ],
)
def test_an_error_in_an_event_method_is_a_fault(where, reason):
    with pytest.raises(AgentFault, match=reason) as caught:
        play(Nim(), [parlour.agent("odd_agents:Hooked", where=where), parlour.agent("random")])
    assert caught.value.code == "agent_fault"
    assert isinstance(caught.value, AgentError)


def test_choices_are_checked_against_the_true_state():
    """An agent must not play an action that is legal only in its sampled world."""

    class Loose(Kuhn):
        """A game in which only the holder of the king may bet."""

    class World(type(Kuhn().start())):
        def legal_actions(self):
            allowed = [0, 1] if self.cards[self.actor] == "K" else [0]
            return parlour.Actions(allowed)

        def determinize(self, seat, rng):
            return World(self.game, "KQ", self.bets)

    truth = World(Loose(), "JQ", "")
    seated = SeatedAgent(parlour.agent("odd_agents:Last"), 0, b"")
    with pytest.raises(AgentFault, match="illegal action: bet is not legal now"):
        seated.choose(truth)


def test_an_analysis_uses_the_view_of_the_seat():
    truths = [Kuhn().state_from_text(f"cards {cards} bets p") for cards in ("JQ", "KQ")]
    found = [SeatedAgent(parlour.agent("mcts:sims=50"), 1, b"").analyse(truth) for truth in truths]
    assert found[0].choices == found[1].choices
    with pytest.raises(AgentFault, match="invalid analysis"):
        SeatedAgent(parlour.agent("odd_agents:First"), 1, b"").analyse(truths[0])


def test_repr_shows_the_seat_and_not_the_secret():
    seated = SeatedAgent(parlour.agent("random"), 1, b"hush")
    assert repr(seated) == "<SeatedAgent parlour.agent('random') in seat 1>"
