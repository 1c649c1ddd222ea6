"""One table over a WebSocket that reconnects: the I/O of a conversation."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from parlour.client.conversation import (
    Answered,
    Chat,
    Conversation,
    Deferred,
    Ended,
    Failed,
    Id,
    News,
    Received,
    Reconnect,
)
from parlour.client.errors import Unreachable
from parlour.client.links import Link, socket_url
from parlour.client.positions import Positions
from parlour.client.retry import Retry
from parlour.client.view import NO_SCENE, TableView, clocks_now
from parlour.core.errors import ParlourError, in_one_line
from parlour.core.game import State
from parlour.core.scene import Scene
from parlour.protocol import SEAT_TAKEN, SUBPROTOCOL
from parlour.protocol.errors import NotYourSeat
from parlour.protocol.messages import SeatRequest, Spoken
from parlour.protocol.requests import Invitation
from parlour.table.events import EventView


class TableConnection:
    """Keeps a conversation going until it is closed or fails for good."""

    def __init__(
        self, base: str, table: str, token: str, retry: Retry, now: Callable[[], float]
    ) -> None:
        """Set up the connection; `start` opens the first socket."""
        self.base = base
        """The beginning of all links to the server."""
        self.now = now
        """A clock in seconds."""
        self._retry = retry
        self._talk = Conversation(table, token, now)
        self._socket: ClientConnection | None = None
        self._latest: ClientConnection | None = None
        self._sending = asyncio.Lock()
        self._changed = asyncio.Condition()
        self._answers: dict[Id, asyncio.Future[int]] = {}
        self._later: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._failures = 0
        self._sockets = 0
        self.failure: ParlourError | None = None
        """Why the connection failed for good."""
        self.log: list[EventView | Spoken] = []
        """Events and chat messages since the first welcome."""

    @property
    def view(self) -> TableView:
        """The table's state; never `None` after `start`."""
        assert self._talk.view is not None
        return self._talk.view

    @property
    def is_connected(self) -> bool:
        """Whether a socket is open."""
        return self._socket is not None

    async def start(self) -> None:
        """Connect. Raise `ParlourError` if the server refuses or cannot be reached."""
        self._task = asyncio.create_task(self._run())
        try:
            await self.wait_for(lambda: self._talk.view is not None)
        except BaseException:
            await self.close()
            raise

    async def wait_for(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds()` is true. Raise `ParlourError` if the connection fails for good."""
        async with self._changed:
            while not holds():
                if self.failure is not None:
                    raise self.failure
                await self._changed.wait()

    async def ask(self, request: SeatRequest) -> int:
        """Return a request's version once the view includes it. Raise `ParlourError` on refusal."""
        if self.failure is not None:
            raise self.failure
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._answers[request.id] = future
        try:
            self._talk.ask(request)
            await self._flush()
            while True:
                sockets = self._sockets
                done, _ = await asyncio.wait((future,), timeout=self._retry.answer)
                if done:
                    return future.result()
                if self._sockets == sockets and self._socket is not None:
                    await self._drop_socket()
        finally:
            self._answers.pop(request.id, None)
            self._talk.drop(request.id)
            future.cancel()

    async def close(self) -> None:
        """Disconnect. The seat stays reserved."""
        tasks = [*self._later, *([self._task] if self._task is not None else [])]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if self._latest is not None:
            # The task may have been cancelled while the socket was closing.
            self._latest.transport.abort()
            await self._latest.wait_closed()
        await self._fail(Unreachable("you have left this table"))

    # The socket.

    async def _run(self) -> None:
        """Open one socket after another."""
        pause: float | None = None
        while True:
            try:
                pause = await self._use_socket()
                problem = f"{self.base} closed the connection"
            except (OSError, InvalidHandshake, TimeoutError, EOFError) as error:
                problem, pause = f"{self.base} does not answer: {in_one_line(error)}", None
            except InvalidURI as error:
                await self._fail(Unreachable(f"{self.base} is not a valid address: {error}"))
                return
            if self.failure is not None:
                return
            self._failures += 1
            if self._failures > self._retry.attempts:
                await self._fail(Unreachable(problem))
                return
            await self._retry.sleep(self._retry.wait(self._failures) if pause is None else pause)

    async def _use_socket(self) -> float | None:
        """Chat until the socket closes. Return the server's requested delay, if it gave one."""
        url = socket_url(self.base)
        opening = connect(
            url,
            subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
            max_size=None,
            open_timeout=self._retry.answer,
            close_timeout=1,
        )
        async with opening as socket:
            self._socket = self._latest = socket
            self._sockets += 1
            self._talk.connected()
            await self._flush()
            try:
                while True:
                    async with asyncio.timeout(self._retry.silence):
                        text = await socket.recv()
                    pause = await self._receive(text)
                    if pause is not None:
                        return pause.seconds
                    await self._flush()
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code == SEAT_TAKEN:
                    await self._fail(NotYourSeat(closed.rcvd.reason or "your seat was taken"))
                return None
            finally:
                self._socket = None

    async def _flush(self) -> None:
        """Send the queued messages; those that fail are sent again after reconnecting."""
        async with self._sending:
            outgoing = self._talk.outgoing
            while outgoing and self._socket is not None:
                try:
                    await self._socket.send(outgoing.popleft())
                except ConnectionClosed:
                    return

    async def _drop_socket(self) -> None:
        socket = self._socket
        if socket is not None:
            await socket.close()

    # Incoming messages.

    async def _receive(self, text: str | bytes) -> Reconnect | None:
        """Process a message; return `Reconnect` if the socket must be replaced."""
        renew: Reconnect | None = None
        async with self._changed:
            received = self._talk.receive(text)
            for each in received:
                renew = self._take(each) or renew
            if received:
                self._changed.notify_all()
        return renew

    def _take(self, received: Received) -> Reconnect | None:
        if isinstance(received, Reconnect):
            return received
        if isinstance(received, Ended):
            self._end(received.error)
            return Reconnect("")
        if not isinstance(received, Deferred):
            self._failures = 0
        if isinstance(received, News):
            self.log.append(received.event)
        elif isinstance(received, Chat):
            self.log.append(received.spoken)
        elif isinstance(received, Answered):
            self._resolve(received.id, received.v)
        elif isinstance(received, Failed):
            self._resolve(received.id, received.error)
        elif isinstance(received, Deferred):
            self._defer(received)
        return None

    def _resolve(self, id: Id, answer: int | ParlourError) -> None:
        future = self._answers.get(id)
        if future is None or future.done():
            return
        if isinstance(answer, ParlourError):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    def _defer(self, deferred: Deferred) -> None:
        self._failures += 1
        if self._failures > self._retry.attempts:
            self._talk.drop(deferred.id)
            self._resolve(deferred.id, deferred.error)
            return

        async def send_again() -> None:
            await self._retry.sleep(deferred.seconds)
            self._talk.again(deferred.id)
            await self._flush()

        task = asyncio.create_task(send_again())
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    def _end(self, error: ParlourError) -> None:
        if self.failure is None:
            self.failure = error
        for future in self._answers.values():
            if not future.done():
                future.set_exception(self.failure)

    async def _fail(self, error: ParlourError) -> None:
        async with self._changed:
            self._end(error)
            self._changed.notify_all()


class ConnectedTable:
    """A table on a server as one seat or a spectator sees it, for both kinds of client."""

    def __init__(
        self, connection: TableConnection, token: str, invitations: tuple[Invitation, ...] = ()
    ) -> None:
        """Wrap a started connection."""
        self.token = token
        """The secret that gives access to the seat."""
        self.invitations = invitations
        """Links for the open seats, if this client created the table."""
        self.connection = connection
        self.positions = Positions(self.view.game, self.view.options)
        """The game's positions, if it is installed."""

    @property
    def view(self) -> TableView:
        """The table's state as this seat knows it."""
        return self.connection.view

    @property
    def id(self) -> str:
        """The table's id in links."""
        return self.view.table

    @property
    def watch_url(self) -> str:
        """The link for spectators."""
        return Link(self.connection.base, self.id).to_text()

    @property
    def seat(self) -> int | None:
        """Your seat; `None` for a spectator."""
        return self.view.you

    @property
    def scene(self) -> Scene:
        """What you see. On your turn, its `actions` are the legal ones."""
        return self.view.scene or NO_SCENE

    @property
    def state(self) -> State | None:
        """The position, if the game is installed; otherwise `None`.

        With secrets, a position that this seat cannot distinguish from the true one.
        """
        return self.positions.state(self.view)

    @property
    def is_my_turn(self) -> bool:
        """Whether it is your turn."""
        return self.view.is_my_turn

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.view.is_over

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now; otherwise the client is reconnecting."""
        return self.connection.is_connected

    @property
    def clocks(self) -> tuple[float, ...]:
        """The seconds left to each seat now; empty without clocks."""
        return clocks_now(self.view, self.connection.now())

    @property
    def log(self) -> "Sequence[EventView | Spoken]":
        """Events (`EventView`) and chat (`Spoken`) since this client connected."""
        return self.connection.log

    @property
    def wants_rematch(self) -> bool:
        """Whether this seat has asked for another game."""
        return self.seat in self.view.offers.rematch
