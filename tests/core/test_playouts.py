"""Random games in bulk."""

import pytest
from dice import Dice, DiceState
from nim import Nim

import parlour
from parlour import OVER, ContractError, Rng


def by_hand(state, games, seed):
    """The same with the public verbs only."""
    rng = Rng(seed)
    plies, totals = 0, [0.0] * state.game.seats
    for _ in range(games):
        position = state
        while position.actor != OVER:
            plies += position.actor >= 0
            position = position.play(position.sample(rng))
        for seat, value in enumerate(position.result().returns):
            totals[seat] += value
    return (games, plies, tuple(totals))


@pytest.mark.parametrize(
    "state",
    [
        Nim().start(),
        Dice().start(),
        Dice().start().play(1),
        parlour.game("octa").start(3),
        parlour.game("cat_mouse", ply_cap=60).start(3),
    ],
    ids=["nim", "dice", "dice-rolled", "octa", "cat_mouse"],
)
def test_playouts_equal_games_played_with_sample(state):
    assert parlour.playouts(state, 20, 9) == by_hand(state, 20, 9)


def test_the_figures_have_names():
    figures = parlour.playouts(Nim(heap=1).start(), 7, 0)
    assert (figures.games, figures.plies, figures.returns) == (7, 7, (7.0, -7.0))


def test_playouts_do_not_change_the_state():
    state = parlour.game("octa").start(3)
    before = state.key()
    parlour.playouts(state, 5, 1)
    assert state.key() == before


def test_zero_games_and_a_finished_game_are_accepted():
    state = Nim(heap=1).start().play(0)
    assert parlour.playouts(state, 0) == (0, 0, (0.0, 0.0))
    assert parlour.playouts(state, 3) == (3, 0, (3.0, -3.0))


def test_the_figures_of_octa_are_the_same_in_both_builds():
    figures = parlour.playouts(parlour.game("octa").start(1), 50, 3)
    assert figures == (50, 4000, (-8.0, 8.0))


@pytest.mark.parametrize("games", [-1, -5])
def test_a_negative_number_of_games_is_a_value_error(games):
    with pytest.raises(ValueError, match="games must be at least 0"):
        parlour.playouts(Nim().start(), games)


def test_another_type_is_a_type_error():
    for games in ("1", 1.0, True, None):
        with pytest.raises(TypeError, match="games must be an int"):
            parlour.playouts(Nim().start(), games)
    for seed in ("1", 1.0, True, None):
        with pytest.raises(TypeError, match="a seed is an int"):
            parlour.playouts(Nim().start(), 1, seed)


class EndlessState(DiceState):
    """A broken game that never ends."""

    def apply(self, action):
        return EndlessState(self.game, (0, 0), 0, False)

    actor = 0


def test_exceeding_max_plies_is_a_contract_error():
    state = EndlessState(Dice(), (0, 0), 0, False)
    with pytest.raises(ContractError, match="a game of dice exceeded its max_plies, 10"):
        parlour.playouts(state, 1)
