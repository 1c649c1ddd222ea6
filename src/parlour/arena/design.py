"""Pairings of round robins and gauntlets for any number of agents and seats.

With two seats every pair meets. With more, this is a cyclic block design: each base block is
developed through all agents ({0, 1, 3} gives {1, 2, 4}, {2, 3, 5} and so on), so all agents play
equally often. A base block determines the distances on the circle at which pairs meet. More
base blocks are added until the counts of all distances differ by at most one.
"""

import math
import random
from collections.abc import Iterator
from itertools import combinations

from parlour.arena.plan import AgentSet

MOST_CANDIDATES = 20_000
"""The largest number of base blocks compared per choice; dozens of agents have more."""


def round_robin(agents: int, size: int, meetings: int) -> tuple[list[AgentSet], int]:
    """Return sets of `size` agents, and the number of groups in which each set meets.

    Every pair meets in at least `meetings` groups, and no pair meets more than once more than
    another. A call with more meetings begins with the same sets.
    """
    if size == 1 or agents == size:
        return [tuple(range(agents))], meetings
    if size == 2:
        return list(_all_pairs(agents)), meetings
    return _developed(agents, size, meetings), 1


def gauntlet(agents: int, size: int, meetings: int) -> tuple[list[AgentSet], int]:
    """Like `round_robin`, but the first agent is in every set and meets each other agent."""
    if size == 1 or agents == size:
        return [tuple(range(agents))], meetings
    if size == 2:
        return [(0, other) for other in range(1, agents)], meetings
    others = agents - 1
    # Each base block puts every agent into as many sets as the block has members.
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
    """Yield every pair in rounds in which all agents play once: the circle method."""
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
    """Yield base blocks without end, each keeping the meetings as even as possible."""
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
    """Yield all base blocks, or a sample if there are too many."""
    if math.comb(agents - 1, size - 1) <= MOST_CANDIDATES:
        yield from ((0, *rest) for rest in combinations(range(1, agents), size - 1))
        return
    for _ in range(MOST_CANDIDATES // 10):
        yield (0, *sorted(draw.sample(range(1, agents), size - 1)))


def _after(counts: list[int], block: AgentSet, agents: int) -> list[int]:
    """Return the meetings by distance after adding a developed block."""
    found = list(counts)
    for one, two in combinations(block, 2):
        distance = min((two - one) % agents, (one - two) % agents)
        # For opposite agents, the rotations count each pair twice.
        found[distance] += 2 if 2 * distance == agents else 1
    return found


def _turned(block: AgentSet, agents: int) -> list[AgentSet]:
    return [tuple((each + turn) % agents for each in block) for turn in range(agents)]
