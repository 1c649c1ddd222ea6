"""One live game with everybody who looks at it: requests in, events out.

A request is authorised, planned, stored, and only then let happen and told: to everybody in
one go, without waiting for anybody. One request is carried out at a time.
"""

import asyncio
import logging
from collections import deque
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET, UnsetType

from parlour.agents import Limit, seat_view
from parlour.core.errors import ContractError, ParlourError, in_one_line
from parlour.core.game import State
from parlour.core.record import Record
from parlour.protocol.errors import Closing, Conflict, Unauthorized
from parlour.protocol.json import encode
from parlour.protocol.messages import (
    Draw,
    Error,
    Frames,
    Play,
    Premove,
    PremoveState,
    Presence,
    Preview,
    Query,
    Rematch,
    Resign,
    Resync,
    Said,
    Say,
    SeatRequest,
    Skip,
    Spoken,
    Takeback,
    Thinking,
    Why,
)
from parlour.server.hosted import Hosted, Planned
from parlour.server.limits import Buckets
from parlour.server.log_rows import SEATED, TABLE_KINDS
from parlour.server.store import AGENT_TO_ACT, ENDED, PERSON_TO_ACT, Outdated, RequestRow
from parlour.server.tokens import body_hash
from parlour.server.views import Sight, Viewer, Views
from parlour.table import Kind, TableError

if TYPE_CHECKING:
    from parlour.server.rooms import Rooms

log = logging.getLogger("parlour.server")

SAID_KEPT = 50
ANSWERS_KEPT = 200
CHANGES_SEATS = {"join", "leave", "start", str(Kind.SEAT), str(Kind.RESIGN), str(Kind.TIME_UP)}
RESUMED_AT_MOST = 500
"""Events that somebody who comes back is sent; if there are more, a whole scene will do."""


class Member(Protocol):
    """Somebody who is connected."""

    viewer: Viewer
    epoch: int

    def send(self, data: bytes) -> None:
        """Send soon, without waiting."""

    def drop(self, reason: str) -> None:
        """Say goodbye: this connection speaks for nobody any more."""


class Room:
    """A game in memory, and those who are connected to it."""

    def __init__(self, hosted: Hosted, rooms: "Rooms") -> None:
        """Nobody is here yet."""
        self.hosted = hosted
        self.views = Views(hosted, rooms.secret)
        self.members: set[Member] = set()
        self.is_doubtful = False
        """Whether the store may know more than this room, or it has left the memory: whoever
        still holds it can change nothing, and must take the one that was loaded anew."""
        self.said: deque[Spoken] = deque(maxlen=SAID_KEPT)
        self._rooms = rooms
        self._lock = asyncio.Lock()
        self._answers: dict[tuple[int, int, str], tuple[bytes, int]] = {}
        self._premoves: dict[int, int | str] = {}
        self._words = Buckets(rooms.settings.words, "words", rooms.clock.seconds)
        self._asked_at = -1
        self._timer: asyncio.TimerHandle | None = None
        self._presence: asyncio.TimerHandle | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it must stay in memory."""
        is_asked = self._asked_at == self.hosted.v and self.hosted.row.status == AGENT_TO_ACT
        return bool(self.members) or self._lock.locked() or is_asked

    # Who is here.

    def join(self, member: Member, known: int | None) -> None:
        """Welcome somebody; from now on it is told of everything."""
        hosted, views, viewer = self.hosted, self.views, member.viewer
        missed = None if known is None else hosted.v - known
        if missed is None or not 0 <= missed <= RESUMED_AT_MOST:
            welcome = views.welcome(viewer, None)
            told = []
        else:
            assert known is not None
            welcome = views.welcome(viewer, known)
            told = views.events_after(viewer, known, RESUMED_AT_MOST)
        if viewer is not None:
            welcome.said = list(self.said)
        welcome.chat = self._rooms.settings.chat
        member.send(encode(welcome))
        for v, each in told:
            # The scene in the welcome is the one after all of them.
            data = Skip(v) if each is None else views.event(each, Sight(), UNSET, False, False)
            member.send(encode(data))
        if viewer is not None and viewer in self._premoves:
            member.send(encode(PremoveState(self._premoves[viewer])))
        self.members.add(member)
        self.show_presence()

    def leave(self, member: Member) -> None:
        """Somebody is gone."""
        self.members.discard(member)
        self.show_presence()

    def show_presence(self) -> None:
        """Tell soon who is here: once for many who come and go."""
        if self._presence is None and self.members:
            loop = asyncio.get_running_loop()
            wait = self._rooms.settings.presence_seconds
            self._presence = loop.call_later(wait, self._send_presence)

    def _send_presence(self) -> None:
        self._presence = None
        here = {member.viewer for member in self.members}
        seats = [seat in here for seat in range(len(self.hosted.seats))]
        watchers = sum(member.viewer is None for member in self.members)
        self._send_all(encode(Presence(seats, watchers)))

    def _send_all(self, data: bytes) -> None:
        for member in self._here():
            member.send(data)

    def _here(self) -> list[Member]:
        """Everybody, to be told: one that is too slow leaves while it is told."""
        return list(self.members)

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
        async with self._lock:
            self._rooms.check_open()  # it may have begun to close meanwhile
            self.check_holder(seat, epoch)
            done = self._done(request)
            if done is not None:
                return done
            if isinstance(message, Say | Premove):
                await self._ask_in_passing(seat, message)
                self._remember(request)
                return self.hosted.v
            await self._settle_clock()
            planned = self._planned(seat, message, request)
            await self._commit(planned)
        return planned.change.events[-1].v

    def _planned(
        self,
        seat: int,
        message: Play | Resign | Draw | Takeback | Rematch,
        request: RequestRow | None,
    ) -> Planned:
        try:
            return self.hosted.plan(seat, message, request)
        except ParlourError:
            raise
        except Exception as error:
            log.exception("the code of %s went wrong", self.hosted.game.name)
            raise ContractError(
                f"{self.hosted.game.name} could not handle this: {in_one_line(error)}"
            ) from error

    def _done(self, request: RequestRow) -> int | None:
        key = (request.seat, request.epoch, request.req)
        done = self.hosted.requests.get(key) or self._answers.get(key)
        if done is None:
            return None
        if done[0] != request.body:
            raise Conflict("this id was used for another request")
        return done[1]

    def _remember(self, request: RequestRow) -> None:
        if len(self._answers) >= ANSWERS_KEPT:
            self._answers.pop(next(iter(self._answers)))
        key = (request.seat, request.epoch, request.req)
        self._answers[key] = (request.body, self.hosted.v)

    async def _ask_in_passing(self, seat: int, message: Say | Premove) -> None:
        """What leaves no trace in the log."""
        if isinstance(message, Say):
            self._say(seat, message.text)
            return
        table = self.hosted.table
        if table is None or table.is_over:
            raise TableError("there is nothing to play before the beginning or after the end")
        if message.action is None:
            self._premoves.pop(seat, None)
        elif table.actor == seat:
            raise TableError("it is your turn: play")
        else:
            self._premoves[seat] = message.action
        self._send_seat(seat, encode(PremoveState(message.action)))

    def _say(self, seat: int, text: str) -> None:
        if not self._rooms.settings.chat:
            raise TableError("nobody talks at the tables of this server")
        spoken = " ".join(text.split())
        if not spoken or not all(sign.isprintable() for sign in spoken):
            raise TableError("say something that can be read")
        self._words.take(seat)
        told = Said(seat, self.views.name_of(seat), spoken)
        self.said.append(Spoken(told.seat, told.name, told.text))
        data = encode(told)
        for member in self._here():
            if member.viewer is not None:
                member.send(data)

    def _send_seat(self, seat: int, data: bytes) -> None:
        for member in self._here():
            if member.viewer == seat:
                member.send(data)

    async def change(self, planned: Planned) -> int:
        """Let something happen that was planned under `lock`: its version."""
        await self._commit(planned)
        return self.hosted.v

    @property
    def lock(self) -> asyncio.Lock:
        """Held while something is planned and stored."""
        return self._lock

    async def _settle_clock(self) -> None:
        planned = self.hosted.plan_time_up()
        if planned is not None:
            await self._commit(planned)

    async def time_up(self) -> None:
        """See whether a clock has run out."""
        async with self._lock:
            await self._settle_clock()

    async def abandon(self) -> None:
        """End a game that nobody plays."""
        async with self._lock:
            if self.hosted.row.status != ENDED:
                await self._commit(self.hosted.plan_abandon())

    # What happens.

    async def _commit(self, planned: Planned) -> None:
        if self.is_doubtful:
            raise Outdated("this table is being loaded anew")
        try:
            await self._rooms.store.commit(planned.change)
        except ParlourError as error:
            if isinstance(error, Outdated):
                self._doubt("another server has gone on with this game")
            raise
        except BaseException:
            # Cancelled in between: it may be stored, or not.
            self._doubt("the server was interrupted")
            raise
        before = None if self.hosted.table is None else self.hosted.table.line
        self.hosted.accept(planned)
        self._tell(planned, before)
        self._close_old_epochs()
        if any(event.kind is Kind.TAKEBACK for event in planned.events):
            self._drop_premoves()
        self.go_on()
        self._rooms.has_changed(self, planned)

    def _drop_premoves(self) -> None:
        """They were meant for the position that was taken back, not for this one."""
        for seat in self._premoves:
            self._send_seat(seat, encode(PremoveState(None, "an action was taken back")))
        self._premoves.clear()

    def _doubt(self, reason: str) -> None:
        self._rooms.forget(self)
        self._send_all(encode(Resync(reason)))

    def _tell(self, planned: Planned, before: Record | None) -> None:
        """Send what happened to everybody: the bytes are made once for all who see the same."""
        if not self.members:
            return
        views, shared = self.views, not self.hosted.game.has_secrets
        groups: dict[Viewer, list[Member]] = {}
        for member in self.members:
            groups.setdefault(member.viewer, []).append(member)
        sights = views.sights(list(groups))
        after = None if self.hosted.table is None else self.hosted.table.line
        events = iter(planned.events)
        rows = planned.change.events
        for place, row in enumerate(rows, 1):
            event = next(events) if row.kind in TABLE_KINDS and self.hosted.table else None
            line = before if row.kind == Kind.TAKEBACK else after
            is_last = place == len(rows)
            seats = row.kind in CHANGES_SEATS
            made: dict[object, bytes] = {}
            for viewer, members in groups.items():
                sight = sights.get(viewer, Sight())
                same: object = viewer
                if shared:
                    same = (viewer is None and row.kind == Kind.ASK, id(sight) if is_last else 0)
                data = made.get(same)
                if data is None:
                    told = views.happened(viewer, row, event, line)
                    if told is None:
                        data = encode(Skip(row.v))
                    else:
                        position: str | UnsetType = views.position(viewer) if is_last else UNSET
                        data = encode(views.event(told, sight, position, is_last, seats))
                    made[same] = data
                for member in members:
                    member.send(data)

    def _close_old_epochs(self) -> None:
        seats = self.hosted.seats
        for member in list(self.members):
            if member.viewer is None:
                continue
            held = seats[member.viewer]
            if held.kind != SEATED or held.epoch != member.epoch:
                self.members.discard(member)
                member.drop("this seat has another holder now")

    def go_on(self) -> None:
        """Let whoever is next act: an agent, a premove, or a clock."""
        if self.is_doubtful:
            return
        hosted = self.hosted
        self._set_timer()
        status = hosted.row.status
        if status == AGENT_TO_ACT and self._asked_at != hosted.v:
            self._asked_at = hosted.v
            self._rooms.spawn(self._agents_turn(hosted.v))
        elif status == PERSON_TO_ACT and self._premoves:
            assert hosted.table is not None
            action = self._premoves.pop(hosted.table.actor, None)
            if action is not None:
                self._rooms.spawn(self._premove(hosted.table.actor, action, hosted.v))
        elif status == ENDED:
            self._premoves.clear()
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

    async def _premove(self, seat: int, action: int | str, v: int) -> None:
        async with self._lock:
            hosted = self.hosted
            if hosted.v != v:
                reason = "something else happened first"
                self._send_seat(seat, encode(PremoveState(None, reason)))
                return
            try:
                await self._settle_clock()
                planned = self._planned(seat, Play(f"premove-{v}", hosted.ply, action), None)
                await self._commit(planned)
            except ParlourError as error:
                self._send_seat(seat, encode(PremoveState(None, str(error))))
                return
            self._send_seat(seat, encode(PremoveState(None)))

    async def _agents_turn(self, v: int) -> None:
        try:
            await self._let_agent_act(v)
        except Exception:
            # The game's own code, say: whatever happens next at the table asks again.
            log.exception("an agent could not act at table %s", self.hosted.id)
            if self._asked_at == v:
                self._asked_at = -1

    async def _let_agent_act(self, v: int) -> None:
        hosted = self.hosted
        table = hosted.table
        assert table is not None
        seat = table.actor
        waits = bool(hosted.people)
        pool = self._rooms.pool
        self._send_all(encode(Thinking(seat, pool.ahead_of(waits))))
        known, seed = self._seen_by(seat)
        limit: Limit | None = None
        if table.clocks is not None and seat not in table.standing.gone:
            left = table.clocks.all_left()
            others = tuple(each for other, each in enumerate(left) if other != seat)
            limit = Limit(max(0.0, left[seat]), table.clocks.control.increment, others)
        try:
            action = await pool.choose(hosted.id, table.seats[seat], seed, known, limit, waits)
        except Closing:
            return
        async with self._lock:
            if self.hosted.v != v or self.is_doubtful:
                self._ask_again(v)
                return
            try:
                await self._settle_clock()
                if self.hosted.v == v:
                    await self._commit(self.hosted.plan_action(seat, action))
            except ParlourError as error:
                log.warning("an agent's action was not stored: %s", error)
                self._asked_at = -1
                self._rooms.try_later(self)

    def _ask_again(self, v: int) -> None:
        """Something else happened while the agent thought: it may still be its turn."""
        if self._asked_at == v:
            self._asked_at = -1
        if not self.is_doubtful:
            self.go_on()

    def _seen_by(self, seat: int) -> tuple[State, int]:
        """What an agent on that seat may see, and a seed that nobody can foresee."""
        hosted, table = self.hosted, self.hosted.table
        assert table is not None
        words = b"agent/%d/%d/" % (seat, hosted.v) + table.chance.key
        digest = blake2b(words, digest_size=32).digest()
        known = seat_view(table.state, seat, digest[8:], hosted.v)
        return known, int.from_bytes(digest[:4], "big")

    def close(self) -> None:
        """Let nothing happen in it any more: it has left the memory."""
        self.is_doubtful = True
        for handle in (self._timer, self._presence):
            if handle is not None:
                handle.cancel()


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
