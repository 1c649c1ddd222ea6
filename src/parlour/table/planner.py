"""What would happen at a table if somebody did something: events, and where they lead."""

from collections.abc import Callable

from parlour.agents import seat_view
from parlour.core.checks import as_int
from parlour.core.errors import IllegalAction
from parlour.core.game import CHANCE, OVER, Game
from parlour.table.chance import ChanceSource
from parlour.table.clock import Clocks
from parlour.table.errors import GameOver, NotYourTurn, TableError, TimeUp
from parlour.table.events import (
    Event,
    Kind,
    OfferDraw,
    Play,
    Redo,
    Replace,
    Request,
    Resign,
    Takeback,
)
from parlour.table.notes import PERSON
from parlour.table.seats import who_takes
from parlour.table.standing import Standing

Plan = tuple[list[Event], Standing]
"""What would happen, and where the table would stand then."""


class Planner:
    """Computes; changes nothing."""

    def __init__(
        self,
        game: Game,
        chance: ChanceSource,
        clocks: Clocks | None,
        name_of: Callable[[int], str],
    ) -> None:
        """For one table; `name_of` a seat, for what is said of it."""
        self.game = game
        self.chance = chance
        self.clocks = clocks
        self.name_of = name_of

    def plan(self, standing: Standing, seat: int, request: Request) -> Plan:
        """What the request of that seat leads to; raises as `Table.plan` says."""
        events: list[Event] = []
        if isinstance(request, Takeback):
            self._plan_takeback(standing, seat, events)
        elif standing.actor == OVER:
            why = f": {standing.ending.reason}" if standing.ending else ""
            raise GameOver(f"the game is over{why}")
        elif isinstance(request, Redo):
            return self._plan_redo(standing, seat)
        elif isinstance(request, Play):
            return self._plan_play(standing, seat, request.action)
        elif isinstance(request, OfferDraw):
            self._plan_draw(standing, seat, events)
        elif isinstance(request, Replace):
            who = who_takes(self.game, standing.seats, seat, request)
            events.append(self._event(standing, Kind.SEAT, request.seat)._replace(who=who))
        elif isinstance(request, Resign):
            if self.game.seats > 2:
                raise TableError("resignation is for games of one or two seats")
            events.append(self._event(standing, Kind.RESIGN, seat))
        else:
            if self.clocks is None or self.clocks.left(standing.actor) > 0:
                raise TableError("there is time left")
            events.append(self._event(standing, Kind.TIME_UP, standing.actor))
        return events, standing.after(events, self.name_of)

    def deal(self, standing: Standing) -> list[Event]:
        """What chance does where nobody else is to act."""
        return self._let_chance_act(standing, [])[0]

    def _event(
        self,
        standing: Standing,
        kind: Kind,
        seat: int,
        action: int = -1,
        left: tuple[float, ...] | None = None,
        ply: int | None = None,
    ) -> Event:
        if left is None:
            left = self.clocks.all_left() if self.clocks is not None else ()
        if ply is None:
            ply = len(standing.record.actions) + (action >= 0)
        return Event(standing.version + 1, kind, seat, ply, action, left)

    def _plan_play(self, standing: Standing, seat: int, action: object) -> Plan:
        if seat != standing.actor:
            raise NotYourTurn(f"it is the turn of {self.name_of(standing.actor)}")
        if self.clocks is not None and self.clocks.left(seat) <= 0:
            raise TimeUp("the time is up")
        state = standing.record.final
        number = as_int(action)
        if number is None:
            number = self.game.action_from_text(state, action) if isinstance(action, str) else -1
        reason = state.refusal(action if number < 0 else number)
        if reason is not None:
            raise IllegalAction(reason)
        left = self.clocks.rewarded(seat) if self.clocks is not None else ()
        event = self._event(standing, Kind.PLAY, seat, number, left)
        return self._let_chance_act(standing.after([event], self.name_of), [event])

    def _let_chance_act(self, standing: Standing, events: list[Event]) -> Plan:
        """Draw until a seat is to act or the game is over; adds to `events`."""
        if standing.record.final.actor != CHANCE:
            return events, standing
        drawn = sum(state.actor == CHANCE for state in standing.record.states[:-1])
        while standing.record.final.actor == CHANCE:
            outcome = self.chance.outcome(standing.record.final, drawn)
            event = self._event(standing, Kind.CHANCE, CHANCE, outcome, standing.left)
            events.append(event)
            standing = standing.after([event], self.name_of)
            drawn += 1
        return events, standing

    def _plan_takeback(self, standing: Standing, seat: int, events: list[Event]) -> None:
        if standing.ending is not None:
            raise GameOver(f"the game is over: {standing.ending.reason}")
        record = standing.record
        for ply in range(len(record.actions) - 1, -1, -1):
            actor = int(record.states[ply].actor)
            if actor == CHANCE:
                raise TableError("a random event cannot be taken back")
            if standing.seats[actor] == PERSON:
                if seat not in (CHANCE, actor):
                    raise TableError("another person has acted since")
                events.append(self._event(standing, Kind.TAKEBACK, actor, ply=ply))
                return
        raise TableError("there is no action to take back")

    def _plan_redo(self, standing: Standing, seat: int) -> Plan:
        """A person's action again, and what agents had answered; no time is gained by it."""
        if not standing.undone:
            raise TableError("there is nothing to redo")
        if seat not in (CHANCE, standing.actor):
            raise TableError("another person's action was taken back")
        events: list[Event] = []
        while standing.undone and (not events or standing.seats[standing.actor] != PERSON):
            event = self._event(standing, Kind.PLAY, standing.actor, standing.undone[0])
            events.append(event)
            standing = standing.after([event], self.name_of)
        return events, standing

    def _plan_draw(self, standing: Standing, seat: int, events: list[Event]) -> None:
        if not type(self.game).DRAW_OFFERS or self.game.seats != 2:
            raise TableError(f"{self.game.title} knows no draw by agreement")
        other = 1 - seat
        agrees = standing.draw_offer == other
        if standing.seats[other] != PERSON:
            known = seat_view(standing.record.final, other, self.chance.key, standing.version)
            agrees = known.evaluate(other) < 0
            if not agrees:
                raise TableError(f"{self.name_of(other)} declines the draw")
        if standing.draw_offer == seat and not agrees:
            raise TableError("the draw is offered already")
        events.append(self._event(standing, Kind.DRAW if agrees else Kind.OFFER, seat))
