"""The position that a command's SOURCE means."""

from collections.abc import Iterable
from pathlib import Path

from parlour.core.game import State, start_of
from parlour.table import load
from parlour.table.opening import game_with


def position(source: str, settings: Iterable[str], seed: int, at: int | None) -> State:
    """The state that SOURCE means: a record's file, at an action or its end, or a game's start."""
    path = Path(source)
    if path.suffix or path.is_file():
        record = load(path)
        return record.final if at is None else record.state_at(at)
    return start_of(game_with(source, settings), seed)
