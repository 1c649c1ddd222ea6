"""Games to be kept, for the tests of stores."""

from contextlib import asynccontextmanager

from live_server import OwnClock

from parlour.server.store import EventRow, GameRow, NewGame, SeatRow
from parlour.server.stores import store_opener


def new(id="g", **more):
    row = GameRow(id, "octa", "{}", 1, b"k" * 32, "", "link", 1, touched_at=1, status="person")
    return NewGame(row, [SeatRow(0, "person"), SeatRow(1, "agent", "level:1")], **more)


def event(v, at=5):
    return EventRow(v, "play", 0, 7, "{}", at)


@asynccontextmanager
async def opened(text):
    """The store of a text."""
    store = store_opener(text)(OwnClock(1.0).server)
    try:
        yield store
    finally:
        await store.close()
