"""`perft`: how many lines of play a position has."""

import time

from parlour.core.game import State
from parlour.core.perft import divide, perft


def print_perft(state: State, depth: int, divided: bool) -> int:
    """How many ways there are to play so many decisions."""
    started = time.perf_counter()
    if divided:
        counts = divide(state, depth)
        for text, count in counts.items():
            print(f"{text} {count}")
        total = sum(counts.values())
    else:
        total = 0
        for plies in range(1, depth + 1):
            total = perft(state, plies)
            print(f"depth {plies}: {total}", flush=True)
    print(f"{total} in {time.perf_counter() - started:.2f} s")
    return 0
