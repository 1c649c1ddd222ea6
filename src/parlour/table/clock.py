"""Time controls, and the clocks that run under them.

A time control gives each seat a budget of seconds, and an increment for each action.
"""

import re
from collections.abc import Callable, Sequence
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


class Clocks:
    """The seconds left to each seat; the clock of one seat runs at a time."""

    def __init__(
        self, control: TimeControl, left: Sequence[float], now: Callable[[], float]
    ) -> None:
        """`now` gives the seconds on a clock that never goes back. None runs yet."""
        self.control = control
        self._left = tuple(left)
        self._now = now
        self._running: int | None = None
        self._since = 0.0

    def left(self, seat: int) -> float:
        """The seconds that a seat has; negative once its time is up."""
        spent = self._now() - self._since if seat == self._running else 0.0
        return self._left[seat] - spent

    def all_left(self) -> tuple[float, ...]:
        """The seconds of every seat."""
        return tuple(self.left(seat) for seat in range(len(self._left)))

    def rewarded(self, seat: int) -> tuple[float, ...]:
        """What every seat would have after an action of this one; nothing changes."""
        return tuple(
            left + self.control.increment if number == seat else left
            for number, left in enumerate(self.all_left())
        )

    def charge(self, seconds: float) -> None:
        """Let the clock that runs have run for so long before now already."""
        self._since -= seconds

    def set(self, left: Sequence[float], running: int | None) -> None:
        """Every seat has so much from now on, and the clock of one runs, or of none."""
        self._left = tuple(left)
        self._running = running
        self._since = self._now()


def clock_face(seconds: float) -> str:
    """`4:05`, or tenths in the last ten seconds."""
    rest = max(0.0, seconds)
    if rest < 10:
        return f"0:{rest:04.1f}"
    return f"{int(rest) // 60}:{int(rest) % 60:02d}"
