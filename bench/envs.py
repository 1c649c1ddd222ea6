"""Training environments against others, in one run: steps per CPU second.

    python bench/envs.py [--seconds 1] [--best-of 5] [--peers FOLDER]

Random legal play on one thread, mask and observation included. pgx and jax are installed into a
virtual environment in FOLDER, which is kept, or in a temporary one; `--peers none` leaves them out.
They measure themselves after compilation.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
import warnings
from pathlib import Path

import numpy as np

import parlour
import parlour.envs

COUNT = 256
RNG = np.random.default_rng(1)

PGX = """
import json, sys, time
import jax, jax.numpy as jnp, pgx
from pgx.experimental import auto_reset

seconds, times, count, moves = float(sys.argv[1]), int(sys.argv[2]), 1024, 64
env = pgx.make("othello")
step = auto_reset(env.step, env.init)

@jax.jit
def play(state, key):
    def once(carry, _):
        state, key = carry
        key, draw, again = jax.random.split(key, 3)
        odds = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(draw, odds, axis=-1)
        state = jax.vmap(step)(state, action, jax.random.split(again, count))
        return (state, key), state.observation.sum() + state.legal_action_mask.sum()
    (state, key), seen = jax.lax.scan(once, (state, key), None, length=moves)
    return state, key, seen.sum()

key = jax.random.PRNGKey(1)
state = jax.jit(jax.vmap(env.init))(jax.random.split(key, count))
state, key, seen = play(state, key)
jax.block_until_ready(seen)
best = 0.0
for _ in range(times):
    made, before = 0, time.process_time()
    while (spent := time.process_time() - before) < seconds:
        state, key, seen = play(state, key)
        jax.block_until_ready(seen)
        made += count * moves
    best = max(best, made / spent)
print(json.dumps(best))
"""


def best_rates(plays, seconds, times):
    """Return the steps per CPU second of each play's best round; a play returns its steps.

    They take turns, so that a slow phase of the machine affects all of them.
    """
    for play in plays:
        play()
    best = [0.0] * len(plays)
    for _ in range(times):
        for number, play in enumerate(plays):
            made, before = 0, time.process_time()
            while (spent := time.process_time() - before) < seconds:
                made += play()
            best[number] = max(best[number], made / spent)
    return best


def batch(name, count=COUNT):
    """Return a play of many games in a batch."""
    games = parlour.Batch(name, count, 1)

    def play():
        for _ in range(8):
            games.step(games.sample())
        return 8 * count

    return play


def vector(name, **settings):
    """Return a play of many games in a Gymnasium vector environment."""
    env = parlour.envs.vector(name, COUNT, **settings)
    env.reset(seed=1)

    def play():
        for _ in range(4):
            env.step(env.sample())
        return 4 * COUNT

    return play


def by_space(env, mask):
    """Sample a legal action the way PettingZoo's documentation does."""
    return int(env.action_space(env.agent_selection).sample(mask))


def by_bools(env, mask):
    """Sample a legal action the fastest way: numpy scans bools several times faster."""
    return int(RNG.choice(np.flatnonzero(mask.view(np.bool_))))


def turns(env, choose=by_space):
    """Return a play of one PettingZoo environment: observe, choose, step."""
    env.reset(seed=1)

    def play():
        made = 0
        while made < 50:
            seen, _, over, cut, _ = env.last()
            if over or cut:
                # Other agents may still be playing.
                env.step(None)
                if not env.agents:
                    env.reset()
                continue
            env.step(choose(env, seen["action_mask"]))
            made += 1
        return made

    return play


def openspiel(name):
    """Return a play of OpenSpiel's learning environment."""
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(name)
    env.seed(1)
    rng = np.random.default_rng(1)

    def play():
        made, step = 0, env.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([rng.choice(step.observations["legal_actions"][player])])
            made += 1
        return made

    return play


def blokus_rl(choose=by_space):
    from blokus_rl import BlokusEnv

    return turns(BlokusEnv(), choose)


def connect_four():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3

        return turns(connect_four_v3.env())


def pgx_othello(folder, seconds, times):
    """Return the steps per CPU second of pgx, in its own virtual environment."""
    python = Path(folder) / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "pgx"], check=True)
    one_thread = {
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        "JAX_PLATFORMS": "cpu",
        "PYTHONPATH": "",
    }
    done = subprocess.run(
        [python, "-c", PGX, str(seconds), str(times)],
        env={**os.environ, **one_thread},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return float(json.loads(done.stdout.splitlines()[-1]))


def import_seconds():
    """Return the CPU seconds that `parlour.envs` adds to importing parlour, Gymnasium and numpy."""
    code = (
        "import time, parlour, gymnasium, numpy, gymnasium.vector; t = time.process_time();"
        "import parlour.envs; print(time.process_time() - t)"
    )
    run = [sys.executable, "-c", code]
    return min(
        float(subprocess.run(run, stdout=subprocess.PIPE, check=True).stdout) for _ in range(5)
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--best-of", type=int, default=5)
    parser.add_argument("--peers", default="", help="a folder for pgx, or 'none'")
    given = parser.parse_args()

    def rates(*plays):
        return best_rates(plays, given.seconds, given.best_of)

    def row(what, ours, peer, theirs, target):
        ratio = f"{ours / theirs:.2f}x"
        print(f"{what:34} {ours:>12,.0f}  {peer:28} {theirs:>10,.0f} {ratio:>8}  {target}")

    print(parlour.build_info())
    print(f"{'steps per CPU second':34} {'ours':>12}  {'':28} {'theirs':>10} {'ratio':>8}  target")
    ours, theirs = rates(batch("banqi"), openspiel("banqi"))
    row("Banqi, Batch", ours, "OpenSpiel rl_environment", theirs, ">= 15x")
    # A game of Blokus takes 45 kB with its mask, so 16 of them fit into a core's cache.
    plays = batch("blokus"), batch("blokus", 16), turns(parlour.envs.aec("blokus"))
    ours, few, in_turn, theirs, quickest = rates(*plays, blokus_rl(), blokus_rl(by_bools))
    row("Blokus, Batch", ours, "blokus-rl AEC", theirs, ">= 10x")
    row("Blokus, Batch of 16", few, "blokus-rl AEC", theirs, "")
    row("Blokus, Batch", ours, "blokus-rl AEC, chosen by bools", quickest, "")
    row("Blokus, aec", in_turn, "blokus-rl AEC", theirs, "")
    (octa,) = rates(batch("octa"))
    if given.peers != "none":
        with tempfile.TemporaryDirectory() as folder:
            theirs = pgx_othello(given.peers or folder, given.seconds, given.best_of)
        row("Octa, Batch", octa, "pgx othello, 1024 at once", theirs, ">= 1x")
    names = ("octa", "banqi", "blokus")
    *ours, theirs = rates(*[turns(parlour.envs.aec(name)) for name in names], connect_four())
    for name, figure in zip(names, ours, strict=True):
        target = ">= 0.33x" if name == "blokus" else ""
        row(f"{name}, aec", figure, "PettingZoo connect_four", theirs, target)
    print()
    print(f"{'octa, Batch':34} {octa:>12,.0f}")
    for name in names:
        copied, live = rates(vector(name), vector(name, copy=False))
        print(f"{name + ', vector':34} {copied:>12,.0f}")
        print(f"{name + ', vector copy=False':34} {live:>12,.0f}")
    print(f"import of parlour.envs beyond its libraries: {import_seconds():.3f} s (target < 0.3 s)")


if __name__ == "__main__":
    main()
