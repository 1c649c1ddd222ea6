"""The command `parlour tournament`."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.commands.exit_codes import INTERRUPTED
from parlour.commands.parsers import (
    OneLineParser,
    add_condition_arguments,
    add_contest_arguments,
    add_place_arguments,
    examples_parser,
    parse_with_options,
)
from parlour.core.checks import printable
from parlour.core.game import Game
from parlour.table.opening import game_with

if TYPE_CHECKING:
    from parlour.arena.tournament import TournamentResult

EXAMPLES = """\
examples:
  parlour tournament octa level:1 level:3 level:5 level:7 --games 20
  parlour tournament blokus level:2 level:3 level:4 level:5 level:6 --games 8
  parlour tournament octa mcts:sims=50 level:1 level:2 level:3 --format gauntlet
  parlour tournament octa level:1 level:2 level:3 level:4 --format swiss --rounds 3 --tc 10+0.1

Every game is kept in the tournament's folder, with results.json and report.html. After an
interruption the same command goes on.
"""


def main(arguments: Sequence[str]) -> int:
    """Run the command with these arguments; the exit status."""
    chosen, settings = parse_with_options(tournament_parser(), arguments)
    return run_tournament_command(game_with(chosen.game, settings), chosen)


def tournament_parser() -> OneLineParser:
    """What reads the command's arguments."""
    about = "Many agents, each against each, one against all, or Swiss."
    parser = examples_parser("parlour tournament", about, EXAMPLES)
    add_contest_arguments(parser, "")
    parser.add_argument(
        "--format",
        dest="style",
        default="round-robin",
        metavar="FORMAT",
        help="round-robin, gauntlet (the first agent against all others) or swiss (round-robin)",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=2,
        metavar="N",
        help="for each pairing, rounded up so that every start is played from all seats (2)",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help="how often everybody meets (1); of a Swiss tournament, its rounds",
    )
    add_place_arguments(parser, "games", "tournaments")
    add_condition_arguments(parser)
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="play a few games, keep none, and say how long the tournament would take",
    )
    return parser


def run_tournament_command(game: Game, chosen: argparse.Namespace) -> int:
    """Play the tournament; the exit status: 0, or 130 after Ctrl-C."""
    # Here, because few other commands need them.
    from parlour.arena.conditions import Conditions
    from parlour.arena.live_table import LiveTable
    from parlour.arena.openings import read_openings
    from parlour.arena.runner import runner_of
    from parlour.arena.tournament import Tournament, TournamentResult, forecast, run_tournament

    conditions = Conditions.from_texts(
        chosen.tc, chosen.margin, chosen.resign, chosen.draw, chosen.max_plies
    )
    tournament = Tournament(
        game,
        chosen.agents,
        style=chosen.style,
        games=chosen.games,
        rounds=chosen.rounds,
        seed=chosen.seed,
        conditions=conditions,
        openings=read_openings(chosen.openings, game) if chosen.openings else (),
    )
    runner = runner_of(chosen.on, chosen.processes)
    if chosen.dry_run:
        found = forecast(tournament, runner)
        print(
            f"{found.games} games of about {found.seconds_per_game:.3g} s "
            f"({found.sampled} tried): {_duration(found.seconds)} "
            f"with {min(runner.parallel, found.games)} at a time"
        )
        return 0
    folder = Path(chosen.folder or Path("tournaments") / tournament.folder_name())
    table = LiveTable(sys.stderr)
    seen: list[TournamentResult] = []

    def on_progress(result: TournamentResult) -> None:
        seen[:] = [result]
        table(result)

    try:
        result = run_tournament(tournament, runner=runner, folder=folder, on_progress=on_progress)
    except KeyboardInterrupt:
        table.close()
        done = f"{seen[0].done} of {tournament.planned} games" if seen else "no new game"
        print(
            f"parlour: interrupted after {done}; the same command goes on (kept in {folder})",
            file=sys.stderr,
        )
        return INTERRUPTED
    finally:
        table.close()
    _finish(result, folder, chosen.export, bool(seen))
    return 0


def _finish(
    result: "TournamentResult",
    folder: Path,
    export: str | None,
    is_new: bool,
) -> None:
    """Print the report, and leave it in the folder in two forms."""
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
            _keep(folder / "results.json", f"{data}\n")
            _keep(folder / "report.html", html_report(result, ratings))
    except MatchError as error:
        # What is finished can be read from a disk that takes no more.
        problem = error if is_new else None
    # Last, because who reads it may close the pipe: `parlour tournament ... | head`.
    print("\n".join(printable(line) for line in report.splitlines()))
    if problem:
        raise problem
    note = "" if is_new else "all read from it; another --seed or --folder plays new ones: "
    print(f"\nrecords: {note}{folder}")
    print(f"report: {folder / 'report.html'}")
    if export:
        print(f"export: {export_games(folder, export)} games in {export}")


def _keep(path: Path, text: str) -> None:
    """Write the file unless it says so already.

    All games may be there and the file be older: its process was killed in between.
    """
    from parlour.core.files import read_text, write_atomically

    try:
        is_kept = read_text(path, 4 * len(text)) == text
    except (OSError, ValueError):
        is_kept = False
    if not is_kept:
        write_atomically(path, text)


def _duration(seconds: float) -> str:
    """`40 s`, `12 min`, `5.3 h` or `1,234 days`."""
    if seconds < 100:
        return f"{seconds:.3g} s"
    if seconds < 6000:
        return f"{seconds / 60:.3g} min"
    if seconds < 360_000:
        return f"{seconds / 3600:.3g} h"
    return f"{seconds / 86_400:,.0f} days"
