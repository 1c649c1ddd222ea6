"""The folder of a match: what makes it possible to look at its games, and to go on.

    match.json      the match: game, options, agents, seed, how many games
    games.jsonl     one line a game: who sat where, and how it ended
    00001.txt ...   the records of the games

A file is either complete or not there. A game counts when its line and its record agree
with each other and with the plan; any other is played again.
"""

import contextlib
import errno
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
from parlour.core.files import (
    LARGEST_FILE,
    FileLock,
    is_unfinished_file,
    read_text,
    write_atomically,
)
from parlour.core.record import Record

FORMAT = "parlour match 1"
LOCK = ".match.lock"


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
    """Reads and writes the folder of one match, and keeps other processes out of it.

    Where nothing is to be played nothing is written: a finished match can be read from a
    disk that takes no more.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan, sprt: Sprt | None) -> None:
        """Open the folder, or make it; `MatchError` if it holds something else, or is in use."""
        self.path = Path(path)
        self._plan = plan
        self._sheet = self.path / "games.jsonl"
        # Where in the sheet the line of each game begins, whether they stand in order with
        # nothing else between them, and whether the last one is a part of one.
        self._places: dict[int, int] = {}
        self._is_tidy = True
        self._is_torn = False
        self._lock = FileLock(self.path / LOCK)
        self._refusal = ""
        header = {
            "format": FORMAT,
            **identity(plan, sprt),
            "games": plan.games,
            "seats": plan.game.seats,
        }
        try:
            with _one_line_errors():
                self._open(header)
        except BaseException:
            self.release()
            raise

    def _open(self, header: dict[str, Any]) -> None:
        file = self.path / "match.json"
        if not file.exists():
            self.path.mkdir(parents=True, exist_ok=True)
            if any(not _is_ours(entry.name) for entry in self.path.iterdir()):
                raise MatchError(f"{self.path} is not empty and holds no match: choose another")
        self._hold()
        text = json.dumps(header, indent=1, ensure_ascii=False) + "\n"
        if file.exists():
            found = self._header_text(file)
            if found == text:
                return
            self._check_header(file, found, header)
        write_atomically(file, text)

    def _hold(self) -> None:
        try:
            is_held = self._lock.hold()
        except OSError as error:
            if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
                raise
            self._refusal = error.strerror or str(error)
            return
        if not is_held:
            raise MatchError(f"another process plays the match in {self.path}: wait until it ends")

    def _header_text(self, file: Path) -> str:
        try:
            return read_text(file, LARGEST_FILE)
        except UnicodeDecodeError:
            raise MatchError(f"{file} is damaged: choose another folder") from None

    def _check_header(self, file: Path, text: str, header: dict[str, Any]) -> None:
        """`MatchError` unless the match can be gone on with."""
        try:
            found = json.loads(text)
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

    def load(self) -> dict[int, Played]:
        """The games that are there and sound, by their number. Nothing is written."""
        found: dict[int, Played] = {}
        place = 0
        with _one_line_errors():
            for line in self._lines():
                played = self._game_of(line)
                self._is_torn = not line.endswith(b"\n")
                if played is None or self._is_torn:
                    self._is_tidy = False
                if played is not None:
                    self._note(played.number, place)
                    found[played.number] = played
                place += len(line)
        return found

    def _lines(self) -> Iterator[bytes]:
        if self._sheet.exists():
            with self._sheet.open("rb") as sheet:
                yield from sheet

    def _note(self, number: int, place: int) -> None:
        """The line of that game begins there, at the end of the sheet."""
        self._is_tidy = self._is_tidy and number > next(reversed(self._places), -1)
        self._places[number] = place

    def check_writable(self) -> None:
        """`MatchError` if there are games to be played but none can be kept."""
        if self._refusal:
            raise MatchError(
                f"{self.path} lacks games, and nothing can be written: {self._refusal}"
            )

    def _game_of(self, line: bytes) -> Played | None:
        """The game that a line of the sheet tells of, if its record says the same."""
        plan = self._plan
        try:
            entry = json.loads(line)
            number = int(entry["game"]) - 1
            if not 0 <= number < plan.games:
                return None
            task = plan.task(number)
            text = read_text(self._record_path(number), LARGEST_FILE)
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
        with _one_line_errors(self._sheet):
            write_atomically(self._record_path(played.number), record)
            if self._is_torn:
                self._tidy()
            with self._sheet.open("ab") as sheet:
                place = sheet.tell()
                sheet.write(line.encode() + b"\n")
        self._note(played.number, place)

    def close(self) -> None:
        """Put the lines into the order of the games, and let other processes in."""
        try:
            if not self._is_tidy and not self._refusal:
                with _one_line_errors():
                    self._tidy()
        finally:
            self.release()

    def release(self) -> None:
        """Let other processes in."""
        self._lock.release()

    def _tidy(self) -> None:
        """Leave one line for each game that is there, in their order."""
        lines = []
        places: dict[int, int] = {}
        end = 0
        with self._sheet.open("rb") as sheet:
            for number in sorted(self._places):
                sheet.seek(self._places[number])
                lines.append(sheet.readline().rstrip(b"\n") + b"\n")
                places[number] = end
                end += len(lines[-1])
        write_atomically(self._sheet, b"".join(lines).decode())
        self._places, self._is_tidy, self._is_torn = places, True, False

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


def _is_ours(name: str) -> bool:
    """Whether a match that was killed in its first moments may have left that file."""
    return name == LOCK or is_unfinished_file(name)


@contextlib.contextmanager
def _one_line_errors(file: Path | None = None) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where = error.filename or file
        what = error.strerror or str(error)
        raise MatchError(f"{where}: {what}" if where else what) from error
