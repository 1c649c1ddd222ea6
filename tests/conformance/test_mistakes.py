"""The suite teaches: each typical mistake is met by a message that tells its cure."""

import pytest
from mistakes import MISTAKES

from parlour.testing import ConformanceError, check_game

each = pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])


@each
def test_the_message_tells_the_cure(mistake):
    with pytest.raises(ConformanceError) as caught:
        check_game(mistake.broken, seeds=[0, 1])
    assert mistake.cure in str(caught.value)


@each
def test_the_mended_game_passes(mistake):
    check_game(mistake.mended, seeds=[0])


def test_there_are_many_and_no_two_are_the_same():
    assert len(MISTAKES) >= 40
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)
