"""Parlour's server inside a browser's worker: the same application without sockets and threads.

The page's modules use it like any other server. Games are stored in memory, agents run in this
thread, and requests come from `worker.js` instead of a network. It also runs outside browsers,
for tests.
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
from parlour.server.http.wire import Disconnected
from parlour.server.live.pool import AgentPool, AgentRequest, RequestQueue
from parlour.server.rates import Rate
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
"""The highest level offered; in a browser, higher levels would take too long."""
UNLIMITED = Rate(1e6, 1e6)
YIELD_SECONDS = 0.01
"""Time for the page to show messages before an agent blocks the thread."""


class MemoryStore(SqlStore):
    """Store games in an SQLite database in memory, synchronously."""

    IS_SHARED = False

    def __init__(self, now: Callable[[], int]) -> None:
        """Create the database; `now` returns milliseconds since 1970."""
        self.id, self._started = new_process(), now()
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        migrate(self._connection, Path(":memory:"))
        statements.make_secret(self._connection)
        statements.start_clock(self._connection, self._started)
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


class InlinePool(AgentPool):
    """Run agents in this thread, one after another."""

    def start(self) -> None:
        """Do nothing: there are no processes."""

    async def _put(self, queue: RequestQueue, request: AgentRequest) -> Any:
        await asyncio.sleep(YIELD_SECONDS)
        ask: Callable[[Any], Any] = request.ask
        return ask(self)

    def agent(self, text: str) -> Any:
        """Return an agent, as an agent process would."""
        return agent(text)


class Demo:
    """The server, for one visitor."""

    def __init__(self) -> None:
        """Create the application; `start` runs it."""
        rates = dict.fromkeys(("work", "tables", "agent_budget", "words"), UNLIMITED)
        settings = Settings(host=HOST, port=80, chat=False, slow=3600.0, **rates).checked()
        self.app = Application(lambda clock: MemoryStore(clock.now), settings)
        self._cookies: dict[str, str] = {}
        self._sockets: dict[int, PageWire] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the server; it runs until `stop` or until the page is closed."""
        self._lifespan: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        started = asyncio.Event()

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "lifespan.startup.failed":
                raise RuntimeError(message.get("message", "the server did not start"))
            started.set()

        self._spawn(self.app({"type": "lifespan"}, self._lifespan.get, send))
        self._lifespan.put_nowait({"type": "lifespan.startup"})
        await started.wait()
        rooms = self.app.rooms
        await rooms.pool.close()
        rooms.pool = InlinePool(rooms.settings, rooms.clock.seconds, rooms.metrics)

    async def stop(self) -> None:
        """Close all sockets and stop the server."""
        for number in [*self._sockets]:
            self.close(number)
        self._lifespan.put_nowait({"type": "lifespan.shutdown"})
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _scope(self, kind: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
        """Return the ASGI scope of a request, with the cookies that this object stores."""
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
        """Return the status, content type and content of an HTTP response."""
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
        """Open a socket; call `said` with each message and `closed` with the close code."""
        wire = self._sockets[number] = PageWire(said, closed)
        scope = self._scope("websocket", SOCKET, {})
        extensions = {"parlour.wire": wire}
        whole = {**scope, "subprotocols": [SUBPROTOCOL], "extensions": extensions}
        self._spawn(self.app(whole, _unused, _unused))

    def say(self, number: int, text: str) -> None:
        """Pass a message of the page to an open socket."""
        if number in self._sockets:
            self._sockets[number].put(text)

    def close(self, number: int) -> None:
        """Close a socket."""
        wire = self._sockets.pop(number, None)
        if wire is not None:
            wire.put(None)


class PageWire:
    """A connection to the page, in place of a WebSocket."""

    fault = ""
    buffered = 0

    def __init__(self, said: Callable[[str], object], closed: Callable[[int], object]) -> None:
        """Call `said` with each message and `closed` with the close code."""
        self._said = said
        self._closed = closed
        self._came: asyncio.Queue[str | None] = asyncio.Queue()

    def put(self, text: str | None) -> None:
        """Add a message of the page, or `None` if it closed the connection."""
        self._came.put_nowait(text)

    def accept(self, subprotocol: str | None) -> None:
        """Do nothing: the page is connected."""

    def refuse(self, status: int) -> None:
        """Tell the page that the connection is refused."""
        self._closed(1008)

    async def read(self) -> str:
        """Return the next message. Raise `Disconnected` when the page has left."""
        text = await self._came.get()
        if text is None:
            raise Disconnected
        return text

    def send(self, data: bytes) -> None:
        """Pass a message to the page."""
        self._said(data.decode())

    def close(self, code: int, reason: str) -> None:
        """Tell the page that the connection is closed."""
        self._closed(code)
        self.put(None)


async def _unused() -> Any:
    """Stand in for ASGI's `receive` and `send`."""


def with_few_levels(games: bytes) -> bytes:
    """Return the list of games with at most `LEVELS` levels each."""
    found = json.loads(games)
    for game in found["games"]:
        game["levels"] = min(game["levels"], LEVELS)
    return json.dumps(found).encode()
