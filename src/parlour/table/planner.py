"""Plan requests: compute their events and the resulting standing."""

from parlour.agents import seat_view
from parlour.agents.isolation import vetted
from parlour.core.checks import as_int
from parlour.core.errors import IllegalAction
from parlour.core.game import CHANCE, OVER, Game
from parlour.core.heuristics import heuristics
from parlour.table.chance import ChanceSource
from parlour.table.clock import Clocks
from parlour.table.errors import GameOver, NotYourTurn, TableError, TimeUp
from parlour.table.events import (
    Abandon,
    AskTakeback,
    Decline,
    Event,
    EventKind,
    OfferDraw,
    Play,
    Redo,
    Replace,
    Request,
    Resign,
    Undo,
)
from parlour.table.notes import PERSON
from parlour.table.seats import new_holder
from parlour.table.standing import Standing

STAND_IN = "level:1"
"""The agent that takes over a seat that was given up, with three or more seats."""

Plan = tuple[list[Event], Standing]
"""The events of a request, and the standing after them."""


class Planner:
    """Computes the events of requests without changing the table."""

    def __init__(
        self,
        game: Game,
        chance: ChanceSource,
        clocks: Clocks | None,
    ) -> None:
        """Plan for one table."""
        self.game = game
        self.chance = chance
        self.clocks = clocks
        self._at = 0

    def plan(self, standing: Standing, seat: int, request: Request, at: int) -> Plan:
        """Return the plan for a seat's request at a time; raise as `Table.plan` does."""
        self._at = at
        events: list[Event] = []
        if isinstance(request, Play) and standing.actor != OVER:
            return self._plan_play(standing, seat, request.action)
        if isinstance(request, Undo):
            self._plan_takeback(standing, seat, events)
        elif standing.actor == OVER:
            why = f": {standing.ending.reason}" if standing.ending else ""
            raise GameOver(f"the game is over{why}")
        elif isinstance(request, Redo):
            return self._plan_redo(standing, seat)
        elif isinstance(request, OfferDraw):
            self._check_accepts(standing.draw_offers, seat, request.accept)
            self._plan_draw(standing, seat, events)
        elif isinstance(request, Decline):
            events.append(self._plan_decline(standing, seat, request.offer))
        elif isinstance(request, Replace):
            who = new_holder(self.game, standing, seat, request)
            events.append(self._event(standing, EventKind.SEAT, request.seat)._replace(who=who))
        elif isinstance(request, AskTakeback):
            self._check_accepts(standing.consents, seat, request.accept)
            self._plan_consent(standing, seat, events)
        elif isinstance(request, Resign):
            events.append(self._plan_leave(standing, EventKind.RESIGN, seat))
        elif isinstance(request, Abandon):
            if seat != CHANCE:
                raise TableError("only the owner of the table can abandon a game; resign instead")
            events.append(self._event(standing, EventKind.ABANDON, CHANCE))
        else:
            if self.clocks is None or self.clocks.left(standing.actor) > 0:
                raise TableError("the seat to act still has time left")
            events.append(self._plan_leave(standing, EventKind.TIME_UP, standing.actor))
        return events, standing.after(events, True)

    def deal(self, standing: Standing) -> list[Event]:
        """Return chance's events up to the next seat's turn."""
        self._at = 0
        return self._let_chance_act(standing, [])[0]

    def _event(
        self,
        standing: Standing,
        kind: EventKind,
        seat: int,
        action: int = -1,
        left: tuple[float, ...] | None = None,
        ply: int | None = None,
    ) -> Event:
        if left is None:
            left = self.clocks.all_left() if self.clocks is not None else ()
        if ply is None:
            ply = len(standing.record.actions) + (action >= 0)
        return Event(standing.version + 1, kind, seat, ply, action, left, "", self._at)

    def _plan_play(self, standing: Standing, seat: int, action: object) -> Plan:
        if seat != standing.actor:
            raise NotYourTurn(f"it is the turn of {standing.name_of(standing.actor)}")
        is_timed = self.clocks is not None and seat not in standing.gone
        if is_timed and self.clocks is not None and self.clocks.left(seat) <= 0:
            raise TimeUp("the time is up")
        state = standing.record.final
        number = as_int(action)
        if number is None:
            number = self.game.action_from_text(state, action) if isinstance(action, str) else -1
        reason = state.refusal(action if number < 0 else number)
        if reason is not None:
            raise IllegalAction(reason)
        left = self.clocks.rewarded(seat) if self.clocks is not None else ()
        event = self._event(standing, EventKind.PLAY, seat, number, left)
        return self._let_chance_act(standing.after([event], True), [event])

    def _let_chance_act(self, standing: Standing, events: list[Event]) -> Plan:
        """Draw until a seat is to act or the game is over; add to `events`."""
        if standing.record.final.actor != CHANCE:
            return events, standing
        while standing.record.final.actor == CHANCE:
            outcome = self.chance.outcome(standing.record.final, standing.drawn)
            event = self._event(standing, EventKind.CHANCE, CHANCE, outcome, standing.left)
            events.append(event)
            standing = standing.after([event], True)
        return events, standing

    def _plan_leave(self, standing: Standing, kind: EventKind, seat: int) -> Event:
        """Return the event of a seat that resigns or times out; an agent may take over."""
        if seat in standing.gone:
            raise TableError("this seat was already given up")
        event = self._event(standing, kind, seat)
        if self.game.seats <= 2:
            return event
        return event._replace(who=vetted(STAND_IN, self.game))

    def _plan_consent(self, standing: Standing, seat: int, events: list[Event]) -> None:
        if seat in standing.consents:
            raise TableError("you have already asked for this")
        first = standing.consents[0] if standing.consents else seat
        ply = _ply_before(standing, first)
        agreed = {*standing.consents, seat}
        others = {each for each, who in enumerate(standing.seats) if who == PERSON} - agreed
        if others:
            events.append(self._event(standing, EventKind.ASK, seat))
        else:
            events.append(self._event(standing, EventKind.TAKEBACK, first, ply=ply))

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
                events.append(self._event(standing, EventKind.TAKEBACK, actor, ply=ply))
                return
        raise TableError("there is no action to take back")

    def _plan_redo(self, standing: Standing, seat: int) -> Plan:
        """Repeat a person's action and the agents' replies. This gains no time on the clock."""
        if not standing.undone:
            raise TableError("there is nothing to redo")
        if seat not in (CHANCE, standing.actor):
            raise TableError("another person's action was taken back")
        events: list[Event] = []
        while standing.undone and (not events or standing.seats[standing.actor] != PERSON):
            event = self._event(standing, EventKind.PLAY, standing.actor, standing.undone[0])
            events.append(event)
            standing = standing.after([event], True)
        return events, standing

    def _plan_draw(self, standing: Standing, seat: int, events: list[Event]) -> None:
        if not type(self.game).DRAW_OFFERS or self.game.seats < 2:
            raise TableError(f"{self.game.title} has no draws by agreement")
        agreed = {*standing.draw_offers, seat}
        others = [each for each in range(self.game.seats) if each not in agreed]
        for other in others:
            if standing.seats[other] != PERSON and not self._agent_agrees(standing, other):
                raise TableError(f"{standing.name_of(other)} declines the draw")
        if seat in standing.draw_offers:
            raise TableError("a draw is already offered")
        waiting = any(standing.seats[other] == PERSON for other in others)
        events.append(self._event(standing, EventKind.OFFER if waiting else EventKind.DRAW, seat))

    @staticmethod
    def _check_accepts(made_by: tuple[int, ...], seat: int, accept: bool) -> None:
        if accept and (not made_by or seat in made_by):
            raise TableError("the offer is gone")

    def _plan_decline(self, standing: Standing, seat: int, offer: str) -> Event:
        is_draw = offer == "draw"
        if not (standing.draw_offers if is_draw else standing.consents):
            raise TableError(f"there is no {offer} offer to decline")
        return self._event(
            standing, EventKind.DECLINE_DRAW if is_draw else EventKind.DECLINE_TAKEBACK, seat
        )

    def _agent_agrees(self, standing: Standing, seat: int) -> bool:
        """Return whether an agent accepts a draw: it does if its evaluation is below zero."""
        known = seat_view(standing.record.final, seat, self.chance.key, standing.version)
        return bool(heuristics(known.game).evaluate(known, seat) < 0)


def _ply_before(standing: Standing, seat: int) -> int:
    """Return the ply of the seat's last action. Raise `TableError` if it cannot be taken back."""
    record = standing.record
    for ply in range(len(record.actions) - 1, -1, -1):
        actor = int(record.states[ply].actor)
        if actor == CHANCE:
            raise TableError("a random event cannot be taken back")
        if actor == seat:
            return ply
    raise TableError("there is no action to take back")
