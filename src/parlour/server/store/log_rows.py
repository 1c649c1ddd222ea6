"""Conversion between events and rows of the store."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

import msgspec

from parlour.core.game import Game
from parlour.core.registry import game
from parlour.server.store.store import Change, DamagedGame, KeptGame, RequestRow
from parlour.table.events import Event, EventKind, Start

OPEN, SEATED, AGENT = "open", "person", "agent"


class EventData(msgspec.Struct, omit_defaults=True):
    """The fields of an event without a column."""

    ply: int = 0
    left: tuple[float, ...] = ()
    who: str = ""
    text: str = ""
    start: Start | None = None
    request: tuple[int, int, str, bytes] | None = None
    """The request that the event answers: seat, epoch, id and hash."""


_decode = msgspec.json.Decoder(EventData).decode
_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=256)
def game_of(name: str, options: str) -> Game:
    """Return the game of a row, cached because some games are slow to create."""
    return game(name, **msgspec.json.decode(options))


EventRow = tuple[int, str, int, int, str, int]
"""An event's columns: v, kind, seat, action, data and time."""


def event_values(event: Event, request: RequestRow | None = None) -> EventRow:
    """Return an event's columns, with the request that it answers.

    A table of requests would double the cost of a move.
    """
    number, kind, seat, ply, action, left, who, at, text, start = event
    asked = None if request is None else request[:4]
    packed = _encode(EventData(ply, left, who, text, start, asked)).decode()
    return number, kind.value, seat, action, packed, at


def change_values(change: Change) -> list[EventRow]:
    """Return the columns of a change's events; the last one answers the request."""
    last = len(change.events) - 1
    return [
        event_values(event, change.request if at == last else None)
        for at, event in enumerate(change.events)
    ]


def read_log(rows: Sequence[EventRow]) -> tuple[list[Event], list[RequestRow]]:
    """Return the events of their columns, and the requests that they answer."""
    events, requests = [], []
    for v, kind, seat, action, data, at in rows:
        more = _decode(data)
        events.append(_event(v, kind, seat, action, more, at))
        if more.request is not None:
            requests.append(RequestRow(*more.request, v))
    return events, requests


def _event(v: int, kind: str, seat: int, action: int, more: EventData, at: int) -> Event:
    return Event(
        v,
        EventKind(kind),
        seat,
        more.ply,
        action,
        more.left,
        more.who,
        at,
        more.text,
        more.start,
    )


def changes_in(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Group events by change: events of a change have the same time."""
    for _, together in groupby(events, attrgetter("at")):
        yield list(together)


def check_log(kept: KeptGame, after: int) -> None:
    """Raise `DamagedGame` unless the events after a version lead to the game's version."""
    numbers = [event.number for event in kept.events]
    if numbers != list(range(after + 1, kept.row.v + 1)):
        found = set(numbers)
        missing = (v for v in range(after + 1, kept.row.v + 1) if v not in found)
        hole = next(missing, None)
        what = f"event {hole} is missing" if hole is not None else "it has too many events"
        raise DamagedGame(
            f"the log of table {kept.row.id} is damaged ({what}): the operator must restore it "
            "from a backup"
        )
