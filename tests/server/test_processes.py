"""Several processes on one database: no process owns a game, and all viewers see the same."""

import asyncio
import contextlib
import functools
import random
import threading
import time

import pytest
from kuhn import Kuhn
from live_server import OwnClock
from two_servers import (
    ONLY_NOTICES,
    actions_of,
    altered_notifications,
    event_texts,
    people,
    receive_until,
    resend,
    until,
    versions,
)
from websockets.exceptions import ConnectionClosed

import parlour
from parlour.server.clock import alive_seconds
from parlour.server.store.notices import NoticeListener
from parlour.server.store.store import Notification, Outdated, Run
from parlour.table import Play

GAMES = [("cat_mouse", {}), ("octa", {"size": 3}), ("banqi", {}), ("blokus", {})]
PLIES = 150


@pytest.fixture
def kind():
    return "postgresql"


@pytest.fixture
def two(start):
    """Two servers on one database, connected by notifications only, without polling."""
    return start(**ONLY_NOTICES), start(**ONLY_NOTICES)


def seated(one, two, game, **more):
    """A table with people on all seats, connected to either server."""
    made = one.table(game, ["me"], **more)
    tokens = {0: made["token"]}
    for number, invitation in enumerate(made.get("invitations", [])):
        server = (two, one)[number % 2]
        tokens[invitation["seat"]] = server.claim(made, number, name=f"P{number}")
    return made["table"], tokens


def play_out(table, tokens, servers, rng):
    """Play a game, each move at a random server. Return what each server sent to each viewer."""
    with contextlib.ExitStack() as stack:
        rows = [
            {
                viewer: stack.enter_context(server.socket(table, token))
                for viewer, token in [*tokens.items(), (None, "")]
            }
            for server in servers
        ]
        first = rows[0][0]
        actor, ply, v = first.welcome["scene"]["actor"], first.welcome["ply"], first.welcome["v"]
        begun, last = v, {}
        for number in range(PLIES):
            socket = rng.choice(rows)[actor]
            if v > begun:
                receive_until(socket, v)
            action = rng.choice(actions_of(socket))[0]
            answer = socket.ask("play", number, ply=ply, action=action)
            assert answer["t"] == "ack", answer
            v = answer["v"]
            last = receive_until(socket, v)
            ply = last["ply"]
            actor = (last.get("diff") or last.get("scene")).get("actor", actor)
            if "ending" in last:
                break
        if "ending" not in last:
            v = first.ask("resign", "enough")["v"]
        for row in rows:
            for socket in row.values():
                assert receive_until(socket, v).get("ending")
        return [{viewer: event_texts(socket) for viewer, socket in row.items()} for row in rows]


class TestReplication:
    @pytest.mark.parametrize(("game", "options"), GAMES)
    def test_all_processes_send_the_same_bytes_for_a_whole_game(self, two, game, options):
        table, tokens = seated(*two, game, options=options, clock="9h+1")
        here, there = play_out(table, tokens, two, random.Random(game))
        assert here == there
        assert all(len(each) > 3 for each in here.values())

    def test_all_processes_send_the_same_bytes_with_hidden_information(self, two):
        parlour.register("kuhn", Kuhn)
        for number in range(4):
            table, tokens = seated(*two, "kuhn")
            here, there = play_out(table, tokens, two, random.Random(number))
            assert here == there
            assert here[0] != here[1] != here[None]

    def test_all_processes_send_the_same_bytes_for_batched_changes(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, clock="9h", seed=1)
        with (
            one.socket(table, ann_token) as ann,
            one.socket(table) as watcher,
            other.socket(table, ann_token) as ann_too,
            other.socket(table) as watcher_too,
        ):
            with altered_notifications(other), one.socket(table, bob_token) as bob:
                ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])
                ann.ask("takeback", 2)
                bob.ask("takeback", 3)
                bob.ask("resign", 5)
                ann.ask("rematch", 6)
                last = bob.ask("rematch", 7)["v"]
                assert versions(ann_too) == []
            resend(ann_too, {"t": "takeback", "id": 8})  # refused, but it makes the server catch up
            for here, there in ((ann, ann_too), (watcher, watcher_too)):
                assert receive_until(there, last)["rematch"]
                receive_until(here, last)
                assert event_texts(here) == event_texts(there)

    def test_seat_changes_are_replicated_in_order(self, two):
        one, other = two
        made = one.table("octa", ["open"], visibility="listed")
        path = f"/tables/{made['table']}/seats/0"
        with one.socket(made["table"]) as here, other.socket(made["table"]) as there:
            with altered_notifications(other):
                bob = one.post(f"{path}/claim", {"name": "Bob"}).json()["token"]
                assert one.post(f"{path}/leave", {}, bob).status_code == 200
                cid = one.post(f"{path}/claim", {"name": "Cid"}).json()["token"]
            assert other.post(f"{path}/devices", {}, cid).status_code == 200
            assert other.get(f"/tables/{made['table']}", bob).status_code == 401
            receive_until(here, 3)
            receive_until(there, 3)
            assert event_texts(here) == event_texts(there)
            assert ["Bob" in text for text in event_texts(there)] == [True, False, False]


class TestRaces:
    def test_only_one_of_two_concurrent_moves_is_stored(self, two):
        table, ann_token, _bob = people(*two, seed=1)
        for _ in range(5):
            with contextlib.ExitStack() as stack:
                sockets = [stack.enter_context(each.socket(table, ann_token)) for each in two]
                ply = sockets[0].welcome["ply"]
                if ply:
                    break
                action = sockets[0].welcome["scene"]["actions"][0][0]
                for number, socket in enumerate(sockets):
                    socket.send({"t": "play", "id": f"n{number}", "ply": ply, "action": action})
                answers = [socket.receive("ack", "error") for socket in sockets]
                assert sorted(each["t"] for each in answers) == ["ack", "error"]
                (refused,) = [each for each in answers if each["t"] == "error"]
                assert refused["code"] == "stale"
                assert refused["ply"] == 1
                for socket in sockets:
                    receive_until(socket, refused["v"])

    def test_a_process_that_missed_changes_refuses_stale_moves(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, seed=1)
        with (
            altered_notifications(other),
            one.socket(table, ann_token) as ann,
            other.socket(table, ann_token) as ann_too,
            other.socket(table, bob_token) as bob,
        ):
            action = ann.welcome["scene"]["actions"][0][0]
            play = {"t": "play", "id": "a", "ply": 0, "action": action}
            ack = resend(ann, play)
            assert ack["t"] == "ack"
            assert resend(ann_too, {**play, "id": "b"})["code"] == "stale"
            assert versions(ann_too) == [ack["v"]]
            assert versions(ann_too)[-1] == receive_until(bob, ack["v"])["v"]

    def test_a_request_sent_to_two_processes_gets_the_same_ack(self, two):
        one, other = two
        table, ann_token, _bob = people(one, other, seed=1)
        with (
            altered_notifications(other),
            one.socket(table, ann_token) as ann,
            other.socket(table, ann_token) as ann_too,
        ):
            action = ann.welcome["scene"]["actions"][0][0]
            play = {"t": "play", "id": "a", "ply": 0, "action": action}
            assert resend(ann, play) == resend(ann_too, play)
            assert resend(ann, play) == resend(ann_too, play)
            takeback = {"t": "takeback", "id": "t"}
            ack = resend(ann_too, takeback)
            assert ack["t"] == "ack"
            assert ack == resend(ann, takeback)
            assert resend(ann, {**takeback, "t": "resign"})["code"] == "conflict"

    def test_a_client_with_a_newer_version_is_not_set_back(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, seed=1)
        with other.socket(table) as watcher, altered_notifications(other):
            with one.socket(table, ann_token) as ann:
                action = ann.welcome["scene"]["actions"][0][0]
                v = ann.ask("play", 1, ply=0, action=action)["v"]
                assert receive_until(ann, v)
            with other.socket(table, ann_token, v=v) as ann:
                assert (ann.welcome["v"], ann.welcome.get("missed", [])) == (v, [])
            assert versions(watcher) == [] or receive_until(watcher, v)
            with other.socket(table, bob_token) as bob:
                action = bob.welcome["scene"]["actions"][0][0]
                assert bob.ask("play", 2, ply=1, action=action)["t"] == "ack"

    def test_a_player_can_move_in_a_process_that_missed_the_last_move(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, seed=1)
        with (
            altered_notifications(other),
            one.socket(table, ann_token) as ann,
            one.socket(table, bob_token) as bob,
            other.socket(table, bob_token) as bob_too,
        ):
            v = ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])["v"]
            receive_until(bob, v)
            answer = bob_too.ask("play", 2, ply=1, action=actions_of(bob)[0][0])
            assert answer["t"] == "ack"
            assert versions(bob_too) == [v, answer["v"]]

    def test_only_one_of_two_concurrent_claims_in_two_processes_succeeds(self, two):
        made = two[0].table("octa", ["me"], visibility="listed")
        for server in two:
            assert server.get(f"/tables/{made['table']}").status_code == 200
        answers = []

        def claim(server):
            path = f"/tables/{made['table']}/seats/1/claim"
            answers.append(server.http.post(path, json={"name": "Bob"}).status_code)

        threads = [threading.Thread(target=claim, args=(server,)) for server in two]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == [200, 403]

    def test_a_claim_sent_to_two_processes_runs_once(self, two):
        made = two[0].table("octa", ["me"])
        claim = {"claim": made["invitations"][0]["claim"], "name": "Bob"}
        path = f"/tables/{made['table']}/seats/1/claim"
        answers = []

        def claim_seat(server):
            headers = {"Idempotency-Key": "an unguessable key"}
            answers.append(server.http.post(path, json=claim, headers=headers).json())

        threads = [threading.Thread(target=claim_seat, args=(server,)) for server in two]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers[0]["token"] == answers[1]["token"]

    def test_a_claim_executed_by_another_process_gets_the_same_response(self, two, monkeypatch):
        made = two[0].table("octa", ["me"])
        claim = {"claim": made["invitations"][0]["claim"], "name": "Bob"}
        path = f"/tables/{made['table']}/seats/1/claim"
        headers = {"Idempotency-Key": "an unguessable key"}
        first = []
        store = two[1].app.rooms.store
        look_up = store.claim_seat

        async def too_late(claim_hash):
            work = functools.partial(two[0].http.post, path, json=claim, headers=headers)
            first.append((await asyncio.to_thread(work)).json())
            return await look_up(claim_hash)

        monkeypatch.setattr(store, "claim_seat", too_late)
        second = two[1].http.post(path, json=claim, headers=headers)
        assert second.status_code == 200, second.text
        assert second.json()["token"] == first[0]["token"]

    def test_the_previous_holder_is_disconnected_in_every_process(self, two):
        one, other = two
        made = one.table("blokus", ["me"], visibility="listed")
        with other.socket(made["table"], made["token"]) as ann:
            one.post(f"/tables/{made['table']}/seats/0/leave", {}, made["token"])
            with pytest.raises(ConnectionClosed) as closed:
                ann.receive("nothing")
            assert closed.value.rcvd.code == 4403
        new = one.post(f"/tables/{made['table']}/seats/0/claim", {"name": "Bob"}).json()["token"]
        with altered_notifications(other), other.socket(made["table"], new) as bob:
            assert bob.welcome["you"] == 0

    def test_a_cancelled_commit_causes_no_resync(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, seed=1)
        with one.socket(table, bob_token) as bob, one.socket(table, ann_token) as ann:
            room = one.run(one.app.rooms.room(table))
            action = ann.welcome["scene"]["actions"][0][0]
            store = one.app.rooms.store
            commit = store.commit

            async def cut_off(change):
                store.commit = commit
                await commit(change)
                raise asyncio.CancelledError

            async def cut():
                store.commit = cut_off
                planned = room.hosted.plan(0, Play(action))
                async with room.lock:
                    with contextlib.suppress(asyncio.CancelledError):
                        await room.commit(planned)

            v = ann.welcome["v"] + 1
            one.run(cut())
            assert receive_until(bob, v)["kind"] == "play"
            assert receive_until(ann, v)["ply"] == 1
            assert "resync" not in [message["t"] for message in bob.received]


class TestNotices:
    def test_polling_finds_changes_without_notifications(self, start):
        one, other = start(beat_seconds=0.05), start(beat_seconds=0.05)
        table, ann_token, bob_token = people(one, other, seed=1)
        with (
            altered_notifications(other),
            one.socket(table, ann_token) as ann,
            other.socket(table, bob_token) as bob,
            other.socket(lobby=True, tokens=[bob_token]) as guest,
        ):
            v = ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])["v"]
            receive_until(bob, v)
            receive_until(ann, v)
            assert (
                event_texts(ann)[-1].split('"diff"')[0] == event_texts(bob)[-1].split('"diff"')[0]
            )
            assert guest.receive("turn")["table"] == table
            one.table("octa", ["me"], visibility="listed")
            while len(guest.receive("tables")["tables"]) != 1:
                pass

    def test_duplicate_late_and_reordered_notifications_are_harmless(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, seed=1)
        kept = []

        def odd(received):
            kept.append(received)
            return [*reversed(kept), received, received]

        with (
            altered_notifications(other, odd),
            one.socket(table, ann_token) as ann,
            one.socket(table, bob_token) as bob,
            other.socket(table) as watcher,
        ):
            first = ann.welcome["v"] + 1
            players, v = [ann, bob], 0
            for ply in range(12):
                socket = players[ply % 2]
                if v:
                    receive_until(socket, v)
                answer = socket.ask("play", ply, ply=ply, action=actions_of(socket)[0][0])
                v = answer["v"]
                if "ending" in receive_until(socket, v):
                    break
            receive_until(watcher, v)
            assert versions(watcher) == list(range(first, v + 1))

    def test_a_notification_of_an_unknown_version_is_ignored(self, two):
        one, other = two
        table, ann_token, _bob = people(one, other, seed=1)
        with other.socket(table, ann_token) as ann:
            v = ann.welcome["v"]
            rooms = other.app.rooms
            other.loop.call_soon_threadsafe(rooms._receive, Notification(table, v + 1000))
            action = ann.welcome["scene"]["actions"][0][0]
            assert ann.ask("play", 1, ply=0, action=action)["v"] == v + 1
            assert not rooms.in_memory(table).is_behind

    def test_actions_of_another_process_are_applied_without_reading_the_store(
        self, two, monkeypatch
    ):
        one, other = two
        table, ann_token, _bob = people(one, other, seed=1)
        with one.socket(table, ann_token) as ann, other.socket(table) as watcher:
            read = []
            with monkeypatch.context() as patch:
                patch.setattr(other.app.rooms.store, "load", lambda *given: read.append(given))
                action = ann.welcome["scene"]["actions"][0][0]
                v = ann.ask("play", 1, ply=0, action=action)["v"]
                receive_until(watcher, v)
            assert read == []
            with other.socket(table, ann_token) as again:
                assert again.ask("play", 1, ply=0, action=action)["v"] == v

    def test_an_unwatched_game_catches_up_on_the_next_request(self, two):
        one, other = two
        table, ann_token, _bob = people(one, other, seed=1)
        assert other.get(f"/tables/{table}").json()["ply"] == 0
        room = other.app.rooms.in_memory(table)
        with one.socket(table, ann_token) as ann:
            ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])
        until(lambda: room.is_behind)
        assert room.hosted.ply == 0
        assert other.get(f"/tables/{table}").json()["ply"] == 1
        assert other.app.rooms.in_memory(table) is room

    def test_deleting_a_game_notifies_its_viewers_in_other_processes(self, start):
        clock = OwnClock()
        one, other = (start(clock=clock.server, beat_seconds=0.05) for _ in range(2))
        made = one.table("octa", ["me"])
        with other.socket(made["table"], made["token"]) as ann:
            for days in (15, 91):  # first abandoned, then deleted
                clock.seconds += days * 24 * 3600
                one.run(one.app.rooms.housekeeping.clean_up())
            assert "deleted" in ann.receive("resync")["reason"]
            ann.send({"t": "hello", "table": made["table"]})
            assert ann.receive("error")["code"] == "not_found"


class TestClocks:
    def test_clocks_continue_from_changes_in_other_processes(self, start):
        clock = OwnClock()
        one, other = (start(clock=clock.server, **ONLY_NOTICES) for _ in range(2))
        table, ann_token, bob_token = people(one, other, clock="1m", seed=1)
        with one.socket(table, ann_token) as ann, other.socket(table, bob_token) as bob:
            with altered_notifications(other):
                v = ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])["v"]
                clock.seconds += 20
            resend(bob, {"t": "takeback", "id": "look"})
            receive_until(ann, v)
            assert receive_until(bob, v)["clocks"] == {"left": [60, 60], "running": 1}
            with other.socket(table) as watcher:
                left = watcher.welcome["clocks"]["left"]
                assert left[0] == 60
                assert left[1] == pytest.approx(40, abs=0.1)
            clock.seconds += 41
            other.run(other.app.rooms.in_memory(table).time_up())
            assert receive_until(ann, v + 1)["kind"] == "time_up"

    def test_no_time_is_refunded_while_another_process_is_alive(self, start):
        clock = OwnClock()
        one = start(clock=clock.server, beat_seconds=600, answer_seconds=30)
        table, _ann, _bob = people(one, one, clock="5m", seed=1)
        clock.seconds += 100
        # The first one sent its heartbeat long ago, and replies when the second one starts.
        other = start(clock=clock.server, beat_seconds=60, answer_seconds=30)
        with other.socket(table) as watcher:
            assert watcher.welcome["clocks"]["left"][0] == pytest.approx(200, abs=0.1)
        other.stop()
        clock.seconds += 50
        third = start(clock=clock.server, beat_seconds=600, answer_seconds=30)
        with third.socket(table) as watcher:
            assert watcher.welcome["clocks"]["left"][0] == pytest.approx(150, abs=0.1)

    def test_a_starting_process_repeats_its_heartbeat_request(self, start, monkeypatch):
        clock = OwnClock()
        one = start(clock=clock.server, beat_seconds=600)
        table, _ann, _bob = people(one, one, clock="5m", seed=1)
        clock.seconds += 100
        listen = NoticeListener.run

        def late(listener):
            time.sleep(0.3)
            listen(listener)

        monkeypatch.setattr(NoticeListener, "run", late)
        other = start(clock=clock.server, beat_seconds=60, answer_seconds=30)
        with other.socket(table) as watcher:
            assert watcher.welcome["clocks"]["left"][0] == pytest.approx(200, abs=0.1)

    def test_time_counts_while_any_process_is_alive(self):
        runs = [Run(0, 10_000), Run(2_000, 4_000), Run(8_000, 15_000), Run(30_000, 40_000)]
        assert alive_seconds(runs, 1_000, 35_000) == 14 + 5
        assert alive_seconds(reversed(runs), 12_000, 20_000) == 3
        assert alive_seconds(runs, 16_000, 29_000) == 0


def test_repeatedly_refused_work_is_given_up(two, monkeypatch):
    one, other = two
    table, ann_token, _bob = people(one, other, seed=1)
    tries = []

    async def never(change):
        tries.append(change)
        raise Outdated("the version has changed")

    with one.socket(table, ann_token) as ann:
        monkeypatch.setattr(one.app.rooms.store, "commit", never)
        action = ann.welcome["scene"]["actions"][0][0]
        assert ann.ask("play", 1, ply=0, action=action)["code"] == "stale"
    assert len(tries) == 1  # no newer version, so no retry
