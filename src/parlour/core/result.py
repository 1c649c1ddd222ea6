"""How a game ended, and what a position is worth before that."""

import math
from typing import Final, NamedTuple

UNDECIDED: Final = 0.96
"""No position is worth more before the end, and none less than this below 0."""


def estimate(value: float) -> float:
    """Any number as what a position is worth: squeezed into UNDECIDED, where more stays more."""
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
    """How a game ended. Why it ended (`reason`) is kept apart from who won (`returns`)."""

    returns: tuple[float, ...]
    """One number per seat in [-1, 1]; `Game.utility` says how they relate."""
    scores: tuple[float, ...] | None
    """The game's own points per seat, where it has them."""
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats with the best return, if that is above 0: a team, or all seats of a common game."""
        best = max(self.returns)
        return tuple([seat for seat, won in enumerate(self.returns) if won == best and best > 0])

    @property
    def winner(self) -> int | None:
        """The only seat in `winners`, or `None`."""
        winners = self.winners
        return winners[0] if len(winners) == 1 else None
