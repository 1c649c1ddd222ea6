"""Clocks: the seconds that each seat has left, one of which runs at a time."""

from collections.abc import Callable, Sequence

from parlour.core.time_control import TimeControl


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
