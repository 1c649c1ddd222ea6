"""Move ordering: hash move, the game's move order, killer moves and history."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from parlour.core.game import State
from parlour.core.heuristics import Heuristics

MAX_DEPTH: Final = 64

_FIRST_OF_ALL: Final[i64] = 0x1000_0000_0000_0000
_KILLER: Final[i64] = 0x4000_0000


class Ordering:
    """Killer moves and history of one search."""

    def __init__(self, heuristics: Heuristics) -> None:
        """Start with empty tables."""
        num_actions = heuristics.game.num_actions
        self._heuristics: Final = heuristics
        self._history: Final[vec[i64]] = vec[i64]([0] * num_actions)
        self._killers: Final[vec[i64]] = vec[i64]([-1] * (2 * MAX_DEPTH))

    def note_cut(self, action: i64, depth: i64, ply: i64) -> None:
        """Record the action that caused a beta cutoff."""
        self._history[action] += depth * depth
        if ply < MAX_DEPTH and self._killers[2 * ply] != action:
            self._killers[2 * ply + 1] = self._killers[2 * ply]
            self._killers[2 * ply] = action

    def ranks(self, state: State, actions: vec[i64], hint: i64, ply: i64) -> vec[i64]:
        """Return sort keys: hash move first, then the game's move order, killers and history."""
        ranks = vec[i64](capacity=len(actions))
        history = self._history
        heuristics = self._heuristics
        killer: i64 = -1
        killer_2: i64 = -1
        if ply < MAX_DEPTH:
            killer = self._killers[2 * ply]
            killer_2 = self._killers[2 * ply + 1]
        i: i64 = 0
        while i < len(actions):
            action = actions[i]
            if action == hint:
                ranks = append(ranks, _FIRST_OF_ALL)
            elif action == killer or action == killer_2:
                ranks = append(ranks, (heuristics.move_order(state, action) << 32) + _KILLER)
            else:
                ranks = append(
                    ranks, (heuristics.move_order(state, action) << 32) + history[action]
                )
            i += 1
        return ranks


def bring_best(actions: vec[i64], ranks: vec[i64], at: i64) -> None:
    """Swap the action with the highest remaining rank to index `at`."""
    best = at
    i: i64 = at + 1
    while i < len(actions):
        if ranks[i] > ranks[best]:
            best = i
        i += 1
    if best != at:
        action, rank = actions[best], ranks[best]
        actions[best], ranks[best] = actions[at], ranks[at]
        actions[at], ranks[at] = action, rank


def best_first(ranked: list[tuple[float, int]], searched: int) -> list[tuple[float, int]]:
    """Sort the first `searched` entries by value, stably; leave the others as they are."""
    head = sorted(enumerate(ranked[:searched]), key=lambda entry: (-entry[1][0], entry[0]))
    return [entry for _, entry in head] + ranked[searched:]
