"""Figures confirmed by other programs."""

import json
from collections import Counter
from pathlib import Path

import pytest

import parlour
from parlour.games.blokus.pieces import ORIENTATIONS, PIECE_NAMES, SIZES

COMPILED = parlour.build_info().compiled
GAMES = json.loads((Path(__file__).parent / "data" / "blokus_games.json").read_text("utf-8"))

FIRST_MOVES = {
    "I1": 1, "I2": 2, "I3": 2, "V3": 3, "I4": 2, "L4": 6, "O4": 1, "T4": 2, "Z4": 2, "F5": 2,
    "I5": 2, "L5": 6, "N5": 4, "P5": 6, "T5": 2, "U5": 4, "V5": 3, "W5": 2, "Y5": 4, "Z5": 2,
}  # fmt: skip


def test_there_are_21_pieces_with_89_squares():
    assert (len(PIECE_NAMES), sum(SIZES)) == (21, 89)


def test_there_are_91_orientations():
    assert len(ORIENTATIONS) == 91


@pytest.mark.parametrize(("variant", "count"), [("classic", 30_433), ("duo", 13_729)])
def test_the_number_of_placements_on_the_board(variant, count):
    assert parlour.game("blokus", variant=variant).num_actions == count


@pytest.mark.parametrize("colour", range(4))
def test_each_corner_has_58_first_moves(classic, colour):
    state = classic.start().turned_to(colour)
    table = classic.tables
    by_piece = Counter(PIECE_NAMES[table.piece(action)] for action in state.legal_actions())
    assert by_piece == FIRST_MOVES
    assert len(state.legal_actions()) == 58


def test_duo_has_414_first_moves():
    # Every placement that covers the starting cell is entirely on the board.
    assert len(parlour.game("blokus", variant="duo").start().legal_actions()) == 414


PERFT = [58, 3_364, 195_112, 11_316_496]


@pytest.mark.parametrize("depth", range(1, 5 if COMPILED else 4))
def test_perft_from_the_start(classic, depth):
    assert parlour.perft(classic.start(), depth) == PERFT[depth - 1]


ALONE = [58, 9_729, 2_922_737]


@pytest.mark.parametrize("depth", range(1, 4 if COMPILED else 3))
def test_perft_of_one_colour_alone(classic, depth):
    def count(state, left):
        actions = state.legal_actions()
        if left == 1:
            return len(actions)
        return sum(count(state.apply(action).turned_to(0), left - 1) for action in actions)

    assert count(classic.start(), depth) == ALONE[depth - 1]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_known_game_has_the_known_number_of_placements_at_every_ply(classic, number):
    game = GAMES[number]
    state = classic.start()
    for ply in game["plies"]:
        assert state.mover + 1 == ply["color"]
        assert len(state.legal_actions()) == ply["legal"]
        state = state.play(classic.action_from_text(state, ply["move"]))
    assert state.actor == parlour.OVER
    assert [state.cells().count(colour) for colour in (1, 2, 3, 4)] == game["squares"]


def test_playouts_give_the_same_figures_in_both_builds(classic):
    done = parlour.playouts(classic.start(), 20, seed=7)
    assert (done.games, done.plies) == (20, 1_199)
    assert done.returns == pytest.approx((10 / 3, -13 / 3, -1 / 3, 4 / 3))
