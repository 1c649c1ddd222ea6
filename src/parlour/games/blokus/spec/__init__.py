"""The specification's own API of Blokus. It holds no rules: it asks `rules`."""

from parlour.games.blokus.spec.model import (
    Board,
    GameState,
    Move,
    Piece,
    Player,
)
from parlour.games.blokus.spec.strategies import (
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
    "BlokusRules",
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
