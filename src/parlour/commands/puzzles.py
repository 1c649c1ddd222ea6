"""The command `parlour puzzles`."""

import sys
from functools import partial
from pathlib import Path

import click

from parlour.agents import AgentFault, agent
from parlour.agents.guard import analysis_of
from parlour.commands.parameters import AgentText, Number, RecordName
from parlour.core.checks import counted, printable, shown
from parlour.core.errors import ParlourError
from parlour.core.registry import game_class
from parlour.drawing.puzzles import (
    GAP,
    LARGEST_FILE,
    Puzzle,
    check_records,
    find_puzzles,
    from_text,
    own_puzzles,
    to_text,
)
from parlour.drawing.status_line import StatusLine, progress_bar
from parlour.exit_codes import NEGATIVE
from parlour.files import write_atomically
from parlour.table import load
from parlour.table.locations import find_record
from parlour.terminal.puzzles import PuzzleSession

LOOK = "best:time=0.2"
"""The agent that finds candidates."""
SEARCH = "best:time=3"


@click.command(
    epilog="""
\b
Examples:
  parlour puzzles octa                                  solve the puzzles of Octa
  parlour puzzles octa --file octa.txt                  solve those of a file
  parlour puzzles octa game-1 game-2 --out octa.txt     make puzzles of finished games
"""
)
@click.argument("game")
@click.argument("records", nargs=-1, type=RecordName(), metavar="[RECORD]...")
@click.option("--file", type=click.Path(path_type=Path), help="Solve the puzzles of this file.")
@click.option("--out", type=click.Path(path_type=Path), help="Write new puzzles to this file.")
@click.option("--agent", "search", type=AgentText(), help="The deep search.", default=SEARCH)
@click.option("--gap", type=Number(0.1, 2), default=GAP, help="How much better the best action is.")
@click.option("--most", type=click.IntRange(1, 200), default=24, help="The number of puzzles.")
def puzzles(
    game: str,
    records: tuple[str, ...],
    file: Path | None,
    out: Path | None,
    search: str,
    gap: float,
    most: int,
) -> int:
    """Solve puzzles, or make them from records.

    A puzzle is a position of a finished game in which one action is clearly the best.
    """
    game_class(game)
    if records:
        if out is None or file is not None:
            raise ParlourError("to make puzzles of records, name a file to write: --out FILE")
        return make(game, records, out, search, gap, most)
    if out is not None:
        raise ParlourError("--out needs the records of finished games")
    found = _read(file) if file is not None else own_puzzles(game)
    if not found:
        raise ParlourError(f"{shown(game)} has no puzzles: make some from records, with --out FILE")
    return PuzzleSession(found).run()


def make(game: str, names: tuple[str, ...], out: Path, search: str, gap: float, most: int) -> int:
    """Write the puzzles of records to a file; return 1 if there are none."""
    found_records = [load(find_record(name)) for name in names]
    check_records(game, found_records)
    quick, deep = agent(LOOK), agent(search)
    planned = sum(state.actor >= 0 for record in found_records for state in record.states)
    found: list[Puzzle] = []
    line = StatusLine(sys.stderr)
    looked = find_puzzles(
        found_records,
        lambda state: analysis_of(quick, state),
        lambda state: analysis_of(deep, state),
        gap,
    )
    try:
        for done, puzzle in enumerate(looked, 1):
            line.show(partial(_progress, done, planned))
            found += [] if puzzle is None else [puzzle]
            if len(found) == most:
                break
    except AgentFault as fault:
        raise fault.of(search) from fault
    finally:
        line.close()
    if not found:
        print("No puzzle was found: no action was clearly the best.")
        return NEGATIVE
    write_atomically(out, to_text(game, found))
    print(printable(f"Wrote {counted(len(found), 'puzzle')} to {out}."))
    return 0


def _progress(done: int, planned: int) -> str:
    return f"Searching {progress_bar(done, planned)}"


def _read(path: Path) -> list[Puzzle]:
    try:
        with path.open("rb") as opened:
            return from_text(opened.read(LARGEST_FILE).decode("utf-8", "replace"))
    except OSError as error:
        raise ParlourError(f"{path} cannot be read: {error.strerror}") from error
