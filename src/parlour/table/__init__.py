"""One live game: who sits where, where chance comes from, clocks, history, and its file."""

from parlour.table.chance import ChanceSource, commitment_of, verify
from parlour.table.clock import TimeControl
from parlour.table.storage import load
from parlour.table.table import PERSON, Ending, Event, Table, TableError

__all__ = [
    "PERSON",
    "ChanceSource",
    "Ending",
    "Event",
    "Table",
    "TableError",
    "TimeControl",
    "commitment_of",
    "load",
    "verify",
]
