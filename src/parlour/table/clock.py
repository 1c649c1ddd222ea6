"""Clocks: a budget of seconds for each seat, and an increment for each action."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from parlour.core.errors import ParlourError

UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


class TimeControl(NamedTuple):
    """So many seconds for the game, and so many more after each action."""

    seconds: float
    increment: float = 0.0

    @classmethod
    def from_text(cls, text: str) -> "TimeControl":
        """Reads `300`, `5m`, `5m+3`; `ParlourError` says what would be right."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)(?:\+(\d+(?:\.\d+)?)s?)?", text.strip())
        if match is None or float(match[1]) == 0:
            raise ParlourError(
                f"a clock reads like 5m or 5m+3 (three seconds more for each action), not {text!r}"
            )
        return cls(float(match[1]) * UNITS[match[2]], float(match[3] or 0))

    def to_text(self) -> str:
        """What `from_text` reads."""
        return f"{self.seconds:g}+{self.increment:g}"


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
