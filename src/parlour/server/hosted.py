"""A game as the server keeps it: its log, its seats, and the table that they lead to.

Like a table it computes first: every `plan_...` gives what would happen, as one `Change` for
the store; `accept` lets it happen once it is stored. Nothing here waits, and nothing here
knows a socket.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from parlour.core.game import CHANCE, OVER
from parlour.protocol import messages
from parlour.server.clock import ServerClock
from parlour.server.log_rows import (
    AGENT,
    DECLINE_REMATCH,
    JOIN,
    LEAVE,
    OPEN,
    REMATCH,
    SEATED,
    START,
    TABLE_KINDS,
    NextData,
    StartData,
    encode_data,
    event_of,
    event_row,
    game_of,
    next_data,
    reason_of,
    start_data,
    with_reason,
)
from parlour.server.openings import (
    begin,
    client_status,
    deadline_of,
    new_game,
    new_table,
    status_at,
    status_of,
)
from parlour.server.store import (
    ENDED,
    Change,
    EventRow,
    KeptGame,
    NewGame,
    RequestRow,
    SeatRow,
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
    GameOver,
    Kind,
    OfferDraw,
    Play,
    Replace,
    Request,
    Resign,
    StaleEvents,
    Table,
    TableError,
    TimeControl,
)

Actionable = (
    messages.Play
    | messages.Resign
    | messages.Draw
    | messages.Takeback
    | messages.Rematch
    | messages.Decline
)


class Planned(NamedTuple):
    """What would happen: for the store, and for the table."""

    change: Change
    events: Sequence[Event] = ()
    table: Table | None = None
    """The table, if the game begins with it."""


class Hosted:
    """One game of a server's."""

    def __init__(
        self, kept: KeptGame, clock: ServerClock, alive: Callable[[int, int], float]
    ) -> None:
        """Stand where the log leads.

        `alive(since, now)` says how many seconds of that time count on clocks.
        """
        self.row = kept.row
        self.seats = kept.seats
        self.rows = list(kept.events)
        self.game = game_of(kept.row.game, kept.row.options)
        self.control = TimeControl.from_text(kept.row.control) if kept.row.control else None
        self.requests = {
            (each.seat, each.epoch, each.req): (each.body, each.v) for each in kept.requests
        }
        self.wants_rematch: list[int] = []
        self.table: Table | None = None
        self._clock = clock
        self._alive = alive
        self._rebuild()

    def _rebuild(self) -> None:
        events: list[Event] = []
        started: StartData | None = None
        last_at = 0
        for row in self.rows:
            if row.kind == START:
                started = start_data(row.data)
                last_at = row.at
            elif row.kind in TABLE_KINDS:
                events.append(event_of(row, len(events) + 1))
                last_at = row.at
            self._count_rematch(row)
        if started is None:
            return
        self.table = new_table(self.row, self.game, started, self._clock, events)
        if self.table.clocks is not None and not self.table.is_over:
            self.table.clocks.charge(self._alive(last_at, self._clock.now()))

    def _count_rematch(self, row: EventRow) -> None:
        if row.kind == REMATCH and row.seat >= 0:
            self.wants_rematch.append(row.seat)
        elif row.kind == DECLINE_REMATCH:
            self.wants_rematch.clear()

    # What there is to see.

    @property
    def id(self) -> str:
        """The table's name in links."""
        return self.row.id

    @property
    def v(self) -> int:
        """The number of the last thing that happened."""
        return self.row.v

    @property
    def ply(self) -> int:
        """How many actions there are."""
        return self.row.ply

    @property
    def status(self) -> str:
        """`waiting`, `playing` or `over`, for clients."""
        return client_status(self.row.status)

    @property
    def chance(self) -> ChanceSource:
        """Where the game's random events come from."""
        if self.table is not None:
            return self.table.chance
        return ChanceSource(self.row.chance_key)

    @property
    def people(self) -> list[int]:
        """The seats that people hold."""
        return [seat.seat for seat in self.seats if seat.kind == SEATED]

    @property
    def end_reason(self) -> str:
        """Why the operator has ended the game; empty if that is not how it ended."""
        if self.row.status != ENDED:
            return ""
        return next(filter(None, map(reason_of, reversed(self.rows))), "")

    def seat(self, number: int) -> SeatRow:
        """Who holds that seat; `TableError` if there is none."""
        if not 0 <= number < len(self.seats):
            raise TableError(f"the seats are 0 to {len(self.seats) - 1}, not {number}")
        return self.seats[number]

    def line_events(self, after: int = 0) -> Iterable[tuple[EventRow, Event | None]]:
        """The rows after a version, each with the table's event that it is."""
        number = 0
        for row in self.rows:
            event = None
            if row.kind in TABLE_KINDS:
                number += 1
                event = event_of(row, number) if row.v > after else None
            if row.v > after:
                yield row, event

    # What would happen.

    def _moment(self) -> tuple[int, int]:
        """The time now, and the moment that the rows of one change bear.

        That is later than the change before: rows of one moment are one change, so that a
        process that reads them knows what happened at once.
        """
        now = self._clock.now()
        return now, max(now, self.rows[-1].at + 1) if self.rows else now

    def plan_join(
        self,
        seat: int,
        name: str,
        nonce: str,
        token: TokenRow,
        claim: bytes = b"",
        request: RequestRow | None = None,
    ) -> Planned:
        """Somebody takes an open seat; the game begins when it was the last."""
        held = self.seat(seat)
        if held.kind != OPEN:
            raise TableError("somebody sits there already")
        now, at = self._moment()
        seated = held._replace(kind=SEATED, name=name, nonce=nonce, epoch=token.epoch)
        seats = [seated if each.seat == seat else each for each in self.seats]
        data = encode_data(NextData(name=name))
        rows = [EventRow(self.v + 1, JOIN, seat, -1, data, at)]
        planned = Planned(
            Change(
                self.id,
                self.v,
                rows,
                at=now,
                seats=[seated],
                tokens=[token],
                use_claim=claim,
                request=request,
            )
        )
        if any(each.kind == OPEN for each in seats):
            return planned
        more, events, table = begin(self.row, self.game, seats, self._clock, self.v + 1, at)
        return self._playing(planned, table, events, [*rows, *more])

    def _playing(
        self, planned: Planned, table: Table, events: Sequence[Event], rows: Sequence[EventRow]
    ) -> Planned:
        """With where the table would stand."""
        change = planned.change._replace(
            events=rows,
            status=status_of(table),
            actor=table.actor,
            ply=len(table.line.actions),
            deadline=deadline_of(table, self._clock),
        )
        return Planned(change, events, table)

    def plan_stand_up(self, seat: int, epoch: int) -> Planned:
        """Before the game has begun: the seat is open again."""
        held = self.seat(seat)
        if self.table is not None or held.kind != SEATED:
            raise TableError("this seat cannot be left any more")
        now, at = self._moment()
        row = EventRow(self.v + 1, LEAVE, seat, -1, "{}", at)
        opened = SeatRow(seat, OPEN, epoch=epoch)
        return Planned(Change(self.id, self.v, [row], at=now, seats=[opened]))

    def plan_resign(self, seat: int) -> Planned:
        """A person leaves a game that is played."""
        return self._plan(seat, Resign())

    def plan_replace(self, seat: int, agent: str) -> Planned:
        """An agent plays on for a person; the person's tokens are void."""
        return self._plan(seat, Replace(seat, agent))

    def plan(self, seat: int, message: Actionable, request: RequestRow | None = None) -> Planned:
        """What the request of a seat leads to; `ParlourError` if it is refused."""
        if isinstance(message, messages.Rematch):
            if message.accept and not set(self.wants_rematch) - {seat}:
                raise TableError("the offer is gone")
            return self._plan_rematch(seat, request)
        if isinstance(message, messages.Decline):
            if message.offer == "rematch":
                return self._plan_decline_rematch(seat, request)
            return self._plan(seat, Decline(message.offer), request)
        if isinstance(message, messages.Play):
            if self.table is not None and message.ply != self.ply and not self.table.is_over:
                raise StaleEvents(
                    f"this was chosen at ply {message.ply}, the game is at {self.ply}"
                )
            return self._plan(seat, Play(message.action), request)
        if isinstance(message, messages.Resign):
            return self._plan(seat, Resign(), request)
        if isinstance(message, messages.Draw):
            return self._plan(seat, OfferDraw(message.accept), request)
        return self._plan(seat, AskTakeback(message.accept), request)

    def plan_action(self, seat: int, action: int) -> Planned:
        """What an agent has chosen."""
        return self._plan(seat, Play(action))

    def plan_time_up(self) -> Planned | None:
        """What happens because a clock has run out, if one has."""
        table = self.table
        if table is None or table.clocks is None or table.is_over:
            return None
        seat = table.actor
        if seat in table.standing.gone or table.clocks.left(seat) > 0:
            return None
        return self._plan(seat, ClaimTime())

    def plan_abandon(self, reason: str = "") -> Planned:
        """Nobody plays this game any more, or the operator ends it for that reason."""
        if self.table is None:
            now, at = self._moment()
            row = EventRow(self.v + 1, str(Kind.ABANDON), CHANCE, -1, "{}", at)
            planned = Planned(Change(self.id, self.v, [row], status=ENDED, actor=OVER, at=now))
        else:
            planned = self._plan(CHANCE, Abandon())
        if not reason:
            return planned
        *before, last = planned.change.events
        rows = [*before, with_reason(last, reason)]
        return planned._replace(change=planned.change._replace(events=rows))

    def _plan(self, seat: int, request: Request, asked: RequestRow | None = None) -> Planned:
        table = self.table
        if table is None:
            if self.row.status == ENDED:
                raise GameOver("the game is over: it was abandoned")
            raise TableError("the game waits for people to take their seats")
        events = table.plan(seat, request)
        standing = table.planned_standing
        now, at = self._moment()
        rows = [event_row(event, self.v + place, at) for place, event in enumerate(events, 1)]
        if asked is not None:
            asked = asked._replace(v=rows[-1].v)
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
            rows,
            status,
            standing.actor,
            ply,
            now,
            deadline,
            request=asked,
            seats=seats,
        )
        return Planned(change, events)

    def _held_after(self, event: Event) -> SeatRow:
        held = self.seats[event.seat]
        is_left = event.kind is not Kind.SEAT
        name = held.name if is_left else ""
        kind = SEATED if event.who == PERSON else AGENT
        agent = "" if event.who == PERSON else event.who
        return held._replace(kind=kind, agent=agent, name=name, epoch=held.epoch + 1, left=is_left)

    def _plan_rematch(self, seat: int, request: RequestRow | None) -> Planned:
        if self.row.status != ENDED or self.table is None:
            raise TableError("a rematch is for a game that has ended")
        if self.row.rematch:
            raise TableError(f"there is a rematch already: {self.row.rematch}")
        if seat in self.wants_rematch:
            raise TableError("this is asked for already")
        now, at = self._moment()
        rows = [EventRow(self.v + 1, REMATCH, seat, -1, "{}", at)]
        change = Change(self.id, self.v, rows, at=now, request=request)
        if set(self.people) <= {*self.wants_rematch, seat}:
            new = self._next_game()
            data = encode_data(NextData(table=new.row.id))
            rows.append(EventRow(self.v + 2, REMATCH, CHANCE, -1, data, at))
            change = change._replace(rematch=new.row.id, new_game=new)
        if request is not None:
            change = change._replace(request=request._replace(v=rows[-1].v))
        return Planned(change)

    def _plan_decline_rematch(self, seat: int, request: RequestRow | None) -> Planned:
        if self.row.rematch or not self.wants_rematch:
            raise TableError("there is no rematch offer to decline")
        now, at = self._moment()
        row = EventRow(self.v + 1, DECLINE_REMATCH, seat, -1, "{}", at)
        if request is not None:
            request = request._replace(v=row.v)
        return Planned(Change(self.id, self.v, [row], at=now, request=request))

    def _next_game(self) -> NewGame:
        """The same people and agents, each one seat further; those who left are agents now."""
        count = len(self.seats)
        seats = [
            SeatRow(seat, before.kind, before.agent, before.name if before.kind == SEATED else "")
            for seat in range(count)
            for before in [self.seats[(seat - 1) % count]]
        ]
        return new_game(
            self.game, seats, self.control, self.row.visibility, self._clock, rematch_of=self.id
        )

    # What another process has stored.

    def followed(self, rows: Sequence[EventRow]) -> Planned:
        """A change that follows this version, read from its rows as if it were planned here."""
        table, started, rematch = self.table, None, ""
        number = 0 if table is None else table.version
        events: list[Event] = []
        seats: list[SeatRow] = []
        for row in rows:
            if row.kind == START:
                started = start_data(row.data)
            elif row.kind == JOIN:
                name = next_data(row.data).name
                held = self.seats[row.seat]
                seats.append(held._replace(kind=SEATED, name=name, epoch=held.epoch + 1))
            elif row.kind == LEAVE:
                epoch = self.seats[row.seat].epoch + 1
                seats.append(SeatRow(row.seat, OPEN, epoch=epoch))
            elif row.kind == REMATCH:
                rematch = next_data(row.data).table or rematch
            elif row.kind in TABLE_KINDS and (table is not None or started is not None):
                events.append(event_of(row, number + len(events) + 1))
        seats += [self._held_after(event) for event in events if event.who]
        at = rows[-1].at
        change = Change(self.id, self.v, rows, at=at, rematch=rematch, seats=seats)
        if started is not None:
            table = new_table(self.row, self.game, started, self._clock, events)
            return self._playing(Planned(change), table, events, rows)
        if table is None:
            is_over = any(row.kind == Kind.ABANDON for row in rows)
            return Planned(change._replace(status=ENDED, actor=OVER) if is_over else change)
        if not events:
            return Planned(change)
        standing = table.standing.after(events, table.name_of)
        status = status_at(standing.actor, standing.seats)
        ply = len(standing.record.actions)
        change = change._replace(status=status, actor=standing.actor, ply=ply)
        return Planned(change, events)

    def follow(self, planned: Planned) -> None:
        """Let happen what another process has stored; clocks have run since then."""
        self.accept(planned)
        table = self.table
        if table is None or table.clocks is None or not (planned.events or planned.table):
            return
        if not table.is_over:
            table.clocks.charge(self._alive(planned.change.events[-1].at, self._clock.now()))

    def settle(self, kept: KeptGame) -> None:
        """Take over what rows do not tell, once all of them were followed."""
        self.row = kept.row
        self.seats = kept.seats
        for each in kept.requests:
            self.requests[each.seat, each.epoch, each.req] = (each.body, each.v)

    # What happens.

    def accept(self, planned: Planned) -> None:
        """Let it happen; the store has it."""
        change = planned.change
        if planned.table is not None:
            self.table = planned.table
        elif planned.events:
            assert self.table is not None
            self.table.accept(planned.events)
        self.rows.extend(change.events)
        for row in change.events:
            self._count_rematch(row)
        for seat in change.seats:
            self.seats[seat.seat] = seat
        if change.request is not None:
            seat_, epoch, req, body, v = change.request
            self.requests[seat_, epoch, req] = (body, v)
        after = change.events[-1].v if change.events else self.v
        self.row = self.row._replace(
            v=after,
            touched_at=change.at,
            status=change.status or self.row.status,
            actor=self.row.actor if change.actor is None else change.actor,
            ply=self.row.ply if change.ply is None else change.ply,
            deadline=change.deadline,
            rematch=change.rematch or self.row.rematch,
        )
