"""Fit the weights of Octa's evaluation in `games/octa/evaluation.json`.

    python bench/strength/fit_octa.py --games 2000 --nodes 1500 --write

Plays games of `search` against itself, with a few random actions for variety. Fits the weights so
that
the evaluation of a position predicts the result of its game: the least squared error of tanh, by
Gauss-Newton. Every eighth game is held out. For each quarter of a game it prints the error on those
games and the error of a constant prediction. Weights belong to the middles of the quarters and are
interpolated between them, as in `parlour.games.octa.evaluation`.
"""

import argparse
import json
import random
from importlib.resources import files

import numpy as np

import parlour
from parlour.core.grid import CLOCKWISE, neighbour_table
from parlour.games.octa.evaluation import NAMES

GAME = parlour.game("octa")
SIDE = 2 * GAME.size + 1
QUARTERS = 4
RIDGE = 1e-3
# The typical size of each feature, which makes the ridge penalty uniform.
SCALE = np.array([5, 5, 5, 5, 5, 5, 1])
LINKS = np.array(list(neighbour_table(SIDE, SIDE, CLOCKWISE))).reshape(-1, 8)


def counted(state):
    """Return the features in the order of NAMES, from player 1's point of view."""
    cells = np.frombuffer(state.key()[: SIDE * SIDE], dtype=np.uint8).astype(np.int64)
    owner, arrow = cells & 3, cells >> 2
    target = LINKS[np.arange(len(cells)), (arrow + 1) & 7]
    pairs = np.bincount(owner * 4 + np.where(target < 0, 3, owner[target]), minlength=16)
    differences = ((1, 2), (4, 8), (5, 10), (6, 9), (7, 11))
    return [
        state.reach(1) - state.reach(2),
        *(int(pairs[ours]) - int(pairs[theirs]) for ours, theirs in differences),
        1 if state.mover == 2 else -1,
    ]


def played(chance, nodes):
    """Play a game; return the features and turns of its positions, and player 1's result."""
    state = GAME.start(chance.randrange(2**32))
    player = parlour.agent("search", nodes=nodes)
    random_until = chance.choice((0, 2, 4, 6, 8, 12))
    rows, turns = [], []
    while state.actor != parlour.OVER:
        if state.turns < random_until or chance.random() < 0.03:
            state = state.apply(chance.choice(list(state.legal_actions())))
            continue
        rows.append(counted(state))
        turns.append(state.turns)
        state = state.apply(player.choose(state))
    return rows, turns, state.result().returns[0]


def design(rows, turns):
    """Return the design matrix: features interpolated between the two nearest quarters."""
    place = np.clip(turns * QUARTERS / GAME.limit - 0.5, 0, QUARTERS - 1)
    before = np.minimum(place.astype(int), QUARTERS - 2)
    share = (place - before)[:, None]
    spread = np.zeros((len(rows), QUARTERS, len(NAMES)))
    at = np.arange(len(rows))
    spread[at, before] = rows / SCALE * (1 - share)
    spread[at, before + 1] += rows / SCALE * share
    return spread.reshape(len(rows), -1)


def fitted(x, y, rounds=30):
    """Return the weights with the least squared error of tanh(x @ weights)."""
    weights = np.zeros(x.shape[1])
    for _ in range(rounds):
        guess = np.tanh(x @ weights)
        slope = x * (1 - guess**2)[:, None]
        normal = slope.T @ slope / len(y) + RIDGE * np.eye(len(weights))
        step = slope.T @ (y - guess) / len(y) - RIDGE * weights
        weights += 0.7 * np.linalg.solve(normal, step)
    return weights


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--write", action="store_true", help="write the weights into the installed package"
    )
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    games = [played(chance, chosen.nodes) for _ in range(chosen.games)]
    rows = np.array([row for game in games for row in game[0]], dtype=float)
    turns = np.array([turn for game in games for turn in game[1]])
    results = np.array([game[2] for game in games for _ in game[0]])
    held = np.array([number % 8 == 0 for number, game in enumerate(games) for _ in game[0]])
    x = design(rows, turns)
    weights = fitted(x[~held], results[~held])
    for quarter in range(QUARTERS):
        mine = held & (turns * QUARTERS // GAME.limit == quarter)
        error = np.mean((np.tanh(x[mine] @ weights) - results[mine]) ** 2)
        nothing = np.mean(results[mine] ** 2)
        print(f"quarter {quarter + 1}: {mine.sum()} positions, error {error:.3f} of {nothing:.3f}")
    by_quarter = (weights.reshape(QUARTERS, -1) / SCALE).round(4).tolist()
    text = json.dumps([dict(zip(NAMES, row, strict=True)) for row in by_quarter], indent=1) + "\n"
    print(text)
    if chosen.write:
        files("parlour.games.octa").joinpath("evaluation.json").write_text(text)


if __name__ == "__main__":
    main()
