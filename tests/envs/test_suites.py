"""The test suites of PettingZoo, Gymnasium and OpenSpiel pass for every game."""

import warnings

import gymnasium
import pyspiel
import pytest
from env_games import EVERY, OURS, WITH_SECRETS
from gymnasium.utils.env_checker import check_env

import parlour
import parlour.envs
from parlour.envs import env_id

with warnings.catch_warnings():
    # Its own import of an environment is deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

EACH = pytest.mark.parametrize("game", EVERY, ids=repr)

# PettingZoo has a list of environments with dict observations, and warns about others.
KNOWN_TO_PETTINGZOO = [
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box",
    "ignore:Action mask numpy array is all zeros",
]


def allowed(lines):
    def mark(test):
        for line in lines:
            test = pytest.mark.filterwarnings(line)(test)
        return test

    return mark


@EACH
@allowed(KNOWN_TO_PETTINGZOO)
def test_pettingzoos_suite_passes(game):
    api_test(parlour.envs.aec(game), num_cycles=40)
    seed_test(lambda: parlour.envs.aec(game), num_cycles=40)


# Flat observations need no warnings, except for a board that is empty at first.
@pytest.mark.parametrize("game", [OURS[0], OURS[2]], ids=repr)
def test_pettingzoos_suite_passes_with_flat_observations(game):
    api_test(parlour.envs.aec(game, flat=True), num_cycles=40)
    seed_test(lambda: parlour.envs.aec(game, flat=True), num_cycles=40)


@EACH
@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
def test_gymnasiums_checker_passes(game):
    check_env(parlour.envs.versus(game, opponents="random", illegal="lose"))


@pytest.mark.parametrize("game", [OURS[0], OURS[5], *WITH_SECRETS], ids=repr)
@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
def test_gymnasiums_checker_passes_with_flat_observations(game):
    check_env(parlour.envs.versus(game, opponents="random", illegal="lose", flat=True))


@pytest.mark.parametrize("name", ["banqi", "octa"])
def test_gymnasiums_checker_passes_for_made_environments_with_rendering(name, capsys):
    made = gymnasium.make(
        f"parlour.envs:{env_id(name)}", opponents="random", illegal="lose", render_mode="rgb_array"
    )
    check_env(made.unwrapped)
    made.close()


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("parlour_octa(size=1)", 3),
        ("parlour_octa(size=1,starts=3,seed=5)", 3),
        ("parlour_banqi(rules=olympiad,quiet_limit=12)", 1),
        ("parlour_cat_mouse(ply_cap=25)", 1),
        ("parlour_blokus(variant=duo)", 1),
        ("parlour_nim", 3),
        ("parlour_dice", 3),
        ("parlour_climb", 2),
        ("parlour_tiles", 2),
        ("parlour_scouts", 2),
        ("parlour_kuhn", 5),
        ("parlour_goofspiel(cards=3)", 3),
        ("parlour_goofspiel(cards=3,prizes=descending,starts=2)", 3),
        ("parlour_hex(size=3)", 2),
        ("parlour_yavalath(side=3)", 2),
        ("parlour_twenty_one", 3),
        ("parlour_connect_four(rows=4,cols=4)", 2),
    ],
)
def test_openspiels_suite_passes(text, games):
    known = set(parlour.game_names())
    for game in EVERY:
        if game.name not in known:
            parlour.register(game.name, type(game))
    parlour.envs.openspiel.register()
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=games, serialize=True, verbose=False, mask_test=True)
