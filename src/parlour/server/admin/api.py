"""Admin API below `/admin/v1`: list, end and export tables; tune limits."""

import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from parlour.core.checks import printable, shown
from parlour.core.errors import BadMessage, NotFound
from parlour.protocol.administration import (
    ADMIN,
    AdminTable,
    AdminTables,
    EndedTable,
    EndTable,
    LimitList,
    LimitState,
    RunningGame,
    SetLimits,
    TrustedClock,
)
from parlour.protocol.json import Reader
from parlour.server.admin.access import AdminAccess
from parlour.server.admin.tuning import limit_name
from parlour.server.http.request_parts import answer, body_of, number_in
from parlour.server.live.openings import client_status
from parlour.server.live.room import Room
from parlour.server.live.rooms import Rooms
from parlour.server.live.views import seat_infos
from parlour.server.store.store import ENDED, WAITING, Listing
from parlour.table.errors import GameOver

log = logging.getLogger("parlour.server")

STATUSES = ("waiting", "playing", "over")
AT_ONCE = 200
LOOKED_AT = 2000
"""Maximum number of tables that one request scans for matches."""

_end: Reader[EndTable] = Reader(EndTable)
_set: Reader[SetLimits] = Reader(SetLimits)

Guard = Callable[[Callable[[Request], Awaitable[Response]], Request], Awaitable[Response]]


class Asked(NamedTuple):
    """An authorized request."""

    request: Request
    body: bytes

    @property
    def table(self) -> str:
        """The table id in the path."""
        return str(self.request.path_params["table"])


class AdminApi:
    """Request handlers. They raise `ParlourError` to refuse a request."""

    def __init__(self, rooms: Rooms, access: AdminAccess) -> None:
        """Serve the tables of one store."""
        self._rooms = rooms
        self._access = access

    async def handle(self, name: str, request: Request) -> Response:
        """Authorize a request and return the response of the named operation."""
        self._access.check_address(request)
        body = await body_of(request)
        self._access.check(request, body)
        return await OPERATIONS[name](self, Asked(request, body))

    async def tables(self, asked: Asked) -> Response:
        """List tables page by page, optionally by status and game."""
        query = asked.request.query_params
        status, game, after = (query.get(name, "") for name in ("status", "game", "after"))
        if status and status not in STATUSES:
            raise BadMessage(
                f"the status must be one of {', '.join(STATUSES)}, not {shown(status)}"
            )
        most = min(number_in(asked.request, "most") or AT_ONCE, AT_ONCE)
        exact = {"waiting": WAITING, "over": ENDED}.get(status)
        found: list[AdminTable] = []
        looked_at = 0
        while len(found) < most and looked_at < LOOKED_AT:
            page = await self._rooms.store.tables(exact, after, most)
            looked_at += len(page)
            for listing in page:
                after = listing.row.id
                table = _table(listing)
                if status in ("", table.status) and game in ("", table.game):
                    found.append(table)
                    if len(found) == most:
                        break
            if len(page) < most:
                if len(found) < most:
                    after = ""
                break
        return answer(AdminTables(found, after))

    async def table(self, asked: Asked) -> Response:
        """Return one table."""
        return answer(await self._shown(asked.table))

    async def _shown(self, table: str) -> AdminTable:
        found = await self._rooms.store.some([table])
        if not found:
            raise NotFound(f"no table has the id {shown(table)}")
        return _table(found[0])

    async def end(self, asked: Asked) -> Response:
        """End a game with an event that shows the reason to everyone at the table."""
        reason = printable(" ".join(_end.read(asked.body).reason.split())).rstrip(".")
        if not reason:
            raise BadMessage("give a reason: the players will see it")
        room = await self._room(asked.table)
        if not await room.abandon(reason):
            raise GameOver("the game is already over")
        log.info("the operator ended a game", extra={"table": asked.table, "reason": reason})
        return answer(EndedTable(asked.table, room.hosted.v))

    async def export(self, asked: Asked) -> Response:
        """Return the record of a finished game, or the spectators' view of a running one."""
        room = await self._room(asked.table)
        hosted = room.hosted
        name = f"{hosted.game.name}-{hosted.id}"
        if hosted.table is not None and hosted.table.is_over:
            text = await self._rooms.in_background(hosted.table.record().to_text)
            return _file(text.encode(), f"{name}.parlour")
        events = room.views.events_after(None, 0, hosted.v + 1)
        running = RunningGame(await self._shown(hosted.id), events)
        return _file(msgspec.json.format(msgspec.json.encode(running)), f"{name}.json")

    async def _room(self, table: str) -> Room:
        await self._shown(table)  # its error names the table, unlike that of `room`
        return await self._rooms.room(table)

    async def trust_clock(self, asked: Asked) -> Response:
        """Trust this machine's clock, so that old games are ended and erased again."""
        before, now = await self._rooms.store.trusted_time(), self._rooms.clock.now()
        await self._rooms.store.trust(now)
        await self._rooms.housekeeping.check_clock()
        log.info("the operator confirmed the clock", extra={"before": before, "now": now})
        return answer(TrustedClock(before, now))

    # Limits.

    async def limits(self, asked: Asked) -> Response:
        """List the limits that can be tuned."""
        await self._rooms.tune()
        return answer(LimitList([LimitState(*each) for each in self._rooms.tuning.limits()]))

    async def set_limits(self, asked: Asked) -> Response:
        """Set all given limits, or none if one is invalid."""
        wanted = _set.read(asked.body).limits
        chosen = {limit_name(name): text for name, text in wanted.items()}
        for name, text in chosen.items():
            if text is not None:
                self._rooms.tuning.check(name, text)
        for name, text in chosen.items():
            await self._rooms.store.set_setting(name, text)
        return await self.limits(asked)


OPERATIONS: dict[str, Callable[[AdminApi, Asked], Awaitable[Response]]] = {
    "tables": AdminApi.tables,
    "table": AdminApi.table,
    "end": AdminApi.end,
    "export": AdminApi.export,
    "trust_clock": AdminApi.trust_clock,
    "limits": AdminApi.limits,
    "set_limits": AdminApi.set_limits,
}
PATHS = (
    ("GET", "/tables", "tables"),
    ("GET", "/tables/{table}", "table"),
    ("POST", "/tables/{table}/end", "end"),
    ("GET", "/tables/{table}/export", "export"),
    ("POST", "/clock", "trust_clock"),
    ("GET", "/limits", "limits"),
    ("POST", "/limits", "set_limits"),
)


def admin_routes(api: Callable[[], AdminApi], guard: Guard) -> list[Route]:
    """Return the routes. `api` is called per request; `guard` turns errors into responses."""

    def route(method: str, path: str, name: str) -> Route:
        async def handle(request: Request) -> Response:
            return await guard(lambda request: api().handle(name, request), request)

        return Route(ADMIN + path, handle, methods=[method])

    return [route(*each) for each in PATHS]


def _table(listing: Listing) -> AdminTable:
    row, seats = listing
    return AdminTable(
        table=row.id,
        game=row.game,
        options=msgspec.json.decode(row.options),
        status=client_status(row.status),
        seats=seat_infos(seats),
        created=row.created_at,
        touched=row.touched_at,
        v=row.v,
        ply=row.ply,
        to_act=row.actor if row.actor >= 0 else -1,
        control=row.control,
        listed=row.visibility == "listed",
        rematch_of=row.rematch_of,
        rematch=row.rematch,
    )


def _file(data: bytes, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)
