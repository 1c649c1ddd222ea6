"""Blokus: four colours, corner to corner and never edge to edge.

The specification's API, and `BlokusGame`, the game as the contract knows it.
"""

from parlour.games.blokus.contract import Board, GameState, Move, Piece, Player
from parlour.games.blokus.game import BlokusGame
from parlour.games.blokus.placing import BlokusRules, PlacementHandler, ValidationResult
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.strategies import (
    AIPlayer,
    CornerStrategy,
    GameLoop,
    RandomStrategy,
    StrategicStrategy,
    Strategy,
)

__all__ = [
    "AIPlayer",
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
