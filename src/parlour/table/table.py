"""The table: one live game, its seats, and everything that happens to it."""

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from parlour.agents import Agent, AgentFault, agent, choice_of
from parlour.core.checks import as_int
from parlour.core.errors import ParlourError, RecordError
from parlour.core.files import write_atomically
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.record import Record
from parlour.core.rng import fold_seed
from parlour.table.chance import ChanceSource
from parlour.table.clock import Clocks, TimeControl

PERSON = "person"


class TableError(ParlourError):
    """Something that the table does not allow now; the text says why."""

    code = "not_allowed"


class Ending(NamedTuple):
    """Why a game is over: by its rules, or by what the players did."""

    returns: tuple[float, ...]
    reason: str
    """In words, to end a sentence with."""


class Event(NamedTuple):
    """One action as it happened."""

    seat: int
    """Who acted, or CHANCE."""
    action: int
    text: str
    before: State
    after: State


class Table:
    """One live game. Its states are the rules' own; the table adds what they do not know."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str] = (),
        *,
        seed: int,
        chance: ChanceSource | None = None,
        control: TimeControl | None = None,
        path: Path | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Sit down and start.

        `seats` names who holds each seat: PERSON or an agent's text; missing ones are
        persons. `seed` is of the set-up; `chance` is secret by default. With a `path`
        the game is saved there after everything that happens. Raises `TableError` for
        too many seats, `AgentError` or `OptionError` for a wrong agent.
        """
        self.game = game
        self.seats = _checked_seats(game, seats)
        self.seed = fold_seed(seed)
        self.chance = chance or ChanceSource.secret()
        self.path = path
        self.ending: Ending | None = None
        self.draw_offer: int | None = None
        self.save_problem = ""
        """Why the game is not on the disk, in one sentence, or empty."""
        self.events: list[Event] = []
        self._agents: dict[int, Agent] = {}
        # The names on the scene of the state `_named`: a scene is built for them only once.
        self._named: State | None = None
        self._names: list[str] = []
        self._start = game.start(self.seed)
        self._clocks: Clocks | None = None
        if control is not None:
            if game.seats > 2:
                raise TableError("clocks are for games of one or two seats")
            self._clocks = Clocks(control, [control.seconds] * game.seats, now)
        self._let_chance_act()
        self._settle()

    # What there is to see.

    @property
    def start(self) -> State:
        """The first position."""
        return self._start

    @property
    def state(self) -> State:
        """The position now."""
        return self.events[-1].after if self.events else self._start

    @property
    def actor(self) -> int:
        """The seat to act, or OVER."""
        return OVER if self.ending is not None else int(self.state.actor)

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""
        return self.actor == OVER

    @property
    def clocks(self) -> Clocks | None:
        """The seconds left, in a game with clocks."""
        return self._clocks

    @property
    def people(self) -> list[int]:
        """The seats that people hold."""
        return [seat for seat, who in enumerate(self.seats) if who == PERSON]

    @property
    def viewer(self) -> int | None:
        """Through whose eyes to look: the person to act, else the only one, else a spectator's."""
        if self.actor in self.people:
            return self.actor
        return self.people[0] if len(self.people) == 1 else None

    @property
    def commitment(self) -> str:
        """The hash of the chance key, to be shown before the first action."""
        return self.chance.commitment

    def reveal(self) -> bytes:
        """The chance key, once the game is over; `TableError` before."""
        if not self.is_over:
            raise TableError("the chance key stays secret until the game is over")
        return self.chance.key

    # What players do.

    def play(self, action: object) -> list[Event]:
        """Play for the seat to act: what happened, outcomes of chance included.

        Raises `IllegalAction` with the reason, `TableError` after the end; nothing changes.
        """
        if self.ending is not None:
            raise TableError(f"the game is over: {self.ending.reason}")
        if self.check_clocks() is not None:
            raise TableError("the time is up")
        state = self.state
        state.play(action)
        before = len(self.events)
        seat = self.actor
        self._push(action)
        if self._clocks is not None:
            self._clocks.reward(seat)
        if self.draw_offer is not None and self.draw_offer != seat:
            self.draw_offer = None
        self._let_chance_act()
        self._settle()
        return self.events[before:]

    def agent_choice(self) -> int:
        """What the agent to act wants to play; it may think for long. `TableError` for a person."""
        seat = self.actor
        if seat < 0 or self.seats[seat] == PERSON:
            raise TableError("no agent is to act")
        if seat not in self._agents:
            self._agents[seat] = agent(self.seats[seat])
        try:
            return choice_of(self._agents[seat], self.state)
        except AgentFault as fault:
            raise fault.of(self.seats[seat]) from fault

    def takeback(self, seat: int | None = None) -> list[Event]:
        """Take back the last action of a person: what was undone, the latest first.

        Answers of agents go with it. Never across a random event, which showed something
        to the mover, nor across another person's action: `TableError`. Without a seat
        it is the person who acted last.
        """
        if self.ending is not None:
            raise TableError(f"the game is over: {self.ending.reason}")
        undone: list[Event] = []
        for event in reversed(self.events):
            undone.append(event)
            if event.seat == CHANCE:
                raise TableError("a random event cannot be taken back")
            if self.seats[event.seat] == PERSON:
                if seat is not None and event.seat != seat:
                    raise TableError("another person has acted since")
                del self.events[-len(undone) :]
                self.draw_offer = None
                for thinker in self._agents.values():
                    thinker.forget()
                self._settle()
                return undone
        raise TableError("there is no action to take back")

    def resign(self, seat: int) -> Ending:
        """Give up; `TableError` in a game of more than two seats, or after the end."""
        self._check_going_on()
        if self.game.seats > 2:
            raise TableError(f"nobody can resign from a game of {self.game.seats} seats")
        self.ending = self._loss(seat, f"{self.name_of(seat)} resigned")
        self._settle()
        return self.ending

    def offer_draw(self, seat: int) -> Ending | None:
        """Offer a draw, or accept the other's offer: the ending if that makes it one.

        An agent accepts at once where its game evaluates worse than a draw for it.
        """
        self._check_going_on()
        if not type(self.game).DRAW_OFFERS or self.game.seats != 2:
            raise TableError(f"{self.game.title} knows no draw by agreement")
        other = 1 - seat
        agrees = self.draw_offer == other
        if self.seats[other] != PERSON:
            agrees = self.state.evaluate(other) < 0
            if not agrees:
                raise TableError(f"{self.name_of(other)} declines the draw")
        if not agrees:
            self.draw_offer = seat
            return None
        self.ending = Ending((0.0, 0.0), "the players agreed on a draw")
        self._settle()
        return self.ending

    @property
    def draw_speaker(self) -> int:
        """At a keyboard that people share: who answers an offer, else who would make one."""
        return self.actor if self.draw_offer is None else 1 - self.draw_offer

    def check_clocks(self) -> Ending | None:
        """End the game if the time of the seat to act is up; displays call this now and then."""
        seat = self.actor
        if self._clocks is None or seat < 0 or self._clocks.left(seat) > 0:
            return None
        self.ending = self._loss(seat, f"the time of {self.name_of(seat)} is up")
        self._settle()
        return self.ending

    # What the table itself does.

    def name_of(self, seat: int) -> str:
        """The seat's name on the scene, and the agent that holds it, without its seed."""
        state = self.state
        if self._named is not state:
            self._named = state
            self._names = [view.name for view in state.scene(None).seats]
        name = self._names[seat]
        if self.seats[seat] == PERSON:
            return name
        return f"{name} ({re.sub(r'[:,]seed=-?[0-9]+', '', self.seats[seat])})"

    def event_words(self, event: Event) -> str:
        """Who did what: `player 2 (level:3): 1,1`."""
        who = "Chance" if event.seat == CHANCE else self.name_of(event.seat)
        return f"{who}: {event.text}"

    def outcome_words(self) -> str:
        """How the game ended, in a sentence; empty while it goes on."""
        if self.ending is not None:
            return f"{self.ending.reason[0].upper()}{self.ending.reason[1:]}."
        return self.state.scene(None).status if self.is_over else ""

    def record(self) -> Record:
        """The game so far, with notes that let another process take it up."""
        notes = {"seats": " ".join(self.seats), "commitment": self.commitment}
        notes["key"] = self.chance.key.hex()
        if self._clocks is not None:
            notes["clock"] = self._clocks.control.to_text()
            notes["left"] = self._clocks.to_text()
        if self.ending is not None:
            returns = " ".join(f"{value:g}" for value in self.ending.returns)
            notes["ending"] = f"{returns}: {self.ending.reason}"
        return Record(self.game, self.seed, [event.action for event in self.events], notes)

    def save(self) -> bool:
        """Write the file; whether it is on the disk. The game goes on either way."""
        if self.path is None:
            return False
        try:
            write_atomically(self.path, self.record().to_text())
        except OSError as error:
            self.save_problem = (
                f"The game could not be saved ({error.strerror or error}); it goes on unsaved."
            )
            return False
        self.save_problem = ""
        return True

    @classmethod
    def resume(
        cls,
        record: Record,
        *,
        path: Path | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> "Table":
        """Take a game up where its record stops; `RecordError` if its notes are damaged."""
        notes = record.notes
        try:
            seats = notes.get("seats", "").split()
            key = bytes.fromhex(notes["key"]) if "key" in notes else None
            control = TimeControl.from_text(notes["clock"]) if "clock" in notes else None
            source = ChanceSource(key) if key is not None else None
            table = cls(
                record.game, seats, seed=record.seed, chance=source, control=control, now=now
            )
            if "ending" in notes:
                returns, _, reason = notes["ending"].partition(": ")
                table.ending = Ending(tuple(float(value) for value in returns.split()), reason)
            if control is not None and "left" in notes:
                left = [float(word) for word in notes["left"].split()]
                if len(left) != record.game.seats:
                    raise TableError("there is one clock for each seat")
                table._clocks = Clocks(control, left, now)
        except (ParlourError, ValueError) as error:
            raise RecordError(f"the notes of this record cannot be used: {error}") from error
        table.events = []
        for action in record.actions:
            table._push(action)
        table._let_chance_act()
        table.path = path
        table._settle()
        return table

    def _push(self, action: object) -> None:
        state = self.state
        after = state.play(action)
        known = as_int(action)
        number = self.game.action_from_text(state, str(action)) if known is None else known
        text = self.game.action_to_text(state, number)
        self.events.append(Event(int(state.actor), number, text, state, after))

    def _let_chance_act(self) -> None:
        drawn = sum(event.seat == CHANCE for event in self.events)
        while self.state.actor == CHANCE:
            self._push(self.chance.outcome(self.state, drawn))
            drawn += 1

    def _settle(self) -> None:
        """After everything that happens: the right clock runs, and the file is up to date."""
        if self._clocks is not None:
            self._clocks.run(None if self.is_over else self.actor)
        if self.events or self.ending is not None or (self.path and self.path.exists()):
            self.save()
        else:
            self.save_problem = ""

    def _check_going_on(self) -> None:
        if self.is_over:
            raise TableError("the game is over")

    def _loss(self, seat: int, reason: str) -> Ending:
        if self.game.seats == 1:
            return Ending((-1.0,), reason)
        return Ending(tuple(-1.0 if s == seat else 1.0 for s in range(2)), reason)


def _checked_seats(game: Game, seats: Sequence[str]) -> tuple[str, ...]:
    if len(seats) > game.seats:
        raise TableError(f"{game.title} has {game.seats} seats, not {len(seats)}")
    held = tuple(seats) + (PERSON,) * (game.seats - len(seats))
    for who in held:
        if who != PERSON:
            agent(who).check_game(game)
    # In the record, spaces part the seats.
    return tuple("".join(who.split()) for who in held)
