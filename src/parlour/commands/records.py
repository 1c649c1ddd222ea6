"""`records`: the games that are kept."""

from parlour.core.checks import printable
from parlour.core.errors import ContractError, GameLoadError, RecordError, UnknownGame
from parlour.table import load
from parlour.table.locations import record_files, records_folder
from parlour.table.notes import is_unfinished


def list_records() -> int:
    """The kept games, the latest first."""
    folder = records_folder()
    files = record_files(folder)
    for path in files:
        try:
            record = load(path)
        except RecordError as error:
            print(printable(f"{path.name}  {_trouble(error)}"))
            continue
        plies = f"{len(record.actions)} actions"
        how = "unfinished" if is_unfinished(record) else "over"
        print(printable(f"{path.name}  {record.game.title}, {plies}, {how}"))
    print(f"{len(files)} in {folder}")
    return 0


def _trouble(error: RecordError) -> str:
    """What is wrong with a record, or with its game."""
    reason: BaseException | None = error
    while reason is not None:
        if isinstance(reason, ContractError | GameLoadError | UnknownGame):
            return f"cannot be read: {reason}"
        reason = reason.__cause__
    return "damaged: 'parlour replay --check' says where"
