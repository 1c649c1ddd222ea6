"""Check a game against the contract: `check_game`."""

from parlour.testing.conformance import Report, check_game
from parlour.testing.promise import ConformanceError

__all__ = ["ConformanceError", "Report", "check_game"]
