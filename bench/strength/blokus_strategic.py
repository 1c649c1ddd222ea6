"""Blokus: one agent against three `StrategicStrategy`, all at equal time per move.

    python bench/strength/blokus_strategic.py best:time=0.5 --seconds 0.5 --games 40

The agent takes every seat equally often. The result of each game is written to the results file,
from which an interrupted run resumes.
"""

import argparse
import json
import math
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import parlour
from parlour.games.blokus import StrategicStrategy

RESULTS = Path(__file__).parents[1] / "results"


def play(text, seconds, number):
    """Play game `number`; return the agent's seat, the scores and its number of placements."""
    seat = number % 4
    agent = parlour.agent(text, seed=number)
    others = [StrategicStrategy(seed=4 * number + other) for other in range(4)]
    state, plies = parlour.game("blokus").start(), 0
    while state.actor != parlour.OVER:
        actor = state.actor
        if actor == seat:
            action = agent.choose(state)
        else:
            action = others[actor].choose(state, time.monotonic() + seconds)
        state = state.play(action)
        plies += 1
    return [seat, *(int(score) for score in state.result().scores), plies]


def summary(games):
    """Return the share of first places (a shared one counts in part), and the mean scores."""
    first = own = others = 0.0
    for seat, *scores, _ in games:
        best = max(scores)
        first += (scores[seat] == best) / scores.count(best)
        own += scores[seat]
        others += (sum(scores) - scores[seat]) / 3
    n = len(games)
    spread = 1.96 * math.sqrt(max(first / n * (1 - first / n), 0.25 / n) / n)
    scores = f"score {own / n:.1f} against {others / n:.1f}"
    return f"first in {first / n:.1%} ± {spread:.1%} of {n} games; {scores}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agent")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--name", default="blokus_strategic")
    chosen = parser.parse_args()
    path = RESULTS / f"{chosen.name}.json"
    done = json.loads(path.read_text()) if path.exists() else {"agent": chosen.agent, "games": []}
    with get_context("spawn").Pool(chosen.processes) as pool:
        missing = range(len(done["games"]), chosen.games)
        for game in pool.imap(partial(play, chosen.agent, chosen.seconds), missing):
            done["games"].append(game)
            path.write_text(json.dumps(done, separators=(",", ":")) + "\n")
            print(len(done["games"]), summary(done["games"]), flush=True)


if __name__ == "__main__":
    main()
