"""The conformance suite over every registered game, and over games from outside."""

import pytest
from boardless import TwentyOne
from climb import Climb
from connect_four import ConnectFour
from dice import Dice
from goofspiel import Goofspiel
from hex import Hex
from hex_holes import Yavalath
from kuhn import Kuhn
from nim import Nim
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour.testing import check_game

OTHER_OPTIONS = {
    "banqi": [{"rules": "taiwan"}, {"rules": "olympiad", "quiet_limit": 30}],
    "blokus": [{"variant": name} for name in ("two-player", "three-player", "duo")],
    "cat_mouse": [{"density": 0.05, "ply_cap": 40}, {"density": 0.4}],
    "octa": [
        {"size": 1},
        {"size": 2, "win_condition": "elimination"},
        {"size": 3, "stop_on_enemy": True, "turn_limit": 30},
    ],
}


@pytest.mark.parametrize("name", parlour.game_names())
def test_every_registered_game_keeps_the_contract(name):
    report = check_game(name)
    assert report.games == 12
    assert report.states >= report.games


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name, sets in OTHER_OPTIONS.items() for options in sets],
)
def test_every_registered_game_keeps_the_contract_with_other_options(name, options):
    check_game(parlour.game(name, **options), seeds=[5], states=20)


FROM_OUTSIDE = [
    Nim(),
    Nim(heap=1),
    Dice(),
    Dice(turns=3),
    Climb(),
    Tiles(),
    Scouts(),
    Kuhn(),
    Goofspiel(),
    Goofspiel(cards=2),
    Goofspiel(cards=3, prizes="descending", ties="split"),
    Hex(size=4),
    Hex(),
    Yavalath(),
    Yavalath(side=4),
    TwentyOne(),
    TwentyOne(goal=1),
    ConnectFour(),
    ConnectFour(rows=4, cols=4),
]


@pytest.mark.parametrize("game", FROM_OUTSIDE, ids=repr)
def test_example_games_in_plain_python_keep_the_contract(game):
    check_game(game)


@pytest.mark.parametrize("text", [None, 5, b"a1", ["a1"]])
@pytest.mark.parametrize("name", parlour.game_names())
def test_built_in_games_refuse_values_that_are_not_text(name, text):
    game = parlour.game(name)
    with pytest.raises(parlour.ActionTextError, match="an action's text must be a str, not"):
        game.action_from_text(game.start(), text)
    with pytest.raises(parlour.StateTextError, match="a position's text must be a str, not"):
        game.state_from_text(text)
