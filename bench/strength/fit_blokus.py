"""Fit what Blokus tells its agents: the weights of `advice.promise` and of `evaluate`.

    python bench/strength/fit_blokus.py --seconds 240

Plays games, stops in some of their positions, plays placements of each out at random, and
prints by least squares what goes with a better result: first for placements of the same
position, by how many pieces their colour has laid; then for whole positions, by plies.
The error of a weight is in brackets.
"""

import argparse
import random
import time

import numpy as np
from least_squares import report

import parlour
from parlour import Rng
from parlour.games.blokus.evaluation import corners_taken, room, way_to_centre

GAME = parlour.game("blokus")
PLACEMENT = ("cells", "opened", "taken", "lost", "centre")
POSITION = ("lead", "root of reach")
PHASES = ((0, 3), (3, 6), (6, 10), (10, 14), (14, 21))
PLIES = ((0, 12), (12, 24), (24, 40), (40, 90))


def of_placement(state, action):
    """The features that `promise` weighs."""
    table, colour = state.rules.tables, state.mover
    code = table.codes[action]
    cells = len(table.squares(action))
    opened, lost = room(table, state._board, colour, code)
    taken = corners_taken(table, state._board, colour, code, cells)
    return cells, opened, taken, lost, way_to_centre(table, code, cells)


def of_position(state):
    """For each seat the features that `evaluate` weighs, against the mean of the others."""
    rows = [(state.score(colour), state.reach(colour) ** 0.5) for colour in range(4)]
    values = np.array(rows, float)
    return (values * 4 - values.sum(0)) / 3


def played_out(state, games, rng):
    """The mean result of each seat."""
    totals = np.zeros(4)
    for _ in range(games):
        position = state.scratch()
        while position.actor != parlour.OVER:
            position = position.advance(position.rollout_action(rng))
        totals += [position.evaluate(seat) for seat in range(4)]
    return totals / games


def sample(state, chance, rng):
    """Placements of a position, most of them large, with features and results."""
    legal = list(state.legal_actions())
    largest = max(len(state.rules.tables.squares(action)) for action in legal)
    large = [a for a in legal if len(state.rules.tables.squares(a)) == largest]
    chosen = set(chance.sample(large, min(22, len(large))))
    chosen |= set(chance.sample(legal, min(12, len(legal))))
    for action in sorted(chosen):
        after = state.apply(action)
        yield of_placement(state, action), after, played_out(after, 16, rng)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance, rng = random.Random(chosen.seed), Rng(chosen.seed)
    placements = {phase: ([], []) for phase in PHASES}
    positions = {phase: ([], []) for phase in PLIES}
    end = time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        state, ply = GAME.start(), 0
        text = f"{GAME.BEST},sims=100"
        players = [parlour.agent(text, seed=chance.randrange(2**32)) for _ in range(4)]
        stops = set(chance.sample(range(64), 12))
        while state.actor != parlour.OVER and time.monotonic() < end:
            if ply in stops:
                laid = state.pieces_laid(state.mover)
                seat = state.actor
                features, results = [], []
                for feature, after, result in sample(state, chance, rng):
                    features.append(feature)
                    results.append(result[seat])
                    for lo, hi in PLIES:
                        if lo <= ply < hi and after.actor != parlour.OVER:
                            positions[lo, hi][0].append(of_position(after))
                            positions[lo, hi][1].append(result)
                for lo, hi in PHASES:
                    if lo <= laid < hi:
                        table = np.array(features, float)
                        placements[lo, hi][0].append(table - table.mean(0))
                        placements[lo, hi][1].append(np.array(results) - np.mean(results))
            state = state.apply(players[state.actor].choose(state))
            ply += 1
    for title, tables, names in (
        ("pieces laid", placements, PLACEMENT),
        ("plies", positions, POSITION),
    ):
        for (lo, hi), (rows, results) in tables.items():
            if rows:
                report(f"{title} {lo} to {hi - 1}", rows, results, names)


if __name__ == "__main__":
    main()
