"""Puzzles: positions of finished games in which one action is clearly the best.

A file of puzzles is text with a checksum, like a record:

    parlour puzzles 1
    game octa
    puzzle 1
    option size 2
    best 1,1
    worth 0.80 0.10
    position
      turn 8, player 2 to move
      ...
    check 5f0c9a1e

`worth` has the values of the best and of the second-best action for the seat to act. The positions
are those of `Game.state_to_text`.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from typing import NamedTuple

from parlour.agents import Analysis
from parlour.core.checks import shown
from parlour.core.errors import ParlourError
from parlour.core.game import Game, State
from parlour.core.record import Record
from parlour.core.registry import game, game_class

HEADER = "parlour puzzles 1"
FILE = "puzzles.txt"
"""The file of a game's own puzzles, in the package that holds its class."""
GAP = 0.4
"""How much better the best action must be, of the 2 between a loss and a win."""
FEWEST_ACTIONS = 3
LARGEST_FILE = 262_144


class Puzzle(NamedTuple):
    """A position and its only good action."""

    state: State
    best: int
    worth: float
    next_worth: float
    """The value of the second-best action."""


def gap_of(analysis: Analysis) -> float:
    """Return how much better the first choice is than every other one; 0 for a lost position."""
    first, *others = analysis.choices
    if not others or first.value < -GAP:
        return 0.0
    return first.value - max(choice.value for choice in others)


def find_puzzles(
    records: Sequence[Record],
    look: Callable[[State], Analysis],
    search: Callable[[State], Analysis],
    gap: float = GAP,
) -> Iterator[Puzzle | None]:
    """Yield for each decision of the records a puzzle, or `None`.

    `look` is a quick search that finds candidates; `search` is a deep one that confirms them.
    """
    seen = set()
    for record in records:
        for state in record.states:
            if state.actor < 0:
                continue
            found = None
            if state.key() not in seen and len(state.legal_actions()) >= FEWEST_ACTIONS:
                seen.add(state.key())
                found = _puzzle(state, look, search, gap)
            yield found


def _puzzle(
    state: State,
    look: Callable[[State], Analysis],
    search: Callable[[State], Analysis],
    gap: float,
) -> Puzzle | None:
    first = look(state)
    if gap_of(first) < gap / 2:
        return None
    deep = search(state)
    best = deep.choices[0]
    if gap_of(deep) < gap or best.action != first.choices[0].action:
        return None
    others = max(choice.value for choice in deep.choices[1:])
    return Puzzle(state, best.action, best.value, others)


def check_records(name: str, records: Sequence[Record]) -> None:
    """Raise `ParlourError` unless the records are finished games of `name` for two seats."""
    for record in records:
        if record.game.name != name:
            raise ParlourError(f"this record is of {record.game.name}, not of {shown(name)}")
        if record.game.has_secrets or record.game.seats != 2:
            raise ParlourError("puzzles need a game for two seats without hidden information")
        if record.final.result() is None:
            raise ParlourError("puzzles are made from finished games; this one is not")


def to_text(name: str, puzzles: Sequence[Puzzle]) -> str:
    """Return the text of a file of puzzles."""
    lines = [HEADER, f"game {name}"]
    for number, puzzle in enumerate(puzzles, 1):
        played: Game = puzzle.state.game
        lines.append(f"puzzle {number}")
        for option in type(played).OPTIONS:
            lines.append(f"option {option.name} {option.to_text(played.options[option.name])}")
        lines.append(f"best {played.action_to_text(puzzle.state, puzzle.best)}")
        lines.append(f"worth {puzzle.worth:.2f} {puzzle.next_worth:.2f}")
        lines.append("position")
        lines += [f"  {line}".rstrip() for line in str(puzzle.state).splitlines()]
    lines.append(f"check {_check(lines)}")
    return "\n".join(lines) + "\n"


def from_text(text: str) -> list[Puzzle]:
    """Return the puzzles of a file. Raise `ParlourError`, which says what is wrong."""
    lines = text[:LARGEST_FILE].splitlines()
    if not lines or lines[0] != HEADER:
        found = lines[0] if lines else ""
        raise ParlourError(f"a file of puzzles must begin with {HEADER!r}, not {shown(found)}")
    if lines[-1] != f"check {_check(lines[:-1])}":
        raise ParlourError("the last line of the puzzles must be the check of the lines above it")
    word, _, name = lines[1].partition(" ")
    if word != "game":
        raise ParlourError("line 2 of the puzzles must be: game NAME")
    starts = [at for at, line in enumerate(lines) if line.startswith("puzzle ")]
    if not starts:
        raise ParlourError("the file has no puzzles")
    ends = [*starts[1:], len(lines) - 1]
    return [_read(name, lines[at + 1 : end]) for at, end in zip(starts, ends, strict=True)]


def _read(name: str, lines: Sequence[str]) -> Puzzle:
    try:
        at = lines.index("position")
        options = [line.split(" ", 2)[1:] for line in lines[:at] if line.startswith("option ")]
        named = dict(line.split(" ", 1) for line in lines[:at])
        values = [float(each) for each in named["worth"].split()]
        declared = {option.name: option for option in game_class(name).OPTIONS}
        given = {key: declared[key].from_text(value) for key, value in options}
        played = game(name, **given)
        state = played.state_from_text("\n".join(line[2:] for line in lines[at + 1 :]))
        best = played.action_from_text(state, named["best"])
        state.play(best)
        return Puzzle(state, best, *values)
    except (KeyError, ValueError, TypeError) as error:  # also ParlourError
        if isinstance(error, ParlourError):
            raise
        raise ParlourError("a puzzle needs the lines option, best, worth and position") from error


def own_puzzles(name: str) -> list[Puzzle]:
    """Return the puzzles that come with a game; none if it has no file."""
    package = game_class(name).__module__.rpartition(".")[0]
    place = files(package).joinpath(FILE) if package else None
    if place is None or not place.is_file():
        return []
    return from_text(place.read_text("utf-8"))


def _check(lines: Sequence[str]) -> str:
    return f"{zlib.crc32(chr(10).join(lines).encode()):08x}"
