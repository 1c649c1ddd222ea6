"""The evaluation of Blokus positions, with weights fitted by `bench/strength/fit_blokus.py`."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.result import estimate

LEAD: Final = 30.0
"""Leads over the mean of the others saturate at this many points."""

PLACE: Final = 0.6
"""The weight of the place at the end; the rest is the weight of the lead."""

LEAD_SO_FAR: Final = 0.05
"""The value of a point of lead before the end."""

ROOT_OF_REACH: Final = 0.25
"""The value of a unit of the square root of the cells that a seat can still reach."""

WEIGHT_EARLY: Final = 0.9
"""The weight of the evaluation beside a playout with up to four pieces placed."""

WEIGHT_FALL: Final = 0.06
"""The decrease of that weight with each further piece."""

WEIGHT_LATE: Final = 0.4
"""The minimum of that weight."""


def weight_after(laid: i64) -> float:
    """Return the weight of the evaluation once a colour has placed `laid` pieces."""
    return max(WEIGHT_LATE, min(WEIGHT_EARLY, WEIGHT_EARLY - WEIGHT_FALL * float(laid - 4)))


def values_of(scores: vec[i64], reaches: vec[float], is_over: bool) -> vec[float]:
    """Return the value for each seat: by place and lead at the end, by lead and reach before.

    The reach of a seat is the sum of the square roots of the cells its colours can reach.
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
    """Return the value of a place (rule 10), given how many others are better and equal."""
    return float(seats - 1 - 2 * better - equal) / float(seats - 1)
