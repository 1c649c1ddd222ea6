"""The results of a match: standings, and the duel of two agents."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from parlour.arena.contest import Fault, Played
from parlour.arena.intervals import Estimate, mean_estimate, share_estimate
from parlour.arena.sprt import Sprt, SprtState
from parlour.arena.statistics import (
    elo_estimate,
    first_shares,
    pair_counts,
    places,
)
from parlour.core.game import Game, has_two_sides


class RankedPlayer(NamedTuple):
    """The results of one agent. If it has several teams in a game, their mean counts."""

    agent: str
    games: int
    first: Estimate
    """The share of first places, a shared one in equal parts.

    With two teams it is the score; with one team, the share of games won.
    """
    place: Estimate
    """The mean place, 1 is best; with one team, among all agents with the same start."""
    score: Estimate | None
    """The mean of the game's own points, if it has any."""
    returns: Estimate
    """The mean return."""
    plies: Estimate
    """The mean number of decisions per game, all seats together."""
    faults: int
    """Games lost by a crash, an illegal action or no action."""


class Duel(NamedTuple):
    """Two agents against each other, from the first one's point of view."""

    won: int
    drawn: int
    lost: int
    pairs: tuple[int, ...]
    """The number of pairs with 0, ½, 1, 1½ and 2 points."""
    share: Estimate
    """The score as a share of the points."""
    elo: Estimate
    """The Elo difference to the second; infinite for a score of 0 or 1."""


@dataclass(frozen=True)
class MatchResult:
    """The games that count, in the order of the plan, and figures computed from them."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    group_size: int
    planned: int
    games: tuple[Played, ...]
    sprt: Sprt | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' texts, numbered if two are equal."""
        return numbered(self.agents)

    @property
    def groups(self) -> list[list[Played]]:
        """The games of each complete group."""
        found: dict[int, list[Played]] = {}
        for played in self.games:
            found.setdefault(played.number // self.group_size, []).append(played)
        return [group for group in found.values() if len(group) == self.group_size]

    @property
    def standings(self) -> tuple[RankedPlayer, ...]:
        """One per agent, in the given order; empty before the first group."""
        groups = self.groups
        if not groups:
            return ()
        return tuple(self._standing(agent, groups) for agent in range(len(self.agents)))

    def _standing(self, agent: int, groups: list[list[Played]]) -> RankedPlayer:
        alone = self.game.num_teams == 1
        first: list[float] = []
        place: list[float] = []
        score: list[float] = []
        returns: list[float] = []
        plies: list[float] = []
        for group in groups:
            own = [played for played in group if agent in played.seating]
            returns.append(_mean(own, agent, lambda played: played.returns))
            plies.append(fmean(played.plies for played in own))
            if alone:
                rivals = [played.returns[0] for played in group]
                place.append(places(rivals)[agent])
                first.append(fmean(float(played.returns[0] > 0.0) for played in own))
            else:
                place.append(_mean(own, agent, lambda played: places(played.returns)))
                first.append(_mean(own, agent, lambda played: first_shares(played.returns)))
            scored = [played for played in own if played.scores is not None]
            if scored:
                score.append(_mean(scored, agent, lambda played: played.scores or ()))
        return RankedPlayer(
            self.names[agent],
            sum(agent in played.seating for group in groups for played in group),
            share_estimate(first),
            mean_estimate(
                place, 1.0, float(self.game.num_teams if not alone else len(self.agents))
            ),
            mean_estimate(score) if score else None,
            mean_estimate(returns, -1.0, 1.0),
            mean_estimate(plies, 0.0),
            sum(number == agent for number, _ in self.faults),
        )

    @property
    def duel(self) -> Duel | None:
        """The figures of two agents against each other, or `None`."""
        groups = self.groups
        if not has_two_sides(self.game) or not groups:
            return None
        points = [points_of_first(played) for group in groups for played in group]
        shares = [fmean(map(points_of_first, group)) for group in groups]
        share = share_estimate(shares)
        return Duel(
            points.count(1.0),
            points.count(0.5),
            points.count(0.0),
            pair_counts(shares),
            share,
            elo_estimate(share),
        )

    @property
    def repeats(self) -> int:
        """The number of groups whose games are duplicates of an earlier group's."""
        whole = [group for group in self.groups if all(played.fault is None for played in group)]
        return len(whole) - len({tuple(played.moves for played in group) for group in whole})

    @property
    def sprt_state(self) -> SprtState | None:
        """The state of the sequential test, if there is one."""
        if self.sprt is None:
            return None
        duel = self.duel
        return self.sprt.state(duel.pairs if duel else ())

    @property
    def faults(self) -> list[tuple[int, Fault]]:
        """List (index of the agent, fault) for every game lost by a fault."""
        return [
            (played.seating[played.fault.seat], played.fault)
            for played in self.games
            if played.fault is not None
        ]

    @property
    def fault_counts(self) -> list[tuple[str, str, int]]:
        """List (agent, reason, count), most frequent first."""
        counted = Counter((self.names[agent], fault.reason) for agent, fault in self.faults)
        return [(name, reason, count) for (name, reason), count in counted.most_common()]


def numbered(agents: Sequence[str]) -> tuple[str, ...]:
    """Return the agents' texts, numbered if two are equal."""
    return tuple(
        f"{text} ({number})" if agents.count(text) > 1 else text
        for number, text in enumerate(agents, 1)
    )


def points_of_first(played: Played) -> float:
    """Return the first agent's points in a game of two teams: 1, ½ or 0."""
    return first_shares(played.returns)[played.seating.index(0)]


def _mean(
    games: Sequence[Played], agent: int, values: Callable[[Played], Sequence[float]]
) -> float:
    """Return the mean value of the agent's teams in these games."""
    return fmean(
        value
        for played in games
        for number, value in zip(played.seating, values(played), strict=True)
        if number == agent
    )
