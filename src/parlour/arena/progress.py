"""A progress bar with the running score, for a terminal."""

from typing import TextIO

from parlour.arena.match import Progress
from parlour.arena.report import elo_text
from parlour.arena.results import MatchResult
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
    score = score_text(progress.result())
    return f"{progress_bar(progress.done, progress.planned)}  {score}".rstrip()


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
