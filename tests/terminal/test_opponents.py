"""The holders of the seats that the player does not take."""

import pytest
from nim import Nim

import parlour
from parlour import AgentError
from parlour.table import PERSON, TableError
from parlour.terminal.opponents import seats_for


def test_the_player_has_the_first_seat_and_agents_the_others():
    assert seats_for(Nim()) == (PERSON, "level:3")
    assert seats_for(Nim(), mine=2, other="greedy") == ("greedy", PERSON)
    assert seats_for(Nim(), other=PERSON) == (PERSON, PERSON)
    assert seats_for(Nim(), given={0: "random", 1: PERSON}) == ("random", PERSON)
    assert seats_for(Nim(), mine=0, other="level:5") == ("level:5", "level:5")
    assert seats_for(parlour.game("cat_mouse")) == (PERSON,)


def test_invalid_seats_and_agents_are_refused():
    with pytest.raises(TableError, match="seats 1 to 2, not 3"):
        seats_for(Nim(), mine=3)
    with pytest.raises(AgentError, match="did you mean 'random'"):
        seats_for(Nim(), other="randm")
