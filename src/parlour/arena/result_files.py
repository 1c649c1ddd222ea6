"""Results from files, for ratings: folders of matches and tournaments, and CSV files.

The first line of a CSV file names its columns:

    group       optional: games with the same value are resampled together
    seat1 ...   the player of each seat
    return1 ... the return of each seat; only the order counts: 1, 0.5, 0 or 3, 2, 1, 0

Other columns are ignored.
"""

import csv
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from parlour.arena.errors import MatchError
from parlour.arena.outcomes import Outcomes
from parlour.arena.storage import KINDS, GamesFile, one_line_errors, read_header

Games = Sequence[tuple[Sequence[str], Sequence[float]]]


def outcomes_of(paths: Sequence[str | os.PathLike[str]]) -> tuple[Outcomes, str]:
    """Read all results of these folders and files; return them and the game.

    CSV files do not name their game; it is empty if there are no folders. Raises `MatchError` if a
    file cannot be read, or the games or their options differ.
    """
    if not paths:
        raise MatchError("give a folder of a match or tournament, or a CSV file")
    found: Outcomes | None = None
    game = ""
    seen: set[Path] = set()
    for path in map(Path, paths):
        if path.resolve() in seen:
            raise MatchError(f"{path} is named twice: its games would count twice")
        seen.add(path.resolve())
        seats, name, groups = _csv_file(path) if path.is_file() else _folder(path)
        if name and game and name != game:
            raise MatchError(f"{path} is of {name}, not of {game}: rate them separately")
        game = game or name
        if found is None:
            found = Outcomes(seats)
        elif found.seats != seats:
            raise MatchError(f"{path} has {seats} seats, not {found.seats}: rate them separately")
        for group in groups:
            found.add_group(group)
    assert found is not None
    return found, game


def _folder(path: Path) -> tuple[int, str, Iterator[Games]]:
    for kind in KINDS:
        file = path / f"{kind.word}.json"
        if file.exists():
            break
    else:
        raise MatchError(
            f"{path} is neither a folder of a match or tournament nor a CSV file with results"
        )
    header = read_header(file)
    try:
        seats = int(header["seats"])
        options = " ".join(
            f"{key}={str(value).lower() if isinstance(value, bool) else value}"
            for key, value in header["options"].items()
        )
        name = f"{header['game']} {options}".strip()
        size = len(header["agents"]) if seats == 1 else seats
        if seats < 1 or size < 1:
            raise ValueError("no players")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise MatchError(f"{file} is damaged: it does not say which game was played") from None
    if header.get("format") != kind.format:
        raise MatchError(f"{file} was written by another version: {header.get('format')!r}")
    return seats, name, _groups(path, seats, size)


def _groups(path: Path, seats: int, size: int) -> Iterator[Games]:
    """Yield the complete groups, one at a time."""
    file = GamesFile(path)
    open_group: list[tuple[Sequence[str], Sequence[float]]] = []
    at = 0
    with one_line_errors():
        file.read()
        for number, entry in file.entries(file.all):
            if number // size != at:
                at, open_group = number // size, []
            game = _game_of(entry, seats)
            if game is not None:
                open_group.append(game)
            if len(open_group) == size:
                yield open_group
                open_group = []


def _game_of(entry: dict[str, Any], seats: int) -> tuple[list[str], list[float]] | None:
    try:
        players = [str(text) for text in entry["seats"]]
        returns = [float(value) for value in entry["returns"]]
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    is_sound = len(players) == len(returns) == seats and not any(map(math.isnan, returns))
    return (players, returns) if is_sound else None


def _csv_file(path: Path) -> tuple[int, str, Iterator[Games]]:
    with one_line_errors(path), path.open(encoding="utf-8-sig", newline="") as file:
        try:
            columns = next(csv.reader(file), [])
        except (UnicodeDecodeError, csv.Error) as error:
            raise MatchError(f"{path} is not CSV: {error}") from None
    seats = sum(f"seat{number}" in columns for number in range(1, len(columns) + 1))
    wanted = [f"{word}{seat}" for word in ("seat", "return") for seat in range(1, seats + 1)]
    if seats < 2 or not set(wanted) <= set(columns):
        raise MatchError(
            f"{path} needs a first line with the columns seat1, seat2, ..., return1, return2, ... "
            "and perhaps group"
        )
    return seats, "", _csv_groups(path, seats)


def _csv_groups(path: Path, seats: int) -> Iterator[Games]:
    groups: dict[str | int, list[tuple[Sequence[str], Sequence[float]]]] = {}
    with one_line_errors(path), path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        for row in _csv_rows(reader, path):
            try:
                players = [row[f"seat{seat}"].strip() for seat in range(1, seats + 1)]
                returns = [float(row[f"return{seat}"]) for seat in range(1, seats + 1)]
            except (TypeError, ValueError, AttributeError):
                returns, players = [], []
            if not returns or not all(players) or any(value != value for value in returns):
                raise MatchError(
                    f"{path}, line {reader.line_num}: every seat needs a name and a number as its "
                    "return"
                )
            group = row.get("group")
            groups.setdefault(group or reader.line_num, []).append((players, returns))
    yield from groups.values()


def _csv_rows(reader: "csv.DictReader[str]", path: Path) -> Iterator[dict[str, Any]]:
    try:
        yield from reader
    except (UnicodeDecodeError, csv.Error) as error:
        raise MatchError(f"{path} is not CSV after line {reader.line_num}: {error}") from None


def write_csv(outcomes: Outcomes, path: Path) -> None:
    """Write results in the format that `outcomes_of` reads: players and ranks by group.

    The same results give the same file. Raises `MatchError` if it cannot be written, and for games
    for one, which do not rank seats.
    """
    if outcomes.seats == 1:
        raise MatchError("--csv needs a game of two or more seats: keep the folder instead")
    rows = {row: game for game, row in outcomes.rows.items()}
    groups = sorted(
        (sorted(rows[row] for row in group), count) for group, count in outcomes.groups.items()
    )
    numbers = range(1, outcomes.seats + 1)
    with one_line_errors(path), path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        words = ("seat", "return")
        writer.writerow(["group", *(f"{word}{number}" for word in words for number in numbers)])
        group = 0
        for games, count in groups:
            for _ in range(count):
                group += 1
                for players, ranks in games:
                    writer.writerow([group, *players, *(max(ranks) - rank for rank in ranks)])
