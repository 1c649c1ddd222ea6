"""Simulated results of agents with known strengths, for tests and for `bench/arena.py`."""

import math
import random
from itertools import combinations

from parlour.arena.outcomes import Outcomes

ELO = 400 / math.log(10)


def simulated(seed, agents=4, seats=2, groups=25, draws=0.6, spread=0.6, first_seat=0.2):
    """Return (outcomes, true Elo by name): every set meets in `groups` groups, from all seats."""
    rng = random.Random(seed)
    strengths = [rng.gauss(0, spread) for _ in range(agents)]
    mean = sum(strengths) / agents
    strengths = [each - mean for each in strengths]
    outcomes = Outcomes(seats)
    for each in combinations(range(agents), seats):
        for _ in range(groups):
            games = []
            for turn in range(seats):
                seating = [each[(seat - turn) % seats] for seat in range(seats)]
                u = [strengths[agent] for agent in seating]
                u[0] += first_seat
                returns = two(rng, u, draws) if seats == 2 else many(rng, u)
                games.append(([f"agent{agent}" for agent in seating], returns))
            outcomes.add_group(games)
    return outcomes, {f"agent{at}": ELO * each for at, each in enumerate(strengths)}


def two(rng, u, draws):
    odds = [math.exp(u[0]), math.exp(u[1]), draws * math.exp(sum(u) / 2)]
    return rng.choices([(1, -1), (-1, 1), (0, 0)], odds)[0]


def many(rng, u):
    left, returns = list(range(len(u))), [0] * len(u)
    for place in range(len(u)):
        seat = rng.choices(left, [math.exp(u[each]) for each in left])[0]
        returns[seat] = -place
        left.remove(seat)
    return returns
