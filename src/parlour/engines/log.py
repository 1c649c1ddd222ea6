"""Logs of the traffic with an engine, one file per game.

The folder is the one that PARLOUR_ENGINE_LOGS names; there are no logs if the variable is set but
empty. By default the game decides: a match or tournament uses `engines` in its folder.
Each line has the seconds since the start and a mark: `>` sent to the engine, `<` received from it,
`!` its standard error, `#` a note of ours.
"""

import contextlib
import os
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import IO

from parlour.core.checks import printable

VARIABLE = "PARLOUR_ENGINE_LOGS"
LARGEST_LOG = 4 * 2**20
LONGEST_LINE = 2_000
LINES_KEPT = 5


class EngineLog:
    """The traffic of one engine in one game; thread-safe."""

    def __init__(
        self,
        name: str,
        label: str,
        folder: str | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open a log in the user's folder or in `folder`; `label` identifies the game."""
        self._now = now
        self._began = now()
        self._writing = threading.Lock()
        self._left = LARGEST_LOG
        self._file: IO[str] | None = None
        self.stderr_tail: deque[str] = deque(maxlen=LINES_KEPT)
        """The last lines of the engine's standard error."""
        own = os.environ.get(VARIABLE)
        # A folder of games may come from other people, so links in it are not followed.
        place = own if own is not None or not folder or os.path.islink(folder) else folder
        if place:
            with contextlib.suppress(OSError):  # a game is not lost because its log fails
                self._file = _opened(Path(place), name, label)

    def note(self, mark: str, line: str) -> None:
        """Add a line."""
        if mark == "!" and line.strip():
            self.stderr_tail.append(line.strip())
        with self._writing:
            if self._file is None or self._left <= 0:
                return
            text = f"{self._now() - self._began:9.3f} {mark} {printable(line[:LONGEST_LINE])}\n"
            self._left -= len(text)
            if self._left <= 0:
                text += f"# truncated at {LARGEST_LOG} characters\n"
            try:
                self._file.write(text)
                self._file.flush()
            except (OSError, ValueError):
                self._left = 0

    def close(self) -> None:
        """Close the log."""
        with self._writing, contextlib.suppress(OSError):
            if self._file is not None:
                self._file.close()
            self._file = None


def _opened(folder: Path, name: str, label: str) -> IO[str]:
    """Create a new file whose name has the engine, game and time."""
    folder.mkdir(parents=True, exist_ok=True)
    moment = datetime.now().strftime("%Y%m%d-%H%M%S")
    words = "-".join(re.sub(r"[^A-Za-z0-9_.]+", "-", word) for word in (label, name) if word)
    number = 0
    while True:
        tail = f"-{number}" if number else ""
        try:
            return open(folder / f"{words}-{moment}-{os.getpid()}{tail}.log", "x", encoding="utf-8")
        except FileExistsError:
            number += 1
