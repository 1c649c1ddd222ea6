"""Servers for tests."""

import sys
from pathlib import Path

import pytest

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
