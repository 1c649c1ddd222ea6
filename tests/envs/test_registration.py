"""Gymnasium registration, rendering, and the cost of importing."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from env_games import EVERY, legal, same
from kuhn import Kuhn

import parlour
import parlour.envs
from parlour.envs import env_id


@pytest.fixture
def _gymnasium():
    """Undo the registrations of a test."""
    before = dict(gymnasium.registry)
    yield
    gymnasium.registry.clear()
    gymnasium.registry.update(before)


@pytest.mark.parametrize(
    ("name", "known"),
    [("cat_mouse", "CatMouse"), ("octa", "Octa"), ("twenty-one", "TwentyOne")],
)
def test_names_are_in_words_with_capitals(name, known):
    assert env_id(name) == f"parlour/{known}-v0"


@pytest.mark.parametrize("name", parlour.game_names())
def test_every_game_is_made_by_its_name_and_is_versus(name):
    env = gymnasium.make(f"parlour.envs:{env_id(name)}", opponents="random", seat=0)
    alone = parlour.envs.versus(name, opponents="random", seat=0)
    assert env.spec.id == env_id(name)
    assert same(env.reset(seed=3), alone.reset(seed=3))
    rng = np.random.default_rng(1)
    action = legal(alone.action_masks(), rng)
    assert same(env.step(action), alone.step(action))
    env.close()


def test_options_and_settings_go_through_make():
    env = gymnasium.make("parlour.envs:parlour/Octa-v0", size=1, opponents="random", max_plies=2)
    assert env.unwrapped.game == parlour.game("octa", size=1)
    with pytest.raises(parlour.OptionError, match="octa has no option 'sise'"):
        gymnasium.make("parlour.envs:parlour/Octa-v0", sise=1)


@pytest.mark.usefixtures("_gymnasium")
def test_a_game_registered_later_can_be_made():
    parlour.register("kuhn", Kuhn)
    assert "parlour/Kuhn-v0" in parlour.envs.register_games()
    env = gymnasium.make("parlour/Kuhn-v0", opponents="random")
    seen, _ = env.reset(seed=1)
    assert seen in env.observation_space


def test_make_vec_means_the_same_as_make():
    many = gymnasium.make_vec(
        "parlour.envs:parlour/Octa-v0",
        num_envs=3,
        size=2,
        turn_limit=4,
        opponents="random",
        statistics=True,
    )
    alone = [parlour.envs.versus("octa:size=2,turn_limit=4", opponents="random") for _ in range(3)]
    seen, infos = many.reset(seed=7)
    for index, env in enumerate(alone):
        own, info = env.reset(seed=7 + index)
        assert same(own, {name: array[index] for name, array in seen.items()})
        assert info["seat"] == infos["seat"][index]
    rng = np.random.default_rng(1)
    for _ in range(2):
        actions = [legal(mask, rng) for mask in seen["action_mask"]]
        seen, rewards, over, _, infos = many.step(np.array(actions))
        singles = [env.step(action) for env, action in zip(alone, actions, strict=True)]
        assert rewards.tolist() == [single[1] for single in singles]
    assert over.all()
    assert infos["episode"]["l"].tolist() == [2, 2, 2]
    many.close()


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_ansi_renders_the_spectators_view(game):
    env = parlour.envs.aec(game, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert env._episode.state.scene(None).status in text


def test_rgb_array_renders_the_current_position():
    env = parlour.envs.versus("octa", opponents="random", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert first.dtype == np.uint8
    assert first.ndim == 3
    assert first.shape[2] == 3
    env.step(legal(env.action_masks(), np.random.default_rng(1)))
    second = env.render()
    assert second.shape == first.shape
    assert not np.array_equal(first, second)


def test_human_prints_every_position(capsys):
    env = parlour.envs.versus("octa:size=1", opponents="random", render_mode="human", seat=0)
    env.reset(seed=1)
    assert capsys.readouterr().out.count("\n\n") >= 1
    env.step(legal(env.action_masks(), np.random.default_rng(1)))
    assert "turn" in capsys.readouterr().out.lower()
    env = parlour.envs.versus("octa:size=1", opponents="random")
    env.reset(seed=1)
    assert env.render() is None
    assert capsys.readouterr().out == ""


def test_a_game_with_secrets_is_rendered_for_its_own_seat():
    env = parlour.envs.versus(Kuhn(), opponents="random", render_mode="ansi", seat=0)
    env.reset(seed=1)
    from parlour.drawing.text import draw

    assert env.render() == draw(env._episode.state.scene(0))
    assert env.render() != draw(env._episode.state.scene(1))


IMPORTS = """
import sys
import parlour
heavy = [name for name in ("gymnasium", "numpy", "pettingzoo", "pyspiel") if name in sys.modules]
assert heavy == [], heavy
import parlour.envs
assert "gymnasium" in sys.modules
late = [name for name in ("pettingzoo", "pyspiel", "resvg_py", "PIL") if name in sys.modules]
assert late == [], late
"""


def test_imports_load_only_what_they_need():
    done = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True)
    assert done.stderr == ""


WITHOUT = """
import sys
sys.modules["{module}"] = None
import parlour
try:
    import parlour.envs
    parlour.envs.aec("octa")
except parlour.MissingExtra as error:
    print(error)
"""


@pytest.mark.parametrize("module", ["gymnasium", "numpy", "pettingzoo"])
def test_a_missing_extra_is_reported_with_the_install_command(module):
    code = WITHOUT.format(module=module)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'parlour[envs]'" in done.stdout, done.stderr
