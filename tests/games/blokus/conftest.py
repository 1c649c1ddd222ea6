"""What several test modules of Blokus need."""

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
    """Plays texts of placements from the start, or from a given state."""

    def run(*texts, state=None):
        state = classic.start() if state is None else state
        for text in texts:
            state = state.play(classic.action_from_text(state, text))
        return state

    return run


@pytest.fixture
def random_states():
    """States after so many random plies of a game, or at its end if that comes first."""

    def make(game, plies, seed):
        rng = parlour.Rng(seed)
        state = game.start()
        for _ in range(plies):
            if state.actor == parlour.OVER:
                break
            state = state.apply(state.sample(rng))
        return state

    return make
