"""The command `parlour match`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

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

DEFAULT_GAMES = 100

EXAMPLES = """\
examples:
  parlour match octa mcts:sims=50 greedy --games 200
  parlour match octa search:time=0.1 mcts:time=0.1 --sprt elo0=0,elo1=20
  parlour match cat_mouse exact level:5 --games 40
  parlour match octa my_module:MyAgent level:3

Every game is kept in the match's folder. After an interruption the same command goes on.
"""


def main(arguments: Sequence[str]) -> int:
    """Run the command with these arguments; the exit status."""
    chosen, settings = parse_with_options(match_parser(), arguments)
    return run_match_command(game_with(chosen.game, settings), chosen)


def match_parser() -> OneLineParser:
    """What reads the command's arguments."""
    parser = examples_parser("parlour match", "Many games between agents.", EXAMPLES)
    add_contest_arguments(parser, "; the last one fills the seats that are left")
    parser.add_argument(
        "--games",
        type=int,
        default=DEFAULT_GAMES,
        metavar="N",
        help=f"rounded up so that every start is played from all seats ({DEFAULT_GAMES})",
    )
    add_place_arguments(parser, "games", "matches")
    add_condition_arguments(parser)
    parser.add_argument(
        "--sprt",
        metavar="SETTINGS",
        help="stop as soon as elo0 or elo1 is accepted: elo0=0,elo1=20,alpha=0.05,beta=0.05",
    )
    return parser


def run_match_command(game: Game, chosen: argparse.Namespace) -> int:
    """Play the match; the exit status: 0, or 130 after Ctrl-C. `ParlourError` passes through."""
    # Here, because no other command needs them: they take two thirds of the start.
    from parlour.arena.conditions import Conditions
    from parlour.arena.export import export_games
    from parlour.arena.match import Progress, match_folder_name, run_match
    from parlour.arena.openings import read_openings
    from parlour.arena.plan import Plan
    from parlour.arena.progress import ProgressBar
    from parlour.arena.report import match_report
    from parlour.arena.runner import runner_of
    from parlour.arena.sprt import Sprt

    openings = read_openings(chosen.openings, game) if chosen.openings else ()
    plan = Plan.of_match(game, chosen.agents, chosen.games, chosen.seed, openings)
    sprt = None if chosen.sprt is None else Sprt.from_text(chosen.sprt)
    conditions = Conditions.from_texts(
        chosen.tc, chosen.margin, chosen.resign, chosen.draw, chosen.max_plies
    ).checked(game)
    runner = runner_of(chosen.on, chosen.processes)
    name = match_folder_name(plan, sprt, conditions)
    folder = Path(chosen.folder or Path("matches") / name)
    bar = ProgressBar(sys.stderr)
    seen: list[Progress] = []

    def on_progress(progress: Progress) -> None:
        seen[:] = [progress]
        bar(progress)

    try:
        result = run_match(
            game,
            chosen.agents,
            chosen.games,
            seed=chosen.seed,
            runner=runner,
            folder=folder,
            sprt=sprt,
            conditions=conditions,
            openings=openings,
            on_progress=on_progress,
        )
    except KeyboardInterrupt:
        bar.close()  # before the message, which stands on the same line else
        done = f"{seen[0].done} of {plan.games} games" if seen else "no new game"
        print(
            f"parlour: interrupted after {done}; the same command goes on (kept in {folder})",
            file=sys.stderr,
        )
        return INTERRUPTED
    finally:
        bar.close()
    print(printable(match_report(result)))
    note = "" if seen else "all read from it; another --seed or --folder plays new ones: "
    print(f"\nrecords: {note}{folder}")
    if chosen.export:
        print(f"export: {export_games(folder, chosen.export)} games in {chosen.export}")
    return 0
