"""A real server for tests, in a thread of this process, on a free loopback port."""

import asyncio
import json
import threading
from collections import deque
from contextlib import contextmanager

import httpx
from patience import PATIENCE
from websockets.sync.client import connect

from parlour.server.clock import ServerClock
from parlour.server.http.app import Application
from parlour.server.rates import Rate
from parlour.server.run import bound, server_of
from parlour.server.settings import Settings
from parlour.server.store.stores import store_opener

PROTOCOL = 1


def flat(message):
    """Merge the standing into a message, and split an update into its events.

    The last event of an update carries the standing and the board.
    """
    if message["t"] == "welcome":
        return [{**message["standing"], **message}]
    if message["t"] != "update":
        return [message]
    *first, last = ({**event, "t": "event"} for event in message["events"])
    rest = {name: message[name] for name in ("diff", "scene", "start") if name in message}
    return [*first, {**message["standing"], **rest, **last}]


GENEROUS = Rate(1e6, 1e6)


class OwnClock:
    """A clock that stands still until the test moves it."""

    def __init__(self, seconds=1_700_000_000.0):
        self.seconds = seconds
        self.server = ServerClock(lambda: self.seconds, lambda: self.seconds)


class LiveServer:
    """Starts immediately; `stop` does what SIGTERM does."""

    def __init__(self, store, clock=None, **settings):
        """Use `store`: a path for SQLite, or a text such as `postgresql://...`."""
        settings.setdefault("presence_seconds", 0.01)
        for name in ("work", "tables", "words"):
            settings.setdefault(name, GENEROUS)
        settings.setdefault("port", 0)
        text = store if isinstance(store, str) else f"sqlite:{store}"
        chosen = Settings(store=text, **settings)
        listening = bound(chosen)
        self.port = listening.getsockname()[1]
        self.settings = chosen._replace(port=self.port)
        self.app = Application(store_opener(self.settings.store), self.settings, clock)
        self._server = server_of(self.app)
        self._server.config.timeout_graceful_shutdown = 1
        self.loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(listening,), daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        # Skip the certificates: loading them takes longer than the rest of the start.
        self.http = httpx.Client(base_url=f"{self.url}/api/v1", timeout=PATIENCE, verify=False)

    def _run(self, listening):
        async def serve():
            running = asyncio.create_task(self._server.serve(sockets=[listening]))
            while not self._server.started and not running.done():
                await asyncio.sleep(0.005)
            self._ready.set()
            await running

        self.loop.run_until_complete(serve())
        self.loop.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def run(self, work):
        """Run a coroutine in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def stop(self):
        if self._thread.is_alive():
            self.run(self.app.drain())
            self._server.should_exit = True
            self._thread.join(PATIENCE)
        self.http.close()

    # Common operations.

    def post(self, path, body=None, token="", key="", **more):
        headers = dict(more.pop("headers", {}))
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        self.http.cookies.clear()
        return self.http.post(path, json=body, headers=headers, **more)

    def get(self, path, token="", **more):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http.cookies.clear()
        return self.http.get(path, headers=headers, **more)

    def table(self, game="octa", seats=("me", "open"), **more):
        """Create a table; seats are `me`, `open`, or a level."""
        wishes = [
            {"kind": each} if isinstance(each, str) else {"kind": "agent", "level": each}
            for each in seats
        ]
        answer = self.post("/tables", {"game": game, "seats": wishes, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def claim(self, made, number=0, name="Bob", key="", **more):
        """Claim a seat by invitation and return the token."""
        invitation = made["invitations"][number]
        seat = invitation["seat"]
        body = {"claim": invitation["claim"], "name": name, **more}
        answer = self.post(f"/tables/{made['table']}/seats/{seat}/claim", body, key=key)
        assert answer.status_code == 200, answer.text
        return answer.json()["token"]

    @contextmanager
    def socket(self, table="", token="", hello=True, **more):
        """Open a connection and say hello; `welcome` is the first response."""
        headers = more.pop("headers", None)
        subprotocols = more.pop("subprotocols", ["parlour.1"])
        url = f"ws://127.0.0.1:{self.port}/ws/v1"
        with connect(
            url,
            subprotocols=subprotocols,
            additional_headers=headers,
            open_timeout=PATIENCE,
            max_size=None,
            max_queue=None,  # with a bound, unread messages delay the close by its timeout
        ) as raw:
            socket = Socket(raw)
            if hello:
                socket.send({"t": "hello", "table": table, "token": token, **more})
                socket.welcome = socket.receive("welcome", "error", "tables")
            yield socket


class Socket:
    """A client that records all received messages in order, event by event."""

    def __init__(self, raw):
        self.raw = raw
        self.received = []
        self.bytes = []
        self.welcome = None
        self._waiting = deque()

    def send(self, message):
        if isinstance(message, dict) and message["t"] == "hello":
            message = {"protocol": PROTOCOL, **message}
        self.raw.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def next(self, seconds=PATIENCE):
        if not self._waiting:
            text = self.raw.recv(timeout=seconds)
            self._waiting.extend((message, text) for message in flat(json.loads(text)))
        message, text = self._waiting.popleft()
        self.bytes.append(text)
        self.received.append(message)
        return message

    def receive(self, *kinds, seconds=PATIENCE):
        """Return the next message of one of these types, skipping others."""
        while True:
            message = self.next(seconds)
            if message["t"] in kinds:
                return message

    def ask(self, kind, id, **more):
        """Send a request and return its ack or error."""
        self.send({"t": kind, "id": id, **more})
        while True:
            answer = self.receive("ack", "error")
            if answer.get("id") == id:
                return answer

    def events(self):
        return [message for message in self.received if message["t"] == "event"]
