"""Clients for tests."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


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
