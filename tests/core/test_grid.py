"""Tables of neighbours."""

from hypothesis import given
from hypothesis import strategies as st

from parlour.core.grid import DOWN, LEFT, RIGHT, UP, UP_LEFT, neighbour_table

STEPS = (UP, DOWN, LEFT, RIGHT, UP_LEFT)


@given(st.integers(1, 7), st.integers(1, 7))
def test_each_neighbour_is_one_step_away_or_off_the_grid(rows, cols):
    table = neighbour_table(rows, cols, STEPS)
    assert len(table) == rows * cols * len(STEPS)
    for cell in range(rows * cols):
        for k, (down, right) in enumerate(STEPS):
            row, col = cell // cols + down, cell % cols + right
            inside = 0 <= row < rows and 0 <= col < cols
            assert table[cell * len(STEPS) + k] == (row * cols + col if inside else -1)
