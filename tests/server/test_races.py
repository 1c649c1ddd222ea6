"""What happens at the same moment, or while somebody waits: nobody gains by it, nothing stops."""

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
    """A member or guest whose queue is full: being told anything it leaves, as sockets do."""

    def __init__(self, leave, viewer=None, at=b""):
        self.viewer = viewer
        self.epoch = 0
        self.own = {}
        self._leave = leave
        self._at = at
        self.told = []

    def send(self, data):
        self.told.append(data)
        if self._at in data:
            self._leave(self)

    def drop(self, reason):
        """Nothing waits for it."""


def room_of(server, made) -> Room:
    return server.run(server.app.rooms.room(made["table"]))


def in_loop(server, work):
    """Call something in the server's loop."""

    async def called():
        return work()

    return server.run(called())


class TestInvitations:
    """A link is for the seat as it was when the link was made."""

    def test_the_invitation_of_a_listed_seat_is_void_once_somebody_else_sits_there(self, server):
        made = server.table("octa", ["me"], visibility="listed")
        path = f"/tables/{made['table']}/seats/1/claim"
        bob = server.post(path, {"name": "Bob"}).json()["token"]
        stolen = server.post(path, {"claim": made["invitations"][0]["claim"], "name": "Ann"})
        refused(stolen, 409, "used")
        with server.socket(made["table"], bob) as socket:
            assert socket.welcome["you"] == 1

    def test_a_link_for_a_further_device_is_void_once_the_seat_was_left(self, server):
        made = server.table("blokus", ["me"], visibility="listed")
        path = f"/tables/{made['table']}/seats/0"
        claim = server.post(f"{path}/devices", {}, made["token"]).json()["claim"]
        server.post(f"{path}/leave", {}, made["token"])
        refused(server.post(f"{path}/claim", {"claim": claim}), 409, "used")
        assert server.post(f"{path}/claim", {"name": "Bob"}).status_code == 200
        refused(server.post(f"{path}/claim", {"claim": claim}), 409, "used")

    def test_of_two_claims_at_the_same_moment_one_sits_down(self, server):
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
    """One that is told to say hello again leaves in the middle of what everybody is told."""

    def test_an_agent_acts_although_a_spectator_reads_nothing(self, server):
        made = server.table("octa", ["me", 1], options={"size": 2})
        room = room_of(server, made)

        def crowd():
            for _ in range(5):
                room.audience.members.add(Slow(room.audience.members.discard, at=b'"thinking"'))

        with server.socket(made["table"], made["token"]) as ann:
            in_loop(server, crowd)
            action = ann.welcome["scene"]["actions"][0][0]
            assert ann.ask("play", 1, ply=0, action=action)["t"] == "ack"
            while ann.hear("event").get("seat") != 1:
                pass

    def test_words_and_presence_reach_the_others(self, server):
        made, token = two_people(server)
        room = room_of(server, made)
        with server.socket(made["table"], token) as bob:
            bob.hear("presence")

            def crowd():
                for _ in range(5):
                    room.audience.members.add(Slow(room.audience.members.discard, viewer=0))
                room.audience.show_presence(True)

            in_loop(server, crowd)
            bob.hear("presence")
            in_loop(server, crowd)
            assert bob.ask("say", 1, text="hello")["t"] == "ack"

    def test_a_move_is_acknowledged_although_somebody_in_the_lobby_reads_nothing(self, server):
        made, _token = two_people(server)
        lobby = server.app.rooms.lobby

        def crowd():
            for _ in range(5):
                guest = Slow(lobby.leave)
                guest.own = {made["table"]: 1}
                lobby.guests.add(guest)

        in_loop(server, crowd)
        with server.socket(made["table"], made["token"]) as ann:
            action = ann.welcome["scene"]["actions"][0][0]
            assert ann.ask("play", 1, ply=ann.welcome["ply"], action=action)["t"] == "ack"
        assert not lobby.guests

    def test_a_welcome_that_is_longer_than_the_queue_is_sent(self, start):
        server = start(queue_bytes=100)
        made = server.table("octa", ["me"])
        with server.socket(made["table"], made["token"]) as socket:
            assert socket.welcome["t"] == "welcome"


class TestWhoGoesAway:
    def test_a_move_whose_player_is_gone_is_stored_and_nobody_must_say_hello_again(
        self, server, monkeypatch
    ):
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
            # The next thing that is sent to who is gone ends its socket.
            while in_loop(server, lambda: len(room.audience.members)) > 1:
                in_loop(server, lambda: room.audience.send_all(PONG))
                in_loop(server, gone.set)
            bob.hear("event")
            assert "resync" not in [message["t"] for message in bob.heard]
        assert room_of(server, made) is room


class TestPremoves:
    def test_a_premove_is_not_played_in_a_position_that_came_by_a_takeback(self, server):
        made, token = two_people(server, seed=1)
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])
            scene = next(
                message for message in [*bob.heard, bob.hear("event")] if "diff" in message
            )
            assert ann.ask("premove", 2, action=ann.welcome["scene"]["actions"][0][0])["t"] == "ack"
            assert ann.ask("takeback", 3)["t"] == "ack"
            assert bob.ask("takeback", 4)["t"] == "ack"
            while ann.hear("premove")["action"] is not None:
                pass
            assert "taken back" in ann.heard[-1]["message"]
            ann.send({"t": "ping", "at": 1})
            ann.hear("pong")
            assert server.get(f"/tables/{made['table']}").json()["ply"] == 0
            assert scene["ply"] == 1

    def test_one_that_comes_too_late_is_told_so(self, server):
        made, _token = two_people(server, seed=1)
        room = room_of(server, made)
        with server.socket(made["table"], made["token"]) as ann:
            server.run(room._premove(0, "1,1", room.hosted.ply + 1))
            assert "already passed" in ann.hear("premove")["message"]


class TestNothingStops:
    """Work in the background goes on after what goes wrong."""

    def test_one_broken_game_does_not_stop_the_sweep_nor_fill_the_log(
        self, server, monkeypatch, caplog
    ):
        made, broken = server.table("octa", ["me"]), server.table("octa", ["me"])["table"]
        rooms = server.app.rooms
        swept = []

        async def due(now):
            return await rooms.store.versions([broken, made["table"]])

        async def room(table):
            if table == broken:
                raise ValueError("a row that nobody can read")
            swept.append(table)
            return await Rooms.room(rooms, table)

        monkeypatch.setattr(rooms.store, "due", due)
        monkeypatch.setattr(rooms, "room", room)
        server.run(rooms.housekeeping.sweep())
        server.run(rooms.housekeeping.sweep())
        assert swept[:2] == [made["table"]] * 2
        assert sum("nobody can read" in each.getMessage() for each in caplog.records) == 1

    def test_what_is_repeated_is_repeated_after_any_error(self, server, caplog):
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

    def test_the_lobby_is_told_again_after_the_store_could_not_be_read(self, server, monkeypatch):
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
            assert guest.hear("tables")["tables"]
        assert failed.is_set()

    def test_an_agent_whose_game_went_wrong_is_asked_again(self, server, monkeypatch):
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
            while ann.hear("event").get("seat") != 1:
                pass

    def test_a_token_of_a_game_that_is_gone_hides_no_other(self, server, monkeypatch):
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
    """A game may leave the memory while somebody waits for it."""

    def test_whoever_asks_gets_the_room_that_is_in_memory(self, start):
        server = start(rooms=1)
        made = [server.table("octa", ["me"])["table"] for _ in range(6)]
        rooms = server.app.rooms

        async def all_at_once():
            async def one(table):
                room = await rooms.room(table)
                return rooms._rooms.get(table) is room

            return await asyncio.gather(*(one(table) for table in made))

        assert all(server.run(all_at_once()))

    def test_a_game_comes_in_although_all_others_must_stay(self, start):
        server = start(rooms=1)
        one, two = server.table("octa", ["me"]), server.table("octa", ["me"])
        with server.socket(one["table"], one["token"]) as ann:
            with server.socket(two["table"], two["token"]) as bob:
                path = f"/tables/{two['table']}/seats/1/claim"
                claim = two["invitations"][0]["claim"]
                assert server.post(path, {"claim": claim}).status_code == 200
                assert bob.hear("event")["kind"] == "join"
            assert ann.welcome["t"] == "welcome"

    def test_a_room_that_has_left_the_memory_stores_nothing_and_asks_nobody(self, start):
        server = start(rooms=1)
        made = server.table("octa", ["me", "open"], visibility="listed")
        old = room_of(server, made)
        in_loop(server, lambda: server.app.rooms.unload(old))
        server.post(f"/tables/{made['table']}/seats/1/claim", {"name": "Bob"})
        with pytest.raises(Outdated):
            server.run(old.abandon())
        assert old.hosted.v < room_of(server, made).hosted.v


class Shuffled(KuhnState):
    """Draws what the seat does not know by shuffling the truth, as many would."""

    def determinize(self, seat, rng):
        if self.actor == parlour.OVER or not self.cards[1 - seat : 2 - seat]:
            return self
        own = self.cards[seat : seat + 1]
        other = self.cards[1 - seat : 2 - seat]
        spare = next(card for card in "JQK" if card not in self.cards)
        drawn = (other, spare)[rng.below(2)]
        return type(self)(self.game, own + drawn if seat == 0 else drawn + own, self.bets)


def test_what_a_seat_is_told_cannot_be_drawn_back_by_who_knows_table_and_version(server):
    """Even where `determinize` begins with the truth: nobody knows how it was drawn."""
    parlour.register("kuhn", Kuhn)
    right = []
    for _ in range(24):
        made = server.table("kuhn", ["me", 1])
        room = room_of(server, made)
        state = room.hosted.table.state
        state = Shuffled(state.game, state.cards, state.bets)
        told = in_loop(server, lambda r=room, s=state: r.views.known(s, 0, r.hosted.v))
        guessed = seat_view(state, 0, made["table"].encode(), room.hosted.v)
        right.append(told.cards == guessed.cards)
    assert set(right) == {False, True}
