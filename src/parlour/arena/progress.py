"""A progress bar with the running score, for a terminal."""

from typing import TextIO

from parlour.arena.match import Progress
from parlour.arena.statistics import elo_difference, elo_text, points_text
from parlour.scenes.status_line import StatusLine, progress_bar


class ProgressBar:
    """Draws one line on a terminal, again and again; stays silent on anything else."""

    def __init__(self, stream: TextIO) -> None:
        """Draw on that stream."""
        self._line = StatusLine(stream)

    def __call__(self, progress: Progress) -> None:
        """Show how far the match has come."""
        is_last = progress.done == progress.planned
        self._line.show(lambda: progress_line(progress), is_last)

    def close(self) -> None:
        """Wipe the line."""
        self._line.close()


def progress_line(progress: Progress) -> str:
    """The bar, how many games, and the running score."""
    score = score_text(progress)
    return f"{progress_bar(progress.done, progress.planned)}  {score}".rstrip()


def score_text(progress: Progress) -> str:
    """The score so far in a few words; empty before the first start is finished."""
    tally, names = progress.tally, progress.names
    seats = tally.outcomes.seats
    rows = [tally.row(agent) for agent in range(len(names))]
    if not rows[0].games:
        return ""
    if seats == 1:
        won = [count / row.games for count, row in zip(tally.won, rows, strict=True)]
        return ", ".join(f"{name} {each:.0%}" for name, each in zip(names, won, strict=True))
    if seats > 2:
        # The points are by places, from 1 for the first to 0 for the last.
        means = [seats - (seats - 1) * row.share.mean for row in rows]
        return ", ".join(
            f"{name} place {mean:.2f}" for name, mean in zip(names, means, strict=True)
        )
    own, (one, two) = rows[0], names
    elo = elo_text(elo_difference(own.share.mean))
    ours, theirs = points_text(own.points), points_text(own.games - own.points)
    text = f"{one} {ours} : {theirs} {two}, Elo {elo}"
    state = progress.sprt_state
    return f"{text}, LLR {state.llr:.2f}" if state else text
