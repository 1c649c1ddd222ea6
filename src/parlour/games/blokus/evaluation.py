"""What a position of Blokus is worth. The weights were fitted: `bench/strength/fit_blokus.py`."""

from typing import Final

from parlour.core.result import estimate

LEAD: Final = 30.0
"""A lead of so many points over the mean of the others is as good as any."""

PLACE: Final = 0.6
"""What the place counts at the end; the rest is the lead."""

LEAD_SO_FAR: Final = 0.03
"""What a point of lead is worth before the end, ..."""

ROOT_OF_REACH: Final = 0.17
"""... and what the square root of the cells that a seat still reaches is worth."""


def worth_at_the_end(place: float, lead: float) -> float:
    """What a seat's place, from -1 to 1, and its lead over the mean of the others are worth."""
    return PLACE * place + (1.0 - PLACE) * max(-1.0, min(1.0, lead / LEAD))


def worth_so_far(lead: float, further: float) -> float:
    """The same before the end, by how much further than the others' mean the seat reaches.

    How far a seat reaches is the sum over its colours of the square roots of the cells.
    """
    return estimate(LEAD_SO_FAR * lead + ROOT_OF_REACH * further)
