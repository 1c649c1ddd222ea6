"""AEC environments: observations, rewards, refusals and copies."""

import copy
import pickle
import re

import numpy as np
import pytest
from env_games import EVERY, OURS, WITH_SECRETS, legal, parts, same
from nim import Nim

import parlour
import parlour.envs
from parlour import IllegalAction, OptionError, Rng
from parlour.envs import NotRunning

EACH = pytest.mark.parametrize("game", EVERY, ids=repr)


def walk(env, seed, plies=12):
    """Play at random; yield the environment and the agent to act before each decision."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(plies):
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            return
        yield agent
        env.step(legal(env.observe(agent)["action_mask"], rng))


def finished(env, seed=1):
    """Play at random to the end of the game."""
    for _ in walk(env, seed, 10_000):
        pass
    return env


@EACH
def test_observations_are_in_their_space_and_fresh_each_time(game):
    env = parlour.envs.aec(game)
    for _ in walk(env, 3, 6):
        for agent in env.agents:
            seen = env.observe(agent)
            assert seen in env.observation_space(agent)
            for array in seen.values():
                array.fill(1)
            assert not same(seen, env.observe(agent)) or all((v == 1).all() for v in seen.values())


@EACH
def test_the_observation_of_the_actor_changes_with_the_action(game):
    env = parlour.envs.aec(game)
    before = None
    for agent in walk(env, 4):
        if before is not None:
            mover, seen = before
            assert not np.array_equal(seen, parts(env.observe(mover)))
        before = agent, parts(env.observe(agent))


@EACH
def test_the_mask_has_the_actors_legal_actions_and_zeros_for_others(game):
    env = parlour.envs.aec(game)
    for acting in walk(env, 5, 6):
        for agent in env.agents:
            mask = env.observe(agent)["action_mask"]
            if agent == acting:
                state = env._episode.state
                assert np.flatnonzero(mask).tolist() == list(state.legal_actions())
            else:
                assert not mask.any()


@EACH
def test_every_agent_gets_its_return_at_the_end_and_nothing_before(game):
    env = parlour.envs.aec(game)
    for _ in walk(env, 6, 10_000):
        assert set(env.rewards.values()) == {0.0}
    result = env._episode.state.result()
    assert list(env.rewards.values()) == list(result.returns)
    assert list(env._cumulative_rewards.values()) == list(result.returns)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    if game.seats > 1:
        assert sum(env.rewards.values()) == pytest.approx(0.0)
    for agent in env.possible_agents:
        assert not env.observe(agent)["action_mask"].any()


@pytest.mark.parametrize(
    ("name", "other"),
    [("octa", "other"), ("banqi", "other"), ("blokus:variant=duo", "colour 1 further")],
)
def test_own_and_enemy_planes_swap_for_the_other_seat(name, other):
    env = parlour.envs.aec(name)
    planes = parlour.observer(name).planes
    turned = {"own": other, other: "own"}
    swapped = [
        planes.index(re.sub(rf"\b(own|{other})\b", lambda word: turned[word[0]], each))
        for each in planes
    ]
    assert sorted(swapped) != swapped
    for _ in walk(env, 7, 30):
        first = env.observe("player_0")["observation"]
        second = env.observe("player_1")["observation"]
        assert np.array_equal(first[swapped], second)


def test_equal_positions_of_banqi_give_equal_bytes():
    env = parlour.envs.aec("banqi")
    for agent in walk(env, 8, 40):
        state = env._episode.state
        again = state.game.state_from_text(state.game.state_to_text(state))
        seat = env.possible_agents.index(agent)
        assert same(env._encoder.observe(again, seat), env.observe(agent))


@pytest.mark.parametrize("game", WITH_SECRETS, ids=repr)
def test_an_observation_has_no_hidden_information(game):
    env = parlour.envs.aec(game)
    for seed in range(5):
        for _ in walk(env, seed):
            state = env._episode.state
            for seat, agent in enumerate(env.possible_agents):
                drawn = state.determinize(seat, Rng(seed))
                assert same(env._encoder.observe(drawn, seat), env.observe(agent))


@EACH
def test_a_copy_is_independent_and_reproducible(game):
    env = parlour.envs.aec(game)
    for number, _ in enumerate(walk(env, 9)):
        if number == 3:
            break
    before = [env.observe(agent) for agent in env.possible_agents]
    for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        played = [(env_of.observe(env_of.agent_selection)) for env_of in (env, again)]
        assert same(*played)
        if again.agents and not again.terminations[again.agent_selection]:
            again.step(legal(played[1]["action_mask"], np.random.default_rng(2)))
    assert same(before, [env.observe(agent) for agent in env.possible_agents])
    one, two = copy.deepcopy(env), copy.deepcopy(env)
    rngs = np.random.default_rng(3), np.random.default_rng(3)
    while one.agents and not any(one.terminations.values()):
        for each, rng in zip((one, two), rngs, strict=True):
            each.step(legal(each.observe(each.agent_selection)["action_mask"], rng))
    assert one.rewards == two.rewards


def test_a_seed_reproduces_all_following_episodes():
    def games(env, seed):
        env.reset(seed=seed)
        yield env.observe("player_0")
        for _ in range(3):
            env.reset()
            yield env.observe("player_0")

    one, two = parlour.envs.aec("octa"), parlour.envs.aec("octa")
    first = list(games(one, 5))
    assert same(first, list(games(two, 5)))
    assert not same(first[0], first[1])
    assert not same(first, list(games(two, 6)))


@pytest.mark.parametrize("action", [99999, -1, "2,2", None, 2.0, True, [1], np.array([1, 2])])
def test_an_illegal_action_raises_and_changes_nothing(action):
    env = parlour.envs.aec("octa")
    env.reset(seed=1)
    before = copy.deepcopy(env)
    with pytest.raises(IllegalAction):
        env.step(action)
    assert env.agent_selection == before.agent_selection
    assert same(env.observe("player_0"), before.observe("player_0"))


def test_an_illegal_action_is_reported_with_the_rule():
    env = parlour.envs.aec("octa")
    env.reset(seed=1)
    taken = int(np.flatnonzero(env.observe("player_0")["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction, match="choose one of your own"):
        env.step(taken)


@pytest.mark.parametrize("game", [OURS[0], OURS[4], OURS[7]], ids=repr)
def test_with_lose_an_illegal_action_ends_the_episode_with_minus_one(game):
    env = parlour.envs.aec(game, illegal="lose")
    env.reset(seed=1)
    mask = env.observe("player_0")["action_mask"]
    env.step(int(np.argmin(mask)))
    assert env.rewards["player_0"] == -1.0
    if game.seats > 1:
        assert sum(env.rewards.values()) == pytest.approx(0.0)
    assert all(env.terminations.values())


def test_with_lose_a_non_action_still_raises():
    env = parlour.envs.aec("octa", illegal="lose")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="an action must be an int id, not str"):
        env.step("2,2")
    assert not any(env.terminations.values())


def test_only_max_plies_truncates():
    env = parlour.envs.aec("octa", max_plies=3)
    assert len(list(walk(env, 1, 100))) == 3
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}
    env = finished(parlour.envs.aec("octa:size=1,turn_limit=4"))
    assert all(env.terminations.values())


def test_statistics_have_return_length_and_seconds_of_each_seat():
    env = parlour.envs.aec("octa:size=1,turn_limit=5", statistics=True)
    times = iter([10.0, 12.5, 12.5])
    env.now = lambda: next(times)
    finished(env)
    told = {agent: info["episode"] for agent, info in env.infos.items()}
    assert [each["l"] for each in told.values()] == [3, 2]
    assert [each["t"] for each in told.values()] == [2.5, 2.5]
    assert {agent: each["r"] for agent, each in told.items()} == env.rewards
    assert finished(parlour.envs.aec("octa:size=1")).infos == {"player_0": {}, "player_1": {}}


def test_flat_observations_are_one_array_and_the_mask_is_in_the_infos():
    env = parlour.envs.aec("octa", flat=True)
    env.reset(seed=1)
    plain = parlour.envs.aec("octa")
    plain.reset(seed=1)
    seen, bytes_ = env.observe("player_0"), parts(plain.observe("player_0"))
    assert seen.dtype == np.float32
    assert np.array_equal(seen == 0, bytes_ == 0)
    assert set(seen[bytes_ == 1]) == {0.125}
    assert set(seen[bytes_ == 255]) == {1.0}
    mask = plain.observe("player_0")["action_mask"]
    assert np.array_equal(env.infos["player_0"]["action_mask"], mask)
    assert not env.infos["player_1"]["action_mask"].any()


def test_after_the_end_only_none_is_accepted():
    env = finished(parlour.envs.aec("octa:size=1"))
    with pytest.raises(IllegalAction, match="the episode is over for player_"):
        env.step(0)
    env.step(None)
    env.step(None)
    assert env.agents == []
    with pytest.raises(NotRunning, match="over for all agents: reset"):
        env.step(None)
    env.reset()
    assert env.agents == ["player_0", "player_1"]


def test_methods_raise_before_reset_and_after_close():
    env = parlour.envs.aec("octa")
    for ask in (lambda: env.step(0), lambda: env.observe("player_0"), env.render):
        with pytest.raises(NotRunning, match="reset the environment first"):
            ask()
    env.reset()
    env.close()
    env.close()
    for ask in (lambda: env.step(0), lambda: env.observe("player_0"), env.render, env.reset):
        with pytest.raises(NotRunning, match="closed: make a new one"):
            ask()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 99}, "size must be an int from 1 to 20, not 99"),
        ({"sise": 3}, "did you mean 'size'"),
        (
            {"render_mode": "rgb"},
            "render_mode must be None, 'ansi', 'rgb_array' or 'human', not 'rgb'",
        ),
        ({"illegal": "ignore"}, "illegal must be 'raise' or 'lose', not 'ignore'"),
        ({"max_plies": 0}, "max_plies must be an int of at least 1, not 0"),
        ({"max_plies": 2.5}, "max_plies must be an int of at least 1, not 2.5"),
        ({"flat": "yes"}, "flat must be True or False, not 'yes'"),
        ({"statistics": 1}, "statistics must be True or False, not 1"),
    ],
)
def test_an_invalid_setting_is_reported_with_the_valid_values(settings, message):
    with pytest.raises(OptionError, match=message):
        parlour.envs.aec("octa", **settings)


def test_options_are_refused_with_a_game_object():
    with pytest.raises(OptionError, match="options go with a game's name"):
        parlour.envs.aec(Nim(), heap=5)


@pytest.mark.parametrize("seed", [-1, "1", 2.0, True])
def test_an_invalid_seed_is_refused(seed):
    env = parlour.envs.aec("octa")
    with pytest.raises(OptionError, match="seed must be None or an int of at least 0"):
        env.reset(seed=seed)


def test_unknown_agents_are_refused():
    env = parlour.envs.aec("octa")
    env.reset()
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(
            OptionError, match="unknown agent 'player_2'; the agents are player_0, player_1"
        ):
            ask("player_2")
