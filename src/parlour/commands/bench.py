"""`bench`: how fast this installation is."""

import sys
import time
from collections.abc import Sequence

from parlour.agents import agent
from parlour.core.errors import ParlourError
from parlour.core.game import CHANCE, Game, start_of
from parlour.core.packages import failure_of_a_game
from parlour.core.playouts import playouts
from parlour.core.registry import game, game_names


def print_bench(names: Sequence[str], seconds: float) -> int:
    """Random plies and simulations a second, each game with its default options.

    Without names it is every game that works; the others are named on stderr.
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
    state = start_of(played, 1)
    games, plies, spent = 1, 0, 0.0
    while spent < seconds:
        started = time.perf_counter()
        plies = playouts(state, games, 1).plies
        spent = time.perf_counter() - started
        if spent < seconds:
            games = max(games * 2, int(games * seconds / max(spent, 1e-6) * 0.6))
    while state.actor == CHANCE:
        state = state.apply(state.legal_actions()[0])
    analysis = agent("mcts", time=seconds).analyse(state)
    rate = analysis.work / max(analysis.seconds, 1e-9)
    return f"{name}: {plies / spent:,.0f} random plies/s, {rate:,.0f} MCTS simulations/s"
