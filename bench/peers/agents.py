"""Search agents against OpenSpiel's C++ `MCTSBot`, in one run and per CPU second.

    python bench/peers/agents.py

Both search Banqi with UCT and random rollouts, from the start and from the same position in the
middle of a game.
"""

import time

import pyspiel

import parlour

PEER = "OpenSpiel"

ROUNDS = 5
OURS, THEIRS = 4000, 600
MIDDLE = 60


def positions():
    """Yield the start and a position after some random actions, for both programs."""
    state = parlour.game("banqi", rules="taiwan").start()
    peer = pyspiel.load_game("banqi").new_initial_state()
    yield "start", state, peer.clone()
    rng, count = parlour.Rng(5), 0
    while count < MIDDLE or state.actor == parlour.CHANCE:
        action = state.sample(rng)
        state = state.apply(action)
        peer.apply_action(action)
        count += 1
    yield "middle", state, peer


def rate(work, call):
    """Return the units of work per CPU second, best of several rounds."""
    best = 0.0
    for seed in range(ROUNDS):
        before = time.process_time()
        call(seed)
        best = max(best, work / (time.process_time() - before))
    return best


def rows():
    found = []
    for name, state, peer in positions():

        def ours(seed, state=state):
            parlour.agent("mcts", sims=OURS, seed=seed).choose(state)

        def theirs(seed, peer=peer):
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            bot = pyspiel.MCTSBot(peer.get_game(), evaluator, 2.0, THEIRS, 1000, True, seed, False)
            bot.step(peer)

        what = f"Banqi, mcts simulations from the {name}"
        found.append((what, rate(OURS, ours), rate(THEIRS, theirs), "sims/s"))
    return found


def main():
    for what, ours, theirs, unit in rows():
        print(f"{what:45} {ours:10,.0f} {theirs:10,.0f} {unit} {ours / theirs:6.1f} times")


if __name__ == "__main__":
    main()
