"""Each kind of game in the browser, by every input method."""

import pytest
from browser import PHONE
from players import KINDS, by_keys, by_mouse, by_names, by_touch, play, table_of


@pytest.mark.parametrize("way", [by_mouse, by_keys, by_touch, by_names])
@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_played_to_its_end(server, visit, kind, way):
    made = table_of(server, kind)
    person = visit(server, **(PHONE if way is by_touch else {})).sit(made)
    ending = play(person, way)
    assert ending
    state = server.get(f"/tables/{made['table']}").json()
    assert state["status"] == "over"
    assert person.axe() == []


def test_blokus_with_four_colours_is_played_to_its_end_by_mouse(server, visit):
    made = server.table("blokus", ["me", 1, 1, 1], seed=2)
    person = visit(server).sit(made)
    assert "points" in play(person, by_mouse) or person.page.locator(".seat .score").count() == 4
