"""Counting lines of play."""

import pytest
from dice import Dice
from nim import Nim, NimState

import parlour


def brute_force(state, depth):
    """Every line, one by one, straight from the definition."""
    if state.actor == parlour.CHANCE:
        return sum(brute_force(state.apply(a), depth) for a in state.legal_actions())
    if depth == 0:
        return 1
    return sum(brute_force(state.apply(a), depth - 1) for a in state.legal_actions())


@pytest.mark.parametrize("depth", range(7))
@pytest.mark.parametrize(
    "state",
    [Nim(heap=5).start(), Dice().start(), Dice().start().play(1), parlour.game("octa").start(1)],
    ids=["nim", "dice", "dice-rolled", "octa"],
)
def test_perft_counts_every_line_of_that_many_decisions(state, depth):
    if state.game.name == "octa":
        depth = min(depth, 3)
    assert parlour.perft(state, depth) == brute_force(state, depth)


def test_the_outcomes_of_chance_use_up_no_depth():
    assert parlour.perft(Dice().start(), 1) == 1 + 3
    assert parlour.perft(Dice().start().play(1), 0) == 3


def test_a_line_that_ends_early_does_not_count():
    assert parlour.perft(Nim(heap=1).start(), 1) == 1
    assert parlour.perft(Nim(heap=1).start(), 2) == 0
    assert parlour.perft(Nim(heap=1).start().play(0), 0) == 1


def test_divide_shows_the_count_of_each_action():
    assert parlour.divide(Nim(heap=4).start(), 2) == {"take1": 3, "take2": 2, "take3": 1}
    state = Dice().start()
    assert sum(parlour.divide(state, 3).values()) == parlour.perft(state, 3)
    rolled = state.play(1)
    assert sum(parlour.divide(rolled, 2).values()) == parlour.perft(rolled, 2)


@pytest.mark.parametrize("depth", [-1, -(2**40)])
def test_a_negative_depth_is_a_value_error(depth):
    with pytest.raises(ValueError, match=f"depth must be at least 0, not {depth}"):
        parlour.perft(Nim().start(), depth)


@pytest.mark.parametrize("depth", ["1", 1.0, None, True])
def test_a_depth_of_another_type_is_a_type_error(depth):
    with pytest.raises(TypeError):
        parlour.perft(Nim().start(), depth)


def test_a_depth_beyond_the_longest_game_counts_nothing():
    assert parlour.perft(Nim(heap=3).start(), 2**70) == 0


def test_a_game_may_be_longer_than_the_stack_is_deep():
    state = Nim(heap=1000).start()
    assert parlour.perft(OneByOne(state), 1000) == 1


class OneByOne(NimState):
    """Nim in which a turn takes exactly one."""

    def __init__(self, other):
        super().__init__(other.game, other.heap, other.seat)

    def legal_actions(self):
        return parlour.Actions([0] if self.heap else [])

    def apply(self, action):
        return OneByOne(super().apply(action))


def test_divide_needs_a_first_action():
    with pytest.raises(ValueError, match="depth must be at least 1"):
        parlour.divide(Nim().start(), 0)
