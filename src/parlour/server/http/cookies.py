"""Cookies that hold a browser's seats, one per table.

Browsers send all cookies with every request, so their number is limited: proxies refuse headers
over 8 KB, browsers keep 180 cookies per site, and uvicorn reads 64 KB. A hundred take 5 KB.
"""

from collections.abc import Iterable, Mapping
from http.cookies import CookieError, SimpleCookie

from starlette.requests import Request
from starlette.responses import Response

from parlour.server.live.rooms import Rooms
from parlour.server.store.store import ENDED

MOST_SEATS = 100
"""Maximum number of seats per browser; seats of ended games are dropped first."""

_PREFIX = "seat_"


def cookies_of(text: str) -> Mapping[str, str]:
    """Parse a Cookie header; a malformed one yields no cookies."""
    try:
        found = SimpleCookie(text)
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in found.items()}


def cookie_name(table: str) -> str:
    """Return the name of a seat's cookie."""
    return _PREFIX + table


def seats_in(cookies: Mapping[str, str]) -> dict[str, str]:
    """Return the tokens in cookies by table, oldest first, as browsers send them."""
    return {
        name.removeprefix(_PREFIX): token
        for name, token in cookies.items()
        if name.startswith(_PREFIX)
    }


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
    held = [other for other in seats_in(request.cookies) if other != table]
    surplus = len(held) + 1 - MOST_SEATS
    if surplus > 0:
        listings = await rooms.store.some(held)
        going = {each.row.id for each in listings if each.row.status != ENDED}
        held.sort(key=going.__contains__)
        for other in held[:surplus]:
            response.delete_cookie(
                cookie_name(other), path="/", httponly=True, samesite="lax", secure=secure
            )
