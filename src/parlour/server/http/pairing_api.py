"""HTTP handler of quick pairing."""

from starlette.requests import Request
from starlette.responses import Response

from parlour.core.game import Game
from parlour.protocol.json import Reader, encode
from parlour.protocol.requests import FindGame, Seated
from parlour.server.http.callers import Callers
from parlour.server.http.catalogue import wanted_game
from parlour.server.http.cookies import keep_seat
from parlour.server.http.request_parts import answer, body_of, secret_key_of
from parlour.server.http.seat_api import clean_name
from parlour.server.live.rooms import Rooms
from parlour.server.store.store import CreationRow, TokenRow
from parlour.server.tokens import body_hash, hash_of
from parlour.table import TimeControl
from parlour.table.chance import check_nonce
from parlour.table.errors import TableError

_find: Reader[FindGame] = Reader(FindGame)
_seated: Reader[Seated] = Reader(Seated)


class PairingApi:
    """Request handler. It raises `ParlourError` to refuse a request."""

    def __init__(self, rooms: Rooms) -> None:
        """Serve the tables of one server."""
        self._rooms = rooms
        self._callers = Callers(rooms)

    async def pair(self, request: Request) -> Response:
        """Seat the caller with the next people who want the same game."""
        self._rooms.check_open()
        body, key = await body_of(request), secret_key_of(request)
        wish = _find.read(body)
        seeker = Caller(self._callers, key, body_hash(b"pairing" + body), wish)
        if not await seeker.is_seated():
            played, control = await self._rooms.in_background(_wanted, wish)
            await self._rooms.pairing.seat(played, control, seeker)
        response = answer(seeker.seated)
        table, token = seeker.seated.table, seeker.seated.token
        await keep_seat(request, response, table, token, self._rooms)
        return response


class Caller:
    """A person who looks for a game; a `Seeker`."""

    def __init__(self, callers: Callers, key: str, fingerprint: bytes, wish: FindGame) -> None:
        """Look for the game of a request with this idempotency key and fingerprint."""
        self.name, self.nonce = clean_name(wish.name), check_nonce(wish.nonce)
        self.seated = Seated("", 0, "")
        """The response."""
        self._callers = callers
        self._key = key
        self._fingerprint = fingerprint

    async def is_seated(self) -> bool:
        """Whether an earlier request with the same key was executed."""
        known = await self._callers.earlier_request(self._key, self._fingerprint)
        if known is not None:
            found = _seated.read(known.answer)
            await self.sit(found.table, found.seat)
        return known is not None

    async def sit(self, table: str, seat: int) -> tuple[TokenRow, CreationRow | None]:
        """Return the rows of the token and of the request for a seat."""
        token = (await self._callers.secrets(self._key, table))("token", seat)
        self.seated = Seated(table, seat, token)
        row = TokenRow(hash_of(token), seat, 0)
        if not self._key:
            return row, None
        bare = encode(Seated(table, seat, "")).decode()
        return row, CreationRow(hash_of(self._key), self._fingerprint, bare)


def _wanted(wish: FindGame) -> tuple[Game, TimeControl | None]:
    played = wanted_game(wish.game, wish.options)
    if played.seats < 2:
        raise TableError(f"{played.title} has one seat, so you need no opponent")
    return played, TimeControl.from_text(wish.clock) if wish.clock else None
