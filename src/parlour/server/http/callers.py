"""Who asks, and for which table and seat: told by the path and by the token."""

from starlette.requests import Request

from parlour.core.checks import shown
from parlour.core.errors import NotFound
from parlour.protocol.errors import Conflict, NotYourSeat, Unauthorized
from parlour.server.http.invitations import Secrets
from parlour.server.http.request_parts import token_of
from parlour.server.live.room import Room
from parlour.server.live.rooms import Rooms
from parlour.server.live.views import Viewer
from parlour.server.store.store import CreationRow, Holder
from parlour.server.tokens import derived_secret, hash_of, new_secret


class Callers:
    """Knows who may do what at the tables of one server."""

    def __init__(self, rooms: Rooms) -> None:
        """For the games of one server."""
        self._rooms = rooms

    async def seen(self, request: Request) -> tuple[Room, Viewer]:
        """The table in the path, and whose eyes look on."""
        table = request.path_params["table"]
        room = await self._rooms.room(table)
        token = token_of(request, table)
        if not token:
            return room, None
        try:
            holder = await self._rooms.holder(token)
        except Unauthorized:
            if "authorization" in request.headers:
                raise
            return room, None  # a page cannot throw away the cookie of a seat that is lost
        if holder.game != table:
            raise NotYourSeat("this token is for another table")
        return room, holder.seat

    async def place(self, request: Request) -> tuple[Room, int]:
        """The table and the seat in the path; `NotFound`."""
        room = await self._rooms.room(request.path_params["table"])
        text = request.path_params["seat"]
        count = len(room.hosted.seats)
        if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) < count):
            raise NotFound(f"the seats are 0 to {count - 1}, not {shown(text)}")
        return room, int(text)

    async def holder(self, request: Request) -> Holder:
        """Whose token comes with a request for the table in the path; `Unauthorized`."""
        table = request.path_params["table"]
        await self._rooms.room(table)
        holder = await self._rooms.holder(token_of(request, table))
        if holder.game != table:
            raise NotYourSeat("this token is for another table")
        return holder

    async def own_seat(self, request: Request) -> tuple[Room, int, Holder]:
        """The table and the seat in the path, which is the caller's; `NotYourSeat`."""
        self._rooms.check_open()
        room, seat = await self.place(request)
        holder = await self.holder(request)
        if holder.seat != seat:
            raise NotYourSeat(f"your seat is {holder.seat}")
        # The game may have left the memory while its caller was looked up.
        return await self._rooms.room(room.hosted.id), seat, holder

    async def done_before(self, key: str, body: bytes) -> CreationRow | None:
        """The same request, if it was carried out already; `Conflict` if it was another."""
        known = await self._rooms.store.find_creation(hash_of(key)) if key else None
        if known is not None and known.body != body:
            raise Conflict("this Idempotency-Key was used for another request")
        return known

    async def secrets(self, key: str, table: str) -> Secrets:
        """What makes the secrets of a table: new ones, or with a key always the same."""
        if not key:
            return lambda kind, seat: new_secret()
        secret = await self._rooms.store.secret()
        return lambda kind, seat: derived_secret(secret, key, table, kind, seat)
