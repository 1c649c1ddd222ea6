"""The command `parlour match`."""

import sys
from pathlib import Path
from typing import Any

import click

from parlour.commands.game_command import GameCommand
from parlour.commands.shared_options import condition_options, contest_arguments, place_options
from parlour.core.checks import printable
from parlour.core.registry import game_with
from parlour.exit_codes import INTERRUPTED


@click.command(
    cls=GameCommand,
    epilog="""
Every game is saved in the match's folder. Run the same command again to continue after an
interruption.

\b
Examples:
  parlour match octa mcts:sims=50 greedy --games 200
  parlour match octa search:time=0.1 mcts:time=0.1 --sprt elo0=0,elo1=20
  parlour match cat_mouse exact level:5 --games 40
  parlour match octa my_module:MyAgent level:3
""",
)
@contest_arguments
@click.option(
    "--games",
    type=int,
    default=100,
    metavar="N",
    help="Number of games, rounded up so that every start is played from all seats.",
)
@place_options("games", "matches")
@condition_options
@click.option(
    "--sprt",
    metavar="SETTINGS",
    help="Stop when elo0 or elo1 is accepted: elo0=0,elo1=20,alpha=0.05,beta=0.05.",
)
def match(
    game: str,
    agents: tuple[str, ...],
    seed: int,
    settings: tuple[str, ...],
    games: int,
    processes: int | None,
    on: str | None,
    folder: str | None,
    export: str | None,
    openings: str | None,
    sprt: str | None,
    **conditions: Any,
) -> int:
    """Play many games between agents.

    AGENT is an agent with its settings, such as mcts:sims=500, or your own: module:Class. The last
    one plays the remaining seats.
    """
    # Imported here because they take two thirds of the startup time and no other command needs
    # them.
    from parlour.arena.conditions import Conditions
    from parlour.arena.export import export_games
    from parlour.arena.match import Progress, match_folder_name, run_match
    from parlour.arena.openings import read_openings
    from parlour.arena.plan import Plan
    from parlour.arena.progress import ProgressBar
    from parlour.arena.report import match_report
    from parlour.arena.runner import runner_of
    from parlour.arena.sprt import Sprt

    played = game_with(game, settings)
    begun = read_openings(openings, played) if openings else ()
    plan = Plan.of_match(played, agents, games, seed, begun)
    test = None if sprt is None else Sprt.from_text(sprt)
    limits = Conditions.from_texts(**conditions).checked(played)
    runner = runner_of(on, processes)
    place = Path(folder or Path("matches") / match_folder_name(plan, test, limits))
    bar = ProgressBar(sys.stderr)
    seen: list[Progress] = []

    def on_progress(progress: Progress) -> None:
        seen[:] = [progress]
        bar(progress)

    try:
        result = run_match(
            played,
            agents,
            games,
            seed=seed,
            runner=runner,
            folder=place,
            sprt=test,
            conditions=limits,
            openings=begun,
            on_progress=on_progress,
        )
    except KeyboardInterrupt:
        bar.close()  # otherwise the message would be on the same line
        done = f"{seen[0].done} of {plan.games} games" if seen else "no new game"
        print(
            f"parlour: interrupted after {done}; run the same command to continue ({place})",
            file=sys.stderr,
        )
        return INTERRUPTED
    finally:
        bar.close()
    print(printable(match_report(result)))
    note = (
        "" if seen else "all games were read from there; for new ones change --seed or --folder: "
    )
    print(f"\nrecords: {note}{place}")
    if export:
        print(f"export: {export_games(place, export)} games in {export}")
    return 0
