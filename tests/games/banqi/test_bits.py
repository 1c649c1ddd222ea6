"""The bit tables agree with plain loops over the squares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.banqi import bits

masks = st.integers(0, 2**32 - 1)


@given(st.integers(0, 2**63 - 1))
def test_count_is_the_number_of_bits(mask: int) -> None:
    assert bits.count(mask) == mask.bit_count()


@given(st.integers(1, 2**32 - 1))
def test_lowest_is_the_place_of_the_lowest_bit(mask: int) -> None:
    assert bits.lowest(mask) == (mask & -mask).bit_length() - 1


@given(masks, st.integers(0, 32))
def test_without_lowest_clears_that_many_bits(mask: int, number: int) -> None:
    places = [place for place in range(32) if mask >> place & 1]
    assert bits.without_lowest(mask, number) == sum(1 << place for place in places[number:])


@pytest.mark.parametrize("square", range(32))
def test_neighbours_are_one_step_up_down_left_or_right(square: int) -> None:
    row, col = divmod(square, 8)
    near = {other for other in range(32) if abs(other // 8 - row) + abs(other % 8 - col) == 1}
    assert {other for other in range(32) if bits.NEIGHBOURS[square] >> other & 1} == near


@given(st.integers(0, 31), masks)
def test_jumps_hit_the_second_piece_of_each_line(square: int, occupied: int) -> None:
    row, col = divmod(square, 8)
    hits = 0
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        line = []
        r, c = row + down, col + right
        while 0 <= r < 4 and 0 <= c < 8:
            if occupied >> (r * 8 + c) & 1:
                line.append(r * 8 + c)
            r, c = r + down, c + right
        if len(line) > 1:
            hits |= 1 << line[1]
    assert bits.jumps(square, occupied) == hits


def test_bit_is_a_power_of_two() -> None:
    assert list(bits.BIT) == [2**number for number in range(63)]
