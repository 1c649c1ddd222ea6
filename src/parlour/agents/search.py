"""Alpha-beta search for two seats with chance nodes: iterative deepening, Star1 bounds.

Values are seat 0's return in [-1, 1]: seat 0 maximises, seat 1 minimises, and the same seat may
act twice in a row. At a chance node Star1 narrows the window of each outcome by the most that
the other outcomes can contribute. This works because returns are bounded.
"""

from bisect import insort
from typing import ClassVar, Final

from mypy_extensions import i64

from parlour.agents.base import (
    AT_MOST,
    BLUNDER,
    EXACT,
    LONGEST_TIME,
    SEED,
    Agent,
    Analysis,
    Choice,
    Clock,
    Limit,
    check_decision,
    line_of,
    refuse_secrets,
    seconds_for,
)
from parlour.agents.ordering import MAX_DEPTH, Ordering, best_first, bring_best
from parlour.agents.transpositions import (
    IS_AT_LEAST,
    IS_AT_MOST,
    IS_EXACT,
    TranspositionTable,
)
from parlour.core import signals
from parlour.core.errors import AgentError
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.heuristics import NO_MARGIN, UNKNOWN_VALUE, Heuristics
from parlour.core.options import Option, fraction, integer
from parlour.core.result import ZERO_SUM

DEFAULT_SECONDS: Final = 1.0
DEFAULT_LINES: Final = 3

QUIET_DEPTH: Final = 12
# Depth reduction of the search after a null move.
NULL_MOVE_REDUCTION: Final[i64] = 2

# Bonus per ply for earlier wins and later losses.
HURRY: Final = 0.0005

# Interval of clock checks. With rules in plain Python a node may take half a millisecond, and the
# budget should be kept within 20 ms.
NODES_PER_LOOK: Final[i64] = 16

NODES_PER_SIGNAL: Final[i64] = 1024  # a power of two

# Width of the null window in principal variation search.
NARROW: Final = 1e-7

# Late move reduction: from this depth on, later moves are first searched with less depth.
REDUCED_FROM: Final[i64] = 3
LATE: Final[i64] = 3
LATER: Final[i64] = 8
LATE_AT_ROOT: Final[i64] = 6

# Depth reduction after a chance node, at the root and below it (at least one ply is left near the
# leaves). With it, seven plies of Banqi take a quarter of the nodes.
CHANCE_SHALLOWER: Final[i64] = 1
CHANCE_SHALLOWER_BELOW: Final[i64] = 3

# The largest remaining depth at which futility pruning applies.
FUTILE: Final[i64] = 2

# Contempt: the amount below 0 that a draw is worth to the searching seat, unless it is behind.
CONTEMPT: Final = 0.08


class OutOfBudget(Exception):
    """The budget ran out in the middle of a depth."""


class SearchAgent(Agent):
    """Iterative deepening with a budget of depth, nodes, seconds, or several of them."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (
        integer("depth", None, 1, 64, "search depth in plies"),
        integer("nodes", None, 1, 10**12, "positions to search"),
        fraction("time", None, 0, LONGEST_TIME, "seconds per move; 1 without another budget"),
        integer("lines", DEFAULT_LINES, 1, 50, "choices of an analysis with exact values"),
        SEED,
        BLUNDER,
    )

    _heuristics: Heuristics
    _ordering: Ordering

    def __init__(
        self,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        lines: int = DEFAULT_LINES,
        seed: int = 0,
        blunder: float | None = None,
    ) -> None:
        """Set the budgets; `None` means no limit, and no budget at all means DEFAULT_SECONDS."""
        super().__init__(seed, blunder)
        if depth is None and nodes is None and time is None:
            time = DEFAULT_SECONDS
        self.depth: Final = 0 if depth is None else depth
        self.nodes: Final = 0 if nodes is None else nodes
        self.seconds: Final = 0.0 if time is None else time
        self.lines: Final = lines
        self._table: TranspositionTable | None = None
        self._game: Game | None = None
        self._visited: i64 = 0
        # The value of a draw for seat 0, and whether the game may use its slow endgame solver.
        self._drawn = 0.0
        self._is_solved = False
        self._clock = Clock(0, 0.0)
        # To have a choice in any case, the first depth ignores the budget of nodes, and its first
        # action the budget of time.
        self._is_first_depth = True
        self._has_choice = False

    def begin(self, start: State, seat: int) -> None:
        """Drop the transposition table."""
        self._table = None

    def check_game(self, game: Game) -> None:
        """Raise `AgentError` unless the game is zero-sum, for two seats and without secrets."""
        refuse_secrets("search", game)
        if game.seats != 2:
            raise AgentError(f"search needs two seats; {game.name} has {game.seats}: use mcts")
        if game.utility != ZERO_SUM:
            raise AgentError(
                f"search needs a zero-sum game; {game.name} is a {game.utility} game: use mcts"
            )

    def best(self, state: State, limit: Limit | None = None) -> int:
        """Return the best action of the deepest search, even if it was not finished."""
        ranked, _ = self._ranked(state, 1, True, seconds_for(self.seconds, limit))
        self.opinion = max(-1.0, min(1.0, ranked[0][0]))
        return ranked[0][1]

    def analyse(self, state: State) -> Analysis:
        """Return every action of the deepest finished search, best first.

        The first `lines` choices have exact values; those of the others are upper bounds.
        """
        ranked, reached = self._ranked(state, self.lines, False, self.seconds)
        choices: list[Choice] = []
        for value, action in ranked:
            bound = EXACT if len(choices) < self.lines else AT_MOST
            choices.append(self._choice(state, value, action, reached, bound))
        return Analysis(tuple(choices), self._visited, self._clock.elapsed())

    def _ranked(
        self, state: State, lines: int, takes_parts: bool, seconds: float
    ) -> tuple[list[tuple[float, int]], int]:
        """Return (value for the seat to act, action), best first, and the depth reached.

        The first `lines` values are exact. With `takes_parts`, the results of an unfinished depth
        come first, so the values may come from two depths.
        """
        check_decision(state)
        self.check_game(state.game)
        self._clock = Clock(0, seconds, self.now)
        heuristics = self._heuristics = self.heuristics_for(state.game)
        sign = 1.0 if state.actor == 0 else -1.0
        is_behind = heuristics.evaluate(state, state.actor) < -CONTEMPT
        drawn = 0.0 if is_behind or not takes_parts else -CONTEMPT * sign
        if self._table is None or self._game != state.game or self._drawn != drawn:
            # Fingerprints are unique only within one game.
            self._table = TranspositionTable()
            self._game = state.game
            self._drawn = drawn
        self._ordering = Ordering(heuristics)
        self._visited = 0
        self._has_choice = False
        self._is_solved = heuristics.known_value(state, True) != UNKNOWN_VALUE
        ranked: list[tuple[float, int]] = []
        reached = 0
        deepest = self.depth if self.depth > 0 else MAX_DEPTH
        actions = [int(action) for action in heuristics.search_actions(state, MAX_DEPTH)]
        actions.sort(key=lambda action: -heuristics.move_order(state, action))
        for depth in range(1, deepest + 1):
            self._is_first_depth = depth == 1
            found: list[tuple[float, int]] = []
            try:
                self._search_root(state, actions, depth, sign, lines, found)
            except OutOfBudget:
                # The finished part of this depth improves the order, because the best action of the
                # last depth was searched first.
                if found and (takes_parts or not ranked):
                    done = {action for _, action in found}
                    ranked = found + [entry for entry in ranked if entry[1] not in done]
                    ranked = best_first(ranked, len(found))
                reached = max(reached, 1)
                break
            ranked = best_first(found, len(found))
            actions = [action for _, action in ranked]
            reached = depth
            if len(actions) == 1 or abs(ranked[0][0]) > 1.0 - HURRY * MAX_DEPTH:
                break
        return ranked, reached

    def _search_root(
        self,
        state: State,
        actions: list[int],
        depth: int,
        sign: float,
        lines: int,
        found: list[tuple[float, int]],
    ) -> None:
        """Append (value for the seat to act, action) to `found`, one by one.

        A value is exact if it beats the `lines` best before it; otherwise it is an upper bound.
        """
        worst_first: list[float] = []
        for action in actions:
            bar = -1.0
            if len(worst_first) == lines:
                bar = max(bar, worst_first[0])
            after = state.apply(action)
            low, high = (bar, 1.0) if sign > 0.0 else (-1.0, -bar)
            value = 1.0
            if lines == 1 and found and after.actor >= 0:
                # A null-window search refutes a worse action faster than a full one.
                late = len(found) > LATE_AT_ROOT and depth > REDUCED_FROM
                less: i64 = 1 if late and self._heuristics.can_reduce(state, action) else 0
                actor = state.actor
                value = self._narrow(after, depth - 1 - less, actor, low, high, 1) * sign
                if less > 0 and value > bar:
                    value = self._narrow(after, depth - 1, actor, low, high, 1) * sign
            if value > bar:
                value = self._value(after, depth - 1, low, high, 1) * sign
            found.append((value, action))
            self._has_choice = True
            insort(worst_first, value)
            if len(worst_first) > lines:
                worst_first.pop(0)

    def _choice(self, state: State, value: float, action: int, depth: int, bound: str) -> Choice:
        actions = [action, *self._expected_line(state.apply(action), depth - 1)]
        line = line_of(state, actions)
        shown = max(-1.0, min(1.0, value))
        prunes = type(self._heuristics).search_actions is not Heuristics.search_actions
        ends_in = _proven_end(state, actions, value, prunes) if bound == EXACT else 0
        return Choice(action, line[0], shown, 0, depth, line, bound, ends_in)

    def _expected_line(self, state: State, depth: int) -> list[int]:
        """Return the principal variation from the table, up to the next chance node."""
        actions: list[int] = []
        table = self._table
        assert table is not None
        while len(actions) < depth and state.actor >= 0:
            key = self._heuristics.fingerprint(state)
            slot = key & table.mask
            action = table.action[slot]
            if table.keys[slot] != key or state.refusal(action) is not None:
                break
            actions.append(action)
            state = state.apply(action)
        return actions

    def _ended(self, state: State, ply: i64) -> float:
        """Return seat 0's value of a finished game."""
        value = self._heuristics.evaluate(state, 0)
        return self._drawn if value == 0.0 else _hurried(value, ply)

    def _count_end(self) -> None:
        """Count a node."""
        self._visited += 1
        if self._visited & (NODES_PER_SIGNAL - 1) == 0:
            signals.let_signals_in()

    def _count_node(self) -> None:
        """Count an inner node; raises `OutOfBudget` if the budget is spent."""
        self._count_end()
        if not self._is_first_depth and self.nodes > 0 and self._visited >= self.nodes:
            raise OutOfBudget
        if self._has_choice and self._visited % NODES_PER_LOOK == 0 and self._clock.is_up(0):
            raise OutOfBudget

    def _value(self, state: State, depth: i64, alpha: float, beta: float, ply: i64) -> float:
        """Return seat 0's value, exact within (alpha, beta) and a bound outside."""
        actor = state.actor
        if actor == OVER:
            self._count_end()
            return self._ended(state, ply)
        if actor == CHANCE:
            return self._chance(state, depth, alpha, beta, ply)
        self._count_node()
        heuristics = self._heuristics
        if heuristics.is_repetition(state):
            return self._drawn
        known = heuristics.known_value(state, self._is_solved)
        if known != UNKNOWN_VALUE:
            return self._drawn if known == 0.0 else _hurried(known, ply)
        if depth <= 0:
            return self._quiet(state, alpha, beta, QUIET_DEPTH, ply)
        table = self._table
        assert table is not None
        key = heuristics.fingerprint(state)
        slot = key & table.mask
        hint: i64 = -1
        if table.keys[slot] == key:
            hint = table.action[slot]
            if i64(table.depth[slot]) >= depth:
                known = table.value[slot]
                bound = i64(table.bound[slot])
                if (
                    bound == IS_EXACT
                    or (bound == IS_AT_LEAST and known >= beta)
                    or (bound == IS_AT_MOST and known <= alpha)
                ):
                    return known
        if depth <= FUTILE:
            margin = heuristics.futility_margin(state)
            if margin < NO_MARGIN:
                static = heuristics.evaluate(state, 0)
                ahead, behind = static - margin * float(depth), static + margin * float(depth)
                if ahead >= beta if actor == 0 else behind <= alpha:
                    return static
                if depth == 1 and (behind <= alpha if actor == 0 else ahead >= beta):
                    return self._quiet(state, alpha, beta, QUIET_DEPTH, ply)
        actions = heuristics.search_actions(state, depth)
        ranks = self._ordering.ranks(state, actions, hint, ply)
        low, high = alpha, beta
        best = -2.0 if actor == 0 else 2.0
        best_action: i64 = -1
        null_move = heuristics.null_move(state, depth)
        if null_move is not None:
            best = self._value(null_move, depth - NULL_MOVE_REDUCTION, alpha, beta, ply + 1)
            if actor == 0:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        n = len(actions) if alpha < beta else 0
        done: i64 = 0
        while done < n:
            bring_best(actions, ranks, done)
            action = actions[done]
            done += 1
            after = state.apply(action)
            if done == 1 or after.actor == CHANCE:
                value = self._value(after, depth - 1, alpha, beta, ply + 1)
            else:
                less: i64 = 0
                if depth >= REDUCED_FROM and done > LATE and heuristics.can_reduce(state, action):
                    less = 1 if done <= LATER or depth == REDUCED_FROM else 2
                value = self._narrow(after, depth - 1 - less, actor, alpha, beta, ply + 1)
                if less > 0 and (value > alpha if actor == 0 else value < beta):
                    value = self._narrow(after, depth - 1, actor, alpha, beta, ply + 1)
                if alpha < value < beta:
                    value = self._value(after, depth - 1, alpha, beta, ply + 1)
            if actor == 0:
                if value > best:
                    best = value
                    best_action = action
                    if best > alpha:
                        alpha = best
            elif value < best:
                best = value
                best_action = action
                if best < beta:
                    beta = best
            if alpha >= beta:
                self._ordering.note_cut(action, depth, ply)
                break
        kind: i64 = IS_EXACT
        if best >= high:
            kind = IS_AT_LEAST
        elif best <= low:
            kind = IS_AT_MOST
        table.store(key, depth, best, kind, best_action)
        return best

    def _narrow(
        self, state: State, depth: i64, actor: i64, alpha: float, beta: float, ply: i64
    ) -> float:
        """Search with a null window at the bound that the previous actor already has."""
        if actor == 0:
            return self._value(state, depth, alpha, min(beta, alpha + NARROW), ply)
        return self._value(state, depth, max(alpha, beta - NARROW), beta, ply)

    def _chance(self, state: State, depth: i64, alpha: float, beta: float, ply: i64) -> float:
        """Return the expected value, or a bound as soon as it leaves the window (Star1).

        The search after a chance node is reduced, because there are many outcomes.
        """
        outcomes = state.chance_outcomes()
        margin = self._heuristics.futility_margin(state)
        if depth > 1 and ply > 1 and margin < NO_MARGIN:
            guess = 0.0
            for outcome, probability in outcomes:
                guess += probability * self._value(state.apply(outcome), 0, -1.0, 1.0, ply)
            if guess + margin <= alpha or guess - margin >= beta:
                return guess
        less: i64 = CHANCE_SHALLOWER
        if ply > 1:
            less = CHANCE_SHALLOWER_BELOW if depth > CHANCE_SHALLOWER_BELOW else 2
        done = 0.0
        left = 1.0
        for outcome, probability in outcomes:
            left -= probability
            # The remaining outcomes contribute between -left and +left.
            low = (alpha - done - left) / probability
            high = (beta - done + left) / probability
            value = self._value(
                state.apply(outcome), depth - less, max(-1.0, low), min(1.0, high), ply
            )
            done += probability * value
            if value >= high:
                return done - left
            if value <= low:
                return done + left
        return done

    def _quiet(self, state: State, alpha: float, beta: float, depth: i64, ply: i64) -> float:
        """Quiescence search: return the evaluation after the worthwhile captures."""
        best = self._heuristics.evaluate_within(state, alpha, beta)
        if depth == 0:
            return best
        actor = state.actor
        if actor == 0:
            if best > alpha:
                alpha = best
        elif best < beta:
            beta = best
        if alpha >= beta:
            return best
        actions = self._heuristics.quiescence_actions(state)
        ranks = self._ordering.ranks(state, actions, -1, MAX_DEPTH)
        n = len(actions)
        done: i64 = 0
        while done < n:
            bring_best(actions, ranks, done)
            after = state.apply(actions[done])
            done += 1
            next_actor = after.actor
            if next_actor == OVER:
                value = self._ended(after, ply + 1)
            elif next_actor == CHANCE:
                continue
            else:
                self._count_node()
                value = self._quiet(after, alpha, beta, depth - 1, ply + 1)
            if actor == 0:
                if value > best:
                    best = value
                    if best > alpha:
                        alpha = best
            elif value < best:
                best = value
                if best < beta:
                    beta = best
            if alpha >= beta:
                break
        return best


def _hurried(value: float, ply: i64) -> float:
    """Return the value of a finished game, slightly closer to 0 the later it ends."""
    return value * (1.0 - HURRY * float(ply if ply < MAX_DEPTH else MAX_DEPTH))


def _proven_end(state: State, actions: list[int], value: float, prunes: bool) -> int:
    """Return the plies to the forced end with that value, or 0 if none is proven.

    The value claims it and the line must confirm it, because a transposition may come from another
    ply. Nothing is proven if the search prunes actions.
    """
    if state.game.has_chance or prunes:
        return 0
    plies = len(actions)
    if plies >= MAX_DEPTH or abs(abs(value) - _hurried(1.0, plies)) > HURRY / 10.0:
        return 0
    for action in actions:
        state = state.apply(action)
    return plies if state.actor == OVER else 0
