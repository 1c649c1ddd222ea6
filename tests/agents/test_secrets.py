"""Games with hidden information: agents know only what their seat knows, and mcts plays them."""

import math
import pickle
import re

import pytest
from goofspiel import Goofspiel
from kuhn import BET, PASS, Kuhn

import parlour
from parlour import CHANCE, OVER, Actions, AgentError, Game, Result, Rng, State
from parlour.agents import Agent, Analysis, SeatedAgent
from parlour.agents.base import Clock
from parlour.agents.hints import analyse
from parlour.agents.ismcts import CHANCES, HIDDEN, WorldTree, think
from parlour.agents.rollout import Rollout

HANDS = 1200
DEALS = ["JQ", "JK", "QJ", "QK", "KJ", "KQ"]


class Ticking:
    """A clock that advances by a tick on every reading."""

    def __init__(self):
        self.time = 0.0

    def __call__(self):
        self.time += 0.001
        return self.time


def made(text, seed=0):
    """Return an agent whose seconds are readings of the clock: reproducible on every machine."""
    agent = parlour.agent(text, seed=seed)
    agent.now = Ticking()
    return agent


# Kuhn poker has a known equilibrium. Against it no player wins more than the value of the game,
# unless the player sees the opponent's card.

VALUE = 1 / 18
BLUFF = 1 / 5


def equilibrium_bets(state):
    """Return how often the seat to act bets, given its card and the bets so far."""
    card = state.cards[state.actor]
    return {
        "": {"J": BLUFF, "Q": 0.0, "K": 3 * BLUFF},
        "p": {"J": 1 / 3, "Q": 0.0, "K": 1.0},
        "b": {"J": 0.0, "Q": 1 / 3, "K": 1.0},
        "pb": {"J": 0.0, "Q": BLUFF + 1 / 3, "K": 1.0},
    }[state.bets][card]


def chips_won(player, seat, hands=HANDS, seated=True):
    """Return the mean and the standard error of a player's gain against the equilibrium."""
    game, rng = Kuhn(), Rng(seat)
    won = []
    for hand in range(hands):
        state = game.state_from_text(f"cards {DEALS[hand % len(DEALS)]} bets -")
        asked = SeatedAgent(player, seat, b"%d" % hand)
        while state.actor != OVER:
            if state.actor == seat:
                action = asked.choose(state) if seated else player.choose(state)
            else:
                action = BET if rng.random() < equilibrium_bets(state) else PASS
            state = state.play(action)
        won.append(state.result().scores[seat])
    mean = sum(won) / hands
    variance = sum((chips - mean) ** 2 for chips in won) / (hands - 1)
    return mean, math.sqrt(variance / hands)


HONEST = ["mcts:sims=8", "mcts:sims=60", "greedy", "random", "best:time=0.04", "level:5"]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("text", HONEST)
def test_no_agent_exceeds_the_value_of_kuhn_poker(text, seat):
    mean, error = chips_won(made(text, seed=5), seat)
    assert mean <= (VALUE if seat == 1 else -VALUE) + 3 * error


class Cheat(Agent):
    """Plays the best response to the equilibrium, with the cards that it sees."""

    def best(self, state):
        seat = state.actor
        return max((PASS, BET), key=lambda action: self.worth(state.play(action), seat))

    def worth(self, state, seat):
        if state.actor == OVER:
            return state.result().scores[seat]
        passed, bet = (self.worth(state.play(action), seat) for action in (PASS, BET))
        if state.actor == seat:
            return max(passed, bet)
        often = equilibrium_bets(state)
        return (1 - often) * passed + often * bet

    def analyse(self, state):
        return Analysis((), 0, 0.0)


@pytest.mark.parametrize("seat", [0, 1])
def test_seeing_the_cards_wins_more_and_seats_hide_them(seat):
    most = VALUE if seat == 1 else -VALUE
    mean, error = chips_won(Cheat(), seat, seated=False)
    assert mean > most + 3 * error
    mean, error = chips_won(Cheat(), seat)
    assert mean <= most + 3 * error


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("cards QK bets b", BET),
        ("cards QJ bets b", PASS),
        ("cards KJ bets b", PASS),
        ("cards KQ bets pb", BET),
        ("cards JQ bets pb", PASS),
        ("cards JK bets pb", PASS),
    ],
)
def test_mcts_calls_with_the_king_and_never_with_the_jack(text, wanted):
    state = Kuhn().state_from_text(text)
    analysis = parlour.agent("mcts:sims=200").analyse(state)
    assert analysis.choices[0].action == wanted
    assert analysis.choices[0].value == (1.0 if wanted == BET else -0.5)


# In Goofspiel the second seat bids while the first one's bid lies face down.


class Snoop(Agent):
    """Looks for the pending bid in everything it receives, and reports its guess."""

    def __init__(self):
        super().__init__()
        self.heard = None
        self.guesses = {}

    def watch(self, action, after):
        self.heard = None if action is None else action + 1
        self.watched = after

    def best(self, state):
        text = state.game.state_to_text(state)
        self.guesses = {
            "state": state.bids[0][-1],
            "text": int(re.search(r"first [0-9,]*?([0-9]+) second", text)[1]),
            "pickle": pickle.loads(pickle.dumps(state)).bids[0][-1],
            "watched": self.heard or self.watched.bids[0][-1],
        }
        beating = [action for action in state.legal_actions() if action + 1 > state.bids[0][-1]]
        return beating[0] if beating else state.legal_actions()[0]

    def analyse(self, state):
        return Analysis((), 0, 0.0)


def snooped(games, seated):
    """Return how often each place revealed the pending bid, the chance level and its deviation."""
    game, hits = Goofspiel(cards=6), dict.fromkeys(("state", "text", "pickle", "watched"), 0)
    expected = variance = 0.0
    for number in range(games):
        rng, state, snoop = Rng(number), game.start(), Snoop()
        asked = SeatedAgent(snoop, 1, b"%d" % number)
        asked.begin(state)
        while state.actor != OVER:
            if state.actor != 1:
                action = state.sample(rng)
            else:
                action = asked.choose(state) if seated else snoop.choose(state)
                share = 1 / len(state.legal_actions())
                expected += share
                variance += share * (1 - share)
                for place, guess in snoop.guesses.items():
                    hits[place] += guess == state.bids[0][-1]
            before, state = state, state.play(action)
            if seated:
                asked.watch(before, action, state)
            else:
                snoop.watch(action, state)
    return hits, expected, math.sqrt(variance)


def test_a_pending_bid_is_not_revealed():
    hits, expected, deviation = snooped(150, seated=True)
    for place, count in hits.items():
        assert count <= expected + 3 * deviation, place


def test_without_hiding_the_bid_is_found():
    hits, expected, deviation = snooped(20, seated=False)
    assert min(hits.values()) > expected + 10 * deviation


@pytest.mark.parametrize("seat", [0, 1])
def test_mcts_beats_random_bids(seat):
    game, total = Goofspiel(cards=4), 0.0
    for number in range(30):
        rng, state = Rng(number), game.start()
        player = SeatedAgent(parlour.agent("mcts:sims=60", seed=number), seat, b"%d" % number)
        player.begin(state)
        while state.actor != OVER:
            is_own = state.actor == seat
            action = player.choose(state) if is_own else state.sample(rng)
            before, state = state, state.play(action)
            player.watch(before, action, state)
        total += state.result().returns[seat]
    assert total > 9


# Agents must not and cannot use hidden information.

WORLDS = [
    (Kuhn(), "cards JQ bets p", "cards KQ bets p"),
    (Kuhn(), "cards QJ bets pb", "cards QK bets pb"),
    (Goofspiel(), "prizes 3,4 first 2,1 second 5", "prizes 3,4 first 2,5 second 5"),
]


@pytest.mark.parametrize("text", [*HONEST, "mcts:sims=30,blunder=0.3"])
@pytest.mark.parametrize("case", range(len(WORLDS)))
def test_indistinguishable_worlds_give_the_same_choice(case, text):
    game, *texts = WORLDS[case]
    one, other = (game.state_from_text(each) for each in texts)
    assert one != other
    assert one.scene(one.actor) == other.scene(other.actor)
    for seed in range(8):
        assert made(text, seed).choose(one) == made(text, seed).choose(other)
        found = [made(text, seed).analyse(state).choices for state in (one, other)]
        assert found[0] == found[1]


@pytest.mark.parametrize("case", range(len(WORLDS)))
def test_a_hint_uses_the_view_of_the_seat(case):
    game, *texts = WORLDS[case]
    one, other = (game.state_from_text(each) for each in texts)
    for adviser in ("mcts:sims=40", "greedy"):
        found = [analyse(state, adviser=adviser).choices for state in (one, other)]
        assert found[0] == found[1]
        seat = one.actor
        found = [analyse(state, seat, b"x", adviser).choices for state in (one, other)]
        assert found[0] == found[1]


@pytest.mark.parametrize("name", ["search", "exact"])
@pytest.mark.parametrize("game", [Kuhn(), Goofspiel()])
def test_perfect_information_agents_refuse_games_with_secrets(name, game):
    state, rng = game.start(), Rng(1)
    while state.actor == CHANCE:
        state = state.play(state.sample(rng))
    agent = parlour.agent(name)
    said = f"{name} cannot play games with secrets such as {game.name}; use mcts"
    for ask, about in ((agent.check_game, game), (agent.choose, state), (agent.analyse, state)):
        with pytest.raises(AgentError) as caught:
            ask(about)
        assert str(caught.value) == said


# The tree of mcts over many worlds.


def grown(state, sims=300):
    clock, rng = Clock(sims, 0.0), Rng(1)
    return think(state, clock, rng, 0.7, Rollout(parlour.heuristics(state.game), rng, 0, clock))[0]


def test_invisible_actions_share_one_edge():
    tree = grown(Goofspiel(cards=3).start().play(0).play(0))
    assert isinstance(tree, WorldTree)
    (own, *_) = tree.children(0)
    (prize, *_) = tree.children(own)
    assert [tree.edge[node] for node in tree.children(prize)] == [HIDDEN]


def test_visible_actions_have_their_own_edges():
    class HalfOpen(Goofspiel):
        """The lowest card is bid openly."""

        def can_see(self, state, action, seat):
            return super().can_see(state, action, seat) or action == 0

    game = HalfOpen(cards=4, prizes="descending")
    tree = grown(game.start().play(3))
    for own in tree.children(0):
        edges = sorted(tree.edge[node] for node in tree.children(own))
        assert edges == [HIDDEN, 0]


def test_visits_add_up_and_never_exceed_availability():
    tree = grown(Kuhn().state_from_text("cards QJ bets -"), 200)
    assert sum(tree.visits[node] for node in tree.children(0)) == tree.visits[0] == 200
    frontier = [0]
    while frontier:
        for child in tree.children(frontier.pop()):
            assert 0 < tree.visits[child] <= tree.available[child] <= 200
            frontier.append(child)


def test_a_principal_variation_stops_before_an_invisible_action():
    game = Goofspiel(cards=3)
    state = game.start().play(0).play(0)
    for choice in parlour.agent("mcts:sims=400").analyse(state).choices:
        assert choice.line[0] == game.action_to_text(state, choice.action)
        assert len(choice.line) <= 2


class Detour(Game):
    """The first seat moves, the second secretly rolls a die or does not, the first moves again.

    The first seat scores the sum of its moves minus the roll.
    """

    def __init__(self):
        super().__init__(
            name="detour",
            title="Detour",
            seats=2,
            num_actions=2,
            max_plies=3,
            has_chance=True,
            has_secrets=True,
        )

    def start(self, seed=0):
        return DetourState(self, ())

    def can_see(self, state, action, seat):
        return state.actor != 1 or seat == 1

    def state_to_text(self, state):
        return "".join(map(str, state.moves))

    def state_from_text(self, text):
        return DetourState(self, tuple(map(int, text)))

    def scene(self, state, seat):
        raise NotImplementedError


class DetourState(State):
    def __init__(self, game, moves):
        super().__init__(game)
        self.moves = moves

    @property
    def actor(self):
        if len(self.moves) < 2:
            return len(self.moves)
        rolled = self.moves[1] == 1
        if rolled and len(self.moves) == 2:
            return CHANCE
        return OVER if len(self.moves) == (4 if rolled else 3) else 0

    def legal_actions(self):
        if self.actor == CHANCE:
            return Actions(range(5, 9))
        return Actions([] if self.actor == OVER else [0, 1])

    def chance_outcomes(self):
        return [(side, 0.25) for side in range(5, 9)] if self.actor == CHANCE else []

    def apply(self, action):
        return DetourState(self.game, (*self.moves, int(action)))

    def result(self):
        if self.actor != OVER:
            return None
        value = (self.moves[0] + self.moves[-1] - 1) / 2
        return Result((value, -value), None, "over")

    def determinize(self, seat, rng):
        return self

    def key(self):
        return self.moves


def test_chance_and_action_edges_are_distinct():
    state = Detour().start()
    tree = grown(state, 400)
    (own, _) = tree.children(0)
    (hidden,) = tree.children(own)
    assert tree.edge[hidden] == HIDDEN
    edges = {tree.edge[node] for node in tree.children(hidden)}
    assert edges == {0, 1, *(CHANCES - side for side in range(5, 9))}
    assert tree.edge[own] == 1
    first = parlour.agent("mcts:sims=400").analyse(state).choices[0]
    assert first.line[0] == "1"
