"""Events as one viewer may see them: the only conversion from `Event` to `EventView`."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from parlour.core.checks import printable
from parlour.core.game import CHANCE, State, is_shown
from parlour.core.record import Record
from parlour.table.events import ACTIONS, Event, EventKind, EventView
from parlour.table.notes import PERSON, without_seed

WORDS = {
    EventKind.ASK: "asks to take an action back",
    EventKind.OFFER: "offers a draw",
    EventKind.DRAW: "accepts the draw",
    EventKind.DECLINE_DRAW: "declines the draw",
    EventKind.DECLINE_TAKEBACK: "declines the takeback",
    EventKind.RESIGN: "resigns",
    EventKind.TIME_UP: "ran out of time",
    EventKind.START: "The game begins",
    EventKind.DECLINE_REMATCH: "declines the rematch",
}
WHOLE_SENTENCES = frozenset(
    (
        EventKind.SEAT,
        EventKind.ABANDON,
        EventKind.JOIN,
        EventKind.LEAVE,
        EventKind.START,
        EventKind.REMATCH,
    )
)
"""Kinds of events whose words are a whole sentence."""


class Moment(NamedTuple):
    """An event, and the part of the game that is needed to show it."""

    event: Event
    state: State | None = None
    """The position before an action, or at a change of a seat's holder."""
    undone: tuple[tuple[State, int], ...] = ()
    """The actions that a takeback removes, and the position before each."""


def moment_of(event: Event, line: Record | None) -> Moment:
    """Return the moment of an event.

    `line` is the game before a takeback, or after any other event; `None` before the start.
    """
    if line is not None:
        if event.kind in ACTIONS:
            return Moment(event, line.states[event.ply - 1])
        if event.kind is EventKind.TAKEBACK:
            undone = zip(line.states[event.ply :], line.actions[event.ply :], strict=False)
            return Moment(event, None, tuple(undone))
        if event.who:
            return Moment(event, line.final)
    return Moment(event)


def moments_of(log: Iterable[Event], line: Record) -> list[Moment]:
    """Return the moments of a whole log that leads to `line`, in linear time.

    Only the actions that were taken back are applied again.
    """
    listed = list(log)
    on_line: list[int] = []
    for place, event in enumerate(listed):
        if event.kind is EventKind.TAKEBACK:
            del on_line[event.ply :]
        elif event.kind in ACTIONS:
            on_line.append(place)
    kept = set(on_line)
    found: list[Moment] = []
    states = [line.states[0]]
    actions: list[int] = []
    for place, event in enumerate(listed):
        if event.kind in ACTIONS:
            before = states[-1]
            found.append(Moment(event, before))
            is_kept = place in kept
            states.append(line.states[event.ply] if is_kept else before.apply(event.action))
            actions.append(event.action)
        elif event.kind is EventKind.TAKEBACK:
            undone = zip(states[event.ply :], actions[event.ply :], strict=False)
            found.append(Moment(event, None, tuple(undone)))
            del states[event.ply + 1 :], actions[event.ply :]
        else:
            found.append(Moment(event, states[-1] if event.who else None))
    return found


def event_view(
    event: Event, viewer: int | None, line: Record | None, names: Sequence[str]
) -> EventView:
    """Return an event as `viewer`, a seat or `None` for a spectator, may see it.

    `line` is that of `moment_of`. `names` are the display names of the seats.
    """
    return moment_view(moment_of(event, line), viewer, names)


def moment_view(moment: Moment, viewer: int | None, names: Sequence[str]) -> EventView:
    """Return a moment's event as `viewer`, a seat or `None` for a spectator, may see it."""
    event, before, undone = moment
    name = "Chance" if event.seat == CHANCE else names[event.seat]
    action: int | None = None
    text: str | None = None
    cells: tuple[int, ...] = ()
    if event.kind in ACTIONS:
        assert before is not None
        game = before.game
        words = game.action_words(before, event.action, viewer)
        if is_shown(game, before, event.action, viewer):
            shown = game.action_view(before, event.action)
            action, text, cells = event.action, shown.text, shown.cells
    elif event.kind is EventKind.TAKEBACK:
        taken_back = [state.game.action_words(state, each, viewer) for state, each in undone]
        words = ", ".join(reversed(taken_back))
    else:
        name, words = _aside(event, name, before)
    words = printable(words)
    return EventView(
        event.number,
        event.kind,
        event.seat,
        name,
        words,
        printable(_sentence(event, name, words)),
        event.ply,
        action,
        text,
        cells,
        event.at,
    )


def _aside(event: Event, name: str, state: State | None) -> tuple[str, str]:
    """Return the name and the words of an event that is not an action."""
    if event.kind is EventKind.JOIN:
        return name, f"{event.text or name} sits down"
    if event.kind is EventKind.LEAVE:
        return name, f"Seat {event.seat + 1} is free again"
    if event.kind is EventKind.REMATCH:
        return name, "The next game begins" if event.seat < 0 else f"{name} wants a rematch"
    if event.kind is EventKind.ABANDON:
        reason = f"The operator has ended the game: {event.text}"
        return name, reason if event.text else "The game was abandoned"
    if not event.who:
        return name, WORDS[event.kind]
    assert state is not None
    seat_name = state.game.seat_names(state)[event.seat]
    if event.kind is EventKind.SEAT:
        who = "A person" if event.who == PERSON else without_seed(event.who)
        return name, f"{who} takes the seat of {seat_name}"
    # Use the seat's name: the agent that takes over is not the player who left.
    return seat_name, f"{WORDS[event.kind]}; {without_seed(event.who)} plays on"


def _sentence(event: Event, name: str, words: str) -> str:
    if event.kind is EventKind.TAKEBACK:
        return f"Taken back: {words}."
    if event.kind in WHOLE_SENTENCES:
        return f"{words}."
    if event.kind is EventKind.CHANCE and not words.startswith("="):
        return words
    return f"{name}: {words}"


def history(
    log: Sequence[Event], viewer: int | None, line: Record, names: Sequence[str]
) -> list[EventView]:
    """Return the actions of the game, as `viewer` or a spectator may see them."""
    on_line: list[Event] = []
    for event in log:
        if event.kind is EventKind.TAKEBACK:
            del on_line[event.ply :]
        elif event.kind in ACTIONS:
            on_line.append(event)
    return [event_view(event, viewer, line, names) for event in on_line]
