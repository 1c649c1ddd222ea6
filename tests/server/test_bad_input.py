"""Invalid input at every endpoint gets an error with a code and affects no other client."""

import json
import random
import socket as sockets
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE
from websockets.exceptions import ConnectionClosed

from parlour.core.errors import ParlourError
from parlour.protocol.json import Reader
from parlour.protocol.messages import ClientMessage

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)
TYPES = [
    "hello", "play", "resign", "draw", "takeback", "rematch", "say", "premove", "preview", "why",
    "frames", "ping", "nonsense", "",
]  # fmt: skip
FIELDS = ["id", "ply", "action", "text", "table", "token", "v", "lobby", "tokens", "cells", "at"]
MESSAGES = st.fixed_dictionaries(
    {}, optional={"t": st.sampled_from(TYPES) | VALUES, **dict.fromkeys(FIELDS, VALUES)}
)


@given(MESSAGES | VALUES)
def test_any_json_is_read_or_refused(message):
    reader = Reader(ClientMessage)
    try:
        reader.read(json.dumps(message))
    except ParlourError as error:
        assert error.code in ("bad_message", "unknown_type")


@given(st.text() | st.binary())
def test_any_text_is_read_or_refused(text):
    with pytest.raises(ParlourError):
        Reader(ClientMessage).read(text)


FRAMES = [
    "",
    "null",
    "[]",
    "{}",
    '{"t": 7}',
    '{"t": "nonsense", "id": 5}',
    '{"t": "play"}',
    '{"t": "play", "id": 1}',
    '{"t": "play", "id": -1, "ply": 0, "action": 1}',
    '{"t": "play", "id": 1e400, "ply": 0, "action": 1}',
    '{"t": "play", "id": 1, "ply": 9007199254740993, "action": 1}',
    '{"t": "play", "id": 1, "ply": 0, "action": null}',
    '{"t": "play", "id": 1, "ply": 0, "action": [1]}',
    '{"t": "play", "id": "' + "x" * 65 + '", "ply": 0, "action": 1}',
    '{"t": "say", "id": 1, "text": ""}',
    '{"t": "say", "id": 1, "text": "\\ud800"}',
    "[" * 4000,
    '{"a":' * 1000,
    "{" + '"id":1,' * 100 + '"t":"ping"',
    "\x00\x01\x02",
    "NaN",
    '{"t": "ping", "at": "soon"}',
    '{"t": "hello", "table": {"$ne": 1}}',
    '{"t": "why", "id": 3, "cells": [1, 2, 99999]}',
    '{"t": "preview", "id": 3, "action": "x"}',
    '{"t": "frames", "id": 3, "v": 0}',
    '{"t": "premove", "id": 3, "action": "' + "y" * 201 + '"}',
]


class TestFrames:
    @pytest.fixture
    def table(self, server):
        return server.table("octa", ["me", 1])

    def test_each_gets_an_error_with_a_code_and_the_connection_stays_open(self, server, table):
        with server.socket(table["table"], table["token"]) as socket:
            for frame in FRAMES:
                socket.send(frame)
                answer = socket.receive("error", "pong")
                assert answer["t"] == "error", frame
                assert answer["code"] in (
                    "bad_message", "unknown_type", "not_found", "not_allowed", "bad_action",
                ), (frame, answer)  # fmt: skip
                assert answer["message"]
                ok = {"t": "ping", "at": 1}
                socket.send(ok)
                socket.receive("pong")

    def test_errors_carry_the_request_id_if_it_is_readable(self, server, table):
        with server.socket(table["table"], table["token"]) as socket:
            for frame, mark in (
                ('{"t": "nonsense", "id": 5}', 5),
                ('{"t": "play", "id": "x"}', "x"),
                ('{"t": "play", "id": 7.0, "ply": "no", "action": 1}', 7),
            ):
                socket.send(frame)
                assert socket.receive("error")["id"] == mark

    def test_bytes_are_refused(self, server, table):
        with server.socket(table["table"], table["token"]) as socket:
            socket.send(b'{"t": "ping"}')
            assert socket.receive("error")["code"] == "bad_message"

    def test_a_frame_of_9_kb_closes_only_its_own_connection(self, server, table):
        with server.socket(table["table"], table["token"]) as other:
            with pytest.raises(ConnectionClosed), server.socket(table["table"]) as socket:
                socket.send(json.dumps({"t": "ping", "pad": "x" * 9000}))
                while True:
                    socket.next()
            action = other.welcome["scene"]["actions"][0][0]
            assert other.ask("play", 1, ply=0, action=action)["t"] == "ack"

    def test_incomplete_handshakes_and_frames_are_harmless(self, server, table):
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\n{key}\r\nSec-WebSocket-Version: 13"
        whole = f"GET /ws/v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n{upgrade}\r\n\r\n"
        cut = []
        for text in (whole[:40], whole):
            raw = sockets.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            raw.sendall(text.encode())
            if text is whole:
                assert b"101" in raw.recv(1000)
                raw.sendall(b"\x81\xfe\x10")  # the header of a frame whose body never arrives
            cut.append(raw)
        with server.socket(table["table"], table["token"]) as other:
            action = other.welcome["scene"]["actions"][0][0]
            assert other.ask("play", 1, ply=0, action=action)["t"] == "ack"
        for raw in cut:
            raw.close()

    def test_a_wrong_first_message_gets_an_error_and_closes_the_connection(self, server, table):
        for first in ('{"t": "ping"}', '{"t": "resign", "id": 1}', "nonsense", '{"t": "hello"}'):
            with pytest.raises(ConnectionClosed), server.socket(hello=False) as socket:
                socket.send(first)
                while True:
                    message = socket.next()
                    assert message["t"] in ("error", "pong")

    @pytest.mark.parametrize("seed", range(5))
    def test_random_messages_never_break_a_table(self, server, table, seed):
        rng = random.Random(seed)
        with server.socket(table["table"], table["token"]) as socket:
            for number in range(100):
                message = {"t": rng.choice(TYPES[1:-2]), "id": f"{seed}/{number}"}
                for field in FIELDS[1:]:
                    if rng.random() < 0.5:
                        message[field] = rng.choice(
                            [0, 1, -1, 5.0, 1.5, "", "x", None, [], [1], {}, True, 2**60]
                        )
                if message["t"] in ("resign", "rematch"):
                    continue
                socket.send(message)
                answer = socket.receive("ack", "error", "pong", "preview", "why", "frames", "say")
                if answer["t"] == "error":
                    assert answer["code"] != "broken_contract", (message, answer)
            assert server.get(f"/tables/{table['table']}").status_code == 200


class TestHttp:
    @pytest.mark.parametrize(
        ("method", "path", "body", "status"),
        [
            ("POST", "/tables", b"", 400),
            ("POST", "/tables", b"nonsense", 400),
            ("POST", "/tables", b"[" * 5000, 400),
            ("POST", "/tables", b'{"game": "octa", "pad": "' + b"x" * 9000 + b'"}', 413),
            ("POST", "/tables", b"x" * 400_000, 413),
            ("POST", "/tables", b"\xff\xfe", 400),
            ("POST", "/analysis", b"{}", 404),
            ("POST", "/analysis", b'{"table": "nothing"}', 404),
            ("GET", "/tables/nothing", None, 404),
            ("GET", "/tables/%00%ff", None, 404),
            ("GET", "/tables/" + "x" * 3000, None, 404),
            ("GET", "/nothing", None, 404),
            ("DELETE", "/tables", None, 405),
            ("PUT", "/games", b"{}", 405),
            ("POST", "/tables/nothing/actions", b"{}", 404),
        ],
    )
    def test_bad_requests_get_an_error_with_a_code(self, server, method, path, body, status):
        answer = server.http.request(method, path, content=body)
        assert answer.status_code == status, answer.text
        assert answer.json()["code"]
        assert answer.json()["message"]

    def test_other_protocol_versions_get_an_error_with_the_supported_one(self, server):
        answer = server.http.get(f"{server.url}/api/v2/games")
        assert (answer.status_code, answer.json()["code"]) == (426, "version")
        assert "/api/v1" in answer.json()["message"]

    def test_a_malformed_authorization_header_is_refused(self, server):
        made = server.table()
        for value in ("Basic abc", "Bearer", "x"):
            answer = server.http.get(f"/tables/{made['table']}", headers={"Authorization": value})
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")

    def test_the_error_names_the_game_whose_code_failed(self, server):
        made = server.table("octa", ["me", 1])
        room = server.run(server.app.rooms.room(made["table"]))
        with server.socket(made["table"], made["token"]) as socket:
            room.hosted.plan = lambda *_: 1 // 0
            answer = socket.ask("play", 1, ply=0, action=1)
            assert answer["code"] == "broken_contract"
            assert "octa" in answer["message"]


def test_schemathesis_finds_only_documented_responses(server, tmp_path):
    """Send valid and invalid requests generated from the OpenAPI document, and chains of them."""
    made = server.table("octa", ["me", 1])
    program = Path(sys.executable).with_name("schemathesis")
    found = subprocess.run(
        [
            str(program),
            "run",
            f"{server.url}/api/v1/openapi.json",
            "--max-examples=8",
            "--seed=1",
            "--no-color",
            "--header",
            f"Authorization: Bearer {made['token']}",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert found.returncode == 0, found.stdout[-4000:]
