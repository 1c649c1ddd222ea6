"""Strength of more processes: Blokus, two seats against two, equal wall time per move.

    python bench/strength/processes.py --games 100 --time 0.1

One side searches in `--processes` processes, the other in one. One game is played at a time. The
machine must have that many idle cores; on a busy one the figure means nothing. Prints the mean
difference between the two sides' scores with its 95 % confidence interval.
"""

import argparse

import parlour
from parlour.arena import match_report, run_match
from parlour.arena.intervals import mean_estimate


def differences(result, text):
    """Return for each game the agent's mean score minus that of the others."""
    for played in result.games:
        own, others = [], []
        for score, number in zip(played.scores, played.seating, strict=True):
            (own if result.agents[number] == text else others).append(score)
        yield sum(own) / len(own) - sum(others) / len(others)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time", type=float, default=0.1, help="seconds per move")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="the folder of the match, from which it resumes")
    chosen = parser.parse_args()
    several = f"best:time={chosen.time},processes={chosen.processes}"
    one = f"best:time={chosen.time}"
    agents = [several, one, several, one]
    result = run_match(
        parlour.game("blokus"), agents, chosen.games, seed=chosen.seed, processes=0,
        folder=chosen.folder,
    )  # fmt: skip
    print(match_report(result))
    found = mean_estimate(list(differences(result, several)))
    print(f"score difference {found.mean:+.2f} [{found.low:+.2f}, {found.high:+.2f}]")


if __name__ == "__main__":
    main()
