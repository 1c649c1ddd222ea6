"""WebSocket: one endpoint for tables and for the lobby.

A socket is nobody until its first message says who it is. What it is sent waits in a bounded
queue, so that nobody ever waits for a slow reader.
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
from parlour.server.limits import Bucket, household
from parlour.server.live.room import Room, refusal
from parlour.server.live.rooms import NO_SEAT, Rooms
from parlour.server.logs import access, doing, request_id
from parlour.server.metrics import Metrics

log = logging.getLogger("parlour.server")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

LARGEST = 8192
PATIENCE = 50
"""So many refused messages in a row, and a flood is cut off."""

_reader: Reader[ClientMessage] = Reader(ClientMessage)


class _Left(Exception):
    """The other side is gone, or is sent away."""


class Sockets:
    """The endpoint."""

    def __init__(self, rooms: Rooms, origins: Origins, metrics: Metrics) -> None:
        """For the games of one server."""
        self._rooms = rooms
        self._origins = origins
        self._metrics = metrics
        self._by_address: dict[str, int] = {}
        self.open: set[ClientSocket] = set()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one socket until it ends."""
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
        doing.set(request_id())
        began = self._rooms.clock.seconds()
        if header(headers, b"origin"):
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
                access.info("a socket was closed", extra=connection.told(seconds=seconds))

    def _refusal(self, scope: Message, headers: Any) -> int | None:
        """Why this socket is refused at the door, or `None`."""
        settings = self._rooms.settings
        host, origin = header(headers, b"host"), header(headers, b"origin")
        if not self._origins.is_host(host):
            return POLICY
        if origin and not self._origins.is_own(origin, host):
            self._metrics.refused("foreign_origin")
            return POLICY
        offered = scope.get("subprotocols") or []
        if offered and SUBPROTOCOL not in offered:
            return POLICY
        limit = "sockets" if len(self.open) >= settings.sockets else ""
        if self._by_address.get(_address(scope), 0) >= settings.sockets_per_address:
            limit = "sockets_per_address"
        if limit:
            self._metrics.refused("rate_limited", limit)
            return TRY_LATER
        return TRY_LATER if self._rooms.is_closing else None


class ClientSocket:
    """One socket: a member of a room, or a guest of the lobby, once it has said hello."""

    def __init__(self, rooms: Rooms, metrics: Metrics, receive: Receive, send: Send) -> None:
        """It is nobody yet."""
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
        self._bucket = Bucket(rooms.tuning.paces["messages"], rooms.clock.seconds)
        self._refused = 0
        self._is_asking = False

    def told(self, **more: object) -> dict[str, object]:
        """Who this is, for the log."""
        who: dict[str, object] = {"table": self._table, "seat": self.viewer, **more}
        if self._rooms.settings.log_addresses:
            who["address"] = self.address
        return who

    # What it is sent.

    def send(self, data: bytes) -> None:
        """Put it into the queue; a reader that is too slow is told to say hello again."""
        if self._is_behind:
            return
        is_more = bool(self._queue)  # one message may have any size, or nobody could have it
        self._size += len(data)
        if is_more and self._size > self._rooms.settings.queue_bytes:
            self._is_behind = True
            self._leave()
            self._metrics.resyncs.inc()
            self._queue.clear()
            data = encode(Resync("too much was waiting: say hello again"))
            self._size = len(data)
        self._queue.append(data)
        self._has_more.set()

    def drop(self, reason: str) -> None:
        """The seat has another holder: close, after what waits was sent."""
        self.finish(SEAT_TAKEN, reason)

    def finish(self, code: int, reason: str) -> None:
        """Close, after what waits was sent."""
        if self._closing is None:
            self._closing = (code, reason)
            self._has_more.set()

    async def _write(self) -> None:
        """Send what waits, in order."""
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

    # What it sends.

    async def serve(self) -> None:
        """Until the other side goes, or is sent away."""
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
            if reader.done() and self._closing is not None:
                await asyncio.wait((writer,), timeout=5)
            if self._is_asking:
                # What is being stored is stored to its end, although nobody waits for the ack:
                # otherwise everybody else at the table would have to say hello again.
                self.finish(NORMAL, "")
                await asyncio.wait((reader,))
        finally:
            self._leave()
            for task in (writer, reader):
                task.cancel()
            # Not awaited one by one: an error that is raised here would hold this frame, the frame
            # its task and the task the error, until somebody looks for garbage.
            await asyncio.gather(writer, reader, return_exceptions=True)

    def _leave(self) -> None:
        if self._room is not None:
            self._room.audience.leave(self)
            self._room = None
        self._rooms.lobby.leave(self)

    async def _read(self) -> None:
        seconds = self._rooms.settings.hello_seconds
        try:
            async with asyncio.timeout(seconds):
                text = await self._next()
                await self._handle(text)
        except TimeoutError:
            self.finish(UNAUTHORIZED, "nobody said hello")
            return
        except _Left:
            return
        if self._room is None and self not in self._rooms.lobby.guests:
            self.finish(UNAUTHORIZED, "the first message is a hello with a table")
            return
        with contextlib.suppress(_Left):
            while self._closing is None:
                await self._handle(await self._next())

    async def _next(self) -> str | bytes:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise _Left
        text: str | None = message.get("text")
        return message.get("bytes") or b"" if text is None else text

    async def _handle(self, text: str | bytes) -> None:
        """Answer one message: exactly one ack or error to each id."""
        asked: int | str | None = None
        try:
            if isinstance(text, bytes):
                raise BadMessage("messages are text, not bytes")
            if len(text) > LARGEST:
                raise TooLarge(f"a message has at most {LARGEST} characters")
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
            log.exception("a message could not be handled", extra=self.told())
            self._refuse(ContractError(f"this could not be handled: {in_one_line(error)}"), asked)
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
            raise Unauthorized("only who holds a seat may do that")
        began = self._rooms.clock.seconds()
        room = await self._rooms.room(self._table)
        self._is_asking = True
        try:
            v = await room.ask(self.viewer, self.epoch, message)
        finally:
            self._is_asking = False
        self.send(encode(Ack(message.id, v)))
        seconds = self._rooms.clock.seconds() - began
        verb = type(message).__name__
        self._metrics.answered(verb, seconds)
        if seconds >= self._rooms.settings.slow:
            told = self.told(verb=verb.lower(), seconds=round(seconds, 3))
            log.warning("a request was slow", extra=told)

    async def _hello(self, hello: Hello) -> None:
        if self._rooms.is_closing:
            raise ServerClosing("the server shuts down, and is back soon")
        if hello.protocol != VERSION:
            given = f"version {hello.protocol}" if hello.protocol else "no version"
            older = "the client" if hello.protocol < VERSION else "the server"
            self.finish(WRONG_VERSION, "another version of the protocol")
            raise WrongVersion(
                f"the server speaks version {VERSION} of the protocol, the hello says {given}: "
                f"update {older}"
            )
        self._leave()
        self._is_behind = False
        self._table, self.viewer = "", None  # if this is refused it is nobody again
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
                # A page cannot throw away the cookie of a seat that is not its any more.
        if holder is not None and holder.game != hello.table:
            raise NotYourSeat("this token is for another table")
        if hello.v is not None and hello.v > room.hosted.v:
            await room.look()  # it knows more: another process has told it
        room = await self._rooms.room(hello.table)
        viewer, epoch = None, 0
        if holder is not None:
            viewer, epoch = holder.seat, holder.epoch
            room.check_holder(viewer, epoch)
        self.viewer, self.epoch = viewer, epoch
        self._room, self._table = room, hello.table
        room.join(self, hello.v)

    async def _own(self, tokens: list[str]) -> dict[str, int]:
        """The tables of these tokens; those that are not valid count for nothing."""
        own: dict[str, int] = {}
        for token in newest([*seats_in(self.cookies).values(), *tokens]):
            with contextlib.suppress(*NO_SEAT):
                holder = await self._rooms.holder(token)
                own[holder.game] = holder.seat
        return own

    def _refuse(self, error: ParlourError, id: int | str | None) -> None:
        self._metrics.refused(error.code, getattr(error, "limit", ""))
        self.send(encode(refusal(error, self._room, id)))
        self._refused += 1
        if self._refused >= PATIENCE:
            self.finish(POLICY, "too many refused messages")


def _id_in(text: str) -> int | str | None:
    """The id of a message that could not be read otherwise, so that it gets its answer."""
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
    return household(str(client[0])) if client else ""
