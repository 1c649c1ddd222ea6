"""The example that learns Octa by self-play."""

import sys
from pathlib import Path

import pytest

import parlour
from parlour.agents import agent

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "examples"))

from train_octa import OctaTables, Tables, train

GAMES = 400


@pytest.fixture(scope="module")
def tables():
    return train(GAMES, seed=1, side_by_side=40)


def points(player, other, starts):
    """Return the player's mean return over two games from each start, one from each seat."""
    game, won = parlour.game("octa"), 0.0
    for start in range(starts):
        for seat in (0, 1):
            state = game.start(start)
            while state.result() is None:
                state = state.apply((player if state.actor == seat else other).choose(state))
            won += (1 + state.result().returns[seat]) / 2
    return won / (2 * starts)


def test_training_improves_the_player(tables):
    assert points(OctaTables(tables=tables), OctaTables(tables=Tables()), 10) >= 0.8


def test_training_is_reproducible(tables):
    again = train(GAMES, seed=1, side_by_side=40)
    assert (again.weights == tables.weights).all()


def test_the_trained_player_is_an_agent(tables, tmp_path, monkeypatch):
    tables.save(tmp_path / "octa_tables.npz")
    monkeypatch.chdir(tmp_path)
    player = agent("train_octa:OctaTables")
    state = parlour.game("octa").start(3)
    analysis = player.analyse(state)
    assert {choice.action for choice in analysis.choices} == set(state.legal_actions())
    assert player.choose(state) == analysis.choices[0].action
    with pytest.raises(parlour.AgentError, match="9 x 9"):
        player.check_game(parlour.game("octa", size=2))
