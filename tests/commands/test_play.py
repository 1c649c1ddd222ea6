"""The command line's choices as seats."""

import pytest
from nim import Nim

from parlour.commands.play import Wish, given_seats, seats_of
from parlour.table import PERSON, TableError


def test_people_agents_and_single_seats_are_assigned():
    assert seats_of(Nim(), Wish()) == (PERSON, "level:3")
    assert seats_of(Nim(), Wish(people=True)) == (PERSON, PERSON)
    assert seats_of(Nim(), Wish(mine=2, against="greedy")) == ("greedy", PERSON)
    assert seats_of(Nim(), Wish(mine=0)) == ("level:5", "level:5")
    assert seats_of(Nim(), Wish(seats=["1=random", "2=person"])) == ("random", PERSON)


@pytest.mark.parametrize("given", ["1", "3=random", "x=random", "0=random"])
def test_a_seat_is_parsed_as_number_and_agent(given):
    with pytest.raises(TableError, match="N=AGENT"):
        given_seats(Nim(), [given])
