"""Tactical test positions of Banqi."""

from pathlib import Path

import pytest

import parlour

SET = Path(__file__).with_name("banqi_positions.txt").read_text().strip().split("\n\n")
"""Positions from games of weak players, with the clear choice of a search of 400,000 nodes.

Neither `greedy` nor a search of one ply finds it.
"""

GAME = parlour.game("banqi", rules="taiwan", quiet_limit=60, repetition=True)


def chosen(text, agent="search:nodes=1000"):
    state = GAME.state_from_text(text)
    return GAME.action_to_text(state, parlour.agent(agent).choose(state))


def drawn(*rows, turn="red"):
    """Return the position of these rows, with nothing face-down."""
    board = "\n".join(" ".join(row) for row in rows)
    seat = 0 if turn == "red" else 1
    return f"turn: {turn}, seat {seat}\nquiet: 0\nface-down: -\n{board}"


def test_at_fixed_nodes_most_of_the_set_is_solved():
    solved = 0
    for entry in SET:
        text, _, best = entry.rpartition("\nbest: ")
        solved += chosen(text) == best
    assert len(SET) == 14
    assert solved >= 12


def test_an_attacked_piece_is_saved():
    # The guard attacks the rook; moves of the pawn do not save it.
    text = drawn("........", "..Rg....", "........", "P....p.k")
    assert chosen(text).startswith("c2-")


def test_a_doomed_piece_is_traded():
    # The rook in the corner is trapped, so it takes the other rook first.
    text = drawn("Rr......", "g.......", "........", "..P..p.G")
    assert chosen(text) == "a1xb1"


def test_a_fork_is_prevented():
    # From c2 the rook would fork both horses: one of them has to move now.
    text = drawn("........", ".H.H....", "..r.....", "P...p..k")
    state = GAME.state_from_text(text)
    choice = chosen(text)
    after = state.play(GAME.action_from_text(state, choice))
    forked = GAME.action_from_text(after, "c3-c2")
    assert after.refusal(forked) is not None or not both_attacked(after.play(forked))


def both_attacked(state):
    """Whether the rook on c2 attacks two horses, with their side to move."""
    squares = state.squares()
    horse = 4
    return sum(squares[square] == horse for square in (2, 9, 11, 18)) == 2


@pytest.mark.parametrize("entry", SET[:3])
def test_choices_depend_only_on_nodes_and_seed(entry):
    text = entry.rpartition("\nbest: ")[0]
    assert chosen(text, "search:nodes=300,seed=2") == chosen(text, "search:nodes=300,seed=2")


def test_both_builds_find_the_same_values():
    found = []
    for entry in SET[:5]:
        state = GAME.state_from_text(entry.rpartition("\nbest: ")[0])
        analysis = parlour.agent("search:nodes=400").analyse(state)
        best = analysis.choices[0]
        found.append((best.text, round(best.value, 9), best.depth, analysis.work))
    assert found == PINNED


PINNED = [
    ("d2-e2", 0.242099055, 1, 400),
    ("d2-d1", -0.26849993, 1, 817),
    ("b3-c3", -0.0, 1, 435),
    ("d2-d3", 0.0, 1, 1050),
    ("c1xe1", 0.202714006, 1, 400),
]
