"""Banqi: half of it lies face-down."""

from parlour.games.banqi.game import BanqiGame
from parlour.games.banqi.rules import BanqiState

__all__ = ["BanqiGame", "BanqiState"]
