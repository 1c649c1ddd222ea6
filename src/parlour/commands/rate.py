"""The command `parlour rate`."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from parlour.commands.parsers import OneLineParser, examples_parser
from parlour.core.checks import printable
from parlour.core.errors import OptionError

EXAMPLES = """\
examples:
  parlour rate tournaments/octa-round-robin-...
  parlour rate matches/one matches/two --anchor level:5=1500
  parlour rate results.csv --json
  parlour rate bench/results/octa_levels.csv --write docs/strength.md --as octa-levels

A CSV file has the columns seat1, seat2, ..., return1, return2, ... and perhaps group.
"""


def rate_parser() -> OneLineParser:
    """What reads the command's arguments."""
    about = "Ratings with intervals, from the results of matches and tournaments."
    parser = examples_parser("parlour rate", about, EXAMPLES)
    parser.add_argument(
        "results", nargs="+", metavar="FOLDER", help="a match's or tournament's folder, or CSV"
    )
    parser.add_argument(
        "--anchor", metavar="AGENT=ELO", help="who has which rating; the mean is 0 if missing"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--csv", metavar="FILE", help="write all results into one CSV file too")
    parser.add_argument(
        "--write", metavar="PAGE", help="put the table between the markers of a Markdown page"
    )
    parser.add_argument(
        "--as", dest="name", metavar="NAME", help="with --write: the name in the markers"
    )
    return parser


def main(arguments: Sequence[str]) -> int:
    """Run the command with these arguments; the exit status."""
    chosen = rate_parser().parse_args(arguments)
    if (chosen.write is None) != (chosen.name is None):
        raise OptionError("--write PAGE and --as NAME go together: <!-- ratings NAME --> in PAGE")
    # Here, because no other command needs them.
    from parlour.arena.rating import rate
    from parlour.arena.rating_report import (
        markdown_table,
        rating_json,
        rating_report,
        write_between_markers,
    )
    from parlour.arena.result_files import outcomes_of, write_csv

    anchor = _anchor(chosen.anchor)
    outcomes, game = outcomes_of(chosen.results)
    ratings = rate(outcomes, anchor=anchor)
    if chosen.json:
        json.dump({"game": game or None, **rating_json(ratings)}, sys.stdout, indent=1)
        print()
    else:
        print("\n".join(printable(line) for line in rating_report(ratings, game).splitlines()))
    if chosen.csv is not None:
        write_csv(outcomes, Path(chosen.csv))
    if chosen.write is not None:
        has_changed = write_between_markers(
            Path(chosen.write), chosen.name, markdown_table(ratings)
        )
        what = "has changed" if has_changed else "was up to date"
        print(f"the table {chosen.name} in {chosen.write} {what}", file=sys.stderr)
    return 0


def _anchor(text: str | None) -> tuple[str, float] | None:
    if text is None:
        return None
    name, equals, value = text.rpartition("=")
    try:
        elo = float(value)
    except ValueError:
        elo = float("nan")
    if not (equals and name and abs(elo) <= 1e6):
        raise OptionError(f"--anchor takes AGENT=ELO, such as level:5=1500, not {text!r}")
    return name, elo
