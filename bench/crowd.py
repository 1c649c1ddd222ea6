"""Load generator for a server: players that choose random legal actions.

    python bench/crowd.py LINK --game octa --tables 500 --pause 2 --seconds 30

As a separate process it prints one line when all its tables are ready. Measure latency with a few
tables of your own, so that the slowness of the crowd does not count as the server's.
"""

import argparse
import asyncio
import json
import random
import time
from http.cookiejar import DefaultCookiePolicy

import httpx
from websockets.asyncio.client import connect

SEATS = {"octa": 2, "banqi": 2, "cat_mouse": 1, "blokus": 4}
AT_ONCE = 30
"""Connections of each kind opened at the same time; a server allows an address 100 for HTTP."""


class Tally:
    """Statistics of the players."""

    def __init__(self):
        self.moves = 0
        self.waits = []
        self.seated = 0


def socket_to(link):
    """Return a connection that is not opened yet."""
    url = f"ws{link[4:]}/ws/v1"
    return connect(
        url, subprotocols=["parlour.1"], max_size=None, compression=None,
        open_timeout=60, ping_interval=None,
    )  # fmt: skip


async def player(link, table, token, tally, until, pause, rng):
    """Play one seat to the end of the game, or until the time is up."""
    async with socket_to(link) as socket:
        await socket.send(json.dumps({"t": "hello", "protocol": 1, "table": table, "token": token}))
        actions, ply, asked = [], 0, 0.0
        while (left := until - time.monotonic()) > 0:
            try:
                text = await asyncio.wait_for(socket.recv(), left)
            except TimeoutError:
                return
            if '"ack"' in text[:14]:
                tally.moves += 1
                tally.waits.append(time.monotonic() - asked)
                continue
            message = json.loads(text)
            for part in ("scene", "diff"):
                actions = message.get(part, {}).get("actions", actions)
            standing = message.get("standing", {})
            ply = standing.get("ply", ply)
            if message["t"] == "welcome":
                tally.seated += 1
            if "ending" in standing:
                return
            if actions and message["t"] in ("update", "welcome"):
                if pause:
                    await asyncio.sleep(rng.random() * 2 * pause)
                action = rng.choice(actions)[0]
                asked = time.monotonic()
                play = {"t": "play", "id": ply, "ply": ply, "action": action}
                await socket.send(json.dumps(play))
                actions = []


async def new_table(client, game):
    """Create a table with a person on every seat; return its name and their tokens."""
    seats = [{"kind": "me"}] + [{"kind": "open"}] * (SEATS[game] - 1)
    made = (await client.post("/tables", json={"game": game, "seats": seats})).json()
    tokens = [made["token"]]
    for each in made.get("invitations", []):
        path = f"/tables/{made['table']}/seats/{each['seat']}/claim"
        answer = await client.post(path, json={"claim": each["claim"]})
        tokens.append(answer.json()["token"])
    return made["table"], tokens


async def one_table(client, link, game, tally, until, pause, seed):
    """Play games one after another, each at a new table."""
    rng = random.Random(seed)
    while time.monotonic() < until:
        table, tokens = await new_table(client, game)
        await asyncio.gather(
            *(
                player(link, table, token, tally, until, pause, random.Random(rng.random()))
                for token in tokens
            )
        )


def client_of(link):
    """Return a client without cookies, because it acts for many people."""
    limits = httpx.Limits(max_connections=AT_ONCE)
    client = httpx.AsyncClient(base_url=f"{link}/api/v1", timeout=120, limits=limits)
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


async def play(link, game, tables, tally, seconds, pause, seeds=0):
    """Play at all tables until the time is up."""
    until = time.monotonic() + seconds
    async with client_of(link) as client:
        tasks = []
        for n in range(tables):
            work = one_table(client, link, game, tally, until, pause, seeds + n)
            tasks.append(asyncio.create_task(work))
            if n % AT_ONCE == AT_ONCE - 1:
                # Wait, because simultaneous connects are not measured.
                wanted = (n + 1 - AT_ONCE) * SEATS[game]
                while tally.seated < wanted and time.monotonic() < until:
                    await asyncio.sleep(0.02)
        await asyncio.gather(*tasks)


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("link")
    parser.add_argument("--game", default="octa")
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--pause", type=float, default=2.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    chosen = parser.parse_args()
    tally = Tally()

    async def say_ready():
        while tally.seated < chosen.tables * SEATS[chosen.game]:
            await asyncio.sleep(0.05)
        print("ready", flush=True)

    saying = asyncio.create_task(say_ready())
    await play(chosen.link, chosen.game, chosen.tables, tally, chosen.seconds, chosen.pause)
    saying.cancel()
    print(tally.moves, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
