"""Checks before a snapshot is resumed, and its event log."""

from collections.abc import Mapping

from parlour.agents import is_installed
from parlour.core.checks import shown
from parlour.core.errors import RecordError
from parlour.core.game import CHANCE
from parlour.core.record import Record
from parlour.table.chance import commitment_of, verify
from parlour.table.events import Event, EventKind
from parlour.table.notes import PERSON, Notes


def seats_to_resume(notes: Notes, given: Mapping[int, str]) -> tuple[str, ...]:
    """Return the holder of each seat. Raise `RecordError` for an agent that is not installed."""
    seats = []
    for seat, who in enumerate(notes.seats):
        if seat not in given and who != PERSON and not is_installed(who):
            raise RecordError(
                f"seat {seat + 1} was played by {shown(who)}, which is not an installed agent, and "
                f"a file cannot load one: to use it anyway, add --seat {seat + 1}=AGENT"
            )
        seats.append(given.get(seat, who))
    return tuple(seats)


def check_chance(record: Record, notes: Notes) -> None:
    """Raise `RecordError` unless the key drew the record's random events."""
    if notes.key is None:
        if any(state.actor == CHANCE for state in record.states[:-1]):
            raise RecordError("this game cannot be resumed without its chance key")
        return
    promised = notes.commitment or commitment_of(notes.key)
    wrong = verify(record, promised, notes.key, notes.nonces)
    if wrong is not None:
        raise RecordError(f"the notes of this record cannot be used: {wrong}")


def log_of(record: Record, left: tuple[float, ...], before: int = 0) -> tuple[Event, ...]:
    """Return the events after number `before` that lead to the end of a record.

    Actions that were taken back are left out.
    """
    played = zip(record.states, record.actions, strict=False)
    return tuple(
        Event(
            before + ply,
            EventKind.CHANCE if state.actor == CHANCE else EventKind.PLAY,
            int(state.actor),
            ply,
            action,
            left,
        )
        for ply, (state, action) in enumerate(played, 1)
    )
