"""Fit what Octa tells its agents: the weights of `evaluate`.

    python bench/strength/fit_octa.py --seconds 240

Plays games, stops in some of their positions, and prints by least squares how much of what
a search by playouts thinks of them goes with what can be counted, for each quarter of the game:
the lead as a share of the owned cells, then with it the cells that a player's chains reach
more than the other's. The error of a weight is in brackets.
"""

import argparse
import random
import time

from least_squares import report

import parlour

GAME = parlour.game("octa")
QUARTERS = 4


def counted(state):
    """Lead and reach, as the player to move sees them."""
    me, other = state.mover, 3 - state.mover
    own, theirs = (state.counts()[player - 1] for player in (me, other))
    return (own - theirs) / (own + theirs), state.reach(me) - state.reach(other)


def opinion(state, sims, seed):
    """The mean of what the simulations of a search gave the player to move."""
    choices = parlour.agent("mcts", sims=sims, seed=seed).analyse(state).choices
    return sum(c.value * c.visits for c in choices) / sum(c.visits for c in choices)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--sims", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    rows = [[] for _ in range(QUARTERS)]
    opinions = [[] for _ in range(QUARTERS)]
    end = time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        state = GAME.start(chance.randrange(2**32))
        players = [parlour.agent("mcts", sims=150, seed=chance.randrange(2**32)) for _ in range(2)]
        stops = set(chance.sample(range(state.limit), 8))
        while state.actor != parlour.OVER:
            if state.turns in stops:
                quarter = state.turns * QUARTERS // state.limit
                rows[quarter].append(counted(state))
                opinions[quarter].append([opinion(state, chosen.sims, state.turns)])
            state = state.apply(players[state.actor].choose(state))
    for quarter in range(QUARTERS):
        if rows[quarter]:
            title = f"quarter {quarter + 1}"
            report(title, [row[:1] for row in rows[quarter]], opinions[quarter], ("lead",))
            report(title, rows[quarter], opinions[quarter], ("lead", "reach"))


if __name__ == "__main__":
    main()
