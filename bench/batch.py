"""Steps per CPU second of `parlour.Batch`: one thread, random legal play, best of several.

    python bench/batch.py [--games banqi,octa] [--count 256] [--seconds 1] [--best-of 5]

Sampling, mask, observation and restarts are included; some columns leave parts out. A step is one
decision of one game. Figures of a shared machine are noisy, so the best counts.
"""

import argparse
import time

import parlour

GAMES = ("banqi", "blokus", "blokus:variant=duo", "octa", "cat_mouse:ply_cap=100")

KEPT = {
    "mask + observation": {},
    "ids + observation": {"mask": False, "legal": True},
    "mask": {"observe": False},
    "observation": {"mask": False},
    "neither": {"mask": False, "observe": False},
}


def steps_per_second(batch, seconds):
    """Return the decisions per CPU second over about this many seconds."""
    made = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        for _ in range(8):
            batch.step(batch.sample())
        made += 8 * batch.count
    return made / spent


def best(text, count, seconds, times, **kept):
    starts = 256 if text.startswith("cat_mouse") else None
    batch = parlour.Batch(text, count, 1, starts=starts, **kept)
    steps_per_second(batch, seconds / 4)
    return max(steps_per_second(batch, seconds) for _ in range(times))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--count", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--best-of", type=int, default=5)
    given = parser.parse_args()
    print(parlour.build_info())
    print(f"{'steps per CPU second':<24}" + "".join(f"{name:>20}" for name in KEPT))
    for text in given.games.split(","):
        figures = [
            best(text, given.count, given.seconds, given.best_of, **kept) for kept in KEPT.values()
        ]
        print(f"{text:<24}" + "".join(f"{figure:>20,.0f}" for figure in figures), flush=True)


if __name__ == "__main__":
    main()
