"""The command `parlour rate`."""

import json
import sys
from pathlib import Path

import click

from parlour.core.checks import printable
from parlour.core.errors import OptionError


@click.command(
    epilog="""
FOLDER is the folder of a match or a tournament, or a CSV file with the columns seat1, seat2, ...,
return1, return2, ... and optionally group.

\b
Examples:
  parlour rate tournaments/octa-round-robin-...
  parlour rate matches/one matches/two --anchor level:5=1500
  parlour rate results.csv --json
  parlour rate bench/results/octa_levels.csv --write docs/strength.md --as octa-levels
"""
)
@click.argument("results", nargs=-1, required=True, type=click.Path(), metavar="FOLDER...")
@click.option(
    "--anchor",
    metavar="AGENT=ELO",
    help="Fix the rating of one agent.",
    show_default="the mean is 0",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--csv", type=click.Path(), metavar="FILE", help="Also write all results to one CSV file."
)
@click.option(
    "--write",
    type=click.Path(),
    metavar="PAGE",
    help="Write the table between the markers of a Markdown page.",
)
@click.option("--as", "name", metavar="NAME", help="The name in the markers, with --write.")
def rate(
    results: tuple[str, ...],
    anchor: str | None,
    as_json: bool,
    csv: str | None,
    write: str | None,
    name: str | None,
) -> int:
    """Rate agents from the results of their games."""
    # Imported here because no other command needs them.
    from parlour.arena import rating
    from parlour.arena.rating_report import (
        markdown_table,
        rating_json,
        rating_report,
        write_between_markers,
    )
    from parlour.arena.result_files import outcomes_of, write_csv

    if (write is None) != (name is None):
        raise OptionError(
            "--write PAGE and --as NAME belong together: <!-- ratings NAME --> in PAGE"
        )
    fixed = _anchor(anchor)
    outcomes, game = outcomes_of(results)
    ratings = rating.rate(outcomes, anchor=fixed)
    if as_json:
        json.dump({"game": game or None, **rating_json(ratings)}, sys.stdout, indent=1)
        print()
    else:
        print("\n".join(printable(line) for line in rating_report(ratings, game).splitlines()))
    if csv is not None:
        write_csv(outcomes, Path(csv))
    if write is not None and name is not None:
        has_changed = write_between_markers(Path(write), name, markdown_table(ratings))
        what = "has changed" if has_changed else "was up to date"
        print(f"the table {name} in {write} {what}", file=sys.stderr)
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
        raise OptionError(f"--anchor needs AGENT=ELO, such as level:5=1500, not {text!r}")
    return name, elo
