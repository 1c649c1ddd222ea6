"""Long games: work on the event loop does not grow with their length."""

import asyncio
import threading

import pytest
from nim import Nim, NimState
from patience import PATIENCE
from test_tables import first_action, refused, two_people

import parlour
from parlour.protocol.limits import GAME_PLIES, RECORD_ACTIONS, TABLE_ASIDES
from parlour.server import costs
from parlour.server.live import hosted
from parlour.server.live.rooms import Rooms
from parlour.server.rates import Rate, current_address
from parlour.table.errors import Busy

PLIES = 600


@pytest.fixture(params=["sqlite"])
def kind(request):
    return request.param


class Work:
    """Counts what the server asks of the game."""

    def __init__(self, monkeypatch):
        self.applied = []
        """The name of the thread of each applied action."""
        self.shown = 0
        """The number of actions put into words."""
        apply, words = NimState.apply, Nim.action_words

        def counting_apply(state, action):
            self.applied.append(threading.current_thread().name)
            return apply(state, action)

        def counting_words(game, state, action, seat):
            self.shown += 1
            return words(game, state, action, seat)

        monkeypatch.setattr(NimState, "apply", counting_apply)
        monkeypatch.setattr(Nim, "action_words", counting_words)

    def reset(self):
        self.applied, self.shown = [], 0


@pytest.fixture
def work(monkeypatch):
    parlour.register("nim", Nim)
    return Work(monkeypatch)


def uploaded(server, plies=PLIES):
    """Upload an unfinished record; all seats are the caller's."""
    game = parlour.game("nim", heap=1000)
    text = parlour.Record(game, 0, [0] * plies).to_text()
    answer = server.post(
        "/tables", {"record": text, "seats": [{"kind": "me"}, {"kind": "agent", "level": 1}]}
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def text_of(plies):
    lines = [f"{number}. take1" for number in range(1, plies + 1)]
    return "\n".join(["parlour record 1", "game nim", "option heap 1000", "seed 0", *lines])


def test_a_record_with_too_many_actions_is_refused_before_it_is_played(server, work):
    answer = server.post("/tables", {"record": text_of(RECORD_ACTIONS + 1)})
    assert "at most 4000 actions, not 4001" in refused(answer, 413, "too_large")
    assert work.applied == []
    answer = server.post("/tables", {"record": text_of(RECORD_ACTIONS)})
    refused(answer, 409, "bad_record")  # Nim is over after 1,000


def test_a_record_with_too_many_bytes_is_refused_with_the_limit(server, work):
    answer = server.post("/tables", {"record": "x" * 65_537})
    assert "65536" in refused(answer, 400, "bad_message")
    answer = server.post("/tables", {"record": "x" * 100_000})
    assert "98304" in refused(answer, 413, "too_large")
    assert work.applied == []


@pytest.mark.parametrize("name", ["banqi", "blokus", "cat_mouse", "octa"])
def test_the_longest_game_with_default_rules_can_be_uploaded(name):
    game = parlour.game(name)
    state, rng, actions = game.start(3), parlour.Rng(3), []
    while state.actor != parlour.OVER:
        actions.append(int(state.sample(rng)))
        state = state.apply(actions[-1])
    outcomes = 32 if game.has_chance else 0
    assert game.max_plies + outcomes <= RECORD_ACTIONS
    lines = parlour.Record(game, 3, actions).to_text().splitlines()
    widest = max(len(line) for line in lines if line[0].isdigit())
    assert (widest + 3) * game.max_plies < 65_536


def test_a_hello_shows_only_the_actions_since_the_last_one(server, work):
    table = uploaded(server)["table"]
    with server.socket(table) as first:
        assert len(first.welcome["history"]) >= PLIES
        work.reset()
        with server.socket(table) as second:
            assert second.welcome["history"] == first.welcome["history"]
        assert work.shown == 0
        known = first.welcome["v"] - 3
        with server.socket(table, v=known) as third:
            assert [event["v"] for event in third.welcome["missed"]] == [
                known + 1,
                known + 2,
                known + 3,
            ]
        assert work.shown == 3


def test_the_history_follows_takebacks(server, work):
    made = uploaded(server, 4)
    with server.socket(made["table"], made["token"]) as socket:
        ply = socket.welcome["ply"]
        socket.ask("play", 1, ply=ply, action=0)
        while socket.receive("event")["ply"] < ply + 2:
            pass
        with server.socket(made["table"]) as watching:
            assert len(watching.welcome["history"]) == ply + 2
        socket.ask("takeback", 2)
        with server.socket(made["table"]) as watching:
            assert [event["ply"] for event in watching.welcome["history"]] == [*range(1, ply + 1)]
        socket.ask("play", 3, ply=ply, action=1)
        with server.socket(made["table"]) as watching:
            assert watching.welcome["history"][ply]["text"] == "take2"


def test_a_page_of_events_shows_only_that_page(server, work):
    table = uploaded(server)["table"]
    v = server.get(f"/tables/{table}").json()["v"]
    work.reset()
    events = server.get(f"/tables/{table}/events?after={v - 10}").json()["events"]
    assert [event["v"] for event in events] == [*range(v - 9, v + 1)]
    assert work.shown == 10


def test_a_game_is_loaded_outside_the_event_loop_and_played_once(server, work):
    table = uploaded(server)["table"]
    rooms = server.app.rooms

    async def reload():
        rooms.unload(await rooms.room(table))
        work.reset()
        await rooms.room(table)

    server.run(reload())
    v = server.get(f"/tables/{table}").json()["v"]
    loaded = [name for name in work.applied if name.startswith("games")]
    assert len(loaded) == v - 1  # all events but the start
    assert len(work.applied) - len(loaded) <= 1  # the agent's next move


def test_a_record_is_written_outside_the_event_loop(server, work, monkeypatch):
    game = parlour.game("nim", heap=1000)
    text = parlour.Record(game, 0, [0] * 1000).to_text()
    table = server.post("/tables", {"record": text}).json()["table"]
    server.get(f"/tables/{table}")  # loads it
    threads = []
    plain = Nim.action_to_text

    def noting(game, state, action):
        threads.append(threading.current_thread().name)
        return plain(game, state, action)

    monkeypatch.setattr(Nim, "action_to_text", noting)
    assert server.get(f"/tables/{table}/record").text.startswith("parlour record 1")
    assert len(threads) == 1000
    assert all(name.startswith("games") for name in threads)


def test_a_failure_while_loading_reaches_the_caller(server, work, monkeypatch):
    table = uploaded(server, 10)["table"]
    rooms: Rooms = server.app.rooms
    plain = NimState.apply

    async def unload():
        rooms.unload(await rooms.room(table))

    server.run(unload())

    def failing(state, action):
        raise parlour.IllegalAction("broken on purpose")

    monkeypatch.setattr(NimState, "apply", failing)
    refused(server.get(f"/tables/{table}"), 409, "illegal")
    monkeypatch.setattr(NimState, "apply", plain)
    assert server.get(f"/tables/{table}").status_code == 200


def test_idle_games_are_unloaded_by_their_estimated_size(start, work):
    server = start(room_memory=4)
    tables = [uploaded(server)["table"] for _ in range(4)]
    for table in tables:
        server.get(f"/tables/{table}")
    kept = [room.hosted.id for room in server.app.rooms.all_in_memory()]
    assert kept == tables[-2:]  # 600 events are almost 2 MiB by estimate


def test_a_long_game_is_refused_while_connections_fill_the_memory(start, work):
    server = start(room_memory=4)
    first, second, third = (uploaded(server)["table"] for _ in range(3))
    short = uploaded(server, 20)["table"]
    with server.socket(first), server.socket(second):
        assert "too large" in refused(server.get(f"/tables/{third}"), 503, "busy")
        assert server.get(f"/tables/{short}").status_code == 200


def test_a_game_larger_than_the_limits_allow_is_refused_even_if_no_other_is_in_memory(start):
    rooms = start(room_memory=1).app.rooms
    rooms._check_memory(GAME_PLIES + TABLE_ASIDES)
    with pytest.raises(Busy, match="too long to load"):
        rooms._check_memory(GAME_PLIES + TABLE_ASIDES + 1)


def test_loading_a_game_is_charged_by_its_events(start, work):
    server = start(work=Rate(1e-9, 1000))
    table = uploaded(server)["table"]
    rooms = server.app.rooms
    v = server.get(f"/tables/{table}").json()["v"]

    def cost():
        before = rooms.work.of("127.0.0.1").left
        assert server.get(f"/tables/{table}").status_code == 200
        return before - rooms.work.of("127.0.0.1").left

    async def unload():
        rooms.unload(await rooms.room(table))

    in_memory = cost()
    server.run(unload())
    assert cost() - in_memory == pytest.approx(costs.EVENT * v)


def test_uploads_and_pictures_are_charged_by_their_size(start, work):
    server = start(work=Rate(1e-9, 1000))
    left = server.app.rooms.work.of("127.0.0.1")

    def cost(do):
        before = left.left
        do()
        return before - left.left

    difference = cost(lambda: uploaded(server, 600)) - cost(lambda: uploaded(server, 100))
    assert difference == pytest.approx(500 * costs.ACTION)
    small, large = (
        server.table("octa", ["me", 1], options={"size": size})["table"] for size in (2, 10)
    )
    for table in (small, large):
        server.get(f"/tables/{table}")  # loads it
    difference = cost(lambda: server.get(f"/tables/{large}/picture"))
    difference -= cost(lambda: server.get(f"/tables/{small}/picture"))
    assert difference == pytest.approx((21 * 21 - 5 * 5) * costs.CELL)


def test_a_hello_is_charged_by_the_history_in_its_welcome(start, work):
    server = start(work=Rate(1e-9, 1000))
    left = server.app.rooms.work.of("127.0.0.1")
    games = [uploaded(server, plies)["table"] for plies in (600, 100)]
    plies, prices = [], []
    for table in games:
        with server.socket(table):  # loads it
            pass
        before = left.left
        with server.socket(table) as socket:
            plies.append(len(socket.welcome["history"]))
            prices.append(before - left.left)
    expected = (plies[0] - plies[1]) * costs.HISTORY
    assert prices[0] - prices[1] == pytest.approx(expected, abs=1e-6)


def test_addresses_take_turns_in_the_background(server):
    background = server.app.rooms.in_background
    order, gate = [], threading.Event()

    def job(name):
        gate.wait(PATIENCE)
        order.append(name)

    async def call(address, name):
        current_address.set(address)
        await background(job, name)

    async def work():
        calls = [asyncio.create_task(call("many", number)) for number in range(60)]
        await asyncio.sleep(0)  # they are all queued, and the first one runs
        calls += [asyncio.create_task(call(name, name)) for name in ("few", "other")]
        cancelled = asyncio.create_task(call("gone", "gone"))
        await asyncio.sleep(0)
        cancelled.cancel()
        gate.set()
        await asyncio.gather(*calls)

    server.run(work())
    assert order[:5] == [0, 1, "few", "other", 2]
    assert len(order) == 62


class TestGrowth:
    """Events besides the actions of a game are bounded, so that no log grows without end."""

    @pytest.fixture(autouse=True)
    def few(self, monkeypatch):
        monkeypatch.setattr(hosted, "TABLE_ASIDES", 20)

    def test_offers_are_refused_after_too_many_but_play_and_resigning_are_not(self, server):
        made, token = two_people(server, "banqi")
        with server.socket(made["table"], made["token"]) as ann:
            answers = []
            for number in range(20):
                answers.append(ann.ask("draw", f"a{number}"))
                ann.ask("decline", f"b{number}", offer="draw")
            assert [each["t"] for each in answers].count("ack") == 9
            assert (answers[-1]["code"], answers[-1]["v"]) == ("not_allowed", 20)
            assert "no more offers" in answers[-1]["message"]
            with server.socket(made["table"], token) as bob:
                first = ann if ann.welcome["actor"] == 0 else bob
                assert first.ask("play", 1, ply=0, action=first_action(first))["t"] == "ack"
                assert bob.ask("takeback", 2)["code"] == "not_allowed"
                assert bob.ask("resign", 3)["t"] == "ack"
                assert bob.ask("rematch", 4)["code"] == "not_allowed"

    def test_takebacks_count_with_the_actions_that_they_remove(self, server):
        made = server.table("octa", ["me", 1])
        with server.socket(made["table"], made["token"]) as ann:
            action, taken = first_action(ann), 0
            while True:
                ann.ask("play", f"p{taken}", ply=0, action=action)
                while ann.events()[-1:] == [] or ann.events()[-1]["ply"] != 2:
                    ann.next()
                if ann.ask("takeback", f"t{taken}")["t"] == "error":
                    break
                taken += 1
            assert taken == 7  # three events each, after the start
            assert server.get(f"/tables/{made['table']}").json()["v"] <= 20 + 2 + 3

    def test_joining_and_leaving_before_the_start_is_bounded(self, server):
        made = server.table("octa", ["open", "open"], visibility="listed")
        path = f"/tables/{made['table']}/seats/0"
        for _ in range(10):
            joined = server.post(f"{path}/claim", {"name": "Bob"})
            assert server.post(f"{path}/leave", token=joined.json()["token"]).status_code == 200
        assert "new players" in refused(server.post(f"{path}/claim", {}), 403, "not_allowed")
