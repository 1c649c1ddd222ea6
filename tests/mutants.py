"""Seed small faults into the rules, and see whether their own tests find them. Run by hand:

    python tests/mutants.py --count 400 --seed 1 [--only octa/spec] [--jobs 2]

Each mutant changes one operator, number or condition. The tests of its module run on the
interpreted build. A mutant that makes them fail, or that exceeds the
limit of CPU time, is killed. `EQUIVALENT` lists mutants that change nothing that can be observed.
"""

import argparse
import ast
import random
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from seeded_faults import PASSED, ROOT, Fault, tried

GAMES = "src/parlour/games"
TESTS = {
    f"{GAMES}/octa/rules.py": "games/octa/test_rules.py games/octa/test_game.py "
    "games/octa/test_evaluation.py games/octa/test_spec.py",
    f"{GAMES}/octa/spec/*.py": "games/octa/test_spec.py specs/test_octa.py",
    f"{GAMES}/banqi/rules.py": "games/banqi/test_rules.py games/banqi/test_spec_moves.py "
    "games/banqi/test_notation.py games/banqi/test_pickles.py games/banqi/test_game.py",
    f"{GAMES}/banqi/spec/*.py": "games/banqi/test_spec_match.py games/banqi/test_spec_moves.py",
    f"{GAMES}/blokus/rules.py": "games/blokus/test_rules.py games/blokus/test_spec_model.py "
    "games/blokus/test_facts.py games/blokus/test_notation.py games/blokus/test_evaluation.py",
    f"{GAMES}/blokus/spec/*.py": "games/blokus/test_move.py games/blokus/test_pieces.py "
    "games/blokus/test_spec_model.py games/blokus/test_spec_strategies.py",
    f"{GAMES}/cat_mouse/rules.py": "games/cat_mouse/test_rules.py games/cat_mouse/test_game.py "
    "games/cat_mouse/test_spec.py",
    f"{GAMES}/cat_mouse/spec/*.py": "specs/test_cat_mouse.py games/cat_mouse/test_spec.py "
    "games/cat_mouse/test_solver.py::test_solutions_are_shortest_and_never_missed "
    "games/cat_mouse/test_solver.py::test_par_falls_by_one_with_each_move_of_a_solution "
    "games/cat_mouse/test_solver.py::test_a_won_state_has_par_0_and_no_hint "
    "games/cat_mouse/test_solver.py::test_a_start_that_cannot_be_won_has_no_solution_hint_or_par",
    "src/parlour/table/*.py": "table terminal/test_session.py terminal/test_json.py "
    "commands/test_records.py",
    "src/parlour/core/record.py": "core/test_record.py",
}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
               "is": "is not", "is not": "is", "in": "not in", "not in": "in"}  # fmt: skip
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "//": "*", "%": "*", "&": "|", "|": "&",
              "<<": ">>", ">>": "<<", "^": "&"}  # fmt: skip
EQUIVALENT: dict[str, str] = {
    f"{GAMES}/octa/spec/logic.py: 1 -> 2: links += [number if other is way else -1 for other in "
    "Direction]": "any negative number is no link",
    f"{GAMES}/blokus/spec/validation.py: or -> and: if not isinstance(name, str) or name not in "
    "PIECE_NAMES:": "`Piece` raises the same error",
    "src/parlour/table/live.py: True -> False: pairs = enumerate(zip(before.cells, after, "
    "strict=True))": "both have a cell for each cell of the board",
}
"""Mutants (path, change and line of source) that behave like the original, and why."""


class Mutant(NamedTuple):
    """A change of one place in one file."""

    path: str
    start: int
    end: int
    new: str
    line: int
    old: str
    text: str
    """The line of source."""

    def source(self) -> bytes:
        """Return the changed file."""
        data = (ROOT / self.path).read_bytes()
        return data[: self.start] + self.new.encode() + data[self.end :]

    def __str__(self) -> str:
        change = f"{self.old.strip()} -> {self.new.strip()}: {self.text.strip()}"
        return f"{self.path}:{self.line}: {change}"


def mutants_of(path: Path) -> list[Mutant]:
    """Return every mutant of a file."""
    source = path.read_text("utf-8")
    starts = [0]
    lines = source.splitlines(keepends=True)
    for row in lines:
        starts.append(starts[-1] + len(row.encode()))
    data = source.encode()

    def at(line: int, column: int) -> int:
        return starts[line - 1] + column

    found: list[Mutant] = []
    name = str(path.relative_to(ROOT))

    def change(start: int, end: int, new: str, line: int) -> None:
        text = lines[line - 1]
        found.append(Mutant(name, start, end, new, line, data[start:end].decode(), text))

    def operator(left: ast.expr, right: ast.expr, words: dict[str, str]) -> None:
        start, end = at(left.end_lineno, left.end_col_offset), at(right.lineno, right.col_offset)
        text = data[start:end].decode()
        sign = text.strip(" ()\n")
        if sign in words:
            change(start, end, text.replace(sign, words[sign]), left.end_lineno)

    tree = ast.parse(source)
    skipped = {id(sub) for node in ast.walk(tree) for each in hints(node) for sub in ast.walk(each)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            operator(node.left, node.comparators[0], COMPARISONS)
        elif isinstance(node, ast.BinOp):
            operator(node.left, node.right, ARITHMETIC)
        elif isinstance(node, ast.BoolOp):
            operator(node.values[0], node.values[1], {"and": "or", "or": "and"})
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            test = node.test
            span = at(test.lineno, test.col_offset), at(test.end_lineno, test.end_col_offset)
            change(*span, f"(not ({data[slice(*span)].decode()}))", test.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
            new = not node.value if isinstance(node.value, bool) else node.value + 1
            span = at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)
            change(*span, str(new), node.lineno)
    return found


def hints(node: ast.AST) -> list[ast.AST]:
    """Return the type hints of a node, which change nothing at run time."""
    return [each for name in ("annotation", "returns") if (each := getattr(node, name, None))]


def sample(count: int, seed: int, only: str) -> list[tuple[Mutant, str]]:
    """Return a sample with about as many mutants of each module."""
    rng = random.Random(seed)
    piles = []
    for pattern, tests in TESTS.items():
        for path in sorted(ROOT.glob(pattern)):
            pile = [(mutant, tests) for mutant in mutants_of(path) if only in mutant.path]
            rng.shuffle(pile)
            piles.append(pile)
    chosen: list[tuple[Mutant, str]] = []
    while len(chosen) < count and any(piles):
        for pile in piles:
            if pile and len(chosen) < count:
                chosen.append(pile.pop())
    return chosen


def main() -> None:
    """Print each survivor, then the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a part of the path")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    killed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    faults = [
        Fault(str(mutant), mutant.path, mutant.source(), tuple(tests.split()))
        for mutant, tests in sample(given.count, given.seed, given.only)
    ]
    for fault, end in tried(faults, given.jobs):
        is_found = end != PASSED
        reason = EQUIVALENT.get(re.sub(r":\d+:", ":", fault.label, count=1))
        verdict = "killed" if is_found else reason or "SURVIVED"
        print(f"{verdict} {fault.label}", flush=True)
        total[fault.path] += reason is None
        killed[fault.path] += is_found
    for path in total:
        print(f"{killed[path]:4} of {total[path]:4}  {path}")
    print(f"{sum(killed.values())} of {sum(total.values())} killed")


if __name__ == "__main__":
    main()
