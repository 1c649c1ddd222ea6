"""Tables on a server, for programs without an event loop: each call blocks until its answer.

A background thread runs the event loop, and every method is thread-safe.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import httpx

from parlour.client.aio import AsyncClient, AsyncRemoteTable
from parlour.client.connection import ConnectedTable
from parlour.client.errors import Unreachable
from parlour.client.links import Link
from parlour.client.retry import Retry
from parlour.table.events import EventView

A = TypeVar("A")
P = ParamSpec("P")
T = TypeVar("T")


class LoopThread:
    """An event loop in a background thread."""

    def __init__(self) -> None:
        """Start the thread."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="parlour client", daemon=True
        )
        self._thread.start()

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine in the loop."""
        if not self._thread.is_alive():
            work.close()
            raise Unreachable("this client is closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return a coroutine's result. If the wait is interrupted, the coroutine is cancelled."""
        future = self.begin(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    @property
    def is_open(self) -> bool:
        """Whether the thread is running."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Stop the thread."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


class Blocking(Generic[A]):
    """An asynchronous object whose methods block on another thread's event loop."""

    def __init__(self, awaited: A, loop: LoopThread) -> None:
        """Wrap `awaited`, which runs in `loop`."""
        self._awaited = awaited
        self._loop = loop


def _blocking(
    method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Blocking[A], P], T]:
    """Return a blocking method with the same parameters and docstring."""

    @wraps(method)
    def call(self: Blocking[A], /, *args: P.args, **settings: P.kwargs) -> T:
        return self._loop.run(method(self._awaited, *args, **settings))

    return call


def _joining(
    method: Callable[Concatenate[A, P], Coroutine[Any, Any, AsyncRemoteTable]],
) -> Callable[Concatenate[Blocking[A], P], "RemoteTable"]:
    """Return a blocking method for one that joins a table."""

    @wraps(method)
    def call(self: Blocking[A], /, *args: P.args, **settings: P.kwargs) -> "RemoteTable":
        return RemoteTable(self._loop.run(method(self._awaited, *args, **settings)), self._loop)

    return call


class RemoteTable(ConnectedTable, Blocking[AsyncRemoteTable]):
    """A table on a server, as one seat or a spectator sees it.

    Its properties are always up to date, and it reconnects on its own. The methods are those of
    `AsyncRemoteTable`; each blocks until its result.

        while table.turn():
            table.play(table.scene.actions[0].action)
    """

    def __init__(self, table: AsyncRemoteTable, loop: LoopThread) -> None:
        """Create a table; clients do this."""
        ConnectedTable.__init__(self, table.connection, table.token, table.invitations)
        Blocking.__init__(self, table, loop)

    def news(self, known: int) -> "Future[None]":
        """Return a future that is done when the log has more than `known` entries."""
        return self._loop.begin(self._awaited.wait_for_news(known))

    def events(self) -> Iterator[EventView]:
        """Iterate over the events from now until the game is over."""
        found = self._awaited.events()

        async def following() -> EventView | None:
            return await anext(found, None)

        while (event := self._loop.run(following())) is not None:
            yield event

    wait = _blocking(AsyncRemoteTable.wait)
    turn = _blocking(AsyncRemoteTable.turn)
    play = _blocking(AsyncRemoteTable.play)
    resign = _blocking(AsyncRemoteTable.resign)
    draw = _blocking(AsyncRemoteTable.draw)
    takeback = _blocking(AsyncRemoteTable.takeback)
    decline = _blocking(AsyncRemoteTable.decline)
    say = _blocking(AsyncRemoteTable.say)
    premove = _blocking(AsyncRemoteTable.premove)
    ask_rematch = _blocking(AsyncRemoteTable.ask_rematch)
    next_table = _joining(AsyncRemoteTable.next_table)
    rematch = _joining(AsyncRemoteTable.rematch)
    leave = _blocking(AsyncRemoteTable.leave)
    replace = _blocking(AsyncRemoteTable.replace)
    device = _blocking(AsyncRemoteTable.device)
    record_text = _blocking(AsyncRemoteTable.record_text)
    record = _blocking(AsyncRemoteTable.record)
    analysis = _blocking(AsyncRemoteTable.analysis)
    close = _blocking(AsyncRemoteTable.close)


class Client(Blocking[AsyncClient]):
    """A server's client: creates tables and joins them.

        with Client("https://games.example.org") as client:
            table = client.create("octa", seats=["me", 3])
            while table.turn():
                table.play(table.scene.actions[0].action)

    The methods are those of `AsyncClient`; each blocks until its result. They raise `ParlourError`
    with the server's error code if they are refused, and `Unreachable` after as many failures as
    `retry` allows.
    """

    def __init__(
        self,
        url: str,
        *,
        retry: Retry | None = None,
        now: Callable[[], float] = time.monotonic,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Set the server's address, such as `https://games.example.org`.

        Raise `BadLink` if it is not an address. `now` (a clock in seconds) and `transport` (for
        HTTP) are for tests.
        """
        awaited = AsyncClient(url, retry=retry, now=now, transport=transport)
        super().__init__(awaited, LoopThread())
        self.base = awaited.base
        """The beginning of all links to the server."""

    games = _blocking(AsyncClient.games)
    tables = _blocking(AsyncClient.tables)
    mine = _blocking(AsyncClient.mine)
    info = _blocking(AsyncClient.info)
    events = _blocking(AsyncClient.events)
    create = _joining(AsyncClient.create)
    join = _joining(AsyncClient.join)
    sit_down = _joining(AsyncClient.sit_down)
    find = _joining(AsyncClient.find)
    table = _joining(AsyncClient.table)

    def close(self) -> None:
        """Leave all tables. Seats stay reserved."""
        if self._loop.is_open:
            self._loop.run(self._awaited.close())
            self._loop.close()

    def __enter__(self) -> "Client":
        """Enter a context that closes the client."""
        return self

    def __exit__(self, *failure: object) -> None:
        """Close the client."""
        self.close()


def join(url: str, name: str = "", nonce: str = "") -> tuple[Client, RemoteTable]:
    """Follow a link to any server. Return the client, which the caller must close, and the table.

    For example:

        client, table = join("https://games.example.org/t/k3v9#seat=1&claim=abc", name="Ann")
        with client:
            table.wait(lambda view: view.is_over)
    """
    client = Client(Link.from_text(url).base)
    try:
        return client, client.join(url, name, nonce)
    except BaseException:
        client.close()
        raise
