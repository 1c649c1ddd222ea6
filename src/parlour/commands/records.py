"""`records`: the games that are kept."""

from parlour.core.errors import RecordError
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
        except RecordError:
            print(f"{path.name}  damaged: 'parlour replay --check' says where")
            continue
        plies = f"{len(record.actions)} actions"
        how = "unfinished" if is_unfinished(record) else "over"
        print(f"{path.name}  {record.game.title}, {plies}, {how}")
    print(f"{len(files)} in {folder}")
    return 0
