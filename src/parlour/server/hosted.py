"""A game as the server keeps it: its log, its seats, and the table that they lead to.

Like a table it computes first: every `plan_...` gives what would happen, as one `Change` for
the store; `accept` lets it happen once it is stored. Nothing here waits, and nothing here
knows a socket.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from parlour.core.game import CHANCE, OVER, Game
from parlour.core.record import Record
from parlour.core.registry import game
from parlour.protocol import messages
from parlour.server.clock import ServerClock
from parlour.server.store import (
    AGENT_TO_ACT,
    ENDED,
    PERSON_TO_ACT,
    WAITING,
    Change,
    EventRow,
    GameRow,
    KeptGame,
    NewGame,
    RequestRow,
    SeatRow,
    TokenRow,
)
from parlour.server.tokens import new_table_id
from parlour.table import (
    PERSON,
    Abandon,
    AskTakeback,
    ChanceSource,
    ClaimTime,
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
from parlour.table.resumption import log_of

OPEN, SEATED, AGENT = "open", "person", "agent"

DERIVED = -1
"""The seed of a game whose set-up follows from the key and from what the players add."""

JOIN, LEAVE, START, REMATCH = "join", "leave", "start", "rematch"
TABLE_KINDS = frozenset(str(kind) for kind in Kind)

Actionable = messages.Play | messages.Resign | messages.Draw | messages.Takeback | messages.Rematch


class TableData(msgspec.Struct, omit_defaults=True):
    """What a row of a table's event says beside its columns."""

    ply: int = 0
    left: tuple[float, ...] = ()
    who: str = ""


class StartData(msgspec.Struct):
    """What the row of the start says: who sits down, and what they add to chance."""

    seats: list[str]
    nonces: list[str]
    seed: int


class NextData(msgspec.Struct, omit_defaults=True):
    """What a row of `join` or `rematch` says."""

    name: str = ""
    table: str = ""


_table_data = msgspec.json.Decoder(TableData)
_start_data = msgspec.json.Decoder(StartData)
_next_data = msgspec.json.Decoder(NextData)
_encode = msgspec.json.Encoder().encode


class Planned(NamedTuple):
    """What would happen: for the store, and for the table."""

    change: Change
    events: Sequence[Event] = ()
    table: Table | None = None
    """The table, if the game begins with it."""


@lru_cache(maxsize=256)
def game_of(name: str, options: str) -> Game:
    """The game of a row; games are values, and some take long to make."""
    return game(name, **msgspec.json.decode(options))


def event_row(event: Event, v: int, at: int) -> EventRow:
    """A table's event as it is kept."""
    data = _encode(TableData(event.ply, event.left, event.who)).decode()
    return EventRow(v, str(event.kind), event.seat, event.action, data, at)


def event_of(row: EventRow, number: int) -> Event:
    """The event that `event_row` kept."""
    data = _table_data.decode(row.data)
    return Event(number, Kind(row.kind), row.seat, data.ply, row.action, tuple(data.left), data.who)


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
        self._rebuild(alive)

    def _rebuild(self, alive: Callable[[int, int], float]) -> None:
        events: list[Event] = []
        started: StartData | None = None
        last_at = 0
        for row in self.rows:
            if row.kind == START:
                started = _start_data.decode(row.data)
                last_at = row.at
            elif row.kind in TABLE_KINDS:
                events.append(event_of(row, len(events) + 1))
                last_at = row.at
            elif row.kind == REMATCH and row.seat >= 0:
                self.wants_rematch.append(row.seat)
        if started is None:
            return
        self.table = new_table(self.row, self.game, started, self._clock, events)
        if self.table.clocks is not None and not self.table.is_over:
            self.table.clocks.charge(alive(last_at, self._clock.now()))

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
        at = self._clock.now()
        seated = held._replace(kind=SEATED, name=name, nonce=nonce, epoch=token.epoch)
        seats = [seated if each.seat == seat else each for each in self.seats]
        data = _encode(NextData(name=name)).decode()
        rows = [EventRow(self.v + 1, JOIN, seat, -1, data, at)]
        planned = Planned(
            Change(
                self.id,
                self.v,
                rows,
                at=at,
                seats=[seated],
                tokens=[token],
                use_claim=claim,
                request=request,
            )
        )
        if any(each.kind == OPEN for each in seats):
            return planned
        more, events, table = begin(self.row, self.game, seats, self._clock, self.v + 1)
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
        at = self._clock.now()
        row = EventRow(self.v + 1, LEAVE, seat, -1, "{}", at)
        opened = SeatRow(seat, OPEN, epoch=epoch)
        return Planned(Change(self.id, self.v, [row], at=at, seats=[opened]))

    def plan_resign(self, seat: int) -> Planned:
        """A person leaves a game that is played."""
        return self._plan(seat, Resign())

    def plan_replace(self, seat: int, agent: str) -> Planned:
        """An agent plays on for a person; the person's tokens are void."""
        return self._plan(seat, Replace(seat, agent))

    def plan(self, seat: int, message: Actionable, request: RequestRow | None = None) -> Planned:
        """What the request of a seat leads to; `ParlourError` if it is refused."""
        if isinstance(message, messages.Rematch):
            return self._plan_rematch(seat, request)
        if isinstance(message, messages.Play):
            if self.table is not None and message.ply != self.ply and not self.table.is_over:
                raise StaleEvents(
                    f"this was chosen at ply {message.ply}, the game is at {self.ply}"
                )
            return self._plan(seat, Play(message.action), request)
        if isinstance(message, messages.Resign):
            return self._plan(seat, Resign(), request)
        if isinstance(message, messages.Draw):
            return self._plan(seat, OfferDraw(), request)
        return self._plan(seat, AskTakeback(), request)

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

    def plan_abandon(self) -> Planned:
        """Nobody plays this game any more."""
        if self.table is None:
            at = self._clock.now()
            row = EventRow(self.v + 1, str(Kind.ABANDON), CHANCE, -1, "{}", at)
            return Planned(Change(self.id, self.v, [row], status=ENDED, actor=OVER, at=at))
        return self._plan(CHANCE, Abandon())

    def _plan(self, seat: int, request: Request, asked: RequestRow | None = None) -> Planned:
        table = self.table
        if table is None:
            if self.row.status == ENDED:
                raise GameOver("the game is over: it was abandoned")
            raise TableError("the game waits for people to take their seats")
        events = table.plan(seat, request)
        standing = table.planned_standing
        at = self._clock.now()
        rows = [event_row(event, self.v + place, at) for place, event in enumerate(events, 1)]
        if asked is not None:
            asked = asked._replace(v=rows[-1].v)
        seats = [self._held_after(event) for event in events if event.who]
        status = status_at(standing.actor, standing.seats)
        clocks = table.clocks
        deadline: int | None = None
        if clocks is not None and standing.actor >= 0 and standing.actor not in standing.gone:
            deadline = at + int(standing.left[standing.actor] * 1000) + 1
        ply = len(standing.record.actions)
        change = Change(
            self.id,
            self.v,
            rows,
            status,
            standing.actor,
            ply,
            at,
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
        at = self._clock.now()
        rows = [EventRow(self.v + 1, REMATCH, seat, -1, "{}", at)]
        change = Change(self.id, self.v, rows, at=at, request=request)
        if set(self.people) <= {*self.wants_rematch, seat}:
            new = self._next_game()
            data = _encode(NextData(table=new.row.id)).decode()
            rows.append(EventRow(self.v + 2, REMATCH, CHANCE, -1, data, at))
            change = change._replace(rematch=new.row.id, new_game=new)
        if request is not None:
            change = change._replace(request=request._replace(v=rows[-1].v))
        return Planned(change)

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
            if row.kind == REMATCH and row.seat >= 0:
                self.wants_rematch.append(row.seat)
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


def new_table(
    row: GameRow,
    played: Game,
    started: StartData,
    clock: ServerClock,
    log: Sequence[Event] | None,
) -> Table:
    """The table of a game that begins, or with a log, of one that goes on."""
    return Table(
        played,
        started.seats,
        seed=started.seed,
        chance=ChanceSource(row.chance_key, started.nonces),
        control=TimeControl.from_text(row.control) if row.control else None,
        log=log,
        now=clock.seconds,
    )


def begin(
    row: GameRow, played: Game, seats: Sequence[SeatRow], clock: ServerClock, v: int
) -> tuple[list[EventRow], tuple[Event, ...], Table]:
    """The first events of a game after version `v`, chance's included, and its table."""
    nonces = [seat.nonce for seat in seats]
    seed = row.seed
    if seed == DERIVED:
        seed = ChanceSource(row.chance_key, nonces).setup_seed()
    started = StartData(_holders(seats), nonces, seed)
    at = clock.now()
    table = new_table(row, played, started, clock, None)
    rows = [EventRow(v + 1, START, CHANCE, -1, _encode(started).decode(), at)]
    rows += [event_row(event, v + 1 + place, at) for place, event in enumerate(table.log, 1)]
    return rows, table.log, table


def new_game(
    played: Game,
    seats: Sequence[SeatRow],
    control: TimeControl | None,
    visibility: str,
    clock: ServerClock,
    *,
    seed: int | None = None,
    rematch_of: str = "",
    record: Record | None = None,
) -> NewGame:
    """A game to be kept; it begins at once if no seat is open.

    With a `seed` it can be repeated; otherwise set-up and chance follow from a secret key.
    With a `record` it goes on where that stops, and everybody must be seated.
    """
    source = ChanceSource.secret() if seed is None else ChanceSource.from_seed(seed)
    at = clock.now()
    row = GameRow(
        new_table_id(),
        played.name,
        _encode(dict(played.options)).decode(),
        DERIVED if seed is None else seed,
        source.key,
        "" if control is None else control.to_text(),
        visibility,
        at,
        touched_at=at,
        rematch_of=rematch_of,
    )
    if any(seat.kind == OPEN for seat in seats):
        return NewGame(row, list(seats))
    if record is None:
        rows, _, table = begin(row, played, seats, clock, 0)
    else:
        rows, table = _continued(row, record, seats, clock)
    row = row._replace(
        v=rows[-1].v,
        ply=len(table.line.actions),
        status=status_of(table),
        actor=table.actor,
        deadline=deadline_of(table, clock),
    )
    return NewGame(row, list(seats), rows)


def _continued(
    row: GameRow, record: Record, seats: Sequence[SeatRow], clock: ServerClock
) -> tuple[list[EventRow], Table]:
    at = clock.now()
    control = TimeControl.from_text(row.control) if row.control else None
    left = (control.seconds,) * record.game.seats if control else ()
    started = StartData(_holders(seats), [], record.seed)
    table = new_table(row, record.game, started, clock, log_of(record, left))
    table.deal()
    rows = [EventRow(1, START, CHANCE, -1, _encode(started).decode(), at)]
    rows += [event_row(event, 1 + place, at) for place, event in enumerate(table.log, 1)]
    return rows, table


def _holders(seats: Sequence[SeatRow]) -> list[str]:
    return [PERSON if seat.kind == SEATED else seat.agent for seat in seats]


def client_status(status: str) -> str:
    """`waiting`, `playing` or `over`: what clients are told of a game's status."""
    return status if status in (WAITING, ENDED) else "playing"


def status_of(table: Table) -> str:
    """Who is to act, for the store."""
    return status_at(table.actor, table.seats)


def status_at(actor: int, seats: Sequence[str]) -> str:
    """Who is to act, for the store."""
    if actor < 0:
        return ENDED
    return PERSON_TO_ACT if seats[actor] == PERSON else AGENT_TO_ACT


def deadline_of(table: Table, clock: ServerClock) -> int | None:
    """When the clock that runs will have run out."""
    if table.clocks is None or table.is_over or table.actor in table.standing.gone:
        return None
    return clock.now() + int(table.clocks.left(table.actor) * 1000) + 1
