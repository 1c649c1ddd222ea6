"""All games of a folder in one file: their records one after another, in the order of the plan.

Each record says in its notes which game it is, who sat where and how it ended:

    note arena-game 12
    note arena-seat-1 mcts:sims=50
    note arena-result 1 -1 elimination

Same games, same file, whoever played them and in whatever order they ended. It can be read
as openings again.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parlour.arena.errors import MatchError
from parlour.arena.storage import Sheet, one_line_errors
from parlour.core.checks import printable
from parlour.core.errors import RecordError
from parlour.core.record import Record


def export_games(folder: str | os.PathLike[str], target: str | os.PathLike[str]) -> int:
    """Write the file, one game in memory at a time; how many games there are."""
    count = 0
    with one_line_errors(Path(target)), open(target, "w", encoding="utf-8", newline="\n") as file:
        for record in exported(Path(folder)):
            file.write(record.to_text())
            count += 1
    return count


def exported(folder: Path) -> Iterator[Record]:
    """The records of a folder's games, in their order, with notes."""
    sheet = Sheet(folder)
    with one_line_errors():
        sheet.read()
        for number, entry in sheet.entries(sheet.all):
            try:
                record = Record.from_text(entry.get("record"))
                yield record.with_notes(_notes(entry, record.game.teams))
            except RecordError as error:
                raise MatchError(f"{folder}, game {number + 1}: {error}") from error


def _notes(entry: dict[str, Any], teams: tuple[int, ...]) -> dict[str, str]:
    notes = {"arena-game": str(entry["game"])}
    for seat, team in enumerate(teams, 1):
        notes[f"arena-seat-{seat}"] = printable(entry["seats"][team])
    returns = " ".join(f"{value:g}" for value in entry["returns"])
    notes["arena-result"] = f"{returns} {printable(entry['reason'])}"
    if entry["fault"]:
        notes["arena-fault"] = f"{entry['fault']['seat'] + 1} {printable(entry['fault']['reason'])}"
    return notes
