"""What agents know of Cat and Mouse beyond its rules: it is solved."""

from typing import Final

from mypy_extensions import i64

from parlour.core.game import OVER, Game, State
from parlour.core.heuristics import Heuristics
from parlour.games.cat_mouse.layout import SIDE
from parlour.games.cat_mouse.rules import CatMouseState

# The solver's choice, less and less often replaced by a random one.
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
    """The solver plays best; without it, closer is better."""

    def __init__(self, game: Game) -> None:
        """Without weights."""
        super().__init__(game, best_agent="exact", levels=LEVELS)

    def evaluate(self, state: State, seat: i64) -> float:
        """The Manhattan distance, 0 to -1; exact at the end."""
        assert isinstance(state, CatMouseState)
        if state.actor == OVER:
            return super().evaluate(state, seat)
        rows = state._cat // SIDE - state._mouse // SIDE
        cols = state._cat % SIDE - state._mouse % SIDE
        away = (rows if rows >= 0 else -rows) + (cols if cols >= 0 else -cols)
        return -float(away) / float(2 * SIDE)
