"""Servers and clients for tests."""

import sys
from pathlib import Path

import pytest

SERVERS = Path(__file__).parent.parent / "server"
sys.path.insert(0, str(SERVERS))
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def start(tmp_path):
    """Start servers, one after another on the same store unless told otherwise."""
    from live_server import LiveServer

    started = []

    def begin(path=None, clock=None, **settings):
        server = LiveServer(path or tmp_path / "server.sqlite", clock, **settings)
        started.append(server)
        return server

    yield begin
    for server in started:
        server.stop()


@pytest.fixture
def server(start):
    """A server with generous limits."""
    return start()


@pytest.fixture
def connect():
    """Clients of servers, closed after the test."""
    from parlour.client import Client

    opened = []

    def begin(server, **more):
        url = server if isinstance(server, str) else server.url
        opened.append(Client(url, **more))
        return opened[-1]

    yield begin
    for client in opened:
        client.close()


@pytest.fixture
def client(server, connect):
    """A client of that server."""
    return connect(server)
