"""The example that learns Cat and Mouse with sb3-contrib: the parts that do not need torch."""

import sys
from pathlib import Path

import numpy as np
import pytest

import parlour
import parlour.envs
from parlour.agents import agent

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "examples"))

import ppo_cat_mouse
from ppo_cat_mouse import GAMMA, Hunt, Network, potential, seen_by_cat

SIZES = (ppo_cat_mouse.Hunt.observation_space.shape[0], 8, 8)


@pytest.fixture
def network(tmp_path, monkeypatch):
    """Write a small random network, as `train` does, into the current folder."""
    rng, weights = np.random.default_rng(1), {}
    for layers, out in ((Network.ACTOR, 4), (Network.CRITIC, 1)):
        for name, rows, columns in zip(layers, (8, 8, out), SIZES, strict=True):
            weights[f"{name}.weight"] = rng.normal(size=(rows, columns)).astype(np.float32)
            weights[f"{name}.bias"] = rng.normal(size=rows).astype(np.float32)
    np.savez(tmp_path / ppo_cat_mouse.FILE, **weights)
    monkeypatch.chdir(tmp_path)
    return Network(weights)


def test_the_trained_player_is_an_agent(network):
    state = parlour.game("cat_mouse").start(3)
    analysis = agent("ppo_cat_mouse:Trained").analyse(state)
    assert {choice.action for choice in analysis.choices} == set(state.legal_actions())
    odds = network.odds(*seen_by_cat(state))
    assert analysis.choices[0].action == odds.argmax()
    assert all(-1 <= choice.value <= 1 for choice in analysis.choices)
    with pytest.raises(parlour.AgentError, match="Cat and Mouse only"):
        agent("ppo_cat_mouse:Trained").check_game(parlour.game("octa"))


def test_episodes_are_legal_and_reproducible(network):
    found = [
        parlour.envs.evaluate("ppo_cat_mouse:Trained", "cat_mouse", games=5, ply_cap=60)
        for _ in range(2)
    ]
    assert found[0] == found[1]
    state = parlour.game("cat_mouse").start(3)
    player = agent("ppo_cat_mouse:Trained", seed=1)
    drawn = {player.choose(state) for _ in range(200)}
    assert drawn <= set(state.legal_actions())


def test_the_network_sees_the_edge_as_obstacles_and_the_mouse_where_it_is():
    planes = np.zeros((3, 25, 25), np.uint8)
    planes[0, 1, 0] = planes[1, 0, 0] = planes[2, 2, 1] = 1
    windows = ppo_cat_mouse.features(planes)[: 3 * 121].reshape(3, 11, 11)
    assert windows[0, :5].all()
    assert windows[0, :, :5].all()
    assert np.argwhere(windows[0, 5:, 5:]).tolist() == [[1, 0]]
    assert windows[1, 4, 4] == 1  # the obstacle, from the mouse
    assert np.argwhere(windows[2]).tolist() == [[7, 6]]


def test_the_shaping_does_not_change_the_total_return():
    """The shaped return is the game's return plus the potential of the start: no policy gains."""
    env = Hunt(parlour.envs.versus("cat_mouse", ply_cap=80))
    for seed in range(3):
        start = potential(env.env.reset(seed=seed)[0]["observation"])
        env.reset(seed=seed)
        shaped, weight, over = 0.0, 1.0, False
        while not over:
            legal = np.flatnonzero(env.get_wrapper_attr("action_masks")())
            seen, reward, over, _, info = env.step(int(env.np_random.choice(legal)))
            assert env.observation_space.contains(seen)
            shaped += weight * reward
            last, weight = weight, weight * GAMMA
        assert shaped == pytest.approx(last * info["returns"][0] - start)
