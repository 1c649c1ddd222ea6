"""Means with confidence intervals."""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, variance
from typing import NamedTuple

CONFIDENCE = 0.95
PERCENT = f"{100 * CONFIDENCE:g} %"
"""The confidence, as reports show it."""


class Estimate(NamedTuple):
    """A mean and its confidence interval."""

    mean: float
    low: float
    high: float


def mean_estimate(
    values: Sequence[float], least: float = -math.inf, most: float = math.inf
) -> Estimate:
    """Return the mean with Student's interval, clipped to [least, most]."""
    mean = fmean(values)
    if len(values) < 2:
        return Estimate(mean, least, most)
    half = student_quantile(len(values) - 1) * math.sqrt(variance(values) / len(values))
    return Estimate(mean, max(least, mean - half), min(most, mean + half))


def share_estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of values from 0 to 1, with an interval that is never empty.

    It is the normal interval after adding one value of 0 and one of 1, like the Agresti-Coull
    interval: ten wins of ten do not prove a score of 100 %.
    """
    padded = [0.0, *values, 1.0]
    return _around(fmean(values), fmean(padded), variance(padded) / len(padded))


def share_estimate_of(count: int, total: float, squares: float) -> Estimate:
    """Return the same from the number of values, their sum and the sum of their squares.

    Without values the interval is [0, 1].
    """
    if count == 0:
        return Estimate(0.5, 0.0, 1.0)
    padded = count + 2
    middle = (total + 1.0) / padded
    spread = max(0.0, (squares + 1.0) - padded * middle * middle) / (padded - 1)
    return _around(total / count, middle, spread / padded)


def _around(mean: float, middle: float, squared_error: float) -> Estimate:
    half = NormalDist().inv_cdf((1.0 + CONFIDENCE) / 2.0) * math.sqrt(squared_error)
    return Estimate(mean, max(0.0, middle - half), min(1.0, middle + half))


def student_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """Return the two-sided quantile of Student's t distribution."""
    p = (1.0 + confidence) / 2.0
    if freedom == 1:
        return math.tan(math.pi * (p - 0.5))
    if freedom == 2:
        return (2.0 * p - 1.0) / math.sqrt(2.0 * p * (1.0 - p))
    # Cornish-Fisher expansion around the normal quantile: within 0.3 % from 3 degrees on.
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
