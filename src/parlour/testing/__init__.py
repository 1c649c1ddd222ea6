"""For authors of games: one call that checks every promise of the contract."""

from parlour.testing.conformance import Report, check_game
from parlour.testing.promise import ConformanceError

__all__ = ["ConformanceError", "Report", "check_game"]
