"""Shared by tests of clients in other languages: cut connections, and records to check."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

from patience import PATIENCE
from proxy import Proxy

from parlour import Record


def check_record(server, table):
    """Check that a finished game's record is complete; return the seats of its actions in order.

    The client must have sent a nonce.
    """
    seats = server.run(server.app.rooms.room(table)).hosted.seats
    assert any(len(seat.nonce) >= 16 for seat in seats)
    text = server.http.get(f"/tables/{table}/record").text
    record = Record.from_text(text)
    assert record.to_text() == text
    assert record.final.result is not None
    events = server.get(f"/tables/{table}/events").json()["events"]
    played = [event for event in events if event["kind"] in ("play", "chance")]
    assert [event["action"] for event in played] == list(record.actions)
    assert [event["ply"] for event in played] == list(range(1, len(played) + 1))
    return [event.get("seat", -1) for event in played]


def play_own_seat(server, made, before=lambda ply: None, until=1000):
    """Play the test's seat until the end or that ply; `before` is called with each ply."""
    with server.socket(made["table"], made["token"]) as socket:
        message = socket.welcome
        while "ending" not in message:
            scene = message.get("scene") or message.get("diff") or {}
            ply = message["ply"]
            if scene.get("actions"):
                if ply >= until:
                    return
                before(ply)
                socket.ask("play", f"own-{ply}", ply=ply, action=scene["actions"][0][0])
            message = socket.receive("event", seconds=60)


@contextlib.contextmanager
def cut_line(server, cuts=(2, 6, 12)):
    """Return an invitation over a connection that is cut at these plies, and the table.

    The other seat is the test's and waits for its turn, so the client must reconnect to continue.
    """
    made = server.table("octa", ["me", "open"], options={"size": 2}, seed=3)
    line = Proxy(server.port)

    def cut(ply):
        if ply in cuts:
            line.cut()

    other = threading.Thread(target=play_own_seat, args=(server, made, cut))
    other.start()
    try:
        yield made["invitations"][0]["url"].replace(server.url, line.url), made["table"]
        other.join(PATIENCE)
        assert not other.is_alive()
    finally:
        line.close()


def play_through_a_restart(start, play):
    """Return what the client `play` answers for an invitation whose server restarts."""
    server = start()
    made = server.table("octa", ["me", "open"], options={"size": 2}, seed=3)
    with ThreadPoolExecutor(1) as threads:
        playing = threads.submit(play, made["invitations"][0]["url"])
        play_own_seat(server, made, until=6)
        server.stop()
        again = start(port=server.port)
        play_own_seat(again, made)
        answer = playing.result()
    check_record(again, made["table"])
    return answer
