"""Server load: latency and cost of many tables, sockets, spectators and agents.

    python bench/load.py latency --tables 32 500 2000     play to ack
    python bench/load.py idle --sockets 5000              memory of an idle socket
    python bench/load.py spectators --sockets 1000        many spectators of one game
    python bench/load.py restart --games 10000            live games after a restart
    python bench/load.py agents --games 100               people next to games of agents

Each takes `--store sqlite|postgresql` and `--workers N`. Players, spectators and the server share
the machine: give it two idle cores, and read the figures together with the CPU seconds.
"""

import argparse
import asyncio
import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

from crowd import AT_ONCE, SEATS, Tally, client_of, new_table, play, socket_to
from served import Served, descriptors, resident, store_of

PROBES = 8
"""Tables whose players are measured; all others are background load."""
PROBES_PAUSE = 0.25
"""Measured players move fast, to get enough samples in half a minute."""
SETTLE = 3.0
MOVES = 2
"""The moves in each game before the restart."""


def percentile(values, share):
    """Return a percentile in milliseconds."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] * 1000 if values else 0.0


def spread(values):
    return (
        f"p50 {percentile(values, 0.5):.1f} ms, p99 {percentile(values, 0.99):.1f} ms, "
        f"longest {percentile(values, 1):.0f} ms"
    )


class Crowd:
    """Background players in a separate process."""

    def __init__(self, link, tables, pause, seconds):
        wishes = {"--tables": tables, "--pause": pause, "--seconds": seconds}
        options = [str(each) for wish in wishes.items() for each in wish]
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).parent / "crowd.py"), link, *options],
            stdout=subprocess.PIPE,
            text=True,
        )
        if self.process.stdout.readline() != "ready\n":
            sys.exit("the background players could not create their tables")

    def stop(self):
        self.process.kill()
        self.process.wait()


def probed(link, seconds, tables=PROBES):
    """Return the latencies of acks."""
    tally = Tally()
    asyncio.run(play(link, "octa", tables, tally, seconds, PROBES_PAUSE, seeds=10**6))
    return tally.waits


def latency(store, chosen):
    for tables in chosen.tables:
        with store_of(store) as text:
            server = Served(text, *chosen.options)
            wait = 60 + tables / 20
            crowd = Crowd(server.link, tables - PROBES, chosen.pause, wait + chosen.seconds)
            try:
                time.sleep(SETTLE)
                before, began = server.cpu_seconds(), time.monotonic()
                waits = probed(server.link, chosen.seconds)
                cores = (server.cpu_seconds() - before) / (time.monotonic() - began)
            finally:
                crowd.stop()
                server.stop()
        print(
            f"{tables} tables, a move every {chosen.pause:g} s at each: {spread(waits)} "
            f"({len(waits)} moves measured, {cores:.2f} cores of the server)",
            flush=True,
        )


async def _seated(client, link, table, token):
    socket = await socket_to(link)
    await socket.send(json.dumps({"t": "hello", "protocol": 1, "table": table, "token": token}))
    assert json.loads(await socket.recv())["t"] == "welcome"
    return socket


def idle(store, chosen):
    wanted = chosen.sockets
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit < wanted + 200:
        sys.exit(f"the limit of open files is {limit}: run 'ulimit -n {wanted + 1000}' first")
    with store_of(store) as text:
        server = Served(text, *chosen.options)
        assert descriptors(server.process.pid) > wanted + 200
        try:
            asyncio.run(_idle(server, wanted))
        finally:
            server.stop()


async def _idle(server, wanted):
    """Open sockets: half of them watch one game, half hold the seats of their own games."""
    async with client_of(server.link) as client:
        one, tokens = await new_table(client, "octa")
        pids = server.pids
        opened = [await _seated(client, server.link, one, tokens[0])]
        for what in ("watching one game", "with a seat, two at a table"):
            before = sum(map(resident, pids))
            places = []
            while len(places) < wanted // 2:
                if what.startswith("with"):
                    table, tokens = await new_table(client, "octa")
                    places += [(table, token) for token in tokens]
                else:
                    places.append((one, ""))
            for at in range(0, len(places), AT_ONCE):
                group = places[at : at + AT_ONCE]
                opened += await asyncio.gather(
                    *(_seated(client, server.link, *place) for place in group)
                )
            await asyncio.sleep(SETTLE)
            each = (sum(map(resident, pids)) - before) / len(places)
            print(f"{len(places)} sockets {what}: {each / 1024:.1f} KB each", flush=True)
        print(f"{len(opened)} sockets open, {sum(map(resident, pids)) / 2**20:.0f} MB in all")
        for at in range(0, len(opened), 200):
            await asyncio.gather(*(socket.close() for socket in opened[at : at + 200]))


def spectators(store, chosen):
    with store_of(store) as text:
        server = Served(text, *chosen.options)
        try:
            asyncio.run(_spectators(server, chosen.sockets))
        finally:
            server.stop()


async def _spectators(server, wanted):
    told, moves = {}, 30

    async def watch(socket):
        async for text in socket:
            message = json.loads(text)
            if message["t"] == "update" and "diff" in message:
                told.setdefault(message["standing"]["v"], []).append(time.monotonic())

    async with client_of(server.link) as client:
        table, tokens = await new_table(client, "octa")
        watchers = []
        for at in range(0, wanted, AT_ONCE):
            group = range(at, min(wanted, at + AT_ONCE))
            watchers += await asyncio.gather(
                *(_seated(client, server.link, table, "") for _ in group)
            )
        tasks = [asyncio.create_task(watch(socket)) for socket in watchers]
        await asyncio.sleep(SETTLE)
        before, rng, acks, last = server.cpu_seconds(), random.Random(1), [], []
        for _ in range(moves):
            shown = (await client.get(f"/tables/{table}")).json()
            bearer = {"Authorization": f"Bearer {tokens[shown['scene']['actor']]}"}
            seen = (await client.get(f"/tables/{table}", headers=bearer)).json()
            action = rng.choice(seen["scene"]["actions"])[0]
            began = time.monotonic()
            answer = await client.post(
                f"/tables/{table}/actions",
                json={"ply": seen["ply"], "action": action},
                headers={**bearer, "Idempotency-Key": f"{rng.getrandbits(128):032x}"},
            )
            acks.append(time.monotonic() - began)
            assert answer.status_code == 200, answer.text
            v = answer.json()["v"]
            while len(told.get(v, ())) < wanted:
                await asyncio.sleep(0.005)
            last.append(max(told[v]) - began)
        used = (server.cpu_seconds() - before) / moves
        print(
            f"{wanted} spectators of one game: ack {spread(acks)}; the last of them has a move "
            f"after p50 {percentile(last, 0.5):.0f} ms, p99 {percentile(last, 0.99):.0f} ms; "
            f"{used * 1000:.1f} ms of CPU a move"
        )
        for task in tasks:
            task.cancel()
        for at in range(0, len(watchers), 200):
            await asyncio.gather(*(socket.close() for socket in watchers[at : at + 200]))


def restart(store, chosen):
    with store_of(store) as text:
        server = Served(text, *chosen.options)
        try:
            tables = asyncio.run(_fill(server.link, chosen.games))
        finally:
            server.stop()
        server = Served(text, *chosen.options)
        try:
            asyncio.run(_read(server, tables))
        finally:
            server.stop()


async def _fill(link, games):
    """Create live games with two moves each."""
    made, rng = [], random.Random(2)

    async def one():
        table, tokens = await new_table(client, "octa")
        for _ in range(MOVES):
            seen = {}
            for token in tokens:
                bearer = {"Authorization": f"Bearer {token}"}
                seen = (await client.get(f"/tables/{table}", headers=bearer)).json()
                if seen["scene"].get("actions"):
                    break
            action = rng.choice(seen["scene"]["actions"])[0]
            key = f"{rng.getrandbits(128):032x}"
            answer = await client.post(
                f"/tables/{table}/actions",
                json={"ply": seen["ply"], "action": action},
                headers={**bearer, "Idempotency-Key": key},
            )
            assert answer.status_code == 200, answer.text
        made.append(table)

    async with client_of(link) as client:
        for at in range(0, games, AT_ONCE):
            await asyncio.gather(*(one() for _ in range(min(AT_ONCE, games - at))))
    return made


async def _read(server, tables):
    random.Random(3).shuffle(tables)
    waits = []

    async def one(table):
        began = time.monotonic()
        answer = await client.get(f"/tables/{table}")
        waits.append(time.monotonic() - began)
        assert answer.json().get("ply") == MOVES, answer.text

    began = time.monotonic()
    async with client_of(server.link) as client:
        await one(tables[0])
        first = server.seconds + time.monotonic() - began
        for at in range(1, len(tables), AT_ONCE):
            await asyncio.gather(*(one(table) for table in tables[at : at + AT_ONCE]))
    passed = time.monotonic() - began
    print(
        f"{len(tables)} live games after a restart: the first is read {first:.2f} s after the "
        f"start of the process, all of them {server.seconds + passed:.1f} s after it "
        f"({len(tables) / passed:.0f} a second, {AT_ONCE} at a time, each {spread(waits)})"
    )


def agents(store, chosen):
    with store_of(store) as text:
        server = Served(text, *chosen.options)
        try:
            alone = probed(server.link, chosen.seconds, 32)
            print(f"32 tables of people alone: {spread(alone)}", flush=True)
            asyncio.run(_agents(server.link, chosen.games))
            beside = probed(server.link, chosen.seconds, 32)
            print(f"beside {chosen.games} games of agents (level 3): {spread(beside)}")
        finally:
            server.stop()


async def _agents(link, games):
    async with client_of(link) as client:
        for n in range(games):
            game = sorted(SEATS)[n % len(SEATS)]
            seats = [{"kind": "agent", "level": 3}] * SEATS[game]
            answer = await client.post("/tables", json={"game": game, "seats": seats})
            assert answer.status_code == 201, answer.text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    scenes = {each.__name__: each for each in (latency, idle, spectators, restart, agents)}
    parser.add_argument("scene", choices=scenes)
    parser.add_argument("--tables", type=int, nargs="+", default=[32, 500, 2000])
    parser.add_argument("--sockets", type=int, default=0)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--pause", type=float, default=2.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--workers", type=int, default=1)
    chosen = parser.parse_args()
    chosen.sockets = chosen.sockets or {"idle": 5000}.get(chosen.scene, 1000)
    chosen.games = chosen.games or {"restart": 10_000}.get(chosen.scene, 100)
    chosen.options = ["--workers", str(chosen.workers)] if chosen.workers > 1 else []
    scenes[chosen.scene](chosen.store, chosen)


if __name__ == "__main__":
    main()
