"""WebSocket endpoint for tables and the lobby.

A connection is anonymous until its first message, `hello`. The send buffer of a slow reader is
bounded, so that it delays no other connection (backpressure).
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any

import msgspec

from parlour.core.errors import BadMessage, ContractError, ParlourError, in_one_line
from parlour.protocol import (
    POLICY,
    SEAT_TAKEN,
    SOCKET,
    SUBPROTOCOL,
    UNAUTHORIZED,
    VERSION,
    WRONG_VERSION,
)
from parlour.protocol.errors import (
    NotYourSeat,
    RateLimited,
    ServerClosing,
    Unauthorized,
    WrongVersion,
)
from parlour.protocol.json import Reader, encode
from parlour.protocol.messages import (
    Ack,
    AskCoach,
    AskFrames,
    AskPreview,
    AskWhy,
    ClientMessage,
    Hello,
    Ping,
    Pong,
    Resync,
)
from parlour.server import costs, rates
from parlour.server.http.backlog import Backlog
from parlour.server.http.cookies import newest, seats_in
from parlour.server.http.origins import Origins, header
from parlour.server.http.wire import Disconnected, Wire
from parlour.server.live.room import Room, refusal
from parlour.server.live.rooms import NO_SEAT, Rooms
from parlour.server.logs import access, current_request, request_id
from parlour.server.metrics import Metrics
from parlour.server.rates import Buckets, LimitLog, rate_limit_key

log = logging.getLogger("parlour.server")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MAX_REFUSED = 50
"""Number of consecutive refused messages after which a connection is closed."""

QUERIES = (AskPreview, AskWhy, AskFrames, AskCoach)

_reader: Reader[ClientMessage] = Reader(ClientMessage)


class Sockets:
    """The WebSocket endpoint."""

    def __init__(
        self,
        rooms: Rooms,
        origins: Origins,
        metrics: Metrics,
        work: Buckets,
        limit_log: LimitLog,
    ) -> None:
        """Serve the tables of one server; `work` has the budgets of the addresses."""
        self._rooms = rooms
        self._origins = origins
        self._metrics = metrics
        self._work = work
        self._limit_log = limit_log
        self._backlog = Backlog(rooms.clock.seconds)
        self.open: set[ClientSocket] = set()

    async def __call__(self, scope: Message) -> None:
        """Serve a connection until it closes."""
        wire: Wire = scope["extensions"]["parlour.wire"]
        headers = scope["headers"]
        refused = self._refusal(scope, headers)
        if refused is not None:
            wire.refuse(refused)
            return
        offered = scope.get("subprotocols") or []
        wire.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
        address = _address(scope)
        connection = ClientSocket(
            self._rooms, self._metrics, wire, self._work, self._limit_log, self._backlog
        )
        connection.address = str(scope["client"][0]) if scope.get("client") else ""
        connection.limit_key = address
        current_request.set(request_id())
        rates.current_address.set(address)
        began = self._rooms.clock.seconds()
        if self._origins.is_own(header(headers, b"origin"), header(headers, b"host")):
            connection.seats = seats_in(header(headers, b"cookie"))
        self.open.add(connection)
        self._backlog.add(address, connection)
        self._metrics.opened.inc()
        self._metrics.sockets.set(len(self.open))
        try:
            await connection.serve()
        finally:
            self.open.discard(connection)
            self._metrics.sockets.set(len(self.open))
            self._backlog.remove(address, connection)
            if wire.fault:
                self._metrics.count_refusal(BadMessage.code)
            if access.isEnabledFor(logging.INFO):
                seconds = round(self._rooms.clock.seconds() - began, 3)
                fields = connection.log_fields(seconds=seconds)
                if wire.fault:
                    fields["fault"] = wire.fault
                access.info("a connection was closed", extra=fields)

    def _refusal(self, scope: Message, headers: Any) -> int | None:
        """Return the HTTP status if this connection must be refused, otherwise `None`."""
        settings, address = self._rooms.settings, _address(scope)
        if self._work.of(address).wait(costs.SOCKET):
            return self._limited("work", address)
        if scope["path"] != SOCKET:
            return HTTPStatus.NOT_FOUND
        host, origin = header(headers, b"host"), header(headers, b"origin")
        if not self._origins.is_host(host):
            return HTTPStatus.FORBIDDEN
        if origin and not self._origins.may_call(origin, host):
            self._metrics.count_refusal("foreign_origin")
            return HTTPStatus.FORBIDDEN
        offered = scope.get("subprotocols") or []
        if offered and SUBPROTOCOL not in offered:
            return HTTPStatus.FORBIDDEN
        if self._backlog.count(address) >= settings.sockets_per_address:
            return self._limited("sockets_per_address", address)
        if len(self.open) >= settings.sockets:
            return self._limited("sockets", address)
        return HTTPStatus.SERVICE_UNAVAILABLE if self._rooms.is_closing else None

    def _limited(self, limit: str, address: str) -> int:
        """Count and log a connection that a limit refuses; return the HTTP status."""
        self._limit_log.note(limit, address)
        self._metrics.count_refusal("rate_limited", limit)
        return HTTPStatus.TOO_MANY_REQUESTS


class ClientSocket:
    """A WebSocket connection; after `hello` it belongs to a room or the lobby."""

    def __init__(
        self,
        rooms: Rooms,
        metrics: Metrics,
        wire: Wire,
        work: Buckets,
        limit_log: LimitLog,
        backlog: Backlog,
    ) -> None:
        """Start without a table."""
        self.viewer: int | None = None
        self.epoch = 0
        self.own: dict[str, int] = {}
        self.seats: dict[str, str] = {}
        """The tokens in its cookies, by table."""
        self.address = ""
        self.limit_key = ""
        self._rooms = rooms
        self._metrics = metrics
        self._wire = wire
        self._room: Room | None = None
        self._table = ""
        self._is_behind = False
        self._closing: tuple[int, str] | None = None
        self._is_handling = False
        self._work = work
        self._limit_log = limit_log
        self._backlog = backlog
        self._refused = 0

    def log_fields(self, **more: object) -> dict[str, object]:
        """Return log fields that identify this connection."""
        fields: dict[str, object] = {**more}
        if self._table:
            fields = {"table": self._table, "seat": self.viewer, **more}
        if self._rooms.settings.log_addresses:
            fields["address"] = self.address
        return fields

    # Outgoing messages.

    @property
    def unread(self) -> int:
        """The number of bytes that the client has not read yet."""
        return self._wire.buffered

    def send(self, data: bytes) -> None:
        """Send a message; if the reader is too slow, ask it to say hello again."""
        if self._is_behind:
            return
        buffered = self._wire.buffered
        # A single message may exceed the limit.
        if buffered and buffered + len(data) > self._rooms.settings.queue_bytes:
            self._is_behind = True
            self._leave()
            self._metrics.resyncs.inc()
            data = encode(Resync("the connection is too slow: say hello again"))
        self._wire.send(data)

    def drop(self, reason: str) -> None:
        """Close because the seat has another holder."""
        self.finish(SEAT_TAKEN, reason)

    def finish(self, code: int, reason: str) -> None:
        """Close after all messages are sent, and after the answer to the current one."""
        if self._closing is None:
            self._closing = (code, reason)
            if not self._is_handling:
                self._wire.close(code, reason)

    # Incoming messages.

    async def serve(self) -> None:
        """Serve until either side closes.

        A request is finished even if the client has left before the ack: cancelling it would force
        everyone else at the table to resync.
        """
        try:
            await self._read()
        finally:
            self._leave()

    def _leave(self) -> None:
        if self._room is not None:
            self._room.leave(self)
            self._room = None
        self._rooms.lobby.leave(self)

    async def _read(self) -> None:
        wire = self._wire
        try:
            async with asyncio.timeout(self._rooms.settings.hello_seconds):
                await self._handle(await wire.read())
        except TimeoutError:
            self.finish(UNAUTHORIZED, "no hello was received")
            return
        except Disconnected:
            return
        if self._room is None and self not in self._rooms.lobby.guests:
            self.finish(UNAUTHORIZED, "the first message must be a hello with a table")
            return
        with contextlib.suppress(Disconnected):
            while self._closing is None:
                await self._handle(await wire.read())

    async def _handle(self, text: str | bytes) -> None:
        """Handle one message; every id gets exactly one ack or error."""
        asked: int | str | None = None
        self._is_handling = True
        try:
            try:
                message = _message(text)
            except ParlourError:
                asked = _id_in(text)
                self._work.take(self.limit_key, costs.INVALID)
                raise
            asked = getattr(message, "id", None)
            viewers = len(self._room.audience.members) if self._room else 0
            cost = costs.message_cost(message, len(self.seats), viewers)
            self._work.take(self.limit_key, cost)
            await self._answer(message)
        except RateLimited as error:
            self._refuse(error, asked)
            self._limit_log.note(error.limit, self.limit_key)
            if error.limit == "work":  # other limits are for requests that were paid for
                await asyncio.sleep(rates.PAUSE_SECONDS)
        except ParlourError as error:
            self._refuse(error, asked)
        except Exception as error:
            log.exception("a message could not be handled", extra=self.log_fields())
            self._refuse(
                ContractError(f"the message could not be handled: {in_one_line(error)}"), asked
            )
        else:
            self._refused = 0
        finally:
            self._is_handling = False
            if self._closing is not None:
                self._wire.close(*self._closing)

    async def _answer(self, message: ClientMessage) -> None:
        if isinstance(message, Ping):
            self.send(encode(Pong(message.at, self._rooms.clock.now())))
            return
        if isinstance(message, Hello):
            await self._hello(message)
            return
        if not self._table:
            raise Unauthorized("say hello first")
        if isinstance(message, QUERIES):
            room = await self._rooms.room(self._table)
            self.send(encode(room.answer(self.viewer, self.epoch, message)))
            return
        if self.viewer is None:
            raise Unauthorized("you need a seat at this table")
        began = self._rooms.clock.seconds()
        room = await self._rooms.room(self._table)
        v = await room.execute(self.viewer, self.epoch, message)
        self.send(encode(Ack(message.id, v)))
        seconds = self._rooms.clock.seconds() - began
        verb = type(message).__name__
        self._metrics.observe_request(verb, seconds)
        if seconds >= self._rooms.settings.slow:
            fields = self.log_fields(verb=verb.lower(), seconds=round(seconds, 3))
            log.warning("a request was slow", extra=fields)

    async def _hello(self, hello: Hello) -> None:
        if self._rooms.is_closing:
            raise ServerClosing("the server is shutting down and will be back soon")
        if hello.protocol != VERSION:
            given = f"version {hello.protocol}" if hello.protocol else "no version"
            older = "the client" if hello.protocol < VERSION else "the server"
            raise WrongVersion(
                f"the server uses protocol version {VERSION}, but the hello has {given}: "
                f"update {older}"
            )
        self._leave()
        self._is_behind = False
        self._table, self.viewer = "", None  # a refused hello leaves the connection anonymous
        self._backlog.check(self.limit_key)
        if hello.lobby:
            self.own = await self._own(hello.tokens)
            await self._rooms.lobby.join(self)
            return
        room = await self._rooms.room(hello.table)
        token = hello.token or self.seats.get(hello.table, "")
        holder = None
        if token:
            try:
                holder = await self._rooms.holder(token)
            except Unauthorized:
                if hello.token:
                    raise
                # Scripts cannot delete the cookie of a lost seat, so ignore it.
        if holder is not None and holder.game != hello.table:
            raise NotYourSeat("this token is for another table")
        if hello.v is not None and hello.v > room.hosted.v:
            await room.refresh()  # another process has already sent it newer events
        room = await self._rooms.room(hello.table)
        viewer, epoch = None, 0
        if holder is not None:
            viewer, epoch = holder.seat, holder.epoch
            room.check_holder(viewer, epoch)
        self._work.take(self.limit_key, costs.HISTORY * room.hosted.ply)
        self.viewer, self.epoch = viewer, epoch
        self._room, self._table = room, hello.table
        room.join(self, hello.v)
        self._backlog.note(self)

    async def _own(self, tokens: list[str]) -> dict[str, int]:
        """Return the seats of these tokens by table, ignoring invalid tokens."""
        own: dict[str, int] = {}
        for token in newest([*self.seats.values(), *tokens]):
            with contextlib.suppress(*NO_SEAT):
                holder = await self._rooms.holder(token)
                own[holder.game] = holder.seat
        return own

    def _refuse(self, error: ParlourError, id: int | str | None) -> None:
        self._metrics.count_refusal(error.code, getattr(error, "limit", ""))
        self.send(encode(refusal(error, self._room, id)))
        self._refused += 1
        if isinstance(error, WrongVersion):
            self.finish(WRONG_VERSION, "unsupported protocol version")
        if self._refused >= MAX_REFUSED:
            self.finish(POLICY, "too many refused messages")


def _message(text: str | bytes) -> ClientMessage:
    """Read a message. Raise `ParlourError` if it is invalid."""
    if isinstance(text, bytes):
        raise BadMessage("messages must be text, not bytes")
    return _reader.read(text)


def _id_in(text: str | bytes) -> int | str | None:
    """Return the id of a message that failed to parse, so that the error can refer to it."""
    if isinstance(text, bytes):
        return None
    try:
        found = msgspec.json.decode(text)
        mark = found.get("id") if isinstance(found, dict) else None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    if isinstance(mark, float) and mark.is_integer():
        mark = int(mark)
    if isinstance(mark, bool) or not isinstance(mark, int | str):
        return None
    return mark if len(str(mark)) <= 64 else None


def _address(scope: Message) -> str:
    client = scope.get("client")
    return rate_limit_key(str(client[0])) if client else ""
