"""The cookies in which a browser keeps its seats, one for each table.

A browser sends all of them with every request, so there must not be many: proxies refuse headers
of 8 KB, browsers keep 180 cookies of a site, and uvicorn reads 64 KB. A hundred are 5 KB.
"""

from collections.abc import Iterable, Mapping
from http.cookies import CookieError, SimpleCookie

from starlette.requests import Request
from starlette.responses import Response

from parlour.server.live.rooms import Rooms
from parlour.server.store.store import ENDED

MOST_SEATS = 100
"""That one person is known to hold at once; the seats of ended games are forgotten first."""

_PREFIX = "seat_"


def cookies_of(text: str) -> Mapping[str, str]:
    """The cookies in a header; a damaged one has none."""
    try:
        found = SimpleCookie(text)
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in found.items()}


def cookie_name(table: str) -> str:
    """What the cookie of a seat is called."""
    return _PREFIX + table


def seats_in(cookies: Mapping[str, str]) -> dict[str, str]:
    """The tokens among cookies by their tables, the oldest first, as browsers send them."""
    return {
        name.removeprefix(_PREFIX): token
        for name, token in cookies.items()
        if name.startswith(_PREFIX)
    }


def newest(tokens: Iterable[str]) -> list[str]:
    """As many as are looked up, of tokens that begin with the oldest."""
    return [*tokens][-MOST_SEATS:]


async def keep_seat(
    request: Request, response: Response, table: str, token: str, rooms: Rooms
) -> None:
    """Let the browser keep the token of a seat where no script can read it."""
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
