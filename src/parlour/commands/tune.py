"""The command `parlour tune`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from parlour.commands.exit_codes import INTERRUPTED
from parlour.commands.parsers import (
    OneLineParser,
    add_option_argument,
    add_place_arguments,
    examples_parser,
    parse_with_options,
)
from parlour.core.checks import printable
from parlour.core.game import Game
from parlour.table.opening import game_with

EXAMPLES = """\
examples:
  parlour tune banqi --by search:nodes=1000 --steps 200 --games 8
  parlour tune banqi --weights fear,cannon --steps 50 --verify 200
  parlour tune banqi --on ray

Every step is kept in the folder; after an interruption the same command goes on. What was found
stands in weights.json there, and beside the game's own code it becomes the game's.
"""


def main(arguments: Sequence[str]) -> int:
    """Run the command with these arguments; the exit status."""
    chosen, settings = parse_with_options(tune_parser(), arguments)
    return run_tune_command(game_with(chosen.game, settings), chosen)


def tune_parser() -> OneLineParser:
    """What reads the command's arguments."""
    about = "Better weights for a game's evaluation, from games against itself."
    parser = examples_parser("parlour tune", about, EXAMPLES)
    parser.add_argument("game", help="a name that 'parlour games' lists")
    parser.add_argument(
        "--by",
        default="search:nodes=2000",
        metavar="AGENT",
        help="whose play is made better (search:nodes=2000)",
    )
    parser.add_argument(
        "--weights", default="", metavar="NAMES", help="which, with commas between; all if missing"
    )
    parser.add_argument("--steps", type=int, default=100, metavar="N", help="how many (100)")
    parser.add_argument("--games", type=int, default=8, metavar="N", help="for each step (8)")
    parser.add_argument(
        "--reach",
        type=float,
        default=0.1,
        metavar="PART",
        help="how far a step tries a weight up and down, as a part of it (0.1)",
    )
    parser.add_argument(
        "--pace",
        type=float,
        default=0.5,
        metavar="PART",
        help="how far a step follows a winner of all games, as a part of that (0.5)",
    )
    parser.add_argument(
        "--verify",
        type=int,
        default=0,
        metavar="N",
        help="then play so many games against the weights of before",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of everything (0)")
    add_place_arguments(parser, "steps", "tunings")
    add_option_argument(parser)
    return parser


def run_tune_command(game: Game, chosen: argparse.Namespace) -> int:
    """Tune; the exit status: 0, or 130 after Ctrl-C. `ParlourError` passes through."""
    from parlour.arena.report import match_report
    from parlour.arena.runner import runner_of
    from parlour.arena.storage import folder_name
    from parlour.arena.tuning import Step, Tuning, tune, verify

    names = tuple(word.strip() for word in chosen.weights.split(",") if word.strip())
    tuning = Tuning(
        game, chosen.by, names, chosen.steps, chosen.games, chosen.reach, chosen.pace, chosen.seed
    ).checked()
    runner = runner_of(chosen.on, chosen.processes)
    identity = {**tuning.identity(), "planned": None}
    folder = Path(chosen.folder or Path("tunings") / folder_name([game.name, tuning.by], identity))
    done = 0

    def on_step(step: Step) -> None:
        nonlocal done
        done = step.number + 1
        values = "  ".join(f"{name} {value:.4g}" for name, value in step.weights.items())
        print(f"{done:5} of {tuning.steps}  {step.share:6.1%}  {values}", file=sys.stderr)

    try:
        found = tune(tuning, folder, runner, on_step)
        for name, value in found.items():
            print(f"{name:12} {game.weights[name]:10.4g} -> {value:.4g}")
        print(f"\nplay with them: {printable(tuning.player(found))}")
        print(f"weights: {folder / 'weights.json'}")
        if chosen.verify:
            print()
            print(printable(match_report(verify(tuning, found, chosen.verify, runner))))
    except KeyboardInterrupt:
        print(
            f"parlour: interrupted after {done} of {tuning.steps} steps; the same command goes on "
            f"(kept in {folder})",
            file=sys.stderr,
        )
        return INTERRUPTED
    return 0
