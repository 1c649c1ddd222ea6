"""The progress of a long operation: a status line on a terminal, rare lines elsewhere."""

import shutil
import time
from collections.abc import Callable
from typing import TextIO

from parlour.core.checks import printable

BAR = 20
SECONDS_BETWEEN = 0.1
FIRST_LINE, LONGEST_PAUSE = 10.0, 300.0
"""On other streams, the seconds before the first line, and the longest time between two lines."""


class StatusLine:
    """Draws its line at most ten times a second.

    On a stream that is not a terminal, it prints lines after 10, 20, 40 seconds and so on.
    """

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        """Draw on this stream; `now` returns the time in seconds."""
        self._stream = stream
        self._now = now
        self._is_terminal = stream.isatty()
        self._drawn_at: float | None = None
        self._width = 0
        self._pause = FIRST_LINE
        self._due = now() + FIRST_LINE

    def show(self, text: Callable[[], str], is_last: bool = False) -> None:
        """Draw the text unless one was drawn just now; the last one is always drawn."""
        now = self._now()
        if not self._is_terminal:
            if now >= self._due:
                self._due = now + self._pause
                self._pause = min(2 * self._pause, LONGEST_PAUSE)
                self._stream.write(printable(text()) + "\n")
                self._stream.flush()
            return
        if not is_last and self._drawn_at is not None and now - self._drawn_at < SECONDS_BETWEEN:
            return
        self._drawn_at = now
        columns = max(20, shutil.get_terminal_size().columns - 1)
        line = printable(text())[:columns]
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)

    def close(self) -> None:
        """Erase the line."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
            self._width = 0


def progress_bar(done: int, planned: int) -> str:
    """Return a progress bar: `[#####...............] 2/8`."""
    filled = BAR * done // max(1, planned)
    return f"[{'#' * filled}{'.' * (BAR - filled)}] {done}/{planned}"
