"""Durable moves per CPU second of the server.

    python bench/server.py                                        for each game
    python bench/server.py --store postgresql --workers 2         several processes on PostgreSQL
    python bench/server.py --peer                                 against boardgame.io, in one run

The server runs in separate processes on loopback. Only its CPU time counts, not that of the players
or of PostgreSQL. Every move is validated, stored durably and sent to all seats. `bench/load.py`
measures the latency with many tables and sockets.
"""

import argparse
import asyncio

from crowd import SEATS, Tally, play
from served import Served, cpu_seconds, store_of


async def load(server, game, tables, seconds):
    """Return the moves, CPU seconds and seconds once all tables are ready."""
    tally = Tally()
    work = asyncio.create_task(play(server.link, game, tables, tally, seconds, 0.0))
    await asyncio.sleep(min(seconds / 2, 2 + tables / 40))
    loop = asyncio.get_running_loop()
    moves, before, began = tally.moves, server.cpu_seconds(), loop.time()
    await asyncio.sleep(seconds - min(seconds / 2, 2 + tables / 40) - 0.5)
    moves, used, passed = tally.moves - moves, server.cpu_seconds() - before, loop.time() - began
    await work
    return moves, used, passed


def measure(game, kind, tables, seconds, *options):
    with store_of(kind) as store:
        server = Served(store, *options)
        try:
            return asyncio.run(load(server, game, tables, seconds))
        finally:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--games", nargs="*", default=list(SEATS))
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--peer", action="store_true")
    chosen = parser.parse_args()
    options = ["--workers", str(chosen.workers)] if chosen.workers > 1 else []
    ours = {}
    for game in chosen.games:
        moves, cpu, passed = measure(game, chosen.store, chosen.tables, chosen.seconds, *options)
        ours[game] = moves / cpu
        print(
            f"{game:10} {moves / cpu:7.0f} durable moves per CPU second "
            f"({moves} moves, {moves / passed:.0f} a second of the clock, "
            f"{cpu / passed:.2f} cores)",
            flush=True,
        )
    if chosen.peer:
        from boardgame_io import measure_peer

        theirs = measure_peer(chosen.tables, chosen.seconds, cpu_seconds)
        print(f"boardgame.io {theirs:7.0f} moves per CPU second, in memory")
        for game, figure in ours.items():
            print(f"{game:10} {figure / theirs:5.2f}x")


if __name__ == "__main__":
    main()
