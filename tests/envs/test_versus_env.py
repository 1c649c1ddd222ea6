"""One seat against opponents: seats, turns, rewards and infos."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from env_games import EVERY, legal, same
from kuhn import Kuhn
from odd_agents import First

import parlour
import parlour.envs
from parlour import AgentError, IllegalAction, OptionError
from parlour.agents import AgentFault
from parlour.envs import NotRunning


def played(env, seed=1, most=10_000):
    """Play at random to the end; return every result of the environment."""
    rng = np.random.default_rng(seed)
    answers = [env.reset(seed=seed)]
    for _ in range(most):
        answers.append(env.step(legal(env.action_masks(), rng)))
        if answers[-1][2] or answers[-1][3]:
            break
    return answers


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_the_reward_is_the_return_of_the_own_seat_at_the_end(game):
    env = parlour.envs.versus(game, opponents="random")
    for seed in range(2):
        answers = played(env, seed)
        assert all(reward == 0.0 for _, reward, *_ in answers[1:-1])
        last = answers[-1]
        assert last[1] == last[4]["returns"][last[4]["seat"]]
        assert last[1] == env._episode.state.result().returns[last[4]["seat"]]
        assert not env.action_masks().any()


def test_the_seat_is_random_unless_given():
    env = parlour.envs.versus("blokus", opponents="random")
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(30)} == {0, 1, 2, 3}
    env = parlour.envs.versus("octa", opponents="random", seat=1)
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(8)} == {1}


def test_opponents_are_drawn_from_a_list_for_each_episode():
    env = parlour.envs.versus("octa:size=1", opponents=["random", "greedy", "mcts:sims=3"], seat=0)
    env.reset(seed=1)
    seen = set()
    for _ in range(20):
        env.reset()
        seen.add(env._sources[1].source)
    assert seen == {"random", "greedy", "mcts:sims=3"}


def test_a_policy_can_be_an_opponent_and_sees_what_its_seat_sees():
    asked = []

    def policy(observation, mask):
        asked.append((observation, mask))
        return int(np.flatnonzero(mask)[-1])

    env = parlour.envs.versus("octa:size=1", opponents=policy, seat=0)
    played(env)
    assert len(asked) == 4
    for observation, mask in asked:
        assert observation in env.observation_space
        assert same(observation["action_mask"], mask)
        assert mask.any()


def test_an_opponent_gets_only_the_view_of_its_seat():
    seen = []

    class Curious(First):
        def choose(self, state, limit=None):
            seen.append(state)
            return super().choose(state, limit)

    import odd_agents

    odd_agents.Curious = Curious
    try:
        env = parlour.envs.versus(Kuhn(), opponents="odd_agents:Curious", seat=1)
        truths = []
        for seed in range(12):
            played(env, seed)
            truths.append(env._episode.state)
    finally:
        del odd_agents.Curious
    hidden = [state for state in seen if not any(state == truth for truth in truths)]
    assert len(seen) >= 12
    assert hidden


def test_the_same_seed_gives_the_same_episodes_against_the_same_opponents():
    one = parlour.envs.versus("banqi", opponents=["level:1", "random"], max_plies=30)
    two = parlour.envs.versus("banqi", opponents=["level:1", "random"], max_plies=30)
    assert same(played(one, 3), played(two, 3))
    assert not same(played(one, 3), played(two, 4))


@pytest.mark.parametrize("opponents", ["mcts:sims=8", "greedy", "random"])
def test_a_copy_has_opponents_that_continue_identically(opponents):
    env = parlour.envs.versus("octa:size=2", opponents=opponents, seat=1)
    rng = np.random.default_rng(1)
    env.reset(seed=4)
    for _ in range(3):
        env.step(legal(env.action_masks(), rng))
    copies = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    answers = []
    for each in copies:
        rng = np.random.default_rng(2)
        while not (taken := each.step(legal(each.action_masks(), rng)))[2]:
            pass
        answers.append((each._episode.actions, taken))
    assert same(answers[0], answers[1])
    assert same(answers[0], answers[2])


def test_an_illegal_action_raises_and_changes_nothing():
    env = parlour.envs.versus("octa", opponents="random", seat=0)
    seen, _ = env.reset(seed=1)
    taken = int(np.argmin(seen["action_mask"]))
    for action in (taken, 99999, "2,2", None):
        with pytest.raises(IllegalAction):
            env.step(action)
    assert env._episode.actions == []
    env.step(int(np.argmax(seen["action_mask"])))


def test_with_lose_an_illegal_action_ends_the_episode_with_minus_one():
    env = parlour.envs.versus("octa", opponents="random", illegal="lose")
    seen, _ = env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(np.argmin(seen["action_mask"]))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert sum(info["returns"]) == 0.0


def test_plies_of_all_seats_count_for_the_limit():
    env = parlour.envs.versus("octa", opponents="random", seat=0, max_plies=6)
    answers = played(env)
    assert len(answers) == 4
    assert answers[-1][1:4] == (0.0, False, True)
    assert not env.action_masks().any()


def test_statistics_follow_gymnasiums_names_and_its_own_wrapper_works_without_them():
    env = parlour.envs.versus("octa:size=1", opponents="random", statistics=True)
    env.now = iter([5.0, 7.0]).__next__
    last = played(env)[-1]
    assert last[4]["episode"] == {"r": last[1], "l": 4, "t": 2.0}
    wrapped = gymnasium.wrappers.RecordEpisodeStatistics(
        parlour.envs.versus("octa:size=1", opponents="random")
    )
    rng = np.random.default_rng(1)
    wrapped.reset(seed=1)
    while True:
        _, _, over, _, info = wrapped.step(legal(wrapped.unwrapped.action_masks(), rng))
        if over:
            break
    assert info["episode"]["l"] == 4


def test_stepping_at_the_wrong_time_raises_with_advice():
    env = parlour.envs.versus("octa:size=1", opponents="random")
    with pytest.raises(NotRunning, match="reset the environment first"):
        env.step(0)
    with pytest.raises(NotRunning, match="reset the environment first"):
        env.action_masks()
    played(env)
    with pytest.raises(NotRunning, match="the episode is over: reset the environment"):
        env.step(0)
    env.close()
    env.close()
    for ask in (lambda: env.step(0), env.reset, env.render, env.action_masks):
        with pytest.raises(NotRunning, match="closed: make a new one"):
            ask()


def test_a_failing_opponent_is_named_and_the_next_episode_works():
    env = parlour.envs.versus("octa:size=1", opponents="odd_agents:Crashing", seat=0)
    env.reset(seed=1)
    with pytest.raises(AgentFault, match="the agent odd_agents:Crashing failed: crashed"):
        env.step(legal(env.action_masks(), np.random.default_rng(1)))
    with pytest.raises(NotRunning, match="an opponent has failed in this episode: reset"):
        env.step(0)
    env.reset(seed=1)
    assert env.action_masks().any()


def test_an_illegal_choice_of_an_opponent_policy_is_reported():
    env = parlour.envs.versus("octa:size=1", opponents=lambda seen, mask: 4, seat=1)
    with pytest.raises(IllegalAction, match="the policy in seat 0 chose 4: that cell is"):
        env.reset(seed=1)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"opponents": "level:12"}, OptionError, "level takes an int from 1 to 9"),
        ({"opponents": "levle:3"}, AgentError, "did you mean 'level"),
        ({"opponents": []}, AgentError, "the list is empty"),
        ({"opponents": 3}, AgentError, "an opponent must be an agent's text"),
        ({"opponents": ["random", None]}, AgentError, "an opponent must be an agent's text"),
        ({"seat": 2}, OptionError, r"episode\) or 0 to 1, not 2"),
        ({"seat": "first"}, OptionError, r"episode\) or 0 to 1, not 'first'"),
        ({"seat": True}, OptionError, r"episode\) or 0 to 1, not True"),
    ],
)
def test_an_invalid_setting_is_reported_with_the_valid_values(settings, error, message):
    with pytest.raises(error, match=message):
        parlour.envs.versus("octa", **settings)


def test_an_agent_that_cannot_play_the_game_is_refused_at_once():
    with pytest.raises(AgentError, match="two seats"):
        parlour.envs.versus("blokus", opponents="search")
