"""Banqi: Chinese half-board chess, where most pieces start face-down.

This package holds the specification's API and `BanqiGame`, the playable game.
"""

from parlour.core.errors import IllegalAction
from parlour.games.banqi.game import BanqiGame
from parlour.games.banqi.rules import BanqiState
from parlour.games.banqi.setup import BanqiSetup
from parlour.games.banqi.spec.bridge import execute_action, match_from_state
from parlour.games.banqi.spec.match import (
    Color,
    Match,
    MatchStatus,
    Piece,
    PieceKind,
)
from parlour.games.banqi.spec.moves import (
    check_win_condition,
    create_match,
    execute_capture,
    execute_flip,
    execute_move,
    get_legal_moves,
    public_state,
    validate_capture,
    validate_flip,
    validate_move,
)
from parlour.games.banqi.spec.results import (
    CaptureAction,
    LegalMoveSet,
    MoveAction,
    ValidationResult,
    WinReason,
    WinResult,
)

__all__ = [
    "BanqiGame",
    "BanqiSetup",
    "BanqiState",
    "CaptureAction",
    "Color",
    "IllegalAction",
    "LegalMoveSet",
    "Match",
    "MatchStatus",
    "MoveAction",
    "Piece",
    "PieceKind",
    "ValidationResult",
    "WinReason",
    "WinResult",
    "check_win_condition",
    "create_match",
    "execute_action",
    "execute_capture",
    "execute_flip",
    "execute_move",
    "get_legal_moves",
    "match_from_state",
    "public_state",
    "validate_capture",
    "validate_flip",
    "validate_move",
]
