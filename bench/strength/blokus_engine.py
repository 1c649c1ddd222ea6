r"""One agent against a third-party engine in all other seats, at equal CPU time.

    python bench/strength/blokus_engine.py 'gtp:pentobi-gtp --nobook --noresign --level 5' \
        --agent best:time=0.03 --variant classic --games 200

The agent's clock is its CPU time, so other programs on the machine do not slow it down. The times
per move of the engine and the agent are printed next to the score: they should be similar. The
default agent is `best` with the engine's time in one game. The agent takes each seat equally often.
"""

import argparse
import math
import resource
import time

import parlour


def play(game, text, engine, seat, seed):
    """Play a game; return the scores, and the CPU seconds and moves of agent and engine."""
    ours = parlour.agent(text, seed=seed)
    ours.now = time.process_time
    seats = [ours if k == seat else parlour.agent(engine) for k in range(game.seats)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    state = game.start()
    for k, player in enumerate(seats):
        player.begin(state, k)
    taken, moves = [0.0, 0.0], [0, 0]
    while state.actor != parlour.OVER:
        mover = int(state.actor)
        begun = time.process_time()
        action = seats[mover].choose(state)
        if mover == seat:
            taken[0] += time.process_time() - begun
        moves[mover != seat] += 1
        state = state.play(action)
        for player in seats:
            player.watch(action, state)
    for player in seats:
        player.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken[1] = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return state.result().scores, taken, moves


def mean(numbers):
    """Return the mean and the half-width of its 95 % confidence interval."""
    centre = sum(numbers) / len(numbers)
    spread = sum((number - centre) ** 2 for number in numbers) / max(1, len(numbers) - 1)
    return centre, 1.96 * math.sqrt(spread / len(numbers))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("engine", help="such as 'gtp:COMMAND'")
    parser.add_argument("--agent", help="`best` with the engine's time, unless given")
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    game = parlour.game("blokus", variant=chosen.variant)
    text = chosen.agent
    if text is None:
        _, taken, moves = play(game, "greedy", chosen.engine, 0, 0)
        text = f"best:time={taken[1] / moves[1]:.3f}"
    firsts, places, leads, took, made = [], [], [], [0.0, 0.0], [0, 0]
    for number in range(chosen.games):
        seat = number % game.seats
        scores, taken, moves = play(game, text, chosen.engine, seat, chosen.seed * 10**6 + number)
        own, others = scores[seat], scores[:seat] + scores[seat + 1 :]
        better = sum(score > own for score in others)
        equal = sum(score == own for score in others)
        firsts.append(0.0 if better else 1.0 / (1 + equal))
        places.append(1.0 + better + equal / 2)
        leads.append(own - sum(others) / len(others))
        took = [sum(pair) for pair in zip(took, taken, strict=True)]
        made = [sum(pair) for pair in zip(made, moves, strict=True)]
        if (number + 1) % 20 == 0 or number + 1 == chosen.games:
            first, place, lead = mean(firsts), mean(places), mean(leads)
            print(
                f"{text} after {number + 1} games: first {first[0]:.1%} ± {first[1]:.1%},"
                f" place {place[0]:.2f} ± {place[1]:.2f}, score {lead[0]:+.1f} ± {lead[1]:.1f};"
                f" ms a move {1000 * took[0] / made[0]:.0f}, engine {1000 * took[1] / made[1]:.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
