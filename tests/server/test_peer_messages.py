"""State outside the log crosses processes too: chat, premoves, presence, thinking agents."""

import asyncio
import contextlib

import pytest
from hex import Hex
from two_servers import (
    ONLY_NOTICES,
    actions_of,
    altered_notifications,
    people,
    receive_until,
    resend,
    until,
)

import parlour
from parlour.protocol.messages import Spoken
from parlour.server.cluster.peer_messages import (
    ChatHistory,
    ListingChanged,
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
    """Wait for that presence."""
    while True:
        found = socket.receive("presence")
        if (found["seats"], found["watchers"]) == (seats, watchers):
            return


class TestWords:
    def test_chat_reaches_the_seats_in_every_process(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other)
        with (
            one.socket(table, ann_token) as ann,
            other.socket(table, bob_token) as bob,
            other.socket(table) as watcher,
        ):
            assert ann.ask("say", 1, text="hello")["t"] == "ack"
            received = bob.receive("say")
            assert (received["name"], received["text"]) == ("Ann", "hello")
            assert bob.ask("say", 1, text="hi")["t"] == "ack"
            while ann.receive("say")["text"] != "hi":
                pass
            watcher.send({"t": "ping", "at": 1})
            watcher.receive("pong")
            assert "say" not in [message["t"] for message in watcher.received]

    def test_a_chat_message_resent_to_another_process_appears_once(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other)
        with (
            one.socket(table, ann_token) as ann,
            other.socket(table, ann_token) as ann_too,
            other.socket(table, bob_token) as bob,
        ):
            say = {"t": "say", "id": "x", "text": "hello"}
            ack = resend(ann, say)
            bob.receive("say")
            assert resend(ann_too, say) == ack
            bob.ask("say", "last", text="and?")
            assert [m["text"] for m in bob.received if m["t"] == "say"] == ["hello", "and?"]

    def test_the_first_connection_to_a_process_receives_the_chat_history(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, one)
        with one.socket(table, ann_token) as ann:
            for number in range(3):
                ann.ask("say", number, text=f"line {number}")
            with other.socket(table, bob_token) as bob:
                # They come with the welcome, or after it.
                lines = [each["text"] for each in bob.welcome.get("said", [])]
                while len(lines) < 3:
                    lines.append(bob.receive("say")["text"])
                assert lines == ["line 0", "line 1", "line 2"]
                with other.socket(table, bob_token) as again:
                    assert [each["text"] for each in again.welcome["said"]] == lines

    def test_a_long_chat_history_is_cut_to_the_latest_messages(self):
        said = [Spoken(0, "Ann", f"{number} " + "é" * 150) for number in range(50)]
        kept = latest_that_fit(said)
        assert 10 < len(kept) < 50
        assert kept == said[-len(kept) :]
        assert len(message_to_bytes("me", ChatHistory(kept))) <= MAX_BROADCAST
        assert message_to_bytes("me", ChatHistory(said)) is None

    @pytest.mark.parametrize(
        "data", [b"", b"{}", b"[]", b'["a",{"type":"new"}]', b"\xff", b"[" * 9]
    )
    def test_unreadable_messages_are_ignored(self, data):
        assert message_from_bytes(data) is None
        assert message_from_bytes(message_to_bytes("me", ListingChanged())).sender == "me"


class TestPresence:
    def test_presence_combines_all_processes(self, two):
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

    def test_presence_of_a_stopped_process_ends_at_once(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other)
        with one.socket(table, ann_token) as ann, other.socket(table, bob_token):
            presence(ann, [True, True], 0)
            other.stop()
            presence(ann, [True, False], 0)

    def test_presence_of_a_silent_process_expires(self, start):
        one, other = start(beat_seconds=0.05), start(beat_seconds=0.05)
        table, ann_token, bob_token = people(one, other)
        with one.socket(table, ann_token) as ann, other.socket(table, bob_token):
            presence(ann, [True, True], 0)
            with altered_notifications(one):
                presence(ann, [True, False], 0)
            presence(ann, [True, True], 0)  # its messages were only lost

    def test_presence_expires_even_if_a_departure_was_missed(self, start):
        one, other = start(beat_seconds=0.05), start(beat_seconds=0.05)
        table, ann_token, bob_token = people(one, other)
        with one.socket(table, ann_token) as ann:
            with other.socket(table, bob_token):
                presence(ann, [True, True], 0)
                muted = altered_notifications(
                    one, lambda received: [] if b'"presence"' in received.words else [received]
                )
                muted.__enter__()
            presence(ann, [True, False], 0)
            muted.__exit__(None, None, None)


class TestThinking:
    def test_agent_thinking_is_announced_in_every_process(self, two):
        one, other = two
        made = one.table("octa", ["me", 1])
        with (
            one.socket(made["table"], made["token"]) as ann,
            other.socket(made["table"]) as watcher,
        ):
            ann.send({"t": "play", "id": 1, "ply": 0, "action": actions_of(ann)[0][0]})
            assert watcher.receive("thinking")["seat"] == 1


def last_premove(socket, action):
    """Return the message after which the seat's premove is `action`."""
    messages = [message for message in socket.received if message["t"] == "premove"]
    while not messages or messages[-1].get("action") != action:
        messages.append(socket.receive("premove"))
    return messages[-1]


class TestPremoves:
    @pytest.fixture(autouse=True)
    def _hex(self):
        parlour.register("hex", Hex)

    def test_a_premove_is_shown_on_all_devices_and_played_after_a_move_elsewhere(self, two):
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
            done = receive_until(ann, v + 1)
            assert (done["seat"], done["action"]) == (1, second)
            for device in (bob, bob_too):
                last_premove(device, None)

    def test_a_premove_can_be_cancelled_on_any_device(self, two):
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
            receive_until(bob, v)
            assert bob.ask("play", 3, ply=1, action=second)["t"] == "ack"

    def test_a_premove_for_a_missed_turn_is_dropped(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, game="hex")
        with (
            one.socket(table, ann_token) as ann,
            one.socket(table, bob_token) as bob,
            other.socket(table, bob_token) as bob_too,
        ):
            actions = [action[0] for action in actions_of(ann)]
            with altered_notifications(other):
                bob_too.ask("premove", 1, action=actions[1])
                v = ann.ask("play", 1, ply=0, action=actions[0])["v"]
                receive_until(bob, v)
                v = bob.ask("play", 2, ply=1, action=actions[2])["v"]
                receive_until(ann, v)
                v = ann.ask("play", 3, ply=2, action=actions[3])["v"]
            resend(bob_too, {"t": "play", "id": "look", "ply": 0, "action": 0})
            assert "already passed" in last_premove(bob_too, None)["message"]
            receive_until(bob_too, v)
            assert bob_too.ask("premove", "none", action=None)["v"] == v

    def test_a_premove_of_a_stopped_process_is_dropped(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, other, game="hex")
        with one.socket(table, ann_token) as ann, one.socket(table, bob_token) as bob:
            with other.socket(table, bob_token) as bob_too:
                bob_too.ask("premove", 1, action=actions_of(ann)[1][0])
                assert bob.receive("premove")["action"] is not None
            other.stop()
            assert "lost" in bob.receive("premove")["message"]

    def test_concurrent_premoves_converge_in_all_processes(self):
        here, there = Premoves("a"), Premoves("b")
        at_here, at_there = here.set(0, 1, 100), there.set(0, 2, 100)
        here.set_remote(0, 2, at_there, "b")
        there.set_remote(0, 1, at_here, "a")
        assert here.of(0) == there.of(0) == 2
        assert (here.take(0), there.take(0)) == (None, 2)
        assert not there.set_remote(0, 1, at_here, "a")
        assert there.set(0, 3, 50) > at_there


class TestLobby:
    def test_the_lobby_shows_tables_of_other_processes(self, two):
        one, other = two
        with other.socket(lobby=True) as guest:
            made = one.table("octa", ["me"], visibility="listed")
            assert [each["table"] for each in guest.receive("tables")["tables"]] == [made["table"]]
            one.post(f"/tables/{made['table']}/seats/1/claim", {"name": "Bob"})
            while guest.receive("tables")["tables"][0]["status"] != "playing":
                pass

    def test_the_lobby_announces_turns_at_tables_of_other_processes(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, one, seed=1)
        with one.socket(table, ann_token) as ann, other.socket(lobby=True, tokens=[bob_token]) as g:
            ann.ask("play", 1, ply=0, action=actions_of(ann)[0][0])
            assert g.receive("turn")["table"] == table

    @pytest.mark.parametrize("lost", [False, True])
    def test_a_turn_is_announced_once_even_if_its_notification_is_lost(self, two, lost):
        one, other = two
        table, ann_token, bob_token = people(one, one, seed=1)
        with one.socket(table, ann_token) as ann, other.socket(lobby=True, tokens=[bob_token]) as g:
            with altered_notifications(other) if lost else contextlib.nullcontext():
                ann.ask("play", 1, ply=0, action=actions_of(ann)[0][0])
                if not lost:
                    g.receive("turn")
                for _ in range(2):
                    other.run(other.app.rooms.housekeeping.poll())
            g.send({"t": "ping", "at": 1})
            g.receive("pong")
            assert [each["t"] for each in g.received].count("turn") == 1

    def test_a_turn_that_is_found_twice_is_announced_once(self, two):
        one, other = two
        table, ann_token, bob_token = people(one, one, seed=1)
        with one.socket(table, ann_token) as ann, other.socket(lobby=True, tokens=[bob_token]) as g:
            played = ann.ask("play", 1, ply=0, action=actions_of(ann)[0][0])
            g.receive("turn")
            other.run(other.app.rooms.lobby._check_turn(table, played["v"]))
            g.send({"t": "ping", "at": 1})
            g.receive("pong")
            assert [each["t"] for each in g.received].count("turn") == 1

    @pytest.mark.parametrize("at", ["one", "other"])
    def test_a_turn_that_starts_during_the_hello_is_announced(self, two, monkeypatch, at):
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
            assert guest.receive("turn")["table"] == table
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
        return len(one.app.rooms.peers._queue)

    assert one.run(flood()) == 500
    until(lambda: not one.app.rooms.peers._queue)
    assert not room.ephemeral.said
    assert other.get(f"/tables/{made['table']}").status_code == 200
