"""`bench`: how fast this installation is."""

import time
from collections.abc import Iterable

from parlour.agents import agent
from parlour.core.game import CHANCE, Game
from parlour.core.playouts import playouts
from parlour.core.registry import game


def print_bench(names: Iterable[str], seconds: float) -> int:
    """Random plies and simulations a second, each game with its default options."""
    for name in names:
        played: Game = game(name)
        state = played.start(1)
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
        print(f"{name}: {plies / spent:,.0f} random plies/s, {rate:,.0f} MCTS simulations/s")
    return 0
