"""The speed of a watched game: paused, step by step, faster, slower."""

import time
from collections.abc import Callable

FASTEST, SLOWEST = 0.02, 10.0


class Pace:
    """The time between two actions, and whether the game is paused."""

    def __init__(
        self, delay: float, is_paused: bool = False, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Set the `delay` in seconds; `now` is a clock."""
        self.delay = delay
        self.is_paused = is_paused
        self.now = now
        self._shown_at = now()
        self._is_stepping = False

    def take(self) -> bool:
        """Return whether the next action may be shown now; this uses up a requested step.

        A step requested while the previous action is still being shown is kept.
        """
        if self._is_stepping:
            self._is_stepping = False
            return True
        return not self.is_paused and self.now() - self._shown_at >= self.delay

    def shown(self) -> None:
        """Start the wait for the next action."""
        self._shown_at = self.now()

    def toggle(self) -> None:
        """Pause, or resume after a full wait."""
        self.is_paused = not self.is_paused
        self._shown_at = self.now()

    def step(self) -> None:
        """Pause, and let one action through."""
        self.is_paused = True
        self._is_stepping = True

    def faster(self) -> None:
        """Halve the delay."""
        self._change(0.5)

    def slower(self) -> None:
        """Double the delay."""
        self._change(2.0)

    def _change(self, factor: float) -> None:
        self.delay = min(SLOWEST, max(FASTEST, max(FASTEST, self.delay) * factor))

    def words(self) -> str:
        """Return `paused`, or the seconds between two actions."""
        return "paused" if self.is_paused else f"every {self.delay:g} s"
