"""Helpers for tests of several processes on one database."""

import contextlib
import json
import time

from patience import PATIENCE

ONLY_NOTICES = {"beat_seconds": 600}
"""Disables polling."""


def until(condition, seconds=PATIENCE):
    """Wait until a condition is true and return its value."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, "the condition never became true"
        time.sleep(0.005)


@contextlib.contextmanager
def altered_notifications(server, change=lambda received: []):
    """Alter the notifications that a server receives: drop them all, or duplicate them."""
    listener = server.app.rooms.store._listener
    received = listener._received

    def receive(each):
        for other in change(each):
            received(other)

    listener._received = receive
    try:
        yield
    finally:
        listener._received = received


def event_texts(socket):
    """Return the raw text of all received events."""
    pairs = zip(socket.received, socket.bytes, strict=True)
    return [text for message, text in pairs if message["t"] == "event"]


def receive_until(socket, v):
    """Wait for a version and return its message."""
    for message in socket.events():
        if message["v"] == v:
            return message
    while (message := socket.receive("event"))["v"] < v:
        pass
    return message


def actions_of(socket):
    """Return the seat's current actions, as received."""
    found = []
    for message in [socket.welcome, *socket.received]:
        for part in ("scene", "diff"):
            found = message.get(part, {}).get("actions", found)
    return found


def versions(socket):
    return [message["v"] for message in socket.events()]


def people(one, other, game="octa", **more):
    """A table with Ann at one server and Bob at the other."""
    made = one.table(game, ["me", "open"], name="Ann", **more)
    return made["table"], made["token"], other.claim(made)


def resend(socket, message):
    """Send a message unchanged and return its ack or error."""
    socket.raw.send(json.dumps(message))
    while True:
        answer = socket.receive("ack", "error")
        if answer.get("id") == message["id"]:
            return answer
