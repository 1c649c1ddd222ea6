"""Blokus: four colours, corner to corner and never edge to edge.

This package holds the specification's API and `BlokusGame`, the playable game.
"""

from parlour.games.blokus.game import BlokusGame
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.spec.model import (
    Board,
    GameState,
    Move,
    Piece,
    Player,
)
from parlour.games.blokus.spec.strategies import (
    AgentStrategy,
    AIPlayer,
    CornerStrategy,
    GameLoop,
    RandomStrategy,
    StrategicStrategy,
    Strategy,
)
from parlour.games.blokus.spec.validation import (
    BlokusRules,
    PlacementHandler,
    ValidationResult,
)

__all__ = [
    "AIPlayer",
    "AgentStrategy",
    "BlokusGame",
    "BlokusRules",
    "BlokusState",
    "Board",
    "CornerStrategy",
    "GameLoop",
    "GameState",
    "Move",
    "Piece",
    "PlacementHandler",
    "Player",
    "RandomStrategy",
    "StrategicStrategy",
    "Strategy",
    "ValidationResult",
]
