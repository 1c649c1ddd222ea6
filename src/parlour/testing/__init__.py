"""For authors of games: one call that checks every promise of the contract."""

from parlour.testing.conformance import ConformanceError, Report, check_game

__all__ = ["ConformanceError", "Report", "check_game"]
