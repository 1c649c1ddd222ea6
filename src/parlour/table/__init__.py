"""Live games: seats, chance, clocks, history, and saved files."""

from parlour.table.chance import ChanceSource, commitment_of, verify
from parlour.table.clock import Clocks, TimeControl
from parlour.table.errors import (
    GameInUse,
    GameLost,
    GameOver,
    NotYourTurn,
    StaleEvents,
    TableError,
    TimeUp,
)
from parlour.table.events import (
    Abandon,
    AskTakeback,
    ClaimTime,
    Decline,
    Event,
    EventKind,
    EventView,
    OfferDraw,
    Play,
    Redo,
    Replace,
    Request,
    Resign,
    Start,
    Undo,
)
from parlour.table.live import LiveGame, drive
from parlour.table.local import LocalGame
from parlour.table.notes import PERSON, Ending, Notes
from parlour.table.players import Players
from parlour.table.storage import TableFile, load
from parlour.table.table import Table

__all__ = [
    "PERSON",
    "Abandon",
    "AskTakeback",
    "ChanceSource",
    "ClaimTime",
    "Clocks",
    "Decline",
    "Ending",
    "Event",
    "EventKind",
    "EventView",
    "GameInUse",
    "GameLost",
    "GameOver",
    "LiveGame",
    "LocalGame",
    "NotYourTurn",
    "Notes",
    "OfferDraw",
    "Play",
    "Players",
    "Redo",
    "Replace",
    "Request",
    "Resign",
    "StaleEvents",
    "Start",
    "Table",
    "TableError",
    "TableFile",
    "TimeControl",
    "TimeUp",
    "Undo",
    "commitment_of",
    "drive",
    "load",
    "verify",
]
