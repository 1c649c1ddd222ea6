"""Pairings of the next round of a Swiss tournament.

Neighbours in the standings meet, without repeating a pairing if possible. If the agents do not
fill all tables, the lowest of those with the fewest byes get a bye, which counts as a win.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from parlour.arena.plan import AgentSet

MOST_STEPS = 20_000
"""The number of attempts to avoid repetitions before they are allowed."""

Meetings = Mapping[tuple[int, int], int]


def next_round(
    points: Sequence[float], size: int, met: Meetings, byes: Sequence[int]
) -> tuple[list[AgentSet], list[int]]:
    """Return the sets of the next round, from the top, and the agents with a bye.

    `points` includes byes; `met` counts the meetings of (low, high).
    """
    ranked = sorted(range(len(points)), key=lambda agent: (-points[agent], agent))
    lowest = sorted(range(len(points)), key=lambda agent: (points[agent], -agent))
    out = sorted(lowest, key=lambda agent: byes[agent])[: len(points) % size]
    playing = [agent for agent in ranked if agent not in out]
    sets = _pairs(playing, met) if size == 2 else None
    if sets is None:
        sets = _greedy(playing, size, met)
    return [tuple(each) for each in sets], sorted(out)


def _pairs(playing: list[int], met: Meetings) -> list[list[int]] | None:
    """Return pairs of neighbours without repetitions by backtracking, or `None`."""
    steps = 0

    def rest(left: list[int]) -> list[list[int]] | None:
        nonlocal steps
        if not left:
            return []
        first, others = left[0], left[1:]
        for other in others:
            steps += 1
            if steps > MOST_STEPS:
                return None
            if met.get((min(first, other), max(first, other)), 0) == 0:
                found = rest([each for each in others if each != other])
                if found is not None:
                    return [[first, other], *found]
        return None

    return rest(playing)


def _greedy(playing: list[int], size: int, met: Meetings) -> list[list[int]]:
    """Build sets from the top, adding the agent that has met the chosen ones least often."""
    left = list(playing)
    sets = []
    while left:
        chosen = [left.pop(0)]
        while len(chosen) < size:
            best = min(left, key=lambda agent: (_meetings(chosen, agent, met), left.index(agent)))
            left.remove(best)
            chosen.append(best)
        sets.append(chosen)
    return sets


def _meetings(chosen: Sequence[int], agent: int, met: Meetings) -> int:
    return sum(met.get((min(each, agent), max(each, agent)), 0) for each in chosen)


def count_meetings(sets: Sequence[AgentSet], met: Counter[tuple[int, int]]) -> None:
    """Add the meetings of these sets to `met`."""
    for each in sets:
        met.update(combinations(sorted(each), 2))
