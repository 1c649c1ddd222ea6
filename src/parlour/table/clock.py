"""Time controls, and the clocks that follow them.

A time control gives each seat a budget of seconds, and an increment for each action.
"""

import re
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from parlour.core.checks import shown
from parlour.core.errors import ParlourError

UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}

LEAST, MOST = 0.001, 30 * 24 * 3600
"""The range of seconds on a clock: one millisecond to thirty days."""

# At most six decimals, so that a text survives a round trip unchanged.
_NUMBER = r"[0-9]{1,7}(?:\.[0-9]{1,6})?"
_CONTROL = re.compile(rf"({_NUMBER})([smh]?)(?:\+({_NUMBER})s?)?")


class TimeControl(NamedTuple):
    """Seconds for the whole game, and an increment after each action.

    >>> TimeControl.from_text("5m+3")
    TimeControl(seconds=300.0, increment=3.0)
    """

    seconds: float
    increment: float = 0.0

    @classmethod
    def from_text(cls, text: str) -> "TimeControl":
        """Parse `300`, `5m` or `5m+3`. Raise `ClockError` with an example otherwise."""
        match = _CONTROL.fullmatch(text.strip())
        if match is None:
            raise ClockError(
                "write a clock like 5m or 5m+3 (three more seconds for each action), "
                f"not {shown(text)}"
            )
        seconds = round(float(match[1]) * UNITS[match[2]], 6)
        return cls(seconds, float(match[3] or 0)).checked()

    def checked(self) -> "TimeControl":
        """Return itself; raise `ClockError` unless its times are within LEAST and MOST."""
        if not (LEAST <= self.seconds <= MOST and 0 <= self.increment <= MOST):
            raise ClockError(
                f"a clock must have {LEAST:g} seconds to {MOST // 86400} days, and at most as much "
                f"as increment; not {shown(self.seconds)} and {shown(self.increment)} seconds"
            )
        return self

    def to_text(self) -> str:
        """Return the text that `from_text` parses to the same value."""
        return f"{_plain(self.seconds)}+{_plain(self.increment)}"


class ClockError(ParlourError):
    """An invalid time control."""

    code: ClassVar[str] = "bad_clock"


def _plain(number: float) -> str:
    """Format a number with at most six decimals and no exponent."""
    return f"{number:.6f}".rstrip("0").rstrip(".")


class Clocks:
    """The seconds left to each seat. At most one clock runs at a time.

    >>> clocks = Clocks(TimeControl(60, 2), [60, 60], now=lambda: 0.0)
    >>> clocks.rewarded(1)
    (60.0, 62.0)
    """

    def __init__(
        self, control: TimeControl, left: Sequence[float], now: Callable[[], float]
    ) -> None:
        """Create stopped clocks. `now` must be monotonic, in seconds."""
        self.control = control
        self._left = tuple(left)
        self._now = now
        self._running: int | None = None
        self._since = 0.0

    def left(self, seat: int) -> float:
        """Return the seconds left to a seat; negative once it has run out of time."""
        spent = self._now() - self._since if seat == self._running else 0.0
        return self._left[seat] - spent

    def all_left(self) -> tuple[float, ...]:
        """Return the seconds left to each seat."""
        return tuple(self.left(seat) for seat in range(len(self._left)))

    def rewarded(self, seat: int) -> tuple[float, ...]:
        """Return the seconds of each seat if `seat` acted now, without changing anything."""
        return tuple(
            left + self.control.increment if number == seat else left
            for number, left in enumerate(self.all_left())
        )

    def charge(self, seconds: float) -> None:
        """Take these seconds from the running clock."""
        self._since -= seconds

    def set(self, left: Sequence[float], running: int | None) -> None:
        """Set the seconds of each seat and start the clock of `running`, or none."""
        self._left = tuple(left)
        self._running = running
        self._since = self._now()


def clock_face(seconds: float) -> str:
    """Return a time like `4:05`, with tenths in the last ten seconds."""
    rest = max(0.0, seconds)
    if rest < 10:
        return f"0:{rest:04.1f}"
    return f"{int(rest) // 60}:{int(rest) % 60:02d}"
