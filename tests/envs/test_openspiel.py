"""Parlour's games in OpenSpiel, and OpenSpiel's bots in Parlour's games."""

import pickle
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from env_games import EVERY
from goofspiel import Goofspiel
from kuhn import Kuhn
from nim import Nim
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import parlour
import parlour.envs
from parlour import AgentError, OptionError
from parlour.envs import openspiel
from parlour.envs.openspiel_agent import OpenSpielAgent


@pytest.fixture(autouse=True)
def _registered(_registry):
    known = set(parlour.game_names())
    for game in EVERY:
        if game.name not in known:
            parlour.register(game.name, type(game))
    openspiel.register()


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_games_in_openspiel_equal_ours(game):
    theirs = openspiel.wrapped(game)
    state, own, rng = theirs.new_initial_state(), game.start(0), parlour.Rng(1)
    assert theirs.num_players() == game.seats
    assert theirs.num_distinct_actions() == game.num_actions
    plies = 0
    while own.actor != parlour.OVER and plies < 25:
        if own.actor == parlour.CHANCE:
            assert state.is_chance_node()
            assert state.chance_outcomes() == own.chance_outcomes()
        else:
            assert state.current_player() == own.actor
            assert state.legal_actions() == list(own.legal_actions())
        action = int(own.sample(rng))
        assert state.action_to_string(action) == game.action_to_text(own, action)
        state.apply_action(action)
        own = own.apply(action)
        assert str(state) == game.state_to_text(own)
        plies += 1
    assert state.is_terminal() == (own.actor == parlour.OVER)
    if state.is_terminal():
        assert state.returns() == list(own.result().returns)


def test_parameters_are_the_options_the_seed_and_the_number_of_starts():
    game = pyspiel.load_game("parlour_octa(size=1,turn_limit=6,seed=7)")
    own = parlour.game("octa", size=1, turn_limit=6)
    assert str(game.new_initial_state()) == own.state_to_text(own.start(7))
    open_one = pyspiel.load_game("parlour_octa(size=1)")
    left_open = parlour.game("octa", size=1)
    assert str(open_one.new_initial_state()) == left_open.state_to_text(left_open.start(0))
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    several = pyspiel.load_game("parlour_octa(size=1,starts=3,seed=7)")
    state = several.new_initial_state()
    assert state.chance_outcomes() == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]
    state.apply_action(2)
    assert str(state) == left_open.state_to_text(left_open.start(9))


def test_optional_flags_are_numbers():
    game = pyspiel.load_game("parlour_banqi(rules=taiwan,repetition=1,first_flip_passes=0)")
    assert openspiel.wrapped(parlour.game("banqi", rules="house")).num_players() == 2
    own = parlour.game("banqi", rules="taiwan", repetition=True, first_flip_passes=False)
    assert str(game.new_initial_state()) == own.state_to_text(own.start(0))
    made = openspiel._class_of("banqi", type(own))(game.get_parameters())
    assert made.parlour_game == own


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("parlour_octa(size=99)", OptionError, "size must be an int from 1 to 20, not 99"),
        ("parlour_octa(seed=-1)", OptionError, "seed must be an int of at least 0, not -1"),
        ("parlour_octa(starts=0)", OptionError, "starts must be an int of at least 1, not 0"),
        ("parlour_octa(sise=1)", pyspiel.SpielError, "Unknown parameter 'sise'"),
    ],
)
def test_an_invalid_parameter_is_refused(text, error, message):
    with pytest.raises(error, match=message):
        pyspiel.load_game(text)


def test_a_clone_is_independent_and_pickles_round_trip():
    game = pyspiel.load_game("parlour_octa(size=1)")
    state = game.new_initial_state()
    text = str(state)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(state) == text != str(clone)
    assert str(pickle.loads(pickle.dumps(clone))) == str(clone)


def test_regret_minimisation_finds_the_value_of_kuhn_poker():
    """CFR needs the exact information state of each player."""
    game = pyspiel.load_game("parlour_kuhn")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    # The first player loses an eighteenth of an ante; our returns are half of the bets.
    assert value[0] == pytest.approx(-1 / 36, abs=0.001)
    assert exploitability.exploitability(game, policy) < 0.002


def test_information_states_hide_invisible_actions():
    game = openspiel.wrapped(Goofspiel(cards=3, prizes="descending"))
    state = game.new_initial_state()
    other = state.clone()
    state.apply_action(state.legal_actions()[0])
    other.apply_action(other.legal_actions()[1])
    assert state.information_state_string(1) == other.information_state_string(1)
    assert state.information_state_string(0) != other.information_state_string(0)
    assert np.array_equal(state.observation_tensor(1), other.observation_tensor(1))


def test_openspiels_learning_environment_works_with_our_games():
    env = rl_environment.Environment("parlour_octa", size=1)
    step = env.reset()
    count = 0
    while not step.last():
        step = env.step([step.observations["legal_actions"][env._state.current_player()][0]])
        count += 1
    assert count == 8
    assert sum(step.rewards) == 0


@pytest.mark.parametrize("bot", ["mcts,sims=8", "random"])
@pytest.mark.parametrize("name", ["banqi:quiet_limit=4", "octa:size=1", "cat_mouse:ply_cap=6"])
def test_openspiels_bots_play_our_games(bot, name):
    player = OpenSpielAgent(bot=bot.partition(",")[0], sims=8, seed=1)
    state, rng = parlour.game(name).start(1), parlour.Rng(1)
    for _ in range(4):
        while state.actor == parlour.CHANCE:
            state = state.apply(state.sample(rng))
        if state.actor == parlour.OVER:
            break
        chosen = player.choose(state)
        assert state.refusal(chosen) is None
        state = state.play(chosen)


def test_an_analysis_has_the_visits_and_values_of_its_search():
    state = parlour.game("octa:size=1").start(8)
    analysis = OpenSpielAgent(sims=40, seed=1).analyse(state)
    assert sorted(each.action for each in analysis.choices) == list(state.legal_actions())
    assert sum(each.visits for each in analysis.choices) <= 40
    assert analysis.choices[0].visits == max(each.visits for each in analysis.choices)
    assert all(-1.0 <= each.value <= 1.0 for each in analysis.choices)
    assert analysis.work == 40


def test_the_same_seed_gives_the_same_choices():
    state = parlour.game("banqi:quiet_limit=4").start(1)

    def seen(seed):
        return OpenSpielAgent(sims=12, seed=seed).analyse(state).choices

    assert seen(1) == seen(1)
    assert seen(1) != seen(2)


def test_a_game_with_secrets_is_refused():
    with pytest.raises(AgentError, match="openspiel cannot play games with secrets"):
        OpenSpielAgent().check_game(Kuhn())


def test_the_agent_plays_unregistered_games():
    class Hidden(Nim):
        pass

    state = Hidden().start(0)
    assert state.refusal(OpenSpielAgent(sims=4).choose(state)) is None
    # The registered game of the same name is not affected.
    first = pyspiel.load_game("parlour_nim").new_initial_state()
    assert str(pickle.loads(pickle.dumps(first))) == str(first)


def test_the_agent_is_created_by_text_and_beats_random():
    assert "openspiel" in parlour.agent_names()
    found = parlour.envs.evaluate(
        "openspiel:mcts,sims=30", "octa:size=1,turn_limit=4", opponents="random", games=16
    )
    assert found.mean_return.mean > 0.3
    with pytest.raises(OptionError, match="openspiel takes one of mcts, random"):
        parlour.agent("openspiel:alphabeta")


ENDING = """
import parlour.envs, pyspiel
parlour.envs.openspiel.register()
game = pyspiel.load_game("parlour_octa(size=1)")
state = game.new_initial_state()
state.apply_action(state.legal_actions()[0])
"""


def test_a_program_that_used_openspiel_exits_cleanly():
    """pyspiel releases registered games after the interpreter's end."""
    done = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
