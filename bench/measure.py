"""Measure the build of parlour that is on the path; print the figures as JSON.

`run.py` calls it once for each build. Figures are CPU seconds, best of several rounds.
"""

import json
import pickle
import statistics
import sys
import time

import parlour
from parlour.games import cat_mouse

ROUNDS = 5


def seconds(call, rounds=ROUNDS):
    """Return the CPU seconds of the best round."""
    best = float("inf")
    for _ in range(rounds):
        before = time.process_time()
        call()
        best = min(best, time.process_time() - before)
    return best


def seconds_of(count, call, rounds=ROUNDS):
    """Return the CPU seconds of `count` calls."""

    def loop():
        for _ in range(count):
            call()

    return seconds(loop, rounds)


def microseconds(call, least=0.02):
    """Return the CPU microseconds of one call, from rounds that are long enough to measure."""
    count = 1
    while seconds_of(count, call, 1) < least:
        count *= 4
    return seconds_of(count, call) / count * 1e6


def random_play(name, games):
    state = parlour.game(name).start(1)
    figures = parlour.playouts(state, games, 3)
    best = seconds(lambda: parlour.playouts(state, games, 3))
    return {"plies": figures.plies / best, "games": games / best, "returns": figures.returns[0]}


def calls(name):
    state = parlour.game(name).start(1)
    action = state.legal_actions()[0]
    return {
        "legal_actions": microseconds(state.legal_actions),
        "apply": microseconds(lambda: state.apply(action)),
        "play": microseconds(lambda: state.play(action)),
        "hash": microseconds(lambda: hash(state)),
        "pickle": microseconds(lambda: pickle.loads(pickle.dumps(state))),
        "scene, mean of a game": scenes(name),
    }


def scenes(name):
    """Return the microseconds of a scene for the seat to act, averaged over a random game."""
    state, rng, total, count = parlour.game(name).start(1), parlour.Rng(1), 0.0, 0
    while state.actor != parlour.OVER:
        if state.actor >= 0:
            seat = state.actor
            total += seconds(lambda s=state, seat=seat: s.scene(seat), 3)
            count += 1
        state = state.apply(state.sample(rng))
    return total / count * 1e6


def agents(name, compiled):
    """Return the simulations per second of mcts, and the nodes per second of search."""
    game = parlour.game(name)
    state = game.start(1)
    sims = 2000 if compiled else 20
    figures = {"mcts sims": sims / seconds(lambda: parlour.agent("mcts", sims=sims).choose(state))}
    if game.seats == 2:
        rng = parlour.Rng(1)
        for _ in range(40):
            state = state.apply(state.sample(rng))
        if state.actor == parlour.CHANCE:
            state = state.apply(state.sample(rng))
        nodes = 50_000 if compiled else 500
        found = parlour.agent("search", nodes=nodes).analyse(state).work
        best = seconds(lambda: parlour.agent("search", nodes=nodes).choose(state))
        figures["search nodes"] = found / best
    return figures


def medians(seeds):
    """Return the median milliseconds of `create_game` and `solve` over many seeds."""
    starts = [cat_mouse.create_game(seed) for seed in range(seeds)]
    create = [seconds(lambda s=s: cat_mouse.create_game(s), 3) for s in range(seeds)]
    solve = [seconds(lambda s=s: cat_mouse.solve(s), 3) for s in starts]
    return {"create_game": statistics.median(create) * 1e3, "solve": statistics.median(solve) * 1e3}


def rates():
    """Return the rates that must not regress, by name, for `compare.py`."""
    found = {}
    for name in parlour.game_names():
        games = 200 if name == "cat_mouse" else 4000
        found[f"{name}: random plies"] = random_play(name, games)["plies"]
        for what, rate in agents(name, True).items():
            found[f"{name}: {what}"] = rate
    return found


def main():
    compiled = parlour.build_info().compiled
    if sys.argv[1:] == ["--rates"]:
        print(json.dumps({"compiled": compiled, **rates()}))
        return
    games = dict.fromkeys(parlour.game_names(), 4000 if compiled else 25)
    games["cat_mouse"] = 200 if compiled else 4
    print(
        json.dumps(
            {
                "compiled": compiled,
                "random": {name: random_play(name, count) for name, count in games.items()},
                "calls": {name: calls(name) for name in parlour.game_names()},
                "agents": {name: agents(name, compiled) for name in parlour.game_names()},
                "medians": medians(200 if compiled else 20),
            }
        )
    )


if __name__ == "__main__":
    sys.exit(main())
