"""Choices of an agent in words and as a table."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kuhn import BET, Kuhn
from nim import Nim

import parlour
from parlour.agents import AT_MOST, Analysis, Choice
from parlour.drawing.choices import (
    CLEARLY_MORE,
    CLEARLY_OFTENER,
    advice_lines,
    advice_of,
    line_words,
    settled,
    value_words,
)
from parlour.drawing.choices import choice_words as words_of

STATE = Nim(heap=7).start()


def choice_words(state, chosen, seat):
    (view,) = advice_of(state, Analysis((chosen,), 1, 0.0), seat).choices
    return words_of(view)


def analysis_lines(state, analysis, seat, *most):
    return advice_lines(advice_of(state, analysis, seat), *most)


def choice(action=2, value=0.25, visits=0, depth=3, line=("take3", "take1"), **more):
    return Choice(action, line[0], value, visits, depth, line, **more)


def test_a_choice_is_described_with_value_and_line():
    assert choice_words(STATE, choice(), 0) == "take3 (worth +0.25, then take1)"
    assert choice_words(STATE, choice(visits=12, line=("take3",)), 0) == (
        "take3 (worth +0.25, 12 visits)"
    )


def test_a_long_line_is_truncated():
    texts = ("take1",) * 7
    assert choice_words(STATE, choice(0, line=texts), None) == (
        "take1 (worth +0.25, then take1, take1, take1, take1, take1 ...)"
    )


def test_a_bound_is_described_as_at_most():
    assert value_words(choice(value=0.118, bound=AT_MOST)) == "worth at most +0.12"


def test_a_proven_end_is_described_in_plies():
    assert value_words(choice(value=0.9985, ends_in=3)) == "win in 3"
    words = choice_words(STATE, choice(visits=1, ends_in=1, line=("take3",)), 0)
    assert words == "take3 (win in 1)"
    assert value_words(choice(value=-0.999, ends_in=2)) == "loss in 2"
    assert value_words(choice(value=0.0, ends_in=4)) == "tie in 4"


def test_actions_use_the_games_words():
    game = parlour.game("blokus", variant="duo")
    state = game.start()
    found = parlour.agent("greedy").analyse(state).choices[0]
    words = choice_words(state, found, 0)
    assert words.startswith(game.action_words(state, found.action, 0) + " (worth ")
    assert not words.startswith(found.text)


def test_the_line_is_in_words_as_far_as_it_is_legal():
    game = parlour.game("banqi")
    state = game.start(1)
    text = game.action_to_text(state, state.legal_actions()[0])
    words = line_words(state, Choice(state.legal_actions()[0], text, 0.0, 0, 1, (text, "z9")), 0)
    assert words == [game.action_words(state, state.legal_actions()[0], 0), "z9"]
    assert line_words(STATE, choice(), 0) == ["take3", "take1"]


def test_with_secrets_only_the_choice_is_put_into_words():
    """The line belongs to another world: whether it can be played here is secret."""
    state = Kuhn().state_from_text("cards KJ bets p")
    line = Choice(BET, "bet", 0.1, 5, 2, ("bet", "no such thing"))
    assert line_words(state, line, 1) == ["bet", "no such thing"]


def test_a_table_shows_the_choices_in_their_order():
    choices = (
        choice(2, 0.9985, line=("take3", "take1"), ends_in=3),
        choice(1, -0.125, line=("take2",)),
        choice(0, -0.25, line=("take1",), bound=AT_MOST),
    )
    assert analysis_lines(STATE, Analysis(choices, 9, 0.1), 0) == [
        "action           value  depth  expected play",
        "take3         win in 3      3  take1",
        "take2           -0.125      3",
        "take1   at most -0.250      3",
    ]


def test_a_table_is_truncated_with_a_note():
    choices = tuple(choice(visits=9 - number, line=("take3",)) for number in range(9))
    lines = analysis_lines(STATE, Analysis(choices, 9, 0.1), None, 1)
    assert lines == [
        "action   value  visits  expected play",
        "take3   +0.250       9",
        "and 8 more",
    ]
    assert len(analysis_lines(STATE, Analysis(choices, 9, 0.1), None)) == 10


def test_placements_with_equal_words_show_their_cells():
    game = parlour.game("blokus")
    state = game.start()
    analysis = parlour.agent("greedy").analyse(state)
    lines = analysis_lines(state, analysis, None, 30)
    names = [game.action_words(state, each.action, None) for each in analysis.choices[:30]]
    assert len(set(names)) < len(names)
    for name, line, each in zip(names, lines[1:], analysis.choices, strict=False):
        assert line.startswith(f"{name} ({each.text})" if names.count(name) > 1 else f"{name}  ")


def order(values, shown, **more):
    """Settle the actions of these values, given best first."""
    ranked = sorted(values, key=values.get, reverse=True)
    return [each.action for each in settled([choice(a, values[a], **more) for a in ranked], shown)]


def test_the_first_advice_has_the_agents_order():
    assert order({0: 0.1, 1: 0.3, 2: 0.2}, ()) == [1, 2, 0]


def test_a_deeper_analysis_reorders_only_clearly_better_choices():
    shown = (0, 1, 2)
    assert order({0: 0.10, 1: 0.10 + 0.9 * CLEARLY_MORE, 2: 0.0}, shown) == [0, 1, 2]
    assert order({0: 0.10, 1: 0.10 + 1.1 * CLEARLY_MORE, 2: 0.0}, shown) == [1, 0, 2]
    assert order({0: 0.10, 1: 0.11, 2: 0.5}, shown) == [2, 0, 1]


def test_new_choices_are_inserted_by_value():
    assert order({0: 0.3, 1: 0.1, 2: 0.2}, (0, 1)) == [0, 2, 1]
    assert order({0: 0.3, 1: 0.19, 2: 0.2}, (0, 1)) == [0, 1, 2]


def test_visits_take_precedence_over_values():
    few = [choice(0, 0.1, 100), choice(1, 0.4, int(99 * CLEARLY_OFTENER))]
    many = [choice(0, 0.1, 100), choice(1, 0.0, int(102 * CLEARLY_OFTENER))]
    assert [each.action for each in settled(few, (0, 1))] == [0, 1]
    assert [each.action for each in settled(many, (0, 1))] == [1, 0]


def test_values_precede_bounds_and_earlier_wins_precede_later_ones():
    bound = [choice(1, 0.2), choice(0, 0.2, bound=AT_MOST)]
    assert [each.action for each in settled(bound, (0, 1))] == [1, 0]
    wins = [choice(1, 0.999, ends_in=2), choice(0, 0.998, ends_in=4)]
    assert [each.action for each in settled(wins, (0, 1))] == [1, 0]


@given(
    st.lists(st.integers(0, 99), min_size=1, max_size=12),
    st.lists(st.integers(0, 14), unique=True),
)
def test_no_choice_is_below_a_clearly_worse_one(hundredths, shown):
    values = {action: number / 100 for action, number in enumerate(hundredths)}
    found = order(values, shown)
    assert sorted(found) == sorted(values)
    for place, action in enumerate(found):
        assert all(values[later] <= values[action] + CLEARLY_MORE for later in found[place:])
    if shown:
        assert order(values, found) == found


def test_choices_with_few_visits_are_hidden_and_counted():
    choices = (choice(2, 0.3, 5000), choice(1, 0.2, 100), choice(0, 0.99, 99))
    advice = advice_of(STATE, Analysis(choices, 5199, 0.5), 0)
    assert [view.choice.action for view in advice.telling] == [2, 1]
    assert advice.actions == (2, 1, 0)
    assert advice_lines(advice)[-1] == "and 1 more"


def test_advice_is_final_with_a_proven_end_or_a_single_choice():
    def is_final(*choices):
        return advice_of(STATE, Analysis(choices, 1, 0.0), 0).is_final

    assert is_final(choice())
    assert is_final(choice(2, ends_in=3), choice(1))
    assert not is_final(choice(2), choice(1))


LOOKS = (200, 400, 800, 1600)


@pytest.mark.parametrize(
    ("name", "options", "agent"),
    [
        ("octa", {}, "search:nodes={}"),
        ("banqi", {}, "search:nodes={}"),
        ("blokus", {"variant": "duo"}, "mcts:sims={}"),
    ],
)
def test_the_shown_order_is_stable_during_a_search(name, options, agent):
    """Each analysis takes twice as long; lines change places rarely, and for a reason."""
    state = parlour.game(name, **options).start(3)
    rng = parlour.Rng(3)
    for _ in range(14):
        state = state.apply(state.sample(rng))
    while state.actor == parlour.CHANCE:
        state = state.apply(state.sample(rng))
    shown, looks = (), []
    for work in LOOKS:
        analysis = parlour.agent(agent.format(work)).analyse(state)
        looks.append(advice_of(state, analysis, None, shown))
        shown = looks[-1].actions
    swaps = 0
    for before, after in pairwise(looks):
        place = {action: at for at, action in enumerate(after.actions)}
        found = {view.choice.action: view.choice for view in after.choices}
        kept = [action for action in before.actions if action in found]
        for above, below in combinations(kept, 2):
            if place[below] < place[above]:
                swaps += 1
                assert standing(found[below]) >= standing(found[above])
    plain = [parlour.agent(agent.format(work)).analyse(state).choices for work in LOOKS]
    orders = [[each.action for each in choices] for choices in plain]
    assert swaps < sum(
        before.index(x) < before.index(y) and after.index(y) < after.index(x)
        for before, after in pairwise(orders)
        for x in before
        for y in before
        if x in after and y in after
    )


def standing(choice):
    """Return the value that decides the position of a choice."""
    return choice.bound != AT_MOST, choice.visits or choice.value
