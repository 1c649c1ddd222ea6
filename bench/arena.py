"""Cost of the arena: overhead per game, workers, clusters and ratings.

    python bench/arena.py                    overhead, workers and rating
    python bench/arena.py overhead           the parent's CPU time per game (target: at most 0.3 ms)
    python bench/arena.py workers            two workers against one (target: 1.9 times)
    python bench/arena.py rating             rate 100,000 games (target: at most 5 s)
    python bench/arena.py coverage           how many 95 % intervals contain the truth (200 runs)
    python bench/arena.py cluster --on ray   games per second, and the parent's CPU time per game
    python bench/arena.py cluster --on dask:HOST:8786 --games 20000

Run it on an idle machine.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "arena"))

from simulated_results import simulated

import parlour
from parlour.arena import Tournament, run_tournament, runner_of

SIMULATIONS = 200


def played(agents, games, runner, **options):
    """Return (seconds, the parent's CPU seconds) of a tournament that is stored in a folder."""
    tournament = Tournament(parlour.game("octa", **options), agents, games=games)
    with tempfile.TemporaryDirectory() as folder:
        seconds, cpu = time.perf_counter(), time.process_time()
        run_tournament(tournament, runner=runner, folder=Path(folder) / "t")
        return time.perf_counter() - seconds, time.process_time() - cpu


def overhead(games):
    # The difference of two lengths excludes the startup cost.
    runner = runner_of(processes=1)
    few = played(["random", "random:seed=1"], games // 10, runner, size=1)[1]
    many = played(["random", "random:seed=1"], games, runner, size=1)[1]
    each = 1000 * (many - few) / (games - games // 10)
    print(f"overhead: {each:.3f} ms of the parent's CPU for each game (target 0.3), {games} games")


def workers(games):
    agents = ["mcts:sims=400", "mcts:sims=400,seed=1"]
    took = {count: played(agents, games, runner_of(processes=count), size=3)[0] for count in (1, 2)}
    ratio = took[1] / took[2]
    print(
        f"workers: two are {ratio:.2f} times one (target 1.9), {took[1]:.1f} s and {took[2]:.1f} s"
    )


def rating():
    from parlour.arena.rating import rate

    for agents, seats, groups in ((10, 2, 1111), (8, 4, 357)):
        outcomes, _ = simulated(1, agents, seats, groups)
        seconds, cpu = time.perf_counter(), time.process_time()
        rate(outcomes)
        seconds, cpu = time.perf_counter() - seconds, time.process_time() - cpu
        print(
            f"rating: {outcomes.games} games of {agents} agents on {seats} seats in "
            f"{seconds:.2f} s, {cpu:.2f} s of CPU (target 5)"
        )


def coverage():
    from parlour.arena.rating import rate

    for agents, seats, groups in ((4, 2, 25), (5, 4, 10), (5, 4, 40)):
        held = total = 0
        for seed in range(SIMULATIONS):
            outcomes, truth = simulated(seed, agents, seats, groups)
            for each in rate(outcomes).agents:
                total += 1
                held += each.elo.low <= truth[each.agent] <= each.elo.high
        print(
            f"coverage: {held / total:.1%} of {total} intervals contain the truth (target 95 ± 4), "
            f"{agents} agents on {seats} seats, {outcomes.games} games",
            flush=True,
        )


def cluster(games, on):
    seconds, cpu = played(["random", "greedy"], games, runner_of(on), size=2)
    each = 1000 * cpu / games
    print(f"{on}: {games / seconds:.0f} games a second, {each:.2f} ms of the parent's CPU for each")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "what",
        nargs="?",
        choices=["all", "overhead", "workers", "rating", "coverage", "cluster"],
        default="all",
    )
    parser.add_argument("--games", type=int)
    parser.add_argument("--on", default="local", help="with cluster: where")
    chosen = parser.parse_args()
    if chosen.what in ("all", "overhead"):
        overhead(chosen.games or 5000)
    if chosen.what in ("all", "workers"):
        workers(chosen.games or 60)
    if chosen.what in ("all", "rating"):
        rating()
    if chosen.what == "coverage":
        coverage()
    if chosen.what == "cluster":
        cluster(chosen.games or 5000, chosen.on)


if __name__ == "__main__":
    main()
