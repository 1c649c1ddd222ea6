"""The standing of a table, and how events change it."""

from collections.abc import Iterable
from typing import NamedTuple

from parlour.core.checks import printable
from parlour.core.errors import IllegalAction, RecordError
from parlour.core.game import OVER, State
from parlour.core.record import Record
from parlour.core.result import forfeit_returns
from parlour.table.events import ACTIONS, Event, EventKind
from parlour.table.notes import PERSON, Ending, without_seed

AGREED = "the players agreed on a draw"
ABANDONED = "the game was abandoned"
NAMING = frozenset((EventKind.RESIGN, EventKind.TIME_UP))
"""Kinds of events whose effect names a seat, for which the record must be complete."""


class Standing(NamedTuple):
    """The state of a table: everything that events change. An immutable value."""

    record: Record
    version: int = 0
    """The number of the last event."""
    ending: Ending | None = None
    draw_offers: tuple[int, ...] = ()
    """The seats that offer a draw or agree to one, in order."""
    left: tuple[float, ...] = ()
    """The seconds left to each seat at the last event."""
    seats: tuple[str, ...] = ()
    """The holder of each seat: PERSON or an agent's text."""
    gone: tuple[int, ...] = ()
    """The seats that resigned or timed out, which agents play to the end."""
    consents: tuple[int, ...] = ()
    """The seats that agree to a takeback. The first one takes back its action."""
    undone: tuple[int, ...] = ()
    """The actions that were taken back and can be repeated, in playing order.

    They never include or cross a random event, because takebacks do not.
    """
    rematch_offers: tuple[int, ...] = ()
    """After the end, the seats that want a rematch, in order."""
    drawn: int = 0
    """The number of random events in the record; takebacks never cross one."""

    @property
    def draw_offer(self) -> int | None:
        """The first seat with an open draw offer."""
        return self.draw_offers[0] if self.draw_offers else None

    @property
    def actor(self) -> int:
        """The seat to act, or OVER."""
        return OVER if self.ending is not None else int(self.record.final.actor)

    def name_of(self, seat: int) -> str:
        """Return the seat's name, with the text of its agent but without the agent's seed."""
        name = self.record.game.seat_names(self.record.final)[seat]
        who = self.seats[seat]
        return name if who == PERSON else printable(f"{name} ({without_seed(who)})")

    def after(self, events: Iterable[Event], is_planned: bool = False) -> "Standing":
        """Return the standing after these events.

        Raise `IllegalAction` for an illegal action. `is_planned` skips this check for events of a
        plan.
        """
        standing, record = self, self.record
        actions: list[int] = []
        states: list[State] = []
        # The actions since `record` are added to it together: a log takes linear time.
        for event in events:
            kind = event.kind
            if kind in ACTIONS:
                state = states[-1] if states else record.final
                if not is_planned and (reason := state.refusal(event.action)) is not None:
                    raise IllegalAction(reason)
                actions.append(event.action)
                states.append(state.apply(event.action))
                standing = standing._after_action(event)
            elif kind is EventKind.TAKEBACK:
                known = len(record.actions)
                if not 0 <= event.ply <= known + len(actions):
                    raise RecordError(f"event {event.number} takes back more than was played")
                undone = record.actions[event.ply :] + tuple(actions[max(0, event.ply - known) :])
                if event.ply < known:
                    record = record.cut(event.ply)
                del actions[max(0, event.ply - known) :]
                del states[max(0, event.ply - known) :]
                standing = standing._replace(
                    version=event.number,
                    draw_offers=(),
                    left=event.left or standing.left,
                    consents=(),
                    undone=undone + standing.undone,
                )
            else:
                if states and kind in NAMING:
                    record = record.grown(actions, states)
                    actions, states = [], []
                standing = standing._replace(
                    record=record, version=event.number, left=event.left or standing.left
                )._after_aside(event)
        return Standing(record.grown(actions, states) if states else record, *standing[1:])

    def _after_action(self, event: Event) -> "Standing":
        """Return the standing after an action, except for the record."""
        left = event.left or self.left
        offers, consents, undone, drawn = self.draw_offers, self.consents, self.undone, self.drawn
        if event.kind is EventKind.CHANCE:
            undone, drawn = (), drawn + 1
        else:
            # Playing an action declines the other seats' offers.
            if offers and offers[0] != event.seat:
                offers = ()
            consents = ()
            undone = undone[1:] if undone and undone[0] == event.action else ()
        return Standing(
            self.record,
            event.number,
            self.ending,
            offers,
            left,
            self.seats,
            self.gone,
            consents,
            undone,
            self.rematch_offers,
            drawn,
        )

    def _after_aside(self, event: Event) -> "Standing":
        """Return the standing after an event that leaves the record as it is."""
        record, kind = self.record, event.kind
        if kind is EventKind.ASK:
            return self._replace(consents=(*self.consents, event.seat))
        if kind is EventKind.OFFER:
            return self._replace(draw_offers=(*self.draw_offers, event.seat))
        if kind is EventKind.DECLINE_DRAW:
            return self._replace(draw_offers=())
        if kind is EventKind.DECLINE_TAKEBACK:
            return self._replace(consents=())
        if kind is EventKind.START:
            return self
        if kind is EventKind.REMATCH:
            agreed = event.seat >= 0
            return self._replace(
                rematch_offers=(*self.rematch_offers, event.seat) if agreed else ()
            )
        if kind is EventKind.DECLINE_REMATCH:
            return self._replace(rematch_offers=())
        if kind is EventKind.DRAW:
            return self._ended(Ending((0.0,) * record.game.seats, AGREED))
        if kind is EventKind.ABANDON:
            return self._ended(Ending((0.0,) * record.game.seats, ABANDONED))
        if event.who:
            return self._with_holder(event)
        game = record.game
        if kind is EventKind.RESIGN:
            reason = f"{self.name_of(event.seat)} resigned"
        else:
            reason = f"{self.name_of(event.seat)} ran out of time"
        return self._ended(Ending(forfeit_returns(game.utility, game.teams, event.seat), reason))

    def _ended(self, ending: Ending) -> "Standing":
        return self._replace(ending=ending, draw_offers=(), consents=(), undone=())

    def _with_holder(self, event: Event) -> "Standing":
        """Return the standing with a new holder, without the old one's offers and requests."""
        seat = event.seat
        offers = tuple(each for each in self.draw_offers if each != seat)
        is_left = event.kind is not EventKind.SEAT
        return self._replace(
            seats=(*self.seats[:seat], event.who, *self.seats[seat + 1 :]),
            draw_offers=() if self.draw_offer == seat else offers,
            consents=(),
            undone=(),  # the new holder makes its own choices
            gone=(*self.gone, seat) if is_left else self.gone,
        )
