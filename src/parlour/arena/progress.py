"""A progress bar with the running score, for a terminal."""

import shutil
import time
from typing import TextIO

from parlour.arena.match import Progress
from parlour.arena.report import elo_text
from parlour.arena.results import MatchResult
from parlour.core.checks import printable

BAR = 20
SECONDS_BETWEEN = 0.1


class ProgressBar:
    """Draws one line on a terminal, again and again; stays silent on anything else."""

    def __init__(self, stream: TextIO) -> None:
        """Draw on that stream."""
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._drawn_at = 0.0
        self._width = 0

    def __call__(self, progress: Progress) -> None:
        """Show how far the match has come, ten times a second at most."""
        now = time.monotonic()
        is_last = progress.done == progress.planned
        if not self._is_terminal or (now - self._drawn_at < SECONDS_BETWEEN and not is_last):
            return
        self._drawn_at = now
        columns = max(20, shutil.get_terminal_size().columns - 1)
        line = printable(progress_line(progress))[:columns]
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)

    def close(self) -> None:
        """Wipe the line."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
            self._width = 0


def progress_line(progress: Progress) -> str:
    """The bar, how many games, and the running score."""
    filled = BAR * progress.done // progress.planned
    bar = "#" * filled + "." * (BAR - filled)
    score = score_text(progress.result())
    return f"[{bar}] {progress.done}/{progress.planned}  {score}".rstrip()


def score_text(result: MatchResult) -> str:
    """The score so far in a few words; empty before the first start is finished."""
    standings = result.standings
    duel = result.duel
    if duel is not None:
        one, two = standings
        points = duel.won + duel.drawn / 2
        against = duel.lost + duel.drawn / 2
        text = f"{one.agent} {points:g} : {against:g} {two.agent}, Elo {elo_text(duel.elo.mean)}"
        state = result.sprt_state
        return f"{text}, LLR {state.llr:.2f}" if state else text
    if result.game.seats == 1:
        return ", ".join(f"{row.agent} {row.first.mean:.0%}" for row in standings)
    return ", ".join(f"{row.agent} place {row.place.mean:.2f}" for row in standings)
