"""Start of games: their first rows, and the table that they produce."""

from collections.abc import Sequence

import msgspec

from parlour.agents import is_installed
from parlour.core.checks import shown
from parlour.core.errors import OptionError, RecordError
from parlour.core.game import CHANCE, OVER, Game
from parlour.core.record import Record
from parlour.protocol.errors import TooLarge
from parlour.protocol.limits import GAME_PLIES, RECORD_ACTIONS
from parlour.server.clock import ServerClock
from parlour.server.store.log_rows import OPEN, SEATED
from parlour.server.store.store import (
    AGENT_TO_ACT,
    ENDED,
    PERSON_TO_ACT,
    WAITING,
    GameRow,
    NewGame,
    SeatRow,
)
from parlour.server.tokens import new_table_id
from parlour.table import PERSON, ChanceSource, Event, EventKind, Start, Table, TimeControl
from parlour.table.resumption import log_of

DERIVED = -1
"""Seed of a game whose set-up is derived from the chance key and the players' nonces."""


def count_actions(record: str) -> int:
    """Count the actions of a record without playing any. Raise `TooLarge` if it has too many."""
    count = 0
    for line in record.splitlines():
        number, dot, text = line.strip().partition(".")
        if dot and number.isdecimal():
            text = text.strip()
            count += text.count("=") + (not text.startswith("="))
    if count > RECORD_ACTIONS:
        raise TooLarge(f"a record may have at most {RECORD_ACTIONS} actions, not {count}")
    return count


def options_text(played: Game) -> str:
    """Return the options of a game as they are stored."""
    return msgspec.json.encode(dict(played.options)).decode()


def check_length(played: Game) -> None:
    """Raise `OptionError` if a game with these options can be too long."""
    if played.max_plies > GAME_PLIES:
        raise OptionError(
            f"a game of {played.title} with these options can have {played.max_plies} plies, and "
            f"a server allows {GAME_PLIES}: choose options for a shorter game"
        )


def new_table(
    row: GameRow,
    played: Game,
    started: Event,
    clock: ServerClock,
    log: Sequence[Event] | None,
) -> Table:
    """Create the table of a new game, or of a running one from its log.

    Raise `RecordError` if a seat's agent is not an installed one; it is not loaded.
    """
    start = started.start
    assert start is not None
    for who in start.seats:
        if who != PERSON and not is_installed(who):
            raise RecordError(f"{shown(who)} is not an installed agent")
    return Table(
        played,
        start.seats,
        seed=start.seed,
        chance=ChanceSource(row.chance_key, start.nonces),
        control=TimeControl.from_text(row.control) if row.control else None,
        log=log,
        version=started.number,
        now=clock.seconds,
    )


def begin(
    row: GameRow, played: Game, seats: Sequence[SeatRow], clock: ServerClock, v: int, at: int
) -> tuple[list[Event], Table]:
    """Return the first events of a game after version `v`, chance included, and its table.

    `at` is the time of the events.
    """
    nonces = tuple(seat.nonce for seat in seats)
    seed = row.seed
    if seed == DERIVED:
        seed = ChanceSource(row.chance_key, nonces).setup_seed()
    start = Start(_holders(seats), nonces, seed)
    started = Event(v + 1, EventKind.START, CHANCE, at=at, start=start)
    table = new_table(row, played, started, clock, None)
    return [started, *(event._replace(at=at) for event in table.log)], table


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
    owner: str = "",
) -> NewGame:
    """Return a new game; it starts at once if no seat is open.

    With a `seed` it can be repeated; otherwise set-up and chance derive from a secret key. With
    a `record` it resumes that game, and no seat may be open. Raise `OptionError` if the game can be
    too long.
    """
    if record is None or record.final.actor != OVER:
        check_length(played)
    source = ChanceSource.secret() if seed is None else ChanceSource.from_seed(seed)
    at = clock.now()
    row = GameRow(
        new_table_id(),
        played.name,
        options_text(played),
        DERIVED if seed is None else seed,
        source.key,
        "" if control is None else control.to_text(),
        visibility,
        at,
        touched_at=at,
        rematch_of=rematch_of,
        owner=owner,
    )
    if any(seat.kind == OPEN for seat in seats):
        return NewGame(row, list(seats))
    if record is None:
        events, table = begin(row, played, seats, clock, 0, at)
    else:
        events, table = _continued(row, record, seats, clock)
    row = row._replace(
        v=events[-1].number,
        ply=len(table.line.actions),
        status=status_of(table),
        actor=table.actor,
        deadline=deadline_of(table, clock),
    )
    return NewGame(row, list(seats), events)


def _continued(
    row: GameRow, record: Record, seats: Sequence[SeatRow], clock: ServerClock
) -> tuple[list[Event], Table]:
    at = clock.now()
    control = TimeControl.from_text(row.control) if row.control else None
    left = (control.seconds,) * record.game.seats if control else ()
    start = Start(_holders(seats), (), record.seed)
    started = Event(1, EventKind.START, CHANCE, at=at, start=start)
    table = new_table(row, record.game, started, clock, log_of(record, left, 1))
    table.deal()
    return [started, *(event._replace(at=at) for event in table.log)], table


def _holders(seats: Sequence[SeatRow]) -> tuple[str, ...]:
    return tuple(PERSON if seat.kind == SEATED else seat.agent for seat in seats)


def client_status(status: str) -> str:
    """Return the status for clients: `waiting`, `playing` or `over`."""
    return status if status in (WAITING, ENDED) else "playing"


def status_of(table: Table) -> str:
    """Return the status for the store: the kind of player to act."""
    return status_at(table.actor, table.seats)


def status_at(actor: int, seats: Sequence[str]) -> str:
    """Return the status for the store: the kind of player to act."""
    if actor < 0:
        return ENDED
    return PERSON_TO_ACT if seats[actor] == PERSON else AGENT_TO_ACT


def deadline_of(table: Table, clock: ServerClock) -> int | None:
    """Return the time at which the running clock expires."""
    if table.clocks is None or table.is_over or table.actor in table.standing.gone:
        return None
    return clock.now() + int(table.clocks.left(table.actor) * 1000) + 1
