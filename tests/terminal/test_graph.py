"""The graph of a game."""

import pytest

from parlour.terminal.graph import UNITS, WIDEST_STEP, column_of, columns, filled


@pytest.mark.parametrize("positions", [2, 3, 10, 81, 143, 500])
@pytest.mark.parametrize("width", [5, 24, 80, 116])
def test_the_columns_go_from_the_first_to_the_last_position(positions, width):
    shown = columns(positions, width)
    assert len(shown) <= width
    assert (shown[0], shown[-1]) == (0, positions - 1)
    assert shown == sorted(shown)
    if positions <= width:
        assert set(shown) == set(range(positions))


@pytest.mark.parametrize("positions", [2, 10, 81, 500])
def test_a_position_is_at_the_column_that_shows_it(positions):
    for position in range(positions):
        shown = columns(positions, 116)
        at = column_of(position, positions, 116)
        assert abs(shown[at] - position) <= positions / len(shown)


def test_short_games_have_wide_steps_and_an_empty_one_a_single_column():
    assert len(columns(3, 100)) == 1 + 2 * WIDEST_STEP
    assert columns(1, 100) == [0]
    assert column_of(0, 1, 100) == 0


def test_a_column_is_filled_from_below():
    assert [filled(0.0, 2, line) for line in range(2)] == [" ", "█"]
    assert [filled(1.0, 2, line) for line in range(2)] == ["█", "█"]
    assert [filled(-1.0, 2, line) for line in range(2)] == [" ", " "]
    assert [filled(0.5, 2, line) for line in range(2)] == ["▄", "█"]
    assert filled(7.0, 1, 0) == "█"
    assert len({filled(-1 + number / 4, 1, 0) for number in range(9)}) == UNITS + 1
