"""Heuristics for Cat and Mouse, which has an exact solver."""

from typing import Final

from mypy_extensions import i64

from parlour.core.game import OVER, Game, State
from parlour.core.heuristics import Heuristics
from parlour.games.cat_mouse.layout import SIDE
from parlour.games.cat_mouse.rules import CatMouseState

# From the third level on, the solver's choice with ever fewer random moves.
LEVELS: Final = (
    "greedy:blunder=0.7",
    "greedy:blunder=0.4",
    "exact:blunder=0.6",
    "exact:blunder=0.5",
    "exact:blunder=0.4",
    "exact:blunder=0.3",
    "exact:blunder=0.2",
    "exact:blunder=0.1",
    "exact",
)


class CatMouseHeuristics(Heuristics):
    """Names the exact solver as the best agent; the evaluation is the distance to the mouse."""

    def __init__(self, game: Game) -> None:
        """Set the best agent and the levels."""
        super().__init__(game, best_agent="exact", levels=LEVELS)

    def evaluate(self, state: State, seat: i64) -> float:
        """Return the negative Manhattan distance, scaled to [-1, 0], or the final result."""
        assert isinstance(state, CatMouseState)
        if state.actor == OVER:
            return super().evaluate(state, seat)
        rows = state._cat // SIDE - state._mouse // SIDE
        cols = state._cat % SIDE - state._mouse % SIDE
        away = (rows if rows >= 0 else -rows) + (cols if cols >= 0 else -cols)
        return -float(away) / float(2 * SIDE)
