"""Quick pairing: people with the same wish meet, and a place is freed when its person is gone."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx
import pytest
from kills import start_server
from live_server import OwnClock
from patience import PATIENCE
from quick_workers import Workers
from two_servers import until

from parlour.client import Client

SMALL = {"game": "octa", "options": {"size": 2}}


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


@pytest.fixture
def clock():
    return OwnClock()


@pytest.fixture
def server(start, clock):
    return start(clock=clock.server)


def find(server, key="", **more):
    """Look for a game and return the seat."""
    answer = server.post("/pairing", {**SMALL, **more}, key=key)
    assert answer.status_code == 200, answer.text
    return answer.json()


def status(server, seated):
    return server.get(f"/tables/{seated['table']}").json()["status"]


def wait_until_hidden(server, seated):
    """Wait until the waiting table is not found any more."""

    def is_hidden():
        store = server.app.rooms.store
        rows = server.run(store._rows("SELECT game_id, until_ms FROM pairing"))
        now = server.app.clock.now()
        return all(game != seated["table"] or end <= now for game, end in rows)

    until(is_hidden)


def tend(server):
    server.run(server.app.rooms.pairing.tend())


class TestSeating:
    def test_two_people_with_the_same_wish_play(self, server):
        ann, bob = find(server, name="Ann"), find(server, name="Bob")
        assert ann["table"] == bob["table"]
        assert {ann["seat"], bob["seat"]} == {0, 1}
        with server.socket(ann["table"], ann["token"]) as socket:
            assert socket.welcome["status"] == "playing"
            names = [seat["name"] for seat in socket.welcome["seats"]]
            assert (names[ann["seat"]], names[bob["seat"]]) == ("Ann", "Bob")

    def test_a_waiting_person_is_told_at_once(self, server):
        ann = find(server)
        with server.socket(ann["table"], ann["token"]) as socket:
            assert socket.welcome["status"] == "waiting"
            find(server)
            while socket.receive("event").get("status") != "playing":
                pass

    @pytest.mark.parametrize(
        "other", [{"options": {"size": 3}}, {"clock": "5m+3"}, {"game": "banqi", "options": {}}]
    )
    def test_other_options_clocks_and_games_are_not_paired(self, server, other):
        ann, bob = find(server), find(server, **other)
        assert ann["table"] != bob["table"]
        assert status(server, ann) == status(server, bob) == "waiting"

    def test_equal_wishes_may_be_written_differently(self, server):
        ann = find(server, options={}, clock="5m")
        assert find(server, options={"size": 4}, clock="300+0")["table"] == ann["table"]

    def test_the_third_person_waits(self, server):
        ann, bob, carl = (find(server) for _ in range(3))
        assert ann["table"] == bob["table"] != carl["table"]
        assert (status(server, ann), status(server, carl)) == ("playing", "waiting")

    def test_four_people_fill_a_game_with_four_seats(self, server):
        seated = [find(server, game="blokus", options={}) for _ in range(4)]
        assert len({each["table"] for each in seated}) == 1
        assert sorted(each["seat"] for each in seated) == [0, 1, 2, 3]
        assert status(server, seated[0]) == "playing"

    def test_a_repeated_request_returns_the_same_seat(self, server):
        key = "a-key-that-is-hard-to-guess-1"
        ann = find(server, key=key)
        assert find(server, key=key) == ann
        assert status(server, ann) == "waiting"
        assert find(server)["table"] == ann["table"]
        assert find(server, key=key) == ann
        refused = server.post("/pairing", {**SMALL, "name": "Eve"}, key=key)
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")

    def test_waiting_tables_are_in_no_list_and_their_seats_cannot_be_claimed(self, server):
        ann = find(server)
        assert server.get("/tables").json()["tables"] == []
        path = f"/tables/{ann['table']}/seats/{1 - ann['seat']}/claim"
        assert server.post(path, {}).json()["code"] == "unauthorized"

    @pytest.mark.parametrize(
        ("wish", "code"),
        [
            ({"game": "chess"}, "not_found"),
            ({"options": {"width": 3}}, "bad_option"),
            ({"clock": "soon"}, "bad_clock"),
            ({"nonce": " "}, "bad_nonce"),
            ({"game": 3}, "bad_message"),
        ],
    )
    def test_wrong_wishes_are_refused_and_leave_no_table(self, server, wish, code):
        assert server.post("/pairing", {**SMALL, **wish}).json()["code"] == code
        assert server.run(server.app.rooms.store.count()) == {}

    def test_a_game_with_one_seat_is_refused(self, server, monkeypatch):
        alone = SimpleNamespace(seats=1, title="Patience")
        monkeypatch.setattr("parlour.server.http.pairing_api.wanted_game", lambda *_: alone)
        refused = server.post("/pairing", SMALL)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")


class TestRaces:
    def test_simultaneous_requests_leave_at_most_one_waiting_table(self, start, clock, kind):
        servers = [start(clock=clock.server)]
        if kind == "postgresql":
            servers.append(start(clock=clock.server))
        together = threading.Barrier(21)

        def look(number):
            together.wait()
            return find(servers[number % len(servers)], key=f"unguessable-key-number-{number}")

        with ThreadPoolExecutor(21) as pool:
            seated = list(pool.map(look, range(21)))
        seats = {}
        for each in seated:
            seats.setdefault(each["table"], set()).add(each["seat"])
        assert sorted(map(len, seats.values())) == [1] + [2] * 10
        assert servers[0].run(servers[0].app.rooms.store.count()) == {"waiting": 1, "person": 10}

    def test_simultaneous_repetitions_take_one_seat(self, server):
        key = "a-key-that-is-hard-to-guess-2"
        with ThreadPoolExecutor(8) as pool:
            seated = list(pool.map(lambda _: find(server, key=key), range(8)))
        assert all(each == seated[0] for each in seated)
        assert server.run(server.app.rooms.store.count()) == {"waiting": 1}

    def test_the_store_keeps_one_waiting_table_of_a_kind(self, server):
        find(server)
        store = server.app.rooms.store
        ((kind, table, _),) = server.run(store._rows("SELECT * FROM pairing"))
        assert server.run(store.hold_places([(bytes(kind), "another")], 1)) == ["another"]
        assert server.run(store.hold_places([(bytes(kind), table)], 1)) == []


class TestLeaving:
    def test_leaving_ends_the_table(self, server):
        ann = find(server)
        left = server.post(f"/tables/{ann['table']}/seats/{ann['seat']}/leave", token=ann["token"])
        assert left.status_code == 200
        assert status(server, ann) == "over"
        bob = find(server)
        assert bob["table"] != ann["table"]
        assert status(server, bob) == "waiting"

    def test_a_closed_socket_hides_the_table_at_once_and_ends_it_later(self, server, clock):
        ann = find(server)
        with server.socket(ann["table"], ann["token"]):
            pass
        wait_until_hidden(server, ann)
        bob = find(server)
        assert bob["table"] != ann["table"]
        assert find(server)["table"] == bob["table"]
        clock.seconds += 11
        tend(server)
        assert status(server, ann) == "over"
        assert status(server, bob) == "playing"

    def test_a_person_who_reconnects_in_time_is_found_again(self, server, clock):
        ann = find(server)
        with server.socket(ann["table"], ann["token"]):
            pass
        wait_until_hidden(server, ann)
        clock.seconds += 5
        tend(server)
        with server.socket(ann["table"], ann["token"]) as socket:
            assert socket.welcome["status"] == "waiting"
            kind = server.run(server.app.rooms.store._rows("SELECT kind FROM pairing"))[0][0]
            place = server.app.rooms.store.find_place
            until(lambda: server.run(place(bytes(kind), server.app.clock.now()))[1])
            assert find(server)["table"] == ann["table"]

    def test_a_person_whose_place_was_given_away_sees_the_table_end(self, server):
        ann = find(server)
        with server.socket(ann["table"], ann["token"]):
            pass
        wait_until_hidden(server, ann)
        find(server)
        with server.socket(ann["table"], ann["token"]) as socket:
            ended = socket.welcome
            while ended.get("status") != "over":
                ended = socket.receive("event")

    def test_a_person_who_never_connects_is_not_found_for_long(self, server, clock):
        ann = find(server)
        clock.seconds += 4
        assert find(server)["table"] != ann["table"]
        clock.seconds += 10
        tend(server)
        assert status(server, ann) == "over"

    def test_a_connected_person_waits_as_long_as_they_like(self, server, clock):
        ann = find(server)
        with server.socket(ann["table"], ann["token"]):
            for _ in range(5):
                clock.seconds += 8
                tend(server)
            assert find(server)["table"] == ann["table"]

    def test_a_game_that_has_begun_goes_on_without_connections(self, server, clock):
        ann, _ = find(server), find(server)
        with server.socket(ann["table"], ann["token"]):
            pass
        clock.seconds += 100
        tend(server)
        assert status(server, ann) == "playing"

    def test_one_of_three_who_is_gone_frees_their_seat(self, server, clock):
        wish = {"game": "blokus", "options": {}}
        ann, bob = find(server, **wish), find(server, **wish)
        with server.socket(ann["table"], ann["token"]) as socket:
            tend(server)
            clock.seconds += 8
            tend(server)
            clock.seconds += 8
            tend(server)
            while (event := socket.receive("event"))["kind"] != "leave":
                pass
            assert event["seat"] == bob["seat"]
            seated = [find(server, **wish) for _ in range(3)]
            assert {each["table"] for each in seated} == {ann["table"]}
            assert status(server, ann) == "playing"
        assert server.get(f"/tables/{ann['table']}", bob["token"]).status_code == 401


class TestProcesses:
    @pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
    def test_people_at_two_workers_are_paired(self, new_store):
        with Workers(new_store()) as server, ThreadPoolExecutor(6) as pool:
            clients = [Client(server.link) for _ in range(6)]
            tables = list(pool.map(lambda each: each.find("octa", options={"size": 2}), clients))
            counts = Counter(table.id for table in tables)
            for each in clients:
                each.close()
        assert list(counts.values()) == [2, 2, 2]

    @pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
    def test_people_at_two_processes_are_paired(self, start, clock):
        one, two = start(clock=clock.server), start(clock=clock.server)
        ann = find(one, name="Ann")
        with one.socket(ann["table"], ann["token"]) as socket:
            bob = find(two, name="Bob")
            assert bob["table"] == ann["table"]
            while socket.receive("event").get("status") != "playing":
                pass
            with two.socket(bob["table"], bob["token"]) as other:
                assert other.welcome["you"] == bob["seat"]

    def test_after_a_kill_a_person_who_is_gone_is_not_found(self, start, kind, new_store):
        store = new_store()
        process, link = start_server(store)
        try:
            ann = httpx.post(f"{link}/api/v1/pairing", json=SMALL, timeout=PATIENCE).json()
        finally:
            process.kill()
            process.wait(PATIENCE)
            process.stdout.close()
        # On PostgreSQL another process may still serve Ann, until her lease ends.
        lease = 11 if kind == "postgresql" else 0
        server = start(store, clock=OwnClock(time.time() + lease).server)
        bob = find(server)
        assert bob["table"] != ann["table"]
        assert find(server)["table"] == bob["table"]
        assert server.run(server.app.rooms.store.orphans(server.app.clock.now())) == {
            ann["table"]: 0
        }
