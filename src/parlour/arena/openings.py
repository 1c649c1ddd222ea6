"""Openings: a file of starts and first actions, each of which is played by one group.

    # a comment; empty lines are ignored
    seed 7                        the start of that seed
    seed 7: 2,2 -2,2              and these actions
    2,2 -2,2                      these actions, from each group's own start

The file can also hold records, as `parlour tournament --export` writes them. The opening is then
the start and the actions of each record up to its end or interruption.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from parlour.arena.errors import MatchError
from parlour.core.errors import ParlourError
from parlour.core.game import CHANCE, OVER, Game, State, start_of
from parlour.core.record import HEADER, Record
from parlour.core.rng import fold_seed
from parlour.files import read_text

LARGEST_OPENINGS = 256 * 1024 * 1024

_LINE = re.compile(r"seed\s+(-?[0-9]{1,20})\s*(?::|$)(.*)")


class Opening(NamedTuple):
    """A start (by default the group's own) and the actions after it."""

    seed: int | None = None
    actions: tuple[int, ...] = ()


def read_openings(path: str | os.PathLike[str], game: Game) -> tuple[Opening, ...]:
    """Read openings from a file and check that each leaves a decision to make.

    Raises `MatchError` with the number of a wrong line and how to correct it.
    """
    try:
        text = read_text(Path(path), LARGEST_OPENINGS)
    except UnicodeDecodeError:
        raise MatchError(f"{path} is not text: openings are lines of actions or records") from None
    except OSError as error:
        raise MatchError(f"cannot read the openings: {path}: {error.strerror}") from error
    found: list[Opening] = []
    for number, entry in _entries(text):
        try:
            found.append(_of_record(entry, game) if HEADER in entry else _of_line(entry, game))
        except ParlourError as error:
            raise MatchError(f"{path}, line {number}: {error}") from error
    if not found:
        raise MatchError(f"{path} has no openings: a line reads like 'seed 7: ACTION ACTION'")
    return tuple(found)


def _entries(text: str) -> Iterator[tuple[int, str]]:
    """Yield (number of the first line, text) of every line and record."""
    block: list[str] = []
    first = 0
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line == HEADER and not block:
            block, first = [line], number
        elif block:
            block.append(line)
            if line.startswith("check "):
                yield first, "\n".join(block) + "\n"
                block = []
        elif line and not line.startswith("#"):
            yield number, line
    if block:
        yield first, "\n".join(block) + "\n"


def _of_record(text: str, game: Game) -> Opening:
    record = Record.from_text(text)
    if record.game != game:
        raise MatchError(f"this is a record of {record.game!r}, not of {game!r}")
    actions = record.actions
    states = record.states
    # Drop the last decision of a finished game, so that one is left to make.
    while states and (states[-1].actor == OVER or states[-1].actor == CHANCE):
        states, actions = states[:-1], actions[:-1]
    return Opening(record.seed, actions[: max(0, len(states) - 1)])


def _of_line(line: str, game: Game) -> Opening:
    found = _LINE.fullmatch(line)
    seed = fold_seed(int(found[1])) if found else None
    words = (found[2] if found else line).split()
    state: State = start_of(game, 0 if seed is None else seed)
    actions: list[int] = []
    for word in words:
        decision, *outcomes = word.split("=")
        texts = ([decision] if decision else []) + [f"={outcome}" for outcome in outcomes]
        for text in texts:
            action = game.action_from_text(state, text)
            reason = state.refusal(action)
            if reason is not None:
                raise MatchError(f"{text} is not legal: {reason}")
            actions.append(action)
            state = state.apply(action)
    if state.actor == OVER:
        raise MatchError("the game is over after these actions: leave at least one decision")
    return Opening(seed, tuple(actions))
