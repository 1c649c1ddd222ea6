"""What was said to an engine and by it, a file a game, where there is a folder for it.

That is the one that the variable PARLOUR_ENGINE_LOGS names, none if it is set and empty, and
otherwise the one that the occasion gives: in a match or tournament, `engines` in its folder.
Each line has the seconds since the start and a mark: `>` said to the engine, `<` by it, `!` by
it on its standard error, `#` by us.
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
    """The traffic of one engine in one game; several threads may write."""

    def __init__(
        self,
        name: str,
        label: str,
        folder: str | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Into the user's folder, or into that one; `label` says which game it was."""
        self._now = now
        self._began = now()
        self._writing = threading.Lock()
        self._left = LARGEST_LOG
        self._file: IO[str] | None = None
        self.last_words: deque[str] = deque(maxlen=LINES_KEPT)
        """The last lines of the engine's standard error."""
        own = os.environ.get(VARIABLE)
        # A folder of games may be somebody else's work, so a link in it leads nowhere.
        place = own if own is not None or not folder or os.path.islink(folder) else folder
        if place:
            with contextlib.suppress(OSError):  # a game is not lost for want of its log
                self._file = _opened(Path(place), name, label)

    def note(self, mark: str, line: str) -> None:
        """Keep a line."""
        if mark == "!" and line.strip():
            self.last_words.append(line.strip())
        with self._writing:
            if self._file is None or self._left <= 0:
                return
            text = f"{self._now() - self._began:9.3f} {mark} {printable(line[:LONGEST_LINE])}\n"
            self._left -= len(text)
            if self._left <= 0:
                text += f"# no more than {LARGEST_LOG} characters are kept\n"
            try:
                self._file.write(text)
                self._file.flush()
            except (OSError, ValueError):
                self._left = 0

    def close(self) -> None:
        """No more is kept."""
        with self._writing, contextlib.suppress(OSError):
            if self._file is not None:
                self._file.close()
            self._file = None


def _opened(folder: Path, name: str, label: str) -> IO[str]:
    """A new file, never one that is there; its name tells engine, game and moment."""
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
