"""Progress on a terminal: the running score of a match, the standings of a tournament."""

import shutil
import time
from collections.abc import Callable
from typing import TextIO

from parlour.arena.match import Progress
from parlour.arena.statistics import elo_difference, elo_text, points_text
from parlour.arena.tournament import TournamentResult
from parlour.arena.tournament_report import standing_lines
from parlour.core.checks import printable
from parlour.drawing.status_line import StatusLine, progress_bar

SECONDS_BETWEEN = 0.5
"""The shortest time between two updates of the standings."""


class ProgressBar:
    """Draws one line on a terminal and updates it; does nothing on other streams."""

    def __init__(self, stream: TextIO) -> None:
        """Draw on this stream."""
        self._line = StatusLine(stream)

    def __call__(self, progress: Progress) -> None:
        """Show the progress of the match."""
        is_last = progress.done == progress.planned
        self._line.show(lambda: progress_line(progress), is_last)

    def close(self) -> None:
        """Erase the line."""
        self._line.close()


def progress_line(progress: Progress) -> str:
    """Return the bar, the number of games and the running score."""
    score = score_text(progress)
    return f"{progress_bar(progress.done, progress.planned)}  {score}".rstrip()


def score_text(progress: Progress) -> str:
    """Return a short running score; empty before the first group is finished."""
    tally, names = progress.tally, progress.names
    seats = tally.outcomes.seats
    rows = [tally.row(agent) for agent in range(len(names))]
    if not rows[0].games:
        return ""
    if seats == 1:
        won = [count / row.games for count, row in zip(tally.won, rows, strict=True)]
        return ", ".join(f"{name} {each:.0%}" for name, each in zip(names, won, strict=True))
    if seats > 2:
        # Points are by place, from 1 for the first to 0 for the last.
        means = [seats - (seats - 1) * row.share.mean for row in rows]
        return ", ".join(
            f"{name} place {mean:.2f}" for name, mean in zip(names, means, strict=True)
        )
    own, (one, two) = rows[0], names
    elo = elo_text(elo_difference(own.share.mean))
    ours, theirs = points_text(own.points), points_text(own.games - own.points)
    text = f"{one} {ours} : {theirs} {two}, Elo {elo}"
    state = progress.sprt_state
    return f"{text}, LLR {state.llr:z.2f}" if state else text


class LiveTable:
    """Draws the standings in place on a terminal; does nothing on other streams."""

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        """Draw on this stream; `now` returns the time in seconds."""
        self._stream = stream
        self._now = now
        self._is_terminal = stream.isatty()
        self._drawn_at: float | None = None
        self._height = 0

    def __call__(self, result: TournamentResult) -> None:
        """Show the progress of the tournament."""
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
        # Lines that scroll off the screen could not be erased.
        shown = shown[: max(1, size.lines - 1)]
        self._stream.write("".join(f"{line}\n" for line in shown))
        self._stream.flush()
        self._height = len(shown)

    def close(self) -> None:
        """Erase the table."""
        self._wipe()
        self._stream.flush()

    def _wipe(self) -> None:
        if self._height:
            self._stream.write(f"\x1b[{self._height}F\x1b[J")
            self._height = 0
