"""`--workers`: several processes behind one port, killed, replaced and restarted."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import httpx
import pytest
import raw_store
from live_server import Socket
from own_postgres import shared
from patience import PATIENCE
from quick_workers import Workers, children
from two_servers import actions_of, event_texts, receive_until, resend, until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from parlour.client import Client
from parlour.server.settings import Settings


@pytest.fixture
def store():
    return shared().new_database()


@pytest.fixture(scope="module")
def server():
    """A server for the tests that leave both workers running."""
    with Workers(shared().new_database()) as server:
        yield server


@contextlib.contextmanager
def socket_at(server, table, token="", at=None, **hello):
    """Open a connection, at a certain worker if given, and say hello."""
    while True:
        with connect(f"ws{server.link[4:]}/ws/v1", max_size=None, open_timeout=PATIENCE) as raw:
            if at not in (None, server.worker_of(raw)):
                continue
            socket = Socket(raw)
            socket.send({"t": "hello", "table": table, "token": token, **hello})
            socket.welcome = socket.receive("welcome", "error")
            yield socket
            return


def post(server, path, body):
    answer = httpx.post(f"{server.link}/api/v1{path}", json=body, timeout=PATIENCE)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def with_agent(server):
    seats = [{"kind": "me"}, {"kind": "agent", "level": 1}]
    made = post(server, "/tables", {"game": "octa", "seats": seats, "options": {"size": 3}})
    return made["table"], made["token"]


def with_bob(server):
    made = post(server, "/tables", {"game": "octa", "seats": [{"kind": "me"}], "seed": 1})
    invitation = made["invitations"][0]
    path = f"/tables/{made['table']}/seats/{invitation['seat']}/claim"
    bob = post(server, path, {"claim": invitation["claim"], "name": "Bob"})
    return made["table"], made["token"], bob["token"]


def metric(server, name):
    text = httpx.get(f"{server.link}/metrics", timeout=PATIENCE).text
    return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name))


class TestStartAndStop:
    def test_the_url_is_printed_once_and_sigterm_exits_with_status_0(self, store):
        environment = {**os.environ, "PARLOUR_SERVE_STORE": store}
        command = [sys.executable, "-m", "parlour.cli", "serve", "--port", "0", "--workers", "3"]
        process = subprocess.Popen(
            [*command, "--log", "json"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        line = process.stdout.readline()
        assert line.startswith("Parlour is open at http://127.0.0.1:")
        pids = children(process.pid)
        assert len(pids) == 3
        assert httpx.get(f"{line.split()[-1]}/healthz").json()["status"] == "ok"
        process.send_signal(signal.SIGTERM)
        out, log = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out) == (0, "")
        lines = [json.loads(each) for each in log.splitlines()]
        ended = [each.get("worker") for each in lines if each["message"].endswith("shutting down")]
        assert sorted(filter(None, ended)) == [1, 2, 3]
        assert not [pid for pid in pids if _lives(pid)]

    def test_a_second_signal_kills_workers_that_do_not_exit(self, store):
        with Workers(store) as server:
            stuck = server.pids()[0]
            os.kill(stuck, signal.SIGSTOP)
            server.process.send_signal(signal.SIGTERM)
            until(lambda: server.pids() == [stuck])
            assert server.stop() == 1
            assert not _lives(stuck)

    def test_workers_exit_when_the_supervisor_dies(self, store):
        with Workers(store) as server:
            pids = server.pids()
            server.stop(signal.SIGKILL)
            until(lambda: not [pid for pid in pids if _lives(pid)])
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"{server.link}/healthz")

    @pytest.mark.parametrize(
        ("given", "words"),
        [("sqlite:games.sqlite", "or --workers 1 with a SQLite file"), ("", "postgresql://")],
    )
    def test_several_workers_on_a_sqlite_file_are_refused(self, given, words, tmp_path):
        done = _serve(given, "2", cwd=tmp_path)
        assert done.returncode == 2
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1

    def test_a_missing_database_gives_one_line_and_all_workers_exit(self, tmp_path):
        done = _serve("postgresql://nobody@127.0.0.1:1/none", "2", cwd=tmp_path)
        assert done.returncode == 2
        assert "cannot be used as a store" in done.stderr.splitlines()[-1]
        assert done.stderr.count("cannot be used") == 1

    def test_server_wide_limits_are_divided(self):
        share = Settings(workers=3, sockets=1000, rooms=10, room_memory=9, agents=2).share
        assert (share.sockets, share.rooms, share.room_memory) == (334, 4, 3)
        assert share.agents == 2
        assert share.sockets_per_address == Settings().sockets_per_address


def _serve(store, workers, **more):
    environment = {**os.environ, "PARLOUR_SERVE_STORE": store}
    command = [sys.executable, "-m", "parlour.cli", "serve", "--port", "0", "--workers", workers]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, **more
    )


def _lives(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class TestTwoWorkers:
    def test_workers_send_the_same_bytes_and_one_of_two_moves_is_stale(self, server):
        table, ann_token, _bob = with_bob(server)
        first, second = until(lambda: len(server.pids()) == 2 and server.pids())
        with (
            socket_at(server, table, ann_token, first) as here,
            socket_at(server, table, ann_token, second) as there,
        ):
            play = {"t": "play", "ply": 0, "action": actions_of(here)[0][0]}
            for name, socket in (("h", here), ("t", there)):
                socket.send({**play, "id": name})
            answers = [socket.receive("ack", "error") for socket in (here, there)]
            assert sorted(each.get("code", "ack") for each in answers) == ["ack", "stale"]
            v = answers[0]["v"]
            receive_until(here, v)
            receive_until(there, v)
            assert event_texts(here) == event_texts(there)
            kept = next(each["id"] for each in answers if each["t"] == "ack")
            assert resend(here, {**play, "id": kept}) == resend(there, {**play, "id": kept})

    def test_metrics_cover_all_workers_and_survive_a_dead_one(self, server):
        table, ann_token, _bob = with_bob(server)
        first, second = until(lambda: len(server.pids()) == 2 and server.pids())
        with (
            socket_at(server, table, ann_token, first) as here,
            socket_at(server, table, "", second),
        ):
            until(lambda: metric(server, "parlour_sockets ") == 2)
            assert metric(server, 'parlour_games{status="person"}') >= 1
            counted = metric(server, 'parlour_seat_request_duration_seconds_count{verb="play"}')
            here.ask("play", 1, ply=0, action=actions_of(here)[0][0])
            asked = metric(server, 'parlour_seat_request_duration_seconds_count{verb="play"}')
            assert asked == counted + 1
            os.kill(first, signal.SIGKILL)
            until(lambda: metric(server, "parlour_sockets ") == 1)
            assert (
                metric(server, 'parlour_seat_request_duration_seconds_count{verb="play"}') == asked
            )


class TestDeadWorkers:
    def test_a_dead_worker_is_replaced_and_its_clients_reconnect(self, store, tmp_path):
        log = tmp_path / "log"
        with log.open("w") as file, Workers(store, log=file) as server:
            enough = threading.Event()
            players = [Visitor(server.link, number, enough) for number in range(6)]
            for player in players:
                player.start()
            rng = random.Random(1)
            for _ in range(4):
                before = sum(len(player.acknowledged) for player in players)
                until(lambda b=before: sum(len(p.acknowledged) for p in players) > b + 10)
                os.kill(rng.choice(server.pids()), signal.SIGKILL)
                until(lambda: len(server.pids()) == 2)
            enough.set()
            for player in players:
                player.join(PATIENCE)
                assert player.failure is None
                assert player.is_over
            _check(store, [ack for player in players for ack in player.acknowledged])
        lines = [line for line in log.read_text().splitlines() if "a worker exited" in line]
        assert len(lines) == 4
        assert all("status=-9 next_in=" in line for line in lines)

    def test_a_hung_worker_is_killed_and_replaced(self, store, tmp_path):
        log = tmp_path / "log"
        # A healthy worker that is slow for ten seconds is replaced too, and the test still passes.
        with log.open("w") as file, Workers(store, log=file, silent=10) as server:
            stuck = until(lambda: len(server.pids()) == 2 and server.pids()[0])
            os.kill(stuck, signal.SIGSTOP)
            until(lambda: stuck not in server.pids() and len(server.pids()) == 2)
            served = set()

            def both_serve():
                with connect(f"ws{server.link[4:]}/ws/v1", open_timeout=PATIENCE) as raw:
                    served.add(server.worker_of(raw))
                return len(served - {None}) >= 2

            until(both_serve)
            assert stuck not in served
        assert "a worker does not respond and is killed" in log.read_text()

    def test_another_worker_takes_over_an_agents_turn(self, server):
        table, token = with_agent(server)
        first, second = until(lambda: len(server.pids()) == 2 and server.pids())
        with socket_at(server, table, token, first) as here:
            v = here.ask("play", 1, ply=0, action=actions_of(here)[0][0])["v"] + 1
            receive_until(here, v)
            agents = children(first)
            assert agents
            for pid in agents:
                os.kill(pid, signal.SIGSTOP)  # the agent thinks forever
            v = here.ask("play", 2, ply=2, action=actions_of(here)[0][0])["v"]
            here.receive("thinking")
            with socket_at(server, table, token, second) as there:
                time.sleep(1.5)  # longer than a lease, which is renewed
                there.send({"t": "ping", "at": 1})
                there.receive("pong")
                assert not there.events()
                os.kill(first, signal.SIGKILL)
                for pid in agents:
                    os.kill(pid, signal.SIGKILL)
                assert receive_until(there, v + 1)["seat"] == 1

    def test_presence_of_a_dead_worker_expires(self, server):
        table, ann_token, bob_token = with_bob(server)
        first, second = until(lambda: len(server.pids()) == 2 and server.pids())
        with (
            socket_at(server, table, ann_token, first),
            socket_at(server, table, bob_token, second) as bob,
        ):
            while bob.receive("presence")["seats"] != [True, True]:
                pass
            os.kill(first, signal.SIGKILL)
            while bob.receive("presence")["seats"] != [False, True]:
                pass

    def test_rolling_restarts_do_not_interrupt_play(self, store):
        with Workers(store) as old:
            table, ann_token, bob_token = with_bob(old)
            with Workers(store) as new, socket_at(new, table, bob_token) as bob:
                with socket_at(old, table, ann_token) as ann:
                    play = {"t": "play", "id": "a", "ply": 0, "action": actions_of(ann)[0][0]}
                    ack = resend(ann, play)
                    receive_until(bob, ack["v"])
                    old.process.send_signal(signal.SIGTERM)
                    ann.receive("closing")
                    with pytest.raises(ConnectionClosed):
                        ann.receive("nothing")
                assert old.process.wait(PATIENCE) == 0
                with socket_at(new, table, ann_token, v=ack["v"]) as ann:
                    assert ann.welcome["v"] == ack["v"]
                    assert resend(ann, play) == ack
                    v = bob.ask("play", 1, ply=1, action=actions_of(bob)[0][0])["v"]
                    assert receive_until(ann, v)["ply"] == 2


class Visitor(threading.Thread):
    """Plays against an agent with the public client until `enough`, and records the acks."""

    def __init__(self, link, number, enough):
        super().__init__(daemon=True)
        self.link, self.rng, self.enough = link, random.Random(number), enough
        self.acknowledged = []
        self.failure = None
        self.is_over = False

    def run(self):
        try:
            with Client(self.link) as client:
                while not self.enough.is_set():
                    table = client.create("banqi", seats=["me", 1])
                    while table.turn():
                        ply = table.view.ply
                        action = self.rng.choice(table.scene.actions).action
                        v = table.play(action, ply)
                        self.acknowledged.append((table.id, v, ply, action))
                        if self.enough.is_set() and table.turn():
                            table.resign()
                    self.is_over = table.is_over
        except Exception as error:
            self.failure = error


def _check(store, acknowledged):
    """Check that every acknowledged move is logged once and no version is missing."""
    for table in {each[0] for each in acknowledged}:
        rows = raw_store.execute(
            store, "SELECT v, kind, action, data FROM event WHERE game_id = ? ORDER BY v", (table,)
        )
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
        played = [
            (json.loads(data)["ply"] - 1, action)
            for _, kind, action, data in rows
            if kind == "play"
        ]
        assert len({ply for ply, _ in played}) == len(played)
        mine = {(ply, action) for where, _, ply, action in acknowledged if where == table}
        assert mine <= set(played)
