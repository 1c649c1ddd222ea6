"""The command `parlour tune`."""

import sys
from pathlib import Path

import click

from parlour.commands.game_command import GameCommand, settings_option
from parlour.commands.parameters import SEED, AgentText, GameName
from parlour.commands.shared_options import place_options
from parlour.core.checks import printable
from parlour.core.registry import game_with
from parlour.exit_codes import INTERRUPTED


@click.command(
    cls=GameCommand,
    epilog="""
Every step is saved in the folder. Run the same command again to continue after an interruption. The
result is the file weights.json there; copy it beside the game's code to use it.

\b
Examples:
  parlour tune banqi --by search:nodes=1000 --steps 200 --games 8
  parlour tune banqi --weights fear,cannon --steps 50 --verify 200
  parlour tune banqi --on ray
""",
)
@click.argument("game", type=GameName())
@click.option(
    "--by",
    type=AgentText(),
    default="search:nodes=2000",
    metavar="AGENT",
    help="The agent that plays with the weights.",
)
@click.option(
    "--weights",
    metavar="NAMES",
    help="The weights to tune, separated by commas.",
    show_default="all",
)
@click.option("--steps", type=int, default=100, metavar="N", help="Number of steps.")
@click.option("--games", type=int, default=8, metavar="N", help="Games per step.")
@click.option(
    "--reach",
    type=float,
    default=0.1,
    metavar="PART",
    help="How far a step varies a weight, as a fraction of it.",
)
@click.option(
    "--pace",
    type=float,
    default=0.5,
    metavar="PART",
    help="How far a step follows a clear winner, as a fraction of --reach.",
)
@click.option(
    "--verify", type=int, metavar="N", help="Then play N games against the current weights."
)
@click.option(
    "--seed", type=SEED, default=0, metavar="N", help="Seed of the weights, games and agents."
)
@place_options("steps", "tunings")
@settings_option()
def tune(
    game: str,
    by: str,
    weights: str | None,
    steps: int,
    games: int,
    reach: float,
    pace: float,
    verify: int | None,
    seed: int,
    processes: int | None,
    on: str | None,
    folder: str | None,
    settings: tuple[str, ...],
) -> int:
    """Tune the weights of an evaluation.

    The agent plays against itself with slightly different weights.
    """
    from parlour.arena import tuning as arena
    from parlour.arena.report import match_report
    from parlour.arena.runner import runner_of
    from parlour.arena.storage import folder_name

    played = game_with(game, settings)
    names = tuple(word.strip() for word in (weights or "").split(",") if word.strip())
    tuning = arena.Tuning(played, by, names, steps, games, reach, pace, seed).checked()
    runner = runner_of(on, processes)
    identity = {**tuning.identity(), "planned": None}
    place = Path(folder or Path("tunings") / folder_name([played.name, tuning.by], identity))
    done = 0

    def on_step(step: arena.Step) -> None:
        nonlocal done
        done = step.number + 1
        values = "  ".join(f"{name} {value:.4g}" for name, value in step.weights.items())
        print(f"{done:5} of {tuning.steps}  {step.share:6.1%}  {values}", file=sys.stderr)

    try:
        found = arena.tune(tuning, place, runner, on_step)
        for name, value in found.items():
            print(f"{name:12} {tuning.weights[name]:10.4g} -> {value:.4g}")
        print(f"\nplay with them: {printable(tuning.player(found))}")
        print(f"weights: {place / 'weights.json'}")
        if verify:
            print()
            print(printable(match_report(arena.verify(tuning, found, verify, runner))))
    except KeyboardInterrupt:
        print(
            f"parlour: interrupted after {done} of {tuning.steps} steps; "
            f"run the same command to continue ({place})",
            file=sys.stderr,
        )
        return INTERRUPTED
    return 0
