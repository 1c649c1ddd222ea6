"""Information-set MCTS for games with hidden information: one tree over many worlds.

Single-observer ISMCTS. Each simulation samples a world that is consistent with the
observations of the seat to act. It descends a tree whose edges are what that seat sees:
actions and chance outcomes that it cannot see share one edge. Each child counts how often it
was available, because an action may be legal only in some worlds.
"""

import math
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i32, i64

from parlour.agents.base import Clock
from parlour.agents.rollout import Rollout
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.rng import Rng

NONE: Final = -1

# An edge is an action that the seat sees, HIDDEN for every action that it cannot see, or a chance
# outcome numbered from CHANCES downwards to keep it distinct from actions.
HIDDEN: Final[i64] = -3
CHANCES: Final[i64] = -4


class WorldTree:
    """Information-set tree of the seat to act: nodes in flat arrays, children in linked lists."""

    def __init__(self, state: State) -> None:
        """Create a root without children for the seat to act in `state`."""
        self.state: Final = state
        self.seat: Final[i64] = state.actor
        self.edge: vec[i64] = vec[i64]()
        self.first: vec[i32] = vec[i32]()
        self.next: vec[i32] = vec[i32]()
        self.visits: vec[i32] = vec[i32]()
        self.available: vec[i32] = vec[i32]()
        self.total: vec[float] = vec[float]()
        self._add(NONE, NONE)
        # Scratch memory: the child of the current node by action, and the last step down the tree.
        game: Game = state.game
        self._child: vec[i32] = vec[i32]([i32(NONE)] * game.num_actions)
        self._action: i64 = NONE
        self._is_new = False

    def _add(self, parent: i64, edge: i64) -> i64:
        """Add a node as a child of `parent`, or as the root if that is NONE; return its index."""
        node: i64 = len(self.edge)
        self.edge = append(self.edge, edge)
        self.first = append(self.first, NONE)
        self.visits = append(self.visits, 0)
        self.available = append(self.available, 1)
        self.total = append(self.total, 0.0)
        if parent == NONE:
            self.next = append(self.next, NONE)
        else:
            self.next = append(self.next, self.first[parent])
            self.first[parent] = i32(node)
        return node

    def children(self, node: i64) -> list[int]:
        """Return the children by visits, most first; ties go to the larger total."""
        nodes: list[int] = []
        child: i64 = i64(self.first[node])
        while child >= 0:
            nodes.append(child)
            child = i64(self.next[child])
        nodes.sort(key=lambda each: (-self.visits[each], -self.total[each], self.edge[each]))
        return nodes

    def simulate(self, rng: Rng, exploration: float, rollout: Rollout) -> None:
        """Run one simulation: determinize, select, expand, roll out and backpropagate."""
        path: list[int] = []
        movers: list[int] = []
        position = self.state.determinize(int(self.seat), rng).scratch()
        node: i64 = 0
        actor = position.actor
        self._is_new = False
        while actor != OVER and not self._is_new:
            if actor == CHANCE:
                node = self._drawn(node, position, rng)
            else:
                node = self._chosen(node, position, rng, exploration)
            path.append(node)
            movers.append(actor)
            position = position.advance(self._action)
            actor = position.actor
        position = rollout.end(position)
        values = rollout.heuristics.evaluate_seats(position)
        self.visits[0] += 1
        for at in range(len(path)):
            step: i64 = path[at]
            mover = movers[at]
            self.visits[step] += 1
            if mover >= 0:
                self.total[step] += values[mover]

    def _drawn(self, node: i64, position: State, rng: Rng) -> i64:
        """Sample a chance outcome and return the child it leads to, as the seat sees it."""
        action = position.sample(rng)
        self._action = action
        is_seen = position.game.can_see(position, action, int(self.seat))
        edge: i64 = CHANCES - action if is_seen else HIDDEN
        child: i64 = i64(self.first[node])
        while child >= 0:
            if self.edge[child] == edge:
                self.available[child] += 1
                return child
            child = i64(self.next[child])
        self._is_new = True
        return self._add(node, edge)

    def _chosen(self, node: i64, position: State, rng: Rng, exploration: float) -> i64:
        """Return the child that the actor of this world chooses: a new one, otherwise the best."""
        legal = position.legal_actions()
        hidden = vec[i64]()
        if position.actor != self.seat:
            shown = vec[i64]()
            for action in legal:
                if position.game.can_see(position, action, int(self.seat)):
                    shown = append(shown, action)
                else:
                    hidden = append(hidden, action)
            legal = shown
        chosen = self._edge(node, legal, len(hidden) > 0, rng, exploration)
        edge = self.edge[chosen]
        self._action = edge
        if edge == HIDDEN:
            whole = len(legal) == 0
            self._action = position.sample(rng) if whole else hidden[rng.below(len(hidden))]
        return chosen

    def _edge(
        self, node: i64, shown: vec[i64], has_hidden: bool, rng: Rng, exploration: float
    ) -> i64:
        """Select a child by UCB among the edges that this world allows."""
        child_of = self._child
        hidden: i64 = NONE
        child: i64 = i64(self.first[node])
        while child >= 0:
            if self.edge[child] == HIDDEN:
                hidden = child
            elif self.edge[child] >= 0:
                child_of[self.edge[child]] = i32(child)
            child = i64(self.next[child])
        fresh = vec[i64]()
        if has_hidden and hidden < 0:
            fresh = append(fresh, HIDDEN)
        best: i64 = NONE
        best_score = -1e300
        i: i64 = -1 if has_hidden else 0
        while i < len(shown):
            child = hidden if i < 0 else i64(child_of[shown[i]])
            if child < 0:
                if i >= 0:
                    fresh = append(fresh, shown[i])
            else:
                self.available[child] += 1
                n = float(self.visits[child])
                seen = math.log(float(self.available[child]))
                score = self.total[child] / n + exploration * math.sqrt(seen / n)
                if score > best_score:
                    best_score = score
                    best = child
            i += 1
        child = i64(self.first[node])
        while child >= 0:
            if self.edge[child] >= 0:
                child_of[self.edge[child]] = NONE
            child = i64(self.next[child])
        if len(fresh) == 0:
            return best
        self._is_new = True
        return self._add(node, fresh[rng.below(len(fresh))])

    def expected_line(self, node: i64, world: State) -> list[int]:
        """Return the principal variation from this node, as far as this world allows it.

        It ends before the first action that the seat cannot see.
        """
        action = self.edge[node]
        actions: list[int] = [action]
        position = world.apply(action)
        nodes = self.children(node)
        while len(nodes) > 0:
            action = self.edge[nodes[0]]
            if action <= CHANCES:
                action = CHANCES - action
            if action == HIDDEN or position.refusal(action) is not None:
                break
            actions.append(action)
            position = position.apply(action)
            nodes = self.children(nodes[0])
        return actions


def think(
    state: State, clock: Clock, rng: Rng, exploration: float, rollout: Rollout
) -> tuple[WorldTree, int]:
    """Search until the budget is spent; return the tree and the number of simulations."""
    tree = WorldTree(state)
    done = 0
    has_choice = len(state.legal_actions()) > 1
    while done == 0 or (has_choice and not clock.is_up(done)):
        tree.simulate(rng, exploration, rollout)
        done += 1
    return tree, done
