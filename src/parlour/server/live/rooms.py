"""All games of a server: loaded from the store on demand, kept up to date and unloaded again."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any

from parlour.core.errors import GameLoadError, NotFound, OptionError, ParlourError
from parlour.protocol.errors import ServerClosing, StoreUnavailable, Unauthorized
from parlour.protocol.json import encode
from parlour.protocol.limits import GAME_PLIES, TABLE_ASIDES
from parlour.protocol.messages import Closing
from parlour.server import costs
from parlour.server.admin.tuning import LimitTuning
from parlour.server.clock import ServerClock, alive_seconds
from parlour.server.cluster.peer_messages import ListingChanged, TablePresence
from parlour.server.cluster.peers import Leases, Peers
from parlour.server.live.background import Background
from parlour.server.live.hosted import HostedGame, Planned
from parlour.server.live.housekeeping import Housekeeping
from parlour.server.live.lobby import Lobby
from parlour.server.live.pairing import Pairing
from parlour.server.live.pool import AgentPool
from parlour.server.live.room import Room, estimated_bytes
from parlour.server.live.views import Views
from parlour.server.metrics import Metrics
from parlour.server.rates import Buckets, current_address
from parlour.server.settings import Settings
from parlour.server.store.store import (
    AGENT_TO_ACT,
    ENDED,
    DamagedGame,
    Holder,
    KeptGame,
    NewGame,
    Notification,
    Run,
    Store,
)
from parlour.server.tokens import hash_of
from parlour.table.errors import Busy

log = logging.getLogger("parlour.server")

RETRY_SECONDS = 1.0
LONG = 500
"""Games with more events are not loaded while the memory is full of games with connections."""
NO_SEAT = (Unauthorized, NotFound, GameLoadError, OptionError, DamagedGame)
"""Errors that mean that a token has no seat; other tokens may still have one."""


class Rooms:
    """The games in memory, and access to all others."""

    def __init__(
        self, store: Store, settings: Settings, clock: ServerClock, metrics: Metrics | None = None
    ) -> None:
        """Create it stopped; call `start`."""
        self.store = store
        self.metrics = metrics or Metrics()
        self.tuning = LimitTuning(settings)
        self.settings = self.tuning.settings
        """Current settings, replaced by `tune`."""
        self.clock = clock
        self.work = Buckets(self.tuning.rates["work"], "requests", clock.seconds)
        """CPU milliseconds of each address."""
        self.made = Buckets(self.tuning.rates["tables"], "new tables", clock.seconds)
        self.pool = AgentPool(self.settings, clock.seconds, self.metrics)
        store.watch(self.metrics.transaction)
        self.started = clock.now()
        self.peers = Peers(self)
        self.leases = Leases(self)
        self.lobby = Lobby(self)
        self.pairing = Pairing(self)
        self.housekeeping = Housekeeping(self)
        self.is_closing = False
        self.is_storing = True
        """Whether the last heartbeat or change was stored."""
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._announced: dict[str, int] = {}
        self._runs: list[Run] = []
        self._background = Background()
        self.in_background = self._background.run
        """Runs work whose duration grows with a game outside the event loop."""
        self.secret = b""
        """The store's secret, which generates the hidden information in a seat's view."""

    async def start(self) -> None:
        """Start housekeeping and resume the turns of agents."""
        self.secret = await self.store.secret()
        await self.tune()
        self.store.listen(self._receive)
        await self.peers.start()
        await self.read_runs()
        await self.housekeeping.check_clock()
        await self.pairing.start()
        self.pool.start()
        self.lobby.start()
        self.housekeeping.start()

    async def tune(self) -> None:
        """Apply the limits that an operator has tuned in any process."""
        if self.tuning.adopt(await self.store.settings()):
            self.settings = self.tuning.settings
            self.pool.adopt(self.settings)

    async def read_runs(self) -> None:
        """Read the periods in which servers were alive."""
        self._runs = await self.store.runs()

    def alive(self, since: int, now: int) -> float:
        """Return the seconds of a period in which a server was alive, so that clocks ran."""
        own = Run(self.started, now)
        return alive_seconds([*self._runs, *self.peers.runs(), own], since, now)

    def _receive(self, received: Notification) -> None:
        """Handle a notification from another process."""
        table = received.game
        if received.words:
            self.metrics.count_notification("message")
            self.peers.receive(table, received.words)
            return
        self.metrics.count_notification("change")
        if table in self._loading:
            # The game may have been read before this change.
            self._announced[table] = max(received.v, self._announced.get(table, 0))
        room = self._rooms.get(table)
        if room is not None and not (received.moves and room.take_moves(received.moves)):
            room.note_version(received.v)
        if room is None or not room.audience.members:
            self.lobby.notice_change(table, received.v)

    # Games.

    async def room(self, table: str) -> Room:
        """Return the room of a table, loading it if necessary. Raise `NotFound` if unknown."""
        while True:
            room = self._rooms.get(table)
            if room is not None and room.is_behind:
                await room.catch_up()
                continue
            if room is not None:
                self._rooms.move_to_end(table)
                return room
            task = self._loading.get(table)
            if task is None:
                task = self._loading[table] = asyncio.create_task(self._load(table))
            # Loop: the room may have been unloaded again by the time this resumes.
            await asyncio.shield(task)

    async def _load(self, table: str) -> None:
        try:
            kept = await self.store.load(table)
            if kept is None:
                raise NotFound("no such table")
            if current_address.get():
                self.work.of(current_address.get()).charge(costs.EVENT * kept.row.v)
            self._check_memory(kept.row.v)
            hosted, views = await self.in_background(self._rebuilt, kept)
            hosted.charge_clocks()
            room = Room(hosted, views, self)
        except DamagedGame as error:
            self.mark_broken(table, error)
            raise
        finally:
            # Delete it here, not in a done callback, so that no caller finds a finished task.
            del self._loading[table]
            newest = self._announced.pop(table, 0)
        self._rooms[table] = room
        self.make_space()
        room.resume()
        room.note_version(newest)

    def _rebuilt(self, kept: KeptGame) -> tuple[HostedGame, Views]:
        """Rebuild a game from its log; this runs in a thread."""
        hosted = HostedGame(kept, self.clock, self.alive)
        views = Views(hosted, self.secret)
        views.prepare()
        return hosted, views

    @property
    def _memory(self) -> int:
        """The estimated bytes of all games in memory."""
        return sum(estimated_bytes(room.hosted.v) for room in self._rooms.values())

    def _check_memory(self, v: int) -> None:
        """Raise `Busy` for a long game if it does not fit beside the games with connections.

        The longest game that the limits allow always fits alone.
        """
        if v <= LONG:
            return
        most = self.settings.room_memory << 20
        lengths = (room.hosted.v for room in self._rooms.values() if room.is_busy)
        busy = sum(map(estimated_bytes, lengths))
        if busy and busy + estimated_bytes(v) > most:
            raise Busy("the games in memory are too large to load another long one: try later")
        if estimated_bytes(v) > max(most, estimated_bytes(GAME_PLIES + TABLE_ASIDES)):
            raise Busy("this game is too long to load: the operator can raise --room-memory")

    def make_space(self) -> None:
        """Unload the least recently used idle games while there are too many or too large ones."""
        most = self.settings.room_memory << 20
        spare, extra = len(self._rooms) - self.settings.rooms, self._memory - most
        newest = next(reversed(self._rooms), "")
        for table in list(self._rooms) if spare > 0 or extra > 0 else ():
            if spare <= 0 and extra <= 0:
                return
            room = self._rooms[table]
            if not room.is_busy and table != newest:
                room.close()
                del self._rooms[table]
                spare -= 1
                extra -= estimated_bytes(room.hosted.v)

    def in_memory(self, table: str) -> Room | None:
        """Return the room of a table if it is in memory."""
        return self._rooms.get(table)

    def all_in_memory(self) -> list[Room]:
        """Return all rooms in memory."""
        return list(self._rooms.values())

    def presences(self) -> list[TablePresence]:
        """Return the presence at the tables of this process."""
        visited = [room.audience for room in self._rooms.values() if room.audience.members]
        return sorted((audience.presence() for audience in visited), key=lambda here: here.table)

    def unload_deleted(self, room: Room) -> None:
        """Unload a game that was deleted from the store."""
        self.unload(room)
        room.send_resync("the game was deleted")

    def unload(self, room: Room) -> None:
        """Unload a game; the next request loads it again."""
        if self._rooms.get(room.hosted.id) is room:
            del self._rooms[room.hosted.id]
        room.close()

    async def create(self, new: NewGame) -> None:
        """Store a new game and start it."""
        self.check_open()
        await self.store.create(new)
        await self._begun(new)

    async def _begun(self, new: NewGame) -> None:
        if new.row.status == AGENT_TO_ACT:
            await self.room(new.row.id)
        if new.row.visibility == "listed":
            self.lobby.touch()
            self.peers.broadcast("", ListingChanged())

    def after_change(self, room: Room, planned: Planned, is_own: bool) -> None:
        """Update lobby and peers after a change by this or another process."""
        change = planned.change
        self.lobby.changed(room, change)
        is_listed = room.hosted.row.visibility == "listed"
        if is_own and is_listed and (change.seats or change.status == ENDED):
            self.peers.broadcast("", ListingChanged())
        if change.new_game is not None:
            self.spawn(self._begun(change.new_game))

    def retry_later(self, room: Room) -> None:
        """Retry an agent's action that could not be stored."""
        asyncio.get_running_loop().call_later(RETRY_SECONDS, room.resume)

    async def holder(self, token: str) -> Holder:
        """Return the seat that a token is for. Raise `Unauthorized` if it is not valid."""
        if not token:
            raise Unauthorized("the token is missing")
        held = await self.store.holder(hash_of(token))
        if held is None:
            raise Unauthorized("this token is not valid")
        room = await self.room(held.game)
        try:
            room.check_holder(held.seat, held.epoch)
        except Unauthorized:
            await room.refresh()  # the seat may have been claimed in another process
            (await self.room(held.game)).check_holder(held.seat, held.epoch)
        return held

    @property
    def loaded(self) -> int:
        """The number of games in memory."""
        return len(self._rooms)

    def check_open(self) -> None:
        """Raise `ServerClosing` if the server is shutting down."""
        if self.is_closing:
            raise ServerClosing("the server is shutting down and will be back soon")

    # Background tasks.

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a background task; its errors are logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            error = task.exception()
            if isinstance(error, ParlourError):
                log.warning("a background task was refused: %s", error)
            else:
                log.error("a background task failed", exc_info=error)

    def mark_broken(self, table: str, error: Exception) -> None:
        """Report a game whose play cannot continue."""
        self.housekeeping.mark_broken(table, error)

    async def close(self) -> None:
        """Refuse new requests, finish running ones, notify all connections and close the store."""
        self.is_closing = True
        data = encode(Closing(self.settings.drain_seconds))
        for room in list(self._rooms.values()):
            async with room.lock:
                room.audience.send_all(data)
            room.close()
        self.lobby.close(data)
        await self.pool.close()
        await self.peers.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await self.store.beat(self.clock.now(), self.housekeeping.is_clock_trusted)
        except StoreUnavailable as error:
            log.warning("%s", error)
        self._background.close()
        await self.store.close()
