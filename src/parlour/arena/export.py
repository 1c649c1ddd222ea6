"""Export all games of a folder to one file of records, in the order of the plan.

The notes of each record give the number of the game, its players and its result:

    note arena-game 12
    note arena-seat-1 mcts:sims=50
    note arena-result 1 -1 elimination

The same games give the same file, in whatever order they ended. The file can be read as openings.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parlour.arena.errors import MatchError
from parlour.arena.storage import GamesFile, one_line_errors
from parlour.core.checks import printable
from parlour.core.errors import RecordError
from parlour.core.record import Record


def export_games(folder: str | os.PathLike[str], target: str | os.PathLike[str]) -> int:
    """Write the file, with one game in memory at a time; return the number of games."""
    count = 0
    with one_line_errors(Path(target)), open(target, "w", encoding="utf-8", newline="\n") as file:
        for record in exported(Path(folder)):
            file.write(record.to_text())
            count += 1
    return count


def exported(folder: Path) -> Iterator[Record]:
    """Yield the records of a folder's games in order, with notes."""
    file = GamesFile(folder)
    with one_line_errors():
        file.read()
        for number, entry in file.entries(file.all):
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
