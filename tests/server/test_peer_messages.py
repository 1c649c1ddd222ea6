"""What is not in the log crosses processes too: words, premoves, who is there, who thinks."""

import asyncio
import contextlib

import pytest
from hex import Hex
from two_servers import ONLY_NOTICES, actions_of, deaf, hear_until, people, resend, until

import parlour
from parlour.protocol.messages import Spoken
from parlour.server.cluster.peer_messages import (
    ChatHistory,
    Listed,
    latest_that_fit,
    message_from_bytes,
    message_to_bytes,
)
from parlour.server.live.premoves import Premoves
from parlour.server.store.store import MAX_BROADCAST


@pytest.fixture
def kind():
    return "postgresql"


@pytest.fixture
def two(start):
    return start(**ONLY_NOTICES), start(**ONLY_NOTICES)


def presence(socket, seats, watchers):
    """Until that is told."""
    while True:
        told = socket.hear("presence")
        if (told["seats"], told["watchers"]) == (seats, watchers):
            return


class TestWords:
    def test_what_is_said_is_heard_by_those_who_sit_there_in_every_process(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other)
        with (
            one.socket(table, ann_token) as ann,
            other.socket(table, bob_token) as bob,
            other.socket(table) as watcher,
        ):
            assert ann.ask("say", 1, text="hello")["t"] == "ack"
            heard = bob.hear("say")
            assert (heard["name"], heard["text"]) == ("Ann", "hello")
            assert bob.ask("say", 1, text="hi")["t"] == "ack"
            while ann.hear("say")["text"] != "hi":
                pass
            watcher.send({"t": "ping", "at": 1})
            watcher.hear("pong")
            assert "say" not in [message["t"] for message in watcher.heard]

    def test_the_same_words_sent_again_to_another_process_are_said_once(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other)
        with (
            one.socket(table, ann_token) as ann,
            other.socket(table, ann_token) as ann_too,
            other.socket(table, bob_token) as bob,
        ):
            say = {"t": "say", "id": "x", "text": "hello"}
            ack = resend(ann, say)
            bob.hear("say")
            assert resend(ann_too, say) == ack
            bob.ask("say", "last", text="and?")
            assert [m["text"] for m in bob.heard if m["t"] == "say"] == ["hello", "and?"]

    def test_who_comes_first_to_a_process_is_told_what_was_said_before(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, one)
        with one.socket(table, ann_token) as ann:
            for number in range(3):
                ann.ask("say", number, text=f"line {number}")
            with other.socket(table, bob_token) as bob:
                lines = [bob.hear("say")["text"] for _ in range(3)]
                assert lines == ["line 0", "line 1", "line 2"]
                with other.socket(table, bob_token) as again:
                    assert [each["text"] for each in again.welcome["said"]] == lines

    def test_of_much_that_was_said_the_latest_fits_into_a_broadcast(self):
        said = [Spoken(0, "Ann", f"{number} " + "é" * 150) for number in range(50)]
        kept = latest_that_fit(said)
        assert 10 < len(kept) < 50
        assert kept == said[-len(kept) :]
        assert len(message_to_bytes("me", ChatHistory(kept))) <= MAX_BROADCAST
        assert message_to_bytes("me", ChatHistory(said)) is None

    @pytest.mark.parametrize(
        "data", [b"", b"{}", b"[]", b'["a",{"type":"new"}]', b"\xff", b"[" * 9]
    )
    def test_what_cannot_be_understood_is_passed_over(self, data):
        assert message_from_bytes(data) is None
        assert message_from_bytes(message_to_bytes("me", Listed())).who == "me"


class TestPresence:
    def test_seats_and_watchers_of_all_processes_are_told_as_one(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other)
        with one.socket(table, ann_token) as ann:
            presence(ann, [True, False], 0)
            with other.socket(table, bob_token) as bob, other.socket(table), other.socket(table):
                presence(ann, [True, True], 2)
                presence(bob, [True, True], 2)
                with one.socket(table):
                    presence(bob, [True, True], 3)
            presence(ann, [True, False], 0)

    def test_a_process_that_ends_is_gone_from_it_at_once(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other)
        with one.socket(table, ann_token) as ann, other.socket(table, bob_token):
            presence(ann, [True, True], 0)
            other.stop()
            presence(ann, [True, False], 0)

    def test_one_that_is_not_heard_of_any_more_is_gone_after_a_while(self, start):
        one, other = start(beat_seconds=0.05), start(beat_seconds=0.05)
        table, ann_token, bob_token = people(one, other)
        with one.socket(table, ann_token) as ann, other.socket(table, bob_token):
            presence(ann, [True, True], 0)
            with deaf(one):
                presence(ann, [True, False], 0)
            presence(ann, [True, True], 0)  # it was only not heard

    def test_who_has_gone_unheard_of_is_not_shown_for_ever(self, start):
        one, other = start(beat_seconds=0.05), start(beat_seconds=0.05)
        table, ann_token, bob_token = people(one, other)
        with one.socket(table, ann_token) as ann:
            with other.socket(table, bob_token):
                presence(ann, [True, True], 0)
                hears = deaf(one, lambda heard: [] if b'"presence"' in heard.words else [heard])
                hears.__enter__()
            presence(ann, [True, False], 0)
            hears.__exit__(None, None, None)


class TestThinking:
    def test_that_an_agent_thinks_is_told_everywhere(self, two):
        one, other = two
        made = one.table("octa", ["me", 1])
        with (
            one.socket(made["table"], made["token"]) as ann,
            other.socket(made["table"]) as watcher,
        ):
            ann.send({"t": "play", "id": 1, "ply": 0, "action": actions_of(ann)[0][0]})
            assert watcher.hear("thinking")["seat"] == 1


def last_premove(socket, action):
    """What is told when the seat's premove has become that."""
    told = [message for message in socket.heard if message["t"] == "premove"]
    while not told or told[-1].get("action") != action:
        told.append(socket.hear("premove"))
    return told[-1]


class TestPremoves:
    @pytest.fixture(autouse=True)
    def _hex(self):
        parlour.register("hex", Hex)

    def test_one_is_shown_on_all_devices_and_played_after_a_move_elsewhere(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, game="hex")
        with (
            one.socket(table, ann_token) as ann,
            other.socket(table, bob_token) as bob,
            one.socket(table, bob_token) as bob_too,
        ):
            first, second = (action[0] for action in actions_of(ann)[:2])
            premove = {"t": "premove", "id": "p", "action": second}
            ack = resend(bob, premove)
            assert ack["t"] == "ack"
            last_premove(bob_too, second)
            assert resend(bob_too, premove) == ack
            v = ann.ask("play", 1, ply=0, action=first)["v"]
            done = hear_until(ann, v + 1)
            assert (done["seat"], done["action"]) == (1, second)
            for device in (bob, bob_too):
                last_premove(device, None)

    def test_it_is_taken_back_from_any_device(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, game="hex")
        with (
            one.socket(table, ann_token) as ann,
            other.socket(table, bob_token) as bob,
            one.socket(table, bob_token) as bob_too,
        ):
            first, second = (action[0] for action in actions_of(ann)[:2])
            bob.ask("premove", 1, action=second)
            last_premove(bob_too, second)
            bob_too.ask("premove", 2, action=None)
            last_premove(bob, None)
            v = ann.ask("play", 1, ply=0, action=first)["v"]
            hear_until(bob, v)
            assert bob.ask("play", 3, ply=1, action=second)["t"] == "ack"

    def test_one_for_a_turn_that_has_passed_unheard_of_is_not_played_later(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, game="hex")
        with (
            one.socket(table, ann_token) as ann,
            one.socket(table, bob_token) as bob,
            other.socket(table, bob_token) as bob_too,
        ):
            actions = [action[0] for action in actions_of(ann)]
            with deaf(other):
                bob_too.ask("premove", 1, action=actions[1])
                v = ann.ask("play", 1, ply=0, action=actions[0])["v"]
                hear_until(bob, v)
                v = bob.ask("play", 2, ply=1, action=actions[2])["v"]
                hear_until(ann, v)
                v = ann.ask("play", 3, ply=2, action=actions[3])["v"]
            resend(bob_too, {"t": "play", "id": "look", "ply": 0, "action": 0})
            assert "already passed" in last_premove(bob_too, None)["message"]
            hear_until(bob_too, v)
            assert bob_too.ask("premove", "none", action=None)["v"] == v

    def test_one_of_a_process_that_is_gone_is_forgotten(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, game="hex")
        with one.socket(table, ann_token) as ann, one.socket(table, bob_token) as bob:
            with other.socket(table, bob_token) as bob_too:
                bob_too.ask("premove", 1, action=actions_of(ann)[1][0])
                assert bob.hear("premove")["action"] is not None
            other.stop()
            assert "lost" in bob.hear("premove")["message"]

    def test_of_two_wishes_at_once_all_processes_keep_the_same(self):
        here, there = Premoves("a"), Premoves("b")
        at_here, at_there = here.wish(0, 1, 100), there.wish(0, 2, 100)
        here.hear(0, 2, at_there, "b")
        there.hear(0, 1, at_here, "a")
        assert here.of(0) == there.of(0) == 2
        assert (here.take(0), there.take(0)) == (None, 2)
        assert not there.hear(0, 1, at_here, "a")
        assert there.wish(0, 3, 50) > at_there


class TestLobby:
    def test_tables_made_and_begun_elsewhere_are_shown(self, two):
        one, other = two
        with other.socket(lobby=True) as guest:
            made = one.table("octa", ["me"], visibility="listed")
            assert [each["table"] for each in guest.hear("tables")["tables"]] == [made["table"]]
            one.post(f"/tables/{made['table']}/seats/1/claim", {"name": "Bob"})
            while guest.hear("tables")["tables"][0]["status"] != "playing":
                pass

    def test_whose_turn_it_is_somewhere_is_told_although_another_process_has_the_game(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, one, seed=1)
        with one.socket(table, ann_token) as ann, other.socket(lobby=True, tokens=[bob_token]) as g:
            ann.ask("play", 1, ply=0, action=actions_of(ann)[0][0])
            assert g.hear("turn")["table"] == table

    @pytest.mark.parametrize("lost", [False, True])
    def test_a_turn_is_told_once_whether_or_not_its_notice_is_lost(self, two, lost):
        one, other = two
        table, ann_token, bob_token = people(one, one, seed=1)
        with one.socket(table, ann_token) as ann, other.socket(lobby=True, tokens=[bob_token]) as g:
            with deaf(other) if lost else contextlib.nullcontext():
                ann.ask("play", 1, ply=0, action=actions_of(ann)[0][0])
                if not lost:
                    g.hear("turn")
                for _ in range(2):
                    other.run(other.app.rooms.housekeeping.poll())
            g.send({"t": "ping", "at": 1})
            g.hear("pong")
            assert [each["t"] for each in g.heard].count("turn") == 1

    @pytest.mark.parametrize("at", ["one", "other"])
    def test_a_turn_that_comes_while_the_tables_are_read_is_told(self, two, monkeypatch, at):
        one, other = two
        table, ann_token, bob_token = people(one, one, seed=1)
        store = other.app.rooms.store
        read = store.some

        async def too_early(tables):
            monkeypatch.setattr(store, "some", read)
            found = await read(tables)
            await asyncio.to_thread(play)
            return found

        def play():
            server = {"one": one, "other": other}[at]
            with server.socket(table, ann_token) as ann:
                ann.ask("play", 1, ply=0, action=actions_of(ann)[0][0])

        monkeypatch.setattr(store, "some", too_early)
        with other.socket(lobby=True, tokens=[bob_token]) as guest:
            assert guest.hear("turn")["table"] == table
            (own,) = guest.welcome["mine"]
            assert own["table"] == table


def test_peer_messages_are_bounded(two):
    one, other = two
    made = one.table("octa", ["me", "open"])
    room = one.run(one.app.rooms.room(made["table"]))

    async def flood():
        for number in range(2000):
            one.app.rooms.peers.broadcast(
                made["table"], ChatHistory([Spoken(0, "Ann", str(number))])
            )
        return len(one.app.rooms.peers._words)

    assert one.run(flood()) == 500
    until(lambda: not one.app.rooms.peers._words)
    assert not room.ephemeral.said
    assert other.get(f"/tables/{made['table']}").status_code == 200
