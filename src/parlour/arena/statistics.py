"""The figures of a match: means with their intervals, places, and Elo.

The unit of every figure is the group, the games from one start: they are not independent
of each other, groups are. A pair's score is one of five (0, ½, 1, 1½ or 2 points of 2), hence
"pentanomial" for statistics that count pairs.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, variance
from typing import NamedTuple

CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


def mean_estimate(
    values: Sequence[float], least: float = -math.inf, most: float = math.inf
) -> Estimate:
    """The mean with Student's interval, cut at what is possible; all of that for one value."""
    mean = fmean(values)
    if len(values) < 2:
        return Estimate(mean, least, most)
    half = student_quantile(len(values) - 1) * math.sqrt(variance(values) / len(values))
    return Estimate(mean, max(least, mean - half), min(most, mean + half))


def share_estimate(values: Sequence[float]) -> Estimate:
    """The mean of shares from 0 to 1, with an interval that is never empty.

    The normal interval after one value of 0 and one of 1 were added, as Agresti and Coull do
    with games: ten pairs won of ten do not prove that all are won.
    """
    padded = [0.0, *values, 1.0]
    middle = fmean(padded)
    half = NormalDist().inv_cdf((1.0 + CONFIDENCE) / 2.0) * math.sqrt(
        variance(padded) / len(padded)
    )
    return Estimate(fmean(values), max(0.0, middle - half), min(1.0, middle + half))


def student_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """How many standard errors each way hold that much of Student's distribution."""
    p = (1.0 + confidence) / 2.0
    if freedom == 1:
        return math.tan(math.pi * (p - 0.5))
    if freedom == 2:
        return (2.0 * p - 1.0) / math.sqrt(2.0 * p * (1.0 - p))
    # Cornish and Fisher's expansion around the normal quantile: within 0.3 % from 3 on.
    z = NormalDist().inv_cdf(p)
    n = float(freedom)
    terms = (
        z,
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4),
    )
    return math.fsum(terms)


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


def pair_counts(shares: Sequence[float]) -> tuple[int, ...]:
    """How many pairs brought 0, ½, 1, 1½ and 2 points, from their shares of the points."""
    counts = [0] * 5
    for share in shares:
        counts[round(4 * share)] += 1
    return tuple(counts)
