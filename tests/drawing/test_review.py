"""Review of a whole game."""

import pytest
from climb import Climb
from dice import Dice
from kuhn import Kuhn
from nim import Nim

import parlour
from parlour import CHANCE, OVER, Record
from parlour.agents import AT_MOST, Analysis, Choice
from parlour.drawing.review import MUCH, SOME, Review, standing_words

NAMES = ("one", "two")


def choice(action, value, state=None, visits=0, **more):
    text = str(action) if state is None else state.game.action_to_text(state, action)
    return Choice(action, text, value, visits, 1, (text,), **more)


def saying(**values):
    """Return an adviser with given values for the actions of Nim, by heap and action."""

    def ask(state):
        told = values[f"heap{state.heap}"]
        choices = [choice(action, value, state) for action, value in told.items()]
        return Analysis(tuple(sorted(choices, key=lambda c: -c.value)), 1, 0.0)

    return ask


def reviewed(record, ask, returns=None):
    review = Review(record, returns)
    assert list(review.steps(ask)) == list(review.decisions)
    return review


def played(game, seed=1, at=0):
    """Play a whole game, with the legal action at this index each time."""
    state, actions = game.start(seed), []
    while state.actor != OVER:
        actions.append(state.legal_actions()[at])
        state = state.apply(actions[-1])
    return Record(game, seed, actions)


def test_a_blunder_is_marked_with_the_better_action():
    record = Record(Nim(heap=9), 0, [0, 1, 2])
    ask = saying(heap9={1: 0.4, 0: -0.1}, heap8={0: 0.2, 1: 0.0}, heap6={2: 0.9, 1: 0.1})
    review = reviewed(record, ask)
    first, second, third = (review.verdict(ply) for ply in range(3))
    assert (first.mark, first.lost) == (MUCH, 0.5)
    assert first.best.words == ("take2",)
    assert (second.mark, second.lost) == (SOME, 0.2)
    assert (third.mark, third.is_best) == ("", True)


def test_positions_without_analysis_have_no_verdict():
    review = Review(Record(Nim(heap=9), 0, [0, 1]))
    assert review.verdict(0) is None
    assert review.words(0) == ""
    assert review.series(0) == [None, None, None]
    assert not review.is_whole


def test_the_line_of_two_seats_is_the_first_ones_and_ends_with_the_result():
    review = reviewed(Record(Nim(heap=3), 0, [0, 1]), saying(heap3={2: 1.0, 0: 0}, heap2={1: 1.0}))
    result = review.record.final.result().returns
    assert review.series(0) == [1.0, -1.0, result[0]]
    assert review.series(1) == [-1.0, 1.0, result[1]]


def test_an_action_that_ends_the_game_is_worth_what_it_ended_with():
    review = reviewed(Record(Nim(heap=1), 0, [0]), saying(heap1={0: 0.1}))
    assert review.verdict(0).played == review.record.final.result().returns[0]


def test_a_game_ended_by_the_players_uses_their_result():
    review = Review(Record(Nim(heap=9), 0, [0]), (-1.0, 1.0))
    assert review.series(0)[-1] == -1.0
    assert Review(Record(Nim(heap=9), 0, [0])).series(0)[-1] is None


@pytest.mark.parametrize("more", [{"bound": AT_MOST}, {"visits": 3}])
def test_a_choice_with_few_visits_is_valued_by_the_next_position(more):
    def ask(state):
        if state.heap == 9:
            return Analysis((choice(1, 0.4, state, 900), choice(0, -1.0, state, **more)), 1, 0.0)
        return Analysis((choice(0, -0.3, state),), 1, 0.0)

    review = reviewed(Record(Nim(heap=9), 0, [0, 0]), ask)
    assert review.verdict(0).played == 0.3
    assert review.verdict(0).mark == ""


def test_with_more_seats_each_has_its_own_line_that_stays_between_its_turns():
    record = played(Climb())
    agent = parlour.agent("greedy")
    review = reviewed(record, agent.analyse)
    for seat in range(record.game.seats):
        series = review.series(seat)
        own = [ply for ply in review.decisions if record.states[ply].actor == seat]
        for ply in own:
            assert series[ply] == review.advices[ply].choices[0].choice.value
            if ply + 1 not in own and ply + 1 < len(record.actions):
                assert series[ply + 1] == series[ply]
        assert series[-1] == record.final.result().returns[seat]


def test_chance_decides_nothing_and_keeps_the_line():
    record = played(Dice(), at=-1)
    review = reviewed(record, parlour.agent("greedy").analyse)
    chances = [ply for ply, state in enumerate(record.states) if state.actor == CHANCE]
    assert chances
    assert not set(chances) & set(review.decisions)
    assert all(review.series(0)[ply] == review.series(0)[ply - 1] for ply in chances if ply)


def test_with_secrets_a_review_needs_the_end_and_uses_the_seats_view():
    game = Kuhn()
    record = played(game)
    assert not Review(Record(game, 1, record.actions[:-1])).is_allowed
    assert Review(Record(game, 1, record.actions[:-1]), (-1.0, 1.0)).is_allowed
    others = set()
    for seed in range(40):
        asked = []
        game_seed = Record(game, seed, record.actions)
        review = Review(game_seed)
        assert review.is_allowed
        ask = parlour.agent("mcts:sims=2").analyse
        list(review.steps(lambda state, ask=ask, asked=asked: (asked.append(state), ask(state))[1]))
        assert all(state.cards[0] == record.states[2].cards[0] for state in asked[::2])
        others |= {state.cards[1] for state in asked[::2]}
    assert record.states[2].cards[0] not in others


def test_the_state_of_the_game_is_described_in_words():
    assert standing_words(NAMES, 0, choice(0, 0.45)) == "one is better (+0.45)"
    assert standing_words(NAMES, 0, choice(0, -0.95)) == "two is winning (+0.95)"
    assert standing_words(NAMES, 1, choice(0, 0.2)) == "two is slightly better (+0.20)"
    assert standing_words(NAMES, 1, choice(0, -0.05)) == "even"
    assert standing_words(NAMES, 0, choice(0, 0.99, ends_in=7)) == "one wins in 7"
    assert standing_words(NAMES, 0, choice(0, -0.99, ends_in=2)) == "two wins in 2"
    assert standing_words(NAMES, 0, choice(0, 0.0, ends_in=4)) == "a tie in 4"


def test_with_one_or_many_seats_the_actor_is_described():
    assert standing_words(("cat",), 0, choice(0, -0.7)) == "cat is much worse (-0.70)"
    assert standing_words(("cat",), 0, choice(0, -1.0)) == "cat is losing (-1.00)"
    assert standing_words(("cat",), 0, choice(0, -0.99, ends_in=3)) == "cat loses in 3"
    assert standing_words("abcd", 2, choice(0, 0.02)) == "even (+0.02 for c)"


def test_with_one_seat_a_detour_is_counted_in_actions():
    game = parlour.game("cat_mouse")
    record = played(game, 7, at=-1)
    review = reviewed(Record(game, 7, record.actions[:12]), parlour.agent("exact").analyse)
    verdicts = [review.verdict(ply) for ply in review.decisions]
    for ply, verdict in enumerate(verdicts[:-1]):
        longer = review.ends_in(ply + 1) - review.ends_in(ply) + 1
        assert verdict.detour == longer
        assert bool(verdict.mark) == (longer > 0)
    assert any(verdict.detour for verdict in verdicts)
    assert any(not verdict.detour for verdict in verdicts[:-1])
