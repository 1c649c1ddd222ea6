"""Events as a viewer is told of them: nothing that this viewer may not know."""

from parlour.core.game import CHANCE, is_shown
from parlour.core.record import Record
from parlour.table.events import Event, EventView, Kind
from parlour.table.notes import PERSON
from parlour.table.seats import without_seed
from parlour.table.table import Table

WORDS = {
    Kind.ASK: "asks to take an action back",
    Kind.OFFER: "offers a draw",
    Kind.DRAW: "accepts the draw",
    Kind.DECLINE_DRAW: "declines the draw",
    Kind.DECLINE_TAKEBACK: "declines the takeback",
    Kind.RESIGN: "resigns",
    Kind.TIME_UP: "has no time left",
    Kind.ABANDON: "The game was abandoned",
}


def event_view(
    table: Table, event: Event, seat: int | None, line: Record | None = None
) -> EventView:
    """An event as that seat, or a spectator, is told of it.

    `line` is the game before the event where that is a takeback, otherwise after it; the
    game as it is now if missing.
    """
    game, record = table.game, line or table.line
    name = "Chance" if event.seat == CHANCE else table.name_of(event.seat)
    action: int | None = None
    text: str | None = None
    cells: tuple[int, ...] = ()
    if event.kind in (Kind.PLAY, Kind.CHANCE):
        before = record.states[event.ply - 1]
        words = game.action_words(before, event.action, seat)
        if is_shown(game, before, event.action, seat):
            view = game.action_view(before, event.action)
            action, text, cells = event.action, view.text, view.cells
    elif event.kind is Kind.TAKEBACK:
        undone = zip(record.states[event.ply :], record.actions[event.ply :], strict=False)
        told = [game.action_words(state, each, seat) for state, each in undone]
        words = ", ".join(reversed(told))
    elif event.kind is Kind.SEAT:
        who = "A person" if event.who == PERSON else without_seed(event.who)
        words = f"{who} takes the seat of {game.seat_names(table.state)[event.seat]}"
    else:
        words = WORDS[event.kind]
        if event.who:
            # The seat's own name: the agent that plays on is not the one who left.
            name = game.seat_names(table.state)[event.seat]
            words = f"{words}; {without_seed(event.who)} plays on"
    return EventView(
        event.number, event.kind, event.seat, name, action, text, words, cells, event.ply
    )


def history(table: Table, seat: int | None) -> list[EventView]:
    """The actions of the game as it stands, as that seat, or a spectator, is told of them."""
    on_line: list[Event] = []
    for event in table.log:
        if event.kind is Kind.TAKEBACK:
            del on_line[event.ply :]
        elif event.kind in (Kind.PLAY, Kind.CHANCE):
            on_line.append(event)
    return [event_view(table, event, seat) for event in on_line]
