"""What a game hands out cannot be written into, where that would change other games."""

from collections.abc import MutableMapping, MutableSequence, MutableSet

import pytest

import parlour
from parlour.games.cat_mouse.layout import CELLS, Layout

CHANGEABLE = (MutableMapping, MutableSequence, MutableSet)


def is_changeable(value):
    # A machine array is none of these, but takes what is assigned to its places.
    return isinstance(value, CHANGEABLE) or (
        hasattr(type(value), "__setitem__") and not isinstance(value, str | bytes | tuple)
    )


def public_values(owner):
    for name in dir(owner):
        if not name.startswith("_"):
            try:
                value = getattr(owner, name)
            except Exception:
                continue
            if not callable(value):
                yield name, value


@pytest.mark.parametrize("name", ["banqi", "blokus", "cat_mouse", "octa"])
def test_public_attributes_of_games_and_states_are_immutable(name):
    game = parlour.game(name)
    for owner in (game, game.start(1), type(game), game.board):
        for attribute, value in public_values(owner):
            assert not is_changeable(value), f"{owner!r}: {attribute}"


def test_the_layout_of_a_maze_is_immutable():
    layout = Layout(bytes(CELLS))
    for attribute, value in public_values(layout):
        assert not is_changeable(value), attribute


def test_the_tables_of_colours_and_marks_are_immutable():
    for table in (parlour.COLOURS, parlour.MARKS):
        with pytest.raises(TypeError):
            table["new"] = "x"
