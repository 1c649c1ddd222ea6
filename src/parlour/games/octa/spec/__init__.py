"""The specification's own API of Octa. It holds no rules: it asks `rules`."""

from parlour.games.octa.spec.engine import (
    CLIView,
    GameEngine,
    MoveProvider,
    ScriptedMoveProvider,
)
from parlour.games.octa.spec.logic import (
    GameConfig,
    GameLogic,
    GameResult,
    InvalidMoveError,
    OctaGameLogic,
    WinCondition,
)
from parlour.games.octa.spec.map import (
    CellState,
    Coordinate,
    Direction,
    GameCell,
    GameMap,
    GraphGameMap,
    Player,
    rotate_clockwise,
)

__all__ = [
    "CLIView",
    "CellState",
    "Coordinate",
    "Direction",
    "GameCell",
    "GameConfig",
    "GameEngine",
    "GameLogic",
    "GameMap",
    "GameResult",
    "GraphGameMap",
    "InvalidMoveError",
    "MoveProvider",
    "OctaGameLogic",
    "Player",
    "ScriptedMoveProvider",
    "WinCondition",
    "rotate_clockwise",
]
