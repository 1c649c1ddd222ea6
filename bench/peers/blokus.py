"""Blokus against blokus-rl, the fastest Blokus on PyPI, in one run and per CPU second.

    python bench/peers/blokus.py

The peer is driven through its native class without its environment, which is its fastest interface.
Both are measured alternately, five times; the best time of each counts.
"""

import random
import time
from collections.abc import Callable

import numpy as np
from blokus_rl._blokus import PyBlokus

import parlour

PEER = "blokus-rl"

REPEATS = 5
PLY = 24
POSITIONS = 20

Row = tuple[str, float, float, str]


def best_seconds(*works: Callable[[], object]) -> list[float]:
    """Return the shortest CPU time of each piece of work, measured alternately."""
    best = [float("inf")] * len(works)
    for _ in range(REPEATS):
        for number, work in enumerate(works):
            before = time.process_time()
            work()
            best[number] = min(best[number], time.process_time() - before)
    return best


def peer_game(rng: random.Random, plies: int = 1000) -> PyBlokus:
    """Play a uniformly random game of the peer, or its first plies."""
    peer = PyBlokus()
    while plies and not peer.is_over:
        mask = np.frombuffer(peer.observe(peer.agent_selection).action_mask, dtype=np.int8)
        actions = np.flatnonzero(mask)
        if len(actions):
            peer.step(int(actions[int(rng.random() * len(actions))]))
            plies -= 1
        else:
            peer.step(None)
    return peer


def our_game(start: parlour.State, rng: random.Random, plies: int = 1000) -> parlour.State:
    """Play the same game with `legal_actions` and `apply`, driven from Python."""
    state = start
    while plies and state.actor != parlour.OVER:
        actions = state.legal_actions()
        state = state.apply(actions[int(rng.random() * len(actions))])
        plies -= 1
    return state


def rows() -> list[Row]:
    """Return (what, our figure, the peer's figure, unit)."""
    start = parlour.game("blokus").start()
    compiled = parlour.build_info().compiled
    ours, theirs = (2000 if compiled else 10), 10
    loops = 100 if compiled else 5

    def our_loop() -> None:
        rng = random.Random(1)
        for _ in range(loops):
            our_game(start, rng)

    def peer_loop() -> None:
        rng = random.Random(1)
        for _ in range(theirs):
            peer_game(rng)

    playing, looping, peer = best_seconds(
        lambda: parlour.playouts(start, ours, seed=1), our_loop, peer_loop
    )
    rng = random.Random(2)
    states = [our_game(start, rng, PLY) for _ in range(POSITIONS)]
    peers = [peer_game(rng, PLY) for _ in range(POSITIONS)]
    many = 100 if compiled else 2

    def our_lists() -> None:
        for state in states:
            for _ in range(many):
                state.legal_actions()

    def peer_lists() -> None:
        for other in peers:
            for _ in range(10):
                other.observe(other.agent_selection)

    def our_copies() -> None:
        for state in states:
            for _ in range(many):
                state.scratch()

    def peer_copies() -> None:
        for other in peers:
            for _ in range(10):
                other.copy()

    listing, peer_listing, copying, peer_copying = best_seconds(
        our_lists, peer_lists, our_copies, peer_copies
    )
    mine, other = 1e6 / (POSITIONS * many), 1e6 / (POSITIONS * 10)
    return [
        ("Blokus, random games in the engine", ours / playing, theirs / peer, "games/s"),
        ("Blokus, random games driven from Python", loops / looping, theirs / peer, "games/s"),
        (f"Blokus, legal placements at ply {PLY}", listing * mine, peer_listing * other, "µs"),
        (f"Blokus, copy of a state at ply {PLY}", copying * mine, peer_copying * other, "µs"),
    ]


def main() -> None:
    """Print the table."""
    print(parlour.build_info())
    print(f"{'':36} {'parlour':>10} {'blokus-rl':>10}            ratio")
    for what, mine, other, unit in rows():
        ratio = mine / other if unit.endswith("/s") else other / mine
        print(f"{what:36} {mine:10.4g} {other:10.4g} {unit:8} {ratio:8.1f}")


if __name__ == "__main__":
    main()
