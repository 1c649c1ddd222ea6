"""Overhead of compiling a game separately instead of in Parlour's tree.

The package is built by the recipe of docs/outside.md, and next to it a copy of Parlour that has the
same source among its games.
"""

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

MEASURE = """
import json, sys, time
import parlour
from parlour.core.game import State
from {module} import FourGame

start = FourGame().start()


def one_call(games):
    return parlour.playouts(start, games, 3).plies


def many_calls(games):
    rng = parlour.Rng(3)
    return sum(State.playout(start, rng, 42)[1] for _ in range(games))


def rate(call, games):
    best = 0.0
    for _ in range(5):
        before = time.process_time()
        plies = call(games)
        best = max(best, plies / (time.process_time() - before))
    return best


print(json.dumps([rate(many_calls, {games} // 10), rate(one_call, {games})]))
"""


def rates(module, games, *folders):
    """Return the plies per CPU second: one call per ply, and one call per game."""
    code = MEASURE.format(module=module, games=games)
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


def rows():
    """Return rows (build, plies/s), from plain Python to the same source in the tree."""
    with tempfile.TemporaryDirectory() as separate, tempfile.TemporaryDirectory() as tree:
        made, source = recipe.made(Path(separate))
        plain = rates("four", 2000, source.parent)
        package = rates("four", 20_000, recipe.built(made))
        module = "parlour.games.four.rules"
        ours = rates(module, 20_000, in_the_tree(Path(tree), source.read_text("utf-8")))
    return [
        ("plain Python", plain[0]),
        ("plain Python, with playout", plain[1]),
        ("compiled separately", package[0]),
        ("compiled separately, with playout", package[1]),
        ("compiled in the tree", ours[0]),
        ("compiled in the tree, with playout", ours[1]),
    ]


if __name__ == "__main__":
    measured = rows()
    for what, rate in measured:
        print(f"{what:40} {rate:14,.0f} plies/s  {rate / measured[-1][1]:.2f}")
