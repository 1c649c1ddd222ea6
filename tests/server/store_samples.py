"""Sample games for the tests of stores."""

from contextlib import asynccontextmanager

from live_server import OwnClock

from parlour.server.store.store import GameRow, NewGame, SeatRow
from parlour.server.store.stores import store_opener
from parlour.table import Event, EventKind


def new(id="g", **more):
    row = GameRow(id, "octa", "{}", 1, b"k" * 32, "", "link", 1, touched_at=1, status="person")
    return NewGame(row, [SeatRow(0, "person"), SeatRow(1, "agent", "level:1")], **more)


def event(v, at=5):
    return Event(v, EventKind.PLAY, 0, 1, 7, at=at)


@asynccontextmanager
async def opened(text):
    """Open a store."""
    store = store_opener(text)(OwnClock(1.0).server)
    try:
        yield store
    finally:
        await store.close()
