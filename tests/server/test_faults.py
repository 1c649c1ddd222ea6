"""A server that is killed, starved or shut down loses no acknowledged move."""

import os
import resource
import signal
import subprocess
import sys

import httpx
import pytest
from dying_server import POINTS
from kills import check_log, play_until_dead, play_until_killed, start_server
from live_server import OwnClock
from patience import PATIENCE

from parlour.protocol.errors import StoreUnavailable

ROUNDS = 4
"""Kills of each store; `make soak` makes 200."""


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_after_kill_9_every_acknowledged_move_is_stored_once(new_store, seed):
    store = new_store()
    acknowledged = play_until_killed(store, seed)
    assert acknowledged
    check_log(store, acknowledged)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("number", [1, 7])
def test_a_kill_at_any_point_of_a_transaction_loses_no_acknowledged_move(new_store, point, number):
    store = new_store()
    acknowledged = play_until_dead(store, point, number)
    check_log(store, acknowledged)


class TestDisk:
    """Disk faults with SQLite; see test_postgres for PostgreSQL."""

    @pytest.fixture
    def kind(self):
        return "sqlite"

    def test_a_file_size_limit_gives_an_error_and_the_server_recovers(self, tmp_path):
        process, link = start_server(f"sqlite:{tmp_path / 'server.sqlite'}")
        try:
            with httpx.Client(base_url=f"{link}/api/v1", timeout=PATIENCE) as http:
                made = http.post("/tables", json={"game": "octa", "seats": [{"kind": "me"}]})
                assert made.status_code == 201
                size = max(each.stat().st_size for each in tmp_path.iterdir())
                _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, most))
                codes = [
                    http.post("/tables", json={"game": "octa"}).json().get("code")
                    for _ in range(20)
                ]
                assert "store_unavailable" in codes
                assert set(codes) <= {None, "store_unavailable"}
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
                assert http.post("/tables", json={"game": "octa"}).status_code == 201
                assert http.get(f"/tables/{made.json()['table']}").status_code == 200
        finally:
            process.terminate()
            assert process.wait(PATIENCE) == 0
            process.stdout.close()

    def test_a_full_disk_gives_an_error_and_leaves_the_board_unchanged(self, server):
        made = server.table("octa", ["me", 1])
        with server.socket(made["table"], made["token"]) as socket:
            action = socket.welcome["scene"]["actions"][0][0]
            writer = server.app.rooms.store._writer
            writer.execute("PRAGMA query_only = ON")
            answer = socket.ask("play", 1, ply=0, action=action)
            assert (answer["code"], answer["ply"]) == ("store_unavailable", 0)
            refused = server.post("/tables", {"game": "octa"})
            assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")
            assert server.get(f"/tables/{made['table']}").json()["ply"] == 0
            writer.execute("PRAGMA query_only = OFF")
            assert socket.ask("play", 1, ply=0, action=action)["t"] == "ack"

    def test_a_server_that_cannot_store_is_unhealthy(self, server):
        rooms = server.app.rooms
        health = f"{server.url}/healthz"
        assert server.get(health).status_code == 200
        rooms.store._writer.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreUnavailable):
            server.run(rooms.housekeeping.beat())
        answer = server.get(health)
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
        rooms.store._writer.execute("PRAGMA query_only = OFF")
        server.run(rooms.housekeeping.beat())
        assert server.get(health).status_code == 200

    def test_a_move_that_cannot_be_stored_makes_the_server_unhealthy_at_once(self, start):
        server = start(beat_seconds=1000.0)
        health = f"{server.url}/healthz"
        made = server.table("octa", ["me", "open"])
        server.claim(made)
        with server.socket(made["table"], made["token"]) as socket:
            action = socket.welcome["scene"]["actions"][0][0]
            writer = server.app.rooms.store._writer
            writer.execute("PRAGMA query_only = ON")
            socket.ask("play", 1, ply=0, action=action)
            assert server.get(health).status_code == 503
            writer.execute("PRAGMA query_only = OFF")
            assert socket.ask("play", 1, ply=0, action=action)["t"] == "ack"
            assert server.get(health).status_code == 200

    def test_an_agents_move_is_retried_after_a_store_failure(self, server):
        made = server.table("octa", ["me", 1])
        with server.socket(made["table"], made["token"]) as socket:
            store = server.app.rooms.store
            commit, failed = store.commit, []

            async def refuse_agents(change):
                if change.request is None and not failed:
                    failed.append(change)
                    raise StoreUnavailable("the disk is full")
                await commit(change)

            store.commit = refuse_agents
            action = socket.welcome["scene"]["actions"][0][0]
            socket.ask("play", 1, ply=0, action=action)
            event = socket.receive("event")
            while event["seat"] != 1:
                event = socket.receive("event")
            assert failed
            assert event["ply"] == 2


class TestShutdown:
    def test_a_shutdown_notifies_clients_refuses_moves_and_keeps_clocks(self, start):
        clock = OwnClock()
        server = start(clock=clock.server)
        made = server.table("octa", ["me", "open"], clock="1m")
        server.claim(made)
        with server.socket(made["table"], made["token"]) as socket:
            action = socket.welcome["scene"]["actions"][0][0]
            clock.seconds += 7
            server.run(server.app.drain())
            assert socket.receive("closing")["retry_after"] > 0
            assert socket.ask("play", 1, ply=0, action=action)["code"] == "closing"
            assert server.post("/tables", {"game": "octa"}).json()["code"] == "closing"
        server._server.should_exit = True
        server._thread.join(PATIENCE)
        clock.seconds += 500
        later = start(clock=OwnClock(clock.seconds).server)
        with later.socket(made["table"]) as socket:
            assert socket.welcome["clocks"]["left"] == [53, 60]

    def test_sigterm_exits_with_status_0(self, new_store):
        process = subprocess.Popen(
            [sys.executable, "-m", "parlour.cli", "serve", "--port", "0"],
            env={**os.environ, "PARLOUR_SERVE_STORE": new_store()},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with process.stdout as stdout:
            link = stdout.readline().split()[-1]
        assert httpx.get(f"{link}/healthz").json()["status"] == "ok"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
