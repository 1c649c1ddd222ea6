"""Main benchmark (`make bench`): figures per CPU second, interpreted against compiled.

Figures of a shared machine are noisy; compare the ratios of one run.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import outside

import parlour

HERE = Path(__file__).parent
SOURCES = HERE.parent / "src"


def measure(interpreted):
    """Return the figures of one build, measured in a separate process."""
    path = {"PYTHONPATH": str(SOURCES)} if interpreted else {"PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, HERE / "measure.py"],
        env={**os.environ, **path},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    figures = json.loads(done.stdout)
    if figures["compiled"] == interpreted:
        sys.exit("bench: the compiled build is not installed; run 'make bench', not this file")
    return figures


def octa_in_c(games=4000):
    """Return the plies per CPU second of the same loop in C; its games must equal ours."""
    compiler = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc")
    if compiler is None:
        return None
    state = parlour.game("octa").start(1)
    cells = bytes(state.cell(i)[0] | state.cell(i)[1] << 2 for i in range(81))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "octa"
        subprocess.run([compiler, "-O3", "-o", program, HERE / "peers" / "octa.c"], check=True)
        arguments = ["9", "80", "0", "3", str(games), "5"]
        done = subprocess.run([program, *arguments], input=cells, capture_output=True, check=True)
    plies, returns, seconds = done.stdout.split()
    ours = parlour.playouts(state, games, 3)
    if (int(plies), float(returns)) != (ours.plies, ours.returns[0]):
        sys.exit("bench: the C program played different games")
    return int(plies) / float(seconds)


def against_peers():
    """Yield rows (what, ours, theirs, unit, peer) from each script in `peers/`.

    Every script there defines `PEER` and `rows`. Other kinds of peers are next to this file.
    """
    for script in sorted((HERE / "peers").glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"peers_{script.stem}", script)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield from ((*row, module.PEER) for row in module.rows())


def import_seconds():
    """Return the CPU seconds of `import parlour` in a fresh process, best of ten."""
    code = "import time; t = time.process_time(); import parlour; print(time.process_time() - t)"
    run = [sys.executable, "-c", code]
    return min(
        float(subprocess.run(run, stdout=subprocess.PIPE, check=True).stdout) for _ in range(10)
    )


def table(title, head, rows):
    print(f"\n{title}\n")
    lines = [head, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for number, line in enumerate(lines):
        cells = (
            cell.ljust(w) if i == 0 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        print("| " + " | ".join(cells) + " |")
        if number == 0:
            print(
                "| "
                + " | ".join(
                    "-" * w if i == 0 else "-" * (w - 1) + ":" for i, w in enumerate(widths)
                )
                + " |"
            )


def number(value):
    """Format a number with three digits and thousands separators."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def factor(ours, theirs, unit):
    """Return the speedup: rates are better if larger, times if smaller."""
    return ours / theirs if unit.endswith("/s") else theirs / ours


def main():
    print(parlour.build_info())
    slow, fast = measure(interpreted=True), measure(interpreted=False)
    rows = []
    for name, figures in fast["random"].items():
        for what in ("plies", "games"):
            before = slow["random"][name][what]
            rows.append(
                (
                    f"{name}: random {what}/s",
                    number(before),
                    number(figures[what]),
                    f"{figures[what] / before:.0f}x",
                )
            )
    table("Random play, per CPU second", ("", "interpreted", "compiled", "ratio"), rows)

    in_c = octa_in_c()
    if in_c is None:
        print("\nNo C compiler: the loop in C was left out.")
    else:
        ours = fast["random"]["octa"]["plies"]
        rows = [("octa: random plies/s", number(in_c), number(ours), f"{ours / in_c:.2f}x")]
        table("The same loop in C", ("", "C, -O3", "compiled", "ratio"), rows)

    rows = [
        (
            f"{what}, {unit}",
            peer,
            number(theirs),
            number(ours),
            f"{factor(ours, theirs, unit):.1f}x",
        )
        for what, ours, theirs, unit, peer in against_peers()
    ]
    table("Against others, in the same run", ("", "peer", "theirs", "ours", "ratio"), rows)

    rows = []
    for name, figures in fast["calls"].items():
        for what, value in figures.items():
            before = slow["calls"][name][what]
            rows.append(
                (f"{name}: {what}", number(before), number(value), f"{before / value:.1f}x")
            )
    table("A call from Python, CPU microseconds", ("", "interpreted", "compiled", "ratio"), rows)

    rows = []
    for name, figures in fast["agents"].items():
        for what, value in figures.items():
            before = slow["agents"][name][what]
            rows.append(
                (f"{name}: {what}/s", number(before), number(value), f"{value / before:.0f}x")
            )
    table("Agents, per CPU second", ("", "interpreted", "compiled", "ratio"), rows)

    rows = []
    for what, value in fast["medians"].items():
        before = slow["medians"][what]
        rows.append(
            (
                f"cat_mouse: {what}, median ms",
                number(before),
                number(value),
                f"{before / value:.0f}x",
            )
        )
    table("Starts and solutions", ("", "interpreted", "compiled", "ratio"), rows)

    measured = outside.rows()
    rows = [(f"{what}, {unit}/s", number(rate)) for what, rate, unit in measured]
    table("Connect Four in a separate package, per CPU second", ("", "rate"), rows)
    print(f"\nimport parlour: {import_seconds():.3f} CPU seconds")


if __name__ == "__main__":
    main()
