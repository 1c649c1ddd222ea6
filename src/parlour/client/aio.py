"""Tables on a server, for programs with an event loop."""

import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from uuid import uuid4

import httpx

from parlour.client.connection import ConnectedTable, TableConnection
from parlour.client.errors import BadLink
from parlour.client.http import Http
from parlour.client.links import Link, base_of
from parlour.client.retry import Retry
from parlour.client.view import WAITING, TableView
from parlour.core.errors import NotFound
from parlour.core.record import Record
from parlour.protocol.errors import NotYourSeat, Unauthorized
from parlour.protocol.limits import SHOWN_LINES
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
    AnalysisFound,
    AskAnalysis,
    ClaimSeat,
    Done,
    EventsAfter,
    FindGame,
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
    """A server's client: creates tables and joins them.

        async with AsyncClient("https://games.example.org") as client:
            table = await client.create("octa", seats=["me", 3])
            while await table.turn():
                await table.play(table.scene.actions[0].action)

    Every method raises `ParlourError` with the server's error code if it is refused, and
    `Unreachable` after as many failures as `retry` allows.
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
        self.base = base_of(url)
        self.retry = retry or Retry()
        self._now = now
        self._http = Http(self.base, self.retry, transport)
        self._tables: list[AsyncRemoteTable] = []

    async def games(self) -> list[GameInfo]:
        """Return the games that the server offers."""
        return (await self._http.get("/games", Games)).games

    async def tables(self) -> list[TableInfo]:
        """Return the public tables."""
        return (await self._http.get("/tables", TableList, listed="1")).tables

    async def mine(self, tokens: Sequence[str]) -> list[TableInfo]:
        """Return the tables of these tokens; invalid tokens are ignored."""
        token = ",".join(tokens)
        return (await self._http.get("/tables", TableList, token, mine="1")).tables

    async def info(self, table: str, token: str = "") -> TableState:
        """Return the state of a table without joining it."""
        return await self._http.get(f"/tables/{table}", TableState, token)

    async def events(self, table: str, after: int = 0, token: str = "") -> list[EventView]:
        """Return a table's events after version `after`, oldest first, without joining it."""
        found: list[EventView] = []
        while True:
            path = f"/tables/{table}/events"
            page = await self._http.get(path, EventsAfter, token, after=str(after))
            found += page.events
            if not page.more:
                return found
            after = page.v

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
        """Create a table and join it. Its `invitations` are links for the other players.

        Each of `seats` is `me`, `open` or the level of an agent, 1 to 9; missing seats are open.
        Without `me` this client is a spectator. `record` is the text of a game to resume.
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
            # With a seed the game can be repeated, so nothing random may enter it.
            nonce=nonce or ("" if seed is not None else new_nonce()),
            record=record,
        )
        made = await self._http.post("/tables", wish, MadeTable, key=new_id())
        table = await self.table(made.table, made.token)
        table.invitations = tuple(made.invitations)
        return table

    async def join(self, url: str, name: str = "", nonce: str = "") -> "AsyncRemoteTable":
        """Follow a link: take the seat of an invitation, or watch with any other link."""
        link = Link.from_text(url)
        if link.base != self.base:
            raise BadLink(f"this link leads to {link.base}, not to {self.base}")
        if link.seat is None:
            return await self.table(link.table)
        return await self.sit_down(link.table, link.seat, name, link.claim, nonce)

    async def sit_down(
        self, table: str, seat: int, name: str = "", claim: str = "", nonce: str = ""
    ) -> "AsyncRemoteTable":
        """Take a seat. Without a claim, it must be an open seat at a public table."""
        seated = await self._claim(table, seat, ClaimSeat(claim, name, nonce or new_nonce()))
        return await self.table(table, seated.token)

    async def find(
        self,
        game: str,
        *,
        options: Mapping[str, object] | None = None,
        clock: str = "",
        name: str = "",
        nonce: str = "",
    ) -> "AsyncRemoteTable":
        """Play with the next people who want the same game, options and clock.

        Wait until all seats are taken and return the table. The place is freed if this is
        cancelled, or if the connection is lost for longer than a few seconds.
        """
        wish = FindGame(game, dict(options or {}), clock, name, nonce or new_nonce())
        while True:
            seated = await self._http.post("/pairing", wish, Seated, key=new_id())
            try:
                table = await self.table(seated.table, seated.token)
                try:
                    view = await table.wait(lambda view: view.status != WAITING)
                    if view.scene is not None:
                        return table
                except BaseException:
                    await table.close()
                    raise
                await table.close()  # the server ended it after a lost connection: look again
            except (NotFound, NotYourSeat, Unauthorized):
                continue  # the place was freed

    async def _claim(self, table: str, seat: int, body: ClaimSeat, token: str = "") -> Seated:
        return await self._http.post(f"/tables/{table}/seats/{seat}/claim", body, Seated, token)

    async def table(self, table: str, token: str = "") -> "AsyncRemoteTable":
        """Return to a seat with its token, or watch without one."""
        connection = TableConnection(self.base, table, token, self.retry, self._now)
        await connection.start()
        joined = AsyncRemoteTable(self, self._http, connection, token)
        self._tables.append(joined)
        return joined

    async def close(self) -> None:
        """Leave all tables. Seats stay reserved."""
        while self._tables:
            await self._tables.pop().close()
        await self._http.close()

    async def __aenter__(self) -> "AsyncClient":
        """Enter a context that closes the client."""
        return self

    async def __aexit__(self, *failure: object) -> None:
        """Close the client."""
        await self.close()


class AsyncRemoteTable(ConnectedTable):
    """A table on a server, as one seat or a spectator sees it.

    Its properties are always up to date, and it reconnects on its own.

        async for event in table.events():
            print(event.sentence)
    """

    def __init__(
        self, client: AsyncClient, http: Http, connection: TableConnection, token: str
    ) -> None:
        """Create a table; clients do this."""
        super().__init__(connection, token)
        self._client = client
        self._http = http

    # Events.

    async def wait(self, holds: Callable[[TableView], bool]) -> TableView:
        """Wait until `holds(view)` is true and return the view."""
        await self.connection.wait_for(lambda: holds(self.view))
        return self.view

    async def wait_for_news(self, known: int) -> None:
        """Wait until the log has more than `known` entries."""
        await self.connection.wait_for(lambda: len(self.connection.log) > known)

    async def turn(self) -> bool:
        """Wait for your turn. Return `False` if the game is over instead."""
        return not (await self.wait(lambda view: view.is_my_turn or view.is_over)).is_over

    async def events(self) -> AsyncIterator[EventView]:
        """Iterate over the events from now until the game is over."""
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

    # Requests.

    async def _ask(self, request: SeatRequest) -> int:
        if self.seat is None:
            raise Unauthorized("you need a seat at this table: join with an invitation")
        return await self.connection.ask(request)

    async def play(self, action: int | str, ply: int | None = None) -> int:
        """Play an action, given as its id or its text. Return the resulting version.

        The action is meant for the current position, or for the position at `ply`. Raise
        `StaleEvents` if the game has moved on.
        """
        at = self.view.ply if ply is None else ply
        return await self._ask(Play(new_id(), at, action))

    async def resign(self) -> int:
        """Resign."""
        return await self._ask(Resign(new_id()))

    async def draw(self) -> int:
        """Offer a draw, or agree to one."""
        return await self._ask(Draw(new_id()))

    async def takeback(self) -> int:
        """Ask to take back your last action, or agree to a takeback."""
        return await self._ask(Takeback(new_id()))

    async def decline(self, offer: OfferName) -> int:
        """Decline a `draw`, `takeback` or `rematch`, or withdraw your own offer."""
        return await self._ask(Decline(new_id(), offer))

    async def say(self, text: str) -> int:
        """Send a chat message to the table."""
        return await self._ask(Say(new_id(), text))

    async def premove(self, action: int | str | None) -> int:
        """Set an action to play on your next turn if it is legal then; `None` clears it."""
        return await self._ask(Premove(new_id(), action))

    async def ask_rematch(self) -> None:
        """Ask for a rematch after the end, or agree to one; its table is then `view.rematch`."""
        if self.view.rematch or self.wants_rematch:
            return
        await self._ask(Rematch(new_id()))

    async def next_table(self) -> "AsyncRemoteTable":
        """Wait for an agreed rematch, take your seat at its table and return the table."""
        view = await self.wait(lambda view: bool(view.rematch))
        if view.you is None:
            return await self._client.table(view.rematch)
        seat = (view.you + 1) % len(view.seats)
        body = ClaimSeat(from_table=view.table)
        seated = await self._client._claim(view.rematch, seat, body, self.token)
        return await self._client.table(view.rematch, seated.token)

    async def rematch(self) -> "AsyncRemoteTable":
        """Ask for a rematch, wait until the others agree, and return its table."""
        await self.ask_rematch()
        return await self.next_table()

    async def leave(self) -> int:
        """Leave the table: frees the seat before the start, resigns after it."""
        return (await self._http.post(self._seat_path("leave"), None, Done, self.token)).v

    async def replace(self, level: int = 3) -> int:
        """Hand the seat to an agent of this level and become a spectator."""
        body = ReplaceSeat(level)
        return (await self._http.post(self._seat_path("replace"), body, Done, self.token)).v

    async def device(self) -> str:
        """Return a link that opens this seat on another device."""
        found = await self._http.post(self._seat_path("devices"), None, NewClaim, self.token)
        return found.url

    def _seat_path(self, what: str) -> str:
        if self.seat is None:
            raise Unauthorized("you need a seat at this table: join with an invitation")
        return f"/tables/{self.id}/seats/{self.seat}/{what}"

    async def record_text(self) -> str:
        """Return the text of a finished game's record."""
        return await self._http.text(f"/tables/{self.id}/record", self.token)

    async def record(self) -> Record:
        """Return the record of a finished game. The game must be installed here."""
        return Record.from_text(await self.record_text())

    async def analysis(
        self,
        ply: int | None = None,
        level: int | None = None,
        deeper: int = 0,
        shown: Sequence[int] = (),
    ) -> AnalysisFound:
        """Return the evaluation of an agent on the server: the best one, or one of `level`.

        Each step of `deeper`, 1 to 3, doubles the search of the best agent. The actions in `shown`
        keep their order unless another is clearly better.
        """
        body = AskAnalysis(
            self.id, ply, level=level, deeper=deeper, shown=list(shown)[:SHOWN_LINES]
        )
        return await self._http.post("/analysis", body, AnalysisFound, self.token, new_id())

    async def close(self) -> None:
        """Disconnect. The seat stays reserved for the holder of the token."""
        await self.connection.close()


def new_nonce() -> str:
    """Return an unguessable contribution to chance."""
    return secrets.token_urlsafe(16)


def new_id() -> str:
    """Return a unique id."""
    return uuid4().hex
