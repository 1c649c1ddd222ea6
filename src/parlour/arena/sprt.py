"""Sequential probability ratio test: stop a match as soon as it is decided.

It compares two hypotheses on the Elo difference of the first agent to the second, `elo0` and
`elo1`, by the log-likelihood ratio (LLR) of the pairs so far. The distribution of a pair's score
is unknown, so each hypothesis uses the maximum-likelihood distribution with its mean: the
generalised SPRT in its pentanomial form, as used in chess engine testing.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from parlour.arena.errors import MatchError
from parlour.arena.statistics import expected_share
from parlour.core.options import did_you_mean

# The count of a pair score that has not occurred; keeps likelihoods positive.
UNSEEN = 1e-3


class SprtState(NamedTuple):
    """The state of a test."""

    llr: float
    lower: float
    upper: float

    @property
    def verdict(self) -> str | None:
        """The accepted hypothesis, `"elo0"` or `"elo1"`, or `None` while undecided."""
        if self.llr >= self.upper:
            return "elo1"
        return "elo0" if self.llr <= self.lower else None


class Sprt(NamedTuple):
    """The two hypotheses and their error probabilities."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """The probability of accepting elo1 if elo0 is true."""
    beta: float = 0.05
    """The probability of accepting elo0 if elo1 is true."""

    @staticmethod
    def from_text(text: str) -> "Sprt":
        """Parse `elo0=0,elo1=20,alpha=0.05,beta=0.05`; missing values have defaults.

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
                    f"write it like {Sprt().to_text()}"
                )
            try:
                values[name] = float(value)
            except ValueError:
                raise MatchError(f"sprt: {name} must be a number, not {value!r}") from None
        return Sprt(**values).checked()

    def to_text(self) -> str:
        """Return the text that `from_text` parses."""
        return ",".join(f"{name}={value:g}" for name, value in self._asdict().items())

    def checked(self) -> "Sprt":
        """Return itself; raises `MatchError` if the test is invalid."""
        if not (-1000.0 <= self.elo0 < self.elo1 <= 1000.0):
            raise MatchError(
                f"sprt: elo0 must be less than elo1, both from -1000 to 1000, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise MatchError(
                f"sprt: alpha and beta must be between 0 and 0.5, "
                f"not {self.alpha:g} and {self.beta:g}"
            )
        return self

    def state(self, counts: Sequence[int]) -> SprtState:
        """Return the state after these numbers of pairs with 0, ½, 1, 1½ and 2 points."""
        lower = math.log(self.beta / (1.0 - self.alpha))
        upper = math.log((1.0 - self.beta) / self.alpha)
        if not any(counts):
            return SprtState(0.0, lower, upper)
        return SprtState(log_likelihood_ratio(counts, self.elo0, self.elo1), lower, upper)


def log_likelihood_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the LLR of elo1 over elo0 for counts of the scores 0, ..., 1 in equal steps."""
    seen = [max(float(count), UNSEEN) for count in counts]
    total = math.fsum(seen)
    scores = [step / (len(seen) - 1) for step in range(len(seen))]
    weights = [count / total for count in seen]
    under = [_likeliest(scores, weights, expected_share(elo)) for elo in (elo0, elo1)]
    return total * math.fsum(
        weight * math.log(one / zero) for weight, zero, one in zip(weights, *under, strict=True)
    )


def _likeliest(scores: list[float], weights: list[float], mean: float) -> list[float]:
    """Return the maximum-likelihood distribution of the scores with this mean.

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
