"""All games of a server: found in memory or in the store, watched over, and forgotten again."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any

from parlour.core.errors import GameLoadError, NotFound, OptionError, ParlourError
from parlour.protocol.errors import ServerClosing, StoreUnavailable, Unauthorized
from parlour.protocol.json import encode
from parlour.protocol.messages import Closing
from parlour.server.admin.tuning import LimitTuning
from parlour.server.clock import ServerClock, alive_seconds
from parlour.server.cluster.peers import Leases, Peers
from parlour.server.cluster.whispers import Here, Listed
from parlour.server.live.hosted import HostedGame, Planned
from parlour.server.live.lobby import Lobby
from parlour.server.live.pool import AgentPool
from parlour.server.live.room import Room
from parlour.server.live.upkeep import Upkeep
from parlour.server.metrics import Metrics
from parlour.server.settings import Settings
from parlour.server.store.store import (
    AGENT_TO_ACT,
    ENDED,
    Heard,
    Holder,
    NewGame,
    Run,
    Store,
)
from parlour.server.tokens import hash_of

log = logging.getLogger("parlour.server")

RETRY_SECONDS = 1.0
NO_SEAT = (Unauthorized, NotFound, GameLoadError, OptionError)
"""Why a token is for no seat: there may be others that are."""


class Rooms:
    """The games that are in memory, and the way to all others."""

    def __init__(
        self, store: Store, settings: Settings, clock: ServerClock, metrics: Metrics | None = None
    ) -> None:
        """Nothing runs before `start`."""
        self.store = store
        self.metrics = metrics or Metrics()
        self.tuning = LimitTuning(settings)
        self.settings = self.tuning.settings
        """As they are now: `tune` replaces them."""
        self.clock = clock
        self.pool = AgentPool(self.settings, clock.seconds, self.metrics)
        store.watch(self.metrics.transaction)
        self.started = clock.now()
        self.peers = Peers(self)
        self.leases = Leases(self)
        self.lobby = Lobby(self)
        self.upkeep = Upkeep(self)
        self.is_closing = False
        self.is_storing = True
        """Whether the last beat could be stored."""
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._news: dict[str, int] = {}
        self._runs: list[Run] = []
        self.secret = b""
        """The store's: from it is drawn what a seat is told in place of what it cannot know."""

    async def start(self) -> None:
        """Begin to watch over the games; agents go on where they were left."""
        self.secret = await self.store.secret()
        await self.tune()
        self.store.listen(self._hear)
        await self.peers.start()
        await self.read_runs()
        self.pool.start()
        self.lobby.start()
        self.upkeep.start()

    async def tune(self) -> None:
        """Adopt the limits that an operator has set, in whichever process that was."""
        if self.tuning.adopt(await self.store.settings()):
            self.settings = self.tuning.settings
            self.pool.adopt(self.settings)

    async def read_runs(self) -> None:
        """Read when servers were alive."""
        self._runs = await self.store.runs()

    def alive(self, since: int, now: int) -> float:
        """How many seconds of that time some server was alive: what counts on clocks."""
        own = Run(self.started, now)
        return alive_seconds([*self._runs, *self.peers.runs(), own], since, now)

    def _hear(self, heard: Heard) -> None:
        """Another process has stored or said something."""
        table = heard.game
        if heard.words:
            self.metrics.heard("whisper")
            self.peers.hear(table, heard.words)
            return
        self.metrics.heard("change")
        if table in self._loading:
            # It may have been read just before.
            self._news[table] = max(heard.v, self._news.get(table, 0))
        room = self._rooms.get(table)
        if room is not None:
            room.learn(heard.v)
        if room is None or not room.audience.members:
            self.lobby.hear(table, heard.v)

    # Games.

    async def room(self, table: str) -> Room:
        """The game of that name; `NotFound`."""
        while True:
            room = self._rooms.get(table)
            if room is not None and room.is_behind:
                await room.follow()
                continue
            if room is not None:
                self._rooms.move_to_end(table)
                return room
            task = self._loading.get(table)
            if task is None:
                task = self._loading[table] = asyncio.create_task(self._load(table))
            # Before this goes on the room may have had to leave the memory again.
            await asyncio.shield(task)

    async def _load(self, table: str) -> None:
        try:
            kept = await self.store.load(table)
            if kept is None:
                raise NotFound("there is no such table")
            room = Room(HostedGame(kept, self.clock, self.alive), self)
        finally:
            # Here, not when the task is done: whoever then still found it would not wait.
            del self._loading[table]
            newest = self._news.pop(table, 0)
        self._make_space()
        self._rooms[table] = room
        room.go_on()
        room.learn(newest)

    def _make_space(self) -> None:
        """Forget the games that nobody has asked for longest, for one more."""
        spare = len(self._rooms) + 1 - self.settings.rooms
        if spare <= 0:
            return
        for table in list(self._rooms):
            if spare <= 0:
                return
            room = self._rooms[table]
            if not room.is_busy:
                room.close()
                del self._rooms[table]
                spare -= 1

    def in_memory(self, table: str) -> Room | None:
        """The game of that name, if it is in memory."""
        return self._rooms.get(table)

    def all_in_memory(self) -> list[Room]:
        """All games that are."""
        return list(self._rooms.values())

    def visited(self) -> list[Here]:
        """Who looks at the tables of this process."""
        visited = [room.audience for room in self._rooms.values() if room.audience.members]
        return sorted((audience.here() for audience in visited), key=lambda here: here.table)

    def erased(self, room: Room) -> None:
        """A game is not in the store any more."""
        self.forget(room)
        room.vanish("the game was erased")

    def forget(self, room: Room) -> None:
        """Let go of a game: the next who asks loads it anew."""
        if self._rooms.get(room.hosted.id) is room:
            del self._rooms[room.hosted.id]
        room.close()

    async def create(self, new: NewGame) -> None:
        """Keep a new game, and let it begin."""
        self.check_open()
        await self.store.create(new)
        await self._begun(new)

    async def _begun(self, new: NewGame) -> None:
        if new.row.status == AGENT_TO_ACT:
            await self.room(new.row.id)
        if new.row.visibility == "listed":
            self.lobby.touch()
            self.peers.tell("", Listed())

    def has_changed(self, room: Room, planned: Planned, is_own: bool) -> None:
        """Something was stored for a game, by this process or by another one."""
        change = planned.change
        self.lobby.changed(room, change)
        is_listed = room.hosted.row.visibility == "listed"
        if is_own and is_listed and (change.seats or change.status == ENDED):
            self.peers.tell("", Listed())
        if change.new_game is not None:
            self.spawn(self._begun(change.new_game))

    def try_later(self, room: Room) -> None:
        """An agent's action could not be stored: let it act again in a while."""
        asyncio.get_running_loop().call_later(RETRY_SECONDS, room.go_on)

    async def holder(self, token: str) -> Holder:
        """What a token is for; `Unauthorized` if it is not one, or no more."""
        if not token:
            raise Unauthorized("there is no token")
        held = await self.store.holder(hash_of(token))
        if held is None:
            raise Unauthorized("this token is not valid")
        room = await self.room(held.game)
        try:
            room.check_holder(held.seat, held.epoch)
        except Unauthorized:
            await room.look()  # the seat may have been taken in another process
            (await self.room(held.game)).check_holder(held.seat, held.epoch)
        return held

    @property
    def loaded(self) -> int:
        """How many games are in memory."""
        return len(self._rooms)

    def check_open(self) -> None:
        """`Closing` if the server shuts down."""
        if self.is_closing:
            raise ServerClosing("the server shuts down, and is back soon")

    # Work in the background.

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Let that go on by itself; what goes wrong is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            error = task.exception()
            if isinstance(error, ParlourError):
                log.warning("work in the background was refused: %s", error)
            else:
                log.error("work in the background went wrong", exc_info=error)

    def is_broken(self, table: str, error: Exception) -> None:
        """A game could not be gone on with."""
        self.upkeep.is_broken(table, error)

    async def close(self) -> None:
        """Refuse what comes, finish what runs, tell everybody, and let go."""
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
            await self.store.beat(self.clock.now())
        except StoreUnavailable as error:
            log.warning("%s", error)
        await self.store.close()
