"""Fit the weights of Blokus' `evaluate`.

    python bench/strength/fit_blokus.py --seconds 240

Samples positions from games, rolls out placements of each at random, and prints a least-squares fit
of the results by plies. The standard error of each weight is in brackets.
"""

import argparse
import random
import time

import numpy as np
from least_squares import report

import parlour
from parlour import Rng

GAME = parlour.game("blokus")
POSITION = ("lead", "root of reach")
PLIES = ((0, 12), (12, 24), (24, 40), (40, 90))


def of_position(state):
    """Return the features of each seat relative to the mean of the others."""
    rows = [(state.score(colour), state.reach(colour) ** 0.5) for colour in range(4)]
    values = np.array(rows, float)
    return (values * 4 - values.sum(0)) / 3


def played_out(state, games, rng):
    """Return the mean result of each seat over rollouts."""
    totals, known = np.zeros(4), parlour.heuristics(state.game)
    for _ in range(games):
        position = state.scratch()
        while position.actor != parlour.OVER:
            position = position.advance(known.rollout_policy(position, rng))
        totals += list(known.evaluate_seats(position))
    return totals / games


def sample(state, chance, rng):
    """Sample positions after some placements, most of them large, with their results."""
    legal = list(state.legal_actions())
    largest = max(len(state.rules.tables.squares(action)) for action in legal)
    large = [a for a in legal if len(state.rules.tables.squares(a)) == largest]
    chosen = set(chance.sample(large, min(22, len(large))))
    chosen |= set(chance.sample(legal, min(12, len(legal))))
    for action in sorted(chosen):
        after = state.apply(action)
        yield after, played_out(after, 16, rng)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance, rng = random.Random(chosen.seed), Rng(chosen.seed)
    positions = {phase: ([], []) for phase in PLIES}
    end = time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        state, ply = GAME.start(), 0
        text = f"{parlour.heuristics(GAME).best_agent},sims=100"
        players = [parlour.agent(text, seed=chance.randrange(2**32)) for _ in range(4)]
        stops = set(chance.sample(range(64), 12))
        while state.actor != parlour.OVER and time.monotonic() < end:
            if ply in stops:
                for after, result in sample(state, chance, rng):
                    for lo, hi in PLIES:
                        if lo <= ply < hi and after.actor != parlour.OVER:
                            positions[lo, hi][0].append(of_position(after))
                            positions[lo, hi][1].append(result)
            state = state.apply(players[state.actor].choose(state))
            ply += 1
    for (lo, hi), (rows, results) in positions.items():
        if rows:
            report(f"plies {lo} to {hi - 1}", rows, results, POSITION)


if __name__ == "__main__":
    main()
