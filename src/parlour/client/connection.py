"""One table over a socket that is opened again whenever it ends: the conversation, with I/O."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from parlour.client.conversation import (
    Answered,
    Conversation,
    Ended,
    Failed,
    Heard,
    Id,
    Later,
    News,
    Renew,
    Talk,
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
    """Keeps a conversation going until it is closed, or cannot be kept going."""

    def __init__(
        self, base: str, table: str, token: str, retry: Retry, now: Callable[[], float]
    ) -> None:
        """`start` opens the first socket."""
        self.base = base
        """How all links of the server begin."""
        self.now = now
        """Tells the time in seconds."""
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
        """Why nothing is heard any more."""
        self.log: list[EventView | Spoken] = []
        """What happened and was said since the first welcome."""

    @property
    def view(self) -> TableView:
        """Where the table stands; never `None` after `start`."""
        assert self._talk.view is not None
        return self._talk.view

    @property
    def is_connected(self) -> bool:
        """Whether there is a socket now."""
        return self._socket is not None

    async def start(self) -> None:
        """Come in; `ParlourError` if the server cannot be reached or refuses."""
        self._task = asyncio.create_task(self._run())
        try:
            await self.wait_for(lambda: self._talk.view is not None)
        except BaseException:
            await self.close()
            raise

    async def wait_for(self, holds: Callable[[], bool]) -> None:
        """Wait until it holds; `ParlourError` if nothing is heard any more before it does."""
        async with self._changed:
            while not holds():
                if self.failure is not None:
                    raise self.failure
                await self._changed.wait()

    async def ask(self, request: SeatRequest) -> int:
        """The version that a request led to, once it is in the view; `ParlourError` if refused."""
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
                    await self._give_up_socket()
        finally:
            self._answers.pop(request.id, None)
            self._talk.drop(request.id)
            future.cancel()

    async def close(self) -> None:
        """Leave; the seat is kept."""
        tasks = [*self._later, *([self._task] if self._task is not None else [])]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if self._latest is not None:
            # It may have been cancelled while it was closing.
            self._latest.transport.abort()
            await self._latest.wait_closed()
        await self._fail(Unreachable("this table was left"))

    # The socket.

    async def _run(self) -> None:
        """One socket after another."""
        pause: float | None = None
        while True:
            try:
                pause = await self._use_socket()
                problem = f"{self.base} ends the connection"
            except (OSError, InvalidHandshake, TimeoutError, EOFError) as error:
                problem, pause = f"{self.base} does not answer: {in_one_line(error)}", None
            except InvalidURI as error:
                await self._fail(Unreachable(f"{self.base} is not an address: {error}"))
                return
            if self.failure is not None:
                return
            self._failures += 1
            if self._failures > self._retry.attempts:
                await self._fail(Unreachable(problem))
                return
            await self._retry.sleep(self._retry.wait(self._failures) if pause is None else pause)

    async def _use_socket(self) -> float | None:
        """Talk until the socket ends: how long the server wants to be left alone, if it says."""
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
                    pause = await self._hear(text)
                    if pause is not None:
                        return pause.seconds
                    await self._flush()
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code == SEAT_TAKEN:
                    await self._fail(NotYourSeat(closed.rcvd.reason or "somebody has your seat"))
                return None
            finally:
                self._socket = None

    async def _flush(self) -> None:
        """Send what is to be sent; what does not get through is sent again later."""
        async with self._sending:
            outgoing = self._talk.outgoing
            while outgoing and self._socket is not None:
                try:
                    await self._socket.send(outgoing.popleft())
                except ConnectionClosed:
                    return

    async def _give_up_socket(self) -> None:
        socket = self._socket
        if socket is not None:
            await socket.close()

    # What is heard.

    async def _hear(self, text: str | bytes) -> Renew | None:
        """Take a message in; not `None` if this socket is of no use any more."""
        renew: Renew | None = None
        async with self._changed:
            heard = self._talk.hear(text)
            for each in heard:
                renew = self._take(each) or renew
            if heard:
                self._changed.notify_all()
        return renew

    def _take(self, heard: Heard) -> Renew | None:
        if isinstance(heard, Renew):
            return heard
        if isinstance(heard, Ended):
            self._end(heard.error)
            return Renew("")
        if not isinstance(heard, Later):
            self._failures = 0
        if isinstance(heard, News):
            self.log.append(heard.event)
        elif isinstance(heard, Talk):
            self.log.append(heard.spoken)
        elif isinstance(heard, Answered):
            self._resolve(heard.id, heard.v)
        elif isinstance(heard, Failed):
            self._resolve(heard.id, heard.error)
        elif isinstance(heard, Later):
            self._put_off(heard)
        return None

    def _resolve(self, id: Id, answer: int | ParlourError) -> None:
        future = self._answers.get(id)
        if future is None or future.done():
            return
        if isinstance(answer, ParlourError):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    def _put_off(self, later: Later) -> None:
        self._failures += 1
        if self._failures > self._retry.attempts:
            self._talk.drop(later.id)
            self._resolve(later.id, later.error)
            return

        async def send_again() -> None:
            await self._retry.sleep(later.seconds)
            self._talk.again(later.id)
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
    """A table on a server as one seat or a spectator sees it, with and without an event loop."""

    def __init__(
        self, connection: TableConnection, token: str, invitations: tuple[Invitation, ...] = ()
    ) -> None:
        """The connection has been started."""
        self.token = token
        """What comes back to the same seat: keep it secret."""
        self.invitations = invitations
        """The links for the open seats, for whoever made the table."""
        self.connection = connection
        self.positions = Positions(self.view.game, self.view.options)
        """The game's positions, where it is installed."""

    @property
    def view(self) -> TableView:
        """Where the table stands: all that this seat knows."""
        return self.connection.view

    @property
    def id(self) -> str:
        """The table's name in links."""
        return self.view.table

    @property
    def watch_url(self) -> str:
        """The link for those who look on."""
        return Link(self.connection.base, self.id).to_text()

    @property
    def seat(self) -> int | None:
        """One's own seat; `None`: one watches."""
        return self.view.you

    @property
    def scene(self) -> Scene:
        """What can be seen; its `actions` are what may be played, on one's own turn."""
        return self.view.scene or NO_SCENE

    @property
    def state(self) -> State | None:
        """The position, where the game is installed; with secrets one that this seat cannot
        tell from the true one; `None` otherwise.
        """
        return self.positions.state(self.view)

    @property
    def is_my_turn(self) -> bool:
        """Whether one's own seat is to act."""
        return self.view.is_my_turn

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.view.is_over

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now; otherwise it is being opened again."""
        return self.connection.is_connected

    @property
    def clocks(self) -> tuple[float, ...]:
        """The seconds left to each seat now; empty without clocks."""
        return clocks_now(self.view, self.connection.now())

    @property
    def log(self) -> "Sequence[EventView | Spoken]":
        """What happened (`EventView`) and was said (`Spoken`) since this client came in."""
        return self.connection.log

    @property
    def wants_rematch(self) -> bool:
        """Whether this seat has asked for another game."""
        return self.seat in self.view.offers.rematch
