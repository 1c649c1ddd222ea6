"""Compare this tree with an earlier commit, in one run: `python bench/compare.py COMMIT`.

Both are built as compiled wheels, unpacked side by side and measured alternately; the best round of
each counts. CPU seconds of a shared machine are noisy: compare the ratios of one run, and ignore a
few per cent.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from run import number, table

HERE = Path(__file__).parent
ROOT = HERE.parent


def build(source, folder):
    """Build a source tree; return the folder of the unpacked wheel."""
    wheels = folder / "wheels"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation"]
    subprocess.run([*command, "--no-deps", "--wheel-dir", wheels, source], check=True)
    (wheel,) = wheels.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def checkout(commit, folder):
    """Extract the files of a commit; return the folder."""
    folder.mkdir(parents=True)
    archive = subprocess.run(
        ["git", "-C", ROOT, "archive", commit], stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
    return folder


def measure(site):
    """Return the rates of one build, measured in a separate process."""
    done = subprocess.run(
        [sys.executable, HERE / "measure.py", "--rates"],
        env={**os.environ, "PYTHONPATH": str(site)},
        stdout=subprocess.PIPE,
        check=True,
    )
    figures = json.loads(done.stdout)
    if not figures.pop("compiled"):
        sys.exit(f"bench: {site} has no compiled build")
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commit", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        sites = {
            "then": build(checkout(chosen.commit, work / "then" / "source"), work / "then"),
            "now": build(ROOT, work / "now"),
        }
        best = {"then": {}, "now": {}}
        for _ in range(chosen.rounds):
            for which, site in sites.items():
                for what, rate in measure(site).items():
                    best[which][what] = max(rate, best[which].get(what, 0.0))
    rows = [
        (what, number(then), number(best["now"][what]), f"{best['now'][what] / then:.2f}x")
        for what, then in best["then"].items()
        if what in best["now"]
    ]
    table("Per CPU second, compiled", ("", chosen.commit, "now", "ratio"), rows)


if __name__ == "__main__":
    main()
