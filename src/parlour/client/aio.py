"""Tables on a server, for programs with an event loop."""

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from uuid import uuid4

import httpx

from parlour.client.connection import ConnectedTable, TableConnection
from parlour.client.errors import BadLink
from parlour.client.http import Http
from parlour.client.links import Link, base_of
from parlour.client.retry import Retry
from parlour.client.view import TableView
from parlour.core.record import Record
from parlour.protocol.errors import Unauthorized
from parlour.protocol.messages import (
    Decline,
    Draw,
    OfferName,
    Play,
    Premove,
    Rematch,
    Resign,
    Say,
    SeatRequest,
    TableInfo,
    Takeback,
)
from parlour.protocol.requests import (
    MOST_SHOWN,
    AnalysisFound,
    AskAnalysis,
    ClaimSeat,
    Done,
    EventsAfter,
    GameInfo,
    Games,
    MadeTable,
    NewClaim,
    NewTable,
    ReplaceSeat,
    Seated,
    SeatWish,
    TableList,
    TableState,
)
from parlour.table.events import EventView


class AsyncClient:
    """A server, as programs know it: makes tables and joins them.

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
        self.base = base_of(url)
        self.retry = retry or Retry()
        self._now = now
        self._http = Http(self.base, self.retry, transport)
        self._tables: list[AsyncRemoteTable] = []

    async def games(self) -> list[GameInfo]:
        """The games that can be played there."""
        return (await self._http.get("/games", Games)).games

    async def tables(self) -> list[TableInfo]:
        """The tables that anybody may join or watch."""
        return (await self._http.get("/tables", TableList, listed="1")).tables

    async def mine(self, tokens: Sequence[str]) -> list[TableInfo]:
        """The tables of these tokens; those that are not valid count for nothing."""
        token = ",".join(tokens)
        return (await self._http.get("/tables", TableList, token, mine="1")).tables

    async def info(self, table: str, token: str = "") -> TableState:
        """Where a table stands, without joining it."""
        return await self._http.get(f"/tables/{table}", TableState, token)

    async def events(self, table: str, after: int = 0, token: str = "") -> list[EventView]:
        """What happened at a table after a version, without joining it; oldest first."""
        found: list[EventView] = []
        while True:
            path = f"/tables/{table}/events"
            told = await self._http.get(path, EventsAfter, token, after=str(after))
            found += told.events
            if not told.more:
                return found
            after = told.v

    async def create(
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
    ) -> "AsyncRemoteTable":
        """Make a table and join it; its `invitations` are for the others.

        `seats` are `me`, `open` or the level of an agent, 1 to 9; missing ones are open.
        Without `me` this client watches. With a `record` the game of that text goes on.
        """
        wishes = [
            SeatWish("agent", each) if isinstance(each, int) else SeatWish(each)  # type: ignore[arg-type]
            for each in seats
        ]
        wish = NewTable(
            game=game,
            options=dict(options or {}),
            seats=wishes,
            clock=clock,
            visibility="listed" if listed else "link",
            name=name,
            seed=seed,
            nonce=nonce,
            record=record,
        )
        made = await self._http.post("/tables", wish, MadeTable, key=new_id())
        table = await self.table(made.table, made.token)
        table.invitations = tuple(made.invitations)
        return table

    async def join(self, url: str, name: str = "", nonce: str = "") -> "AsyncRemoteTable":
        """Follow a link: an invitation takes its seat, any other link watches."""
        link = Link.from_text(url)
        if link.base != self.base:
            raise BadLink(f"this link leads to {link.base}, not to {self.base}")
        if link.seat is None:
            return await self.table(link.table)
        return await self.sit_down(link.table, link.seat, name, link.claim, nonce)

    async def sit_down(
        self, table: str, seat: int, name: str = "", claim: str = "", nonce: str = ""
    ) -> "AsyncRemoteTable":
        """Take a seat; without a claim an open one of a listed table."""
        seated = await self._claim(table, seat, ClaimSeat(claim, name, nonce))
        return await self.table(table, seated.token)

    async def _claim(self, table: str, seat: int, body: ClaimSeat, token: str = "") -> Seated:
        return await self._http.post(f"/tables/{table}/seats/{seat}/claim", body, Seated, token)

    async def table(self, table: str, token: str = "") -> "AsyncRemoteTable":
        """Come back to a table with the token of a seat; without one to watch."""
        connection = TableConnection(self.base, table, token, self.retry, self._now)
        await connection.start()
        joined = AsyncRemoteTable(self, self._http, connection, token)
        self._tables.append(joined)
        return joined

    async def close(self) -> None:
        """Leave every table; seats are kept."""
        while self._tables:
            await self._tables.pop().close()
        await self._http.close()

    async def __aenter__(self) -> "AsyncClient":
        """To be closed by `async with`."""
        return self

    async def __aexit__(self, *failure: object) -> None:
        """Close."""
        await self.close()


class AsyncRemoteTable(ConnectedTable):
    """A table on a server, through the eyes of one seat or of a spectator.

    What it shows is always up to date; the connection is opened again by itself.
    """

    def __init__(
        self, client: AsyncClient, http: Http, connection: TableConnection, token: str
    ) -> None:
        """Made by a client."""
        super().__init__(connection, token)
        self._client = client
        self._http = http

    # What happens.

    async def wait(self, holds: Callable[[TableView], bool]) -> TableView:
        """Wait until something holds of the table."""
        await self.connection.wait_for(lambda: holds(self.view))
        return self.view

    async def wait_for_news(self, known: int) -> None:
        """Wait until the log has more than so many entries."""
        await self.connection.wait_for(lambda: len(self.connection.log) > known)

    async def turn(self) -> bool:
        """Wait for one's own turn; `False`: the game is over."""
        return not (await self.wait(lambda view: view.is_my_turn or view.is_over)).is_over

    async def events(self) -> AsyncIterator[EventView]:
        """What happens from now on, until the game is over."""
        log = self.connection.log
        place = len(log)
        while True:
            while place < len(log):
                each = log[place]
                place += 1
                if isinstance(each, EventView):
                    yield each
            if self.is_over:
                return
            await self.wait_for_news(place)

    # What is done.

    async def _ask(self, request: SeatRequest) -> int:
        if self.seat is None:
            raise Unauthorized("only who holds a seat may do that: join by an invitation")
        return await self.connection.ask(request)

    async def play(self, action: int | str, ply: int | None = None) -> int:
        """Make an action, its id or its text: the version that it led to.

        It is meant for the position as it is now, or at `ply`; `StaleEvents` if the game has
        gone on meanwhile.
        """
        at = self.view.ply if ply is None else ply
        return await self._ask(Play(new_id(), at, action))

    async def resign(self) -> int:
        """Give the game up."""
        return await self._ask(Resign(new_id()))

    async def draw(self) -> int:
        """Offer a draw, or agree to it."""
        return await self._ask(Draw(new_id()))

    async def takeback(self) -> int:
        """Ask to take one's own last action back, or agree to that."""
        return await self._ask(Takeback(new_id()))

    async def decline(self, offer: OfferName) -> int:
        """Decline a `draw`, `takeback` or `rematch`, or withdraw one's own offer."""
        return await self._ask(Decline(new_id(), offer))

    async def say(self, text: str) -> int:
        """Say something to those who sit at the table."""
        return await self._ask(Say(new_id(), text))

    async def premove(self, action: int | str | None) -> int:
        """What to play as soon as it is one's turn, if it is legal then; `None`: nothing."""
        return await self._ask(Premove(new_id(), action))

    async def ask_rematch(self) -> None:
        """After the end: ask for another game, or agree to it; `view.rematch` is its table."""
        if self.view.rematch or self.wants_rematch:
            return
        await self._ask(Rematch(new_id()))

    async def next_table(self) -> "AsyncRemoteTable":
        """The table of the rematch that everybody agreed to, with one's seat there."""
        view = await self.wait(lambda view: bool(view.rematch))
        if view.you is None:
            return await self._client.table(view.rematch)
        seat = (view.you + 1) % len(view.seats)
        body = ClaimSeat(from_table=view.table)
        seated = await self._client._claim(view.rematch, seat, body, self.token)
        return await self._client.table(view.rematch, seated.token)

    async def rematch(self) -> "AsyncRemoteTable":
        """Ask for another game, wait for the others to agree, and go to its table."""
        await self.ask_rematch()
        return await self.next_table()

    async def leave(self) -> int:
        """Stand up before the beginning; afterwards it is a resignation."""
        return (await self._http.post(self._seat_path("leave"), None, Done, self.token)).v

    async def replace(self, level: int = 3) -> int:
        """Let an agent play on; this client watches from then on."""
        body = ReplaceSeat(level)
        return (await self._http.post(self._seat_path("replace"), body, Done, self.token)).v

    async def device(self) -> str:
        """A link for the same person elsewhere."""
        found = await self._http.post(self._seat_path("devices"), None, NewClaim, self.token)
        return found.url

    def _seat_path(self, what: str) -> str:
        if self.seat is None:
            raise Unauthorized("only who holds a seat may do that: join by an invitation")
        return f"/tables/{self.id}/seats/{self.seat}/{what}"

    async def record_text(self) -> str:
        """The record of a game that is over, as it is kept in files."""
        return await self._http.text(f"/tables/{self.id}/record", self.token)

    async def record(self) -> Record:
        """The record of a game that is over; the game must be installed here."""
        return Record.from_text(await self.record_text())

    async def analysis(
        self,
        ply: int | None = None,
        level: int | None = None,
        deeper: int = 0,
        shown: Sequence[int] = (),
    ) -> AnalysisFound:
        """What an agent of the server's thinks, the best or one of a level.

        With `deeper`, 1 to 3, the best looks twice as long each; actions that are `shown`
        already keep their order where nothing is clearly better.
        """
        body = AskAnalysis(self.id, ply, level, deeper, list(shown)[:MOST_SHOWN])
        return await self._http.post("/analysis", body, AnalysisFound, self.token, new_id())

    async def close(self) -> None:
        """Leave; the seat is kept for who comes back with the token."""
        await self.connection.close()


def new_id() -> str:
    """An id that nobody else has."""
    return uuid4().hex
