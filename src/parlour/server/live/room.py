"""A live game and its connections: requests in, events out.

A request is authorized, planned and stored; then it is applied and sent to all connections
without waiting for any. Requests run one at a time. Other processes may serve the same game:
their stored changes are applied here as well.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from parlour import table
from parlour.core.errors import ContractError, NotFound, ParlourError, in_one_line
from parlour.protocol.errors import (
    Conflict,
    RateLimited,
    ServerClosing,
    StoreUnavailable,
    Unauthorized,
)
from parlour.protocol.json import encode
from parlour.protocol.messages import (
    Coach,
    Decline,
    Draw,
    Error,
    Frames,
    Play,
    Premove,
    Preview,
    Query,
    Rematch,
    Resign,
    Resync,
    Say,
    SeatRequest,
    Takeback,
    Why,
)
from parlour.server.live.audience import Audience, Member
from parlour.server.live.ephemeral import EphemeralState
from parlour.server.live.hosted import HostedGame, Planned
from parlour.server.live.turns import Turns
from parlour.server.live.views import Viewer, Views
from parlour.server.rates import current_address
from parlour.server.store.log_rows import SEATED, changes_in, check_log
from parlour.server.store.store import (
    AGENT_TO_ACT,
    ENDED,
    PERSON_TO_ACT,
    InDoubt,
    Outdated,
    RequestRow,
    StoredMoves,
)
from parlour.server.tokens import body_hash
from parlour.table import Event, EventKind

if TYPE_CHECKING:
    from parlour.server.live.rooms import Rooms

log = logging.getLogger("parlour.server")

T = TypeVar("T")

ATTEMPTS = 5
"""Maximum attempts when another process stores its change first."""
NOT_BECAUSE_BEHIND = (ServerClosing, Conflict, RateLimited, StoreUnavailable)
"""Refusals that changes of other processes cannot resolve."""
RESUMED_AT_MOST = 500
"""Maximum events in the welcome of a client that reconnects."""


ROOM_BYTES = 64 * 1024
EVENT_BYTES = 3 * 1024
"""Estimated memory of a game and of each of its events: measured 0.6 to 4 KB, states included."""


def estimated_bytes(v: int) -> int:
    """Return the estimated memory of a game with `v` events."""
    return ROOM_BYTES + v * EVENT_BYTES


class Room:
    """A game in memory and its connections."""

    def __init__(self, hosted: HostedGame, views: Views, rooms: "Rooms") -> None:
        """Start without connections."""
        self.hosted = hosted
        self.views = views
        self.audience = Audience(hosted, self.views, rooms)
        self.turns = Turns(self, rooms)
        self.is_unloaded = False
        """Whether it was unloaded. It then refuses changes; callers must use the reloaded room."""
        self.ephemeral = EphemeralState(self, rooms)
        self._rooms = rooms
        self.lock = asyncio.Lock()
        """Held while a change is planned and stored."""
        self._newest = hosted.v
        self._is_following = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it must stay in memory."""
        return bool(self.audience.members) or self.lock.locked() or self.turns.is_asked

    # Connections.

    def join(self, member: Member, known: int | None) -> None:
        """Send the welcome to a connection and add it."""
        viewer = member.viewer
        welcome = self.views.welcome(viewer, known, RESUMED_AT_MOST)
        if viewer is not None:
            welcome.said = list(self.ephemeral.said)
        welcome.chat = self._rooms.settings.chat
        member.send(encode(welcome))
        premove = None if viewer is None else self.ephemeral.premove_message(viewer)
        if premove is not None:
            member.send(premove)
        self.audience.join(member)
        if viewer is not None:
            self._rooms.pairing.joined(self)

    def leave(self, member: Member) -> None:
        """Remove a connection."""
        self.audience.leave(member)
        self._rooms.pairing.left(self)

    # Requests.

    def check_holder(self, seat: int, epoch: int) -> None:
        """Raise `Unauthorized` unless a token of that epoch is valid for the seat."""
        held = self.hosted.seat(seat)
        if held.kind != SEATED or held.epoch != epoch:
            raise Unauthorized("this seat is no longer yours")

    def answer(self, viewer: Viewer, epoch: int, asked: Query) -> Preview | Why | Frames | Coach:
        """Answer a query. Raise `ParlourError` if it is refused."""
        if viewer is not None:
            self.check_holder(viewer, epoch)
        return self.views.query(viewer, asked)

    async def execute(self, seat: int, epoch: int, message: SeatRequest) -> int:
        """Execute a seat's request. Return the version of its last event once it is stored.

        Raise `ParlourError` if it is refused. Idempotent: repeating it returns the same version.
        """
        self._rooms.check_open()
        request = _row(seat, epoch, message)
        async with self.lock:
            self._rooms.check_open()  # the shutdown may have started in the meantime
            return await self.retry_if_behind(lambda: self._execute(seat, epoch, message, request))

    async def retry_if_behind(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run work under the lock and return its result.

        If it is refused because of changes by other processes, apply them and try again.
        """
        for _ in range(ATTEMPTS):
            try:
                return await work()
            except NOT_BECAUSE_BEHIND:
                raise
            except ParlourError:
                if self.is_unloaded or not await self._apply_newer():
                    raise
        return await work()

    async def _execute(
        self, seat: int, epoch: int, message: SeatRequest, request: RequestRow
    ) -> int:
        self.check_holder(seat, epoch)
        done = self.ephemeral.done(request)
        if done is not None:
            return done
        if isinstance(message, Say):
            self.ephemeral.say(seat, message.text, request._replace(v=self.hosted.v))
            return self.hosted.v
        if isinstance(message, Premove):
            self.ephemeral.premove(seat, message, request._replace(v=self.hosted.v))
            return self.hosted.v
        await self._settle_clock()
        planned = self._planned(seat, message, request)
        if planned.change.new_game is not None:
            self._rooms.made.take(current_address.get())
        await self.commit(planned)
        return planned.change.after

    def _planned(
        self,
        seat: int,
        message: Play | Resign | Draw | Takeback | Rematch | Decline,
        request: RequestRow | None,
    ) -> Planned:
        try:
            return self.hosted.plan_message(seat, message, request)
        except ParlourError:
            raise
        except Exception as error:
            fields = {"game": self.hosted.game.name, "table": self.hosted.id, "seat": seat}
            log.exception("the code of a game failed", extra=fields)
            raise ContractError(
                f"{self.hosted.game.name} failed to handle the request: {in_one_line(error)}"
            ) from error

    async def _settle_clock(self) -> None:
        planned = self.hosted.plan_time_up()
        if planned is not None:
            await self.commit(planned)

    async def time_up(self) -> None:
        """End the turn if a clock has expired."""
        async with self.lock:
            await self.retry_if_behind(self._settle_clock)

    async def abandon(self, reason: str = "") -> bool:
        """End a game that is abandoned, or that the operator ends for a reason.

        Return false if it was already over.
        """

        async def work() -> bool:
            if self.hosted.row.status == ENDED:
                return False
            await self.commit(self.hosted.plan_abandon(reason))
            return True

        async with self.lock:
            return await self.retry_if_behind(work)

    async def play_for_agent(self, seat: int, action: int, v: int) -> None:
        """Play an agent's choice under `lock`, unless the version has changed."""

        async def work() -> None:
            if self.hosted.v == v:
                await self._settle_clock()
            if self.hosted.v == v:
                await self.commit(self.hosted.plan(seat, table.Play(action)))

        await self.retry_if_behind(work)

    # Changes.

    async def commit(self, planned: Planned) -> None:
        """Store a planned change under `lock`, then apply it."""
        if self.is_unloaded:
            raise Outdated("this table is being reloaded")
        self.hosted.check_growth(planned.change)
        metrics, began = self._rooms.metrics, self._rooms.clock.seconds()
        try:
            await self._rooms.store.commit(planned.change)
        except Outdated:
            self._newest = max(self._newest, self.hosted.v + 1)
            raise
        except InDoubt:
            self.note_version(planned.change.after)
            metrics.store_failures.inc()
            raise
        except StoreUnavailable:
            metrics.store_failures.inc()
            self._rooms.is_storing = False  # until the next heartbeat or change is stored
            raise
        except ParlourError:
            raise
        except BaseException:
            # Cancelled: the outcome is unknown, so check the store.
            self.note_version(planned.change.after)
            raise
        self._rooms.is_storing = True
        metrics.commits.observe(self._rooms.clock.seconds() - began)
        for event in planned.change.events:
            metrics.count_event(event.kind)
        self.hosted.accept(planned)
        self._after_change(planned, True)
        self.resume()

    def _after_change(self, planned: Planned, is_own: bool) -> None:
        self._newest = max(self._newest, self.hosted.v)
        events = planned.change.events
        self.audience.send_events(events)
        if planned.change.seats:
            self.audience.close_old_epochs()
        for event in events:
            if event.kind is EventKind.TAKEBACK:
                self.ephemeral.drop_premoves()
        self._rooms.after_change(self, planned, is_own)

    def resume(self) -> None:
        """Let the next player act: an agent, a premove or a clock."""
        if self.is_unloaded:
            return
        self._set_timer()
        if self.hosted.row.status == AGENT_TO_ACT:
            self.turns.begin()
        else:
            self._resume_without_agents()

    def _resume_without_agents(self) -> None:
        hosted = self.hosted
        if hosted.row.status == PERSON_TO_ACT:
            assert hosted.table is not None
            action = self.ephemeral.premoves.take(hosted.table.actor)
            if action is not None:
                self._rooms.spawn(self._premove(hosted.table.actor, action, hosted.ply))
        elif hosted.row.status == ENDED:
            self.ephemeral.premoves.drop_all()
            self._rooms.pool.drop(hosted.id)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self.hosted.row.deadline
        if deadline is not None:
            wait = max(0, deadline - self._rooms.clock.now()) / 1000 + 0.005
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(wait, lambda: self._rooms.spawn(self.time_up()))

    async def _premove(self, seat: int, action: int | str, ply: int) -> None:
        async def work() -> None:
            if self.hosted.ply != ply:
                raise Outdated("your turn has already passed")
            await self._settle_clock()
            play = Play(f"premove-{self.hosted.v}", ply, action)
            await self.commit(self._planned(seat, play, None))

        async with self.lock:
            try:
                await self.retry_if_behind(work)
            except ParlourError as error:
                self.ephemeral.clear_premove(seat, str(error))
            else:
                self.ephemeral.clear_premove(seat)

    # Changes of other processes.

    def note_version(self, v: int) -> None:
        """Note a version in the store; if there are connections, catch up soon."""
        self._newest = max(self._newest, v)
        if self.is_behind and not self._is_following and self.is_busy:
            self._is_following = True
            self._rooms.spawn(self.catch_up())

    def take_moves(self, moves: StoredMoves) -> bool:
        """Apply actions of another process, unless the store must be read. Return whether it did.

        It must if other changes come first, or if a request of this process is being stored.
        """
        hosted = self.hosted
        if hosted.v != moves.before or self.lock.locked() or self.is_unloaded or not self.is_busy:
            return False
        try:
            self._apply([list(moves.events)])
        except Exception as error:
            self._reload(error)
            return True
        hosted.sync_moves(moves)
        self._set_timer()
        self._resume_without_agents()
        return True

    @property
    def is_behind(self) -> bool:
        """Whether the store is known to have a newer version."""
        return self._newest > self.hosted.v

    async def catch_up(self) -> None:
        """Apply changes up to the newest known version."""
        try:
            async with self.lock:
                while self.is_behind and not self.is_unloaded:
                    await self._apply_newer()
        finally:
            self._is_following = False

    async def refresh(self) -> None:
        """Check the store for newer changes and apply them."""
        async with self.lock:
            if not self.is_unloaded:
                await self._apply_newer()

    async def _apply_newer(self) -> bool:
        """Apply changes by other processes. Return whether there were any."""
        hosted, announced = self.hosted, self._newest
        if not self.is_behind:
            versions = await self._rooms.store.versions([hosted.id])
            if versions.get(hosted.id) == hosted.v:
                return False
        kept = await self._rooms.store.load(hosted.id, hosted.v)
        if kept is None:
            self._rooms.unload_deleted(self)
            raise NotFound("no such table")
        if self._newest == announced:  # otherwise newer versions were announced
            self._newest = kept.row.v
        if not kept.events and kept.row.v <= hosted.v:
            return False
        try:
            check_log(kept, hosted.v)
            self._apply(list(changes_in(kept.events)))
        except Exception as error:
            self._reload(error)
            raise
        hosted.sync_rows(kept)
        self.audience.close_old_epochs()
        if not self.is_unloaded:
            self._set_timer()
            self._resume_without_agents()
        return True

    def _reload(self, error: Exception) -> None:
        """Unload the table because changes of another process could not be applied."""
        fields = {"table": self.hosted.id}
        log.error("a table is reloaded after an error", exc_info=error, extra=fields)
        self.send_resync("the table was reloaded")
        self._rooms.unload(self)

    def _apply(self, changes: list[list[Event]]) -> None:
        hosted = self.hosted
        for place, events in enumerate(changes, 1):
            planned = hosted.change_from(events)
            hosted.apply_remote(planned)
            self._after_change(planned, False)
            for event in events:
                if event.kind is EventKind.PLAY:
                    self.ephemeral.clear_played_premove(event.seat)
            is_passed = any(event.kind is EventKind.PLAY for event in chain(*changes[place:]))
            if is_passed and hosted.row.status == PERSON_TO_ACT:
                self.ephemeral.drop_missed_premove(hosted.row.actor)

    # Unloading.

    def send_resync(self, reason: str) -> None:
        """Ask all connections to reconnect."""
        self.audience.send_all(encode(Resync(reason)))

    def close(self) -> None:
        """Stop all activity after unloading."""
        self.is_unloaded = True
        self.audience.close()
        if self._timer is not None:
            self._timer.cancel()


def _row(seat: int, epoch: int, message: SeatRequest) -> RequestRow:
    """Return the row of a request: its id with type, and a hash of the message."""
    return RequestRow(seat, epoch, encode(message.id).decode(), body_hash(encode(message)), 0)


def refusal(error: ParlourError, room: Room | None, id: int | str | None = None) -> Error:
    """Return the error message for a refused request."""
    return Error(
        code=error.code,
        message=str(error),
        id=id,
        v=None if room is None else room.hosted.v,
        ply=None if room is None else room.hosted.ply,
        retry_after=getattr(error, "retry_after", None),
    )
