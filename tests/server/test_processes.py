"""Several processes on one database: no process owns a game, and everybody sees the same."""

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
    deaf,
    hear_until,
    people,
    resend,
    told,
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
    """Two servers on one database, which hear of each other by notices alone."""
    return start(**ONLY_NOTICES), start(**ONLY_NOTICES)


def seated(one, two, game, **more):
    """A table with people on every seat, who came to one server or to the other."""
    made = one.table(game, ["me"], **more)
    tokens = {0: made["token"]}
    for number, invitation in enumerate(made.get("invitations", [])):
        server = (two, one)[number % 2]
        tokens[invitation["seat"]] = server.claim(made, number, name=f"P{number}")
    return made["table"], tokens


def play_out(table, tokens, servers, rng):
    """Play a game, each move at a random server; for each kind of viewer what each one told."""
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
                hear_until(socket, v)
            action = rng.choice(actions_of(socket))[0]
            answer = socket.ask("play", number, ply=ply, action=action)
            assert answer["t"] == "ack", answer
            v = answer["v"]
            last = hear_until(socket, v)
            ply = last["ply"]
            actor = (last.get("diff") or last.get("scene")).get("actor", actor)
            if "ending" in last:
                break
        if "ending" not in last:
            v = first.ask("resign", "enough")["v"]
        for row in rows:
            for socket in row.values():
                assert hear_until(socket, v).get("ending")
        return [{viewer: told(socket) for viewer, socket in row.items()} for row in rows]


class TestTheSameForEverybody:
    @pytest.mark.parametrize(("game", "options"), GAMES)
    def test_a_whole_game_is_told_byte_by_byte_as_where_it_happened(self, two, game, options):
        table, tokens = seated(*two, game, options=options, clock="9h+1", seed=3)
        here, there = play_out(table, tokens, two, random.Random(game))
        assert here == there
        assert all(len(each) > 3 for each in here.values())

    def test_so_is_a_game_with_secrets(self, two):
        parlour.register("kuhn", Kuhn)
        for number in range(4):
            table, tokens = seated(*two, "kuhn")
            here, there = play_out(table, tokens, two, random.Random(number))
            assert here == there
            assert here[0] != here[1] != here[None]

    def test_so_are_takebacks_the_end_and_a_rematch_heard_of_at_once(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, clock="9h", seed=1)
        with (
            one.socket(table, ann_token) as ann,
            one.socket(table) as watcher,
            other.socket(table, ann_token) as ann_too,
            other.socket(table) as watcher_too,
        ):
            with deaf(other), one.socket(table, bob_token) as bob:
                ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])
                ann.ask("takeback", 2)
                bob.ask("takeback", 3)
                bob.ask("resign", 5)
                ann.ask("rematch", 6)
                last = bob.ask("rematch", 7)["v"]
                assert versions(ann_too) == []
            resend(ann_too, {"t": "takeback", "id": 8})  # refused, but it looks what there is
            for here, there in ((ann, ann_too), (watcher, watcher_too)):
                assert hear_until(there, last)["rematch"]
                hear_until(here, last)
                assert told(here) == told(there)

    def test_seats_that_are_taken_left_and_taken_again_are_told_as_they_were(self, two):
        one, other = two
        made = one.table("octa", ["open"], visibility="listed")
        path = f"/tables/{made['table']}/seats/0"
        with one.socket(made["table"]) as here, other.socket(made["table"]) as there:
            with deaf(other):
                bob = one.post(f"{path}/claim", {"name": "Bob"}).json()["token"]
                assert one.post(f"{path}/leave", {}, bob).status_code == 200
                cid = one.post(f"{path}/claim", {"name": "Cid"}).json()["token"]
            assert other.post(f"{path}/devices", {}, cid).status_code == 200
            assert other.get(f"/tables/{made['table']}", bob).status_code == 401
            hear_until(here, 3)
            hear_until(there, 3)
            assert told(here) == told(there)
            assert ["Bob" in text for text in told(there)] == [True, False, False]


class TestRaces:
    def test_of_two_moves_for_the_same_ply_one_is_stored_and_the_other_is_stale(self, two):
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
                answers = [socket.hear("ack", "error") for socket in sockets]
                assert sorted(each["t"] for each in answers) == ["ack", "error"]
                (refused,) = [each for each in answers if each["t"] == "error"]
                assert refused["code"] == "stale"
                assert refused["ply"] == 1
                for socket in sockets:
                    hear_until(socket, refused["v"])

    def test_a_process_that_has_heard_of_nothing_refuses_as_stale_what_is(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, seed=1)
        with (
            deaf(other),
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
            assert versions(ann_too)[-1] == hear_until(bob, ack["v"])["v"]

    def test_the_same_request_at_two_processes_gets_the_same_ack(self, two):
        one, other = two
        table, ann_token, _bob = people(one, other, seed=1)
        with (
            deaf(other),
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

    def test_who_comes_from_another_process_and_knows_more_is_not_thrown_back(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, seed=1)
        with other.socket(table) as watcher, deaf(other):
            with one.socket(table, ann_token) as ann:
                action = ann.welcome["scene"]["actions"][0][0]
                v = ann.ask("play", 1, ply=0, action=action)["v"]
                assert hear_until(ann, v)
            with other.socket(table, ann_token, v=v) as ann:
                assert (ann.welcome["v"], ann.welcome.get("missed", [])) == (v, [])
            assert versions(watcher) == [] or hear_until(watcher, v)
            with other.socket(table, bob_token) as bob:
                action = bob.welcome["scene"]["actions"][0][0]
                assert bob.ask("play", 2, ply=1, action=action)["t"] == "ack"

    def test_whoever_is_on_turn_may_play_where_that_was_not_heard_of(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, seed=1)
        with (
            deaf(other),
            one.socket(table, ann_token) as ann,
            one.socket(table, bob_token) as bob,
            other.socket(table, bob_token) as bob_too,
        ):
            v = ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])["v"]
            hear_until(bob, v)
            answer = bob_too.ask("play", 2, ply=1, action=actions_of(bob)[0][0])
            assert answer["t"] == "ack"
            assert versions(bob_too) == [v, answer["v"]]

    def test_of_two_who_take_a_seat_at_two_processes_one_sits_down(self, two):
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

    def test_the_same_claim_sent_to_two_processes_at_once_is_one_claim(self, two):
        made = two[0].table("octa", ["me"])
        claim = {"claim": made["invitations"][0]["claim"], "name": "Bob"}
        path = f"/tables/{made['table']}/seats/1/claim"
        answers = []

        def claim_seat(server):
            headers = {"Idempotency-Key": "a key that nobody guesses"}
            answers.append(server.http.post(path, json=claim, headers=headers).json())

        threads = [threading.Thread(target=claim_seat, args=(server,)) for server in two]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers[0]["token"] == answers[1]["token"]

    def test_a_claim_that_another_process_carries_out_meanwhile_is_answered_alike(
        self, two, monkeypatch
    ):
        made = two[0].table("octa", ["me"])
        claim = {"claim": made["invitations"][0]["claim"], "name": "Bob"}
        path = f"/tables/{made['table']}/seats/1/claim"
        headers = {"Idempotency-Key": "a key that nobody guesses"}
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

    def test_an_old_holder_is_sent_away_wherever_it_is(self, two):
        one, other = two
        made = one.table("blokus", ["me"], visibility="listed")
        with other.socket(made["table"], made["token"]) as ann:
            one.post(f"/tables/{made['table']}/seats/0/leave", {}, made["token"])
            with pytest.raises(ConnectionClosed) as closed:
                ann.hear("nothing")
            assert closed.value.rcvd.code == 4403
        new = one.post(f"/tables/{made['table']}/seats/0/claim", {"name": "Bob"}).json()["token"]
        with deaf(other), other.socket(made["table"], new) as bob:
            assert bob.welcome["you"] == 0

    def test_a_commit_that_is_cut_off_makes_nobody_say_hello_again(self, two):
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
            assert hear_until(bob, v)["kind"] == "play"
            assert hear_until(ann, v)["ply"] == 1
            assert "resync" not in [message["t"] for message in bob.heard]


class TestNotices:
    def test_what_is_not_heard_of_is_looked_up_from_time_to_time(self, start):
        one, other = start(beat_seconds=0.05), start(beat_seconds=0.05)
        table, ann_token, bob_token = people(one, other, seed=1)
        with (
            deaf(other),
            one.socket(table, ann_token) as ann,
            other.socket(table, bob_token) as bob,
            other.socket(lobby=True, tokens=[bob_token]) as guest,
        ):
            v = ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])["v"]
            hear_until(bob, v)
            hear_until(ann, v)
            assert told(ann)[-1].split('"diff"')[0] == told(bob)[-1].split('"diff"')[0]
            assert guest.hear("turn")["table"] == table
            one.table("octa", ["me"], visibility="listed")
            while len(guest.hear("tables")["tables"]) != 1:
                pass

    def test_heard_twice_late_or_out_of_order_everything_is_told_once(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, seed=1)
        kept = []

        def odd(heard):
            kept.append(heard)
            return [*reversed(kept), heard, heard]

        with (
            deaf(other, odd),
            one.socket(table, ann_token) as ann,
            one.socket(table, bob_token) as bob,
            other.socket(table) as watcher,
        ):
            first = ann.welcome["v"] + 1
            players, v = [ann, bob], 0
            for ply in range(12):
                socket = players[ply % 2]
                if v:
                    hear_until(socket, v)
                answer = socket.ask("play", ply, ply=ply, action=actions_of(socket)[0][0])
                v = answer["v"]
                if "ending" in hear_until(socket, v):
                    break
            hear_until(watcher, v)
            assert versions(watcher) == list(range(first, v + 1))

    def test_a_version_that_nobody_has_stored_is_forgotten(self, two):
        one, other = two
        table, ann_token, _bob = people(one, other, seed=1)
        with other.socket(table, ann_token) as ann:
            v = ann.welcome["v"]
            rooms = other.app.rooms
            other.loop.call_soon_threadsafe(rooms._receive, Notification(table, v + 1000))
            action = ann.welcome["scene"]["actions"][0][0]
            assert ann.ask("play", 1, ply=0, action=action)["v"] == v + 1
            assert not rooms.in_memory(table).is_behind

    def test_a_game_that_nobody_looks_at_is_followed_when_somebody_asks(self, two):
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

    def test_who_looks_at_a_game_that_another_process_erases_is_told(self, start):
        clock = OwnClock()
        one, other = (start(clock=clock.server, beat_seconds=0.05) for _ in range(2))
        made = one.table("octa", ["me"])
        with other.socket(made["table"], made["token"]) as ann:
            for days in (15, 91):  # nobody plays, and later nobody remembers
                clock.seconds += days * 24 * 3600
                one.run(one.app.rooms.housekeeping.clean_up())
            assert "deleted" in ann.hear("resync")["reason"]
            ann.send({"t": "hello", "table": made["table"]})
            assert ann.hear("error")["code"] == "not_found"


class TestClocks:
    def test_a_clock_runs_on_from_when_it_was_set_elsewhere(self, start):
        clock = OwnClock()
        one, other = (start(clock=clock.server, **ONLY_NOTICES) for _ in range(2))
        table, ann_token, bob_token = people(one, other, clock="1m", seed=1)
        with one.socket(table, ann_token) as ann, other.socket(table, bob_token) as bob:
            with deaf(other):
                v = ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])["v"]
                clock.seconds += 20
            resend(bob, {"t": "takeback", "id": "look"})
            hear_until(ann, v)
            assert hear_until(bob, v)["clocks"] == {"left": [60, 60], "running": 1}
            with other.socket(table) as watcher:
                left = watcher.welcome["clocks"]["left"]
                assert left[0] == 60
                assert left[1] == pytest.approx(40, abs=0.1)
            clock.seconds += 41
            other.run(other.app.rooms.in_memory(table).time_up())
            assert hear_until(ann, v + 1)["kind"] == "time_up"

    def test_one_that_dies_while_another_lives_refunds_nothing(self, start):
        clock = OwnClock()
        one = start(clock=clock.server, beat_seconds=600, answer_seconds=30)
        table, _ann, _bob = people(one, one, clock="5m", seed=1)
        clock.seconds += 100
        # The first has beaten long ago, and answers when the second begins.
        other = start(clock=clock.server, beat_seconds=60, answer_seconds=30)
        with other.socket(table) as watcher:
            assert watcher.welcome["clocks"]["left"][0] == pytest.approx(200, abs=0.1)
        other.stop()
        clock.seconds += 50
        third = start(clock=clock.server, beat_seconds=600, answer_seconds=30)
        with third.socket(table) as watcher:
            assert watcher.welcome["clocks"]["left"][0] == pytest.approx(150, abs=0.1)

    def test_who_asks_before_it_listens_asks_again(self, start, monkeypatch):
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

    def test_time_counts_while_any_of_several_is_alive(self):
        runs = [Run(0, 10_000), Run(2_000, 4_000), Run(8_000, 15_000), Run(30_000, 40_000)]
        assert alive_seconds(runs, 1_000, 35_000) == 14 + 5
        assert alive_seconds(reversed(runs), 12_000, 20_000) == 3
        assert alive_seconds(runs, 16_000, 29_000) == 0


def test_what_is_refused_again_and_again_ends(two, monkeypatch):
    one, other = two
    table, ann_token, _bob = people(one, other, seed=1)
    tries = []

    async def never(change):
        tries.append(change)
        raise Outdated("somebody was quicker")

    with one.socket(table, ann_token) as ann:
        monkeypatch.setattr(one.app.rooms.store, "commit", never)
        action = ann.welcome["scene"]["actions"][0][0]
        assert ann.ask("play", 1, ply=0, action=action)["code"] == "stale"
    assert len(tries) == 1  # there was no news, so nothing to try again for
