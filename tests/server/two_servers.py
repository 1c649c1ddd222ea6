"""What tests of several processes on one database share."""

import contextlib
import json
import time

from patience import PATIENCE

ONLY_NOTICES = {"beat_seconds": 600}
"""Nothing is looked up from time to time."""


def until(holds, seconds=PATIENCE):
    """Wait until something holds; what it gave."""
    end = time.monotonic() + seconds
    while True:
        found = holds()
        if found:
            return found
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.005)


@contextlib.contextmanager
def deaf(server, change=lambda heard: []):
    """A server that hears other things than what it is told: nothing, or everything twice."""
    listener = server.app.rooms.store._listener
    heard = listener._heard

    def hear(each):
        for other in change(each):
            heard(other)

    listener._heard = hear
    try:
        yield
    finally:
        listener._heard = heard


def told(socket):
    """What was told of the game, byte by byte."""
    pairs = zip(socket.heard, socket.bytes, strict=True)
    return [text for message, text in pairs if message["t"] == "event"]


def hear_until(socket, v):
    """Until that version was told; the message."""
    for message in socket.events():
        if message["v"] == v:
            return message
    while (message := socket.hear("event"))["v"] < v:
        pass
    return message


def actions_of(socket):
    """What the seat may do now, as far as it was told."""
    found = []
    for message in [socket.welcome, *socket.heard]:
        for part in ("scene", "diff"):
            found = message.get(part, {}).get("actions", found)
    return found


def versions(socket):
    return [message["v"] for message in socket.events()]


def people(one, other, game="octa", **more):
    """A table with Ann, who came to one server, and Bob, who came to the other."""
    made = one.table(game, ["me", "open"], name="Ann", **more)
    return made["table"], made["token"], other.claim(made)


def resend(socket, message):
    """Send it as it is: its ack or error."""
    socket.raw.send(json.dumps(message))
    while True:
        answer = socket.hear("ack", "error")
        if answer.get("id") == message["id"]:
            return answer
