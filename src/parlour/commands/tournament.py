"""The command `parlour tournament`."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from parlour.commands.game_command import GameCommand
from parlour.commands.parameters import WordList
from parlour.commands.shared_options import condition_options, contest_arguments, place_options
from parlour.core.checks import printable
from parlour.core.registry import game_with
from parlour.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from parlour.arena.tournament import TournamentResult


@click.command(
    cls=GameCommand,
    epilog="""
Every game is saved in the tournament's folder, with results.json and report.html. Run the same
command again to continue after an interruption.

\b
Examples:
  parlour tournament octa level:1 level:3 level:5 level:7 --games 20
  parlour tournament blokus level:2 level:3 level:4 level:5 level:6 --games 8
  parlour tournament octa mcts:sims=50 level:1 level:2 level:3 --format gauntlet
  parlour tournament octa level:1 level:2 level:3 level:4 --format swiss --rounds 3 --tc 10+0.1
""",
)
@contest_arguments
@click.option(
    "--format",
    "style",
    type=WordList("format", "round-robin", "gauntlet", "swiss"),
    default="round-robin",
    help="round-robin, gauntlet (the first agent against all others) or swiss.",
)
@click.option(
    "--games",
    type=int,
    default=2,
    metavar="N",
    help="Games per pairing, rounded up so that every start is played from all seats.",
)
@click.option(
    "--rounds",
    type=int,
    metavar="N",
    help="Repetitions of each pairing, or rounds of a Swiss tournament.",
    show_default="1",
)
@place_options("games", "tournaments")
@condition_options
@click.option(
    "--dry-run",
    is_flag=True,
    help="Play a few games without saving them, and estimate the duration.",
)
def tournament(
    game: str,
    agents: tuple[str, ...],
    seed: int,
    settings: tuple[str, ...],
    style: str,
    games: int,
    rounds: int | None,
    processes: int | None,
    on: str | None,
    folder: str | None,
    export: str | None,
    openings: str | None,
    dry_run: bool,
    **conditions: Any,
) -> int:
    """Play a tournament between agents.

    AGENT is an agent with its settings, such as mcts:sims=500, or your own: module:Class.
    """
    # Imported here because few other commands need them.
    from parlour.arena.conditions import Conditions
    from parlour.arena.openings import read_openings
    from parlour.arena.progress import LiveTable
    from parlour.arena.runner import runner_of
    from parlour.arena.tournament import Tournament, TournamentResult, forecast, run_tournament

    played = game_with(game, settings)
    planned = Tournament(
        played,
        agents,
        style=style,
        games=games,
        rounds=rounds,
        seed=seed,
        conditions=Conditions.from_texts(**conditions),
        openings=read_openings(openings, played) if openings else (),
    )
    runner = runner_of(on, processes)
    if dry_run:
        found = forecast(planned, runner)
        print(
            f"{found.games} games of about {found.seconds_per_game:.3g} s "
            f"({found.sampled} tried): {_duration(found.seconds)} "
            f"with {min(runner.parallel, found.games)} at a time"
        )
        return 0
    place = Path(folder or Path("tournaments") / planned.folder_name())
    table = LiveTable(sys.stderr)
    seen: list[TournamentResult] = []

    def on_progress(result: TournamentResult) -> None:
        seen[:] = [result]
        table(result)

    try:
        result = run_tournament(planned, runner=runner, folder=place, on_progress=on_progress)
    except KeyboardInterrupt:
        table.close()
        done = f"{seen[0].done} of {planned.planned} games" if seen else "no new game"
        print(
            f"parlour: interrupted after {done}; run the same command to continue ({place})",
            file=sys.stderr,
        )
        return INTERRUPTED
    finally:
        table.close()
    _finish(result, place, export, bool(seen))
    return 0


def _finish(
    result: "TournamentResult",
    folder: Path,
    export: str | None,
    is_new: bool,
) -> None:
    """Print the report, and write it to the folder in two formats."""
    from parlour.arena.errors import MatchError
    from parlour.arena.export import export_games
    from parlour.arena.html_report import html_report
    from parlour.arena.storage import one_line_errors
    from parlour.arena.tournament_report import ratings_of, tournament_json, tournament_report

    ratings = ratings_of(result)
    report = tournament_report(result, ratings)
    data = json.dumps(tournament_json(result, ratings), indent=1, ensure_ascii=False)
    problem: MatchError | None = None
    try:
        with one_line_errors():
            _update(folder / "results.json", f"{data}\n")
            _update(folder / "report.html", html_report(result, ratings))
    except MatchError as error:
        # A finished tournament can be read from a disk that cannot be written.
        problem = error if is_new else None
    # Last, because the reader may close the pipe: `parlour tournament ... | head`.
    print("\n".join(printable(line) for line in report.splitlines()))
    if problem:
        raise problem
    note = (
        "" if is_new else "all games were read from there; for new ones change --seed or --folder: "
    )
    print(f"\nrecords: {note}{folder}")
    print(f"report: {folder / 'report.html'}")
    if export:
        print(f"export: {export_games(folder, export)} games in {export}")


def _update(path: Path, text: str) -> None:
    """Write the file unless its text is already the same.

    The file may be older than the games, if its process was killed in between.
    """
    from parlour.files import read_text, write_atomically

    try:
        is_kept = read_text(path, 4 * len(text)) == text
    except (OSError, ValueError):
        is_kept = False
    if not is_kept:
        write_atomically(path, text)


def _duration(seconds: float) -> str:
    """Format a duration as `40 s`, `12 min`, `5.3 h` or `1,234 days`."""
    if seconds < 100:
        return f"{seconds:.3g} s"
    if seconds < 6000:
        return f"{seconds / 60:.3g} min"
    if seconds < 360_000:
        return f"{seconds / 3600:.3g} h"
    return f"{seconds / 86_400:,.0f} days"
