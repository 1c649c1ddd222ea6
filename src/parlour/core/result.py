"""Results of finished games, and the range of evaluations before the end."""

import math
from typing import Final, NamedTuple

UNDECIDED: Final = 0.96
"""Evaluations of unfinished games lie within ±UNDECIDED."""


def estimate(value: float) -> float:
    """Squeeze any number into the range ±UNDECIDED; monotonic.

    >>> estimate(0.0), estimate(100.0)
    (0.0, 0.96)
    """
    return UNDECIDED * math.tanh(value)


ZERO_SUM: Final = "zero-sum"
COMMON: Final = "common"
GENERAL: Final = "general"
UTILITIES: Final = (ZERO_SUM, COMMON, GENERAL)
"""How the returns of the seats relate: they sum to 0, they are all equal, or neither."""


def forfeit_returns(utility: str, teams: tuple[int, ...], loser: int) -> tuple[float, ...]:
    """Return the returns of a game that a seat forfeits, given the team of each seat.

    The seat's team loses. In a zero-sum game the others share what it loses; otherwise they get 0.

    >>> forfeit_returns(ZERO_SUM, (0, 1, 2), 0)
    (-1.0, 0.5, 0.5)
    """
    losers = teams.count(teams[loser])
    others = len(teams) - losers
    lost, share = 1.0, 0.0
    if utility == ZERO_SUM and others > 0:
        lost = min(1.0, others / losers)
        share = lost * losers / others
    return tuple([-lost if team == teams[loser] else share for team in teams])


class Result(NamedTuple):
    """How a game ended: the outcome of each seat, and why the game ended.

    >>> Result((1.0, -1.0), None, "checkmate").winner
    0
    """

    returns: tuple[float, ...]
    """One number per seat in [-1, 1]; `Game.utility` says how they relate."""
    scores: tuple[float, ...] | None
    """The points of each seat, in games that count points."""
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats with the best return if it is above 0: a team, or all seats of a common game.

        >>> Result((0.5, -1.0, 0.5), None, "points").winners
        (0, 2)
        """
        best = max(self.returns)
        return tuple([seat for seat, won in enumerate(self.returns) if won == best and best > 0])

    @property
    def winner(self) -> int | None:
        """The only seat in `winners`, or `None`.

        >>> Result((0.0, 0.0), None, "draw").winner is None
        True
        """
        winners = self.winners
        return winners[0] if len(winners) == 1 else None
