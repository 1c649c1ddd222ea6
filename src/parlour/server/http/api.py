"""HTTP handlers: create and view tables, fetch records and analyses."""

import asyncio
import contextlib
from typing import TypeVar

import msgspec
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from parlour._build import build_info
from parlour.agents.isolation import vetted
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.drawing.film import MOST_FRAMES
from parlour.drawing.pictures import to_png
from parlour.protocol.errors import StoreUnavailable, TooLarge
from parlour.protocol.json import Reader, encode
from parlour.protocol.limits import BODY_BYTES, RECORD_BODY_BYTES
from parlour.protocol.messages import Say, SeatRequest
from parlour.protocol.requests import (
    Done,
    EventsAfter,
    Games,
    Health,
    Invitation,
    MadeTable,
    NewTable,
    SeatWish,
    TableList,
    TableState,
)
from parlour.server import costs
from parlour.server.http.callers import Callers
from parlour.server.http.catalogue import (
    game_examples,
    game_infos,
    game_puzzles,
    game_texts,
    wanted_game,
)
from parlour.server.http.cookies import keep_seat
from parlour.server.http.films import Films
from parlour.server.http.invitations import (
    add_secrets,
    watch_url,
    with_secrets,
    without_secrets,
)
from parlour.server.http.pages import send_file
from parlour.server.http.pairing_api import PairingApi
from parlour.server.http.previews import Previews
from parlour.server.http.request_parts import (
    address_of,
    answer,
    body_of,
    key_of,
    number_in,
    secret_key_of,
    tokens_of,
    with_id,
)
from parlour.server.http.seat_api import clean_name
from parlour.server.live.openings import count_actions, new_game
from parlour.server.live.rooms import NO_SEAT, Rooms
from parlour.server.rates import Buckets
from parlour.server.store.log_rows import AGENT, OPEN, SEATED
from parlour.server.store.store import (
    CreationRow,
    NewGame,
    Outdated,
    SeatRow,
)
from parlour.server.tokens import body_hash, hash_of, owner_of
from parlour.table.chance import check_nonce
from parlour.table.clock import TimeControl
from parlour.table.errors import TableError

T = TypeVar("T")

EVENTS_AT_ONCE = 500

_new_table: Reader[NewTable] = Reader(NewTable)
_made_table: Reader[MadeTable] = Reader(MadeTable)
_action: Reader[SeatRequest] = Reader(SeatRequest)


class Api:
    """Request handlers. They raise `ParlourError` to refuse a request."""

    def __init__(self, rooms: Rooms, work: Buckets, films: Films) -> None:
        """Serve the tables of one server; `work` has the budgets of the addresses."""
        self._rooms = rooms
        self._work = work
        self._callers = Callers(rooms)
        self._pairing = PairingApi(rooms)
        self._films = films
        self._previews = Previews(rooms)

    # Games and tables.

    async def games(self, request: Request) -> Response:
        """List the games."""
        loop = asyncio.get_running_loop()
        infos = await loop.run_in_executor(None, game_infos)
        return answer(Games(infos), headers={"cache-control": "max-age=60"})

    async def game_texts(self, request: Request) -> Response:
        """Return a game's texts in another language."""
        name, language = request.path_params["game"], request.path_params["language"]
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(None, game_texts, name, language)
        return send_file(found, request, "max-age=600")

    async def preview(self, request: Request) -> Response:
        """Return a short game between agents, for a moving picture."""
        found = await self._previews.preview(request.path_params["game"])
        return send_file(found, request, "max-age=600")

    async def examples(self, request: Request) -> Response:
        """Return positions that illustrate the rules."""
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(None, game_examples, request.path_params["game"])
        return send_file(found, request, "max-age=600")

    async def puzzles(self, request: Request) -> Response:
        """Return the puzzles of a game."""
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(None, game_puzzles, request.path_params["game"])
        return send_file(found, request, "max-age=600")

    async def tables(self, request: Request) -> Response:
        """List the public tables, or the caller's own."""
        lobby = self._rooms.lobby
        if "mine" in request.query_params:
            own: dict[str, int] = {}
            for token in tokens_of(request):
                self._work.take(address_of(request), costs.TOKEN)
                with contextlib.suppress(*NO_SEAT):
                    holder = await self._rooms.holder(token)
                    own[holder.game] = holder.seat
            return answer(TableList(await lobby.mine(own)))
        return answer(TableList(await lobby.listed()))

    async def create(self, request: Request) -> Response:
        """Create a table."""
        self._rooms.check_open()
        body = await body_of(request, RECORD_BODY_BYTES)
        key = secret_key_of(request)
        wish = _new_table.read(body)
        if len(body) > BODY_BYTES and not wish.record:
            raise TooLarge(f"a body without a record may have at most {BODY_BYTES} bytes")
        fingerprint = body_hash(body)
        known = await self._callers.earlier_request(key, fingerprint)
        if known is None:
            self._rooms.made.take(address_of(request))
            self._work.take(address_of(request), costs.ACTION * count_actions(wish.record))
            owner = self._owner(request)
            new, made = await self._rooms.in_background(self._new_game, wish, owner)
            secrets = await self._callers.secrets(key, new.row.id)
            new = with_secrets(new, made, secrets, self._rooms.settings.base_url)
            if key:
                bare = encode(without_secrets(made)).decode()
                new = new._replace(creation=CreationRow(hash_of(key), fingerprint, bare))
            try:
                await self._rooms.create(new)
            except Outdated:
                known = await self._callers.earlier_request(key, fingerprint)
        if known is not None:
            made = _made_table.read(known.answer)
            secrets = await self._callers.secrets(key, made.table)
            add_secrets(made, secrets, self._rooms.settings.base_url)
        response = answer(made, 201)
        base = self._rooms.settings.base_url
        response.headers["location"] = f"{base}/api/v1/tables/{made.table}"
        if made.token:
            await keep_seat(request, response, made.table, made.token, self._rooms)
        return response

    async def pair(self, request: Request) -> Response:
        """Seat the caller with the next people who want the same game."""
        self._rooms.made.take(address_of(request))
        return await self._pairing.pair(request)

    def _owner(self, request: Request) -> str:
        """Return the pseudonym of the caller's address."""
        return owner_of(self._rooms.secret, address_of(request))

    def _new_game(self, wish: NewTable, owner: str) -> tuple[NewGame, MadeTable]:
        """Return the requested game, and the response without secrets."""
        played, record = _game_of(wish)
        if len(wish.seats) > played.seats:
            raise TableError(f"{played.title} has {played.seats} seats, not {len(wish.seats)}")
        if wish.seed is not None and played.has_secrets:
            raise TableError(f"{played.title} has hidden information: you cannot choose its seed")
        wishes = [*wish.seats, *(SeatWish("open") for _ in range(played.seats - len(wish.seats)))]
        people = sum(each.kind != "agent" for each in wishes)
        if wish.seed is not None and played.has_chance and people > 1:
            raise TableError(
                f"{played.title} has random events, which a seed lets you foresee: leave it out, "
                "or let agents take all other seats"
            )
        if sum(each.kind == "me" for each in wishes) > 1:
            raise TableError("you can take only one seat")
        if any(each.kind == "agent" for each in wishes):
            self._rooms.pool.check_room(owner)
        control = TimeControl.from_text(wish.clock) if wish.clock else None
        is_over = record is not None and record.final.result() is not None
        seats = [_seat(number, each, wish, played, is_over) for number, each in enumerate(wishes)]
        if record is not None and any(seat.kind == OPEN for seat in seats):
            raise TableError("to resume a record, every seat must be yours or an agent's")
        new = new_game(
            played,
            seats,
            control,
            wish.visibility,
            self._rooms.clock,
            seed=wish.seed,
            record=record,
            owner=owner,
        )
        made = MadeTable(new.row.id, watch_url(self._rooms.settings.base_url, new.row.id))
        made.invitations = [Invitation(seat.seat, "", "") for seat in seats if seat.kind == OPEN]
        own = [seat.seat for seat in seats if seat.kind == SEATED]
        made.seat = None if is_over or not own else own[0]
        return new, made

    async def table(self, request: Request) -> Response:
        """Return the current or an earlier position of a table."""
        room, viewer = await self._callers.seen(request)
        wanted = number_in(request, "ply")
        info = room.views.info(viewer)
        state = TableState(
            **{name: getattr(info, name) for name in info.__struct_fields__},
            v=room.hosted.v,
            commitment=room.hosted.chance.commitment,
            scene=room.views.full(viewer) if wanted is None else room.views.past(viewer, wanted),
            ending=room.views.ending() or UNSET,
        )
        return answer(state)

    async def picture(self, request: Request) -> Response:
        """Return a position as SVG."""
        room, viewer = await self._callers.seen(request)
        ply = number_in(request, "ply")
        self._work.take(address_of(request), costs.CELL * room.hosted.game.board.size)
        svg = await self._rooms.in_background(room.views.picture, viewer, ply)
        return Response(svg, media_type="image/svg+xml")

    async def table_preview(self, request: Request) -> Response:
        """Return the current position in pixels, as spectators see it, for link previews."""
        room = await self._rooms.room(request.path_params["table"])
        svg = await self._rooms.in_background(room.views.picture, None, None)
        png = await self._rooms.in_background(to_png, svg)
        return Response(png, media_type="image/png", headers={"cache-control": "max-age=60"})

    async def film(self, request: Request) -> Response:
        """Return a finished game as a GIF, rendered in a subprocess."""
        room, _ = await self._callers.seen(request)
        table = room.hosted.table
        if table is None or not table.is_over:
            raise TableError("the film is available after the game is over")
        if len(table.line.states) > MOST_FRAMES:
            raise TooLarge(f"a film has at most {MOST_FRAMES} positions; this game has more")
        owner = self._owner(request)
        self._rooms.pool.reserve(owner, costs.FILM_SECONDS)
        text = await self._rooms.in_background(table.record().to_text)
        gif = await self._films.film(text, owner)
        return Response(gif, media_type="image/gif")

    async def events(self, request: Request) -> Response:
        """Return the events after a version."""
        after = number_in(request, "after") or 0
        room, viewer = await self._callers.seen(request)
        if after > room.hosted.v:
            await room.refresh()  # another process has already sent the newer events
        found = room.views.events_after(viewer, after, EVENTS_AT_ONCE + 1)
        more, events = len(found) > EVENTS_AT_ONCE, found[:EVENTS_AT_ONCE]
        last = events[-1].v if more else room.hosted.v
        return answer(EventsAfter(last, events, more))

    async def record(self, request: Request) -> Response:
        """Return the record of a finished game, with its chance key."""
        room, _ = await self._callers.seen(request)
        table = room.hosted.table
        if table is None or not table.is_over:
            raise TableError("the record is available after the game is over")
        text = await self._rooms.in_background(table.record().to_text)
        name = f"{room.hosted.game.name}-{room.hosted.id}.parlour"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="text/plain", headers=headers)

    async def act(self, request: Request) -> Response:
        """Execute a seat's request, as on a WebSocket; the Idempotency-Key is its id."""
        holder = await self._callers.holder(request)
        key = key_of(request)
        body = await body_of(request)
        message = _action.read(with_id(body, key))
        if key:
            message = msgspec.structs.replace(message, id=key)
        if isinstance(message, Say) and not key:
            raise TableError("a chat message needs the Idempotency-Key header")
        room = await self._rooms.room(holder.game)
        viewers = len(room.audience.members)
        self._work.take(address_of(request), costs.VIEWER * viewers)
        return answer(Done(await room.execute(holder.seat, holder.epoch, message)))

    # The server itself.

    async def health(self, request: Request) -> Response:
        """Return the health of the server."""
        await self._rooms.store.trusted_time()  # one row: counting games would take longer
        if not self._rooms.is_storing:
            raise StoreUnavailable("the store is not available")
        closing = self._rooms.is_closing
        health = Health("closing" if closing else "ok", build_info().version)
        return answer(health, 503 if closing else 200)


def _game_of(wish: NewTable) -> tuple[Game, Record | None]:
    if wish.record:
        record = Record.from_text(wish.record)
        if record.final.result() is None and record.game.has_secrets:
            raise TableError(
                f"{record.game.title} has hidden information: its games cannot be resumed"
            )
        if wish.seed is not None or wish.options:
            raise TableError("a record already has a seed and options: leave yours out")
        return record.game, record
    return wanted_game(wish.game, wish.options), None


def _seat(number: int, wish: SeatWish, table: NewTable, played: Game, is_over: bool) -> SeatRow:
    if wish.kind == "agent":
        return SeatRow(number, AGENT, vetted(f"level:{wish.level}", played))
    if wish.kind == "me" or is_over:
        name, nonce = clean_name(table.name), check_nonce(table.nonce)
        return SeatRow(number, SEATED, name=name, nonce=nonce)
    return SeatRow(number, OPEN)
