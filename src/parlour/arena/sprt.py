"""The sequential probability ratio test: stop a match as soon as it is decided.

It weighs two hypotheses on the Elo difference of the first agent over the second, `elo0`
and `elo1`, by the log-likelihood ratio (LLR) of the pairs played so far. The distribution
of a pair's score is not known, so each hypothesis gets the likeliest one with its mean
(the generalised test, in the pentanomial form that chess engines are tested with).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from parlour.arena.errors import MatchError
from parlour.arena.statistics import expected_share
from parlour.core.options import did_you_mean

# A pair's score that was not seen counts as this many, so that no likelihood is 0.
UNSEEN = 1e-3


class SprtState(NamedTuple):
    """How far a test has come."""

    llr: float
    lower: float
    upper: float

    @property
    def verdict(self) -> str | None:
        """`"elo0"` or `"elo1"` once that hypothesis is accepted, else `None`."""
        if self.llr >= self.upper:
            return "elo1"
        return "elo0" if self.llr <= self.lower else None


class Sprt(NamedTuple):
    """The two hypotheses, and how often each may be rejected although it is true."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """The chance to accept elo1 where elo0 is true."""
    beta: float = 0.05
    """The chance to accept elo0 where elo1 is true."""

    @staticmethod
    def from_text(text: str) -> "Sprt":
        """Read `elo0=0,elo1=20,alpha=0.05,beta=0.05`; what is missing has its default.

        Raises `MatchError`.
        """
        values: dict[str, float] = {}
        for word in filter(None, (part.strip() for part in text.split(","))):
            name, _, value = word.partition("=")
            if name in values:
                raise MatchError(f"sprt: {name} is given twice")
            if name not in Sprt._fields:
                raise MatchError(
                    f"sprt has no setting {name!r}{did_you_mean(name, Sprt._fields)}; "
                    f"it reads like {Sprt().to_text()}"
                )
            try:
                values[name] = float(value)
            except ValueError:
                raise MatchError(f"sprt: {name} is a number, not {value!r}") from None
        return Sprt(**values).checked()

    def to_text(self) -> str:
        """The text that `from_text` reads."""
        return ",".join(f"{name}={value:g}" for name, value in self._asdict().items())

    def checked(self) -> "Sprt":
        """Itself, or `MatchError` if there is no such test."""
        if not (-1000.0 <= self.elo0 < self.elo1 <= 1000.0):
            raise MatchError(
                f"sprt: elo0 is less than elo1, both from -1000 to 1000, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise MatchError(
                f"sprt: alpha and beta lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}"
            )
        return self

    def state(self, counts: Sequence[int]) -> SprtState:
        """The state after so many pairs with 0, ½, 1, 1½ and 2 points."""
        lower = math.log(self.beta / (1.0 - self.alpha))
        upper = math.log((1.0 - self.beta) / self.alpha)
        if not any(counts):
            return SprtState(0.0, lower, upper)
        return SprtState(log_likelihood_ratio(counts, self.elo0, self.elo1), lower, upper)


def log_likelihood_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """The LLR of scores 0, ..., 1 in equal steps, seen so many times, for elo1 over elo0."""
    seen = [max(float(count), UNSEEN) for count in counts]
    total = math.fsum(seen)
    scores = [step / (len(seen) - 1) for step in range(len(seen))]
    weights = [count / total for count in seen]
    under = [_likeliest(scores, weights, expected_share(elo)) for elo in (elo0, elo1)]
    return total * math.fsum(
        weight * math.log(one / zero) for weight, zero, one in zip(weights, *under, strict=True)
    )


def _likeliest(scores: list[float], weights: list[float], mean: float) -> list[float]:
    """The distribution on the scores with that mean that makes the weights most likely.

    By Lagrange it is w / (1 + x (score - mean)), for the x that solves the equation below.
    """
    offsets = [score - mean for score in scores]

    def slope(x: float) -> float:
        return math.fsum(w * d / (1.0 + x * d) for w, d in zip(weights, offsets, strict=True))

    # The slope falls from +inf to -inf between the poles.
    low, high = -1.0 / offsets[-1], -1.0 / offsets[0]
    for _ in range(200):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if slope(middle) > 0.0:
            low = middle
        else:
            high = middle
    x = (low + high) / 2.0
    return [w / (1.0 + x * d) for w, d in zip(weights, offsets, strict=True)]
