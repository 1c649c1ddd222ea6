"""Banqi: an agent against OpenSpiel's C++ MCTSBot at equal time per move, in pairs.

    python bench/strength/banqi_open_spiel.py best:time=0.1 --seconds 0.1 --games 100

Both games of a pair have the same deal, and the agent takes each seat once. OpenSpiel's bot
searches
with random rollouts and UCT. The score of each game is written to the results file, from which an
interrupted run resumes.
"""

import argparse
import json
import math
from pathlib import Path

import pyspiel

import parlour

SET_SIZES = (1, 2, 2, 2, 2, 2, 5)
RESULTS = Path(__file__).parents[1] / "results"


def deal(seed):
    """Return the deal of one pair."""
    pieces = [piece for piece in range(14) for _ in range(SET_SIZES[piece % 7])]
    rng = parlour.Rng(seed)
    for last in range(31, 0, -1):
        other = rng.below(last + 1)
        pieces[last], pieces[other] = pieces[other], pieces[last]
    return pieces


def play(text, seconds, number):
    """Play game `number`; return the agent's return, the reason of the end, and its actions."""
    peer_game = pyspiel.load_game("banqi")
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    policy = pyspiel.ChildSelectionPolicy.UCT
    bot = pyspiel.MCTSBot(
        peer_game, evaluator, 2.0, 10**8, 1000, True, number, False, policy, seconds
    )
    agent = parlour.agent(text, seed=number)
    seat = number % 2
    hidden = deal(number // 2)
    state, peer, actions = (
        parlour.game("banqi", rules="taiwan").start(),
        peer_game.new_initial_state(),
        [],
    )
    while state.actor != parlour.OVER:
        if state.actor == parlour.CHANCE:
            action = hidden[state.flipping]
        elif state.actor == seat:
            action = agent.choose(state)
        else:
            action = bot.step(peer)
        actions.append(action)
        state = state.play(action)
        peer.apply_action(action)
    result = state.result()
    return result.returns[seat], result.reason, parlour.Record(state.game, 0, actions)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agent")
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--name", default="banqi_open_spiel")
    chosen = parser.parse_args()
    path = RESULTS / f"{chosen.name}.json"
    done = json.loads(path.read_text()) if path.exists() else {"agent": chosen.agent, "games": []}
    for number in range(len(done["games"]), chosen.games):
        value, reason, record = play(chosen.agent, chosen.seconds, number)
        done["games"].append([value, reason, len(record.actions)])
        path.write_text(json.dumps(done, separators=(",", ":")) + "\n")
        print(number + 1, summary(done["games"]), flush=True)
    print(summary(done["games"]))


def summary(games):
    """Return the score with a 95 % confidence interval over pairs."""
    scores = [(value + 1) / 2 for value, _, _ in games]
    pairs = [sum(pair) / len(pair) for pair in zip(scores[::2], scores[1::2], strict=False)]
    mean = sum(scores) / len(scores)
    spread = 1.96 * math.sqrt(sum((pair - mean) ** 2 for pair in pairs)) / max(1, len(pairs))
    return f"score {mean:.1%} ± {spread:.1%} of {len(games)} games"


if __name__ == "__main__":
    main()
