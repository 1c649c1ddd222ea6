"""Conversion between events and rows of the store."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

import msgspec

from parlour.core.game import Game
from parlour.core.registry import game
from parlour.server.store.store import DamagedGame, KeptGame
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
    number, kind, seat, ply, action, left, who, at, text, start = event
    if left or who or text or start is not None:
        packed = _encode(EventData(ply, left, who, text, start)).decode()
    else:
        packed = f'{{"ply":{ply}}}' if ply else "{}"  # most events, without the encoder
    return number, kind.value, seat, action, packed, at


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
