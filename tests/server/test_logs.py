"""The server's log."""

import json
import logging
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import httpx
import pytest
from live_server import LiveServer, OwnClock
from patience import PATIENCE
from random_player import play_to_the_end

from parlour.server import rates
from parlour.server.logs import JsonFormatter, TextFormatter, current_request, request_id
from parlour.server.rates import Rate


def made(message="all is well", name="parlour.server", level=logging.INFO, error=None, **more):
    return logging.getLogger(name).makeRecord(
        name, level, "x.py", 1, message, (), error and (type(error), error, None), extra=more
    )


def test_json_lines_have_common_and_extra_fields():
    line = JsonFormatter().format(made(table="abc", seat=None, seconds=0.5))
    entry = json.loads(line)
    assert "\n" not in line
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry.pop("time"))
    assert entry == {
        "level": "info",
        "logger": "parlour.server",
        "message": "all is well",
        "process": os.getpid(),
        "table": "abc",
        "seat": None,
        "seconds": 0.5,
    }


def test_extra_fields_cannot_override_common_fields():
    entry = json.loads(JsonFormatter().format(made(time="never", logger="x")))
    assert entry["time"] != "never"
    assert entry["logger"] == "parlour.server"


def test_an_exception_is_part_of_the_json_object():
    line = JsonFormatter().format(made(error=KeyError("lost\nline"), level=logging.ERROR))
    assert "\n" not in line
    entry = json.loads(line)
    assert entry["error"] == "KeyError"
    assert "lost" in entry["traceback"]


def test_a_text_entry_is_always_one_line():
    line = TextFormatter().format(made("said \x1b[2J\nINFO fake", reason="a\nb"))
    assert re.sub(r"^\S+ ", "", line) == r"INFO said \x1b[2J\nINFO fake reason=a\nb"


def test_lines_carry_the_request_id():
    token = current_request.set("r1")
    try:
        assert json.loads(JsonFormatter().format(made()))["request"] == "r1"
        assert TextFormatter().format(made()).endswith("all is well request=r1")
    finally:
        current_request.reset(token)


@pytest.mark.parametrize("offered", ["", "a b", "x" * 65, "a\nb", "ü", '"'])
def test_a_request_id_from_a_proxy_must_be_one_plain_word(offered):
    assert request_id(offered) != offered
    assert request_id("0af7-b.c_1") == "0af7-b.c_1"


def test_responses_carry_the_request_id(server):
    assert (
        server.http.get("/games", headers={"X-Request-ID": "mine"}).headers["x-request-id"]
        == "mine"
    )
    one, two = (server.http.get("/games").headers["x-request-id"] for _ in range(2))
    assert one != two


class TickingClock(OwnClock):
    """Each reading advances it by a second, so that every request is slow."""

    def __init__(self):
        super().__init__()
        self.step = 0.0
        self.server._monotonic = self.look

    def look(self):
        self.seconds += self.step
        return self.seconds


def test_slow_requests_are_logged_with_their_details(start, caplog):
    caplog.set_level("INFO")
    clock = TickingClock()
    server = start(clock=clock.server, slow=0.5)
    made = server.table("octa", ["me", "open"])
    server.claim(made)
    with server.socket(made["table"], made["token"]) as socket:
        assert not [each for each in caplog.records if "slow" in each.message]
        clock.step = 1.0
        assert socket.ask("resign", 1)["t"] == "ack"
        server.get("/games")
        clock.step = 0.0
    by_socket, by_http = [each for each in caplog.records if "slow" in each.message]
    assert (by_socket.table, by_socket.seat, by_socket.verb) == (made["table"], 0, "resign")
    assert (by_http.route, by_http.method, by_http.status) == ("/api/v1/games", "GET", 200)
    assert by_socket.seconds >= 1
    assert not hasattr(by_http, "address")


@pytest.mark.parametrize("with_addresses", [True, False])
def test_addresses_are_logged_only_if_enabled(start, caplog, with_addresses):
    caplog.set_level("INFO", "parlour.access")
    server = start(log_addresses=with_addresses)
    made = server.table("octa", ["me", "open"])
    with server.socket(made["table"]):
        pass
    server.stop()
    lines = [each for each in caplog.records if each.name == "parlour.access"]
    assert {each.message for each in lines} == {"a request was served", "a connection was closed"}
    for each in lines:
        assert getattr(each, "address", None) == ("127.0.0.1" if with_addresses else None)


def test_server_errors_are_logged_with_a_traceback(server, caplog, monkeypatch):
    made = server.table("octa", ["me", "open"])

    async def broken(*words):
        raise RuntimeError("a bug")

    with server.socket(made["table"], made["token"]) as socket:
        monkeypatch.setattr("parlour.server.live.room.Room.execute", broken)
        assert socket.ask("resign", 1)["code"] == "broken_contract"
    monkeypatch.setattr(server.app.rooms.store, "some", broken)
    server.post(f"/tables/{made['table']}/actions", {"t": "resign", "id": 1}, token=made["token"])
    socket_line, http_line = (each for each in caplog.records if each.levelname == "ERROR")
    assert (socket_line.table, socket_line.seat) == (made["table"], 0)
    assert http_line.table == made["table"]
    assert http_line.exc_info[0] is RuntimeError


COMMAND = [sys.executable, "-m", "parlour.cli", "serve", "--port", "0"]


def logged(folder, work, *options):
    """Return the lines that a server logs while `work` runs."""
    path = folder / "server.sqlite"
    process = subprocess.Popen(
        [*COMMAND, "--store", f"sqlite:{path}", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        link = process.stdout.readline().split()[-1]
        work(link)
    finally:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return out, err


class Elsewhere(LiveServer):
    """Test helpers for a server that runs in a subprocess."""

    def __init__(self, link):
        self.port = int(link.rpartition(":")[2])
        self.http = httpx.Client(base_url=f"{link}/api/v1", timeout=PATIENCE)


def test_the_log_of_a_whole_game_contains_no_secrets(tmp_path):
    secrets = []

    def work(link):
        server = Elsewhere(link)
        made = server.table("octa", ["me", "open"], options={"size": 2}, visibility="listed")
        claim = made["invitations"][0]["claim"]
        key = "a-secret-key-of-a-client"
        bob = server.claim(made, key=key)
        device = server.post(f"/tables/{made['table']}/seats/1/devices", {}, token=bob).json()
        secrets.extend([made["token"], claim, key, bob, device["claim"]])
        with server.socket(made["table"], made["token"]) as ann:
            # Errors are where secrets could leak into a log.
            ann.send("{")
            ann.receive("error")
            assert ann.ask("play", 1, ply=99, action="9,9")["t"] == "error"
            server.get(f"/tables/{made['table']}", token="wrong-token-0123456789")
            server.get(f"/tables/{made['table']}?token={bob}", token=bob)
            server.post(f"/tables/{made['table']}/seats/1/claim", {"claim": claim, "name": "Eve"})
            assert ann.ask("resign", 2)["t"] == "ack"
        alone = server.table("octa", ["me", 1], options={"size": 2})
        secrets.append(alone["token"])
        with server.socket(alone["table"], alone["token"]) as socket:
            play_to_the_end(socket, random.Random(1))
        server.http.get(f"{link}/metrics", headers={"Authorization": "Bearer m-token"})
        server.http.close()

    options = ["--log", "json", "--access-log", "--log-addresses", "--metrics-token", "m-token"]
    out, err = logged(tmp_path, work, *options, "--slow", "0.000001")
    with closing(sqlite3.connect(tmp_path / "server.sqlite")) as connection:
        for (secret,) in connection.execute("SELECT value FROM secret").fetchall():
            secrets.append(secret.hex())
        for key, seed in connection.execute("SELECT chance_key, seed FROM game").fetchall():
            secrets.append(key.hex())
            assert seed == -1
        starts = connection.execute("SELECT data FROM event WHERE kind = 'start'").fetchall()
        secrets.extend(str(json.loads(data)["start"][2]) for (data,) in starts)
    assert len(secrets) >= 10
    for secret in [*secrets, "m-token", "wrong-token"]:
        assert secret not in err
        assert secret not in out
    entries = [json.loads(line) for line in err.splitlines()]
    assert {"time", "level", "logger", "message", "process"} <= set.intersection(*map(set, entries))
    messages = [each["message"] for each in entries]
    for message in (
        "the server is listening",
        "a request was served",
        "a request was slow",
        "a connection was closed",
        "the server is shutting down",
    ):
        assert message in messages
    assert out.count("\n") == 0 or out.startswith("Parlour is open")


def test_invalid_requests_are_logged_as_json(tmp_path):
    def work(link):
        import socket

        host, port = link.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as raw:
            raw.sendall(b"NONSENSE\r\n\r\n")
            raw.recv(1000)

    _, err = logged(tmp_path, work, "--log", "json")
    entries = [json.loads(line) for line in err.splitlines()]
    (said,) = (each for each in entries if each.get("limit") == "connections: invalid")
    assert said["level"] == "warning"
    assert not [each for each in entries if "color_message" in each]
    assert not [each for each in entries if each["logger"] == "parlour.access"]


def test_the_text_log_has_one_line_per_entry(tmp_path):
    _, err = logged(tmp_path, lambda link: httpx.get(f"{link}/healthz"), "--access-log")
    lines = err.splitlines()
    assert "Press Ctrl-C to stop it." in lines
    (line,) = (each for each in lines if "/healthz" in each)
    wanted = r"\S+Z INFO a request was served method=GET route=/healthz status=200 seconds=\S+"
    assert re.fullmatch(wanted + r" request=\w+", line)


def test_rate_limited_requests_are_counted_by_limit(start, monkeypatch):
    monkeypatch.setattr(rates, "PAUSE_SECONDS", 0)
    server = start(work=Rate(0.001, 7), tables=Rate(0.001, 1))
    assert server.table("octa", ["me", "open"])
    body = {"game": "octa", "seats": []}
    assert server.post("/tables", body).status_code == 429
    assert server.get("/games").status_code == 429
    text = server.app.metrics.text().decode()
    assert 'parlour_rate_limited_total{limit="tables"} 1.0' in text
    assert 'parlour_rate_limited_total{limit="work"} 1.0' in text
    assert 'parlour_refused_total{code="rate_limited"} 2.0' in text
