"""The position that a command's SOURCE means."""

from collections.abc import Iterable
from pathlib import Path

from parlour.core.errors import ParlourError
from parlour.core.game import State
from parlour.table import load
from parlour.table.opening import game_with


def position(source: str, settings: Iterable[str], seed: int, at: int | None) -> State:
    """The state that SOURCE means: a record's file, at an action or its end, or a game's start."""
    path = Path(source)
    if path.suffix or path.is_file():
        record = load(path)
        states = list(record.states())
        number = len(states) - 1 if at is None else at
        if not 0 <= number < len(states):
            raise ParlourError(f"{source} has actions 1 to {len(states) - 1}, not {number}")
        return states[number]
    return game_with(source, settings).start(seed)
