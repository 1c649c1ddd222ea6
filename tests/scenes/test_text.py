"""Scenes as plain text."""

from nim import Nim

import parlour
from parlour.scenes.text import draw, list_actions


def test_a_scene_is_a_grid_with_names_seats_and_status():
    state = parlour.game("octa", size=1).state_from_text(
        "turn 0, player 1 to move\n1↑ .↗ 2→\n.↘ #↓ .↙\n2← .↖ 1↑"
    )
    assert draw(state.scene()) == (
        " 1  1↑ .↗ 2→\n"
        " 0  .↘ ## .↙\n"
        "-1  2← .↖ 1↑\n"
        "    -1  0  1\n"
        "\n"
        "> player 1: 2 cells\n"
        "  player 2: 2 cells\n"
        "Turn 1 of 8: player 1 to move."
    )


def test_actions_are_wrapped_and_of_many_only_the_first_are_shown():
    scene = Nim().start().scene()
    assert list_actions(scene) == "Actions: take1 take2 take3"
    assert list_actions(scene, 2) == "Actions: take1 take2 ... and 1 more ('actions' lists all)"
    lines = list_actions(parlour.game("octa", size=2).state_from_text(MANY).scene()).splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 78 for line in lines)


MANY = "turn 1, player 1 to move\n" + "\n".join(" ".join(["1↑"] * 4 + ["2↑"]) for _ in range(5))
