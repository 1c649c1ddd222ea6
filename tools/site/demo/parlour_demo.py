"""Parlour's server inside a browser's worker: the same application, without sockets and threads.

The page's own modules speak to it as to any server. What is different is what a browser does not
have: games are kept in memory, agents think in this thread, and requests come from `worker.js`
instead of a network. It runs outside of a browser too, where it is tested.
"""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from parlour.agents.registry import agent
from parlour.protocol import SOCKET, SUBPROTOCOL
from parlour.server.http.app import Application
from parlour.server.limits import Rate
from parlour.server.live.pool import AgentPool
from parlour.server.settings import Settings
from parlour.server.store import statements
from parlour.server.store.sql_store import SqlStore, new_process
from parlour.server.store.sqlite import migrate
from parlour.server.store.statements import SqlConnection
from parlour.server.store.store import Change, Notification
from parlour.server.store.writer import Job, Outcomes, execute_all

T = TypeVar("T")

HOST = "127.0.0.1"
LEVELS = 4
"""The strongest that is offered: interpreted in a browser, others would think for too long."""
FREELY = Rate(1e6, 1e6)
BREATH = 0.01
"""Seconds in which what was said is shown before an agent keeps the thread for itself."""


class MemoryStore(SqlStore):
    """Games in memory, written and read at once."""

    IS_SHARED = False

    def __init__(self, now: Callable[[], int]) -> None:
        """Make the tables; `now` gives milliseconds since 1970."""
        self.id, self._started = new_process(), now()
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        migrate(self._connection, Path(":memory:"))
        statements.make_secret(self._connection)
        statements.beat(self._connection, self.id, self._started, self._started)

    async def commit(self, change: Change) -> None:
        """Keep what happened."""
        await self._execute(lambda connection: statements.apply(connection, change))

    async def _execute(
        self,
        work: Callable[[SqlConnection], T],
        game: str = "",
        announces: tuple[tuple[str, int], ...] = (),
    ) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        ((_, result),) = self._write([Job(future, game, work=work)])
        if isinstance(result, Exception):
            raise result
        found: T = result
        return found

    def _write(self, batch: list[Job]) -> Outcomes:
        self._connection.execute("BEGIN")
        try:
            return execute_all(self._connection, batch)
        finally:
            self._connection.execute("COMMIT")

    async def _query(self, work: Callable[[SqlConnection], T], in_snapshot: bool = False) -> T:
        return self._read(work, in_snapshot)

    def _read(self, work: Callable[[SqlConnection], T], in_snapshot: bool) -> T:
        return work(self._connection)

    def listen(self, received: Callable[[Notification], None]) -> None:
        """Do nothing: no other process uses the store."""

    def watch(self, stored: Callable[[int, float], object]) -> None:
        """Do nothing: transactions are not measured."""

    async def close(self) -> None:
        """Close the connection."""
        self._close_connections()

    def _close_connections(self) -> None:
        self._connection.close()


class Thinker(AgentPool):
    """Agents that think in this thread, one after another."""

    def start(self) -> None:
        """There is no process to start."""

    async def _submit(
        self, table: str, waits: bool, ask: Callable[[Any], Any], processes: int = 1
    ) -> Any:
        await asyncio.sleep(BREATH)
        return ask(self)

    def agent(self, text: str) -> Any:
        """An agent, as a process of agents would give it."""
        return agent(text)


class Demo:
    """The server, for one visitor."""

    def __init__(self) -> None:
        """Nothing runs before `start`."""
        rates = dict.fromkeys(("messages", "requests", "tables", "analyses", "words"), FREELY)
        settings = Settings(host=HOST, port=80, chat=False, slow=3600.0, **rates).checked()
        self.app = Application(lambda clock: MemoryStore(clock.now), settings)
        self._cookies: dict[str, str] = {}
        self._sockets: dict[int, asyncio.Queue[dict[str, Any]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin; it goes on until `stop`, or until the page is left."""
        self._lifespan: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        begun = asyncio.Event()

        async def send(message: dict[str, Any]) -> None:
            begun.set()

        self._spawn(self.app({"type": "lifespan"}, self._lifespan.get, send))
        self._lifespan.put_nowait({"type": "lifespan.startup"})
        await begun.wait()
        rooms = self.app.rooms
        await rooms.pool.close()
        rooms.pool = Thinker(rooms.settings, rooms.clock.seconds, rooms.metrics)

    async def stop(self) -> None:
        """End everything."""
        for number in [*self._sockets]:
            self.close(number)
        self._lifespan.put_nowait({"type": "lifespan.shutdown"})
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _scope(self, kind: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
        """What a request brings; the cookies are kept here, since no browser sees them."""
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        own = {"host": HOST, "origin": f"http://{HOST}", "cookie": cookies}
        path, _, query = path.partition("?")
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws" if kind == "websocket" else "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in (headers | own).items()],
            "client": (HOST, 1),
            "server": (HOST, 80),
        }

    async def request(
        self, method: str, path: str, headers: dict[str, str], body: str
    ) -> tuple[int, str, bytes]:
        """What HTTP would answer: status, type of content, and content."""
        came: list[dict[str, Any]] = [{"type": "http.request", "body": body.encode()}]
        status, kind, parts = 500, "", []

        async def receive() -> dict[str, Any]:
            return came.pop() if came else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            nonlocal status, kind
            if message["type"] == "http.response.start":
                status = message["status"]
                for name, value in message["headers"]:
                    if name.lower() == b"set-cookie":
                        key, _, rest = value.decode().partition("=")
                        self._cookies[key] = rest.partition(";")[0]
                    elif name.lower() == b"content-type":
                        kind = value.decode()
            else:
                parts.append(message.get("body", b""))

        scope = self._scope("http", path, {name.lower(): value for name, value in headers.items()})
        await self.app({**scope, "method": method}, receive, send)
        content = b"".join(parts)
        return status, kind, with_few_levels(content) if path.endswith("/games") else content

    def open(
        self, number: int, said: Callable[[str], object], closed: Callable[[int], object]
    ) -> None:
        """Open a socket, whose messages and end are told."""
        queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._sockets[number] = queue
        queue.put_nowait({"type": "websocket.connect"})

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "websocket.send":
                said(message["text"])
            elif message["type"] == "websocket.close":
                closed(message["code"])

        scope = self._scope("websocket", SOCKET, {})
        self._spawn(self.app({**scope, "subprotocols": [SUBPROTOCOL]}, queue.get, send))

    def say(self, number: int, text: str) -> None:
        """A message of the page's, in a socket that is open."""
        if number in self._sockets:
            self._sockets[number].put_nowait({"type": "websocket.receive", "text": text})

    def close(self, number: int) -> None:
        """The page has closed a socket, or is left."""
        queue = self._sockets.pop(number, None)
        if queue is not None:
            queue.put_nowait({"type": "websocket.disconnect", "code": 1000})


def with_few_levels(games: bytes) -> bytes:
    """The list of games, with no agents that would think for too long here."""
    found = json.loads(games)
    for game in found["games"]:
        game["levels"] = min(game["levels"], LEVELS)
    return json.dumps(found).encode()
