"""Ratings from results, with confidence intervals.

With two seats a win of i over j has odds exp(u_i) : exp(u_j), and a draw has the weight
nu * exp((u_i + u_j) / 2) (Bradley-Terry model with Davidson's draws). With more seats the first
place is drawn with odds exp(u), then the second among the rest, and so on (Plackett-Luce model);
ties are averaged over the possible orders. u is the agent's strength plus the advantage of its
seat.

Every agent has one virtual draw against the mean, which keeps strengths finite. Intervals are
bootstrapped from 400 resamples of the groups, because the games of one start are dependent.
"""

import math
from collections import Counter
from itertools import combinations
from typing import Any, NamedTuple

from parlour.arena.errors import MatchError
from parlour.arena.intervals import CONFIDENCE, Estimate
from parlour.arena.outcomes import Outcomes
from parlour.core.errors import MissingExtra

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("ratings need the extra: pip install 'parlour[rating]'") from error

ELO = 400.0 / math.log(10.0)
"""Elo points per factor of e."""

RESAMPLES = 400
MOST_STEPS = 100
PRECISION = 1e-9
SEAT_PRIOR = 1e-3
"""The precision of the prior on seat advantages: just enough to make them unique."""
NEAR = 3e-4
"""A resample has converged when a step is below a twentieth of an Elo point."""
MOST_NEAR_STEPS = 12

Array = Any


class Rated(NamedTuple):
    """The rating of one agent."""

    agent: str
    elo: Estimate
    games: int
    """The number of games; with one seat, of groups."""
    part: int
    """The connected component. Ratings of different parts are not comparable."""


class Ratings(NamedTuple):
    """All ratings, best first within each part."""

    agents: tuple[Rated, ...]
    seats: tuple[float, ...]
    """The advantage of each seat in Elo, with mean 0; empty with one seat."""
    draws: float | None
    """The share of draws between equal agents, with two seats."""
    superiority: dict[tuple[str, str], float]
    """Maps (one, other) of the same part to the probability that the one is stronger."""
    games: int
    parts: int


def rate(outcomes: Outcomes, *, anchor: tuple[str, float] | None = None, seed: int = 0) -> Ratings:
    """Rate the agents of these outcomes; the order of the games does not matter.

    The mean of each part is 0; an `anchor` fixes the rating of one agent instead. Raises
    `MatchError` if there is nothing to rate or the anchor has not played.
    """
    names = outcomes.names
    if len(names) < 2:
        raise MatchError("nothing to rate: ratings need games between at least two agents")
    if anchor and anchor[0] not in names:
        raise MatchError(f"--anchor: {anchor[0]} has not played; the agents are {', '.join(names)}")
    data = _Data(outcomes, names)
    model: _Model = _Davidson(data) if data.seats == 2 else _PlackettLuce(data)
    best = model.fit(data.weights(data.counts))
    samples = _resamples(model, data, best, seed)
    parts = _parts(data)
    return _ratings(data, model, best, samples, parts, anchor)


class _Data:
    """The outcomes as arrays, in a canonical order."""

    def __init__(self, outcomes: Outcomes, names: list[str]) -> None:
        self.names = names
        number = {name: at for at, name in enumerate(names)}
        order = sorted(outcomes.rows.items())
        place = {row: at for at, (_, row) in enumerate(order)}
        self.seats = len(order[0][0][0])
        # With one seat the agents of a group are compared, without seat advantages.
        self.has_seats = outcomes.seats > 1
        self.games = outcomes.games
        if any(len(players) != self.seats for (players, _), _ in order):
            raise MatchError("these games have different numbers of players: rate them separately")
        self.agents: Array = np.array(
            [[number[name] for name in players] for (players, _), _ in order], dtype=np.int64
        )
        self.ranks: Array = np.array([ranks for (_, ranks), _ in order], dtype=np.int64)
        groups = sorted(
            (tuple(sorted(place[row] for row in rows)), count)
            for rows, count in outcomes.groups.items()
        )
        self.counts: Array = np.array([count for _, count in groups], dtype=np.int64)
        self._group: Array = np.repeat(
            np.arange(len(groups)), np.array([len(rows) for rows, _ in groups])
        )
        self._row: Array = np.array([row for rows, _ in groups for row in rows], dtype=np.int64)

    def weights(self, counts: Array) -> Array:
        """Return the weight of each row, given the count of each group."""
        return np.bincount(
            self._row, weights=counts[self._group].astype(float), minlength=len(self.agents)
        )


class _Model:
    """A log-likelihood of strengths, seat advantages and model parameters, to be maximised.

    The parameters are the agents' strengths, the seats' advantages, then the model's own.
    """

    own = 0

    def __init__(self, data: _Data) -> None:
        self.data = data
        self.count = len(data.names)
        self.size = self.count + data.seats + self.own

    def local(self, u: Array, own: Array, weights: Array, curve: bool) -> tuple[Array, Array]:
        """Return the weighted gradient by (u, own) in each row, and the Hessian if `curve`."""
        raise NotImplementedError

    def slope(self, x: Array, weights: Array, curve: bool) -> tuple[Array, Array]:
        """Return the gradient of the log-likelihood, and minus its Hessian."""
        data, n, seats = self.data, self.count, self.data.seats
        u = x[:n][data.agents] + x[n : n + seats]
        first, second = self.local(u, x[n + seats :], weights, curve)
        width = seats + self.own
        slope = np.zeros(self.size)
        for seat in range(seats):
            slope[:n] += np.bincount(data.agents[:, seat], weights=first[:, seat], minlength=n)
        slope[n:] += first.sum(axis=0)
        bend = np.zeros((self.size, self.size))
        if curve:
            for one in range(seats):
                for two in range(seats):
                    index = data.agents[:, one] * n + data.agents[:, two]
                    block = np.bincount(index, weights=second[:, one, two], minlength=n * n)
                    bend[:n, :n] += block.reshape(n, n)
                for two in range(width):
                    column = np.bincount(
                        data.agents[:, one], weights=second[:, one, two], minlength=n
                    )
                    bend[:n, n + two] += column
                    bend[n + two, :n] += column
            bend[n:, n:] += second.sum(axis=0)
        self._prior(x, slope, bend)
        return slope, bend

    def _prior(self, x: Array, slope: Array, bend: Array) -> None:
        """Add a virtual draw against the mean for every agent, as half a win and half a loss."""
        n, seats = self.count, self.data.seats
        won = 1.0 / (1.0 + np.exp(-x[:n]))
        slope[:n] += 0.5 - won
        bend[np.arange(n), np.arange(n)] += won * (1.0 - won)
        held = np.arange(n, n + seats)
        slope[held] -= SEAT_PRIOR * x[held]
        bend[held, held] += SEAT_PRIOR
        if not self.data.has_seats:
            slope[held] = 0.0
            bend[held, :] = 0.0
            bend[:, held] = 0.0
            bend[held, held] = 1.0

    def fit(self, weights: Array, start: Array | None = None) -> Array:
        """Maximise the likelihood for these weights with Newton's method."""
        x = np.zeros(self.size) if start is None else start.copy()
        for _ in range(MOST_STEPS):
            slope, bend = self.slope(x, weights, True)
            step = np.linalg.solve(bend, slope)
            # Far from the maximum a full step may overshoot.
            largest = float(np.abs(step).max())
            x += step * min(1.0, 2.0 / max(largest, PRECISION))
            if largest < PRECISION:
                break
        return x

    def fit_near(self, weights: Array, start: Array, inverse: Array) -> Array | None:
        """Maximise from a close start with a fixed Hessian; return `None` on divergence."""
        x = start.copy()
        for _ in range(MOST_NEAR_STEPS):
            step = inverse @ self.slope(x, weights, False)[0]
            x += step
            if float(np.abs(step).max()) < NEAR:
                return x
        return None


class _Davidson(_Model):
    """Davidson's model for two seats; its own parameter is log nu."""

    own = 1

    def __init__(self, data: _Data) -> None:
        super().__init__(data)
        ranks = data.ranks
        self.outcome: Array = np.where(
            ranks[:, 0] < ranks[:, 1], 0, np.where(ranks[:, 0] > ranks[:, 1], 1, 2)
        )
        self.has_draws = bool((self.outcome == 2).any())
        # The coefficients of (u of the first, u of the second, log nu) for win, loss and draw.
        self.worth: Array = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]])

    def local(self, u: Array, own: Array, weights: Array, curve: bool) -> tuple[Array, Array]:
        logits = np.column_stack([u[:, 0], u[:, 1], u.mean(axis=1) + own[0]])
        if not self.has_draws:
            logits[:, 2] = -np.inf
        logits -= logits.max(axis=1, keepdims=True)
        odds = np.exp(logits)
        odds /= odds.sum(axis=1, keepdims=True)
        mean = odds @ self.worth
        first = weights[:, None] * (self.worth[self.outcome] - mean)
        if not curve:
            return first, first
        spread = np.einsum("ka,ai,aj->kij", odds, self.worth, self.worth)
        spread -= mean[:, :, None] * mean[:, None, :]
        return first, weights[:, None, None] * spread

    def _prior(self, x: Array, slope: Array, bend: Array) -> None:
        super()._prior(x, slope, bend)
        # A resample may hold no draws, or only draws.
        slope[-1] -= SEAT_PRIOR * x[-1]
        bend[-1, -1] += SEAT_PRIOR


class _PlackettLuce(_Model):
    """Plackett-Luce model: each row is a sequence of choices among the remaining seats."""

    def __init__(self, data: _Data) -> None:
        super().__init__(data)
        rows: list[int] = []
        shares: list[float] = []
        left: list[list[bool]] = []
        terms: dict[tuple[int, ...], list[tuple[float, list[bool]]]] = {}
        for row, ranks in enumerate(map(tuple, data.ranks.tolist())):
            if ranks not in terms:
                terms[ranks] = _stages(ranks)
            for share, mask in terms[ranks]:
                rows.append(row)
                shares.append(share)
                left.append(mask)
        self.rows: Array = np.array(rows, dtype=np.int64)
        self.shares: Array = np.array(shares)
        self.left: Array = np.array(left, dtype=float)

    def local(self, u: Array, own: Array, weights: Array, curve: bool) -> tuple[Array, Array]:
        odds = np.exp(u - u.max(axis=1, keepdims=True))[self.rows] * self.left
        odds /= odds.sum(axis=1, keepdims=True)
        scale = self.shares * weights[self.rows]
        count, seats = u.shape
        first = np.tile(weights[:, None], (1, seats))
        for seat in range(seats):
            first[:, seat] -= np.bincount(self.rows, weights=scale * odds[:, seat], minlength=count)
        if not curve:
            return first, first
        second = np.zeros((count, seats, seats))
        for one in range(seats):
            for two in range(seats):
                value = -odds[:, one] * odds[:, two] + (odds[:, one] if one == two else 0.0)
                second[:, one, two] = np.bincount(self.rows, weights=scale * value, minlength=count)
        return first, second


def _stages(ranks: tuple[int, ...]) -> list[tuple[float, list[bool]]]:
    """Return (share, remaining seats) of every choice that is consistent with these ranks.

    Among m tied seats in unknown order, each subset of size a remains with probability
    1 / C(m, a).
    """
    found = []
    seats = range(len(ranks))
    for rank in sorted(set(ranks)):
        equals = [seat for seat in seats if ranks[seat] == rank]
        behind = {seat for seat in seats if ranks[seat] > rank}
        for size in range(1, len(equals) + 1):
            for some in combinations(equals, size):
                mask = [seat in behind or seat in some for seat in seats]
                found.append((1.0 / math.comb(len(equals), size), mask))
    return found


def _resamples(model: _Model, data: _Data, best: Array, seed: int) -> Array:
    """Return the strengths for each bootstrap resample of the groups."""
    draw = np.random.default_rng(seed)
    total = int(data.counts.sum())
    chances = data.counts / total
    inverse = np.linalg.inv(model.slope(best, data.weights(data.counts), True)[1])
    found = []
    for _ in range(RESAMPLES):
        weights = data.weights(draw.multinomial(total, chances))
        x = model.fit_near(weights, best, inverse)
        found.append((model.fit(weights, best) if x is None else x)[: model.count])
    return np.array(found)


def _parts(data: _Data) -> list[int]:
    """Return the connected component of each agent in the graph of meetings."""
    part = list(range(len(data.names)))

    def root(agent: int) -> int:
        while part[agent] != agent:
            agent = part[agent]
        return agent

    for players in np.unique(data.agents, axis=0).tolist():
        for other in players[1:]:
            part[root(other)] = root(players[0])
    roots = [root(agent) for agent in range(len(part))]
    largest_first = [value for value, _ in Counter(roots).most_common()]
    return [largest_first.index(value) for value in roots]


def _ratings(
    data: _Data,
    model: _Model,
    best: Array,
    samples: Array,
    parts: list[int],
    anchor: tuple[str, float] | None,
) -> Ratings:
    n, seats = model.count, data.seats
    part_of = np.array(parts)
    strengths = best[:n] * ELO
    samples = samples * ELO
    for part in set(parts):
        inside = part_of == part
        strengths[inside] -= strengths[inside].mean()
        samples[:, inside] -= samples[:, inside].mean(axis=1, keepdims=True)
    if anchor:
        at = data.names.index(anchor[0])
        inside = part_of == parts[at]
        strengths[inside] += anchor[1] - strengths[at]
        samples[:, inside] += (anchor[1] - samples[:, at])[:, None]
    tail = 50.0 * (1.0 - CONFIDENCE)
    low, high = np.percentile(samples, [tail, 100.0 - tail], axis=0)
    row_weights = data.weights(data.counts)
    games = np.zeros(n)
    for seat in range(seats):
        games += np.bincount(data.agents[:, seat], weights=row_weights, minlength=n)
    rated = [
        Rated(
            name,
            Estimate(
                float(strengths[at]),
                min(float(low[at]), float(strengths[at])),
                max(float(high[at]), float(strengths[at])),
            ),
            int(games[at]),
            parts[at],
        )
        for at, name in enumerate(data.names)
    ]
    rated.sort(key=lambda each: (each.part, -each.elo.mean, each.agent))
    advantage = best[n : n + seats] * ELO
    return Ratings(
        tuple(rated),
        tuple(float(value) for value in advantage - advantage.mean()) if data.has_seats else (),
        _draw_share(model, best) if data.has_seats else None,
        _superiority(data, samples, parts),
        data.games,
        len(set(parts)),
    )


def _draw_share(model: _Model, best: Array) -> float | None:
    if not isinstance(model, _Davidson):
        return None
    nu = math.exp(float(best[-1])) if model.has_draws else 0.0
    return nu / (2.0 + nu)


def _superiority(data: _Data, samples: Array, parts: list[int]) -> dict[tuple[str, str], float]:
    found = {}
    for one, name in enumerate(data.names):
        for two, other in enumerate(data.names):
            if one != two and parts[one] == parts[two]:
                ahead = (samples[:, one] > samples[:, two]).mean()
                even = (samples[:, one] == samples[:, two]).mean()
                found[name, other] = float(ahead + even / 2.0)
    return found
