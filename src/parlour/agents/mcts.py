"""Monte-Carlo tree search (UCT) for any number of seats, with chance nodes.

Every seat maximises its own return: a node keeps the sum of the returns of the seat that
moved into it. Nodes do not store positions. Each simulation replays the moves from the root in
place, so a node takes only a few numbers. Games with hidden information use `ismcts`.
"""

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING, ClassVar, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from parlour.agents.base import (
    BLUNDER,
    LONGEST_TIME,
    PROCESSES,
    SEED,
    Agent,
    Analysis,
    Choice,
    Clock,
    Count,
    Counted,
    Limit,
    check_decision,
    line_of,
    seconds_for,
)
from parlour.agents.ismcts import WorldTree, think
from parlour.agents.rollout import Rollout
from parlour.agents.tree import Tree, expected_line, most_visited, visits_ahead
from parlour.core.game import CHANCE, OVER, State
from parlour.core.options import Option, Value, flag, fraction, integer

if TYPE_CHECKING:
    from parlour.agents.parallel import Team

DEFAULT_SIMS: Final = 1000

# With a time budget only, check at this interval whether the choice can still change. In Blokus
# this saves a quarter of the time and leaves the choices the same.
SIMS_PER_LOOK: Final = 32

# Safety factor: simulations may become this much faster before the time is up.
HASTE: Final = 1.2

# The largest number of nodes compared with a new state when reusing the tree.
SEARCHED_FOR_REUSE: Final = 1000


class MctsAgent(Agent):
    """UCT with a budget of simulations, seconds, or both."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (
        integer("sims", None, 1, 10**9, f"simulations per move; {DEFAULT_SIMS} without time"),
        fraction("time", None, 0, LONGEST_TIME, "seconds per move"),
        fraction("exploration", 0.7, 0, 100, "UCT exploration constant"),
        fraction("puct", 1.0, 0, 1000, "PUCT exploration constant, if the game has priors"),
        integer("width", None, 1, 10**6, "keep only this many of the most promising replies"),
        integer("cutoff", None, 1, 10**6, "plies of a rollout before it is evaluated"),
        fraction("trust", None, 0, 1, "weight of the evaluation against the rollout"),
        flag("keep", True, "keep the tree between moves"),
        PROCESSES,
        SEED,
        BLUNDER,
    )

    def __init__(
        self,
        sims: int | None = None,
        time: float | None = None,
        exploration: float = 0.7,
        puct: float = 1.0,
        width: int | None = None,
        cutoff: int | None = None,
        trust: float | None = None,
        keep: bool = True,
        seed: int = 0,
        blunder: float | None = None,
        processes: int = 1,
    ) -> None:
        """Set the budgets; `None` means no limit, and no budget at all means DEFAULT_SIMS.

        - `cutoff`: plies after which a rollout stops and is evaluated.
        - `exploration`, `puct`: exploration constants without priors (UCT) and with priors (PUCT).
        - `trust`: weight of the evaluation against the rollout; by default the game sets it.
        - `width`: below the root, nodes keep only this many of the most promising actions.
        - `processes`: root parallelisation, see `parallel`. Each process gets its share of `sims`.

        Games with hidden information use neither priors nor width, and do not keep the tree.
        """
        super().__init__(seed, blunder)
        if sims is None:
            sims = DEFAULT_SIMS if time is None else 0
        self.sims: Final = sims // processes + (1 if sims % processes > 0 else 0)
        self.seconds: Final = 0.0 if time is None else time
        self.exploration: Final = exploration
        self.puct: Final = puct
        self.width: Final[i64] = 0 if width is None else width
        self.cutoff: Final[i64] = 0 if cutoff is None else cutoff
        # A negative value means the weight that the game sets.
        self.trust: Final = -1.0 if trust is None else trust
        self.keep: Final = keep
        self.processes: Final = processes
        # Settings of the other processes: all except their number and blunders.
        self.settings: Final[dict[str, Value]] = {
            "sims": sims if sims > 0 else None,
            "time": time,
            "exploration": exploration,
            "puct": puct,
            "width": width,
            "cutoff": cutoff,
            "trust": trust,
            "keep": keep,
            "seed": seed,
        }
        self._others: Team | None = None
        self._tree: Tree | None = None
        self._root: State | None = None
        # Scratch memory of one simulation: the path and the seats that moved into its nodes.
        self._path: vec[i64] = vec[i64]([0] * 4096)
        self._movers: vec[i64] = vec[i64]([0] * 4096)

    def begin(self, start: State, seat: int) -> None:
        """Drop the tree."""
        self._tree = None
        self._root = None
        if self.processes > 1:
            self._team().begin(start, seat)

    def close(self) -> None:
        """Stop the other processes."""
        if self._others is not None:
            self._others.close()
            self._others = None

    def best(self, state: State, limit: Limit | None = None) -> int:
        """Return the most visited action."""
        seconds = seconds_for(self.seconds, limit)
        if self.processes > 1:
            return self._best_of_all(state, seconds)
        if state.game.has_secrets:
            worlds, _ = self._think_of_worlds(state, seconds)
            node = worlds.children(0)[0]
            self.opinion = worlds.total[node] / float(worlds.visits[node])
            return worlds.edge[node]
        tree, _ = self._think(state, seconds, self.sims == 0)
        chosen = most_visited(tree, 0)
        self.opinion = tree.total[chosen] / float(tree.visits[chosen])
        return tree.action[chosen]

    def analyse(self, state: State) -> Analysis:
        """Return the visited actions, most visited first."""
        check_decision(state)
        clock = Clock(0, 0.0, self.now)
        if self.processes > 1:
            self._team().ask(state, self.seconds)
        choices, sims = self._seen(state) if state.game.has_secrets else self._known(state)
        if self.processes > 1:
            counts = tuple(
                [Count(each.action, each.visits, each.value * each.visits) for each in choices]
            )
            found = self._joined(Counted(sims, counts), self.seconds, clock)
            from parlour.agents.parallel import merged_choices

            choices, sims = merged_choices(state, choices, found), found.sims
        return Analysis(tuple(choices), sims, clock.elapsed())

    def root_counts(self, state: State, seconds: float) -> Counted:
        """Search for `seconds` (0: no limit) in this process alone; return the root statistics."""
        if state.game.has_secrets:
            worlds, sims = self._think_of_worlds(state, seconds)
            nodes = worlds.children(0)
            found = [Count(worlds.edge[k], int(worlds.visits[k]), worlds.total[k]) for k in nodes]
            return Counted(sims, tuple(found))
        tree, sims = self._think(state, seconds)
        first: i64 = i64(tree.first[0])
        nodes = [first + i for i in range(i64(tree.count[0])) if tree.visits[first + i] > 0]
        found = [Count(tree.action[k], int(tree.visits[k]), tree.total[k]) for k in nodes]
        return Counted(sims, tuple(found))

    def _best_of_all(self, state: State, seconds: float) -> int:
        """Return the action with most visits over all processes."""
        clock = Clock(0, 0.0, self.now)
        self._team().ask(state, seconds)
        found = self._joined(self.root_counts(state, seconds), seconds, clock)
        first = found.counts[0]
        self.opinion = first.total / first.visits
        return first.action

    def _joined(self, ours: Counted, seconds: float, clock: Clock) -> Counted:
        """Add the results of the other processes to ours."""
        return self._team().joined(ours, 0.0 < seconds <= clock.elapsed())

    def _team(self) -> "Team":
        """Return the other processes; they start on first use."""
        from parlour.agents.parallel import Team

        if self._others is None:
            self._others = Team(self.settings, self.processes)
        return self._others

    def _known(self, state: State) -> tuple[list[Choice], int]:
        """Return the choices and simulations in a game without hidden information."""
        tree, sims = self._think(state, self.seconds)
        first: i64 = i64(tree.first[0])
        nodes = [first + i for i in range(i64(tree.count[0])) if tree.visits[first + i] > 0]
        nodes.sort(key=lambda node: (-tree.visits[node], -tree.total[node], tree.action[node]))
        choices: list[Choice] = []
        for node in nodes:
            visits = int(tree.visits[node])
            line = line_of(state, expected_line(tree, node))
            value = tree.total[node] / visits
            choices.append(Choice(tree.action[node], line[0], value, visits, len(line), line))
        if len(choices) == 1 and _wins_at_once(state, choices[0].action):
            choices = [choices[0]._replace(ends_in=1)]
        return choices, sims

    def _seen(self, state: State) -> tuple[list[Choice], int]:
        """Return the choices and simulations in a game with hidden information."""
        tree, sims = self._think_of_worlds(state, self.seconds)
        world = state.determinize(int(state.actor), self.rng)
        choices: list[Choice] = []
        for node in tree.children(0):
            visits = int(tree.visits[node])
            line = line_of(world, tree.expected_line(node, world))
            value = tree.total[node] / visits
            choices.append(Choice(tree.edge[node], line[0], value, visits, len(line), line))
        return choices, sims

    def _think_of_worlds(self, state: State, seconds: float) -> tuple[WorldTree, int]:
        """Search over sampled worlds."""
        clock = Clock(self.sims, seconds, self.now)
        rollout = Rollout(self.heuristics_for(state.game), self.rng, self.cutoff, clock)
        return think(state, clock, self.rng, self.exploration, rollout)

    def _think(self, state: State, seconds: float, may_stop: bool = False) -> tuple[Tree, int]:
        """Search from a state; return the tree and the number of simulations.

        With `may_stop`, stop early once no other action can become the most visited in time.
        """
        clock = Clock(self.sims, seconds, self.now)
        rollout = Rollout(self.heuristics_for(state.game), self.rng, self.cutoff, clock)
        tree = self._kept_tree(state) if self.keep else None
        if tree is None:
            tree = Tree(rollout.heuristics)
        if tree.first[0] < 0:
            tree.expand(0, state, self.rng, 0)
        done = 0
        if tree.count[0] == 1:
            # The only action needs no search; one simulation gives the analysis a value.
            self._simulate(tree, state, rollout)
            done = 1
        elif (win := _winning_action(state)) >= 0:
            # An immediate win is best, but the averages of a search may hide it.
            tree = Tree(rollout.heuristics)
            tree.add_only_child(win)
            self._simulate(tree, state, rollout)
            done = 1
        else:
            # Exclude the preparation from the estimated time per simulation.
            begun = clock.elapsed() if may_stop else 0.0
            while not clock.is_up(done):
                self._simulate(tree, state, rollout)
                done += 1
                if may_stop and done % SIMS_PER_LOOK == 0:
                    ahead = float(visits_ahead(tree, 0))
                    if ahead > HASTE * clock.still_possible(done, begun):
                        break
        if tree.visits[most_visited(tree, 0)] == 0:
            self._simulate(tree, state, rollout)
        self._tree = tree if self.keep else None
        self._root = state
        return tree, done

    def _kept_tree(self, state: State) -> Tree | None:
        """Return the subtree of this state in the last search, or `None`.

        Only the most visited descendants of the last root are compared with the state.
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
                # Node indices are unique, so the heap never compares positions.
                heappush(frontier, (-int(tree.visits[child]), child, depth + 1, after))
        return None

    def _simulate(self, tree: Tree, state: State, rollout: Rollout) -> None:
        """Run one simulation: select, expand, roll out and backpropagate."""
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
        values = self._values(position, rollout)
        tree.visits[0] += 1
        i: i64 = 0
        while i < length:
            node = path[i]
            mover = movers[i]
            tree.visits[node] += 1
            if mover >= 0:
                tree.total[node] += values[mover]
            i += 1

    def _values(self, position: State, rollout: Rollout) -> vec[float]:
        """Return the value of a position for each seat: a weighted mean of rollout and evaluation.

        The evaluation has less variance, the rollout less bias.
        """
        heuristics = rollout.heuristics
        if position.actor == OVER:
            return heuristics.evaluate_seats(position)
        trust = self.trust if self.trust >= 0.0 else heuristics.evaluation_weight(position)
        if trust == 0.0:
            return heuristics.evaluate_seats(rollout.end(position))
        values = heuristics.evaluate_seats(position)
        ends = heuristics.evaluate_seats(rollout.end(position))
        seat: i64 = 0
        while seat < len(values):
            values[seat] = trust * values[seat] + (1.0 - trust) * ends[seat]
            seat += 1
        return values

    def _select(self, tree: Tree, node: i64) -> i64:
        """Return the child with the highest upper confidence bound; unvisited ones come first."""
        first: i64 = i64(tree.first[node])
        if tree.prior[first] >= 0.0:
            return self._select_by_odds(tree, node)
        count: i64 = i64(tree.count[node])
        parent = float(tree.visits[node]) + 1.0
        explore = self.exploration * math.sqrt(math.log(parent))
        visits = tree.visits
        total = tree.total
        best: i64 = first
        best_score = -1e300
        i: i64 = first
        end = first + count
        while i < end:
            n = float(visits[i])
            if n == 0.0:
                return i
            score = total[i] / n + explore / math.sqrt(n)
            if score > best_score:
                best_score = score
                best = i
            i += 1
        return best

    def _select_by_odds(self, tree: Tree, node: i64) -> i64:
        """Return the child with the highest PUCT score.

        An unvisited child has the mean value of its visited siblings. Children are sorted by prior,
        so
        only the first unvisited one can have the highest score.
        """
        visits = tree.visits
        total = tree.total
        odds = tree.prior
        first: i64 = i64(tree.first[node])
        end = first + i64(tree.count[node])
        sum_total = 0.0
        sum_visits = 0.0
        i: i64 = first
        while i < end:
            n = float(visits[i])
            if n == 0.0:
                # The children after it are unvisited too, with smaller priors.
                end = i + 1
                break
            sum_visits += n
            sum_total += total[i]
            i += 1
        if sum_visits == 0.0:
            return first
        explore = self.puct * math.sqrt(sum_visits)
        best = first
        best_score = -1e300
        i = first
        while i < end:
            n = float(visits[i])
            if n == 0.0:
                if sum_total / sum_visits + explore * odds[i] > best_score:
                    best = i
                break
            score = total[i] / n + explore * odds[i] / (n + 1.0)
            if score > best_score:
                best_score = score
                best = i
            i += 1
        return best


def _winning_action(state: State) -> i64:
    """Return an action that wins at once, or -1."""
    for action in state.legal_actions():
        if _wins_at_once(state, action):
            return action
    return -1


def _wins_at_once(state: State, action: i64) -> bool:
    """Whether the action ends the game with the highest possible return."""
    after = state.apply(action)
    if after.actor != OVER:
        return False
    result = after.result()
    return result is not None and result.returns[state.actor] >= 1.0
