"""The folder of a match: what makes it possible to look at its games, and to go on.

    match.json      the match: game, options, agents, seed, how many games
    games.jsonl     one line a game: who sat where, and how it ended
    00001.txt ...   the records of the games

A file is either complete or not there. A game counts when its line and its record agree
with each other and with the plan; any other is played again.
"""

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parlour.arena.contest import Fault, Played, checksum, lost_by
from parlour.arena.errors import MatchError
from parlour.arena.plan import Plan, Task
from parlour.arena.sprt import Sprt
from parlour.core.files import write_atomically
from parlour.core.record import Record

FORMAT = "parlour match 1"


def identity(plan: Plan, sprt: Sprt | None) -> dict[str, object]:
    """What a match is; two matches may share a folder iff this is equal."""
    return {
        "game": plan.game.name,
        "options": dict(plan.game.options),
        "agents": list(plan.agents),
        "seed": plan.seed,
        "sprt": sprt.to_text() if sprt else None,
    }


def folder_name(plan: Plan, sprt: Sprt | None) -> str:
    """A name that the same match always gets and another one never does."""
    key = json.dumps(identity(plan, sprt), sort_keys=True).encode()
    words = "-".join([plan.game.name, *plan.agents])
    readable = re.sub(r"[^A-Za-z0-9_.=,]+", "-", words)[:80].strip("-.")
    return f"{readable}-{hashlib.blake2b(key, digest_size=4).hexdigest()}"


class MatchFolder:
    """Reads and writes the folder of one match."""

    def __init__(self, path: str | os.PathLike[str], plan: Plan, sprt: Sprt | None) -> None:
        """Open the folder, or make it; `MatchError` if it holds something else."""
        self.path = Path(path)
        self._plan = plan
        self._lines: dict[int, str] = {}
        self._sheet = self.path / "games.jsonl"
        header = {
            "format": FORMAT,
            **identity(plan, sprt),
            "games": plan.games,
            "seats": plan.game.seats,
        }
        with _one_line_errors():
            self._open(header)

    def _open(self, header: dict[str, Any]) -> None:
        file = self.path / "match.json"
        if not file.exists():
            self.path.mkdir(parents=True, exist_ok=True)
            if any(self.path.iterdir()):
                raise MatchError(f"{self.path} is not empty and holds no match: choose another")
        else:
            try:
                found = json.loads(file.read_text("utf-8"))
                games = int(found["games"])
            except (ValueError, KeyError, TypeError, OverflowError):
                raise MatchError(f"{file} is damaged: choose another folder") from None
            for key, value in header.items():
                if key != "games" and found.get(key) != value:
                    raise MatchError(
                        f"{self.path} holds another match, with {key} {found.get(key)!r} instead "
                        f"of {value!r}: choose another folder"
                    )
            if games > header["games"]:
                raise MatchError(
                    f"{self.path} holds a match of {games} games: it can grow, but not shrink "
                    f"to {header['games']}"
                )
        write_atomically(file, json.dumps(header, indent=1, ensure_ascii=False) + "\n")

    def load(self) -> dict[int, Played]:
        """The games that are there and sound, by their number."""
        found: dict[int, Played] = {}
        with _one_line_errors():
            lines = self._sheet.read_bytes().split(b"\n") if self._sheet.exists() else []
            for line in lines:
                played = self._game_of(line)
                if played is not None:
                    found[played.number] = played
                    self._lines[played.number] = line.decode()
            self._write_sheet()
        return found

    def _game_of(self, line: bytes) -> Played | None:
        """The game that a line of the sheet tells of, if its record says the same."""
        plan = self._plan
        try:
            entry = json.loads(line)
            number = int(entry["game"]) - 1
            if not 0 <= number < plan.games:
                return None
            task = plan.task(number)
            text = self._record_path(number).read_bytes().decode()
            record = Record.from_text(text)
            played = _played_of(task, entry, record)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, OSError):
            return None
        if (record.game, record.seed, record.to_text()) != (plan.game, task.start_seed, text):
            return None
        if entry.get("seats") != [plan.agents[agent] for agent in task.seating]:
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

    def save(self, played: Played, record: str) -> None:
        """Keep a game: its record first, then its line."""
        line = json.dumps(_entry_of(played, self._plan), ensure_ascii=False)
        with _one_line_errors():
            write_atomically(self._record_path(played.number), record)
            with self._sheet.open("a", encoding="utf-8", newline="\n") as sheet:
                sheet.write(line + "\n")
        self._lines[played.number] = line

    def close(self) -> None:
        """Put the lines into the order of the games."""
        with _one_line_errors():
            self._write_sheet()

    def _write_sheet(self) -> None:
        write_atomically(
            self._sheet, "".join(self._lines[number] + "\n" for number in sorted(self._lines))
        )

    def _record_path(self, number: int) -> Path:
        return self.path / f"{number + 1:05}.txt"


def _entry_of(played: Played, plan: Plan) -> dict[str, object]:
    return {
        "game": played.number + 1,
        "seats": [plan.agents[agent] for agent in played.seating],
        "returns": played.returns,
        "scores": played.scores,
        "reason": played.reason,
        "plies": played.plies,
        "fault": played.fault._asdict() if played.fault else None,
    }


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


@contextlib.contextmanager
def _one_line_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise MatchError(f"{error.filename}: {error.strerror}") from error
