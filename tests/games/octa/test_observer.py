"""Observations of Octa."""

import parlour
from parlour.games.octa.rules import BLOCKED, NEUTRAL, PLAYER_1, PLAYER_2, pack_cell

GAME = parlour.game("octa", size=1, turn_limit=10)


def position(turns=3):
    owners = [NEUTRAL] * 9
    owners[0], owners[4], owners[8] = PLAYER_1, PLAYER_2, BLOCKED
    arrows = [0, 1, 2, 3, 4, 5, 6, 7, 0]
    cells = bytes(pack_cell(owner, arrow) for owner, arrow in zip(owners, arrows, strict=True))
    return GAME.position(cells, PLAYER_2, turns)


def planes(seat):
    seen, _ = parlour.observer(GAME).observe(position(), seat)
    names = parlour.observer(GAME).planes
    return {
        name: [cell for cell in range(9) if seen[plane * 9 + cell]]
        for plane, name in enumerate(names)
    }


def test_own_cells_come_first():
    assert (planes(0)["own"], planes(0)["other"]) == ([0], [4])
    assert (planes(1)["own"], planes(1)["other"]) == ([4], [0])


def test_blocked_cells_have_no_arrow_and_all_others_one():
    seen = planes(0)
    assert seen["blocked"] == [8]
    names = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
    assert [seen[f"arrow {name}"] for name in names] == [[cell] for cell in range(8)]


def test_the_extras_are_the_turns_left_and_the_seat_to_move():
    watching = parlour.observer(GAME)
    assert watching.extra_names == ("turns left", "to act")
    assert [list(watching.observe(position(3), seat)[1]) for seat in (0, 1)] == [[179, 0], [179, 1]]
    assert list(watching.observe(position(10), 1)[1]) == [0, 0]
