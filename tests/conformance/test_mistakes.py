"""Each typical mistake of authors is reported with the promise that it breaks."""

import pytest
from mistakes import MISTAKES, NOTED

from parlour.testing import ConformanceError, check_game

each = pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])


@each
def test_the_message_names_the_broken_promise(mistake):
    with pytest.raises(ConformanceError) as caught:
        check_game(mistake.broken, seeds=[0, 1], shrink=False)
    assert mistake.message in str(caught.value)


@each
def test_the_corrected_game_passes(mistake):
    check_game(mistake.corrected, seeds=[0])


@pytest.mark.parametrize("mistake", NOTED, ids=[mistake.name for mistake in NOTED])
def test_what_breaks_no_promise_is_noted(mistake):
    (note,) = check_game(mistake.broken).notes
    assert mistake.message in note
    assert check_game(mistake.corrected).notes == ()


def test_there_are_many_different_mistakes():
    assert len(MISTAKES) >= 40
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)
