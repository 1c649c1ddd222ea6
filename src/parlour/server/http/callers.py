"""Authorization of callers: the table and seat in the path, and the token."""

from collections.abc import Callable, Sequence

from starlette.requests import Request

from parlour.core.checks import shown
from parlour.core.errors import NotFound
from parlour.core.game import State
from parlour.protocol.errors import Conflict, NotYourSeat, Unauthorized
from parlour.server.http.invitations import Secrets
from parlour.server.http.request_parts import token_of, tokens_of
from parlour.server.live.openings import client_status, options_text
from parlour.server.live.room import Room
from parlour.server.live.rooms import Rooms
from parlour.server.live.views import Viewer
from parlour.server.store.store import CreationRow, Holder
from parlour.server.tokens import derived_secret, hash_of, new_secret
from parlour.table.errors import TableError


class Callers:
    """Resolves the table, seat and token of a request."""

    def __init__(self, rooms: Rooms) -> None:
        """Serve the tables of one server."""
        self._rooms = rooms

    async def seen(self, request: Request) -> tuple[Room, Viewer]:
        """Return the table in the path and the caller's view of it.

        Raise `Unauthorized` or `NotYourSeat` for a bad token in a header.
        """
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
            return room, None  # scripts cannot delete the cookie of a lost seat
        if holder.game != table:
            raise NotYourSeat("this token is for another table")
        return room, holder.seat

    async def place(self, request: Request) -> tuple[Room, int]:
        """Return the table and seat in the path. Raise `NotFound` if they do not exist."""
        room = await self._rooms.room(request.path_params["table"])
        text = request.path_params["seat"]
        count = len(room.hosted.seats)
        if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) < count):
            raise NotFound(f"the seats are 0 to {count - 1}, not {shown(text)}")
        return room, int(text)

    async def holder(self, request: Request) -> Holder:
        """Return the holder of the token for the table in the path. Raise `Unauthorized`."""
        table = request.path_params["table"]
        await self._rooms.room(table)
        holder = await self._rooms.holder(token_of(request, table))
        if holder.game != table:
            raise NotYourSeat("this token is for another table")
        return holder

    async def own_seat(self, request: Request) -> tuple[Room, int, Holder]:
        """Return the table, the seat in the path and its holder, who must be the caller.

        Raise `NotYourSeat` if the caller holds another seat.
        """
        self._rooms.check_open()
        room, seat = await self.place(request)
        holder = await self.holder(request)
        if holder.seat != seat:
            raise NotYourSeat(f"your seat is {holder.seat}")
        # The game may have been unloaded while the caller was looked up.
        return await self._rooms.room(room.hosted.id), seat, holder

    async def check_not_playing(
        self,
        request: Request,
        states: Sequence[State],
        charge: Callable[[], None],
        table: str = "",
    ) -> None:
        """Raise `TableError` if the caller plays one of these positions of a game against people.

        Otherwise a copy of a running game could be analysed. The game at `table` may be. Calls
        `charge` for each board that is compared.
        """
        own: dict[str, Holder] = {}
        for token in tokens_of(request):
            held = await self._rooms.store.holder(hash_of(token))
            if held is not None and held.game != table:
                own[held.game] = held
        played = states[0].game
        kind = (played.name, options_text(played))
        for row, _ in await self._rooms.store.some(list(own)):
            if (row.game, row.options) != kind or client_status(row.status) != "playing":
                continue
            other, held = (await self._rooms.room(row.id)).hosted, own[row.id]
            is_held = held.seat in other.people and other.seat(held.seat).epoch == held.epoch
            if not is_held or len(other.people) < 2 or other.table is None:
                continue
            running = other.table.state
            look = None
            for state in states:
                if running.actor != state.actor:
                    continue
                charge()
                look = look or look_of(running, held.seat)
                if look_of(state, held.seat) == look:
                    raise TableError(
                        "you are playing this position against people: wait until that game is over"
                    )

    async def earlier_request(self, key: str, body: bytes) -> CreationRow | None:
        """Return the earlier request with this key, if any. Raise `Conflict` if it differs."""
        known = await self._rooms.store.find_creation(hash_of(key)) if key else None
        if known is not None and known.body != body:
            raise Conflict("this Idempotency-Key was already used for a different request")
        return known

    async def secrets(self, key: str, table: str) -> Secrets:
        """Return a factory of secrets: random ones, or with a key always the same."""
        if not key:
            return lambda kind, seat: new_secret()
        secret = await self._rooms.store.secret()
        return lambda kind, seat: derived_secret(secret, key, table, kind, seat)


def look_of(state: State, seat: int) -> object:
    """Return what a seat sees of a position: cells, seats and the seat to act.

    Texts of positions also count moves, so a copy with a detour would have another text.
    """
    scene = state.scene(seat)
    return [cell._replace(marks=()) for cell in scene.cells], scene.seats, scene.actor
