"""The figures of a match: places, and Elo.

The unit of every figure is the group, the games from one start: they are not independent
of each other, groups are. A pair's score is one of five (0, ½, 1, 1½ or 2 points of 2), hence
"pentanomial" for statistics that count pairs.
"""

import math
from collections.abc import Sequence

from parlour.arena.intervals import Estimate


def places(returns: Sequence[float]) -> tuple[float, ...]:
    """The place of each seat, 1 for the best; equals share the mean of their places."""
    return tuple(
        1.0 + sum(other > own for other in returns) + (returns.count(own) - 1) / 2.0
        for own in returns
    )


def first_shares(returns: Sequence[float]) -> tuple[float, ...]:
    """Each seat's share of the first place: 1, or equal parts among the best, or 0."""
    best = max(returns)
    return tuple(1.0 / returns.count(best) if own == best else 0.0 for own in returns)


def elo_difference(share: float) -> float:
    """The Elo difference at which that share of the points is expected; infinite at 0 and 1."""
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return 400.0 * math.log10(share / (1.0 - share))


def expected_share(elo: float) -> float:
    """The share of the points that is expected at that Elo difference."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_estimate(share: Estimate) -> Estimate:
    """The Elo difference of a share and of the ends of its interval."""
    return Estimate(*(elo_difference(value) for value in share))


def elo_text(elo: float) -> str:
    """An Elo difference with its sign."""
    text = f"{elo:+.0f}"
    return "+0" if text == "-0" else text


def points_text(points: float) -> str:
    """Points in all their digits, however many, and at most two after the point."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def pair_counts(shares: Sequence[float]) -> tuple[int, ...]:
    """How many pairs brought 0, ½, 1, 1½ and 2 points, from their shares of the points."""
    counts = [0] * 5
    for share in shares:
        counts[round(4 * share)] += 1
    return tuple(counts)
