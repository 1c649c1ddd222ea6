"""Violate every row of the requirement pages, and see whether the cited tests notice. By hand:

    python tests/violations.py [GAME ...] [--jobs 2]

`violations/GAME.txt` has a line for each row, in the order of the page: the beginning of the
requirement, a file below the game's folder (below src/parlour with a leading slash), and a text
with its replacement that breaks the requirement. `\\n` is a line break.
"""

import argparse
import re
import sys
from pathlib import Path

from seeded_faults import FAILED, PASSED, ROOT, Fault, tried

HERE = Path(__file__).parent
GAMES = ("octa", "banqi", "blokus", "cat_mouse")
ROW = re.compile(r"^\| (?P<section>.+?) \| (?P<asked>.+?) \| `.+?` \| (?P<shown>`.+) \|$")


def rows(game: str) -> list[tuple[str, list[str]]]:
    """Return the requirements of a page with their tests."""
    page = (ROOT / "docs" / "requirements" / f"{game}.md").read_text("utf-8")
    found = [row for line in page.splitlines() if (row := ROW.match(line))]
    return [(row["asked"], re.findall(r"`([^`]+)`", row["shown"])) for row in found]


def faults(game: str) -> list[Fault]:
    """Return the violations of a game. Exit if one does not fit its row or its file."""
    lines = (HERE / "violations" / f"{game}.txt").read_text("utf-8").splitlines()
    asked = rows(game)
    made = []
    if len(lines) != len(asked):
        sys.exit(f"{game}: {len(asked)} rows, but {len(lines)} violations")
    for line, (requirement, tests) in zip(lines, asked, strict=True):
        start, name, old, new = (each.replace("\\n", "\n") for each in line.split(" || "))
        if not requirement.startswith(start):
            sys.exit(f"{game}: {start!r} is not the beginning of {requirement!r}")
        path = f"src/parlour{name}" if name[0] == "/" else f"src/parlour/games/{game}/{name}"
        source = (ROOT / path).read_text("utf-8")
        if old not in source:
            sys.exit(f"{game}: {path} has no {old!r} for {start!r}")
        places = tuple(place_of(game, test) for test in tests)
        broken = source.replace(old, new, 1).encode()
        made.append(Fault(f"{game}: {requirement}", path, broken, places))
    return made


def place_of(game: str, test: str) -> str:
    """Return the path of a cited test."""
    module = test.partition("::")[0]
    is_own = (HERE / "games" / game / module).exists()
    return f"games/{game}/{test}" if is_own else f"specs/{test}"


def main() -> None:
    """Print each violation that no cited test notices, and the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    all_faults = [fault for game in given.games for fault in faults(game)]
    found = 0
    for fault, end in tried(all_faults, given.jobs):
        found += end == FAILED
        if end != FAILED:
            what = "NOT NOTICED" if end == PASSED else "NOT A VIOLATION, the module breaks:"
            print(f"{what} {fault.label}", flush=True)
    print(f"{found} of {len(all_faults)} violations noticed")


if __name__ == "__main__":
    main()
