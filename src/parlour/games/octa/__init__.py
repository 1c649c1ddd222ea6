"""Octa: arrows that turn and capture in chains.

This package holds the specification's API and `OctaGame`, the playable game.
"""

from parlour.games.octa.game import OctaGame
from parlour.games.octa.rules import OctaState
from parlour.games.octa.spec.engine import (
    AgentMoveProvider,
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
    "AgentMoveProvider",
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
    "OctaGame",
    "OctaGameLogic",
    "OctaState",
    "Player",
    "ScriptedMoveProvider",
    "WinCondition",
    "rotate_clockwise",
]
