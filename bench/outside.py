"""Speed of games that are not part of Parlour, beside OpenSpiel's, per CPU second, best of five.

    python bench/outside.py [--write] [--tree]

Connect Four is measured as the tutorial writes it, and built by the recipe of docs/outside.md;
with `--tree` also in a copy of Parlour that has the same source among its games, which takes
minutes to compile. `--write` puts the figures into docs/speed.md.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "outside"))

import recipe  # noqa: E402

PAGE = ROOT / "docs" / "speed.md"
MARK = "<!-- Written by bench/outside.py --write -->\n"

MEASURE = """
import json, sys, time
import parlour
from parlour.core.game import State
from {module} import {game}

start = {game}().start()


def one_call(games):
    return parlour.playouts(start, games, 3).plies


def many_calls(games):
    rng = parlour.Rng(3)
    return sum(State.playout(start, rng, 42)[1] for _ in range(games))


def steps(games):
    batch = parlour.Batch(start.game, 64, 3)
    for _ in range(games):
        batch.step(batch.sample())
    return 64 * games


def simulations(games):
    parlour.agent("mcts", sims=games, seed=3).choose(start)
    return games


def rate(call, games):
    best = 0.0
    for _ in range(5):
        before = time.process_time()
        plies = call(games)
        best = max(best, plies / (time.process_time() - before))
    return best


calls = {{"plies": one_call, "calls": many_calls, "steps": steps, "simulations": simulations}}
counts = {{"plies": {games}, "calls": {games} // 10, "steps": 100, "simulations": {games}}}
print(json.dumps({{name: rate(call, counts[name]) for name, call in calls.items()}}))
"""

OPENSPIEL = """
import json, random, time
import pyspiel
from open_spiel.python.games import tic_tac_toe

four = pyspiel.load_game("connect_four")
bots = [pyspiel.make_uniform_random_bot(player, 3 + player) for player in range(2)]


def one_call(games):
    states = [four.new_initial_state() for _ in range(games)]
    for number, state in enumerate(states):
        pyspiel.evaluate_bots(state, bots, number)
    return sum(len(state.history()) for state in states)


def in_python(games):
    game, made = pyspiel.load_game("python_tic_tac_toe"), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
            made += 1
    return made


def rate(call, games):
    best = 0.0
    for _ in range(5):
        before = time.process_time()
        plies = call(games)
        best = max(best, plies / (time.process_time() - before))
    return best


print(json.dumps([rate(one_call, 5000), rate(in_python, 500)]))
"""


def rates(module, games, *folders, game="FourGame"):
    """Return the rates per CPU second: plies with one call per game or ply, steps, simulations."""
    code = MEASURE.format(module=module, games=games, game=game)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folders[0],
        env=recipe.environment(*folders),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def in_the_tree(folder, source):
    """Build a compiled copy of Parlour that has this source among its games."""
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("src", "tools"):
        shutil.copytree(ROOT / name, folder / name)
    rules = folder / "src" / "parlour" / "games" / "four" / "rules.py"
    rules.parent.mkdir()
    rules.write_text(recipe.without_the_cure(source), "utf-8")
    (rules.parent / "__init__.py").touch()
    wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps"]
    subprocess.run([*wheel, "--wheel-dir", folder / "dist", folder], check=True)
    (built,) = folder.glob("dist/*.whl")
    zipfile.ZipFile(built).extractall(folder / "site")
    return folder / "site"


def openspiel():
    """Return the plies per CPU second of its Connect Four in C++, and of a game in Python."""
    done = subprocess.run(
        [sys.executable, "-c", OPENSPIEL], stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)


def rows(tree=True):
    """Return rows (what, rate, unit)."""
    in_cpp, in_python = openspiel()
    tutorial = rates("connect_four", 300, ROOT / "tests" / "examples", game="ConnectFour")
    ours = []
    with tempfile.TemporaryDirectory() as separate, tempfile.TemporaryDirectory() as copy:
        made, source = recipe.made(Path(separate))
        package = rates("four", 20_000, recipe.built(made))
        if tree:
            site = in_the_tree(Path(copy), source.read_text("utf-8"))
            plies = rates("parlour.games.four.rules", 20_000, site)["plies"]
            ours = [("the recipe, compiled with Parlour", plies, "plies")]
    return [
        ("the tutorial's game, plain Python", tutorial["plies"], "plies"),
        ("OpenSpiel's tic-tac-toe in Python", in_python, "plies"),
        ("the tutorial's game in `mcts`", tutorial["simulations"], "simulations"),
        ("the tutorial's game in `Batch`, default observer", tutorial["steps"], "steps"),
        ("the recipe in `Batch`, default observer", package["steps"], "steps"),
        ("the recipe without `playout`", package["calls"], "plies"),
        ("OpenSpiel's Connect Four in C++", in_cpp, "plies"),
        ("the recipe", package["plies"], "plies"),
        *ours,
    ]


def table(measured):
    """Return the rows as a table of the page, with two digits that count."""
    lines = ["| | per CPU second |", "| --- | ---: |"]
    for what, rate, unit in measured:
        digits = 1 - len(str(int(rate)))
        lines.append(f"| {what} | {round(int(rate), digits + 1):,} {unit} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the table into docs/speed.md")
    parser.add_argument("--tree", action="store_true", help="compile a copy of Parlour, too")
    given = parser.parse_args()
    made = table(rows(given.tree))
    print(made)
    if given.write:
        head, _, rest = PAGE.read_text("utf-8").partition(MARK)
        after = rest.partition("\n\n")[2]
        PAGE.write_text(f"{head}{MARK}{made}\n{after}", "utf-8")


if __name__ == "__main__":
    main()
