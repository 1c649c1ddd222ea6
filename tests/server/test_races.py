"""Race conditions and slow connections: no advantage, no deadlock, no lost work."""

import asyncio
import contextlib
import threading

import httpx
import pytest
from kuhn import Kuhn, KuhnState
from patience import PATIENCE
from test_tables import refused, two_people

import parlour
from parlour.agents import seat_view
from parlour.core.errors import GameLoadError
from parlour.protocol.errors import StoreUnavailable
from parlour.server.live.room import Room
from parlour.server.live.rooms import Rooms
from parlour.server.store.store import Outdated

PONG = b'{"t":"pong","at":0,"now":0}'


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


class Slow:
    """A connection with a full queue: it leaves when it is sent anything, as real ones do."""

    def __init__(self, leave, viewer=None, at=b""):
        self.viewer = viewer
        self.epoch = 0
        self.own = {}
        self._leave = leave
        self._at = at
        self.sent = []

    def send(self, data):
        self.sent.append(data)
        if self._at in data:
            self._leave(self)

    def drop(self, reason):
        """Ignore the reason."""


def room_of(server, made) -> Room:
    return server.run(server.app.rooms.room(made["table"]))


def in_loop(server, work):
    """Call a function in the server's loop."""

    async def called():
        return work()

    return server.run(called())


class TestInvitations:
    """An invitation is valid for the seat's holder at the time of its creation."""

    def test_an_invitation_expires_when_the_listed_seat_is_taken(self, server):
        made = server.table("octa", ["me"], visibility="listed")
        path = f"/tables/{made['table']}/seats/1/claim"
        bob = server.post(path, {"name": "Bob"}).json()["token"]
        stolen = server.post(path, {"claim": made["invitations"][0]["claim"], "name": "Ann"})
        refused(stolen, 409, "used")
        with server.socket(made["table"], bob) as socket:
            assert socket.welcome["you"] == 1

    def test_a_device_invitation_expires_when_the_seat_is_left(self, server):
        made = server.table("blokus", ["me"], visibility="listed")
        path = f"/tables/{made['table']}/seats/0"
        claim = server.post(f"{path}/devices", {}, made["token"]).json()["claim"]
        server.post(f"{path}/leave", {}, made["token"])
        refused(server.post(f"{path}/claim", {"claim": claim}), 409, "used")
        assert server.post(f"{path}/claim", {"name": "Bob"}).status_code == 200
        refused(server.post(f"{path}/claim", {"claim": claim}), 409, "used")

    def test_only_one_of_two_concurrent_claims_succeeds(self, server):
        made = server.table("octa", ["me"], visibility="listed")
        answers = []

        def claim(name):
            path = f"{server.url}/api/v1/tables/{made['table']}/seats/1/claim"
            answers.append(httpx.post(path, json={"name": name}).status_code)

        threads = [threading.Thread(target=claim, args=(f"p{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == [200, 403, 403, 403]


class TestSlowReaders:
    """A connection that must resync leaves while a message is being sent to all."""

    def test_an_agent_acts_despite_a_stalled_spectator(self, server):
        made = server.table("octa", ["me", 1], options={"size": 2})
        room = room_of(server, made)

        def crowd():
            for _ in range(5):
                room.audience.members.add(Slow(room.audience.members.discard, at=b'"thinking"'))

        with server.socket(made["table"], made["token"]) as ann:
            in_loop(server, crowd)
            action = ann.welcome["scene"]["actions"][0][0]
            assert ann.ask("play", 1, ply=0, action=action)["t"] == "ack"
            while ann.receive("event").get("seat") != 1:
                pass

    def test_chat_and_presence_are_sent_despite_a_stalled_spectator(self, server):
        made, token = two_people(server)
        room = room_of(server, made)
        with server.socket(made["table"], token) as bob:
            bob.receive("presence")

            def crowd():
                for _ in range(5):
                    room.audience.members.add(Slow(room.audience.members.discard, viewer=0))
                room.audience.show_presence(True)

            in_loop(server, crowd)
            bob.receive("presence")
            in_loop(server, crowd)
            assert bob.ask("say", 1, text="hello")["t"] == "ack"

    def test_a_move_is_acknowledged_despite_a_stalled_guest_in_the_lobby(self, server):
        made, _token = two_people(server)
        lobby = server.app.rooms.lobby

        def crowd():
            for _ in range(5):
                guest = Slow(lobby.leave)
                guest.own = {made["table"]: 1}
                lobby.guests[guest] = {}

        in_loop(server, crowd)
        with server.socket(made["table"], made["token"]) as ann:
            action = ann.welcome["scene"]["actions"][0][0]
            assert ann.ask("play", 1, ply=ann.welcome["ply"], action=action)["t"] == "ack"
        assert not lobby.guests

    def test_a_welcome_larger_than_the_queue_limit_is_sent(self, start):
        server = start(queue_bytes=100)
        made = server.table("octa", ["me"])
        with server.socket(made["table"], made["token"]) as socket:
            assert socket.welcome["t"] == "welcome"


class TestDisconnects:
    def test_a_move_is_stored_without_resync_when_its_player_disconnects(self, server, monkeypatch):
        made, token = two_people(server)
        room = room_of(server, made)
        store = server.app.rooms.store
        commit, gone = store.commit, asyncio.Event()

        async def slowly(change):
            await asyncio.wait_for(gone.wait(), 20)
            await commit(change)

        monkeypatch.setattr(store, "commit", slowly)
        with server.socket(made["table"], token) as bob:
            with server.socket(made["table"], made["token"]) as ann:
                action = ann.welcome["scene"]["actions"][0][0]
                ann.send({"t": "play", "id": 1, "ply": ann.welcome["ply"], "action": action})
                while not in_loop(server, room.lock.locked):
                    pass
            # The next message to the closed connection ends it.
            while in_loop(server, lambda: len(room.audience.members)) > 1:
                in_loop(server, lambda: room.audience.send_all(PONG))
                in_loop(server, gone.set)
            bob.receive("event")
            assert "resync" not in [message["t"] for message in bob.received]
        assert room_of(server, made) is room


class TestPremoves:
    def test_a_takeback_drops_premoves(self, server):
        made, token = two_people(server, seed=1)
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])
            scene = next(
                message for message in [*bob.received, bob.receive("event")] if "diff" in message
            )
            assert ann.ask("premove", 2, action=ann.welcome["scene"]["actions"][0][0])["t"] == "ack"
            assert ann.ask("takeback", 3)["t"] == "ack"
            assert bob.ask("takeback", 4)["t"] == "ack"
            while ann.receive("premove")["action"] is not None:
                pass
            assert "taken back" in ann.received[-1]["message"]
            ann.send({"t": "ping", "at": 1})
            ann.receive("pong")
            assert server.get(f"/tables/{made['table']}").json()["ply"] == 0
            assert scene["ply"] == 1

    def test_a_late_premove_is_dropped_with_a_reason(self, server):
        made, _token = two_people(server, seed=1)
        room = room_of(server, made)
        with server.socket(made["table"], made["token"]) as ann:
            server.run(room._premove(0, "1,1", room.hosted.ply + 1))
            assert "already passed" in ann.receive("premove")["message"]


class TestErrors:
    """Background tasks continue after errors."""

    def test_a_broken_game_neither_stops_the_sweep_nor_floods_the_log(
        self, server, monkeypatch, caplog
    ):
        made, broken = server.table("octa", ["me"]), server.table("octa", ["me"])["table"]
        rooms = server.app.rooms
        swept = []

        async def due(now):
            return await rooms.store.versions([broken, made["table"]])

        async def room(table):
            if table == broken:
                raise ValueError("an unreadable row")
            swept.append(table)
            return await Rooms.room(rooms, table)

        monkeypatch.setattr(rooms.store, "due", due)
        monkeypatch.setattr(rooms, "room", room)
        server.run(rooms.housekeeping.sweep())
        server.run(rooms.housekeeping.sweep())
        assert swept[:2] == [made["table"]] * 2
        assert sum("unreadable row" in each.getMessage() for each in caplog.records) == 1

    def test_periodic_tasks_continue_after_errors(self, server, caplog):
        done = []

        async def work():
            done.append(1)
            if len(done) == 1:
                raise ValueError("once")

        async def twice():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(20):
                    task = asyncio.create_task(server.app.rooms.housekeeping._repeat(0.001, work))
                    while len(done) < 2:
                        await asyncio.sleep(0.001)
            task.cancel()

        server.run(twice())
        assert len(done) >= 2

    def test_the_lobby_is_updated_after_a_store_failure(self, server, monkeypatch):
        lobby = server.app.rooms.lobby
        failed = threading.Event()
        listed = lobby.listed

        async def once():
            if not failed.is_set():
                failed.set()
                raise StoreUnavailable("the disk is away")
            return await listed()

        with server.socket(lobby=True) as guest:
            monkeypatch.setattr(lobby, "listed", once)
            server.table("octa", ["me"], visibility="listed")
            assert guest.receive("tables")["tables"]
        assert failed.is_set()

    def test_an_agent_is_retried_after_an_error_in_its_game(self, server, monkeypatch):
        made = server.table("octa", ["me", 1], options={"size": 2})
        room = room_of(server, made)
        seen = room.turns._seen_by
        failed = threading.Event()

        def once(seat):
            if not failed.is_set():
                failed.set()
                raise ValueError("a mistake in the rules")
            return seen(seat)

        monkeypatch.setattr(room.turns, "_seen_by", once)
        with server.socket(made["table"], made["token"]) as ann:
            ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])
            assert failed.wait(PATIENCE)
            in_loop(server, room.resume)
            while ann.receive("event").get("seat") != 1:
                pass

    def test_a_token_of_a_deleted_game_does_not_hide_other_tables(self, server, monkeypatch):
        one, two = server.table("octa", ["me"]), server.table("octa", ["me"])
        rooms = server.app.rooms

        async def room(table):
            if table == one["table"]:
                raise GameLoadError("it does not load")
            return await Rooms.room(rooms, table)

        monkeypatch.setattr(rooms, "room", room)
        tokens = [one["token"], two["token"]]
        mine = server.get("/tables?mine", ",".join(tokens)).json()["tables"]
        assert [each["table"] for each in mine] == [two["table"]]
        with server.socket(lobby=True, tokens=tokens) as guest:
            assert [each["table"] for each in guest.welcome["mine"]] == [two["table"]]


class TestMemory:
    """A game may be unloaded while a request waits for it."""

    def test_requests_get_the_room_in_memory(self, start):
        server = start(rooms=1)
        made = [server.table("octa", ["me"])["table"] for _ in range(6)]
        rooms = server.app.rooms

        async def all_at_once():
            async def one(table):
                room = await rooms.room(table)
                return rooms._rooms.get(table) is room

            return await asyncio.gather(*(one(table) for table in made))

        assert all(server.run(all_at_once()))

    def test_a_game_is_loaded_even_if_no_other_can_be_unloaded(self, start):
        server = start(rooms=1)
        one, two = server.table("octa", ["me"]), server.table("octa", ["me"])
        with server.socket(one["table"], one["token"]) as ann:
            with server.socket(two["table"], two["token"]) as bob:
                path = f"/tables/{two['table']}/seats/1/claim"
                claim = two["invitations"][0]["claim"]
                assert server.post(path, {"claim": claim}).status_code == 200
                assert bob.receive("event")["kind"] == "join"
            assert ann.welcome["t"] == "welcome"

    def test_an_unloaded_room_stores_nothing_and_asks_no_agent(self, start):
        server = start(rooms=1)
        made = server.table("octa", ["me", "open"], visibility="listed")
        old = room_of(server, made)
        in_loop(server, lambda: server.app.rooms.unload(old))
        server.post(f"/tables/{made['table']}/seats/1/claim", {"name": "Bob"})
        with pytest.raises(Outdated):
            server.run(old.abandon())
        assert old.hosted.v < room_of(server, made).hosted.v


class Shuffled(KuhnState):
    """Generates hidden cards by shuffling the true ones, as a naive game might."""

    def determinize(self, seat, rng):
        if self.actor == parlour.OVER or not self.cards[1 - seat : 2 - seat]:
            return self
        own = self.cards[seat : seat + 1]
        other = self.cards[1 - seat : 2 - seat]
        spare = next(card for card in "JQK" if card not in self.cards)
        drawn = (other, spare)[rng.below(2)]
        return type(self)(self.game, own + drawn if seat == 0 else drawn + own, self.bets)


def test_hidden_information_cannot_be_derived_from_table_and_version(server):
    """Even if `determinize` starts from the true state, the seed is secret."""
    parlour.register("kuhn", Kuhn)
    right = []
    for _ in range(24):
        made = server.table("kuhn", ["me", 1])
        room = room_of(server, made)
        state = room.hosted.table.state
        state = Shuffled(state.game, state.cards, state.bets)
        known = in_loop(server, lambda r=room, s=state: r.views.known(s, 0, r.hosted.v))
        guessed = seat_view(state, 0, made["table"].encode(), room.hosted.v)
        right.append(known.cards == guessed.cards)
    assert set(right) == {False, True}
