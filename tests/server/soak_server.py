"""Soak test: play on a server for a long time and check that its resource use is stable.

    python tests/server/soak_server.py --minutes 10 --result bench/results/soak.txt
    python tests/server/soak_server.py --minutes 10 --store postgresql://... --workers 2

People and agents play whole games through a real `parlour serve`. Connections come, go and return,
spectators watch, guests wait in the lobby, and tables are resigned, exported and created again.
Memory, descriptors, threads and the server's own metrics are sampled every few seconds. After a
warm-up nothing may grow: the growth of each value (the median slope between any two samples,
which is robust against single peaks, times the duration) must stay below its bound. Otherwise the
exit status is 1. At the end, no connection may be left.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import httpx
from random_player import actions_after
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from parlour import build_info

GAMES = [("octa", 2, {}), ("banqi", 2, {}), ("cat_mouse", 1, {}), ("octa", 2, {"size": 2})]
LOOSE = "100000/s,100000"
OPTIONS = [
    *(f"--{name}={LOOSE}" for name in ("work", "tables", "agent-budget", "words")),
    "--sockets-per-address=10000",
    "--rooms=60",  # small, so that games are unloaded soon
    "--slow=30",
]
PROGRAM = [sys.executable, "-m", "parlour.cli"]
WARM_UP = 0.3
"""Fraction of the time that is ignored as warm-up, while caches fill and code is loaded."""
PAUSE = 0.02
"""Average thinking time of a person in seconds."""
LEFT = {"sockets": 0, "guests": 0}
"""Expected metrics after all connections have closed."""


class Sample(NamedTuple):
    """Resource use of a server at one moment."""

    at: float
    memory: float
    """MiB of the serving processes."""
    descriptors: float
    threads: float
    processes: float
    """Including agent processes."""
    rooms: float
    sockets: float
    guests: float
    waiting: float


BOUNDS = {
    "memory": 4.0,
    "descriptors": 8.0,
    "threads": 2.0,
    "processes": 1.0,
    "rooms": 12.0,
    "sockets": 12.0,
    "guests": 6.0,
    "waiting": 6.0,
}
"""Maximum growth after the warm-up, independent of its length: a real leak exceeds any bound."""


def growth(samples, name):
    """Return the growth over these samples: the median slope times the duration."""
    slopes = [
        (getattr(b, name) - getattr(a, name)) / (b.at - a.at) for a, b in combinations(samples, 2)
    ]
    return statistics.median(slopes) * (samples[-1].at - samples[0].at)


def after_warm_up(samples):
    begin, end = samples[0].at, samples[-1].at
    return [each for each in samples if each.at >= begin + WARM_UP * (end - begin)]


def leaks(samples, bounds):
    """Describe the values that have grown beyond their bounds."""
    kept = after_warm_up(samples)
    return [
        f"{name} grew by {found:.1f}, which is more than {bound:g}"
        for name, bound in bounds.items()
        if (found := growth(kept, name)) > bound
    ]


# The server.


def family(pid):
    """Return a process and all its descendants."""
    found, wanted = [], [pid]
    while wanted:
        one = wanted.pop()
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{one}/task").iterdir():
                wanted += map(int, (task / "children").read_text().split())
            found.append(one)
    return found


def serves(pid, first):
    """Whether a process serves requests: the first one, or a worker."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
        return pid == first or b"parlour.server.cluster.worker" in words
    return False


class Server:
    """A server in a subprocess."""

    def __init__(self, store, workers=1, program=PROGRAM, log=None):
        more = [f"--workers={workers}"] if workers > 1 else []
        self.process = subprocess.Popen(
            [*program, "serve", "--port=0", *OPTIONS, *more],
            env={**os.environ, "PARLOUR_SERVE_STORE": store},
            stdout=subprocess.PIPE,
            stderr=log or subprocess.DEVNULL,
            text=True,
        )
        line = self.process.stdout.readline()
        assert line, "the server did not start"
        self.link = line.split()[-1]
        self._began = time.monotonic()

    def figures(self):
        text = httpx.get(f"{self.link}/metrics", timeout=60).text
        found = re.findall(r"^parlour_(\w+) ([\d.e+-]+)$", text, re.MULTILINE)
        return {name: float(value) for name, value in found}

    def sample(self):
        memory = descriptors = threads = 0
        pids = family(self.process.pid)
        for pid in pids:
            if serves(pid, self.process.pid):
                with contextlib.suppress(OSError):
                    status = Path(f"/proc/{pid}/status").read_text()
                    memory += int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
                    threads += int(re.search(r"Threads:\s+(\d+)", status)[1])
                    descriptors += len(os.listdir(f"/proc/{pid}/fd"))
        metrics = self.figures()
        return Sample(
            time.monotonic() - self._began,
            memory,
            descriptors,
            threads,
            len(pids),
            metrics["rooms"],
            metrics["sockets"],
            metrics["lobby_guests"],
            metrics["agents_waiting"],
        )

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        self.process.stdout.close()
        return status


# The players.


class People:
    """All clients of the server, and counters of their actions."""

    def __init__(self, link, seed, players):
        self.link = link
        self.rng = random.Random(seed)
        self.players = players
        self.games = self.moves = self.comings = self.errors = 0
        self._http = httpx.AsyncClient(base_url=f"{link}/api/v1", timeout=60)
        self._tables = []

    async def play(self, seconds, is_enough):
        """Play for some seconds or until `is_enough`, then disconnect all."""
        work = [self._table(number) for number in range(self.players)]
        work += [self._spectator() for _ in range(self.players // 3)]
        work += [self._guest() for _ in range(self.players // 6)]
        tasks = [asyncio.create_task(each) for each in work]
        until, done = time.monotonic() + seconds, set()
        while not done and time.monotonic() < until and not is_enough(self):
            done, _ = await asyncio.wait(tasks, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._http.aclose()
        with warnings.catch_warnings():
            # A connection that was being opened when its task was cancelled has no owner.
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()
        for task in done:
            task.result()

    async def _table(self, number):
        while True:
            await self._game(*GAMES[number % len(GAMES)], with_agent=number % 3 == 0)
            self.games += 1

    async def _post(self, path, body):
        answer = await self._http.post(path, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    async def _game(self, game, seats, options, with_agent):
        other = {"kind": "agent", "level": 1} if with_agent else {"kind": "open"}
        wishes = [{"kind": "me"}] + [other] * (seats - 1)
        visibility = self.rng.choice(["link", "listed"])
        wish = {"game": game, "options": options, "seats": wishes, "visibility": visibility}
        answer = await self._http.post("/tables", json=wish)
        if answer.status_code == 429:  # an address may have 10 listed tables
            answer = await self._http.post("/tables", json={**wish, "visibility": "link"})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        table, tokens = made["table"], [made["token"]]
        for each in made.get("invitations", []):
            path = f"/tables/{table}/seats/{each['seat']}/claim"
            tokens.append(
                (await self._post(path, {"claim": each["claim"], "name": "Bob"}))["token"]
            )
        self._tables = [*self._tables[-50:], table]
        if self.rng.random() < 0.05:
            return  # the seat stays open
        async with asyncio.TaskGroup() as group:
            for token in tokens:
                group.create_task(self._seat(table, token))
        if self.rng.random() < 0.3:
            await self._http.get(f"/tables/{table}/record")
            await self._http.get(f"/tables/{table}/picture")

    async def _seat(self, table, token):
        """Play a seat to the end of the game, reconnecting when the connection is lost."""
        v, sent, most = None, 0, self.rng.randrange(20, 160)
        while True:
            self.comings += 1
            async with self._socket() as socket:
                await self._say(socket, t="hello", protocol=1, table=table, token=token, v=v)
                actions, ply = [], 0
                stays = self.rng.expovariate(1 / 40)
                while stays > 0:
                    message = json.loads(await socket.recv())
                    standing = message.get("standing", {})
                    v = standing.get("v", message.get("v", v))
                    if "ending" in standing:
                        return
                    if message["t"] == "error":
                        # The position may have changed: clocks, consent and agents can be faster.
                        assert message["code"] in ("stale", "not_your_turn", "over"), message
                        self.errors += 1
                        break
                    if message["t"] in ("welcome", "update"):
                        ply, actions = standing["ply"], actions_after(message, actions)
                    if not actions or message["t"] not in ("welcome", "update"):
                        continue
                    stays -= 1
                    sent += 1
                    self.moves += 1
                    await asyncio.sleep(self.rng.expovariate(1 / PAUSE))
                    if sent > most:
                        await self._say(socket, t="resign", id=f"r{sent}")
                        sent = 0
                        continue
                    action = self.rng.choice(actions)[0]
                    actions = []
                    await self._say(socket, t="play", id=f"{ply}-{sent}", ply=ply, action=action)
                v = v if self.rng.random() < 0.7 else None

    async def _say(self, socket, **message):
        await socket.send(json.dumps(message))

    @contextlib.asynccontextmanager
    async def _socket(self):
        url = f"ws{self.link[4:]}/ws/v1"
        async with connect(url, max_size=None, close_timeout=1, open_timeout=60) as socket:
            try:
                yield socket
            finally:
                if self.rng.random() < 0.3:
                    socket.transport.abort()  # like a phone that loses its network

    async def _spectator(self):
        while True:
            await asyncio.sleep(self.rng.expovariate(5))
            if not self._tables:
                continue
            self.comings += 1
            with contextlib.suppress(TimeoutError, WebSocketException):
                async with self._socket() as socket, asyncio.timeout(self.rng.expovariate(1)):
                    await self._say(
                        socket, t="hello", protocol=1, table=self.rng.choice(self._tables)
                    )
                    while True:
                        await socket.recv()

    async def _guest(self):
        while True:
            self.comings += 1
            with contextlib.suppress(TimeoutError, WebSocketException):
                async with self._socket() as socket, asyncio.timeout(self.rng.expovariate(1)):
                    await self._say(socket, t="hello", protocol=1, lobby=True)
                    while True:
                        await socket.recv()


class Outcome(NamedTuple):
    """Result of a soak test."""

    samples: list[Sample]
    wrong: list[str]
    words: str


def never(people):
    """Return false: play until the time is over."""
    return False


async def soak(server, seconds, *, players=24, seed=1, bounds=None, every=3.0, is_enough=never):
    """Run the soak test and return its result."""
    people, samples = People(server.link, seed, players), []

    async def measure():
        while True:
            samples.append(await asyncio.to_thread(server.sample))
            await asyncio.sleep(every)

    measuring = asyncio.create_task(measure())
    try:
        await people.play(seconds, is_enough)
    finally:
        measuring.cancel()
        await asyncio.gather(measuring, return_exceptions=True)
    wrong = leaks(samples, bounds or BOUNDS)
    wrong += await asyncio.to_thread(still_there, server)
    kept = after_warm_up(samples)
    lines = [
        f"{people.games} games, {people.moves} moves, {people.comings} sockets, "
        f"{people.errors} refused, {len(samples)} samples in {samples[-1].at:.0f} seconds",
        f"{'after the warm-up':<18} {'first':>8} {'last':>8} {'growth':>8} {'bound':>8}",
    ]
    for name, bound in (bounds or BOUNDS).items():
        first, last = getattr(kept[0], name), getattr(kept[-1], name)
        lines.append(
            f"{name:<18} {first:>8.1f} {last:>8.1f} {growth(kept, name):>8.1f} {bound:>8.1f}"
        )
    return Outcome(samples, wrong, "\n".join(lines))


def still_there(server, seconds=30):
    """Describe the connections that are left at the end."""
    until = time.monotonic() + seconds
    while True:
        sample = server.sample()
        left = [
            f"{getattr(sample, name):.0f} {name} are left after all clients disconnected"
            for name, wanted in LEFT.items()
            if getattr(sample, name) != wanted
        ]
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--store", default="", help="sqlite:PATH or postgresql://...; a new file")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--players", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--result", type=Path, help="write the outcome there")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(chosen.store or f"sqlite:{folder}/server.sqlite", chosen.workers)
        try:
            work = soak(server, chosen.minutes * 60, players=chosen.players, seed=chosen.seed)
            outcome = asyncio.run(work)
        finally:
            status = server.stop()
    wrong = [*outcome.wrong, *([f"it ended with status {status}"] if status else [])]
    kind = chosen.store.partition(":")[0] or "sqlite"
    verdict = "\n".join(wrong) if wrong else "flat"
    words = f"{kind}, {chosen.workers} workers, seed {chosen.seed}\n{outcome.words}\n{verdict}\n"
    print(words, end="")
    if chosen.result is not None:
        chosen.result.write_text(f"{build_info()}\n{words}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
