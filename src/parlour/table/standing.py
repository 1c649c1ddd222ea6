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
            return self._replace(record=grown, draw_offer=offer)
        if kind is Kind.TAKEBACK:
            return self._replace(record=record.cut(event.ply), draw_offer=None)
        if kind is Kind.SEAT:
            seats = (*self.seats[: event.seat], event.who, *self.seats[event.seat + 1 :])
            offer = None if self.draw_offer == event.seat else self.draw_offer
            return self._replace(seats=seats, draw_offer=offer)
        if kind is Kind.OFFER:
            return self._replace(draw_offer=event.seat)
        if kind is Kind.DRAW:
            return self._replace(ending=Ending((0.0, 0.0), AGREED), draw_offer=None)
        if kind is Kind.RESIGN:
            reason = f"{name_of(event.seat)} resigned"
        else:
            reason = f"the time of {name_of(event.seat)} is up"
        return self._replace(ending=_loss(record.game.seats, event.seat, reason), draw_offer=None)


def _loss(seats: int, seat: int, reason: str) -> Ending:
    if seats == 1:
        return Ending((-1.0,), reason)
    return Ending(tuple(-1.0 if each == seat else 1.0 for each in range(2)), reason)
