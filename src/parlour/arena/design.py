"""Who meets whom in a round robin or gauntlet, for any number of agents and seats.

With two seats every pair meets. With more, the sets come from base blocks that are turned
through all agents: {0, 1, 3} gives {1, 2, 4}, {2, 3, 5} and so on, so everybody plays
equally often. Pairs meet by their distance on the circle; further base blocks are chosen
until all distances have come equally often, give or take one.
"""

import math
import random
from collections.abc import Iterator
from itertools import combinations

from parlour.arena.plan import AgentSet

MOST_CANDIDATES = 20_000
"""Base blocks that are looked at for each choice; with dozens of agents there are more."""


def round_robin(agents: int, size: int, meetings: int) -> tuple[list[AgentSet], int]:
    """Sets of that size, and in how many groups each meets: every pair in `meetings` or more.

    No pair meets more than once more often than another. A call with more meetings begins
    with the same sets.
    """
    if size == 1 or agents == size:
        return [tuple(range(agents))], meetings
    if size == 2:
        return list(_all_pairs(agents)), meetings
    return _developed(agents, size, meetings), 1


def gauntlet(agents: int, size: int, meetings: int) -> tuple[list[AgentSet], int]:
    """The same where the first agent is in every set, and meets each other one that often."""
    if size == 1 or agents == size:
        return [tuple(range(agents))], meetings
    if size == 2:
        return [(0, other) for other in range(1, agents)], meetings
    others = agents - 1
    # Everybody is in as many sets as a block has members, for each base block.
    blocks = -(-meetings // (size - 1))
    if others == size - 1:
        return [tuple(range(agents))], meetings
    chosen: list[AgentSet] = []
    for number, block in enumerate(_blocks(others, size - 1)):
        if number == blocks:
            break
        chosen += _turned(block, others)
    return [(0, *(other + 1 for other in each)) for each in chosen], 1


def _all_pairs(agents: int) -> Iterator[AgentSet]:
    """Every pair, in rounds in which everybody plays once: the circle method."""
    places = list(range(agents)) + [-1] * (agents % 2)
    half = len(places) // 2
    for turn in range(len(places) - 1):
        for at in range(half):
            one, two = places[at], places[-1 - at]
            if -1 not in (one, two):
                yield (one, two) if turn % 2 == 0 else (two, one)
        places[1:] = [places[-1], *places[1:-1]]


def _developed(agents: int, size: int, meetings: int) -> list[AgentSet]:
    sets: list[AgentSet] = []
    counts = [0] * (agents // 2 + 1)
    for block in _blocks(agents, size):
        sets += _turned(block, agents)
        counts = _after(counts, block, agents)
        met = counts[1:]
        if min(met) >= meetings and max(met) - min(met) <= 1:
            break
    return sets


def _blocks(agents: int, size: int) -> Iterator[AgentSet]:
    """Base blocks without end, each of which keeps the meetings as even as it can."""
    counts = [0] * (agents // 2 + 1)
    used: dict[AgentSet, int] = {}
    draw = random.Random(0)
    while True:
        best: AgentSet = ()
        best_key: tuple[int, int, int] | None = None
        for block in _candidates(agents, size, draw):
            after = _after(counts, block, agents)[1:]
            spread = max(after) - min(after)
            key = (spread, sum(count * count for count in after), used.get(block, 0))
            if best_key is None or key < best_key:
                best, best_key = block, key
        counts = _after(counts, best, agents)
        used[best] = used.get(best, 0) + 1
        yield best


def _candidates(agents: int, size: int, draw: random.Random) -> Iterator[AgentSet]:
    """All base blocks, or some of them where there are too many."""
    if math.comb(agents - 1, size - 1) <= MOST_CANDIDATES:
        yield from ((0, *rest) for rest in combinations(range(1, agents), size - 1))
        return
    for _ in range(MOST_CANDIDATES // 10):
        yield (0, *sorted(draw.sample(range(1, agents), size - 1)))


def _after(counts: list[int], block: AgentSet, agents: int) -> list[int]:
    """How often pairs of each distance have met, with all turns of that block too."""
    found = list(counts)
    for one, two in combinations(block, 2):
        distance = min((two - one) % agents, (one - two) % agents)
        # Opposite each other on the circle: the turns come to each such pair twice.
        found[distance] += 2 if 2 * distance == agents else 1
    return found


def _turned(block: AgentSet, agents: int) -> list[AgentSet]:
    return [tuple((each + turn) % agents for each in block) for turn in range(agents)]
