"""Who came before whom, counted: all that a rating needs to know of many games.

Equal games are one row and equal groups of games one entry, so a hundred thousand games of a
few agents take no more room than a few hundred. The order in which games are added does not
matter.
"""

from collections import Counter
from collections.abc import Sequence

Ranks = tuple[int, ...]
"""The rank of each seat, 0 is best; equals have the same."""


def ranks_of(returns: Sequence[float]) -> Ranks:
    """The ranks of these returns."""
    order = sorted(set(returns), reverse=True)
    return tuple(order.index(value) for value in returns)


class Outcomes:
    """Games as rows: who sat where, and in which order they came in."""

    def __init__(self, seats: int) -> None:
        """No games yet. With one seat the agents of a group are ranked as if they had met."""
        self.seats = seats
        self.games = 0
        self.rows: dict[tuple[tuple[str, ...], Ranks], int] = {}
        """(players, ranks) to the number of the row."""
        self.groups: Counter[tuple[int, ...]] = Counter()
        """The rows of a group's games, sorted, and how many groups were like that."""

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
