"""The client against a real server: tables, seats, whole games, refusals."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from patience import PATIENCE
from two_servers import until

import parlour
from parlour.client import AsyncClient, BadLink, Client, Link, Retry, Unreachable, join
from parlour.core.errors import ActionTextError, IllegalAction, NotFound, OptionError
from parlour.core.game import OVER
from parlour.protocol.errors import ClaimUsed, NotYourSeat, Unauthorized
from parlour.table import GameOver, NotYourTurn, StaleEvents, TableError

SMALL = {"size": 2}


def play_at_random(table, rng, most=1000):
    for _ in range(most):
        if not table.turn():
            return
        table.play(rng.choice(table.scene.actions).action)


def pair(client, game="octa", **more):
    """Return a table of two people, once for each of them."""
    if game == "octa":
        more = {"options": SMALL, "seed": 5, **more}
    ann = client.create(game, seats=["me", "open"], name="Ann", **more)
    bob = client.join(ann.invitations[0].url, name="Bob")
    ann.wait(lambda view: view.status == "playing")
    return ann, bob


class TestLists:
    def test_the_games_of_the_server_are_listed(self, client):
        assert {info.name for info in client.games()} >= set(parlour.game_names())

    def test_listed_tables_can_be_found_and_joined_without_an_invitation(self, client):
        client.create("octa", seats=["me"], options=SMALL)
        made = client.create("octa", seats=["me"], options=SMALL, listed=True)
        assert [info.table for info in client.tables()] == [made.id]
        joined = client.sit_down(made.id, 1, name="Cy")
        assert (joined.seat, joined.view.seats[1].name) == (1, "Cy")

    def test_tables_are_found_by_their_tokens(self, client):
        one = client.create("octa", seats=["me"])
        two = client.create("banqi", seats=["open", "me"])
        found = client.mine([one.token, two.token, "no token"])
        assert {(info.table, info.you) for info in found} == {(one.id, 0), (two.id, 1)}

    def test_a_table_can_be_read_without_joining_it(self, client):
        made = client.create("octa", seats=["me", 1])
        info = client.info(made.id)
        assert (info.game, info.status, info.you) == ("octa", "playing", None)


class TestNonces:
    def test_every_person_adds_one_to_chance(self, server, client, connect):
        ann = client.create("banqi", seats=["me", "open"])
        client.join(ann.invitations[0].url)
        with ThreadPoolExecutor(2) as pool:
            finders = [pool.submit(each.find, "banqi") for each in (client, connect(server))]
            found = finders[0].result(PATIENCE)
        nonces = [
            seat.nonce
            for table in (ann.id, found.id)
            for seat in server.run(server.app.rooms.room(table)).hosted.seats
        ]
        assert all(len(nonce) >= 16 for nonce in nonces)
        assert len(set(nonces)) == 4

    def test_a_game_with_a_seed_stays_repeatable(self, server, client):
        made = client.create("banqi", seats=["me", 1], seed=7)
        seats = server.run(server.app.rooms.room(made.id)).hosted.seats
        assert [seat.nonce for seat in seats] == ["", ""]


class TestFinding:
    def test_two_clients_find_each_other(self, client, connect, server):
        with ThreadPoolExecutor(2) as pool:
            finders = [
                pool.submit(each.find, "octa", options=SMALL, name=name)
                for each, name in ((client, "Ann"), (connect(server), "Bob"))
            ]
            ann, bob = (each.result(PATIENCE) for each in finders)
        assert ann.id == bob.id
        assert [seat.name for seat in ann.view.seats][ann.seat] == "Ann"
        (first, second) = (ann, bob) if ann.is_my_turn else (bob, ann)
        first.play(first.scene.actions[0].action)
        assert second.turn()

    def test_a_client_whose_table_was_ended_looks_again(self, server, client, connect):
        with ThreadPoolExecutor(1) as pool:
            looking = pool.submit(client.find, "octa", options=SMALL)
            rooms = server.app.rooms
            (room,) = until(
                lambda: [each for each in rooms.all_in_memory() if each.audience.members]
            )
            server.run(rooms.pairing._end(room))
            other = connect(server).find("octa", options=SMALL)
            found = looking.result(PATIENCE)
        assert found.id == other.id != room.hosted.id

    def test_a_cancelled_search_frees_the_place(self, server):
        async def cancelled():
            async with AsyncClient(server.url) as looking:
                task = asyncio.create_task(looking.find("octa", options=SMALL))
                while not server.app.sockets.open:
                    await asyncio.sleep(0.01)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

        asyncio.run(cancelled())
        rows = server.app.rooms.store._rows
        until(
            lambda: [
                end
                for (end,) in server.run(rows("SELECT until_ms FROM pairing"))
                if end <= server.app.clock.now()
            ]
        )


class TestGames:
    @pytest.mark.parametrize(
        ("game", "seats"),
        [("octa", ["me", 1]), ("banqi", ["me", 1]), ("blokus", ["me", 1, 1, 1])],
    )
    def test_a_game_is_played_to_its_end_and_its_record_is_valid(self, client, game, seats):
        table = client.create(game, seats=seats)
        play_at_random(table, random.Random(3))
        assert table.is_over
        assert len(table.view.ending.returns) == len(seats)
        record = table.record()
        assert list(record.actions) == [event.action for event in table.view.history]
        assert record.final == table.state
        assert table.state.actor == OVER

    def test_the_scene_matches_the_local_position(self, client):
        ann, bob = pair(client)
        rng = random.Random(1)
        for _ in range(12):
            actor = ann if ann.is_my_turn else bob
            actor.play(rng.choice(actor.scene.actions).action)
            other = bob if actor is ann else ann
            other.wait(lambda view, v=actor.view.v: view.v >= v)
            for table in (ann, bob):
                scene = table.state.scene(table.seat)
                assert table.scene == scene
            if ann.is_over:
                break

    def test_events_arrive_in_order_until_the_end(self, client):
        table = client.create("octa", seats=["me", 1], options=SMALL)
        watcher = client.join(table.watch_url)
        told = watcher.events()
        play_at_random(table, random.Random(3))
        heard = list(told)
        last = watcher.view.v
        assert [event.v for event in heard] == list(range(last - len(heard) + 1, last + 1))
        assert watcher.seat is None
        assert watcher.view.history == table.view.history

    def test_a_rematch_swaps_the_seats(self, client):
        ann, bob = pair(client)
        ann.resign()
        ann.ask_rematch()
        assert ann.wants_rematch
        second = bob.rematch()
        first = ann.next_table()
        assert (first.seat, second.seat) == (1, 0)
        assert first.id == second.id != ann.id
        second.play(second.scene.actions[0].action)
        assert first.turn()

    def test_a_rematch_is_requested_once_even_after_reconnecting(self, client):
        ann, bob = pair(client)
        ann.resign()
        ann.ask_rematch()
        again = client.table(ann.id, ann.token)
        again.ask_rematch()
        bob.ask_rematch()
        assert again.next_table().seat == 1

    def test_events_can_be_read_without_joining(self, client):
        ann, _ = pair(client)
        ann.resign()
        told = client.events(ann.id, after=1)
        assert [(event.v, event.kind) for event in told] == [(2, "start"), (3, "resign")]

    def test_a_token_gives_back_the_same_seat(self, server, connect):
        client = connect(server)
        table = client.create("octa", seats=["me", 1], options=SMALL)
        table.play(table.scene.actions[0].action)
        token = table.token
        client.close()
        again = connect(server).table(table.id, token)
        assert (again.seat, again.view.v >= 2) == (0, True)

    def test_a_second_device_holds_the_same_seat(self, client, connect, server):
        ann, _ = pair(client)
        other = connect(server).join(ann.device())
        other.play(other.scene.actions[0].action)
        ann.wait(lambda view: view.ply == 1)
        assert other.seat == ann.seat == 0


class TestTogether:
    def test_a_draw_can_be_offered_and_accepted(self, client):
        ann, bob = pair(client, "banqi")
        ann.draw()
        bob.wait(lambda view: view.offers.draw == (0,))
        bob.draw()
        assert ann.wait(lambda view: view.is_over).ending.returns == [0.0, 0.0]
        assert ann.view.offers.draw == ()

    def test_an_action_is_taken_back_by_consent(self, client):
        ann, bob = pair(client)
        ann.play(ann.scene.actions[0].action)
        ann.takeback()
        bob.wait(lambda view: view.offers.takeback == (0,))
        bob.takeback()
        ann.wait(lambda view: view.ply == 0)
        assert ann.view.history == ()
        assert ann.is_my_turn
        assert ann.state == ann.positions.states(ann.view)[0]

    def test_chat_messages_reach_the_other_seats(self, client):
        ann, bob = pair(client)
        ann.say("hello")
        spoken = bob.wait(lambda view: bool(view.said)).said[0]
        assert (spoken.name, spoken.text) == ("Ann", "hello")

    def test_a_premove_is_played_when_the_turn_comes(self, client):
        ann, bob = pair(client)
        first = ann.scene.actions[0].action
        wanted = int(ann.state.play(first).legal_actions()[0])
        bob.premove(wanted)
        assert bob.wait(lambda view: view.premove is not None).premove == wanted
        ann.play(first)
        assert ann.wait(lambda view: view.ply == 2).history[-1].action == wanted

    def test_the_clock_runs_during_a_turn(self, server, connect):
        seconds = [100.0]
        client = connect(server, now=lambda: seconds[0])
        table = client.create("octa", seats=["me", 1], clock="5m")
        before = table.clocks
        seconds[0] += 10
        assert table.clocks[0] == pytest.approx(before[0] - 10)
        assert table.clocks[1] == before[1]

    def test_a_seat_can_be_left_before_the_start(self, client):
        ann = client.create("octa", seats=["open", "me"])
        watcher = client.join(ann.watch_url)
        ann.leave()
        watcher.wait(lambda view: view.seats[1].kind == "open")

    def test_an_agent_can_take_over_a_seat(self, client):
        ann, bob = pair(client)
        ann.replace(1)
        assert bob.wait(lambda view: view.seats[0].kind == "agent").seats[0].level == 1
        with pytest.raises(NotYourSeat):
            ann.wait(lambda view: view.is_over)

    def test_analysis_is_open_to_everyone_after_the_end(self, client):
        ann, _ = pair(client)
        ann.resign()
        found = ann.analysis(ply=0, level=1)
        assert found.choices[0].text
        assert found.ply == 0


class TestRefusals:
    def test_an_illegal_action_is_refused_with_the_rule(self, client):
        ann, bob = pair(client)
        with pytest.raises(IllegalAction, match="neutral"):
            ann.play("0,0")
        with pytest.raises(ActionTextError):
            ann.play("nonsense")
        with pytest.raises(NotYourTurn):
            bob.play(0)
        with pytest.raises(StaleEvents):
            ann.play(0, ply=7)
        assert ann.view.v == 2

    def test_a_spectator_cannot_make_requests(self, client):
        ann, _ = pair(client)
        watcher = client.join(ann.watch_url)
        with pytest.raises(Unauthorized, match="invitation"):
            watcher.play(0)

    def test_an_invitation_is_used_once(self, client):
        ann = client.create("octa", seats=["me"])
        client.join(ann.invitations[0].url)
        with pytest.raises(ClaimUsed, match="already used"):
            client.join(ann.invitations[0].url)

    def test_unknown_tables_seats_games_and_tokens_raise(self, client):
        ann = client.create("octa", seats=["me"])
        link = Link.from_text(ann.invitations[0].url)
        with pytest.raises(NotFound):
            client.table("nosuchtable")
        with pytest.raises(NotFound, match="seats are 0 to 1"):
            client.join(link._replace(seat=7).to_text())
        with pytest.raises(ClaimUsed):
            client.join(link._replace(claim="guess").to_text())
        with pytest.raises(NotFound, match="chess"):
            client.create("chess")
        with pytest.raises(OptionError):
            client.create("octa", options={"size": 1000})
        with pytest.raises(Unauthorized):
            client.table(ann.id, "wrong")
        with pytest.raises(TableError, match="after the game is over"):
            ann.record()

    def test_playing_after_the_end_is_refused(self, client):
        ann, bob = pair(client)
        ann.resign()
        bob.wait(lambda view: view.is_over)
        with pytest.raises(GameOver):
            bob.play(0)

    @pytest.mark.parametrize(
        "text",
        [
            "", "octa", "ftp://x/t/a", "http://host", "http://host/t/", "http://host/t/a/b",
            "http:///t/a", "http://host:99999/t/a", "http://host/t/a#seat=x&claim=c",
            "http://host/t/a#seat=1", "http://host/t/a#claim=c", "http://[/t/a",
        ],
    )  # fmt: skip
    def test_an_invalid_link_raises_with_an_example(self, text):
        with pytest.raises(
            BadLink, match=r"a link to a table looks like|an invitation must end like"
        ):
            Link.from_text(text)

    def test_links_round_trip(self):
        for text in ("http://h:1/t/a", "https://h/games/t/a#seat=3&claim=x_-9"):
            assert Link.from_text(text).to_text() == text

    def test_a_link_to_another_server_is_refused_by_a_client_of_this_one(self, client):
        with pytest.raises(BadLink, match=r"leads to http://elsewhere"):
            client.join("http://elsewhere/t/a")

    def test_an_unreachable_server_raises_after_the_allowed_attempts(self):
        waits = []

        async def sleep(seconds):
            waits.append(seconds)

        retry = Retry(attempts=4, first=1.0, most=3.0, sleep=sleep, chance=lambda: 1.0)
        with (
            Client("http://127.0.0.1:9", retry=retry) as client,
            pytest.raises(Unreachable, match="does not answer"),
        ):
            client.games()
        assert waits == [1.0, 2.0, 3.0, 3.0]

    def test_another_web_server_raises_unreachable(self, server):
        with (
            Client(server.url + "/metrics") as client,
            pytest.raises((Unreachable, NotFound)),
        ):
            client.games()


def test_a_link_alone_is_enough_to_join(client):
    made = client.create("octa", seats=["me"])
    other, table = join(made.invitations[0].url, "Bob")
    with other:
        assert table.seat == 1


def test_the_async_client_plays_a_game(server):
    async def run():
        async with AsyncClient(server.url) as client:
            table = await client.create("octa", seats=["me", 1], options=SMALL)
            heard = []

            async def listen():
                heard.extend([event.v async for event in table.events()])

            listening = asyncio.create_task(listen())
            await asyncio.sleep(0)
            while await table.turn():
                await table.play(table.scene.actions[0].action)
            await listening
            return table.view, heard

    view, heard = asyncio.run(run())
    assert view.is_over
    assert heard == list(range(heard[0], view.v + 1))
