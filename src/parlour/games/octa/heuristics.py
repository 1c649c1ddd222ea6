"""Heuristics for Octa: a fitted evaluation, and long chains first."""

from typing import Final

from mypy_extensions import i64

from parlour.core.game import OVER, State
from parlour.core.heuristics import Heuristics
from parlour.core.result import estimate
from parlour.games.octa.evaluation import Evaluator, turned_links
from parlour.games.octa.rules import OctaRules, OctaState, gain

# Matches show that neighbouring levels differ by more than noise.
LEVELS: Final = (
    "greedy:blunder=0.8",
    "greedy:blunder=0.55",
    "greedy:blunder=0.25",
    "greedy",
    "search:nodes=200",
    "search:nodes=1500",
    "search:nodes=12000",
    "search:nodes=120000",
    "search:time=3",
)


class OctaHeuristics(Heuristics):
    """The fitted evaluation of `evaluation`, and move ordering by captured cells."""

    def __init__(self, game: OctaRules, quarters: list[list[float]]) -> None:
        """Take the weights of an `Evaluator`."""
        super().__init__(game, best_agent="search", levels=LEVELS)
        self._evaluation: Final = Evaluator(quarters, int(game.limit), game.num_actions)
        self._turned: Final = turned_links(game._links)

    def evaluate(self, state: State, seat: i64) -> float:
        """Return the fitted evaluation, or the result of a finished game."""
        assert isinstance(state, OctaState)
        if state.actor == OVER:
            return super().evaluate(state, seat)
        stops = state._rules.stop_on_enemy
        value = estimate(
            self._evaluation.value(state._cells, self._turned, stops, state._turns, state._mover)
        )
        return value if seat == 0 else -value

    def can_reduce(self, state: State, action: i64) -> bool:
        """Allow reductions for all actions: long chains come first, so late ones rarely matter."""
        return True

    def move_order(self, state: State, action: i64) -> i64:
        """Return the number of captured cells; the opponent's count twice."""
        assert isinstance(state, OctaState)
        rules = state._rules
        return gain(state._cells, rules._links, action, state._mover, rules.stop_on_enemy)

    def fingerprint(self, state: State) -> i64:
        """Return two 31-bit hashes of the cells, the mover and the turns."""
        assert isinstance(state, OctaState)
        cells = state._cells
        low: i64 = 2166136261 + state._turns * 2 + state._mover
        high: i64 = 40503 + state._turns * 2 + state._mover
        i: i64 = 0
        n = len(cells)
        while i < n:
            cell = i64(cells[i])
            low = ((low ^ cell) * 16777619) & 0x7FFFFFFF
            high = ((high + cell + 1) * 69069) & 0x7FFFFFFF
            i += 1
        return (high << 31) | low
