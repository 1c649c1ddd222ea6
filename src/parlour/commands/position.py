"""The position that a command's SOURCE means."""

from collections.abc import Iterable
from pathlib import Path

from parlour.core.game import OVER, State, start_of
from parlour.table import TableError, load
from parlour.table.opening import game_with


def position(source: str, settings: Iterable[str], seed: int, at: int | None) -> State:
    """The state that SOURCE means: a record's file, at an action or its end, or a game's start."""
    path = Path(source)
    if path.suffix or path.is_file():
        record = load(path)
        return record.final if at is None else record.state_at(at)
    return start_of(game_with(source, settings), seed)


def refuse_secrets(state: State) -> None:
    """`TableError` for a position that a spectator may not think about yet."""
    if state.game.has_secrets and state.actor != OVER:
        raise TableError(f"{state.game.title} has secrets: nobody may look before the end")
