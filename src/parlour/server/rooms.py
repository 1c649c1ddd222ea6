"""All games of a server: found in memory or in the store, watched over, and forgotten again."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Coroutine
from typing import Any

from parlour.core.errors import GameLoadError, NotFound, OptionError, ParlourError
from parlour.protocol.errors import Closing, StoreUnavailable, Unauthorized
from parlour.protocol.json import encode
from parlour.protocol.messages import Closing as ClosingMessage
from parlour.server.clock import ServerClock, alive_seconds
from parlour.server.hosted import Hosted, Planned
from parlour.server.lobby import Lobby
from parlour.server.pool import AgentPool
from parlour.server.room import Room
from parlour.server.settings import Settings
from parlour.server.store import (
    AGENT_TO_ACT,
    Holder,
    NewGame,
    Run,
    Store,
)
from parlour.server.tokens import hash_of

log = logging.getLogger("parlour.server")

BEAT_SECONDS = 2.0
SWEEP_SECONDS = 1.0
HOUSEKEEPING_SECONDS = 600.0
RETRY_SECONDS = 1.0
NO_SEAT = (Unauthorized, NotFound, GameLoadError, OptionError)
"""Why a token is for no seat: there may be others that are."""


class Rooms:
    """The games that are in memory, and the way to all others."""

    def __init__(self, store: Store, settings: Settings, clock: ServerClock) -> None:
        """Nothing runs before `start`."""
        self.store = store
        self.settings = settings
        self.clock = clock
        self.pool = AgentPool(settings, clock.seconds)
        self.lobby = Lobby(self)
        self.is_closing = False
        self.is_storing = True
        """Whether the last beat could be stored."""
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._earlier: list[Run] = []
        self._broken: set[str] = set()
        self.secret = b""
        """The store's: from it is drawn what a seat is told in place of what it cannot know."""
        self._started = clock.now()

    async def start(self) -> None:
        """Begin to watch over the games; agents go on where they were left."""
        runs = await self.store.runs()
        self.secret = await self.store.secret()
        self._earlier = [run for run in runs if run.started < self._started]
        self.pool.start()
        self.lobby.start()
        self.spawn(self._repeat(BEAT_SECONDS, self._beat))
        self.spawn(self._repeat(SWEEP_SECONDS, self._sweep))
        self.spawn(self._repeat(HOUSEKEEPING_SECONDS, self._keep_house))
        self.spawn(self._resume_agents())

    def alive(self, since: int, now: int) -> float:
        """How many seconds of that time some server was alive: what counts on clocks."""
        return alive_seconds([*self._earlier, Run(self._started, now)], since, now)

    # Games.

    async def room(self, table: str) -> Room:
        """The game of that name; `NotFound`."""
        while True:
            room = self._rooms.get(table)
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
            room = Room(Hosted(kept, self.clock, self.alive), self)
        finally:
            # Here, not when the task is done: whoever then still found it would not wait.
            del self._loading[table]
        self._make_space()
        self._rooms[table] = room
        room.go_on()

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

    def forget(self, room: Room) -> None:
        """The store knows more than this room: the next who asks loads it anew."""
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

    def has_changed(self, room: Room, planned: Planned) -> None:
        """Something was stored for a game."""
        change = planned.change
        self.lobby.changed(room, change)
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
        room.check_holder(held.seat, held.epoch)
        return held

    @property
    def loaded(self) -> int:
        """How many games are in memory."""
        return len(self._rooms)

    def check_open(self) -> None:
        """`Closing` if the server shuts down."""
        if self.is_closing:
            raise Closing("the server shuts down, and is back soon")

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

    async def _repeat(self, seconds: float, work: "Any") -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except StoreUnavailable as error:
                log.warning("%s", error)
            except Exception:
                log.exception("work in the background went wrong, and is done again")

    async def _beat(self) -> None:
        try:
            await self.store.beat(self.clock.now())
        except StoreUnavailable:
            self.is_storing = False
            raise
        self.is_storing = True

    async def _sweep(self) -> None:
        """End what has run out of time in games that nobody looks at."""
        for table in await self.store.due(self.clock.now()):
            await self._each(table, "time_up")

    async def _each(self, table: str, deed: str) -> None:
        try:
            room = await self.room(table)
            work: Awaitable[None] = room.time_up() if deed == "time_up" else room.abandon()
            await work
        except StoreUnavailable:
            raise
        except Exception as error:
            # One game that cannot be gone on with must not stop the others, nor fill the log.
            if table not in self._broken:
                is_known = isinstance(error, ParlourError)
                log.warning("table %s: %s", table, error, exc_info=None if is_known else error)
                self._broken.add(table)
        else:
            self._broken.discard(table)

    async def _keep_house(self) -> None:
        now = self.clock.now()
        if self.settings.abandon:
            for table in await self.store.idle(now - self.settings.abandon * 1000):
                await self._each(table, "abandon")
        if self.settings.keep:
            erased = await self.store.erase(now - self.settings.keep * 1000)
            self._broken.difference_update(erased)
            for table in erased:
                room = self._rooms.get(table)
                if room is not None:
                    self.forget(room)
            if erased:
                log.info("%d old games were erased", len(erased))

    async def _resume_agents(self) -> None:
        """Load the games where an agent is to act, not faster than they think."""
        for table in await self.store.to_act(AGENT_TO_ACT):
            while self.pool.waiting >= self.settings.agent_queue:
                await asyncio.sleep(0.2)
            await self._each(table, "time_up")

    async def close(self) -> None:
        """Refuse what comes, finish what runs, tell everybody, and let go."""
        self.is_closing = True
        data = encode(ClosingMessage(self.settings.drain_seconds))
        for room in list(self._rooms.values()):
            async with room.lock:
                for member in list(room.members):
                    member.send(data)
            room.close()
        self.lobby.close(data)
        await self.pool.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await self.store.beat(self.clock.now())
        except StoreUnavailable as error:
            log.warning("%s", error)
        await self.store.close()
