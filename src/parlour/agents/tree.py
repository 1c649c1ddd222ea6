"""The tree of a Monte-Carlo tree search: nodes in flat arrays."""

import math
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i32, i64

from parlour.core.game import CHANCE, State
from parlour.core.heuristics import Heuristics
from parlour.core.rng import Rng

UNEXPANDED: Final = -1
NO_ODDS: Final = -1.0

FAR: Final = 6.0
"""With a width, actions below about 1/400 of the best one's odds are left out."""


class Tree:
    """Nodes in flat arrays; the children of a node are contiguous."""

    def __init__(self, heuristics: Heuristics) -> None:
        """Create a root without children."""
        self._heuristics: Final = heuristics
        self.action: vec[i64] = vec[i64]()
        self.first: vec[i32] = vec[i32]()
        self.count: vec[i32] = vec[i32]()
        self.visits: vec[i32] = vec[i32]()
        self.total: vec[float] = vec[float]()
        self.prior: vec[float] = vec[float]()
        self.add(-1, NO_ODDS)

    def add(self, action: i64, prior: float) -> None:
        """Add an unexpanded node."""
        self.action = append(self.action, action)
        self.first = append(self.first, UNEXPANDED)
        self.count = append(self.count, 0)
        self.visits = append(self.visits, 0)
        self.total = append(self.total, 0.0)
        self.prior = append(self.prior, prior)

    def expand(self, node: i64, state: State, rng: Rng, most: i64) -> None:
        """Add the legal actions as children of a node, most promising first.

        A child's prior is the softmax of the game's priors, or NO_ODDS if the game has none. If
        `most` is not 0, only that many are added. Without priors all actions are added, in random
        order, because children are tried in order.
        """
        actions = state.legal_actions()
        n = len(actions)
        self.first[node] = i32(len(self.action))
        self.count[node] = i32(n)
        priors = vec[float]()
        if n > 1 and state.actor != CHANCE:
            priors = self._heuristics.priors(state, actions)
        i: i64 = 0
        if len(priors) == 0:
            while i < n:
                j = i + rng.below(n - i)
                chosen = actions[j]
                actions[j] = actions[i]
                self.add(chosen, NO_ODDS)
                i += 1
            return
        order = _largest(priors, most)
        self.count[node] = i32(len(order))
        best = priors[order[0]]
        total = 0.0
        for k in order:
            odds = math.exp(priors[k] - best)
            priors[k] = odds
            total += odds
        for k in order:
            self.add(actions[k], priors[k] / total)

    def add_only_child(self, action: i64) -> None:
        """Make this action the only child of the root."""
        self.first[0] = i32(len(self.action))
        self.count[0] = 1
        self.add(action, NO_ODDS)

    def child_of(self, node: i64, action: i64) -> i64:
        """Return the child for this action, or -1."""
        i: i64 = i64(self.first[node])
        if i < 0:
            return -1
        end = i + i64(self.count[node])
        while i < end:
            if self.action[i] == action:
                return i
            i += 1
        return -1

    def subtree(self, node: i64, state: State, rng: Rng) -> "Tree":
        """Copy the subtree below this node, whose state is `state`, as a new tree.

        The new root gets all its actions, including those that a width left out.
        """
        new = Tree(self._heuristics)
        new.copy_numbers(self, node, 0)
        new.expand(0, state, rng, 0)
        old_of: list[int] = []
        new_of: list[int] = []
        for k in range(1, len(new.action)):
            old = self.child_of(node, new.action[k])
            if old >= 0:
                new.copy_numbers(self, old, k)
                old_of.append(old)
                new_of.append(k)
        at = 0
        while at < len(old_of):
            first: i64 = i64(self.first[old_of[at]])
            if first >= 0:
                count = self.count[old_of[at]]
                new.first[new_of[at]] = i32(len(new.action))
                new.count[new_of[at]] = count
                i: i64 = first
                while i < first + i64(count):
                    new_of.append(len(new.action))
                    old_of.append(i)
                    new.add(self.action[i], self.prior[i])
                    new.copy_numbers(self, i, new_of[len(new_of) - 1])
                    i += 1
            at += 1
        return new

    def copy_numbers(self, other: "Tree", theirs: i64, ours: i64) -> None:
        """Copy the visits and the total of a node of another tree."""
        self.visits[ours] = other.visits[theirs]
        self.total[ours] = other.total[theirs]


def _largest(numbers: vec[float], most: i64) -> vec[i64]:
    """Return the indices of the `most` largest numbers (0: all), largest first, stably.

    With `most`, numbers more than FAR below the largest are left out. Insertion is fast enough:
    few numbers enter the best so far, and none becomes a Python object.
    """
    n = len(numbers)
    least = -1e300
    k: i64 = 0
    if most == 0:
        most = n
    else:
        while k < n:
            if numbers[k] > least:
                least = numbers[k]
            k += 1
        least -= FAR
    out = vec[i64]([0] * (most if most < n else n))
    kept: i64 = 0
    k = 0
    while k < n:
        number = numbers[k]
        if number >= least and (kept < most or number > numbers[out[kept - 1]]):
            at = kept if kept < most else kept - 1
            kept = at + 1
            while at > 0 and numbers[out[at - 1]] < number:
                out[at] = out[at - 1]
                at -= 1
            out[at] = k
        k += 1
    return out[:kept]


def most_visited(tree: Tree, node: i64) -> i64:
    """Return the most visited child; ties go to the larger total, then to the first."""
    first: i64 = i64(tree.first[node])
    best = first
    i: i64 = first + 1
    while i < first + i64(tree.count[node]):
        if tree.visits[i] > tree.visits[best] or (
            tree.visits[i] == tree.visits[best] and tree.total[i] > tree.total[best]
        ):
            best = i
        i += 1
    return best


def visits_ahead(tree: Tree, node: i64) -> i64:
    """Return the lead in visits of the most visited child over the second."""
    first: i64 = i64(tree.first[node])
    most: i64 = 0
    second: i64 = 0
    i: i64 = first
    while i < first + i64(tree.count[node]):
        visits = i64(tree.visits[i])
        if visits > most:
            second = most
            most = visits
        elif visits > second:
            second = visits
        i += 1
    return most - second


def expected_line(tree: Tree, node: i64) -> list[int]:
    """Return the principal variation from this node: the most visited child each time."""
    actions: list[int] = [tree.action[node]]
    while tree.first[node] >= 0 and tree.count[node] > 0:
        node = most_visited(tree, node)
        if tree.visits[node] == 0:
            break
        actions.append(tree.action[node])
    return actions
