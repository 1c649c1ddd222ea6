"""WebSockets (RFC 6455) as a protocol class for uvicorn, without extensions.

uvicorn hands a connection over when a request asks for an upgrade. Its own classes pass every
message through queues and tasks of ASGI and answer any number of pings; here a message takes one
step from the connection to its reader, and everything a client can send has a bound.
"""

import asyncio
import base64
import hashlib
from collections import deque
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import unquote

from uvicorn.config import Config
from uvicorn.protocols.utils import get_local_addr, get_remote_addr, is_ssl
from uvicorn.server import ServerState

from parlour.protocol.limits import (
    CONTROL_FRAMES,
    CONTROL_SECONDS,
    FRAGMENTS,
    LATE_FRAMES,
    MESSAGE_BYTES,
)
from parlour.server.http.wire import Disconnected

MAX_QUEUED = 8
"""Messages that wait for the reader before the connection is read no further."""
PING_SECONDS = 20.0
"""Silence after which a connection is pinged, and after which it is then aborted."""
STALLED_SECONDS = 20.0
"""How long a full send buffer may make no progress."""
CLOSE_SECONDS = 5.0
"""How long to wait for the other side to close."""
SWEEP_SECONDS = 5.0

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FIN, RESERVED, MASKED = 0x80, 0x70, 0x80

PROTOCOL_ERROR = 1002
INVALID_TEXT = 1007
POLICY = 1008
TOO_BIG = 1009
RESTARTING = 1012


class Violation(Exception):
    """A frame or handshake breaks the rules."""

    def __init__(self, code: int, reason: str) -> None:
        """Close with this code."""
        super().__init__(reason)
        self.code = code


class WebSocketProtocol(asyncio.Protocol):
    """One WebSocket connection."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Create it for uvicorn, which then calls `connection_made`."""
        self._app = config.loaded_app
        self._root_path = config.root_path
        self._state = server_state
        self._loop = _loop or asyncio.get_event_loop()
        self._transport: asyncio.Transport
        self._buffer = bytearray()
        self._key = b""
        self._is_open = False
        self._is_closed = False
        self._messages: deque[str | bytes] = deque()
        self._unsent: list[bytes] = []
        self._unsent_bytes = 0
        self._waiter: asyncio.Future[None] | None = None
        self._is_paused = False
        self._fragments: list[bytes] = []
        self._fragments_kind = TEXT
        self._controls = 0
        self._controls_since = 0.0
        self._heard = 0.0
        self._pinged = 0.0
        self._stalled = 0.0
        self._closing_since = 0.0
        self._late_frames = 0
        self.fault = ""
        """How the client broke the rules of WebSockets, or empty."""

    # Called by uvicorn and by the transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a connection."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's has another base class
        self._state.connections.add(self)  # type: ignore[arg-type]

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the reader end."""
        self._state.connections.discard(self)
        self._unsent, self._unsent_bytes = [], 0
        self._end()

    def eof_received(self) -> None:
        """Let the transport close."""

    def pause_writing(self) -> None:
        """Note that the other side takes nothing for now."""
        self._stalled = self._loop.time()

    def resume_writing(self) -> None:
        """Note that the other side takes data again."""
        self._stalled = 0.0

    def shutdown(self) -> None:
        """Close because the server stops."""
        if self._is_open:
            self.close(RESTARTING, "")
            self._transport.close()
        else:
            self.refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def data_received(self, data: bytes) -> None:
        """Handle the request that asked for the upgrade, and then frames."""
        if not self._is_open:
            self._buffer += data
            self._begin()
            return
        self._heard = self._loop.time()
        size = len(data) - 6
        is_whole = 0 <= size < 126 and data[0] == FIN | TEXT and data[1] == MASKED | size
        if is_whole and not (
            self._buffer or self._fragments or self._is_paused or self._closing_since
        ):
            try:  # most messages come alone, and need no buffer
                self._receive(TEXT, unmasked(data[6:], data[2:6]))
            except Violation as error:
                self._fail(error)
            return
        self._buffer += data
        self._parse()

    # Handshake.

    def _begin(self) -> None:
        """Check the request and call the application. uvicorn passes the whole head at once."""
        head, end, rest = bytes(self._buffer).partition(b"\r\n\r\n")
        if self._key or not end:
            # The application has not answered yet, so nothing may follow.
            self._transport.abort()
            return
        self._buffer = bytearray(rest)
        first, *lines = head.split(b"\r\n")
        headers = [
            (name.lower().strip(), value.strip())
            for name, _, value in (line.partition(b":") for line in lines)
        ]
        found = dict(headers)
        self._key = found.get(b"sec-websocket-key", b"")
        method, target, _ = first.split(b" ", 2)
        if method != b"GET" or found.get(b"sec-websocket-version") != b"13" or not self._key:
            self.refuse(HTTPStatus.BAD_REQUEST)
            return
        raw_path, _, query = target.partition(b"?")
        wished = found.get(b"sec-websocket-protocol", b"").decode("latin-1").split(",")
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if is_ssl(self._transport) else "ws",
            "server": get_local_addr(self._transport),
            "client": get_remote_addr(self._transport),
            "root_path": self._root_path,
            "path": unquote(raw_path.decode("latin-1")),
            "raw_path": raw_path,
            "query_string": query,
            "headers": headers,
            "subprotocols": [each.strip() for each in wished if each.strip()],
            "extensions": {"parlour.wire": self},
        }
        task = self._loop.create_task(self._run(scope))
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    async def _run(self, scope: dict[str, Any]) -> None:
        try:
            await self._app(scope, _unused, _unused)
        finally:
            if not self._is_open:
                self.refuse(HTTPStatus.NOT_FOUND)
            elif not self._closing_since:
                self._flush()
                self._transport.close()

    def accept(self, subprotocol: str | None) -> None:
        """Accept the connection."""
        accepted = base64.b64encode(hashlib.sha1(self._key + GUID).digest())
        chosen = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
        self._transport.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accepted + b"\r\n" + chosen.encode() + b"\r\n"
        )
        self._is_open = True
        self._heard = self._loop.time()
        self._loop.call_later(SWEEP_SECONDS, self._sweep)
        self._parse()

    def refuse(self, status: int) -> None:
        """Refuse the connection with an HTTP status."""
        if not self._is_closed and not self._is_open:
            line = f"HTTP/1.1 {int(status)} {HTTPStatus(status).phrase}\r\n"
            rest = "Content-Length: 0\r\nConnection: close\r\n\r\n"
            self._transport.write((line + rest).encode())
            self._transport.close()
            self._end()

    # Receiving.

    async def read(self) -> str | bytes:
        """Return the next message. Raise `Disconnected` when the connection is closed."""
        messages = self._messages
        while not messages:
            if self._is_closed:
                raise Disconnected
            if self._is_paused:
                self._is_paused = False
                self._transport.resume_reading()
                self._parse()
                continue
            self._waiter = self._loop.create_future()
            await self._waiter
        return messages.popleft()

    def _parse(self) -> None:
        """Handle the complete frames in the buffer, as long as the reader keeps up."""
        try:
            while not self._is_paused and not self._is_closed and self._next_frame():
                pass
        except Violation as error:
            self._fail(error)

    def _fail(self, error: Violation) -> None:
        """Close because the client broke the rules."""
        self.fault = str(error)
        self.close(error.code, self.fault)
        self._transport.close()
        self._end()

    def _next_frame(self) -> bool:
        """Handle a frame. Return false if it is not complete."""
        buffer = self._buffer
        if len(buffer) < 2:
            return False
        first, second = buffer[0], buffer[1]
        size, start = second & 127, 2
        if size > 125:
            if first & 8:
                raise Violation(PROTOCOL_ERROR, "control frames have at most 125 bytes")
            start = 4 if size == 126 else 10
            if len(buffer) < start:
                return False
            size = int.from_bytes(buffer[2:start], "big")
        if not second & MASKED or first & RESERVED:
            raise Violation(PROTOCOL_ERROR, "frames of clients are masked and use no extensions")
        if size > MESSAGE_BYTES:
            raise Violation(TOO_BIG, f"a message may have at most {MESSAGE_BYTES} bytes")
        end = start + 4 + size
        if len(buffer) < end:
            return False
        if self._closing_since:
            self._late_frames += 1
            if self._late_frames > LATE_FRAMES:
                self._transport.abort()
                self._end()
                return False
        data = unmasked(bytes(buffer[start + 4 : end]), bytes(buffer[start : start + 4]))
        del buffer[:end]
        kind = first & 15
        if kind == TEXT and first & FIN and not self._fragments:
            self._receive(kind, data)
        elif kind in (TEXT, BINARY, CONTINUATION):
            self._receive_part(kind, data, bool(first & FIN))
        elif kind in (CLOSE, PING, PONG) and first & FIN:
            self._receive_control(kind, data)
        else:
            raise Violation(PROTOCOL_ERROR, "unknown kind of frame")
        return True

    def _receive_part(self, kind: int, data: bytes, is_last: bool) -> None:
        parts = self._fragments
        if (kind == CONTINUATION) != bool(parts):
            raise Violation(PROTOCOL_ERROR, "fragments are out of order")
        if kind != CONTINUATION:
            self._fragments_kind = kind
        parts.append(data)
        if len(parts) > FRAGMENTS or sum(map(len, parts)) > MESSAGE_BYTES:
            raise Violation(TOO_BIG, f"a message may have at most {MESSAGE_BYTES} bytes")
        if is_last:
            self._fragments = []
            self._receive(self._fragments_kind, b"".join(parts))

    def _receive(self, kind: int, data: bytes) -> None:
        """Pass a message to the reader."""
        if self._closing_since:
            return
        try:
            self._messages.append(data.decode() if kind == TEXT else data)
        except UnicodeDecodeError:
            raise Violation(INVALID_TEXT, "messages must be UTF-8") from None
        self._wake()
        if len(self._messages) >= MAX_QUEUED:
            self._is_paused = True
            self._transport.pause_reading()

    def _wake(self) -> None:
        if self._waiter is not None:
            if not self._waiter.done():
                self._waiter.set_result(None)
            self._waiter = None

    def _receive_control(self, kind: int, data: bytes) -> None:
        if kind == CLOSE:
            if not self._closing_since:
                self._flush()
                self._transport.write(frame(CLOSE, data[:2]))
            self._transport.close()
            self._end()
            return
        now = self._loop.time()
        if now - self._controls_since > CONTROL_SECONDS:
            self._controls, self._controls_since = 0, now
        self._controls += 1
        if self._controls > CONTROL_FRAMES:
            raise Violation(POLICY, "too many pings")
        if kind == PING:
            self._transport.write(frame(PONG, data))

    # Sending.

    def send(self, data: bytes) -> None:
        """Send a text message, without waiting.

        The messages of one step of the event loop, such as an update and its ack, are written
        together: a system call costs more than everything else here.
        """
        if self._is_closed or self._closing_since:
            return
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(text_frame(data))
        self._unsent_bytes += len(data)

    def _flush(self) -> None:
        if self._unsent:
            unsent, self._unsent, self._unsent_bytes = self._unsent, [], 0
            self._transport.writelines(unsent)

    @property
    def buffered(self) -> int:
        """The number of bytes that the other side has not taken yet."""
        return self._transport.get_write_buffer_size() + self._unsent_bytes

    def close(self, code: int, reason: str) -> None:
        """Close after all messages are sent."""
        if self._is_open and not self._is_closed and not self._closing_since:
            self._closing_since = self._loop.time()
            self._flush()
            self._transport.write(frame(CLOSE, code.to_bytes(2, "big") + reason.encode()[:123]))
            if self._is_paused:
                self._is_paused = False
                self._transport.resume_reading()
                self._parse()

    def _end(self) -> None:
        self._is_closed = True
        self._wake()

    def _sweep(self) -> None:
        """Ping a silent connection; abort one that is silent, takes nothing or does not close."""
        if self._transport.is_closing() and not self.buffered:
            return
        now = self._loop.time()
        if now - self._heard > PING_SECONDS and not self._closing_since:
            if self._pinged > self._heard:
                if now - self._pinged > PING_SECONDS:
                    self._transport.abort()
                    return
            else:
                self._pinged = now
                self._transport.write(frame(PING, b""))
        is_stalled = self._stalled and now - self._stalled > STALLED_SECONDS
        if is_stalled or (self._closing_since and now - self._closing_since > CLOSE_SECONDS):
            self._transport.abort()
            return
        self._loop.call_later(SWEEP_SECONDS, self._sweep)


async def _unused(*_: Any) -> Any:
    """Stand in for ASGI's `receive` and `send`: the endpoint uses the `Wire`."""
    raise RuntimeError("use the wire in the scope's extensions")


def unmasked(data: bytes, mask: bytes) -> bytes:
    """Apply a mask of 4 bytes."""
    size = len(data)
    repeated = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big")


def frame_head(kind: int, size: int) -> bytes:
    """Return the first bytes of an unmasked frame."""
    if size < 126:
        return bytes((FIN | kind, size))
    if size < 65536:
        return bytes((FIN | kind, 126, size >> 8, size & 255))
    return bytes((FIN | kind, 127)) + size.to_bytes(8, "big")


def frame(kind: int, data: bytes) -> bytes:
    """Return an unmasked frame."""
    return frame_head(kind, len(data)) + data


_last_text = (b"", frame(TEXT, b""))


def text_frame(data: bytes) -> bytes:
    """Return the frame of a text message; one that goes to many connections is made once."""
    global _last_text
    if _last_text[0] is not data:
        _last_text = (data, frame(TEXT, data))
    return _last_text[1]
