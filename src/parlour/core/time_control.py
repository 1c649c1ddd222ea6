"""Time controls: a budget of seconds for each seat, and an increment for each action."""

import re
from typing import ClassVar, NamedTuple

from parlour.core.checks import shown
from parlour.core.errors import ParlourError

UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}

LEAST, MOST = 0.001, 30 * 24 * 3600
"""The seconds that a clock may have: from a millisecond to thirty days."""

# At most six digits after the point, so that what is written is what was read.
_NUMBER = r"[0-9]{1,7}(?:\.[0-9]{1,6})?"
_CONTROL = re.compile(rf"({_NUMBER})([smh]?)(?:\+({_NUMBER})s?)?")


class TimeControl(NamedTuple):
    """So many seconds for the game, and so many more after each action."""

    seconds: float
    increment: float = 0.0

    @classmethod
    def from_text(cls, text: str) -> "TimeControl":
        """Reads `300`, `5m`, `5m+3`; `ClockError` says what would be right."""
        match = _CONTROL.fullmatch(text.strip())
        if match is None:
            raise ClockError(
                "a clock reads like 5m or 5m+3 (three seconds more for each action), "
                f"not {shown(text)}"
            )
        seconds = round(float(match[1]) * UNITS[match[2]], 6)
        return cls(seconds, float(match[3] or 0)).checked()

    def checked(self) -> "TimeControl":
        """Itself; `ClockError` unless it has from a millisecond to thirty days."""
        if not (LEAST <= self.seconds <= MOST and 0 <= self.increment <= MOST):
            raise ClockError(
                f"a clock has from {LEAST:g} seconds to {MOST // 86400} days, and as much at most "
                f"for each action; not {shown(self.seconds)} and {shown(self.increment)} seconds"
            )
        return self

    def to_text(self) -> str:
        """What `from_text` reads, exactly."""
        return f"{_plain(self.seconds)}+{_plain(self.increment)}"


class ClockError(ParlourError):
    """A clock that cannot be."""

    code: ClassVar[str] = "bad_clock"


def _plain(number: float) -> str:
    """Six digits after the point at most, and no exponent."""
    return f"{number:.6f}".rstrip("0").rstrip(".")
