"""What a position of Blokus is worth. The weights were fitted: `bench/strength/fit_blokus.py`."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.result import estimate

LEAD: Final = 30.0
"""A lead of so many points over the mean of the others is as good as any."""

PLACE: Final = 0.6
"""What the place counts at the end; the rest is the lead."""

LEAD_SO_FAR: Final = 0.05
"""What a point of lead is worth before the end, ..."""

ROOT_OF_REACH: Final = 0.25
"""... and what the square root of the cells that a seat still reaches is worth."""

WEIGHT_EARLY: Final = 0.9
"""What the evaluation counts beside a playout with up to four pieces of the colour laid, ..."""

WEIGHT_FALL: Final = 0.06
"""... how much less with each further piece, ..."""

WEIGHT_LATE: Final = 0.4
"""... and what it counts at least."""


def weight_after(laid: i64) -> float:
    """How much of this counts beside a playout once a colour has laid so many pieces."""
    return max(WEIGHT_LATE, min(WEIGHT_EARLY, WEIGHT_EARLY - WEIGHT_FALL * float(laid - 4)))


def values_of(scores: vec[i64], reaches: vec[float], is_over: bool) -> vec[float]:
    """What a position is worth to each seat, by its place and lead, or by its lead and reach.

    How far a seat reaches is the sum over its colours of the square roots of the cells.
    """
    seats = len(scores)
    others = float(seats - 1)
    all_scores: i64 = 0
    all_reaches = 0.0
    seat: i64 = 0
    while seat < seats:
        all_scores += scores[seat]
        all_reaches += reaches[seat]
        seat += 1
    out = vec[float]([0.0] * seats)
    seat = 0
    while seat < seats:
        own = scores[seat]
        lead = float(own) - float(all_scores - own) / others
        if is_over:
            better: i64 = 0
            equal: i64 = -1
            other: i64 = 0
            while other < seats:
                if scores[other] > own:
                    better += 1
                elif scores[other] == own:
                    equal += 1
                other += 1
            place = place_value(seats, better, equal)
            out[seat] = PLACE * place + (1.0 - PLACE) * max(-1.0, min(1.0, lead / LEAD))
        else:
            further = reaches[seat] - (all_reaches - reaches[seat]) / others
            out[seat] = estimate(LEAD_SO_FAR * lead + ROOT_OF_REACH * further)
        seat += 1
    return out


def place_value(seats: i64, better: i64, equal: i64) -> float:
    """Rule 10, for one seat: how many of the others did better, and how many as well."""
    return float(seats - 1 - 2 * better - equal) / float(seats - 1)
