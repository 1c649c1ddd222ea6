"""When the next action is shown to somebody who looks on: paused, step by step, faster, slower."""

import time
from collections.abc import Callable

FASTEST, SLOWEST = 0.02, 10.0


class Pace:
    """The time between two actions, and whether it runs at all."""

    def __init__(
        self, delay: float, is_paused: bool = False, now: Callable[[], float] = time.monotonic
    ) -> None:
        """`delay` in seconds; `now` tells the time."""
        self.delay = delay
        self.is_paused = is_paused
        self.now = now
        self._shown_at = now()
        self._is_stepping = False

    def take(self) -> bool:
        """Whether the next action may be shown now; a step is used up by it.

        A step that is asked for while the action before it is still on its way is kept.
        """
        if self._is_stepping:
            self._is_stepping = False
            return True
        return not self.is_paused and self.now() - self._shown_at >= self.delay

    def shown(self) -> None:
        """An action was shown: the wait for the next one begins."""
        self._shown_at = self.now()

    def toggle(self) -> None:
        """Pause, or go on after a whole wait."""
        self.is_paused = not self.is_paused
        self._shown_at = self.now()

    def step(self) -> None:
        """Pause, and let one action through."""
        self.is_paused = True
        self._is_stepping = True

    def faster(self) -> None:
        """Half the time."""
        self._change(0.5)

    def slower(self) -> None:
        """Twice the time."""
        self._change(2.0)

    def _change(self, factor: float) -> None:
        self.delay = min(SLOWEST, max(FASTEST, max(FASTEST, self.delay) * factor))

    def words(self) -> str:
        """How it goes: `paused`, or the seconds between two actions."""
        return "paused" if self.is_paused else f"every {self.delay:g} s"
