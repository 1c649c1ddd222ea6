"""Tables on a server, for programs without an event loop: each call waits for its answer.

A thread of its own keeps the connections; every method asks it, so any thread may call.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Any, TypeVar

import httpx

from parlour.client.aio import AsyncClient, AsyncRemoteTable
from parlour.client.errors import Unreachable
from parlour.client.links import Link
from parlour.client.positions import Positions
from parlour.client.retry import Retry
from parlour.client.view import TableView
from parlour.core.game import State
from parlour.core.record import Record
from parlour.core.scene import Scene
from parlour.protocol.messages import OfferName, Spoken, TableInfo
from parlour.protocol.requests import AnalysisFound, GameInfo, Invitation, TableState
from parlour.table.events import EventView

T = TypeVar("T")


class LoopThread:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        """It runs at once."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="parlour client", daemon=True
        )
        self._thread.start()

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Let a coroutine run there."""
        if not self._thread.is_alive():
            work.close()
            raise Unreachable("this client is closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What a coroutine gives; a wait that is interrupted is cancelled there too."""
        future = self.begin(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    @property
    def is_open(self) -> bool:
        """Whether it runs."""
        return self._thread.is_alive()

    def close(self) -> None:
        """End it."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


class Client:
    """A server, as programs know it: makes tables and joins them.

    with Client("https://games.example.org") as client:
        table = client.create("octa", seats=["me", 3])
        while table.turn():
            table.play(table.scene.actions[0].action)

    Everything raises `ParlourError` with the code of the server's refusal, `Unreachable` after
    so many failures as `retry` allows.
    """

    def __init__(
        self,
        url: str,
        *,
        retry: Retry | None = None,
        now: Callable[[], float] = time.monotonic,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`url` is what people type, `https://games.example.org`; `BadLink` if it is none.

        `now` tells the time in seconds, and `transport` carries HTTP: both are for tests.
        """
        self._client = AsyncClient(url, retry=retry, now=now, transport=transport)
        self._loop = LoopThread()

    @property
    def base(self) -> str:
        """How all links of the server begin."""
        return self._client.base

    def games(self) -> list[GameInfo]:
        """The games that can be played there."""
        return self._loop.run(self._client.games())

    def tables(self) -> list[TableInfo]:
        """The tables that anybody may join or watch."""
        return self._loop.run(self._client.tables())

    def mine(self, tokens: Sequence[str]) -> list[TableInfo]:
        """The tables of these tokens; those that are not valid count for nothing."""
        return self._loop.run(self._client.mine(tokens))

    def info(self, table: str, token: str = "") -> TableState:
        """Where a table stands, without joining it."""
        return self._loop.run(self._client.info(table, token))

    def events(self, table: str, after: int = 0, token: str = "") -> list[EventView]:
        """What happened at a table after a version, without joining it; oldest first."""
        return self._loop.run(self._client.events(table, after, token))

    def create(
        self,
        game: str = "",
        *,
        options: Mapping[str, object] | None = None,
        seats: Sequence[str | int] = ("me",),
        clock: str = "",
        listed: bool = False,
        name: str = "",
        seed: int | None = None,
        nonce: str = "",
        record: str = "",
    ) -> "RemoteTable":
        """Make a table and join it; its `invitations` are for the others.

        `seats` are `me`, `open` or the level of an agent, 1 to 9; missing ones are open.
        Without `me` this client watches. With a `record` the game of that text goes on.
        """
        return self._joined(
            self._client.create(
                game,
                options=options,
                seats=seats,
                clock=clock,
                listed=listed,
                name=name,
                seed=seed,
                nonce=nonce,
                record=record,
            )
        )

    def join(self, url: str, name: str = "", nonce: str = "") -> "RemoteTable":
        """Follow a link: an invitation takes its seat, any other link watches."""
        return self._joined(self._client.join(url, name, nonce))

    def sit_down(
        self, table: str, seat: int, name: str = "", claim: str = "", nonce: str = ""
    ) -> "RemoteTable":
        """Take a seat; without a claim an open one of a listed table."""
        return self._joined(self._client.sit_down(table, seat, name, claim, nonce))

    def table(self, table: str, token: str = "") -> "RemoteTable":
        """Come back to a table with the token of a seat; without one to watch."""
        return self._joined(self._client.table(table, token))

    def _joined(self, work: Coroutine[Any, Any, AsyncRemoteTable]) -> "RemoteTable":
        return RemoteTable(self._loop.run(work), self._loop)

    def close(self) -> None:
        """Leave every table; seats are kept."""
        if self._loop.is_open:
            self._loop.run(self._client.close())
            self._loop.close()

    def __enter__(self) -> "Client":
        """To be closed by `with`."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()


class RemoteTable:
    """A table on a server, through the eyes of one seat or of a spectator.

    What it shows is always up to date; the connection is opened again by itself.
    """

    def __init__(self, table: AsyncRemoteTable, loop: LoopThread) -> None:
        """Made by a client."""
        self._table = table
        self._loop = loop

    # What there is to see.

    @property
    def token(self) -> str:
        """What comes back to the same seat: keep it secret."""
        return self._table.token

    @property
    def invitations(self) -> tuple[Invitation, ...]:
        """The links for the open seats, for whoever made the table."""
        return self._table.invitations

    @property
    def view(self) -> TableView:
        """Where the table stands: all that this seat knows."""
        return self._table.view

    @property
    def id(self) -> str:
        """The table's name in links."""
        return self._table.id

    @property
    def watch_url(self) -> str:
        """The link for those who look on."""
        return self._table.watch_url

    @property
    def seat(self) -> int | None:
        """One's own seat; `None`: one watches."""
        return self._table.seat

    @property
    def scene(self) -> Scene:
        """What can be seen; its `actions` are what may be played, on one's own turn."""
        return self._table.scene

    @property
    def state(self) -> State | None:
        """The position, where the game is installed; with secrets one that this seat cannot
        tell from the true one; `None` otherwise.
        """
        return self._table.state

    @property
    def positions(self) -> Positions:
        """The game's positions, where it is installed."""
        return self._table.positions

    @property
    def is_my_turn(self) -> bool:
        """Whether one's own seat is to act."""
        return self._table.is_my_turn

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._table.is_over

    @property
    def clocks(self) -> tuple[float, ...]:
        """The seconds left to each seat now; empty without clocks."""
        return self._table.clocks

    @property
    def log(self) -> "Sequence[EventView | Spoken]":
        """What happened (`EventView`) and was said (`Spoken`) since this client came in."""
        return self._table.log

    # What happens.

    def wait(self, holds: Callable[[TableView], bool]) -> TableView:
        """Wait until something holds of the table."""
        return self._loop.run(self._table.wait(holds))

    def news(self, known: int) -> "Future[None]":
        """Done when the log has more than so many entries; to be waited for, or cancelled."""
        return self._loop.begin(self._table.wait_for_news(known))

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now; otherwise it is being opened again."""
        return self._table.is_connected

    def turn(self) -> bool:
        """Wait for one's own turn; `False`: the game is over."""
        return self._loop.run(self._table.turn())

    def events(self) -> Iterator[EventView]:
        """What happens from now on, until the game is over."""
        found = self._table.events()

        async def following() -> EventView | None:
            return await anext(found, None)

        while (event := self._loop.run(following())) is not None:
            yield event

    # What is done.

    def play(self, action: int | str, ply: int | None = None) -> int:
        """Make an action, its id or its text: the version that it led to.

        It is meant for the position as it is now, or at `ply`; `StaleEvents` if the game has
        gone on meanwhile.
        """
        return self._loop.run(self._table.play(action, ply))

    def resign(self) -> int:
        """Give the game up."""
        return self._loop.run(self._table.resign())

    def draw(self) -> int:
        """Offer a draw, or agree to it."""
        return self._loop.run(self._table.draw())

    def takeback(self) -> int:
        """Ask to take one's own last action back, or agree to that."""
        return self._loop.run(self._table.takeback())

    def decline(self, offer: OfferName) -> int:
        """Decline a `draw`, `takeback` or `rematch`, or withdraw one's own offer."""
        return self._loop.run(self._table.decline(offer))

    def say(self, text: str) -> int:
        """Say something to those who sit at the table."""
        return self._loop.run(self._table.say(text))

    def premove(self, action: int | str | None) -> int:
        """What to play as soon as it is one's turn, if it is legal then; `None`: nothing."""
        return self._loop.run(self._table.premove(action))

    @property
    def wants_rematch(self) -> bool:
        """Whether this seat has asked for another game."""
        return self._table.wants_rematch

    def ask_rematch(self) -> None:
        """After the end: ask for another game, or agree to it; `view.rematch` is its table."""
        self._loop.run(self._table.ask_rematch())

    def next_table(self) -> "RemoteTable":
        """The table of the rematch that everybody agreed to, with one's seat there."""
        return RemoteTable(self._loop.run(self._table.next_table()), self._loop)

    def rematch(self) -> "RemoteTable":
        """Ask for another game, wait for the others to agree, and go to its table."""
        return RemoteTable(self._loop.run(self._table.rematch()), self._loop)

    def leave(self) -> int:
        """Stand up before the beginning; afterwards it is a resignation."""
        return self._loop.run(self._table.leave())

    def replace(self, level: int = 3) -> int:
        """Let an agent play on; this client watches from then on."""
        return self._loop.run(self._table.replace(level))

    def device(self) -> str:
        """A link for the same person elsewhere."""
        return self._loop.run(self._table.device())

    def record_text(self) -> str:
        """The record of a game that is over, as it is kept in files."""
        return self._loop.run(self._table.record_text())

    def record(self) -> Record:
        """The record of a game that is over; the game must be installed here."""
        return self._loop.run(self._table.record())

    def analysis(
        self,
        ply: int | None = None,
        level: int | None = None,
        deeper: int = 0,
        shown: Sequence[int] = (),
    ) -> AnalysisFound:
        """As `AsyncTable.analysis`."""
        return self._loop.run(self._table.analysis(ply, level, deeper, shown))

    def close(self) -> None:
        """Leave; the seat is kept for who comes back with the token."""
        self._loop.run(self._table.close())


def join(url: str, name: str = "", nonce: str = "") -> tuple[Client, RemoteTable]:
    """Follow a link to whatever server it leads to: the client, to be closed, and the table."""
    client = Client(Link.from_text(url).base)
    try:
        return client, client.join(url, name, nonce)
    except BaseException:
        client.close()
        raise
