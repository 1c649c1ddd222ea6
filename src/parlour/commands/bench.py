"""The command `parlour bench`."""

import sys
import time
from collections.abc import Callable, Sequence

import click

from parlour.agents import agent
from parlour.commands.parameters import GameName, Number
from parlour.core.errors import ParlourError
from parlour.core.game import CHANCE, Game, start_of
from parlour.core.packages import failure_of_a_game
from parlour.core.playouts import playouts
from parlour.core.registry import game, game_class, game_names

Clock = Callable[[], float]
"""A clock in seconds; only differences of its readings matter."""


@click.command()
@click.argument("games", nargs=-1, type=GameName(), metavar="[GAME]...")
@click.option(
    "--seconds",
    type=Number(0.01, 60),
    metavar="SECONDS",
    default=1.0,
    help="Seconds for each measurement.",
)
def bench(games: tuple[str, ...], seconds: float) -> int:
    """Measure the speed of this installation.

    It prints random plies and simulations per second.
    """
    for name in games:
        game_class(name)
    return print_bench(games, seconds)


def print_bench(names: Sequence[str], seconds: float) -> int:
    """Print random plies and simulations per second of each game with default options.

    Without names, measure every game that loads; the others are reported on stderr.
    """
    for name in names:
        print(_figures(game(name), name, seconds), flush=True)
    for name in [] if names else game_names():
        try:
            print(_figures(game(name), name, seconds), flush=True)
        except ParlourError as error:
            print(f"parlour: {error}", file=sys.stderr)
        except Exception as error:
            reason = failure_of_a_game(error)
            if reason is None:
                raise
            print(f"parlour: {reason}", file=sys.stderr)
    return 0


def _figures(played: Game, name: str, seconds: float) -> str:
    plies = random_plies_per_second(played, seconds, time.perf_counter)
    state = start_of(played, 1)
    while state.actor == CHANCE:
        state = state.apply(state.legal_actions()[0])
    analysis = agent("mcts", time=seconds).analyse(state)
    rate = analysis.work / max(analysis.seconds, 1e-9)
    return f"{name}: {plies:,.0f} random plies/s, {rate:,.0f} MCTS simulations/s"


def random_plies_per_second(played: Game, seconds: float, clock: Clock) -> float:
    """Return how many decisions of random games are made per second of that clock.

    The number of games grows until they take this many seconds; only the last run counts.
    """
    state = start_of(played, 1)
    games = 1
    while True:
        started = clock()
        plies = playouts(state, games, 1).plies
        spent = clock() - started
        if spent >= seconds:
            return plies / spent
        games = max(games * 2, int(games * seconds / max(spent, 1e-6) * 0.6))
