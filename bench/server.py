"""Durable moves per CPU second of the server, and the time from a play to its ack.

    python bench/server.py                    moves a second, for each game
    python bench/server.py --latency 500      play to ack with 500 tables, a move each 2 s
    python bench/server.py --peer             beside boardgame.io (npm, in memory), in one run

The server runs in a process of its own on loopback; only its CPU time counts, not that of
the players. Every move is validated, stored with `synchronous=FULL`, and told to both seats.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

LOOSE = ["--messages", "100000/s", "--requests", "100000/s", "--tables", "100000/s",
         "--sockets-per-address", "20000", "--sockets", "20000", "--rooms", "20000"]  # fmt: skip
SEATS = {"octa": 2, "banqi": 2, "cat_mouse": 1, "blokus": 4}
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Served:
    """A server, and its link."""

    def __init__(self, folder):
        store = f"sqlite:{Path(folder) / 'bench.sqlite'}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "parlour.cli", "serve", "--port", "0", "--store", store, *LOOSE],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.link = self.process.stdout.readline().split()[-1]

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


class Tally:
    """What the players have seen."""

    def __init__(self):
        self.moves = 0
        self.waits = []
        self.asked = {}


async def player(link, table, token, tally, until, pause, rng):
    """Plays one seat; each move is drawn from those that the server offers."""
    url = f"ws{link[4:]}/ws/v1"
    async with connect(url, subprotocols=["parlour.1"], max_size=None, compression=None) as socket:
        await socket.send(json.dumps({"t": "hello", "table": table, "token": token}))
        actions, ply, asked = [], 0, 0.0
        while time.monotonic() < until:
            try:
                text = await asyncio.wait_for(socket.recv(), 1)
            except TimeoutError:
                continue
            kind = text[:14]
            if '"ack"' in kind:
                tally.moves += 1
                tally.waits.append(time.monotonic() - asked)
                continue
            message = json.loads(text)
            for part in ("scene", "diff"):
                actions = message.get(part, {}).get("actions", actions)
            ply = message.get("ply", ply)
            if "ending" in message:
                return
            if actions and message["t"] in ("event", "welcome"):
                if pause:
                    await asyncio.sleep(rng.random() * 2 * pause)
                action = rng.choice(actions)[0]
                asked = time.monotonic()
                play = {"t": "play", "id": ply, "ply": ply, "action": action}
                await socket.send(json.dumps(play))
                actions = []


async def one_table(client, link, game, tally, until, pause, seed):
    """Games one after another at one table after another."""
    rng = random.Random(seed)
    while time.monotonic() < until:
        seats = [{"kind": "me"}] + [{"kind": "open"}] * (SEATS[game] - 1)
        made = (await client.post("/tables", json={"game": game, "seats": seats})).json()
        tokens = [made["token"]]
        for each in made.get("invitations", []):
            path = f"/tables/{made['table']}/seats/{each['seat']}/claim"
            answer = await client.post(path, json={"claim": each["claim"]})
            tokens.append(answer.json()["token"])
        await asyncio.gather(
            *(
                player(link, made["table"], token, tally, until, pause, random.Random(rng.random()))
                for token in tokens
            )
        )


async def load(link, game, tables, seconds, pause, pid):
    """Moves, and the CPU seconds of the server for them, once all tables are there."""
    tally = Tally()
    until = time.monotonic() + seconds
    limits = httpx.Limits(max_connections=50)
    async with httpx.AsyncClient(base_url=f"{link}/api/v1", timeout=60, limits=limits) as client:
        tasks = [
            asyncio.create_task(one_table(client, link, game, tally, until, pause, n))
            for n in range(tables)
        ]
        await asyncio.sleep(min(seconds / 2, 2 + tables / 40))
        tally.waits.clear()
        moves, before = tally.moves, cpu_seconds(pid)
        await asyncio.gather(*tasks)
        return tally.moves - moves, cpu_seconds(pid) - before, sorted(tally.waits)


def measure(game, tables, seconds, pause=0.0):
    with tempfile.TemporaryDirectory() as folder:
        server = Served(folder)
        try:
            return asyncio.run(load(server.link, game, tables, seconds, pause, server.process.pid))
        finally:
            server.stop()


def percentile(values, share):
    return values[min(len(values) - 1, int(len(values) * share))] * 1000 if values else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--games", nargs="*", default=list(SEATS))
    parser.add_argument("--latency", type=int, metavar="TABLES")
    parser.add_argument("--peer", action="store_true")
    chosen = parser.parse_args()
    if chosen.latency:
        moves, cpu, waits = measure("octa", chosen.latency, max(30, chosen.seconds), pause=2.0)
        print(
            f"octa, {chosen.latency} tables: {moves} moves, {cpu:.1f} CPU s of the server, "
            f"play to ack p50 {percentile(waits, 0.5):.1f} ms, p99 {percentile(waits, 0.99):.1f} ms"
        )
        return
    ours = {}
    for game in chosen.games:
        moves, cpu, waits = measure(game, chosen.tables, chosen.seconds)
        ours[game] = moves / cpu
        print(
            f"{game:10} {moves / cpu:7.0f} durable moves per CPU second "
            f"({moves} moves, p50 {percentile(waits, 0.5):.1f} ms, "
            f"p99 {percentile(waits, 0.99):.1f} ms)",
            flush=True,
        )
    if chosen.peer:
        from peers.boardgame_io import measure_peer

        theirs = measure_peer(chosen.tables, chosen.seconds, cpu_seconds)
        print(f"boardgame.io {theirs:7.0f} moves per CPU second, in memory")
        for game, figure in ours.items():
            print(f"{game:10} {figure / theirs:5.2f}x")


if __name__ == "__main__":
    main()
