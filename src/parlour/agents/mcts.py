"""Monte-Carlo tree search (UCT) for one, two or more seats, and for chance.

Every seat maximises its own return: a node keeps the sum of the returns of the seat that
moved into it. A position is not stored but played anew from the root in each simulation,
in place, so a node costs a few numbers and a game needs nothing but its `State`.
"""

import math
from heapq import heappop, heappush
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i32, i64

from parlour.agents.base import Agent, Analysis, Choice, Clock, check_decision, line_of
from parlour.core.game import CHANCE, OVER, State
from parlour.core.rng import Rng

UNEXPANDED: Final = -1

# The clock is asked once in so many plies of a playout: in some games one takes long.
PLIES_PER_LOOK: Final[i64] = 256

# How many nodes may be compared with a new state to find it in the tree.
SEARCHED_FOR_REUSE: Final = 1000


class Tree:
    """Nodes in flat arrays; the children of a node stand one after another."""

    def __init__(self) -> None:
        """A root without children."""
        self.action: vec[i64] = vec[i64]()
        self.first: vec[i32] = vec[i32]()
        self.count: vec[i32] = vec[i32]()
        self.visits: vec[i32] = vec[i32]()
        self.total: vec[float] = vec[float]()
        self.prior: vec[float] = vec[float]()
        self.add(-1, 0.0)

    def add(self, action: i64, prior: float) -> None:
        """One more node, unexpanded."""
        self.action = append(self.action, action)
        self.first = append(self.first, UNEXPANDED)
        self.count = append(self.count, 0)
        self.visits = append(self.visits, 0)
        self.total = append(self.total, 0.0)
        self.prior = append(self.prior, prior)

    def expand(self, node: i64, state: State, rng: Rng, most: i64) -> None:
        """Give a node the legal actions as children, the most promising first.

        At most `most` of them, if it is not 0. Where the game does not say what is
        promising, they are all there and come in random order: children are tried in it.
        """
        actions = state.legal_actions()
        n = len(actions)
        self.first[node] = i32(len(self.action))
        self.count[node] = i32(n)
        priors = vec[float]()
        if n > 1 and state.actor != CHANCE:
            priors = state.priors(actions)
        i: i64 = 0
        if len(priors) == 0:
            while i < n:
                j = i + rng.below(n - i)
                chosen = actions[j]
                actions[j] = actions[i]
                self.add(chosen, 0.0)
                i += 1
            return
        order = _largest(priors, most)
        self.count[node] = i32(len(order))
        best = priors[order[0]]
        for k in order:
            self.add(actions[k], priors[k] - best)

    def add_only_child(self, action: i64) -> None:
        """Make one action all that the root can do."""
        self.first[0] = i32(len(self.action))
        self.count[0] = 1
        self.add(action, 0.0)

    def child_of(self, node: i64, action: i64) -> i64:
        """The child that the action leads to, or -1."""
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
        """A tree of its own with this node as the root; `state` is what it stands for.

        The root gets all its actions, also those that this tree left out.
        """
        new = Tree()
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
        """Visits and total of a node of another tree."""
        self.visits[ours] = other.visits[theirs]
        self.total[ours] = other.total[theirs]


class MctsAgent(Agent):
    """UCT with a budget of simulations, seconds, or both."""

    def __init__(
        self,
        sims: int,
        seconds: float,
        exploration: float,
        bias: float,
        widening: float,
        width: int,
        cutoff: int,
        keep: bool,
        seed: int,
        blunder: float,
    ) -> None:
        """Budgets of 0 are none; `cutoff` plies after the tree, 0 for none, `evaluate` decides.

        `bias` weighs the game's priors, which fade as visits come in; with `widening` w a
        node of n visits considers its most promising 2 + w * sqrt(n) children only, 0 for all.
        Below the root the tree has the `width` most promising actions of a node only, 0 for all.
        """
        super().__init__(seed, blunder)
        self.sims: Final = sims
        self.seconds: Final = seconds
        self.exploration: Final = exploration
        self.bias: Final = bias
        self.widening: Final = widening
        self.width: Final[i64] = width
        self.cutoff: Final[i64] = cutoff
        self.keep: Final = keep
        self._clock = Clock(0, 0.0)
        self._tree: Tree | None = None
        self._root: State | None = None
        # Scratch of one simulation: the nodes of the path and the seats that moved into them.
        self._path: vec[i64] = vec[i64]([0] * 4096)
        self._movers: vec[i64] = vec[i64]([0] * 4096)

    def forget(self) -> None:
        """Drop the tree."""
        self._tree = None
        self._root = None

    def best(self, state: State) -> int:
        """The most visited action."""
        tree, _ = self._think(state)
        node = _most_visited(tree, 0)
        return tree.action[node]

    def analyse(self, state: State) -> Analysis:
        """The actions that were visited, the most visited first."""
        check_decision(state)
        clock = Clock(0, 0.0)
        tree, sims = self._think(state)
        first: i64 = i64(tree.first[0])
        nodes = [first + i for i in range(i64(tree.count[0])) if tree.visits[first + i] > 0]
        nodes.sort(key=lambda node: (-tree.visits[node], -tree.total[node], tree.action[node]))
        choices = []
        for node in nodes:
            visits = int(tree.visits[node])
            line = line_of(state, _expected_line(tree, node))
            value = tree.total[node] / visits
            choices.append(Choice(tree.action[node], line[0], value, visits, len(line), line))
        return Analysis(tuple(choices), sims, clock.elapsed())

    def _think(self, state: State) -> tuple[Tree, int]:
        """Search from a state; the tree, and how many simulations were made."""
        clock = Clock(self.sims, self.seconds)
        self._clock = clock
        tree = self._kept_tree(state) if self.keep else None
        if tree is None:
            tree = Tree()
        if tree.first[0] < 0:
            tree.expand(0, state, self.rng, 0)
        done = 0
        if tree.count[0] == 1:
            # There is nothing to choose; one simulation gives the analysis a value.
            self._simulate(tree, state)
            done = 1
        elif (win := _winning_action(state)) >= 0:
            # Nothing is better than to win at once, and averages would not say so.
            tree = Tree()
            tree.add_only_child(win)
            self._simulate(tree, state)
            done = 1
        else:
            while not clock.is_up(done):
                self._simulate(tree, state)
                done += 1
        if tree.visits[_most_visited(tree, 0)] == 0:
            self._simulate(tree, state)
        self._tree = tree if self.keep else None
        self._root = state
        return tree, done

    def _kept_tree(self, state: State) -> Tree | None:
        """What is known of this state from the last search, or `None`.

        Looks for it among the descendants of the last root that were visited most.
        """
        tree, root = self._tree, self._root
        if tree is None or root is None:
            return None
        if root == state:
            return tree
        frontier: list[tuple[int, int, int, State]] = [(0, 0, 0, root)]
        depth_limit = 2 * state.game.seats
        looked_at = 0
        while len(frontier) > 0 and looked_at < SEARCHED_FOR_REUSE:
            _, node, depth, position = heappop(frontier)
            first: i64 = i64(tree.first[node])
            if first < 0 or depth >= depth_limit:
                continue
            for k in range(i64(tree.count[node])):
                child = first + k
                if tree.visits[child] == 0:
                    continue
                after = position.apply(tree.action[child])
                looked_at += 1
                if after == state:
                    return tree.subtree(child, state, self.rng)
                # The number of a node is unique, so positions are never compared.
                heappush(frontier, (-int(tree.visits[child]), child, depth + 1, after))
        return None

    def _simulate(self, tree: Tree, state: State) -> None:
        """One way down the tree, one new node, one playout, and the way back."""
        rng = self.rng
        path = self._path
        movers = self._movers
        position = state.scratch()
        node: i64 = 0
        length: i64 = 0
        actor = position.actor
        while actor != OVER:
            if tree.first[node] < 0:
                if tree.visits[node] == 0 and length > 0:
                    break
                tree.expand(node, position, rng, self.width)
            if actor == CHANCE:
                action = position.sample(rng)
                node = tree.child_of(node, action)
            else:
                node = self._select(tree, node)
                action = tree.action[node]
            if length == len(path):
                path = append(path, node)
                movers = append(movers, actor)
                self._path = path
                self._movers = movers
            else:
                path[length] = node
                movers[length] = actor
            length += 1
            position = position.advance(action)
            actor = position.actor
        position = self._playout(position)
        seats: i64 = state.game.seats
        values = vec[float]([position.evaluate(seat) for seat in range(seats)])
        tree.visits[0] += 1
        i: i64 = 0
        while i < length:
            node = path[i]
            mover = movers[i]
            tree.visits[node] += 1
            if mover >= 0:
                tree.total[node] += values[mover]
            i += 1

    def _playout(self, position: State) -> State:
        """Play on to the end, for `cutoff` plies, or until the time is up."""
        rng = self.rng
        cutoff = self.cutoff
        left: i64 = cutoff
        plies: i64 = 0
        actor = position.actor
        while actor != OVER:
            plies += 1
            if plies % PLIES_PER_LOOK == 0 and self._clock.is_up(0):
                break
            if actor == CHANCE:
                position = position.advance(position.sample(rng))
            else:
                if cutoff > 0:
                    if left == 0:
                        break
                    left -= 1
                position = position.advance(position.rollout_action(rng))
            actor = position.actor
        return position

    def _select(self, tree: Tree, node: i64) -> i64:
        """The child with the best upper bound; an unvisited one first, in order of promise."""
        first: i64 = i64(tree.first[node])
        count: i64 = i64(tree.count[node])
        parent = float(tree.visits[node]) + 1.0
        if self.widening > 0.0:
            wide: i64 = 2 + i64(self.widening * math.sqrt(parent))
            if wide < count:
                count = wide
        explore = self.exploration * math.sqrt(math.log(parent))
        bias = self.bias
        visits = tree.visits
        total = tree.total
        prior = tree.prior
        best: i64 = first
        best_score = -1e300
        i: i64 = first
        end = first + count
        while i < end:
            n = float(visits[i])
            if n == 0.0:
                return i
            score = total[i] / n + explore / math.sqrt(n) + bias * prior[i] / (n + 1.0)
            if score > best_score:
                best_score = score
                best = i
            i += 1
        return best


def _largest(numbers: vec[float], most: i64) -> vec[i64]:
    """Where the `most` largest numbers stand, all for 0; the largest first, the first of equals.

    By insertion: of hundreds of numbers few are among the best so far, and none becomes a
    Python object.
    """
    n = len(numbers)
    if most == 0 or most > n:
        most = n
    out = vec[i64]([0] * most)
    kept: i64 = 0
    k: i64 = 0
    while k < n:
        number = numbers[k]
        if kept < most or number > numbers[out[kept - 1]]:
            at = kept if kept < most else kept - 1
            kept = at + 1
            while at > 0 and numbers[out[at - 1]] < number:
                out[at] = out[at - 1]
                at -= 1
            out[at] = k
        k += 1
    return out


def _winning_action(state: State) -> i64:
    """An action that ends the game with the best return there is, or -1."""
    seat = state.actor
    for action in state.legal_actions():
        after = state.apply(action)
        if after.actor == OVER:
            result = after.result()
            if result is not None and result.returns[seat] >= 1.0:
                return action
    return -1


def _most_visited(tree: Tree, node: i64) -> i64:
    """The child with most visits; of several the one with the larger total, then the first."""
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


def _expected_line(tree: Tree, node: i64) -> list[int]:
    """The actions from this node on, always to the most visited child."""
    actions: list[int] = [tree.action[node]]
    while tree.first[node] >= 0 and tree.count[node] > 0:
        node = _most_visited(tree, node)
        if tree.visits[node] == 0:
            break
        actions.append(tree.action[node])
    return actions
