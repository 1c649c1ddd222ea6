"""Fixtures for the tests of Blokus."""

import pytest

import parlour
from parlour.games.blokus import GameState


@pytest.fixture
def classic():
    return parlour.game("blokus")


@pytest.fixture
def new():
    return GameState.new()


@pytest.fixture
def play(classic):
    """Return a function that plays texts of placements from the start or a given state."""

    def run(*texts, state=None):
        state = classic.start() if state is None else state
        for text in texts:
            state = state.play(classic.action_from_text(state, text))
        return state

    return run


@pytest.fixture
def random_states():
    """Return a function that gives the state after random plies, or the end if it comes first."""

    def make(game, plies, seed):
        rng = parlour.Rng(seed)
        state = game.start()
        for _ in range(plies):
            if state.actor == parlour.OVER:
                break
            state = state.apply(state.sample(rng))
        return state

    return make
