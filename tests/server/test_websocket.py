"""The WebSocket protocol: frames, bounds on what a client sends, and deadlines."""

import asyncio
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from parlour.protocol.limits import CONTROL_FRAMES, FRAGMENTS, LATE_FRAMES, MESSAGE_BYTES
from parlour.server.http import websocket
from parlour.server.http.websocket import MAX_QUEUED, WebSocketProtocol
from parlour.server.http.wire import Disconnected

REQUEST = (
    b"GET /ws/v1?x=1 HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"sec-websocket-protocol: other, parlour.1\r\n\r\n"
)


class Transport:
    """Collects what is written; `size` is what the other side has not taken."""

    def __init__(self):
        self.written = b""
        self.writes = 0
        self.size = 0
        self.is_aborted = self.is_closed = self.is_paused = False

    def write(self, data):
        self.written += data
        self.writes += 1

    def writelines(self, parts):
        self.write(b"".join(parts))

    def close(self):
        self.is_closed = True

    def abort(self):
        self.is_aborted = self.is_closed = True

    def is_closing(self):
        return self.is_closed

    def pause_reading(self):
        self.is_paused = True

    def resume_reading(self):
        self.is_paused = False

    def get_write_buffer_size(self):
        return self.size

    def get_extra_info(self, name):
        return None


class Loop:
    """A loop whose time the test moves."""

    def __init__(self):
        self.now = 1000.0
        self.later = []
        self.scopes = []

    def time(self):
        return self.now

    def create_future(self):
        return asyncio.get_running_loop().create_future()

    def create_task(self, work):
        return asyncio.get_running_loop().create_task(work)

    def call_soon(self, work):
        asyncio.get_running_loop().call_soon(work)

    def call_later(self, seconds, work):
        self.later.append(work)

    def sweep(self, seconds):
        """Let time pass and call what is due."""
        self.now += seconds
        due, self.later = self.later, []
        for work in due:
            work()


class Connection:
    """A protocol with an open connection."""

    def __init__(self):
        self.transport, self.loop = Transport(), Loop()
        self.scope = None

        async def app(scope, receive, send):
            self.scope = scope
            scope["extensions"]["parlour.wire"].accept("parlour.1")
            await asyncio.Event().wait()

        config = types.SimpleNamespace(loaded_app=app, root_path="")
        state = types.SimpleNamespace(connections=set(), tasks=set())
        self.wire = WebSocketProtocol(config, state, {}, self.loop)
        self.wire.connection_made(self.transport)
        self.wire.data_received(REQUEST)

    async def __aenter__(self):
        while not self.transport.written:
            await asyncio.sleep(0)
        self.handshake, self.transport.written = self.transport.written, b""
        return self

    async def __aexit__(self, *_):
        self.wire.connection_lost(None)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    def receive(self, *frames):
        self.wire.data_received(b"".join(frames))

    def frames(self):
        """Return the kind and data of each frame that was written."""
        return _frames(self.transport.written)

    def close_code(self):
        closing = [data for kind, data in self.frames() if kind == Opcode.CLOSE]
        return int.from_bytes(closing[0][:2], "big") if closing else None


def _frames(data):
    found = []
    while data:
        size, start = data[1] & 127, 2
        if size == 126:
            size, start = int.from_bytes(data[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(data[2:10], "big"), 10
        found.append((Opcode(data[0] & 15), data[start : start + size]))
        data = data[start + size :]
    return found


def frame(kind, data=b"", fin=True):
    """Return a client's frame, as an independent library writes it."""
    return Frame(kind, data, fin).serialize(mask=True)


def text(words):
    return frame(Opcode.TEXT, words.encode())


def run(work):
    return asyncio.run(work)


def test_the_handshake_answers_the_key_and_names_the_protocol():
    async def work():
        async with Connection() as client:
            # The key and its answer are those of RFC 6455, section 1.3.
            assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in client.handshake
            assert b"Sec-WebSocket-Protocol: parlour.1\r\n" in client.handshake
            assert client.scope["path"] == "/ws/v1"
            assert client.scope["subprotocols"] == ["other", "parlour.1"]

    run(work())


@given(
    st.lists(st.text(max_size=200), min_size=1, max_size=MAX_QUEUED),
    st.lists(st.integers(1, 40), min_size=1, max_size=30),
)
def test_messages_arrive_however_the_stream_is_cut(words, cuts):
    async def work():
        async with Connection() as client:
            data, at = b"".join(map(text, words)), 0
            for size in cuts:
                client.receive(data[at : at + size])
                at += size
            client.receive(data[at:])
            assert [await client.wire.read() for _ in words] == words

    run(work())


@given(st.binary(max_size=70_000))
def test_answers_of_any_size_are_one_frame(data):
    async def work():
        async with Connection() as client:
            client.wire.send(data)
            await asyncio.sleep(0)
            assert _frames(client.transport.written) == [(Opcode.TEXT, data)]

    run(work())


def test_messages_of_one_step_are_written_together():
    async def work():
        async with Connection() as client:
            writes = client.transport.writes
            client.wire.send(b"update")
            client.wire.send(b"ack")
            assert client.wire.buffered == len(b"updateack")
            await asyncio.sleep(0)
            assert client.transport.writes == writes + 1
            frames = [(Opcode.TEXT, b"update"), (Opcode.TEXT, b"ack")]
            assert _frames(client.transport.written) == frames
            assert client.wire.buffered == 0

    run(work())


def test_messages_are_written_before_the_connection_closes():
    async def work():
        async with Connection() as client:
            client.wire.send(b"last words")
            client.wire.close(1000, "")
            assert _frames(client.transport.written)[0] == (Opcode.TEXT, b"last words")

    run(work())


def test_a_message_may_have_exactly_the_largest_size():
    async def work():
        async with Connection() as client:
            client.receive(text("x" * MESSAGE_BYTES))
            assert await client.wire.read() == "x" * MESSAGE_BYTES

    run(work())


def test_fragments_form_a_message_with_a_ping_in_between():
    async def work():
        async with Connection() as client:
            client.receive(
                frame(Opcode.TEXT, b"one ", fin=False),
                frame(Opcode.PING, b"are you there?"),
                frame(Opcode.CONT, b"message"),
            )
            assert await client.wire.read() == "one message"
            assert _frames(client.transport.written) == [(Opcode.PONG, b"are you there?")]

    run(work())


UNMASKED = Frame(Opcode.TEXT, b"{}").serialize(mask=False)
VIOLATIONS = {
    "unmasked": (UNMASKED, 1002),
    "reserved bits": (bytes([text("{}")[0] | 0x40]) + text("{}")[1:], 1002),
    "unknown kind": (bytes([0x83]) + text("{}")[1:], 1002),
    "long ping": (bytes([0x89, 0xFE, 0, 126]) + bytes(130), 1002),
    "continuation without a start": (frame(Opcode.CONT, b"x"), 1002),
    "new message inside a fragmented one": (
        frame(Opcode.TEXT, b"a", fin=False) + text("b"),
        1002,
    ),
    "too large, before its data has come": (bytes([0x81, 0xFE, 0x20, 0x01]), 1009),
    "too large by a length of eight bytes": (bytes([0x81, 0xFF]) + b"\x7f" + bytes(7), 1009),
    "too large in fragments": (
        frame(Opcode.TEXT, bytes(MESSAGE_BYTES), fin=False) + frame(Opcode.CONT, b"x"),
        1009,
    ),
    "too many empty fragments": (
        frame(Opcode.TEXT, b"", fin=False) + frame(Opcode.CONT, b"", fin=False) * FRAGMENTS,
        1009,
    ),
    "not UTF-8": (frame(Opcode.TEXT, b"\xff\xfe"), 1007),
}


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_a_violation_closes_the_connection_with_its_code(violation):
    data, code = VIOLATIONS[violation]

    async def work():
        async with Connection() as client:
            client.receive(data)
            assert client.close_code() == code
            assert client.transport.is_closed
            assert client.wire.fault
            with pytest.raises(Disconnected):
                await client.wire.read()

    run(work())


def test_a_flood_of_pings_is_answered_a_few_times_and_cut_off():
    async def work():
        async with Connection() as client:
            client.receive(frame(Opcode.PING, bytes(125)) * 10_000)
            kinds = [kind for kind, _ in client.frames()]
            assert kinds == [Opcode.PONG] * CONTROL_FRAMES + [Opcode.CLOSE]
            assert client.close_code() == 1008

    run(work())


def test_frames_after_the_close_frame_are_bounded():
    async def work():
        async with Connection() as client:
            client.wire.close(1008, "enough")
            client.receive(text("") * LATE_FRAMES)
            assert not client.transport.is_aborted
            client.receive(text("") * 10_000)
            assert client.transport.is_aborted
            assert client.wire._late_frames == LATE_FRAMES + 1

    run(work())


def test_a_ping_now_and_then_is_always_answered():
    async def work():
        async with Connection() as client:
            for _ in range(3 * CONTROL_FRAMES):
                client.loop.now += 5
                client.receive(frame(Opcode.PING))
            assert len(client.frames()) == 3 * CONTROL_FRAMES
            assert not client.transport.is_closed

    run(work())


def test_a_client_that_sends_faster_than_it_is_served_is_read_no_further():
    async def work():
        async with Connection() as client:
            client.receive(text("{}") * 1000)
            assert client.transport.is_paused
            assert len(client.wire._messages) == MAX_QUEUED
            for _ in range(1000):
                assert await client.wire.read() == "{}"
            assert not client.wire._messages

    run(work())


def test_a_reader_that_takes_nothing_is_aborted():
    async def work():
        async with Connection() as client:
            client.transport.size = 100_000
            client.wire.pause_writing()
            client.loop.sweep(websocket.STALLED_SECONDS - 1)
            assert not client.transport.is_aborted
            client.loop.sweep(2)
            assert client.transport.is_aborted

    run(work())


def test_a_reader_that_catches_up_stays():
    async def work():
        async with Connection() as client:
            client.wire.pause_writing()
            client.loop.sweep(websocket.STALLED_SECONDS - 1)
            client.wire.resume_writing()
            client.receive(frame(Opcode.PONG))
            client.loop.sweep(2)
            assert not client.transport.is_aborted

    run(work())


def test_a_silent_client_is_pinged_and_then_aborted():
    async def work():
        async with Connection() as client:
            client.loop.sweep(websocket.PING_SECONDS + 1)
            assert _frames(client.transport.written) == [(Opcode.PING, b"")]
            client.receive(frame(Opcode.PONG))
            client.loop.sweep(websocket.PING_SECONDS + 1)
            client.loop.sweep(websocket.PING_SECONDS + 1)
            assert client.transport.is_aborted

    run(work())


def test_a_client_that_does_not_close_is_aborted():
    async def work():
        async with Connection() as client:
            client.wire.close(4401, "no hello was received")
            assert client.close_code() == 4401
            assert not client.transport.is_closed
            client.loop.sweep(websocket.CLOSE_SECONDS + 1)
            assert client.transport.is_aborted

    run(work())


def test_a_close_is_answered_and_ends_the_connection():
    async def work():
        async with Connection() as client:
            client.receive(text("last words"), frame(Opcode.CLOSE, b"\x03\xe8bye"))
            assert await client.wire.read() == "last words"
            with pytest.raises(Disconnected):
                await client.wire.read()
            assert client.frames() == [(Opcode.CLOSE, b"\x03\xe8")]
            assert client.transport.is_closed

    run(work())
