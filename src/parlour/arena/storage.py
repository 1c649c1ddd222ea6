"""The folder of a match or tournament, from which it can be resumed.

    match.json or tournament.json    the game, options, agents, seed and number of games
    games.jsonl                      one line per game, with its record; append-only
    engines/                         engine logs, one file per game; never read

Each line ends with a checksum. A line that is torn, damaged or not in the plan is ignored, and
its game is played again and appended. The last of several lines for one game counts.
"""

import contextlib
import errno
import hashlib
import json
import os
import re
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from parlour.arena.contest import Fault, Played
from parlour.arena.errors import MatchError
from parlour.arena.plan import Plan
from parlour.files import (
    LARGEST_FILE,
    FileLock,
    is_unfinished_file,
    read_text,
    write_atomically,
)

LOCK = ".match.lock"
GAMES = "games.jsonl"
ENGINE_LOGS = "engines"
LARGEST_GAP = 10_000_000
LARGEST_NUMBER = 2**53

_NUMBER = re.compile(rb'\{"game": ([0-9]{1,12}),')
_CHECK = b', "check": "'


class Kind(NamedTuple):
    """A kind of folder."""

    word: str
    """The name of its file: `match` or `tournament`."""
    format: str
    """The format name in its file."""
    grows: tuple[str, ...]
    """The numbers in its file that may grow."""


MATCH = Kind("match", "parlour match 1", ("games",))
TOURNAMENT = Kind("tournament", "parlour tournament 1", ("games", "rounds"))
KINDS = (MATCH, TOURNAMENT)


def folder_name(words: Iterable[str], identity: Mapping[str, object]) -> str:
    """Return a name that is unique to this identity."""
    key = json.dumps(identity, sort_keys=True).encode()
    readable = re.sub(r"[^A-Za-z0-9_.=,]+", "-", "-".join(words))[:80].strip("-.")
    return f"{readable}-{hashlib.blake2b(key, digest_size=4).hexdigest()}"


class GameFolder:
    """Reads and writes one folder, and locks it against other processes.

    Nothing is written if no games are missing, so a finished folder can be on a read-only disk.
    """

    def __init__(
        self, path: str | os.PathLike[str], kind: Kind, header: Mapping[str, object]
    ) -> None:
        """Open or create the folder.

        Raises `MatchError` if it holds something else or is in use.
        """
        self.path = Path(path)
        self._kind = kind
        self._games = GamesFile(self.path)
        self._file: IO[bytes] | None = None
        self._lock = FileLock(self.path / LOCK)
        self._refusal = ""
        try:
            with one_line_errors():
                self._open({"format": kind.format, **header})
                self._games.read()
        except BaseException:
            self.release()
            raise

    def _open(self, header: dict[str, Any]) -> None:
        file = self.path / f"{self._kind.word}.json"
        if not file.exists():
            if self.path.exists() and not self.path.is_dir():
                raise MatchError(f"{self.path} is a file, not a folder: choose another")
            self.path.mkdir(parents=True, exist_ok=True)
            self._check_empty()
        self._hold()
        if file.exists() and not self._has_grown(file, header):
            return
        write_atomically(file, json.dumps(header, indent=1, ensure_ascii=False) + "\n")

    def _check_empty(self) -> None:
        names = [entry.name for entry in self.path.iterdir()]
        word = self._kind.word
        for other in KINDS:
            if f"{other.word}.json" in names:
                raise MatchError(f"{self.path} holds a {other.word}, not a {word}: choose another")
        # A match that was killed early may have left these.
        if not all(name == LOCK or is_unfinished_file(name) for name in names):
            raise MatchError(f"{self.path} is not empty and holds no {word}: choose another")

    def _hold(self) -> None:
        try:
            is_held = self._lock.hold()
        except OSError as error:
            if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
                raise
            self._refusal = error.strerror or str(error)
            return
        if not is_held:
            word = self._kind.word
            raise MatchError(
                f"another process is playing the {word} in {self.path}: wait until it ends"
            )

    def _has_grown(self, file: Path, header: dict[str, Any]) -> bool:
        """Whether more games are requested than before; raises `MatchError` if it cannot resume."""
        found = read_header(file)
        word = self._kind.word
        try:
            before = {key: int(found[key]) for key in self._kind.grows if key in header}
        except (ValueError, KeyError, TypeError, OverflowError):
            raise MatchError(f"{file} is damaged: choose another folder") from None
        for key, value in header.items():
            if found.get(key) != value and key not in before:
                raise MatchError(
                    f"{self.path} holds another {word}, with {key} {found.get(key)!r} instead "
                    f"of {value!r}: choose another folder"
                )
        for key in sorted(set(found) - set(header)):
            raise MatchError(
                f"{self.path} holds another {word}, with {key} {found[key]!r}: "
                "choose another folder"
            )
        for key, count in before.items():
            if count > header[key]:
                raise MatchError(
                    f"{self.path} holds a {word} of {count} {key}: it can grow, but not shrink "
                    f"to {header[key]}"
                )
        return any(count != header[key] for key, count in before.items())

    def kept(self, plan: Plan, numbers: range) -> Iterator[Played]:
        """Yield the stored games with these numbers that match the plan, in order."""
        with one_line_errors():
            for number, entry in self._games.entries(numbers):
                played = played_of(plan, number, entry)
                if played is not None:
                    yield played

    def records(self, numbers: range) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the lines of these games, in order."""
        with one_line_errors():
            yield from self._games.entries(numbers)

    @property
    def engine_logs(self) -> Path:
        """The folder for engine logs; it may not exist yet."""
        return self.path.absolute() / ENGINE_LOGS

    def check_writable(self) -> None:
        """Raise `MatchError` if games are missing but the folder is not writable."""
        if self._refusal:
            raise MatchError(f"{self.path} is incomplete and not writable: {self._refusal}")

    def save(self, plan: Plan, played: Played, record: str) -> None:
        """Store a game: one line in one write."""
        line = line_of(plan, played, record)
        with one_line_errors(self._games.path):
            if self._file is None:
                self._file = self._games.path.open("ab", buffering=0)
                if self._games.is_torn:
                    self._file.write(b"\n")
            self._games.note(played.number, self._file.tell())
            if self._file.write(line) != len(line):
                # A nearly full disk writes a part and reports an error only on the next write.
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._games.path))

    def close(self) -> None:
        """Flush everything to disk and unlock the folder."""
        try:
            if self._file is not None:
                with one_line_errors(self._games.path):
                    os.fsync(self._file.fileno())
                    self._file.close()
        finally:
            self._file = None
            self.release()

    def release(self) -> None:
        """Unlock the folder."""
        self._lock.release()


class GamesFile:
    """The file of games; only the offset of each line is kept in memory."""

    def __init__(self, folder: Path) -> None:
        """Set the path; nothing is read yet."""
        self.path = folder / GAMES
        self.is_torn = False
        """Whether the last line is incomplete."""
        self._places = array("q")

    def read(self) -> None:
        """Scan the file for valid lines."""
        if not self.path.exists():
            return
        place = 0
        with self.path.open("rb") as file:
            for line in file:
                found = _NUMBER.match(line)
                if found and int(found[1]) and is_whole(line):
                    self.note(int(found[1]) - 1, place)
                self.is_torn = not line.endswith(b"\n")
                place += len(line)

    def note(self, number: int, place: int) -> None:
        """Set the offset of a game's line."""
        if number >= len(self._places):
            if number > len(self._places) + LARGEST_GAP:
                return  # damaged: games are stored roughly in order
            self._places.extend([-1] * (number + 1 - len(self._places)))
        self._places[number] = place

    def entries(self, numbers: range) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield (number, data of the line) of these games, as far as they are stored."""
        present = [
            number
            for number in range(numbers.start, min(numbers.stop, len(self._places)))
            if self._places[number] >= 0
        ]
        if not present:
            return
        with self.path.open("rb") as file:
            for number in present:
                file.seek(self._places[number])
                try:
                    entry = json.loads(file.readline())
                except ValueError:
                    continue
                if isinstance(entry, dict):
                    yield number, entry

    @property
    def all(self) -> range:
        """The range of numbers that may be stored."""
        return range(len(self._places))


def read_header(file: Path) -> dict[str, Any]:
    """Read the file of a match or tournament; raises `MatchError` if it is damaged."""
    try:
        found = json.loads(read_text(file, LARGEST_FILE))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise MatchError(f"{file} is damaged: choose another folder")
    return found


def line_of(plan: Plan, played: Played, record: str) -> bytes:
    """Return the line of a game."""
    entry = {
        "game": played.number + 1,
        "group": played.number // plan.group_size + 1,
        "seats": [plan.agents[agent] for agent in played.seating],
        "returns": played.returns,
        "scores": played.scores,
        "reason": played.reason,
        "plies": played.plies,
        "fault": played.fault._asdict() if played.fault else None,
        "moves": played.moves,
        "record": record,
    }
    body = json.dumps(entry, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return body[:-1] + _CHECK + b'%08x"}\n' % zlib.crc32(body)


def is_whole(line: bytes) -> bool:
    """Whether the checksum of a line is right."""
    at = line.rfind(_CHECK)
    return at >= 0 and line[at + len(_CHECK) :] == b'%08x"}\n' % zlib.crc32(line[:at] + b"}")


def played_of(plan: Plan, number: int, entry: dict[str, Any]) -> Played | None:
    """Return the game of a line; `None` if it is not in the plan or invalid."""
    seating = plan.seating(number)
    if entry.get("seats") != [plan.agents[agent] for agent in seating]:
        return None
    try:
        scores, fault = entry["scores"], entry["fault"]
        played = Played(
            number,
            seating,
            tuple(entry["returns"]),
            None if scores is None else tuple(scores),
            entry["reason"],
            entry["plies"],
            None if fault is None else Fault(fault["seat"], fault["reason"]),
            entry["moves"],
        )
    except (KeyError, TypeError):
        return None
    return played if _is_sound(played) and isinstance(entry.get("record"), str) else None


def _is_sound(played: Played) -> bool:
    """Whether every value has the right type: a checksum does not prevent forgery."""
    seats = len(played.seating)
    fault = played.fault
    return (
        _are_numbers(played.returns, seats)
        and (played.scores is None or _are_numbers(played.scores, seats))
        and isinstance(played.reason, str)
        and type(played.plies) is type(played.moves) is int
        and 0 <= played.plies < LARGEST_NUMBER
        and (fault is None or (fault.seat in range(seats) and isinstance(fault.reason, str)))
    )


def _are_numbers(values: tuple[object, ...], count: int) -> bool:
    return len(values) == count and all(
        type(value) in (int, float) and -LARGEST_NUMBER < value < LARGEST_NUMBER  # type: ignore[operator]
        for value in values
    )


@contextlib.contextmanager
def one_line_errors(file: Path | None = None) -> Iterator[None]:
    """Convert `OSError` to a `MatchError` that names the file."""
    try:
        yield
    except OSError as error:
        where = error.filename or file
        what = error.strerror or str(error)
        raise MatchError(f"{where}: {what}" if where else what) from error
