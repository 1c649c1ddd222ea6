"""The position that a command's SOURCE names."""

from collections.abc import Sequence

from parlour.core.checks import shown
from parlour.core.errors import ParlourError, UnknownGame, UnknownRecord
from parlour.core.game import OVER, State, start_of
from parlour.core.options import did_you_mean
from parlour.core.registry import game_names, game_with
from parlour.table import TableError, load
from parlour.table.locations import find_record, record_files, records_folder


def position(source: str, settings: Sequence[str], seed: int | None, at: int | None) -> State:
    """Return the state that SOURCE names: a game's start, or a record at an action or its end.

    Games take precedence; a record is a path or a name as `parlour records` lists it.
    """
    if is_game(source):
        if at is not None:
            raise ParlourError(
                f"--at needs a record; {source} is a game and names its start position"
            )
        return start_of(game_with(source, settings), seed or 0)
    try:
        path = find_record(source)
    except UnknownRecord as error:
        raise _unknown(source, error) from None
    if settings or seed is not None:
        raise ParlourError(
            f"{source} is a record, which contains its options and seed: leave out "
            f"{'--set' if settings else '--seed'}"
        )
    record = load(path)
    return record.final if at is None else record.state_at(at)


def is_game(source: str) -> bool:
    """Return whether SOURCE is the name of an installed game, with or without options."""
    return source.partition(":")[0].replace("-", "_") in game_names()


def _unknown(source: str, error: UnknownRecord) -> ParlourError:
    """Return the error for an unknown word; it lists games unless the word can only be a record."""
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
    """Raise `TableError` for an unfinished game with secrets."""
    if state.game.has_secrets and state.actor != OVER:
        raise TableError(f"{state.game.title} has secrets: no analysis before the end")
