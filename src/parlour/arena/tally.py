"""Running totals of a tournament or match, without storing its games."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from parlour.arena.contest import Played
from parlour.arena.intervals import Estimate, share_estimate_of
from parlour.arena.outcomes import Outcomes
from parlour.arena.plan import Plan
from parlour.arena.statistics import places

MOST_LENGTHS = 100_000


class Row(NamedTuple):
    """The results of one agent."""

    agent: str
    games: int
    points: float
    """One for each win, by place in between: with four seats 1, ⅔, ⅓ and 0."""
    share: Estimate
    """The points per game."""
    score: float | None
    """The mean of the game's own points, if it has any."""
    faults: int


class Tally:
    """Counts games in any order; a group counts when it is complete."""

    def __init__(self, plan: Plan) -> None:
        """Start without games of this plan."""
        self._plan = plan
        count = len(plan.agents)
        self.games = 0
        self.outcomes = Outcomes(plan.game.num_teams)
        self.lengths: Counter[int] = Counter()
        """The number of games by length in plies."""
        self.reasons: Counter[str] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        """The number of faults by (agent, reason)."""
        self.points = [0.0] * count
        self.won = [0] * count
        """The number of games with a positive return; with one seat, wins."""
        self._games_of = [0] * count
        self._scores = [(0.0, 0)] * count
        # For each agent, over groups: their number, the sum of its shares and of their squares.
        self._shares = [(0, 0.0, 0.0)] * count
        self._crossed: Counter[tuple[int, int]] = Counter()
        self._beaten: dict[tuple[int, int], float] = {}
        self._open: dict[int, list[Played]] = {}

    def take(self, played: Played) -> None:
        """Count a game."""
        self.games += 1
        if len(self.lengths) < MOST_LENGTHS or played.plies in self.lengths:
            self.lengths[played.plies] += 1
        self.reasons[played.reason] += 1
        if played.fault is not None:
            agent = self._plan.agents[played.seating[played.fault.seat]]
            self.faults[agent, played.fault.reason] += 1
        group = played.number // self._plan.group_size
        games = self._open.setdefault(group, [])
        games.append(played)
        if len(games) == self._plan.group_size:
            self._take_group(sorted(self._open.pop(group)))

    def _take_group(self, games: Sequence[Played]) -> None:
        agents = self._plan.agents
        self.outcomes.add_group(
            [([agents[agent] for agent in game.seating], game.returns) for game in games]
        )
        if self._plan.game.num_teams == 1:
            meetings = [([game.seating[0] for game in games], [game.returns[0] for game in games])]
        else:
            meetings = [(list(game.seating), list(game.returns)) for game in games]
        gained: dict[int, list[float]] = {}
        for seating, returns in meetings:
            for agent, place in zip(seating, places(returns), strict=True):
                seats = len(seating)
                gained.setdefault(agent, []).append(
                    (seats - place) / (seats - 1) if seats > 1 else float(returns[0] > 0)
                )
            self._cross(seating, returns)
        for agent, values in gained.items():
            share = math.fsum(values) / len(values)
            count, total, squares = self._shares[agent]
            self._shares[agent] = (count + 1, total + share, squares + share * share)
            self.points[agent] += math.fsum(values)
            self._games_of[agent] += len(values)
        for game in games:
            for agent, value in zip(game.seating, game.returns, strict=True):
                self.won[agent] += value > 0.0
            for agent, score in zip(game.seating, game.scores or (), strict=False):
                total, count = self._scores[agent]
                self._scores[agent] = (total + score, count + 1)

    def _cross(self, seating: Sequence[int], returns: Sequence[float]) -> None:
        for one, mine in zip(seating, returns, strict=True):
            for two, theirs in zip(seating, returns, strict=True):
                if one != two:
                    value = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                    self._crossed[one, two] += 1
                    self._beaten[one, two] = self._beaten.get((one, two), 0.0) + value

    @property
    def rows(self) -> list[Row]:
        """One row per agent, by share of the points, best first."""
        return sorted(
            (self.row(agent) for agent in range(len(self._plan.agents))),
            key=lambda row: (-row.share.mean, row.agent),
        )

    def row(self, agent: int) -> Row:
        """Return the row of the agent with this index."""
        name = self._plan.agents[agent]
        games = self._games_of[agent]
        total, count = self._scores[agent]
        return Row(
            name,
            games,
            self.points[agent],
            share_estimate_of(*self._shares[agent]),
            total / count if count else None,
            sum(number for (who, _), number in self.faults.items() if who == name),
        )

    def against(self, one: str, two: str) -> tuple[float, int]:
        """Return the points of one agent against another, and their number of games."""
        agents = self._plan.agents
        key = (agents.index(one), agents.index(two))
        return self._beaten.get(key, 0.0), self._crossed[key]
