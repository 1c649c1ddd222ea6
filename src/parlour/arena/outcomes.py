"""Rankings of games, counted: the data from which ratings are computed.

Equal games are one row and equal groups one entry, so a hundred thousand games of a few agents
need little memory. The order of the games does not matter.
"""

from collections import Counter
from collections.abc import Sequence

Ranks = tuple[int, ...]
"""The rank of each seat, 0 is best; ties share a rank."""


def ranks_of(returns: Sequence[float]) -> Ranks:
    """Return the ranks of these returns."""
    order = sorted(set(returns), reverse=True)
    return tuple(order.index(value) for value in returns)


class Outcomes:
    """Games as rows of players and ranks."""

    def __init__(self, seats: int) -> None:
        """Start without games. With one seat a group ranks its agents against each other."""
        self.seats = seats
        self.games = 0
        self.rows: dict[tuple[tuple[str, ...], Ranks], int] = {}
        """Maps (players, ranks) to the index of the row."""
        self.groups: Counter[tuple[int, ...]] = Counter()
        """The sorted rows of a group's games, and how many groups have them."""

    def add_group(self, games: Sequence[tuple[Sequence[str], Sequence[float]]]) -> None:
        """Add the games of one start: the players and the returns of each."""
        self.games += len(games)
        if self.seats == 1:
            players = tuple(sat[0] for sat, _ in games)
            games = [(players, [returns[0] for _, returns in games])]
        rows = [self._row(tuple(players), ranks_of(returns)) for players, returns in games]
        self.groups[tuple(sorted(rows))] += 1

    def _row(self, players: tuple[str, ...], ranks: Ranks) -> int:
        return self.rows.setdefault((players, ranks), len(self.rows))

    @property
    def names(self) -> list[str]:
        """The agents, sorted."""
        return sorted({name for players, _ in self.rows for name in players})
