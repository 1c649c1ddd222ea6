"""Rows of the log: what a server writes of an event, and how it is read again."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

import msgspec

from parlour.core.game import Game
from parlour.core.registry import game
from parlour.server.store import EventRow
from parlour.table import Event, Kind

OPEN, SEATED, AGENT = "open", "person", "agent"

JOIN, LEAVE, START = "join", "leave", "start"
REMATCH, DECLINE_REMATCH = "rematch", "decline_rematch"
TABLE_KINDS = frozenset(str(kind) for kind in Kind)


class TableData(msgspec.Struct, omit_defaults=True):
    """What a row of a table's event says beside its columns."""

    ply: int = 0
    left: tuple[float, ...] = ()
    who: str = ""
    reason: str = ""
    """Why the operator has ended the game."""


class StartData(msgspec.Struct):
    """What the row of the start says: who sits down, and what they add to chance."""

    seats: list[str]
    nonces: list[str]
    seed: int


class NextData(msgspec.Struct, omit_defaults=True):
    """What a row of `join` or `rematch` says."""

    name: str = ""
    table: str = ""


_table_data = msgspec.json.Decoder(TableData)
_encode = msgspec.json.Encoder().encode
start_data = msgspec.json.Decoder(StartData).decode
next_data = msgspec.json.Decoder(NextData).decode


def encode_data(data: StartData | NextData) -> str:
    """As it is kept."""
    return _encode(data).decode()


@lru_cache(maxsize=256)
def game_of(name: str, options: str) -> Game:
    """The game of a row; games are values, and some take long to make."""
    return game(name, **msgspec.json.decode(options))


def event_row(event: Event, v: int, at: int) -> EventRow:
    """A table's event as it is kept."""
    data = _encode(TableData(event.ply, event.left, event.who)).decode()
    return EventRow(v, str(event.kind), event.seat, event.action, data, at)


def with_reason(row: EventRow, reason: str) -> EventRow:
    """The row of a game's end, with why the operator has ended it."""
    data = msgspec.structs.replace(_table_data.decode(row.data), reason=reason)
    return row._replace(data=_encode(data).decode())


def reason_of(row: EventRow) -> str:
    """Why the operator has ended the game with that row; empty otherwise."""
    return _table_data.decode(row.data).reason if row.kind == Kind.ABANDON else ""


def event_of(row: EventRow, number: int) -> Event:
    """The event that `event_row` kept."""
    data = _table_data.decode(row.data)
    return Event(number, Kind(row.kind), row.seat, data.ply, row.action, tuple(data.left), data.who)


def changes_in(rows: Sequence[EventRow]) -> Iterator[list[EventRow]]:
    """The rows of each change: those that bear the same moment."""
    for _, together in groupby(rows, attrgetter("at")):
        yield list(together)
