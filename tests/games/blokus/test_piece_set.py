"""Hands of Blokus."""

import pytest

from parlour.games.blokus.piece_set import FULL_HAND, cells_in, largest, largest_size, pieces_in
from parlour.games.blokus.pieces import SIZES


@pytest.mark.parametrize("hand", [1, 2, 0b11, 0b1000, 0b110101, 1 << 20, FULL_HAND])
def test_the_pieces_the_cells_and_the_largest_pieces_of_a_hand_are_counted(hand):
    sizes = [SIZES[k] for k in range(21) if hand >> k & 1]
    assert pieces_in(hand) == len(sizes)
    assert cells_in(hand) == sum(sizes)
    assert largest_size(hand) == max(sizes)
    assert [SIZES[k] for k in range(21) if largest(hand) >> k & 1] == [
        one for one in sizes if one == max(sizes)
    ]


def test_an_empty_hand_has_no_cells_and_no_largest_piece():
    assert pieces_in(0) == cells_in(0) == largest(0) == largest_size(0) == 0


def test_a_full_hand_has_21_pieces_and_89_cells():
    assert (pieces_in(FULL_HAND), cells_in(FULL_HAND)) == (21, 89)
