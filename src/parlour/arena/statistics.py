"""Statistics of a match: places and Elo.

The sample unit is the group, that is the games from one start, because they are not independent
of each other. A pair's score is one of five (0, ½, 1, 1½ or 2 points of 2), hence "pentanomial"
for statistics that count pairs.
"""

import math
from collections.abc import Sequence

from parlour.arena.intervals import Estimate


def places(returns: Sequence[float]) -> tuple[float, ...]:
    """Return the place of each seat, 1 for the best; ties share the mean of their places."""
    return tuple(
        1.0 + sum(other > own for other in returns) + (returns.count(own) - 1) / 2.0
        for own in returns
    )


def first_shares(returns: Sequence[float]) -> tuple[float, ...]:
    """Return each seat's share of the first place: 1, an equal part of a tie, or 0."""
    best = max(returns)
    return tuple(1.0 / returns.count(best) if own == best else 0.0 for own in returns)


def elo_difference(share: float) -> float:
    """Return the Elo difference for an expected score; infinite at 0 and 1."""
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return 400.0 * math.log10(share / (1.0 - share))


def expected_share(elo: float) -> float:
    """Return the expected score for an Elo difference."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_estimate(share: Estimate) -> Estimate:
    """Convert a score and its interval to Elo differences."""
    return Estimate(*(elo_difference(value) for value in share))


def elo_text(elo: float) -> str:
    """Return an Elo difference as text with its sign."""
    text = f"{elo:+z.0f}"
    return "+0" if text == "-0" else text


def points_text(points: float) -> str:
    """Return points as text with at most two decimals."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def pair_counts(shares: Sequence[float]) -> tuple[int, ...]:
    """Return the number of pairs with 0, ½, 1, 1½ and 2 points, from their scores."""
    counts = [0] * 5
    for share in shares:
        counts[round(4 * share)] += 1
    return tuple(counts)
