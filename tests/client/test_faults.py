"""Bad connections and restarted servers: clients reconnect, and every request is executed once."""

import asyncio
import random
import threading

import pytest
from lines import BadLine, doubling, losing, mixing
from patience import PATIENCE

from parlour.client import Client, Retry, Unreachable, connection
from parlour.core.errors import ParlourError

SMALL = {"size": 2}


async def no_wait(seconds):
    """Return immediately, but let other tasks run."""
    await asyncio.sleep(0.01)


QUICK = Retry(attempts=500, answer=0.25, silence=0.4, sleep=no_wait)


@pytest.fixture
def over(monkeypatch):
    """Clients whose sockets use a bad connection."""
    made = []

    def begin(server, mangle):
        line = BadLine(server.port, mangle)
        made.append(line)
        monkeypatch.setattr(connection, "socket_url", lambda base: line.socket_url)
        client = Client(server.url, retry=QUICK)
        made.append(client)
        return client, line

    yield begin
    for each in reversed(made):
        each.stop() if isinstance(each, BadLine) else each.close()


def play_by_rule(table):
    """Play the same game on every connection: the choice depends on the number of actions."""
    while table.turn():
        view = table.view
        actions = view.scene.actions
        table.play(actions[(7 * view.ply + 3) % len(actions)].action, view.ply)


def whole_game(client):
    """Play a game of two people with a fixed seed; return its log and what each has seen."""
    ann = client.create("octa", options=SMALL, seats=["me"], seed=5)
    bob = client.join(ann.invitations[0].url)
    threads = [threading.Thread(target=play_by_rule, args=(table,)) for table in (ann, bob)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    return ann, bob


def log_of(server, table):
    events = server.get(f"/tables/{table.id}/events").json()["events"]
    return [(e["v"], e["kind"], e.get("seat"), e.get("action"), e["sentence"]) for e in events]


@pytest.fixture
def right(server, connect):
    """The log of the game over a good connection."""
    ann, _ = whole_game(connect(server))
    return log_of(server, ann)


@pytest.mark.parametrize(
    "mangle",
    [doubling(), *(losing(seed) for seed in (1, 2)), *(mixing(seed) for seed in (1, 2))],
    ids=["twice", "lost 1", "lost 2", "mixed 1", "mixed 2"],
)
def test_a_bad_connection_does_not_change_the_game(server, right, over, mangle):
    client, _ = over(server, mangle)
    ann, bob = whole_game(client)
    assert log_of(server, ann) == right
    for table in (ann, bob):
        assert table.view.is_over
        assert [event.v for event in table.log] == list(range(table.log[0].v, table.view.v + 1))
        assert [event.action for event in table.view.history] == [
            each[3] for each in right if each[1] == "play"
        ]
        final = table.positions.states(table.view)[-1]
        assert table.scene.cells == final.scene(table.seat).cells


def test_lost_messages_cause_a_reconnect(server, over):
    client, line = over(server, losing(3, 0.3))
    whole_game(client)
    assert line.sockets > 2


def test_the_client_waits_for_a_restarting_server(start, connect):
    first = start()
    client = connect(first, retry=QUICK)
    table = client.create("octa", options=SMALL, seats=["me", 1])
    table.play(table.scene.actions[0].action)
    table.turn()
    port = first.port
    first.stop()
    answered = []

    def play():
        answered.append(table.play(table.scene.actions[0].action))

    thread = threading.Thread(target=play)
    thread.start()
    second = start_at(start, port)
    thread.join(PATIENCE)
    assert answered
    play_by_rule(table)
    events = second.get(f"/tables/{table.id}/events").json()["events"]
    assert [event["v"] for event in events] == list(range(1, table.view.v + 1))
    assert table.view.is_over


def start_at(start, port):
    """Start a server on the same port, after the old one has closed it."""
    for _ in range(200):
        try:
            return start(port=port)
        except ParlourError:
            threading.Event().wait(0.05)
    raise AssertionError("the port is not free")


def test_the_client_gives_up_on_a_stopped_server(start, connect):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    retry = Retry(attempts=3, first=1.0, most=2.0, sleep=sleep, chance=lambda: 1.0)
    server = start(drain_seconds=7.0)
    table = connect(server, retry=retry).create("octa", options=SMALL, seats=["me", 1])
    server.stop()
    with pytest.raises(Unreachable):
        table.play(table.scene.actions[0].action)
    assert waits == [7.0, 2.0, 2.0]


def test_a_replaced_holder_gets_an_error(client, server):
    table = client.create("octa", seats=["me", "open"], options=SMALL)
    again = client.table(table.id, table.token)
    again.leave()
    with pytest.raises(ParlourError) as refused:
        table.wait(lambda view: view.is_over)
    assert refused.value.code == "not_your_seat"


def test_rate_limited_requests_are_retried(start, connect, monkeypatch):
    from parlour.server import rates
    from parlour.server.rates import Rate

    monkeypatch.setattr(rates, "PAUSE_SECONDS", 0.01)
    server = start(work=Rate(50, 10))
    table = connect(server, retry=QUICK).create("octa", seats=["me", 1], options=SMALL)
    rng = random.Random(1)
    while table.turn():
        table.play(rng.choice(table.scene.actions).action)
    assert table.is_over
