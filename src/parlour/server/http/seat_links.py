"""HTTP handlers of links that carry all seats of a browser to another one, once.

The link has a code in its fragment. The store has the list of tables under the code's hash, and an
invitation for each seat, derived from the code; they expire, and can be revoked.
"""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from parlour.core.errors import NotFound
from parlour.protocol.errors import ClaimUsed, NotYourSeat, Unauthorized
from parlour.protocol.json import Reader, encode
from parlour.protocol.requests import (
    ClaimSeat,
    Seated,
    SeatsCode,
    SeatsFound,
    SeatsLink,
    SeatsRevoked,
)
from parlour.server import costs
from parlour.server.http.cookies import keep_seat
from parlour.server.http.request_parts import address_of, answer, body_of, tokens_of
from parlour.server.http.seat_api import SeatApi
from parlour.server.live.rooms import NO_SEAT, Rooms
from parlour.server.rates import Buckets
from parlour.server.store.store import ENDED, CreationRow, Holder, TokenRow
from parlour.server.tokens import body_hash, hash_of, new_secret
from parlour.table.errors import TableError

MOST_SEATS = 50
"""Seats in one link: those of running games first, then the newest."""
SECONDS = 3600

_code: Reader[SeatsCode] = Reader(SeatsCode)
GONE = (ClaimUsed, NotFound, NotYourSeat, TableError)
"""Why a seat may no longer be available."""


class _Carried(msgspec.Struct):
    """What the store keeps of a link."""

    at: int
    seats: list[tuple[str, int]]


_carried: Reader[_Carried] = Reader(_Carried)


class SeatLinks:
    """Request handlers. They raise `ParlourError` to refuse a request."""

    def __init__(self, rooms: Rooms, work: Buckets, seat_api: SeatApi) -> None:
        """Serve the tables of one server; `work` has the budgets of the addresses."""
        self._rooms = rooms
        self._work = work
        self._seats = seat_api

    async def link_seats(self, request: Request) -> Response:
        """Create a link that carries the caller's seats."""
        self._rooms.check_open()
        own = await self._own(request)
        if not own:
            raise Unauthorized("you have no seats to take along")
        code, carried = new_secret(), list(own)
        self._pay(request, len(carried))
        note = _Carried(self._rooms.clock.now(), [(holder.game, holder.seat) for holder in carried])
        # The list belongs to the last seat's table, so that a link without all claims never works.
        asked = CreationRow(_key(code), body_hash(b"seats"), encode(note).decode())
        for holder in carried:
            room = await self._rooms.room(holder.game)
            last = asked if holder is carried[-1] else None
            await self._seats.add_claim(room, holder, _claim(code, holder.game), last)
        url = f"{self._rooms.settings.base_url}/games#seats={code}"
        return answer(SeatsLink(code, url, len(carried), SECONDS))

    async def _own(self, request: Request) -> list[Holder]:
        """Return the caller's seats: of running games first, then the newest."""
        own: dict[str, Holder] = {}
        for token in tokens_of(request):
            self._work.take(address_of(request), costs.TOKEN)
            try:
                holder = await self._rooms.holder(token)
            except NO_SEAT:
                continue
            own[holder.game] = holder
        found = [each.row for each in await self._rooms.store.some(list(own))]
        found.sort(key=lambda row: (row.status == ENDED, -row.created_at))
        return [own[row.id] for row in found[:MOST_SEATS]]

    async def claim_seats(self, request: Request) -> Response:
        """Give the caller the seats of a link."""
        self._rooms.check_open()
        code = _code.read(await body_of(request)).code
        carried = await self._found(code)
        if self._rooms.clock.now() - carried.at > SECONDS * 1000:
            raise ClaimUsed("this link has expired: make a new one")
        self._pay(request, len(carried.seats))
        found = []
        for table, seat in carried.seats:
            token = new_secret()
            row = TokenRow(hash_of(token), seat, 0)
            try:
                room = await self._rooms.room(table)
                body = ClaimSeat(claim=_claim(code, table))
                await self._seats.claim_seat(room, seat, body, row, None)
            except GONE:
                continue
            found.append(Seated(table, seat, token))
        if not found:
            raise ClaimUsed("this link was already used or revoked: make a new one")
        response = answer(SeatsFound(found))
        for each in found:
            await keep_seat(request, response, each.table, each.token, self._rooms)
        return response

    async def revoke_seats(self, request: Request) -> Response:
        """Make a link useless."""
        self._rooms.check_open()
        code = _code.read(await body_of(request)).code
        carried = await self._found(code)
        self._pay(request, len(carried.seats))
        revoked = 0
        for table, _ in carried.seats:
            try:
                await self._seats.drop_claim(await self._rooms.room(table), _claim(code, table))
            except GONE:
                continue
            revoked += 1
        return answer(SeatsRevoked(revoked))

    async def _found(self, code: str) -> _Carried:
        known = await self._rooms.store.find_creation(_key(code))
        if known is None:
            raise ClaimUsed("this link was already used or revoked: make a new one")
        return _carried.read(known.answer.encode())

    def _pay(self, request: Request, seats: int) -> None:
        self._work.take(address_of(request), costs.ROUTES["claim"] * seats)


def _key(code: str) -> bytes:
    return hash_of(f"seats {code}")


def _claim(code: str, table: str) -> str:
    """Return the invitation to a seat that belongs to a link."""
    return hash_of(f"{code} {table}").hex()
