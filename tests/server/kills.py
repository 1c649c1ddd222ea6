"""Kill a server under load and check that no acknowledged move is lost.

    python tests/server/kills.py --rounds 200 --seed 1 --store postgresql

Each round starts a server on the same store, plays at many tables against agents, kills the server
with SIGKILL at a random moment, and compares the acknowledged moves with the log.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import raw_store
from patience import PATIENCE
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from parlour import build_info

TABLES = 6
GAMES = [("octa", 2), ("banqi", 2), ("cat_mouse", 1), ("blokus", 4)]
LOOSE = ["--work", "900000/s", "--tables", "100000/s"]


def start_server(store):
    """Start a server in a subprocess and return it with its URL."""
    environment = {**os.environ, "PARLOUR_SERVE_STORE": store}
    process = subprocess.Popen(
        [sys.executable, "-m", "parlour.cli", "serve", "--port", "0", *LOOSE],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    line = process.stdout.readline()
    assert line, "the server did not start"
    return process, line.split()[-1]


class Player(threading.Thread):
    """Plays at one table and records every ack."""

    def __init__(self, link, number, seed, acknowledged, dead):
        super().__init__(daemon=True)
        self.link, self.number, self.rng = link, number, random.Random(f"{seed}/{number}")
        self.acknowledged, self.dead = acknowledged, dead

    def run(self):
        try:
            while not self.dead.is_set():
                self.play()
        except (WebSocketException, OSError, EOFError, httpx.HTTPError, TimeoutError):
            return

    def play(self):
        game, seats = GAMES[self.number % len(GAMES)]
        wishes = [{"kind": "me"}] + [{"kind": "agent", "level": 1}] * (seats - 1)
        made = httpx.post(
            f"{self.link}/api/v1/tables", json={"game": game, "seats": wishes}, timeout=PATIENCE
        ).json()
        self.acknowledged.append((made["table"], 0, None, None))
        with connect(f"ws{self.link[4:]}/ws/v1", max_size=None, close_timeout=0.1) as socket:
            hello = {"t": "hello", "protocol": 1, "table": made["table"], "token": made["token"]}
            socket.send(json.dumps(hello))
            actions, ply, asked = [], 0, {}
            while True:
                message = json.loads(socket.recv(timeout=PATIENCE))
                if message["t"] == "ack":
                    self.acknowledged.append((made["table"], message["v"], *asked[message["id"]]))
                for part in ("scene", "diff"):
                    actions = message.get(part, {}).get("actions", actions)
                standing = message.get("standing", {})
                ply = standing.get("ply", ply)
                if "ending" in standing:
                    return
                if actions and message["t"] in ("update", "welcome"):
                    action = self.rng.choice(actions)[0]
                    asked[ply] = (ply, action)
                    play = {"t": "play", "id": ply, "ply": ply, "action": action}
                    socket.send(json.dumps(play))
                    actions = []


def play_until_dead(store, point, number):
    """Like `play_until_killed`, with a server that kills itself at a point of a transaction."""
    script = Path(__file__).with_name("dying_server.py")
    process = subprocess.Popen(
        [sys.executable, str(script), point, str(number), store],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    link = process.stdout.readline().split()[-1]
    acknowledged, dead = [], threading.Event()
    players = [Player(link, n, number, acknowledged, dead) for n in range(TABLES)]
    for player in players:
        player.start()
    assert process.wait(PATIENCE) == -signal.SIGKILL
    process.stdout.close()
    dead.set()
    for player in players:
        player.join(PATIENCE)
    return list(acknowledged)


def play_until_killed(store, seed):
    """Return the moves acknowledged before the server was killed: (table, v, ply, action)."""
    rng = random.Random(seed)
    process, link = start_server(store)
    acknowledged, dead = [], threading.Event()
    players = [Player(link, number, seed, acknowledged, dead) for number in range(TABLES)]
    for player in players:
        player.start()
    wanted = rng.randrange(1, 120)
    until = time.monotonic() + PATIENCE
    while len(acknowledged) < wanted and time.monotonic() < until:
        time.sleep(0.002)
    time.sleep(rng.random() * 0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    dead.set()
    for player in players:
        player.join(PATIENCE)
    return list(acknowledged)


def check_log(store, acknowledged):
    """Check that each acknowledged move is logged once, versions are complete and agents resume."""
    tables = {table for table, *_ in acknowledged}
    for table in tables:
        rows = raw_store.execute(
            store, "SELECT v, kind, action, data FROM event WHERE game_id = ? ORDER BY v", (table,)
        )
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1)), "a gap"
        ((v,),) = raw_store.execute(store, "SELECT v FROM game WHERE id = ?", (table,))
        assert v == len(rows), "the game's version is not the log's"
        played = {}
        for _, kind, action, data in rows:
            if kind == "play":
                ply = json.loads(data)["ply"] - 1
                assert ply not in played, "a move twice"
                played[ply] = action
        for _, v, ply, action in (each for each in acknowledged if each[0] == table):
            assert v <= len(rows), "an acknowledged version is missing"
            assert ply is None or played.get(ply) == action, "an acknowledged move is missing"
    process, link = start_server(store)
    try:
        wait_for_agents(link, tables)
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0
        process.stdout.close()


def wait_for_agents(link, tables):
    """Wait until it is a person's turn at every table, or the game is over."""
    until = time.monotonic() + PATIENCE
    for table in tables:
        while True:
            state = httpx.get(f"{link}/api/v1/tables/{table}", timeout=PATIENCE).json()
            actor = state["scene"]["actor"]
            if actor < 0 or state["seats"][actor]["kind"] == "person":
                break
            assert time.monotonic() < until, "an agent did not resume"
            time.sleep(0.01)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--result", type=Path, help="write the outcome there")
    chosen = parser.parse_args()
    total = 0
    with raw_store.temporary(chosen.store) as store:
        for number in range(chosen.rounds):
            acknowledged = play_until_killed(store, chosen.seed * 100_000 + number)
            check_log(store, acknowledged)
            total += len(acknowledged)
            print(f"round {number + 1}: {total} acknowledged, none lost", flush=True)
    if chosen.result is not None:
        words = f"{chosen.rounds} kills, seed {chosen.seed}: {total} acknowledged, none lost"
        chosen.result.write_text(f"{build_info()}\n{words}\n")


if __name__ == "__main__":
    main()
