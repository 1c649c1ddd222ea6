"""WebSocket endpoint for tables and the lobby.

A connection is anonymous until its first message, `hello`. Outgoing messages wait in a bounded
queue, so that a slow reader delays no other connection (backpressure).
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from parlour.core.errors import BadMessage, ContractError, ParlourError, in_one_line
from parlour.protocol import (
    NORMAL,
    POLICY,
    SEAT_TAKEN,
    SUBPROTOCOL,
    TRY_LATER,
    UNAUTHORIZED,
    VERSION,
    WRONG_VERSION,
)
from parlour.protocol.errors import (
    NotYourSeat,
    RateLimited,
    ServerClosing,
    TooLarge,
    Unauthorized,
    WrongVersion,
)
from parlour.protocol.json import Reader, encode
from parlour.protocol.messages import (
    Ack,
    AskFrames,
    AskPreview,
    AskWhy,
    ClientMessage,
    Hello,
    Ping,
    Pong,
    Resync,
)
from parlour.server.http.cookies import cookie_name, cookies_of, newest, seats_in
from parlour.server.http.origins import Origins, header
from parlour.server.limits import Bucket, rate_limit_key
from parlour.server.live.room import Room, refusal
from parlour.server.live.rooms import NO_SEAT, Rooms
from parlour.server.logs import access, current_request, request_id
from parlour.server.metrics import Metrics

log = logging.getLogger("parlour.server")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

LARGEST = 8192
MAX_REFUSED = 50
"""Number of consecutive refused messages after which a connection is closed."""

_reader: Reader[ClientMessage] = Reader(ClientMessage)


class _Disconnected(Exception):
    """The client has disconnected."""


class Sockets:
    """The WebSocket endpoint."""

    def __init__(self, rooms: Rooms, origins: Origins, metrics: Metrics) -> None:
        """Serve the tables of one server."""
        self._rooms = rooms
        self._origins = origins
        self._metrics = metrics
        self._by_address: dict[str, int] = {}
        self.open: set[ClientSocket] = set()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one connection until it closes."""
        await receive()
        headers = scope["headers"]
        refused = self._refusal(scope, headers)
        if refused is not None:
            await send({"type": "websocket.close", "code": refused})
            return
        offered = scope.get("subprotocols") or []
        subprotocol = SUBPROTOCOL if SUBPROTOCOL in offered else None
        await send({"type": "websocket.accept", "subprotocol": subprotocol})
        address = _address(scope)
        self._by_address[address] = self._by_address.get(address, 0) + 1
        connection = ClientSocket(self._rooms, self._metrics, receive, send)
        connection.address = str(scope["client"][0]) if scope.get("client") else ""
        current_request.set(request_id())
        began = self._rooms.clock.seconds()
        if self._origins.is_own(header(headers, b"origin"), header(headers, b"host")):
            connection.cookies = dict(cookies_of(header(headers, b"cookie")))
        self.open.add(connection)
        self._metrics.opened.inc()
        self._metrics.sockets.set(len(self.open))
        try:
            await connection.serve()
        finally:
            self.open.discard(connection)
            self._metrics.sockets.set(len(self.open))
            left = self._by_address[address] - 1
            if left:
                self._by_address[address] = left
            else:
                del self._by_address[address]
            if access.isEnabledFor(logging.INFO):
                seconds = round(self._rooms.clock.seconds() - began, 3)
                access.info("a connection was closed", extra=connection.log_fields(seconds=seconds))

    def _refusal(self, scope: Message, headers: Any) -> int | None:
        """Return the close code if this connection must be refused, otherwise `None`."""
        settings = self._rooms.settings
        host, origin = header(headers, b"host"), header(headers, b"origin")
        if not self._origins.is_host(host):
            return POLICY
        if origin and not self._origins.may_call(origin, host):
            self._metrics.count_refusal("foreign_origin")
            return POLICY
        offered = scope.get("subprotocols") or []
        if offered and SUBPROTOCOL not in offered:
            return POLICY
        limit = "sockets" if len(self.open) >= settings.sockets else ""
        if self._by_address.get(_address(scope), 0) >= settings.sockets_per_address:
            limit = "sockets_per_address"
        if limit:
            self._metrics.count_refusal("rate_limited", limit)
            return TRY_LATER
        return TRY_LATER if self._rooms.is_closing else None


class ClientSocket:
    """A WebSocket connection; after `hello` it belongs to a room or the lobby."""

    def __init__(self, rooms: Rooms, metrics: Metrics, receive: Receive, send: Send) -> None:
        """Start without a table."""
        self.viewer: int | None = None
        self.epoch = 0
        self.own: dict[str, int] = {}
        self.cookies: dict[str, str] = {}
        self.address = ""
        self._rooms = rooms
        self._metrics = metrics
        self._receive = receive
        self._send = send
        self._room: Room | None = None
        self._table = ""
        self._queue: deque[bytes] = deque()
        self._size = 0
        self._is_behind = False
        self._has_more = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._bucket = Bucket(rooms.tuning.rates["messages"], rooms.clock.seconds)
        self._refused = 0
        self._is_asking = False

    def log_fields(self, **more: object) -> dict[str, object]:
        """Return log fields that identify this connection."""
        fields: dict[str, object] = {"table": self._table, "seat": self.viewer, **more}
        if self._rooms.settings.log_addresses:
            fields["address"] = self.address
        return fields

    # Outgoing messages.

    def send(self, data: bytes) -> None:
        """Queue a message; if the reader is too slow, ask it to say hello again."""
        if self._is_behind:
            return
        is_more = bool(self._queue)  # a single message may exceed the limit
        self._size += len(data)
        if is_more and self._size > self._rooms.settings.queue_bytes:
            self._is_behind = True
            self._leave()
            self._metrics.resyncs.inc()
            self._queue.clear()
            data = encode(Resync("the connection is too slow: say hello again"))
            self._size = len(data)
        self._queue.append(data)
        self._has_more.set()

    def drop(self, reason: str) -> None:
        """Close because the seat has another holder, after flushing the queue."""
        self.finish(SEAT_TAKEN, reason)

    def finish(self, code: int, reason: str) -> None:
        """Close after flushing the queue."""
        if self._closing is None:
            self._closing = (code, reason)
            self._has_more.set()

    async def _write(self) -> None:
        """Send the queued messages in order."""
        queue = self._queue
        while True:
            while queue:
                data = queue.popleft()
                self._size -= len(data)
                await self._send({"type": "websocket.send", "text": data.decode()})
            if self._closing is not None:
                code, reason = self._closing
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
                return
            self._has_more.clear()
            await self._has_more.wait()

    # Incoming messages.

    async def serve(self) -> None:
        """Serve until either side closes."""
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
            if reader.done() and self._closing is not None:
                await asyncio.wait((writer,), timeout=5)
            if self._is_asking:
                # Finish storing the request even though the client left before the ack: cancelling
                # it would force everyone else at the table to resync.
                self.finish(NORMAL, "")
                await asyncio.wait((reader,))
        finally:
            self._leave()
            for task in (writer, reader):
                task.cancel()
            # Gather instead of awaiting one by one: a raised error would form a reference cycle of
            # this frame, its task and the error.
            await asyncio.gather(writer, reader, return_exceptions=True)

    def _leave(self) -> None:
        if self._room is not None:
            self._room.leave(self)
            self._room = None
        self._rooms.lobby.leave(self)

    async def _read(self) -> None:
        seconds = self._rooms.settings.hello_seconds
        try:
            async with asyncio.timeout(seconds):
                text = await self._next()
                await self._handle(text)
        except TimeoutError:
            self.finish(UNAUTHORIZED, "no hello was received")
            return
        except _Disconnected:
            return
        if self._room is None and self not in self._rooms.lobby.guests:
            self.finish(UNAUTHORIZED, "the first message must be a hello with a table")
            return
        with contextlib.suppress(_Disconnected):
            while self._closing is None:
                await self._handle(await self._next())

    async def _next(self) -> str | bytes:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise _Disconnected
        text: str | None = message.get("text")
        return message.get("bytes") or b"" if text is None else text

    async def _handle(self, text: str | bytes) -> None:
        """Handle one message; every id gets exactly one ack or error."""
        asked: int | str | None = None
        try:
            if isinstance(text, bytes):
                raise BadMessage("messages must be text, not bytes")
            if len(text) > LARGEST:
                raise TooLarge(f"a message may have at most {LARGEST} characters")
            wait = self._bucket.wait()
            if wait:
                asked = _id_in(text)
                raise RateLimited("too many messages: slow down", round(wait, 2), "messages")
            try:
                message = _reader.read(text)
            except ParlourError:
                asked = _id_in(text)
                raise
            asked = getattr(message, "id", None)
            await self._answer(message)
        except ParlourError as error:
            self._refuse(error, asked)
        except Exception as error:
            log.exception("a message could not be handled", extra=self.log_fields())
            self._refuse(
                ContractError(f"the message could not be handled: {in_one_line(error)}"), asked
            )
        else:
            self._refused = 0

    async def _answer(self, message: ClientMessage) -> None:
        if isinstance(message, Ping):
            self.send(encode(Pong(message.at, self._rooms.clock.now())))
            return
        if isinstance(message, Hello):
            await self._hello(message)
            return
        if not self._table:
            raise Unauthorized("say hello first")
        if isinstance(message, AskPreview | AskWhy | AskFrames):
            room = await self._rooms.room(self._table)
            self.send(encode(room.answer(self.viewer, self.epoch, message)))
            return
        if self.viewer is None:
            raise Unauthorized("you need a seat at this table")
        began = self._rooms.clock.seconds()
        room = await self._rooms.room(self._table)
        self._is_asking = True
        try:
            v = await room.execute(self.viewer, self.epoch, message)
        finally:
            self._is_asking = False
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
            self.finish(WRONG_VERSION, "unsupported protocol version")
            raise WrongVersion(
                f"the server uses protocol version {VERSION}, but the hello has {given}: "
                f"update {older}"
            )
        self._leave()
        self._is_behind = False
        self._table, self.viewer = "", None  # a refused hello leaves the connection anonymous
        if hello.lobby:
            self.own = await self._own(hello.tokens)
            await self._rooms.lobby.join(self)
            return
        room = await self._rooms.room(hello.table)
        token = hello.token or self.cookies.get(cookie_name(hello.table), "")
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
        self.viewer, self.epoch = viewer, epoch
        self._room, self._table = room, hello.table
        room.join(self, hello.v)

    async def _own(self, tokens: list[str]) -> dict[str, int]:
        """Return the seats of these tokens by table, ignoring invalid tokens."""
        own: dict[str, int] = {}
        for token in newest([*seats_in(self.cookies).values(), *tokens]):
            with contextlib.suppress(*NO_SEAT):
                holder = await self._rooms.holder(token)
                own[holder.game] = holder.seat
        return own

    def _refuse(self, error: ParlourError, id: int | str | None) -> None:
        self._metrics.count_refusal(error.code, getattr(error, "limit", ""))
        self.send(encode(refusal(error, self._room, id)))
        self._refused += 1
        if self._refused >= MAX_REFUSED:
            self.finish(POLICY, "too many refused messages")


def _id_in(text: str) -> int | str | None:
    """Return the id of a message that failed to parse, so that the error can refer to it."""
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
