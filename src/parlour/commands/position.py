"""The position that a command's SOURCE means."""

from collections.abc import Sequence

from parlour.core.checks import shown
from parlour.core.errors import ParlourError, UnknownGame, UnknownRecord
from parlour.core.game import OVER, State, start_of
from parlour.core.options import did_you_mean
from parlour.core.registry import game_names, game_with
from parlour.table import TableError, load
from parlour.table.locations import find_record, record_files, records_folder


def position(source: str, settings: Sequence[str], seed: int | None, at: int | None) -> State:
    """The state that SOURCE means: a game's start, or a record at an action or its end.

    A game's name comes first; a record is a path, or a name as `parlour records` lists it.
    """
    if is_game(source):
        if at is not None:
            raise ParlourError(f"--at goes with a record; {source} is a game, and means its start")
        return start_of(game_with(source, settings), seed or 0)
    try:
        path = find_record(source)
    except UnknownRecord as error:
        raise _unknown(source, error) from None
    if settings or seed is not None:
        raise ParlourError(
            f"{source} is a record: its options and its seed are in it, so leave "
            f"{'--set' if settings else '--seed'} out"
        )
    record = load(path)
    return record.final if at is None else record.state_at(at)


def is_game(source: str) -> bool:
    """Whether SOURCE is the name of a game that is there, with options after a colon or not."""
    return source.partition(":")[0].replace("-", "_") in game_names()


def _unknown(source: str, error: UnknownRecord) -> ParlourError:
    """What to say of a word that is neither: both are listed, unless it can only be a record."""
    kept = [path.stem for path in record_files(records_folder())]
    if "." in source or "/" in source or any(name.startswith(source) for name in kept):
        return error
    names = game_names()
    near = did_you_mean(source, [*names, *kept])
    return UnknownGame(
        f"there is no game and no record {shown(source)}{near}; the games are "
        f"{', '.join(names)}, and 'parlour records' lists the records"
    )


def refuse_secrets(state: State) -> None:
    """`TableError` for a position that a spectator may not think about yet."""
    if state.game.has_secrets and state.actor != OVER:
        raise TableError(f"{state.game.title} has secrets: nobody may look before the end")
