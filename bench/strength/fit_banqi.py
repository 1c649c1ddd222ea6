"""Fit the weights of Banqi's evaluation to the results of self-play.

    python bench/strength/fit_banqi.py --games 1500 --nodes 500

Quiet positions are taken from the games, and the weights are fitted to the results: Gauss-Newton
with
numerical gradients, regularised towards the initial weights because games are few. Prints
`weights.json`.
"""

import argparse
import json

import numpy as np

import parlour

OPTIONS = {"rules": "taiwan", "quiet_limit": 60, "repetition": True}
FIXED = ("base",)
CURVED = ("victim", "fear", "floor", "cannon")
SHOWN = 3
"""The number of revealed pieces from which a position counts."""


def play(game, agent, seed, every):
    """Play one game; return its positions and red's return."""
    rng = parlour.Rng(seed)
    state = game.start()
    taken = []
    agent.begin(state, 0)
    while state.actor != parlour.OVER:
        if state.actor == parlour.CHANCE:
            state = state.apply(state.sample(rng))
            continue
        is_quiet = len(parlour.heuristics(game).quiescence_actions(state)) == 0
        if rng.below(every) == 0 and is_quiet and sum(state.hidden()) <= 32 - SHOWN:
            taken.append(game.state_to_text(state))
        state = state.apply(agent.choose(state))
    sign = 1.0 if state.seat_0 == 0 else -1.0
    return taken, sign * state.result().returns[0]


def values(texts, weights):
    """Return red's evaluation of every position."""
    game = parlour.game("banqi", **OPTIONS)
    known = parlour.heuristics(game).weighted(weights)
    found = []
    for text in texts:
        state = game.state_from_text(text)
        found.append(known.evaluate(state, state.seat_0))
    return np.array(found)


def fit(texts, results, weights, ridge, rounds):
    """Fit the weights to the results."""
    names = [name for name in weights if name not in FIXED]
    first = dict(weights)
    # Nonlinear weights, and the difference between the first and the last weight of a pair, are
    # regularised more.
    careful = [f"{name}_end" in names or name in CURVED for name in names]
    care = np.array([ridge * (30.0 if is_so else 1.0) for is_so in careful])
    gone = np.zeros(len(names))
    for _ in range(rounds):
        now = values(texts, weights)
        error = np.mean((results - now) ** 2)
        slopes = []
        for name in names:
            tried = stepped(weights, {name: 0.02 * scale(name, first)})
            slopes.append((values(texts, tried) - now) / 0.02)
        matrix = np.array(slopes).T
        normal = matrix.T @ matrix
        back = care * np.diag(normal) + 1e-9
        moved = np.linalg.solve(normal + np.diag(back), matrix.T @ (results - now) - back * gone)
        part = 1.0
        while part > 0.01:
            steps = zip(names, moved, strict=True)
            tried = stepped(weights, {n: part * float(m) * scale(n, first) for n, m in steps})
            reached = np.mean((results - values(texts, tried)) ** 2)
            if reached < error:
                weights = tried
                gone += part * moved
                break
            part /= 2
        print(f"mean square error {error:.5f}, then {reached:.5f} with {part:g} of the step")
        print(json.dumps({name: round(value, 4) for name, value in weights.items()}), flush=True)
    return weights


def stepped(weights, steps):
    """Return the weights after these steps; a last weight moves the first of its pair."""
    found = dict(weights)
    for name, step in steps.items():
        found[name] += step
        if name.endswith("_end"):
            found[name.removesuffix("_end")] += step
    return found


def scale(name, first):
    """Return the size of a large change of a weight."""
    if name in CURVED:
        return max(abs(first[name]), 0.1)
    return 0.01 if name.startswith(("tempo", "hunt")) else 0.1


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--every", type=int, default=4, help="sample every Nth position")
    parser.add_argument("--ridge", type=float, default=0.1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", help="a file for the positions, reused if it exists")
    chosen = parser.parse_args()
    game = parlour.game("banqi", **OPTIONS)
    try:
        with open(chosen.keep or "") as file:
            texts, results = json.load(file)
    except FileNotFoundError:
        texts, results = [], []
        for seed in range(chosen.games):
            agent = parlour.agent("search", nodes=chosen.nodes, seed=seed)
            taken, result = play(game, agent, seed, chosen.every)
            texts += taken
            results += [result] * len(taken)
        if chosen.keep:
            with open(chosen.keep, "w") as file:
                json.dump([texts, results], file)
    print(f"{len(texts)} positions; drawn: {np.mean(np.array(results) == 0):.2f}")
    weights = fit(
        texts,
        np.array(results),
        dict(parlour.heuristics(game).weights),
        chosen.ridge,
        chosen.rounds,
    )
    print(json.dumps({name: round(value, 4) for name, value in weights.items()}, indent=1))


if __name__ == "__main__":
    main()
