"""How a game ended, and what a position is worth before that."""

import math
from typing import Final, NamedTuple

UNDECIDED: Final = 0.96
"""No position is worth more before the end, and none less than this below 0."""


def estimate(value: float) -> float:
    """Any number as what a position is worth: squeezed into UNDECIDED, where more stays more."""
    return UNDECIDED * math.tanh(value)


def forfeit_returns(seats: int, loser: int) -> tuple[float, ...]:
    """Return the returns of a game that a seat forfeits: -1 for it, and the others share the 1."""
    share = 1.0 / (seats - 1) if seats > 1 else 0.0
    return tuple([-1.0 if seat == loser else share for seat in range(seats)])


class Result(NamedTuple):
    """How a game ended. Why it ended (`reason`) is kept apart from who won (`returns`)."""

    returns: tuple[float, ...]
    """One number per seat in [-1, 1]; they sum to 0 where there is more than one seat."""
    scores: tuple[float, ...] | None
    """The game's own points per seat, where it has them."""
    reason: str

    @property
    def winner(self) -> int | None:
        """The seat that did better than every other, or `None` after a tie or a lost solo game."""
        best = max(self.returns)
        if best <= 0 or self.returns.count(best) > 1:
            return None
        return self.returns.index(best)
