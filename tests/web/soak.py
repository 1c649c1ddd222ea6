"""Whole games in the browser by every input method: `make soak`. Too slow for the usual suite."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from browser import PHONE
from players import by_keys, by_mouse, by_names, by_touch, play

GAMES = {
    "octa": (["me", 2], {}),
    "banqi": (["me", 2], {}),
    "blokus": (["me", 1, 1, 1], {}),
    "cat_mouse": (["me"], {"ply_cap": 200}),
}


@pytest.mark.parametrize("way", [by_mouse, by_keys, by_touch, by_names])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_to_its_end(server, visit, game, way):
    seats, options = GAMES[game]
    made = server.table(game, seats, options=options)
    person = visit(server, **(PHONE if way is by_touch else {})).sit(made)
    assert play(person, way, most=1000)
    assert server.get(f"/tables/{made['table']}").json()["status"] == "over"
