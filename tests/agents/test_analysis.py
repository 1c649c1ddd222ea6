"""Analyses: exact values, bounds, proven ends and their order."""

import pytest
from nim import Nim

import parlour
from parlour import Rng
from parlour.agents import AT_MOST, EXACT

OCTA, BANQI, DUO = ("octa", {"size": 2}), ("banqi", {}), ("blokus", {"variant": "duo"})
POSITIONS = [
    (*OCTA, 1, 6),
    (*OCTA, 2, 14),
    (*BANQI, 1, 6),
    (*BANQI, 2, 14),
    (*DUO, 2, 20),
    (*DUO, 3, 23),
]


def position(name, options, seed, plies):
    state, rng = parlour.game(name, **options).start(seed), Rng(seed)
    for _ in range(plies):
        state = state.apply(state.sample(rng))
    while state.actor == parlour.CHANCE:
        state = state.apply(state.sample(rng))
    return state


def shown_in_order(choices):
    exact = [choice.value for choice in choices if choice.bound == EXACT]
    bounds = [choice.value for choice in choices if choice.bound == AT_MOST]
    kinds = [choice.bound for choice in choices]
    return kinds == [EXACT] * len(exact) + [AT_MOST] * len(bounds) and exact + bounds == sorted(
        exact + bounds, reverse=True
    )


def full_values(state, depth):
    """Return each action's value, searched separately with a full window."""
    agent = parlour.agent("search", depth=depth, lines=50)
    whole = agent.analyse(state).choices
    assert all(choice.bound == EXACT for choice in whole[:50])
    return {choice.action: choice.value for choice in whole[:50]}


@pytest.mark.parametrize("lines", [1, 2, 3, 5])
@pytest.mark.parametrize("case", POSITIONS)
def test_the_first_lines_are_exact_and_the_rest_are_bounds(case, lines):
    state = position(*case)
    choices = parlour.agent("search", depth=2, lines=lines).analyse(state).choices
    assert [choice.bound for choice in choices[:lines]] == [EXACT] * min(lines, len(choices))
    assert all(choice.bound == AT_MOST for choice in choices[lines:])
    assert shown_in_order(choices)
    full = full_values(state, 2)
    for choice in choices:
        if choice.bound == EXACT:
            assert choice.value == pytest.approx(full[choice.action], abs=1e-12)
        elif choice.action in full:
            assert choice.value >= full[choice.action] - 1e-12
    best = sorted(full.values(), reverse=True)[: min(lines, len(choices))]
    assert [choice.value for choice in choices[:lines]] == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("text", ["search:nodes=300", "search:nodes=3000", "mcts:sims=50"])
@pytest.mark.parametrize("case", POSITIONS)
def test_choices_are_ordered_by_proven_value(case, text):
    choices = parlour.agent(text).analyse(position(*case)).choices
    if text.startswith("mcts"):
        visits = [choice.visits for choice in choices]
        assert visits == sorted(visits, reverse=True)
    else:
        assert shown_in_order(choices)


@pytest.mark.parametrize("case", POSITIONS)
def test_lines_change_neither_the_choice_nor_the_nodes(case):
    state = position(*case)
    played, work = [], []
    for lines in (1, 3, 50):
        agent = parlour.agent("search", depth=3, lines=lines)
        played.append((agent.choose(state), agent.opinion))
        work.append(agent._visited)
    assert played[0] == played[1] == played[2]
    assert work[0] == work[1] == work[2]
    first = parlour.agent("search:depth=3,lines=1").analyse(state).choices[0]
    assert (first.action, first.value) == played[0]


def test_the_same_search_gives_the_same_analysis():
    state = position(*POSITIONS[0])
    one, other = (parlour.agent("search:nodes=2000").analyse(state) for _ in range(2))
    assert one.choices == other.choices
    assert one.work == other.work


@pytest.mark.parametrize("heap", range(1, 13))
def test_a_proven_end_has_its_number_of_plies(heap):
    """Leaving a multiple of four wins; the winner hurries and the loser delays."""
    state = Nim(heap=heap).start()
    for choice in parlour.agent("search:depth=12").analyse(state).choices:
        if choice.ends_in:
            after = state.play(choice.action)
            assert (choice.value > 0) == (after.heap % 4 == 0)
            assert choice.ends_in == 1 + plies_to_end(after.heap)
            assert choice.ends_in == len(choice.line)


def plies_to_end(heap):
    """Return how long a game lasts if the winner hurries and the loser delays."""
    if heap == 0:
        return 0
    if heap % 4 == 0:
        return 1 + max(plies_to_end(heap - taken) for taken in (1, 2, 3))
    return 1 + plies_to_end(heap - heap % 4)


def test_the_best_choice_of_a_decided_game_has_a_proven_end():
    for heap in (1, 2, 3, 5, 6, 7, 4, 8):
        first = parlour.agent("search:depth=12").analyse(Nim(heap=heap).start()).choices[0]
        assert first.ends_in > 0


def test_an_end_that_is_not_proven_is_not_claimed():
    for case in POSITIONS:
        for choice in parlour.agent("search:depth=2").analyse(position(*case)).choices:
            assert choice.ends_in == 0 or abs(choice.value) > 0.96
            assert choice.ends_in == 0 or case[0] != "banqi"


def test_an_immediate_win_has_a_proven_end():
    (choice,) = parlour.agent("mcts:sims=50").analyse(Nim(heap=2).start()).choices
    assert (choice.text, choice.value, choice.ends_in) == ("take2", 1.0, 1)
    assert all(c.ends_in == 0 for c in parlour.agent("mcts").analyse(Nim(heap=6).start()).choices)


def test_exact_returns_the_length_of_the_solution():
    state = parlour.game("cat_mouse").start(3)
    (choice,) = parlour.agent("exact").analyse(state).choices
    assert choice.ends_in == len(state.game.guide().solution(state)) == len(choice.line)


@pytest.mark.parametrize("text", ["greedy", "mcts:sims=80", "search:depth=2", "best:time=0.01"])
def test_an_agent_has_an_opinion_after_its_choice(text):
    state = position(*POSITIONS[0])
    agent = parlour.agent(text)
    assert agent.opinion is None
    agent.choose(state)
    assert -1 <= agent.opinion <= 1


def test_the_opinion_is_that_of_the_seat_that_acted():
    won, lost = Nim(heap=7).start(), Nim(heap=8).start()
    for text in ("mcts:sims=800", "search:depth=8"):
        agent = parlour.agent(text)
        agent.choose(won)
        assert agent.opinion > 0.5
        agent.choose(lost)
        assert agent.opinion < 0


def test_an_agent_without_search_has_no_opinion():
    state = Nim(heap=7).start()
    agent = parlour.agent("search:depth=2,blunder=0.999999")
    agent.choose(state)
    assert agent.opinion is None
    random = parlour.agent("random")
    random.choose(state)
    assert random.opinion is None
