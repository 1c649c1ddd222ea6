"""One live game with everybody who looks at it: requests in, events out.

A request is authorised, planned, stored, and only then let happen and told: to everybody in
one go, without waiting for anybody. One request is carried out at a time. Other processes may
have the same game: what they store is followed, and happens here as it happened there.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from parlour import table
from parlour.core.errors import ContractError, NotFound, ParlourError, in_one_line
from parlour.core.record import Record
from parlour.protocol.errors import (
    Conflict,
    RateLimited,
    ServerClosing,
    StoreUnavailable,
    Unauthorized,
)
from parlour.protocol.json import encode
from parlour.protocol.messages import (
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
from parlour.server.live.hosted import HostedGame, Planned
from parlour.server.live.passing import Passing
from parlour.server.live.turns import Turns
from parlour.server.live.views import Viewer, Views
from parlour.server.store.log_rows import SEATED, changes_in
from parlour.server.store.store import (
    AGENT_TO_ACT,
    ENDED,
    PERSON_TO_ACT,
    InDoubt,
    Outdated,
    RequestRow,
)
from parlour.server.tokens import body_hash
from parlour.table import Event, EventKind

if TYPE_CHECKING:
    from parlour.server.live.rooms import Rooms

log = logging.getLogger("parlour.server")

T = TypeVar("T")

ATTEMPTS = 5
"""So often something is tried again because another process was quicker."""
NOT_BECAUSE_BEHIND = (ServerClosing, Conflict, RateLimited, StoreUnavailable)
"""Refusals that no news from another process could turn round."""
RESUMED_AT_MOST = 500
"""The most events that a welcome lists for a client that reconnects."""


class Room:
    """A game in memory, and those who are connected to it."""

    def __init__(self, hosted: HostedGame, rooms: "Rooms") -> None:
        """Nobody is here yet."""
        self.hosted = hosted
        self.views = Views(hosted, rooms.secret)
        self.audience = Audience(hosted, self.views, rooms)
        self.turns = Turns(self, rooms)
        self.is_gone = False
        """Whether it has left the memory: whoever still holds it can change nothing, and must
        take the one that was loaded anew."""
        self.passing = Passing(self, rooms)
        self._rooms = rooms
        self.lock = asyncio.Lock()
        """Held while something is planned and stored."""
        self._newest = hosted.v
        self._is_following = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it must stay in memory."""
        return bool(self.audience.members) or self.lock.locked() or self.turns.is_asked

    # Who is here.

    def join(self, member: Member, known: int | None) -> None:
        """Welcome somebody; from now on it is told of everything."""
        viewer = member.viewer
        welcome = self.views.welcome(viewer, known, RESUMED_AT_MOST)
        if viewer is not None:
            welcome.said = list(self.passing.said)
        welcome.chat = self._rooms.settings.chat
        member.send(encode(welcome))
        premove = None if viewer is None else self.passing.show_to(viewer)
        if premove is not None:
            member.send(premove)
        self.audience.join(member)

    # What is asked for.

    def check_holder(self, seat: int, epoch: int) -> None:
        """`Unauthorized` unless a token of that epoch still speaks for the seat."""
        held = self.hosted.seat(seat)
        if held.kind != SEATED or held.epoch != epoch:
            raise Unauthorized("this seat is not yours any more")

    def answer(self, viewer: Viewer, epoch: int, asked: Query) -> Preview | Why | Frames:
        """What somebody wants to know; `ParlourError` where there is no answer."""
        if viewer is not None:
            self.check_holder(viewer, epoch)
        return self.views.query(viewer, asked)

    async def ask(self, seat: int, epoch: int, message: SeatRequest) -> int:
        """Carry a request of a seat out: the version of its last event, once it is stored.

        `ParlourError` if it is refused. The same request again gives the same answer.
        """
        self._rooms.check_open()
        request = _row(seat, epoch, message)
        async with self.lock:
            self._rooms.check_open()  # it may have begun to close meanwhile
            return await self.up_to_date(lambda: self._asked(seat, epoch, message, request))

    async def up_to_date(self, work: Callable[[], Awaitable[T]]) -> T:
        """What the work gives, done under the lock.

        Where it is refused because another process was quicker, or because this one had not
        heard of something yet, it is done again.
        """
        for _ in range(ATTEMPTS):
            try:
                return await work()
            except NOT_BECAUSE_BEHIND:
                raise
            except ParlourError:
                if self.is_gone or not await self._catch_up():
                    raise
        return await work()

    async def _asked(self, seat: int, epoch: int, message: SeatRequest, request: RequestRow) -> int:
        self.check_holder(seat, epoch)
        done = self.passing.done(request)
        if done is not None:
            return done
        if isinstance(message, Say):
            self.passing.say(seat, message.text, request._replace(v=self.hosted.v))
            return self.hosted.v
        if isinstance(message, Premove):
            self.passing.wish(seat, message, request._replace(v=self.hosted.v))
            return self.hosted.v
        await self._settle_clock()
        planned = self._planned(seat, message, request)
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
            told = {"game": self.hosted.game.name, "table": self.hosted.id, "seat": seat}
            log.exception("the code of a game went wrong", extra=told)
            raise ContractError(
                f"{self.hosted.game.name} could not handle this: {in_one_line(error)}"
            ) from error

    async def _settle_clock(self) -> None:
        planned = self.hosted.plan_time_up()
        if planned is not None:
            await self.commit(planned)

    async def time_up(self) -> None:
        """See whether a clock has run out."""
        async with self.lock:
            await self.up_to_date(self._settle_clock)

    async def abandon(self, reason: str = "") -> bool:
        """End a game that nobody plays, or that the operator ends for that reason.

        False if it was over already.
        """

        async def work() -> bool:
            if self.hosted.row.status == ENDED:
                return False
            await self.commit(self.hosted.plan_abandon(reason))
            return True

        async with self.lock:
            return await self.up_to_date(work)

    async def play_for_agent(self, seat: int, action: int, v: int) -> None:
        """What an agent chose at that version, under `lock`; nothing if it is not there now."""

        async def work() -> None:
            if self.hosted.v == v:
                await self._settle_clock()
            if self.hosted.v == v:
                await self.commit(self.hosted.plan(seat, table.Play(action)))

        await self.up_to_date(work)

    # What happens.

    async def commit(self, planned: Planned) -> None:
        """Store what was planned under `lock`, and let it happen."""
        if self.is_gone:
            raise Outdated("this table is being loaded anew")
        metrics, began = self._rooms.metrics, self._rooms.clock.seconds()
        try:
            await self._rooms.store.commit(planned.change)
        except Outdated:
            self._newest = max(self._newest, self.hosted.v + 1)
            raise
        except InDoubt:
            self.learn(planned.change.after)
            metrics.store_failures.inc()
            raise
        except StoreUnavailable:
            metrics.store_failures.inc()
            raise
        except ParlourError:
            raise
        except BaseException:
            # Cancelled in between: it may be stored, or not yet, or never. The store knows.
            self.learn(planned.change.after)
            raise
        metrics.commits.observe(self._rooms.clock.seconds() - began)
        for event in planned.change.events:
            metrics.happened(event.kind)
        before = None if self.hosted.table is None else self.hosted.table.line
        self.hosted.accept(planned)
        self._has_happened(planned, before, True)
        self.go_on()

    def _has_happened(self, planned: Planned, before: Record | None, is_own: bool) -> None:
        self._newest = max(self._newest, self.hosted.v)
        self.audience.tell(planned.change.events, before)
        self.audience.close_old_epochs()
        if any(event.kind is EventKind.TAKEBACK for event in planned.change.events):
            self.passing.is_taken_back()
        self._rooms.has_changed(self, planned, is_own)

    def go_on(self) -> None:
        """Let whoever is next act: an agent, a premove, or a clock."""
        if self.is_gone:
            return
        self._set_timer()
        if self.hosted.row.status == AGENT_TO_ACT:
            self.turns.begin()
        else:
            self._go_on_without_agents()

    def _go_on_without_agents(self) -> None:
        hosted = self.hosted
        if hosted.row.status == PERSON_TO_ACT:
            assert hosted.table is not None
            action = self.passing.premoves.take(hosted.table.actor)
            if action is not None:
                self._rooms.spawn(self._premove(hosted.table.actor, action, hosted.ply))
        elif hosted.row.status == ENDED:
            self.passing.premoves.drop_all()
            self._rooms.pool.forget(hosted.id)

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
                raise Outdated("something else happened first")
            await self._settle_clock()
            play = Play(f"premove-{self.hosted.v}", ply, action)
            await self.commit(self._planned(seat, play, None))

        async with self.lock:
            try:
                await self.up_to_date(work)
            except ParlourError as error:
                self.passing.premove_is_over(seat, str(error))
            else:
                self.passing.premove_is_over(seat)

    # What happens in other processes.

    def learn(self, v: int) -> None:
        """The store has that version; whoever looks on is told soon of what led to it."""
        self._newest = max(self._newest, v)
        if self.is_behind and not self._is_following and self.is_busy:
            self._is_following = True
            self._rooms.spawn(self.follow())

    @property
    def is_behind(self) -> bool:
        """Whether the store has more than this room, as far as that was heard."""
        return self._newest > self.hosted.v

    async def follow(self) -> None:
        """Stand where the store stands, as far as that was heard."""
        try:
            async with self.lock:
                while self.is_behind and not self.is_gone:
                    await self._catch_up()
        finally:
            self._is_following = False

    async def look(self) -> None:
        """Ask the store whether it has more, and follow."""
        async with self.lock:
            if not self.is_gone:
                await self._catch_up()

    async def _catch_up(self) -> bool:
        """Let happen here what others have stored; whether there was anything."""
        hosted, heard = self.hosted, self._newest
        if not self.is_behind:
            versions = await self._rooms.store.versions([hosted.id])
            if versions.get(hosted.id) == hosted.v:
                return False
        kept = await self._rooms.store.load(hosted.id, hosted.v)
        if kept is None:
            self._rooms.erased(self)
            raise NotFound("there is no such table")
        if self._newest == heard:  # otherwise there was more to hear meanwhile
            self._newest = kept.row.v
        if not kept.events:
            return False
        try:
            self._happen(list(changes_in(kept.events)))
        except Exception as error:
            log.error("a table is loaded anew", exc_info=error, extra={"table": hosted.id})
            self.vanish("the table is loaded anew")
            self._rooms.forget(self)
            raise
        hosted.settle(kept)
        self.audience.close_old_epochs()
        if not self.is_gone:
            self._set_timer()
            self._go_on_without_agents()
        return True

    def _happen(self, changes: list[list[Event]]) -> None:
        hosted = self.hosted
        for place, events in enumerate(changes, 1):
            planned = hosted.followed(events)
            before = None if hosted.table is None else hosted.table.line
            hosted.follow(planned)
            self._has_happened(planned, before, False)
            for event in events:
                if event.kind is EventKind.PLAY:
                    self.passing.has_played(event.seat)
            is_passed = any(event.kind is EventKind.PLAY for event in chain(*changes[place:]))
            if is_passed and hosted.row.status == PERSON_TO_ACT:
                self.passing.is_passed_over(hosted.row.actor)

    # The end.

    def vanish(self, reason: str) -> None:
        """Tell everybody that this is not the table any more."""
        self.audience.send_all(encode(Resync(reason)))

    def close(self) -> None:
        """Let nothing happen in it any more: it has left the memory."""
        self.is_gone = True
        self.audience.close()
        if self._timer is not None:
            self._timer.cancel()


def _row(seat: int, epoch: int, message: SeatRequest) -> RequestRow:
    """The request as it is remembered: the id with its type, and a hash of the rest."""
    return RequestRow(seat, epoch, encode(message.id).decode(), body_hash(encode(message)), 0)


def refusal(error: ParlourError, room: Room | None, id: int | str | None = None) -> Error:
    """The answer to a request that was refused."""
    return Error(
        code=error.code,
        message=str(error),
        id=id,
        v=None if room is None else room.hosted.v,
        ply=None if room is None else room.hosted.ply,
        retry_after=getattr(error, "retry_after", None),
    )
