"""Vector environments: self-play, rewards, autoreset and worker processes."""

import copy
import multiprocessing
import os
import pickle
import signal

import gymnasium
import numpy as np
import pytest
from env_games import EVERY, OURS, same
from nim import Nim

import parlour
import parlour.envs
from parlour import IllegalAction, OptionError
from parlour.envs import ActionsError, NotRunning, WorkerLost, workers

EACH = pytest.mark.parametrize("game", EVERY, ids=repr)


@pytest.fixture(scope="module")
def server_of_processes():
    """A process that has loaded the library, and forks if the system can."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        yield multiprocessing.get_context("spawn")
        return
    from multiprocessing.forkserver import _forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["parlour.envs.workers"])
    yield context
    _forkserver._stop()


@pytest.fixture
def forked(server_of_processes, monkeypatch):
    """Fork the processes of environments, to start them faster."""
    monkeypatch.setattr(workers, "get_context", lambda method: server_of_processes)


def played(game, steps=20, count=5, seed=3, **settings):
    """Play at random; return every result of the environment, and the actions."""
    env = parlour.envs.vector(game, count, **settings)
    try:
        answers = [env.reset(seed=seed)]
        for _ in range(steps):
            actions = env.sample()
            answers.append((actions, *env.step(actions)))
        answers.append(env.reset())
    finally:
        env.close()
    return answers


@EACH
def test_observations_are_in_the_space_and_show_the_seat_to_act(game):
    env = parlour.envs.vector(game, 3)
    seen, infos = env.reset(seed=1)
    for _ in range(5):
        assert seen in env.observation_space
        for index in range(3):
            state = env._games._batch.state(index)
            seat = infos["actor"][index]
            assert seat == state.actor
            alone = env._encoder.observe(state, seat)
            assert same(alone, {name: array[index] for name, array in seen.items()})
        seen, *_, infos = env.step(env.sample())
    env.close()


@EACH
def test_the_reward_is_the_return_of_the_seat_that_acted(game):
    env = parlour.envs.vector(game, 4)
    _, infos = env.reset(seed=2)
    ended = 0
    for _ in range(40):
        actors = infos["actor"]
        _, rewards, over, cut, infos = env.step(env.sample())
        assert np.array_equal(infos["acted"], actors)
        assert np.array_equal(rewards, infos["returns"][np.arange(4), actors])
        assert not infos["returns"][~over].any()
        assert not cut.any()
        ended += over.sum()
        if game.seats > 1:
            assert infos["returns"].sum() == pytest.approx(0.0)
    assert ended or game.max_plies > 40
    env.close()


def test_games_can_be_replayed_from_start_seeds_and_actions():
    game = parlour.game("octa", size=2)
    env = parlour.envs.vector(game, 6)
    _, infos = env.reset(seed=5)
    states = [game.start(int(seed)) for seed in infos["start_seed"]]
    for _ in range(60):
        actions = env.sample()
        seen, rewards, over, _, infos = env.step(actions)
        for index in range(6):
            seat = states[index].actor
            states[index] = states[index].play(int(actions[index]))
            assert over[index] == (states[index].actor == parlour.OVER)
            if over[index]:
                assert rewards[index] == states[index].result().returns[seat]
                states[index] = game.start(int(infos["start_seed"][index]))
            alone = env._encoder.observe(states[index], states[index].actor)
            assert same(alone, {name: array[index] for name, array in seen.items()})
    env.close()


def test_a_finished_game_restarts_in_the_same_step_with_its_final_observation():
    game = parlour.game("octa:size=1")
    env = parlour.envs.vector(game, 2, statistics=True)
    env.now = iter([1.0, 4.0, 8.0]).__next__
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    env.reset(seed=1)
    for _ in range(7):
        *_, infos = env.step(env.sample())
        assert "final_obs" not in infos
        assert "episode" not in infos
    states = [env._games._batch.state(index) for index in range(2)]
    actions = env.sample()
    seen, _, over, cut, infos = env.step(actions)
    assert over.all()
    assert not cut.any()
    assert infos["_final_obs"].all()
    for index, state in enumerate(states):
        last = state.play(int(actions[index]))
        assert same(infos["final_obs"][index], env._encoder.observe(last, infos["acted"][index]))
        assert infos["final_obs"][index] in env.single_observation_space
        fresh = env._encoder.observe(game.start(int(infos["start_seed"][index])), 0)
        assert same(fresh, {name: array[index] for name, array in seen.items()})
    assert np.array_equal(infos["episode"]["r"], infos["returns"])
    assert infos["episode"]["l"].tolist() == [8, 8]
    assert infos["episode"]["t"].tolist() == [3.0, 3.0]
    for _ in range(8):
        *_, infos = env.step(env.sample())
    assert infos["episode"]["t"].tolist() == [4.0, 4.0]
    env.close()


def test_a_truncated_game_shows_the_next_actors_observation():
    env = parlour.envs.vector("octa", 2, max_plies=3)
    env.reset(seed=1)
    for _ in range(2):
        env.step(env.sample())
    states = [env._games._batch.state(index) for index in range(2)]
    actions = env.sample()
    _, rewards, over, cut, infos = env.step(actions)
    assert cut.all()
    assert not over.any()
    assert not rewards.any()
    for index, state in enumerate(states):
        after = state.play(int(actions[index]))
        want = env._encoder.observe(after, after.actor, np.zeros(81, np.int8))
        assert same(infos["final_obs"][index], want)
    env.close()


def test_copies_stay_and_views_are_live_and_read_only():
    env = parlour.envs.vector("octa", 2)
    seen, _ = env.reset(seed=1)
    kept = copy.deepcopy(seen)
    seen_next, *_ = env.step(env.sample())
    assert same(seen, kept)
    assert not same(seen_next, kept)
    live = parlour.envs.vector("octa", 2, copy=False)
    seen, _ = live.reset(seed=1)
    assert same(seen, kept)
    live.step(live.sample())
    assert not same(seen, kept)
    with pytest.raises(ValueError, match="read-only"):
        seen["observation"][:] = 0
    env.close()
    live.close()


@pytest.mark.parametrize("game", [OURS[1], Nim()], ids=repr)
def test_any_number_of_processes_gives_the_same_games(forked, game):
    check_processes(game)


def test_processes_that_start_as_new_interpreters_give_the_same_games():
    check_processes(OURS[3])


def check_processes(game):
    settings = {"max_plies": 9, "count": 5}
    alone = played(game, **settings)
    assert same(alone, played(game, processes=2, **settings))


def test_processes_give_the_same_games_with_flat_starts_and_lose(forked):
    settings = {"flat": True, "starts": 2, "illegal": "lose", "count": 3}
    one = played("octa:size=1", **settings)
    assert same(one, played("octa:size=1", processes=3, **settings))
    seeds = {int(seed) for answer in one for seed in answer[-1]["start_seed"]}
    assert len(seeds) == 4  # two of each reset


def test_processes_are_limited_to_the_number_of_games(forked):
    env = parlour.envs.vector("octa:size=1", 2, processes=9)
    env.reset(seed=1)
    assert len(env._games._processes) == 2
    env.close()


def test_closing_stops_the_processes_and_frees_the_memory():
    env = parlour.envs.vector("octa:size=1", 2, processes=2)
    env.reset(seed=1)
    processes = list(env._games._processes)
    pids = [process.pid for process in processes]
    name = env._games._memory.name.lstrip("/")
    assert os.path.exists(f"/dev/shm/{name}")
    env.close()
    env.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert not os.path.exists(f"/dev/shm/{name}")
    with pytest.raises(NotRunning, match="closed: make a new one"):
        env.step([0, 0])


def test_a_killed_worker_is_reported_and_closes_the_environment():
    env = parlour.envs.vector("octa:size=1", 4, processes=2)
    env.reset(seed=1)
    actions = env.sample()
    other = env._games._processes[0].pid
    os.kill(env._games._processes[1].pid, signal.SIGKILL)
    with pytest.raises(WorkerLost, match=r"worker process 2 of 2 ended \(killed by SIGKILL\)"):
        env.step(actions)
    with pytest.raises(ProcessLookupError):
        os.kill(other, 0)
    with pytest.raises(NotRunning, match="closed: make a new one"):
        env.step(actions)


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([4, 4], IllegalAction, "game 0: that cell is"),
        ([0], ActionsError, r"actions must have the shape \(2,\), one per game, not \(1,\)"),
        ([[0, 0]], ActionsError, r"not \(1, 2\)"),
        ([0.0, 1.0], ActionsError, "actions must be ints, not float64"),
        (["0", "1"], ActionsError, "actions must be ints, not <U1"),
        ([True, False], ActionsError, "actions must be ints, not bool"),
        (None, ActionsError, "actions must be ints, not object"),
        ([[0], [0, 1]], ActionsError, "an array of 2 ids, not list"),
        ([0, 9], ActionsError, "game 1: an action must be from 0 to 8, not 9"),
        ([-1, 0], ActionsError, "game 0: an action must be from 0 to 8, not -1"),
    ],
)
def test_invalid_actions_are_refused_without_changes(refusing, processes, actions, error, message):
    env = refusing[processes]
    before = copy.deepcopy(env._games.arrays)
    with pytest.raises(error, match=message):
        env.step(actions)
    assert same(before, env._games.arrays)


@pytest.fixture(scope="module")
def refusing(server_of_processes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "get_context", lambda method: server_of_processes)
        made = {count: parlour.envs.vector("octa:size=1", 2, processes=count) for count in (1, 2)}
        for env in made.values():
            env.reset(seed=1)
    yield made
    for env in made.values():
        env.close()


def test_with_lose_an_illegal_action_ends_that_game_alone():
    env = parlour.envs.vector("octa:size=1", 2, illegal="lose")
    env.reset(seed=1)
    actions = env.sample()
    actions[1] = 4
    _, rewards, over, _, infos = env.step(actions)
    assert rewards.tolist() == [0.0, -1.0]
    assert over.tolist() == [False, True]
    assert infos["returns"].tolist() == [[0.0, 0.0], [-1.0, 1.0]]
    env.close()


def test_random_actions_are_legal_and_each_as_likely():
    env = parlour.envs.vector("octa:size=1", 1000, starts=1)
    env.reset(seed=1)
    drawn = env.sample()
    mask = env._games.arrays["mask"]
    assert mask[np.arange(1000), drawn].all()
    counts = np.bincount(drawn)
    shares = counts[counts > 0] / 1000
    assert len(shares) == mask[0].sum()
    assert shares == pytest.approx(1 / len(shares), abs=0.08)
    env.close()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs must be an int of at least 1, not 0"),
        ({"num_envs": 2.5}, "num_envs must be an int of at least 1, not 2.5"),
        ({"processes": 0}, "processes must be an int of at least 1, not 0"),
        ({"copy": 1}, "copy must be True or False, not 1"),
        ({"flat": True, "copy": False}, "flat observations are always copied"),
        ({"starts": 0}, "starts must be an int of at least 1"),
        ({"illegal": "skip"}, "illegal must be 'raise' or 'lose', not 'skip'"),
        ({"colour": 1}, "octa has no option 'colour'"),
    ],
)
def test_an_invalid_setting_is_reported_with_the_valid_values(settings, message):
    with pytest.raises(OptionError, match=message):
        parlour.envs.vector("octa", **{"num_envs": 2, **settings})


def test_a_vector_needs_a_reset_and_cannot_be_copied():
    env = parlour.envs.vector("octa", 2)
    for ask in (lambda: env.step([0, 0]), env.sample):
        with pytest.raises(NotRunning, match="reset the environment first"):
            ask()
    for make in (copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=r"use parlour\.Batch to save games"):
            make(env)
    env.close()
    with pytest.raises(NotRunning, match="closed"):
        env.reset()


def test_an_error_in_a_worker_is_raised(forked):
    from mistaken_game import Faulty

    env = parlour.envs.vector(Faulty(), 2, processes=2)
    env.reset(seed=1)
    with pytest.raises(parlour.ContractError, match="this game is at fault"):
        for _ in range(20):
            env.step(env.sample())
    env.close()
