"""HTTP: tables are made, seats are taken and left, records and analyses are fetched."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from parlour._build import build_info
from parlour.agents.apart import vetted
from parlour.agents.hints import ADVISER
from parlour.agents.registry import seeded
from parlour.agents.seated import seat_view
from parlour.core.checks import printable, shown
from parlour.core.errors import BadMessage, NotFound, OptionError
from parlour.core.game import Game, State, start_of
from parlour.core.options import find_option
from parlour.core.record import Record
from parlour.core.registry import game, game_class
from parlour.protocol.json import Reader, encode
from parlour.protocol.messages import Say, SeatRequest
from parlour.protocol.requests import (
    AnalysisFound,
    AskAnalysis,
    ChoiceFound,
    ClaimSeat,
    Done,
    EventsAfter,
    Games,
    Health,
    Invitation,
    MadeTable,
    NewClaim,
    NewTable,
    ReplaceSeat,
    Seated,
    SeatWish,
    TableList,
    TableState,
)
from parlour.scenes.choices import advice_of, value_words
from parlour.server.catalogue import game_infos
from parlour.server.errors import (
    Conflict,
    NotYourSeat,
    TooLarge,
    Unauthorized,
)
from parlour.server.hosted import AGENT, OPEN, SEATED, new_game
from parlour.server.limits import Buckets
from parlour.server.origins import SAFE, cookie_name
from parlour.server.room import Room
from parlour.server.rooms import Rooms
from parlour.server.store import Change, ClaimUsed, Holder, NewGame, Outdated, SeatRow, TokenRow
from parlour.server.tokens import body_hash, hash_of, new_secret
from parlour.server.views import Viewer
from parlour.table.chance import check_nonce
from parlour.table.clock import TimeControl
from parlour.table.errors import TableError

T = TypeVar("T")

LARGEST_BODY = 8192
LARGEST_RECORD = 300_000
EVENTS_AT_ONCE = 500
ANALYSED = 8

_new_table: Reader[NewTable] = Reader(NewTable)
_claim: Reader[ClaimSeat] = Reader(ClaimSeat)
_replace: Reader[ReplaceSeat] = Reader(ReplaceSeat)
_analysis: Reader[AskAnalysis] = Reader(AskAnalysis)
_action: Reader[SeatRequest] = Reader(SeatRequest)


class Api:
    """The handlers; each raises `ParlourError` for what it refuses."""

    def __init__(self, rooms: Rooms) -> None:
        """For the games of one server."""
        self._rooms = rooms
        settings, now = rooms.settings, rooms.clock.seconds
        self._made = Buckets(settings.tables, "new tables", now)
        self._analyses = Buckets(settings.analyses, "analyses", now)

    # Games and tables.

    async def games(self, request: Request) -> Response:
        """Every game that can be played here."""
        loop = asyncio.get_running_loop()
        infos = await loop.run_in_executor(None, game_infos)
        return answer(Games(infos), headers={"cache-control": "max-age=60"})

    async def tables(self, request: Request) -> Response:
        """Listed tables, or one's own."""
        lobby = self._rooms.lobby
        if "mine" in request.query_params:
            own: dict[str, int] = {}
            for token in _tokens(request):
                with contextlib.suppress(Unauthorized):
                    holder = await self._rooms.holder(token)
                    own[holder.game] = holder.seat
            return answer(TableList(await lobby.mine(own)))
        return answer(TableList(await lobby.listed()))

    async def create(self, request: Request) -> Response:
        """Make a table."""
        self._rooms.check_open()
        body = await _body(request, LARGEST_RECORD)
        key = _request_key(request)
        wish = _new_table.read(body)
        if len(body) > LARGEST_BODY and not wish.record:
            raise TooLarge(f"without a record a body has at most {LARGEST_BODY} bytes")
        print_of = body_hash(body)
        if key:
            known = await self._rooms.store.find_creation(key)
            if known is not None:
                if known[0] != print_of:
                    raise Conflict("this Idempotency-Key was used for another table")
                return _made(known[1].encode(), request, self._rooms)
        self._made.take(_address(request))
        loop = asyncio.get_running_loop()
        new, made = await loop.run_in_executor(None, self._new_game, wish)
        data = encode(made)
        if key:
            new = new._replace(creation=(key, print_of, data.decode()))
        try:
            await self._rooms.create(new)
        except Outdated:
            known = await self._rooms.store.find_creation(key)
            if known is None or known[0] != print_of:
                raise Conflict("this Idempotency-Key was used for another table") from None
            data = known[1].encode()
        return _made(data, request, self._rooms)

    def _new_game(self, wish: NewTable) -> tuple[NewGame, MadeTable]:
        """The game that was asked for, and what to answer."""
        played, record = _game_of(wish)
        if len(wish.seats) > played.seats:
            raise TableError(f"{played.title} has {played.seats} seats, not {len(wish.seats)}")
        if wish.seed is not None and played.has_secrets:
            raise TableError(f"{played.title} has secrets: whoever knows the seed would know them")
        wishes = [*wish.seats, *(SeatWish("open") for _ in range(played.seats - len(wish.seats)))]
        if sum(each.kind == "me" for each in wishes) > 1:
            raise TableError("you have one seat")
        if any(each.kind == "agent" for each in wishes):
            self._rooms.pool.check_room()
        control = TimeControl.from_text(wish.clock) if wish.clock else None
        is_over = record is not None and record.final.result() is not None
        seats = [_seat(number, each, wish, played, is_over) for number, each in enumerate(wishes)]
        if record is not None and any(seat.kind == OPEN for seat in seats):
            raise TableError("to go on with a record every seat is yours or an agent's")
        new = new_game(
            played,
            seats,
            control,
            wish.visibility,
            self._rooms.clock,
            seed=wish.seed,
            record=record,
        )
        base = self._rooms.settings.base_url
        made = MadeTable(new.row.id, watch_url(base, new.row.id))
        claims, tokens = [], []
        for seat in seats:
            if seat.kind == OPEN:
                claim = new_secret()
                claims.append(TokenRow(hash_of(claim), seat.seat, 0))
                url = invitation_url(base, new.row.id, seat.seat, claim)
                made.invitations.append(Invitation(seat.seat, url, claim))
            elif seat.kind == SEATED and not is_over:
                made.seat, made.token = seat.seat, new_secret()
                tokens.append(TokenRow(hash_of(made.token), seat.seat, seat.epoch))
        return new._replace(claims=claims, tokens=tokens), made

    async def table(self, request: Request) -> Response:
        """Where a table stands."""
        room, viewer = await self._seen(request)
        wanted = _number(request, "ply")
        info = room.views.info(viewer)
        state = TableState(
            **{name: getattr(info, name) for name in info.__struct_fields__},
            v=room.hosted.v,
            commitment=room.hosted.chance.commitment,
            scene=room.views.full(viewer) if wanted is None else room.views.past(viewer, wanted),
        )
        return answer(state)

    async def picture(self, request: Request) -> Response:
        """A position as SVG."""
        room, viewer = await self._seen(request)
        self._analyses.take(_address(request))
        svg = room.views.picture(viewer, _number(request, "ply"))
        return Response(svg, media_type="image/svg+xml")

    async def events(self, request: Request) -> Response:
        """What happened after a version."""
        after = _number(request, "after") or 0
        room, viewer = await self._seen(request)
        told = room.views.events_after(viewer, after, EVENTS_AT_ONCE + 1)
        more = len(told) > EVENTS_AT_ONCE
        events = [each for _, each in told[:EVENTS_AT_ONCE] if each is not None]
        last = told[EVENTS_AT_ONCE - 1][0] if more else room.hosted.v
        return answer(EventsAfter(last, events, more))

    async def record(self, request: Request) -> Response:
        """The record of a game that is over, with its key."""
        room, _ = await self._seen(request)
        table = room.hosted.table
        if table is None or not table.is_over:
            raise TableError("there is no record before the end")
        text = table.record().to_text()
        name = f"{room.hosted.game.name}-{room.hosted.id}.parlour"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="text/plain", headers=headers)

    async def act(self, request: Request) -> Response:
        """A request of a seat, like those on a socket; the id is the Idempotency-Key."""
        holder = await self._holder(request)
        key = _request_key(request)
        body = await _body(request)
        message = _action.read(_with_id(body, key))
        if isinstance(message, Say) and not key:
            raise BadMessage("the header Idempotency-Key is missing")
        room = await self._rooms.room(holder.game)
        return answer(Done(await room.ask(holder.seat, holder.epoch, message)))

    # Seats.

    async def claim(self, request: Request) -> Response:
        """Take a seat: by invitation, an open one of a listed table, or after a rematch."""
        self._rooms.check_open()
        room, seat = await self._place(request)
        body = _claim.read(await _body(request))
        name, nonce = clean_name(body.name), check_nonce(body.nonce)
        if body.from_table:
            return await self._claim_after_rematch(request, room, seat, body.from_table)
        token = new_secret()
        claim = hash_of(body.claim) if body.claim else b""
        if claim:
            found = await self._rooms.store.claim_seat(claim)
            if found is None:
                raise ClaimUsed("this invitation was used already, or there never was one")
            if found != (room.hosted.id, seat):
                raise NotYourSeat("this invitation is for another seat")
        async with room.lock:
            held = room.hosted.seat(seat)
            if claim and held.kind == SEATED:
                # A further device of the same person: same epoch, nobody is logged out.
                row = TokenRow(hash_of(token), seat, held.epoch)
                await self._store_token(room, row, claim)
            else:
                if not claim and room.hosted.row.visibility != "listed":
                    raise Unauthorized("this seat is taken by invitation")
                row = TokenRow(hash_of(token), seat, held.epoch + 1)
                await room.change(room.hosted.plan_join(seat, name, nonce, row, claim))
        return _seated(room.hosted.id, seat, token, request, self._rooms)

    async def _claim_after_rematch(
        self, request: Request, room: Room, seat: int, before: str
    ) -> Response:
        holder = await self._rooms.holder(_token(request, before))
        count = len(room.hosted.seats)
        if holder.game != before or room.hosted.row.rematch_of != before:
            raise TableError("this table is not the next one after that")
        if (holder.seat + 1) % count != seat:
            raise NotYourSeat(f"after that game your seat is {(holder.seat + 1) % count}")
        token = new_secret()
        async with room.lock:
            held = room.hosted.seat(seat)
            if held.kind != SEATED:
                raise TableError("nobody holds this seat any more")
            await self._store_token(room, TokenRow(hash_of(token), seat, held.epoch), b"")
        return _seated(room.hosted.id, seat, token, request, self._rooms)

    async def _store_token(self, room: Room, row: TokenRow, claim: bytes) -> None:
        hosted = room.hosted
        change = Change(
            hosted.id,
            hosted.v,
            at=self._rooms.clock.now(),
            deadline=hosted.row.deadline,
            tokens=[row],
            use_claim=claim,
        )
        await self._rooms.store.commit(change)

    async def leave(self, request: Request) -> Response:
        """Stand up before the beginning; afterwards it is a resignation."""
        room, seat, holder = await self._own_seat(request)
        async with room.lock:
            room.check_holder(seat, holder.epoch)
            hosted = room.hosted
            if hosted.table is None:
                planned = hosted.plan_stand_up(seat, holder.epoch + 1)
            else:
                planned = hosted.plan_resign(seat)
            v = await room.change(planned)
        return answer(Done(v))

    async def replace(self, request: Request) -> Response:
        """Let an agent play on."""
        room, seat, holder = await self._own_seat(request)
        body = _replace.read(await _body(request) or b"{}")
        agent = vetted(f"level:{body.level}", room.hosted.game)
        async with room.lock:
            room.check_holder(seat, holder.epoch)
            v = await room.change(room.hosted.plan_replace(seat, agent))
        return answer(Done(v))

    async def devices(self, request: Request) -> Response:
        """An invitation for the same person on a further device."""
        room, seat, holder = await self._own_seat(request)
        claim = new_secret()
        async with room.lock:
            room.check_holder(seat, holder.epoch)
            await self._store_claim(room, TokenRow(hash_of(claim), seat, holder.epoch))
        url = invitation_url(self._rooms.settings.base_url, room.hosted.id, seat, claim)
        return answer(NewClaim(claim, url))

    async def _store_claim(self, room: Room, row: TokenRow) -> None:
        hosted = room.hosted
        at, deadline = self._rooms.clock.now(), hosted.row.deadline
        change = Change(hosted.id, hosted.v, at=at, deadline=deadline, claims=[row])
        await self._rooms.store.commit(change)

    # Analysis.

    async def analyse(self, request: Request) -> Response:
        """What an agent thinks of a position of a table."""
        wish = _analysis.read(await _body(request))
        room = await self._rooms.room(wish.table)
        viewer: Viewer = None
        token = _token(request, wish.table)
        if token:
            holder = await self._rooms.holder(token)
            viewer = holder.seat if holder.game == wish.table else None
        state, ply = self._analysed(room, wish.ply, viewer)
        self._analyses.take(_address(request))
        text = ADVISER if wish.level is None else f"level:{wish.level}"
        if wish.level is not None:
            text = seeded(text, 1)
        found = await self._rooms.pool.run(
            room.hosted.id, lambda player: player.analyse(state), text
        )
        advice = advice_of(state, found, viewer)
        choices = [
            ChoiceFound(
                action=view.choice.action,
                text=state.game.action_to_text(state, view.choice.action),
                words=list(view.words),
                value=view.choice.value,
                value_words=value_words(view.choice),
                cells=state.game.action_view(state, view.choice.action).cells,
            )
            for view in advice.choices[:ANALYSED]
        ]
        return answer(AnalysisFound(ply, choices, advice.work))

    def _analysed(self, room: Room, ply: int | None, viewer: Viewer) -> tuple[State, int]:
        """The position to analyse: of a game that is over, or for the only person at it."""
        hosted, table = room.hosted, room.hosted.table
        if table is None:
            raise TableError("the game has not begun")
        line = table.line
        at = len(line.actions) if ply is None else ply
        if not 0 <= at < len(line.states):
            raise NotFound(f"the game has plies 0 to {len(line.states) - 1}, not {at}")
        if not table.is_over:
            if len(hosted.people) != 1:
                raise TableError("a game of several people is analysed after its end")
            if viewer is None or viewer != table.actor or at != len(line.actions):
                raise TableError("before the end there are hints for whoever's turn it is")
        state = line.states[at]
        if state.actor < 0:
            raise TableError("nobody is to act there")
        return seat_view(state, int(state.actor), hosted.id.encode(), at), at

    # The server itself.

    async def health(self, request: Request) -> Response:
        """Whether games can be played."""
        await self._rooms.store.count()
        closing = self._rooms.is_closing
        health = Health("closing" if closing else "ok", build_info().version)
        return answer(health, 503 if closing else 200)

    # Who asks, and for what.

    async def _seen(self, request: Request) -> tuple[Room, Viewer]:
        """The table in the path, and whose eyes look on."""
        table = request.path_params["table"]
        room = await self._rooms.room(table)
        token = _token(request, table)
        if not token:
            return room, None
        try:
            holder = await self._rooms.holder(token)
        except Unauthorized:
            if "authorization" in request.headers:
                raise
            return room, None  # A page cannot throw away the cookie of a seat that is lost.
        if holder.game != table:
            raise NotYourSeat("this token is for another table")
        return room, holder.seat

    async def _place(self, request: Request) -> tuple[Room, int]:
        room = await self._rooms.room(request.path_params["table"])
        text = request.path_params["seat"]
        count = len(room.hosted.seats)
        if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) < count):
            raise NotFound(f"the seats are 0 to {count - 1}, not {shown(text)}")
        return room, int(text)

    async def _holder(self, request: Request) -> Holder:
        table = request.path_params["table"]
        await self._rooms.room(table)
        holder = await self._rooms.holder(_token(request, table))
        if holder.game != table:
            raise NotYourSeat("this token is for another table")
        return holder

    async def _own_seat(self, request: Request) -> tuple[Room, int, Holder]:
        self._rooms.check_open()
        room, seat = await self._place(request)
        holder = await self._holder(request)
        if holder.seat != seat:
            raise NotYourSeat(f"your seat is {holder.seat}")
        return room, seat, holder


def answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A Struct as JSON."""
    return Response(encode(value), status, headers, media_type="application/json")


def watch_url(base: str, table: str) -> str:
    """The link to a table."""
    return f"{base}/t/{table}"


def invitation_url(base: str, table: str, seat: int, claim: str) -> str:
    """The link for one person: the claim is in the fragment, which no server and log sees."""
    return f"{base}/t/{table}#seat={seat}&claim={claim}"


def clean_name(name: str) -> str:
    """A person's name as it is kept: one line, without signs that nobody sees."""
    return printable(" ".join(name.split()))[:40]


def _game_of(wish: NewTable) -> tuple[Game, Record | None]:
    if wish.record:
        record = Record.from_text(wish.record)
        if record.final.result() is None and record.game.has_secrets:
            raise TableError(f"{record.game.title} has secrets: its records cannot be gone on with")
        if wish.seed is not None or wish.options:
            raise TableError("a record has its own seed and options")
        return record.game, record
    if not wish.game:
        raise BadMessage("which game? Object missing required field `game`")
    declared = game_class(wish.game.partition(":")[0]).OPTIONS
    options: dict[str, object] = {}
    for name, value in wish.options.items():
        option = find_option(wish.game, declared, name)
        if isinstance(value, int) and not isinstance(value, bool) and option.kind == "fraction":
            value = float(value)
        if isinstance(value, dict | list):
            raise OptionError(f"{name} must be {option.expectation()}, not {shown(value)}")
        options[name] = value
    played = game(wish.game, **options)
    start_of(played, 0)
    return played, None


def _seat(number: int, wish: SeatWish, table: NewTable, played: Game, is_over: bool) -> SeatRow:
    if wish.kind == "agent":
        return SeatRow(number, AGENT, vetted(f"level:{wish.level}", played))
    if wish.kind == "me" or is_over:
        name, nonce = clean_name(table.name), check_nonce(table.nonce)
        return SeatRow(number, SEATED, name=name, nonce=nonce)
    return SeatRow(number, OPEN)


def _made(data: bytes, request: Request, rooms: Rooms) -> Response:
    made = Reader[MadeTable](MadeTable).read(data)
    response = Response(data, 201, media_type="application/json")
    response.headers["location"] = f"{rooms.settings.base_url}/api/v1/tables/{made.table}"
    if made.token:
        _set_cookie(response, made.table, made.token, rooms)
    return response


def _seated(table: str, seat: int, token: str, request: Request, rooms: Rooms) -> Response:
    response = answer(Seated(table, seat, token))
    _set_cookie(response, table, token, rooms)
    return response


def _set_cookie(response: Response, table: str, token: str, rooms: Rooms) -> None:
    age = rooms.settings.keep or 400 * 24 * 3600
    response.set_cookie(
        cookie_name(table),
        token,
        max_age=age,
        path="/",
        httponly=True,
        samesite="lax",
        secure=rooms.settings.is_https,
    )


def _token(request: Request, table: str) -> str:
    """The token of a request: of the header, or of the cookie of that table."""
    bearer = request.headers.get("authorization", "")
    if bearer:
        kind, _, token = bearer.partition(" ")
        if kind.lower() != "bearer" or not token.strip():
            raise Unauthorized("the header Authorization reads: Bearer TOKEN")
        return token.strip()
    return _cookies(request).get(cookie_name(table), "")


def _cookies(request: Request) -> dict[str, str]:
    """The cookies that count: a page says where it comes from when it changes something."""
    if request.method not in SAFE and "origin" not in request.headers:
        return {}
    return request.cookies


def _tokens(request: Request) -> Sequence[str]:
    """All tokens of a request."""
    cookies = [
        value for name, value in _cookies(request).items() if name.startswith(cookie_name(""))
    ]
    bearer = request.headers.get("authorization", "")
    listed = [each.strip() for each in bearer.partition(" ")[2].split(",") if each.strip()]
    return [*listed, *cookies][:100]


def _number(request: Request, name: str) -> int | None:
    """A whole number in the query, or `None`; `BadMessage`."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise BadMessage(f"{name} is a whole number, not {shown(text)}")
    return int(text)


def _request_key(request: Request) -> str:
    key = request.headers.get("idempotency-key", "")
    if len(key) > 64 or not key.isprintable():
        raise BadMessage("an Idempotency-Key has at most 64 printable characters")
    return key


def _with_id(body: bytes, key: str) -> bytes:
    """A request of a seat with its id, and `play` if it does not say what it is."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return body
    if not isinstance(found, dict):
        return body
    more: dict[str, object] = {"t": "play"} if "t" not in found else {}
    if key:
        more["id"] = key
    elif "id" not in found:
        more["id"] = new_secret()
    return encode({**found, **more})


async def _body(request: Request, most: int = LARGEST_BODY) -> bytes:
    """The body; `TooLarge`."""
    size, parts = 0, []
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise TooLarge(f"a body has at most {most} bytes")
        parts.append(part)
    return b"".join(parts)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
