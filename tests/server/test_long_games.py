"""Long games: work on the event loop does not grow with their length."""

import threading

import pytest
from nim import Nim, NimState
from test_tables import refused

import parlour
from parlour.server.live.openings import LONGEST_RECORD
from parlour.server.live.rooms import Rooms

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
    answer = server.post("/tables", {"record": text_of(LONGEST_RECORD + 1)})
    assert "at most 4000 actions, not 4001" in refused(answer, 413, "too_large")
    assert work.applied == []
    answer = server.post("/tables", {"record": text_of(LONGEST_RECORD)})
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
    assert game.max_plies + outcomes <= LONGEST_RECORD
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
