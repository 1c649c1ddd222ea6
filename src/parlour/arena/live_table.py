"""The standings of a tournament while it runs, on a terminal."""

import shutil
import time
from collections.abc import Callable
from typing import TextIO

from parlour.arena.tournament import TournamentResult
from parlour.arena.tournament_report import standing_lines
from parlour.core.checks import printable
from parlour.scenes.status_line import progress_bar

SECONDS_BETWEEN = 0.5


class LiveTable:
    """Draws the table in place, twice a second at most; stays silent on anything else."""

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        """Draw on that stream; `now` tells the time in seconds."""
        self._stream = stream
        self._now = now
        self._is_terminal = stream.isatty()
        self._drawn_at: float | None = None
        self._height = 0

    def __call__(self, result: TournamentResult) -> None:
        """Show how far the tournament has come."""
        now = self._now()
        is_last = result.done == result.planned
        is_early = self._drawn_at is not None and now - self._drawn_at < SECONDS_BETWEEN
        if not self._is_terminal or (is_early and not is_last):
            return
        self._drawn_at = now
        size = shutil.get_terminal_size()
        lines = [progress_bar(result.done, result.planned), *standing_lines(result)]
        shown = [printable(line)[: max(20, size.columns - 1)] for line in lines]
        self._wipe()
        # What does not fit on the screen could not be wiped again.
        shown = shown[: max(1, size.lines - 1)]
        self._stream.write("".join(f"{line}\n" for line in shown))
        self._stream.flush()
        self._height = len(shown)

    def close(self) -> None:
        """Wipe the table."""
        self._wipe()
        self._stream.flush()

    def _wipe(self) -> None:
        if self._height:
            self._stream.write(f"\x1b[{self._height}F\x1b[J")
            self._height = 0
