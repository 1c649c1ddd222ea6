"""Games of folders that earlier releases wrote: a line without a check, and a file of its own.

    games.jsonl      one line a game: who sat where, and how it ended
    00001.txt ...    the records of the games

Such a game counts when its line and its record agree with each other and with the plan.
"""

from pathlib import Path
from typing import Any

from parlour.arena.contest import Fault, Played, checksum, lost_by
from parlour.arena.plan import Plan, Task
from parlour.core.files import LARGEST_FILE, read_text
from parlour.core.record import Record


def game_of_files(plan: Plan, number: int, entry: dict[str, Any], folder: Path) -> Played | None:
    """The game that such a line tells of, if its record says the same."""
    try:
        task = plan.task(number)
        text = read_text(folder / f"{number + 1:05}.txt", LARGEST_FILE)
        record = Record.from_text(text)
        played = _played_of(task, entry, record)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, OSError):
        return None
    if (record.game, record.seed, record.to_text()) != (plan.game, task.start_seed, text):
        return None
    if entry.get("seats") != list(task.players):
        return None
    result = record.final.result()
    fault = played.fault
    if fault is not None:
        # Any seat, and after the end too: agents are told of what others do.
        is_seat = 0 <= fault.seat < plan.game.seats
        is_sound = is_seat and played == lost_by(fault, task, played.plies, record)
    else:
        found = (played.returns, played.scores)
        is_sound = result is not None and found == (result.returns, result.scores)
    return played if is_sound else None


def _played_of(task: Task, entry: dict[str, Any], record: Record) -> Played:
    scores, fault = entry["scores"], entry["fault"]
    return Played(
        task.number,
        task.seating,
        tuple(float(value) for value in entry["returns"]),
        None if scores is None else tuple(float(value) for value in scores),
        str(entry["reason"]),
        int(entry["plies"]),
        None if fault is None else Fault(int(fault["seat"]), str(fault["reason"])),
        checksum(record.actions),
    )
