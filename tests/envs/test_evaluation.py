"""Evaluations: balanced seats, shared chance seeds, counts and intervals."""

import numpy as np
import pytest
from dice import Dice
from env_games import EVERY
from kuhn import Kuhn

import parlour
import parlour.envs
from parlour import AgentError, IllegalAction, OptionError


def first(observation, mask):
    return int(np.flatnonzero(mask)[0])


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_counts_add_up_and_the_mean_lies_in_its_interval(game):
    found = parlour.envs.evaluate(first, game, opponents="random", games=3)
    assert found.games % game.seats == 0
    assert 3 <= found.games < 3 + game.seats
    assert found.wins + found.draws + found.losses == found.games
    assert -1.0 <= found.mean_return.low <= found.mean_return.mean <= found.mean_return.high <= 1.0
    assert np.mean(found.by_seat) == pytest.approx(found.mean_return.mean)
    assert len(found.by_seat) == game.seats
    points = (found.wins + found.draws / 2) / found.games
    assert found.score.mean == pytest.approx(points)


def test_the_same_seed_gives_the_same_figures():
    def found(seed):
        return parlour.envs.evaluate(first, "octa:size=1", opponents="random", games=20, seed=seed)

    assert found(1) == found(1)
    assert found(1) != found(2)


def test_a_policy_against_itself_is_even_with_shared_seeds():
    found = parlour.envs.evaluate(first, Dice(), opponents=first, games=40)
    assert found.mean_return.mean == 0.0
    assert found.wins == found.losses


def test_the_interval_of_a_stronger_agent_excludes_zero():
    found = parlour.envs.evaluate("mcts:sims=60", "octa:size=1", opponents="random", games=40)
    assert found.mean_return.low > 0.0
    assert found.score.low > 0.5
    assert str(found).startswith(f"40 games: {found.wins} won, ")


def test_every_seat_is_taken_once_from_the_same_start():
    starts = {"own": [], "other": []}

    def noting(who):
        def policy(observation, mask):
            starts[who].append(observation["observation"].tobytes())
            return first(observation, mask)

        return policy

    game = "octa:size=1,turn_limit=1"
    parlour.envs.evaluate(noting("own"), game, opponents=noting("other"), games=6)
    assert starts["own"] == starts["other"]
    assert len(set(starts["own"])) == 3


def test_several_opponents_take_turns():
    asked = {"one": 0, "two": 0}

    def opponent(name):
        def policy(observation, mask):
            asked[name] += 1
            return first(observation, mask)

        return policy

    parlour.envs.evaluate(
        first, "octa:size=1,turn_limit=2", opponents=[opponent("one"), opponent("two")], games=8
    )
    assert asked == {"one": 4, "two": 4}


def test_with_one_seat_a_win_is_a_positive_return():
    found = parlour.envs.evaluate("exact", "cat_mouse", games=1)
    assert (found.wins, found.draws, found.losses) == (1, 0, 0)
    assert parlour.envs.evaluate(first, "cat_mouse:ply_cap=5", games=3).losses == 3


def test_truncated_games_are_counted_as_draws():
    found = parlour.envs.evaluate(first, "octa", opponents="random", games=4, max_plies=2)
    assert (found.truncated, found.draws) == (4, 4)


def test_a_policy_of_flat_observations_gets_one_array_and_the_mask():
    def policy(observation, mask):
        assert observation.dtype == np.float32
        return first(observation, mask)

    parlour.envs.evaluate(policy, Kuhn(), opponents="random", games=4, flat=True)


def test_an_illegal_choice_of_a_policy_is_reported_with_the_rule():
    with pytest.raises(IllegalAction, match="the policy in seat 0 chose 4: that cell is"):
        parlour.envs.evaluate(lambda seen, mask: 4, "octa:size=1", opponents="random")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"policy": 3}, AgentError, "a policy must be an agent's text"),
        ({"policy": "nobody"}, AgentError, "unknown agent 'nobody'"),
        ({"opponents": None}, AgentError, "an opponent must be an agent's text"),
        ({"games": 0}, OptionError, "games must be an int of at least 1, not 0"),
        ({"max_plies": "9"}, OptionError, "max_plies must be an int"),
        ({"game": "ocat"}, parlour.UnknownGame, "did you mean 'octa'"),
    ],
)
def test_invalid_arguments_are_reported_with_the_valid_values(arguments, error, message):
    given = {"policy": "random", "game": "octa", **arguments}
    with pytest.raises(error, match=message):
        parlour.envs.evaluate(**given)
