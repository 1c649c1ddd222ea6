"""Agents' turns with several processes: one computes, another takes over if it dies."""

import asyncio
import threading

import pytest
from live_server import OwnClock
from two_servers import ONLY_NOTICES, actions_of, receive_until, until

QUICK = {"lease_seconds": 0.5, "beat_seconds": 0.05}


@pytest.fixture
def kind():
    return "postgresql"


class Thoughts:
    """Counts the requests to the agents of some servers, and can hold their answers back."""

    def __init__(self, *servers):
        self.asked = []
        self.open = threading.Event()
        self.open.set()
        for server in servers:
            self._watchdog(server)

    def _watchdog(self, server):
        pool = server.app.rooms.pool
        choose = pool.choose

        async def counted(table, text, seed, state, limit, waits, owner):
            self.asked.append((server, table, len(self.asked)))
            while not self.open.is_set():
                await asyncio.sleep(0.005)
            return await choose(table, text, seed, state, limit, waits, owner)

        pool.choose = counted


def test_no_turn_is_computed_twice_in_a_game_of_agents(start):
    servers = [start() for _ in range(3)]
    thoughts = Thoughts(*servers)
    made = servers[0].table("octa", [1, 1], options={"size": 3})
    sockets = [server.socket(made["table"]) for server in servers]
    entered = [each.__enter__() for each in sockets]
    try:
        for socket in entered:
            message = socket.welcome
            while "ending" not in message:
                message = socket.receive("event")
        plies = message["ply"]
        assert len(thoughts.asked) == plies
    finally:
        for each in sockets:
            each.__exit__(None, None, None)


def test_each_agent_turn_is_computed_once_across_processes(start):
    servers = [start(**ONLY_NOTICES) for _ in range(2)]
    thoughts = Thoughts(*servers)
    made = servers[0].table("octa", ["me", 1], options={"size": 3}, seed=4)
    with (
        servers[0].socket(made["table"], made["token"]) as here,
        servers[1].socket(made["table"], made["token"]) as there,
    ):
        ply, v, moves = 0, 0, 0
        while moves < 8:
            socket = (here, there)[moves % 2]
            if v:
                last = receive_until(socket, v)
                if "ending" in last:
                    break
            answer = socket.ask("play", moves, ply=ply, action=actions_of(socket)[0][0])
            v = answer["v"] + 1
            moves += 1
            ply += 2
            if "ending" in receive_until(socket, answer["v"]):
                break
        assert len({server for server, *_ in thoughts.asked}) == 2
        assert len(thoughts.asked) <= moves


def test_another_process_takes_over_a_turn_after_its_lease_expires(start):
    one, other = start(**QUICK), start(**QUICK)
    thoughts = Thoughts(one, other)
    thoughts.open.clear()
    made = one.table("octa", ["me", 1], options={"size": 3})
    with other.socket(made["table"], made["token"]) as ann:
        with one.socket(made["table"], made["token"]) as ann_too:
            v = ann_too.ask("play", 1, ply=0, action=actions_of(ann_too)[0][0])["v"]
        until(lambda: thoughts.asked)
        asked = thoughts.asked[0][0]
        assert asked is one
        # It thinks for longer than a lease, which is renewed.
        leases = one.app.rooms.leases
        prolonged = leases.renew
        times = []

        async def counted():
            times.append(1)
            await prolonged()

        leases.renew = counted

        async def by_hand():
            for _ in range(8):
                await leases.renew()
                await asyncio.sleep(0.1)

        one.run(by_hand())
        assert len(thoughts.asked) == 1
        # From now on the process is as good as dead: it renews no lease.
        leases.take = lambda table, v: asyncio.sleep(0, result=False)
        until(lambda: len(thoughts.asked) == 2)
        assert thoughts.asked[1][0] is other
        thoughts.open.set()
        assert receive_until(ann, v + 1)["seat"] == 1


def test_adding_a_device_keeps_the_lease_on_an_agents_turn(start):
    clock = OwnClock()
    one, other = start(clock=clock.server), start(clock=clock.server)
    thoughts = Thoughts(one, other)
    thoughts.open.clear()
    made = one.table("octa", ["me", 1], options={"size": 3})
    with one.socket(made["table"], made["token"]) as ann:
        ann.ask("play", 1, ply=0, action=actions_of(ann)[0][0])
        until(lambda: thoughts.asked)
        path = f"/tables/{made['table']}/seats/0"
        claim = other.post(f"{path}/devices", {}, made["token"]).json()["claim"]
        assert other.post(f"{path}/claim", {"claim": claim}).status_code == 200
        other.run(other.app.rooms.housekeeping.resume_agents())
        assert len(thoughts.asked) == 1
        thoughts.open.set()


def test_a_graceful_shutdown_releases_leases_at_once(start):
    clock = OwnClock()  # leases never expire
    one, other = start(clock=clock.server), start(clock=clock.server)
    thoughts = Thoughts(one, other)
    thoughts.open.clear()
    made = one.table("octa", ["me", 1], options={"size": 3})
    with one.socket(made["table"], made["token"]) as ann:
        v = ann.ask("play", 1, ply=0, action=actions_of(ann)[0][0])["v"]
        until(lambda: thoughts.asked)
    with other.socket(made["table"], made["token"]) as ann:
        one.stop()
        until(lambda: len(thoughts.asked) == 2)
        thoughts.open.set()
        assert receive_until(ann, v + 1)["seat"] == 1


def test_orphaned_games_are_divided_among_processes(start):
    first, *others = [start() for _ in range(3)]
    thoughts = Thoughts(first, *others)
    thoughts.open.clear()  # otherwise the next turn would go to any process
    made = [first.table("octa", [1, 1], options={"size": 3})["table"] for _ in range(12)]
    until(lambda: len(thoughts.asked) == len(made))
    first.stop()

    def taken_over():
        return sorted(table for server, table, _ in thoughts.asked if server is not first)

    until(lambda: len(taken_over()) >= len(made))
    assert taken_over() == sorted(made)
    assert sum(server.app.rooms.loaded for server in others) == len(made)
    thoughts.open.set()


def test_one_process_handles_expired_clocks_of_unwatched_games(start):
    clock = OwnClock()
    one, two, three = (start(clock=clock.server, **ONLY_NOTICES) for _ in range(3))
    tables = []
    for _ in range(6):
        made = one.table("octa", ["me", "open"], clock="1m")
        one.claim(made)
        tables.append(made["table"])
    clock.seconds += 61
    others = (two, three)

    async def sweep_both():
        await two.app.rooms.housekeeping.sweep()

    three_sweeps = asyncio.run_coroutine_threadsafe(
        three.app.rooms.housekeeping.sweep(), three.loop
    )
    two.run(sweep_both())
    three_sweeps.result(20)
    assert sum(server.app.rooms.loaded for server in others) <= len(tables)
    for table in tables:
        assert one.get(f"/tables/{table}").json()["status"] == "over"


def test_games_handled_by_another_process_are_not_loaded(start):
    clock = OwnClock()
    one, two = (start(clock=clock.server, **ONLY_NOTICES) for _ in range(2))
    made = one.table("octa", ["me", "open"], clock="1m")
    one.claim(made)
    clock.seconds += 61
    due = two.run(two.app.rooms.store.due(clock.server.now()))
    assert list(due) == [made["table"]]
    one.run(one.app.rooms.housekeeping.sweep())

    async def taken():
        return [table async for table in two.app.rooms.leases.available(due)]

    assert two.run(taken()) == []
