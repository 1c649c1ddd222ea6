"""HTTP connections: deadlines, and limits that leave room for others."""

import re
import socket
import sys
import types
from contextlib import ExitStack, contextmanager

import pytest
from patience import PATIENCE

from parlour.server import rates, run
from parlour.server.http import connections, gate
from parlour.server.metrics import Metrics
from parlour.server.settings import Settings

REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def opened(server, source="127.0.0.1"):
    """Return a connection from an address of this machine."""
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE, (source, 0))


@contextmanager
def asking(server, source):
    """Open a connection with a request whose body is still to come."""
    head = b"POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
    with opened(server, source) as busy:
        busy.sendall(head + b"Expect: 100-continue\r\n\r\n")
        assert busy.recv(100).startswith(b"HTTP/1.1 100")
        yield busy


def is_closed(connection):
    """Wait until the server closes the connection."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        pass
    return True


def is_served(connection):
    connection.sendall(REQUEST)
    answer = b""
    while not answer.endswith(b"}"):  # the end of the JSON body
        answer += connection.recv(65536)
    return answer.startswith(b"HTTP/1.1 200")


def cut_off(server, limit):
    """Return how often a limit has cut a connection off."""
    text = server.http.get(f"{server.url}/metrics").text
    found = re.search(rf'parlour_connections_cut_off_total{{limit="{limit}"}} ([0-9.]+)', text)
    return float(found[1]) if found else 0


class TestDeadlines:
    def test_a_connection_that_sends_nothing_is_cut_off(self, start, monkeypatch):
        monkeypatch.setitem(connections.SECONDS, "head", 0.05)
        server = start()
        with opened(server) as silent:
            assert is_closed(silent)
        assert cut_off(server, "head") == 1

    def test_a_head_that_trickles_in_is_cut_off(self, start, monkeypatch):
        monkeypatch.setitem(connections.SECONDS, "head", 0.2)
        server = start()
        with opened(server) as slow, pytest.raises(ConnectionError):
            slow.sendall(b"GET /healthz HTTP/1.1\r\n")
            while True:
                slow.sendall(b"X-More: 1\r\n")

    def test_invalid_requests_are_counted_and_logged_once(self, start, caplog):
        server = start()
        for _ in range(5):
            with opened(server) as connection:
                connection.sendall(b"nonsense\r\n\r\n")
                assert is_closed(connection)
        assert cut_off(server, "invalid") == 5
        assert caplog.text.count("a limit was reached") == 1
        assert "Invalid HTTP request" not in caplog.text

    def test_a_body_that_does_not_come_is_cut_off(self, start, monkeypatch):
        monkeypatch.setitem(connections.SECONDS, "body", 0.05)
        server = start()
        with opened(server) as slow:
            head = b"POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
            slow.sendall(head + b'{"game":')
            assert is_closed(slow)
        assert cut_off(server, "body") == 1

    def test_a_connection_between_two_requests_may_wait(self, start, monkeypatch):
        server = start()
        with opened(server) as patient:
            assert is_served(patient)
            monkeypatch.setitem(connections.SECONDS, "head", 0.0)
            with opened(server) as silent:
                assert is_closed(silent)
            monkeypatch.setitem(connections.SECONDS, "head", 10.0)
            assert is_served(patient)


class TestLimits:
    def test_idle_connections_of_one_address_lock_nobody_else_out(self, start, monkeypatch):
        monkeypatch.setattr(gate, "MAX_PER_ADDRESS", 20)
        monkeypatch.setitem(connections.SECONDS, "head", PATIENCE)
        server = start()
        idle = [opened(server, "127.0.0.2") for _ in range(40)]
        assert all(is_closed(each) for each in idle[:20])  # the newer ones took their places
        with opened(server, "127.0.0.3") as other:
            assert is_served(other)
        assert all(is_served(each) for each in idle[20:])
        for each in idle:
            each.close()
        assert cut_off(server, "address") == 20

    def test_connections_with_requests_are_not_cut_off_for_others_of_their_address(
        self, start, monkeypatch
    ):
        monkeypatch.setattr(gate, "MAX_PER_ADDRESS", 1)
        server = start()
        with asking(server, "127.0.0.2"), opened(server, "127.0.0.2") as other:
            assert is_closed(other)
            assert cut_off(server, "address") == 1

    def test_the_oldest_idle_connection_makes_room_when_all_places_are_taken(
        self, start, monkeypatch
    ):
        monkeypatch.setattr(gate, "MAX_CONNECTIONS", 5)
        server = start()
        with ExitStack() as idle:
            first, second, *_ = (
                idle.enter_context(opened(server, f"127.0.0.{number}")) for number in range(2, 7)
            )
            with opened(server, "127.0.0.9") as other:
                assert is_served(other)
                assert is_closed(first)
                assert is_served(second)
        assert cut_off(server, "all") >= 1

    def test_a_connection_with_a_request_keeps_its_place(self, start, monkeypatch):
        monkeypatch.setattr(gate, "MAX_CONNECTIONS", 1)
        server = start()
        with asking(server, "127.0.0.2"), opened(server, "127.0.0.3") as other:
            assert is_closed(other)

    def test_a_closed_connection_frees_its_place(self, start, monkeypatch):
        monkeypatch.setattr(gate, "MAX_PER_ADDRESS", 1)
        server = start()
        for _ in range(5):
            with opened(server, "127.0.0.2") as one:
                one.sendall(REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
                assert is_closed(one)

    def test_sockets_are_not_counted_as_http_connections(self, start, monkeypatch):
        monkeypatch.setattr(gate, "MAX_PER_ADDRESS", 3)
        server = start()
        made = server.table()
        with ExitStack() as open_sockets:
            for _ in range(5):
                open_sockets.enter_context(server.socket(made["table"]))
            assert server.get("/games").status_code == 200

    def test_a_trusted_proxy_may_open_more(self, start, monkeypatch):
        monkeypatch.setattr(gate, "MAX_PER_ADDRESS", 1)
        server = start(proxies="127.0.0.0/8")
        with opened(server) as one, opened(server) as two:
            assert is_served(one)
            assert is_served(two)

    def test_a_trusted_proxy_is_known_by_its_whole_ipv6_address(self, monkeypatch):
        monkeypatch.setattr(gate, "MAX_PER_ADDRESS", 1)
        log = rates.LimitLog(lambda: 0.0, False)
        door = gate.Gate(Settings(proxies="2001:db8::1"), Metrics(), log)
        assert all(door.enter("2001:db8::1") for _ in range(3))
        assert not door.enter("2001:db8::2")

    def test_the_limit_of_open_files_is_raised_for_all_connections(self, monkeypatch):
        resource = types.SimpleNamespace(RLIMIT_NOFILE=7, RLIM_INFINITY=-1)
        asked = []
        resource.getrlimit = lambda _: (1024, 1 << 20)
        resource.setrlimit = lambda _, values: asked.append(values)
        monkeypatch.setitem(sys.modules, "resource", resource)
        run.allow_open_files(Settings(sockets=10_000))
        assert asked == [(10_000 + gate.MAX_CONNECTIONS + run.SPARE_FILES, 1 << 20)]
