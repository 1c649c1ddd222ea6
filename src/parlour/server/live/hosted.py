"""A game on the server: its log, its seats and the table that they produce.

Changes are planned first: each `plan_...` method returns a `Change` for the store, and `accept`
applies it once it is stored. This module does no I/O.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from parlour.core.game import CHANCE, OVER
from parlour.protocol import messages
from parlour.protocol.limits import TABLE_ASIDES
from parlour.server.clock import ServerClock
from parlour.server.live.openings import (
    begin,
    client_status,
    deadline_of,
    new_game,
    new_table,
    status_at,
    status_of,
)
from parlour.server.store.log_rows import AGENT, OPEN, SEATED, check_log, game_of
from parlour.server.store.store import (
    ENDED,
    Change,
    KeptGame,
    NewGame,
    RequestRow,
    SeatRow,
    StoredMoves,
    TokenRow,
)
from parlour.table import (
    PERSON,
    Abandon,
    AskTakeback,
    ChanceSource,
    ClaimTime,
    Decline,
    Event,
    EventKind,
    GameOver,
    OfferDraw,
    Play,
    Request,
    Resign,
    StaleEvents,
    Table,
    TableError,
    TimeControl,
)
from parlour.table.views import Moment, moment_of, moments_of

Actionable = (
    messages.Play
    | messages.Resign
    | messages.Draw
    | messages.Takeback
    | messages.Rematch
    | messages.Decline
)

ASIDES = frozenset(
    (EventKind.ASK, EventKind.TAKEBACK, EventKind.OFFER, EventKind.JOIN, EventKind.REMATCH)
)
"""Events that can be repeated without end. All others follow one of them, or advance the game."""


class Planned(NamedTuple):
    """A planned change, and the table if it starts the game."""

    change: Change
    table: Table | None = None
    """The new table, if the game starts with this change."""


class HostedGame:
    """One game of a server."""

    def __init__(
        self, kept: KeptGame, clock: ServerClock, alive: Callable[[int, int], float]
    ) -> None:
        """Rebuild the game from its log, in linear time; this may run in any thread.

        `alive(since, now)` returns the seconds of a period during which clocks ran; it is used
        by `charge_clocks`. Raise `DamagedGame` if the log has holes.
        """
        check_log(kept, 0)
        self.row = kept.row
        self.seats = kept.seats
        self.game = game_of(kept.row.game, kept.row.options)
        self.control = TimeControl.from_text(kept.row.control) if kept.row.control else None
        self.requests = {
            (each.seat, each.epoch, each.req): (each.body, each.v) for each in kept.requests
        }
        self.table: Table | None = None
        self.moments: list[Moment] = []
        """The log, with what is needed to show each event; version v is at index v - 1."""
        self.end_reason = ""
        """The operator's reason for ending the game; empty if it ended otherwise."""
        self._clock = clock
        self._alive = alive
        self._rebuilt_at = 0
        """When the clocks were set to their values at the last event."""
        self._rebuild(kept.events)

    def _rebuild(self, log: list[Event]) -> None:
        places = (at for at, event in enumerate(log) if event.kind is EventKind.START)
        place = next(places, None)
        if place is None:
            self.moments = [Moment(event) for event in log]
        else:
            started, *events = log[place:]
            self.table = new_table(self.row, self.game, started, self._clock, events)
            self._rebuilt_at = self._clock.now()
            self.moments = moments_of(log, self.table.line)
        for event in log:
            self._note_end(event)

    def charge_clocks(self) -> None:
        """Charge the time since the last event, once after loading, in the event loop."""
        table = self.table
        if table is not None and table.clocks is not None and not table.is_over:
            since = self.moments[-1].event.at
            table.clocks.charge(self._alive(since, self._rebuilt_at))

    def _note_end(self, event: Event) -> None:
        if event.kind is EventKind.ABANDON:
            self.end_reason = event.text

    # State.

    @property
    def id(self) -> str:
        """The table's id, used in links."""
        return self.row.id

    @property
    def v(self) -> int:
        """The number of the last event."""
        return self.row.v

    @property
    def ply(self) -> int:
        """The number of actions."""
        return self.row.ply

    @property
    def status(self) -> str:
        """`waiting`, `playing` or `over`."""
        return client_status(self.row.status)

    @property
    def chance(self) -> ChanceSource:
        """The source of the game's randomness."""
        if self.table is not None:
            return self.table.chance
        return ChanceSource(self.row.chance_key)

    @property
    def people(self) -> list[int]:
        """The seats held by people."""
        return [seat.seat for seat in self.seats if seat.kind == SEATED]

    def seat(self, number: int) -> SeatRow:
        """Return the holder of a seat. Raise `TableError` if the seat does not exist."""
        if not 0 <= number < len(self.seats):
            raise TableError(f"the seat must be from 0 to {len(self.seats) - 1}, not {number}")
        return self.seats[number]

    # Planning.

    def check_growth(self, change: Change) -> None:
        """Raise `TableError` for an offer, takeback or join if the table had too many of them."""
        if self.v - self.ply < TABLE_ASIDES or change.new_game is not None:
            return
        if any(event.kind in ASIDES for event in change.events):
            raise TableError(
                f"this table has had {TABLE_ASIDES} events besides its moves: no more offers, "
                "takebacks or new players are possible"
            )

    def _moment(self) -> tuple[int, int]:
        """Return the time now, and the time of the events of a new change.

        Events with the same time form one change, so the latter is later than that of the
        previous change.
        """
        now = self._clock.now()
        return now, max(now, self.moments[-1].event.at + 1) if self.moments else now

    def plan_join(
        self,
        seat: int,
        name: str,
        nonce: str,
        token: TokenRow,
        claim: bytes = b"",
        request: RequestRow | None = None,
    ) -> Planned:
        """Plan that a person claims an open seat; the game starts with the last one."""
        held = self.seat(seat)
        if held.kind != OPEN:
            raise TableError("this seat is already taken")
        now, at = self._moment()
        seated = held._replace(kind=SEATED, name=name, nonce=nonce, epoch=token.epoch)
        seats = [seated if each.seat == seat else each for each in self.seats]
        joined = Event(self.v + 1, EventKind.JOIN, seat, at=at, text=name)
        planned = Planned(
            Change(
                self.id,
                self.v,
                [joined],
                at=now,
                seats=[seated],
                tokens=[token],
                use_claim=claim,
                request=request,
            )
        )
        if any(each.kind == OPEN for each in seats):
            return planned
        more, table = begin(self.row, self.game, seats, self._clock, self.v + 1, at)
        return self._playing(planned, table, [joined, *more])

    def _playing(self, planned: Planned, table: Table, events: Sequence[Event]) -> Planned:
        """Add the table's standing to a planned change."""
        change = planned.change._replace(
            events=events,
            status=status_of(table),
            actor=table.actor,
            ply=len(table.line.actions),
            deadline=deadline_of(table, self._clock),
        )
        return Planned(change, table)

    def plan_leave(self, seat: int, epoch: int) -> Planned:
        """Plan that a person leaves a seat before the game starts."""
        held = self.seat(seat)
        if self.table is not None or held.kind != SEATED:
            raise TableError("you can leave a seat only before the game starts")
        now, at = self._moment()
        left = Event(self.v + 1, EventKind.LEAVE, seat, at=at)
        opened = SeatRow(seat, OPEN, epoch=epoch)
        return Planned(Change(self.id, self.v, [left], at=now, seats=[opened]))

    def plan_message(self, seat: int, message: Actionable, request: RequestRow | None) -> Planned:
        """Plan a seat's request. Raise `ParlourError` if it is refused."""
        if isinstance(message, messages.Rematch):
            return self._plan_rematch(seat, message.accept, request)
        if isinstance(message, messages.Decline):
            if message.offer == "rematch":
                return self._plan_decline_rematch(seat, request)
            return self.plan(seat, Decline(message.offer), request)
        if isinstance(message, messages.Play):
            if self.table is not None and message.ply != self.ply and not self.table.is_over:
                raise StaleEvents(
                    f"the position has changed: you acted at ply {message.ply}, "
                    f"the game is at {self.ply}"
                )
            return self.plan(seat, Play(message.action), request)
        if isinstance(message, messages.Resign):
            return self.plan(seat, Resign(), request)
        if isinstance(message, messages.Draw):
            return self.plan(seat, OfferDraw(message.accept), request)
        return self.plan(seat, AskTakeback(message.accept), request)

    def plan_time_up(self) -> Planned | None:
        """Plan the consequences of an expired clock, if one has expired."""
        table = self.table
        if table is None or table.clocks is None or table.is_over:
            return None
        seat = table.actor
        if seat in table.standing.gone or table.clocks.left(seat) > 0:
            return None
        return self.plan(seat, ClaimTime())

    def plan_abandon(self, reason: str = "") -> Planned:
        """Plan the end of an abandoned game, or of one that the operator ends for a reason."""
        if self.table is None:
            now, at = self._moment()
            ended = Event(self.v + 1, EventKind.ABANDON, CHANCE, at=at)
            planned = Planned(Change(self.id, self.v, [ended], status=ENDED, actor=OVER, at=now))
        else:
            planned = self.plan(CHANCE, Abandon())
        if not reason:
            return planned
        (ended,) = planned.change.events
        events = [ended._replace(text=reason)]
        return planned._replace(change=planned.change._replace(events=events))

    def plan(self, seat: int, request: Request, asked: RequestRow | None = None) -> Planned:
        """Plan a request to the table. Raise the same errors as `Table.plan`."""
        table = self.table
        if table is None:
            if self.row.status == ENDED:
                raise GameOver("the game is over: it was abandoned")
            raise TableError("the game has not started: it is waiting for players")
        now, at = self._moment()
        events = table.plan(seat, request, at)
        standing = table.planned_standing
        if asked is not None:
            asked = asked._replace(v=events[-1].number)
        seats = [self._held_after(event) for event in events if event.who]
        status = status_at(standing.actor, standing.seats)
        clocks = table.clocks
        deadline: int | None = None
        if clocks is not None and standing.actor >= 0 and standing.actor not in standing.gone:
            deadline = now + int(standing.left[standing.actor] * 1000) + 1
        ply = len(standing.record.actions)
        change = Change(
            self.id,
            self.v,
            events,
            None if status == self.row.status else status,
            standing.actor,
            ply,
            now,
            deadline,
            request=asked,
            seats=seats,
        )
        return Planned(change)

    def _held_after(self, event: Event) -> SeatRow:
        held = self.seats[event.seat]
        is_left = event.kind is not EventKind.SEAT
        name = held.name if is_left else ""
        kind = SEATED if event.who == PERSON else AGENT
        agent = "" if event.who == PERSON else event.who
        return held._replace(kind=kind, agent=agent, name=name, epoch=held.epoch + 1, left=is_left)

    def _plan_rematch(self, seat: int, accept: bool, request: RequestRow | None) -> Planned:
        if self.row.status != ENDED or self.table is None:
            raise TableError("you can ask for a rematch only after the game is over")
        offers = self.table.standing.rematch_offers
        if accept and not set(offers) - {seat}:
            raise TableError("there is no offer to accept")
        if self.row.rematch:
            raise TableError(f"the rematch has already started: {self.row.rematch}")
        if seat in offers:
            raise TableError("you have already asked for a rematch")
        now, at = self._moment()
        ply = self.ply
        events = [Event(self.v + 1, EventKind.REMATCH, seat, ply, at=at)]
        change = Change(self.id, self.v, events, at=now)
        if set(self.people) <= {*offers, seat}:
            new = self._next_game()
            begun = Event(self.v + 2, EventKind.REMATCH, CHANCE, ply, at=at, text=new.row.id)
            events.append(begun)
            change = change._replace(rematch=new.row.id, new_game=new)
        if request is not None:
            change = change._replace(request=request._replace(v=events[-1].number))
        return Planned(change)

    def _plan_decline_rematch(self, seat: int, request: RequestRow | None) -> Planned:
        if self.row.rematch or self.table is None or not self.table.standing.rematch_offers:
            raise TableError("there is no rematch offer to decline")
        now, at = self._moment()
        declined = Event(self.v + 1, EventKind.DECLINE_REMATCH, seat, self.ply, at=at)
        if request is not None:
            request = request._replace(v=declined.number)
        return Planned(Change(self.id, self.v, [declined], at=now, request=request))

    def _next_game(self) -> NewGame:
        """Return the rematch: each player moves one seat on; seats that were left go to agents."""
        count = len(self.seats)
        seats = [
            SeatRow(seat, before.kind, before.agent, before.name if before.kind == SEATED else "")
            for seat in range(count)
            for before in [self.seats[(seat - 1) % count]]
        ]
        return new_game(
            self.game,
            seats,
            self.control,
            self.row.visibility,
            self._clock,
            rematch_of=self.id,
            owner=self.row.owner,
        )

    # Changes of other processes.

    def change_from(self, events: Sequence[Event]) -> Planned:
        """Reconstruct a change that follows this version from its events."""
        table, rematch = self.table, ""
        seats: list[SeatRow] = []
        started: int | None = None
        for place, event in enumerate(events):
            if event.kind is EventKind.START:
                started = place
            elif event.kind is EventKind.JOIN:
                held = self.seats[event.seat]
                seats.append(held._replace(kind=SEATED, name=event.text, epoch=held.epoch + 1))
            elif event.kind is EventKind.LEAVE:
                epoch = self.seats[event.seat].epoch + 1
                seats.append(SeatRow(event.seat, OPEN, epoch=epoch))
            elif event.kind is EventKind.REMATCH:
                rematch = event.text or rematch
            elif event.who:
                seats.append(self._held_after(event))
        change = Change(self.id, self.v, events, at=events[-1].at, rematch=rematch, seats=seats)
        if started is not None:
            start, log = events[started], events[started + 1 :]
            table = new_table(self.row, self.game, start, self._clock, log)
            return self._playing(Planned(change), table, events)
        if table is None:
            is_over = any(event.kind is EventKind.ABANDON for event in events)
            return Planned(change._replace(status=ENDED, actor=OVER) if is_over else change)
        standing = table.standing.after(events)
        status = status_at(standing.actor, standing.seats)
        ply = len(standing.record.actions)
        return Planned(change._replace(status=status, actor=standing.actor, ply=ply))

    def apply_remote(self, planned: Planned) -> None:
        """Apply a change of another process; clocks have run since then."""
        self.accept(planned)
        table = self.table
        if table is not None and table.clocks is not None and not table.is_over:
            table.clocks.charge(self._alive(planned.change.events[-1].at, self._clock.now()))

    def sync_rows(self, kept: KeptGame) -> None:
        """Copy the rows after all events are applied, for data that events do not contain."""
        self.row = kept.row
        self.seats = kept.seats
        for each in kept.requests:
            self.requests[each.seat, each.epoch, each.req] = (each.body, each.v)

    def sync_moves(self, moves: StoredMoves) -> None:
        """Copy what the events of applied actions do not contain."""
        self.row = self.row._replace(deadline=moves.deadline)
        for each in moves.requests:
            self.requests[each.seat, each.epoch, each.req] = (each.body, each.v)

    # Applying.

    def accept(self, planned: Planned) -> None:
        """Apply a planned change after it is stored."""
        change = planned.change
        before = None if self.table is None else self.table.line
        if planned.table is not None:
            self.table = planned.table
        elif self.table is not None:
            self.table.accept(change.events)
        after = None if self.table is None else self.table.line
        for event in change.events:
            line = before if event.kind is EventKind.TAKEBACK else after
            self.moments.append(moment_of(event, line))
            self._note_end(event)
        for seat in change.seats:
            self.seats[seat.seat] = seat
        if change.request is not None:
            seat_, epoch, req, body, v = change.request
            self.requests[seat_, epoch, req] = (body, v)
        self.row = self.row._replace(
            v=change.after,
            touched_at=change.at,
            status=change.status or self.row.status,
            actor=self.row.actor if change.actor is None else change.actor,
            ply=self.row.ply if change.ply is None else change.ply,
            deadline=change.deadline,
            rematch=change.rematch or self.row.rematch,
        )
