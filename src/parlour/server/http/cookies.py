"""Cookies that hold a browser's seats, one per table.

Browsers send all cookies with every request, so their number is limited: proxies refuse headers
over 8 KB, browsers keep 180 cookies per site, and uvicorn reads 64 KB. A hundred take 5 KB.
"""

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

from parlour.protocol.limits import COOKIE_BYTES
from parlour.server.live.rooms import Rooms
from parlour.server.store.store import ENDED

MOST_SEATS = 100
"""Maximum number of seats per browser; seats of ended games are dropped first."""

MOST_DROPPED = 10
"""Maximum number of cookies that one response deletes."""

_PREFIX = "seat_"


def cookie_name(table: str) -> str:
    """Return the name of a seat's cookie."""
    return _PREFIX + table


def seats_in(header: str) -> dict[str, str]:
    """Return the tokens in a Cookie header by table, oldest first, as browsers send them.

    Only the end of a long header is read. The standard library would also undo quotes, which some
    versions of Python do in quadratic time; our tokens have none.
    """
    seats = {}
    for part in header[-COOKIE_BYTES:].split(";"):
        name, _, token = part.strip().partition("=")
        if token and name.startswith(_PREFIX):
            seats[name.removeprefix(_PREFIX)] = token
    return seats


def newest(tokens: Iterable[str]) -> list[str]:
    """Return the newest tokens, up to the limit, given the oldest first."""
    return [*tokens][-MOST_SEATS:]


async def keep_seat(
    request: Request, response: Response, table: str, token: str, rooms: Rooms
) -> None:
    """Store a seat's token in an HttpOnly cookie."""
    secure = rooms.settings.is_https
    response.set_cookie(
        cookie_name(table),
        token,
        max_age=rooms.settings.keep or 400 * 24 * 3600,
        path="/",
        httponly=True,
        samesite="lax",
        secure=secure,
    )
    held = [other for other in seats_in(request.headers.get("cookie", "")) if other != table]
    surplus = len(held) + 1 - MOST_SEATS
    if surplus > 0:
        listings = await rooms.store.some(held)
        going = {each.row.id for each in listings if each.row.status != ENDED}
        held.sort(key=going.__contains__)
        for other in held[: min(surplus, MOST_DROPPED)]:
            response.delete_cookie(
                cookie_name(other), path="/", httponly=True, samesite="lax", secure=secure
            )
