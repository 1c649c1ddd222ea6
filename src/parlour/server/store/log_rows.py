"""Conversion between events and rows of the store."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

import msgspec

from parlour.core.game import Game
from parlour.core.registry import game
from parlour.table.events import Event, EventKind, Start

OPEN, SEATED, AGENT = "open", "person", "agent"


class EventData(msgspec.Struct, omit_defaults=True):
    """The fields of an event without a column."""

    ply: int = 0
    left: tuple[float, ...] = ()
    who: str = ""
    text: str = ""
    start: Start | None = None


_decode = msgspec.json.Decoder(EventData).decode
_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=256)
def game_of(name: str, options: str) -> Game:
    """Return the game of a row, cached because some games are slow to create."""
    return game(name, **msgspec.json.decode(options))


def event_values(event: Event) -> tuple[int, str, int, int, str, int]:
    """Return an event's columns: v, kind, seat, action, data and time."""
    data = EventData(event.ply, event.left, event.who, event.text, event.start)
    packed = _encode(data).decode()
    return event.number, str(event.kind), event.seat, event.action, packed, event.at


def event_of(v: int, kind: str, seat: int, action: int, data: str, at: int) -> Event:
    """Return the event of the columns written by `event_values`."""
    more = _decode(data)
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
