"""A server whose PostgreSQL restarts, stops, or is lost during a commit."""

import json
import threading
import time

import pytest
import raw_store
from cut_line import CutLine
from kills import Player, check_log, start_server
from own_postgres import shared
from patience import PATIENCE


@pytest.fixture
def kind():
    return "postgresql"


@pytest.fixture
def line():
    line = CutLine(shared().port)
    yield line
    line.close()


def healthy(server):
    return server.get(f"{server.url}/healthz").status_code == 200


def wait_for(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def plays(server, made):
    rows = raw_store.execute(
        server.settings.store, "SELECT data FROM event WHERE kind = 'play' AND game_id = ?",
        (made["table"],),
    )  # fmt: skip
    return [json.loads(data)["ply"] for (data,) in rows]


@pytest.mark.parametrize("before", [False, True])
def test_a_move_with_a_lost_commit_is_played_once_when_resent(start, line, before):
    database = shared().new_database().rpartition("/")[2]
    server = start(shared().url(database, port=line.port))
    made = server.table("octa", ["me", "open"])
    server.claim(made)
    with server.socket(made["table"], made["token"]) as socket:
        action = socket.welcome["scene"]["actions"][0][0]
        line.arm(before=before, first=b" v ")
        answer = socket.ask("play", 1, ply=0, action=action)
        assert (line.cuts, answer["code"]) == (1, "store_unavailable")
        if not before:  # it was stored, and all clients receive it without a resync
            assert socket.receive("event")["ply"] == 1
        assert "resync" not in [each["t"] for each in socket.received]
    with server.socket(made["table"], made["token"]) as socket:
        assert socket.welcome["ply"] == (0 if before else 1)
        assert socket.ask("play", 1, ply=0, action=action)["t"] == "ack"
        assert socket.ask("play", 1, ply=0, action=action)["t"] == "ack"
        other = socket.ask("play", 2, ply=0, action=action)
        assert other["code"] in ("stale", "not_your_turn")
    assert plays(server, made) == [1]


def test_a_table_with_a_lost_commit_is_created_once(start, line):
    database = shared().new_database().rpartition("/")[2]
    server = start(shared().url(database, port=line.port))
    key = "an unguessable key"
    line.arm(first=b" v ")
    lost = server.post("/tables", {"game": "octa"}, key=key)
    assert (lost.status_code, lost.json()["code"]) == (503, "store_unavailable")
    made = [server.post("/tables", {"game": "octa"}, key=key) for _ in range(2)]
    assert made[0].json() == made[1].json()
    assert raw_store.execute(server.settings.store, "SELECT COUNT(*) FROM game") == [(1,)]


def test_requests_fail_while_the_database_is_down_and_recover(server):
    made = server.table("octa", ["me", 1])
    with server.socket(made["table"], made["token"]) as socket:
        action = socket.welcome["scene"]["actions"][0][0]
        shared().stop()
        try:
            answer = socket.ask("play", 1, ply=0, action=action)
            assert answer["code"] == "store_unavailable"
            assert "127.0.0.1" not in answer["message"]
            refused = server.post("/tables", {"game": "octa"})
            assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")
            wait_for(lambda: not healthy(server))
        finally:
            shared().start()
        wait_for(lambda: healthy(server))
        assert socket.ask("play", 1, ply=0, action=action)["t"] == "ack"
        while socket.receive("event")["ply"] != 2:
            pass
    assert plays(server, made)[0] == 1


def test_database_restarts_during_play_lose_no_acknowledged_move(new_store):
    store = new_store()
    process, link = start_server(store)
    acknowledged, dead = [], threading.Event()

    class Stubborn(Player):
        """Moves to another table after an error."""

        def run(self):
            while not dead.is_set():
                try:
                    self.play()
                except Exception:
                    time.sleep(0.05)

    players = [Stubborn(link, number, 1, acknowledged, dead) for number in range(6)]
    try:
        for player in players:
            player.start()
        for wanted in (40, 80, 120):
            wait_for(lambda wanted=wanted: len(acknowledged) > wanted)
            shared().restart()
        wait_for(lambda: len(acknowledged) > 180)
    finally:
        dead.set()
        process.kill()
        process.wait()
        process.stdout.close()
    for player in players:
        player.join(PATIENCE)
    check_log(store, list(acknowledged))
