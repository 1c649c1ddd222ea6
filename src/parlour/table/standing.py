"""Where a table stands, and where events lead it."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from parlour.core.errors import IllegalAction
from parlour.core.game import OVER
from parlour.core.record import Record
from parlour.table.events import Event, Kind
from parlour.table.notes import Ending

AGREED = "the players agreed on a draw"


class Standing(NamedTuple):
    """Where a table stands: all that events change. A value, so that it changes at once."""

    record: Record
    version: int = 0
    """The number of the last event."""
    ending: Ending | None = None
    draw_offer: int | None = None
    left: tuple[float, ...] = ()
    """The seconds left to each seat at the last event."""
    seats: tuple[str, ...] = ()
    """Who holds each seat: PERSON or an agent's text."""
    undone: tuple[int, ...] = ()
    """The actions that were taken back and can be made again, the next one first.

    No outcome of chance is among them, and none followed: a takeback never crosses one.
    """

    @property
    def actor(self) -> int:
        """The seat to act, or OVER."""
        return OVER if self.ending is not None else int(self.record.final.actor)

    def after(self, events: Iterable[Event], name_of: Callable[[int], str]) -> "Standing":
        """Where these events lead; `IllegalAction` if one cannot happen. `name_of` a seat."""
        standing = self
        for event in events:
            standing = standing._after_one(event, name_of)._replace(
                version=event.number, left=event.left
            )
        return standing

    def _after_one(self, event: Event, name_of: Callable[[int], str]) -> "Standing":
        record, kind = self.record, event.kind
        if kind in (Kind.PLAY, Kind.CHANCE):
            reason = record.final.refusal(event.action)
            if reason is not None:
                raise IllegalAction(reason)
            grown = record.grown([event.action], [record.final.apply(event.action)])
            offer = self.draw_offer
            if kind is Kind.PLAY and offer != event.seat:
                offer = None  # whoever plays on declines
            is_again = event.action == next(iter(self.undone), None)
            undone = self.undone[1:] if kind is Kind.PLAY and is_again else ()
            return self._replace(record=grown, draw_offer=offer, undone=undone)
        if kind is Kind.TAKEBACK:
            undone = record.actions[event.ply :] + self.undone
            return self._replace(record=record.cut(event.ply), draw_offer=None, undone=undone)
        if kind is Kind.SEAT:
            seats = (*self.seats[: event.seat], event.who, *self.seats[event.seat + 1 :])
            offer = None if self.draw_offer == event.seat else self.draw_offer
            # Whoever takes a seat decides anew.
            return self._replace(seats=seats, draw_offer=offer, undone=())
        if kind is Kind.OFFER:
            return self._replace(draw_offer=event.seat)
        if kind is Kind.DRAW:
            ending = Ending((0.0, 0.0), AGREED)
            return self._replace(ending=ending, draw_offer=None, undone=())
        if kind is Kind.RESIGN:
            reason = f"{name_of(event.seat)} resigned"
        else:
            reason = f"the time of {name_of(event.seat)} is up"
        ending = _loss(record.game.seats, event.seat, reason)
        return self._replace(ending=ending, draw_offer=None, undone=())


def _loss(seats: int, seat: int, reason: str) -> Ending:
    if seats == 1:
        return Ending((-1.0,), reason)
    return Ending(tuple(-1.0 if each == seat else 1.0 for each in range(2)), reason)
