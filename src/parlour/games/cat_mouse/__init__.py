"""Cat and Mouse: the cat hunts a mouse that flees, on a grid with obstacles.

This package holds the specification's API and `CatMouseGame`, the playable game.
"""

from parlour.games.cat_mouse.game import CatMouseGame
from parlour.games.cat_mouse.placement import PlacementError
from parlour.games.cat_mouse.rules import CatMouseState
from parlour.games.cat_mouse.spec.moves import (
    ApplyResult,
    Solution,
    apply_move,
    choose_mouse_move,
    create_game,
    get_valid_moves,
    hint,
    par,
    solve,
)
from parlour.games.cat_mouse.spec.state import Cat, GameState, Grid, Mouse, Position, Status

__all__ = [
    "ApplyResult",
    "Cat",
    "CatMouseGame",
    "CatMouseState",
    "GameState",
    "Grid",
    "Mouse",
    "PlacementError",
    "Position",
    "Solution",
    "Status",
    "apply_move",
    "choose_mouse_move",
    "create_game",
    "get_valid_moves",
    "hint",
    "par",
    "solve",
]
