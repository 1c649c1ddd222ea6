"""The table: one live game, its seats and its events.

Every request takes the same path: `plan` computes its events, the store saves them, and `accept`
applies them. Tables that accept the same events have the same standing.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from parlour.core.checks import printable
from parlour.core.errors import ParlourError, RecordError
from parlour.core.game import OVER, Game, State
from parlour.core.record import Record
from parlour.core.rng import fold_seed
from parlour.table.chance import ChanceSource
from parlour.table.clock import Clocks, TimeControl
from parlour.table.errors import GameInUse, StaleEvents, TableError, TimeUp
from parlour.table.events import (
    ClaimTime,
    Event,
    EventKind,
    Play,
    Redo,
    Request,
)
from parlour.table.notes import PERSON, Ending, Notes, moment_text
from parlour.table.planner import Planner
from parlour.table.resumption import check_chance, log_of, seats_to_resume
from parlour.table.seats import checked_seats
from parlour.table.standing import Standing
from parlour.table.storage import TableFile


class Table:
    """One live game: the rules' states, with seats, clocks, chance and a file.

    >>> from parlour import game
    >>> table = Table(game("octa", size=1), ["person", "level:3"], seed=8)
    >>> [event.kind.value for event in table.play("1,1")]
    ['play']
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str] = (),
        *,
        seed: int,
        chance: ChanceSource | None = None,
        control: TimeControl | None = None,
        path: Path | None = None,
        is_scripted: bool = False,
        log: Iterable[Event] | None = None,
        version: int = 0,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Start a game, or restore one from a log.

        `seats` are PERSON or agents' texts; missing ones are people's. `seed` is for the setup;
        `chance` defaults to a secret source. With a `path` the game is saved there after every
        event; `is_scripted` is noted there. `version` is the number of the last event before the
        first of this table. Raise `TableError` for too many seats, and `AgentError` or
        `OptionError` for an invalid agent.
        """
        if control is not None:
            control.checked()
        self.game = game
        held = checked_seats(game, seats)
        self.seed = fold_seed(seed)
        self.chance = chance or ChanceSource.secret()
        self._wall = wall
        self.save_problem = ""
        """Why the game is not saved, in one sentence; empty if it is."""
        left = (control.seconds,) * game.seats if control else ()
        self._clocks = Clocks(control, left, now) if control else None
        self._is_scripted = is_scripted
        self._file = None if path is None else TableFile(path)
        self._standing = Standing(Record(game, self.seed), version, left=left, seats=held)
        self._planner = Planner(game, self.chance, self._clocks)
        self._log: list[Event] = []
        self._planned: tuple[list[Event], Standing] | None = None
        if log is None:
            self.deal()
        else:
            self.accept(log)

    def deal(self) -> list[Event]:
        """Let chance act until it is a seat's turn. Return its events and start the clock."""
        events = self._planner.deal(self._standing)
        self.accept(events)
        return events

    # Properties.

    @property
    def start(self) -> State:
        """The first position."""
        return self._standing.record.states[0]

    @property
    def state(self) -> State:
        """The current position."""
        return self._standing.record.final

    @property
    def standing(self) -> Standing:
        """The state of the table. Tables with the same events have equal standings."""
        return self._standing

    @property
    def line(self) -> Record:
        """The game so far, without notes and without actions that were taken back."""
        return self._standing.record

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self._standing.version

    @property
    def log(self) -> tuple[Event, ...]:
        """All events, including those of takebacks."""
        return tuple(self._log)

    @property
    def ending(self) -> Ending | None:
        """How the players ended the game; `None` if its rules did or it is unfinished."""
        return self._standing.ending

    @property
    def seats(self) -> tuple[str, ...]:
        """The holder of each seat: PERSON or an agent's text."""
        return self._standing.seats

    @property
    def actor(self) -> int:
        """The seat to act, or OVER."""
        return self._standing.actor

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.actor == OVER

    @property
    def is_agents_turn(self) -> bool:
        """Whether an agent is to act."""
        actor = self.actor
        return actor >= 0 and self.seats[actor] != PERSON

    @property
    def clocks(self) -> Clocks | None:
        """The seconds left, in a game with clocks."""
        return self._clocks

    @property
    def path(self) -> Path | None:
        """Where the game is saved."""
        return None if self._file is None else self._file.path

    @property
    def people(self) -> list[int]:
        """The seats that people hold."""
        return [seat for seat, who in enumerate(self.seats) if who == PERSON]

    @property
    def viewer(self) -> int | None:
        """The seat whose view to show: the person to act or the only one, or `None`."""
        if self.actor in self.people:
            return self.actor
        return self.people[0] if len(self.people) == 1 else None

    @property
    def commitment(self) -> str:
        """The hash of the chance key, published before the first action."""
        return self.chance.commitment

    def reveal(self) -> bytes:
        """Return the chance key. Raise `TableError` before the end of the game."""
        if not self.is_over:
            raise TableError("the chance key stays secret until the game is over")
        return self.chance.key

    def name_of(self, seat: int) -> str:
        """Return the seat's name, with the text of its agent but without the agent's seed."""
        return self._standing.name_of(seat)

    def outcome_words(self) -> str:
        """Return how the game ended, in a sentence; empty during the game."""
        if self.ending is not None:
            return printable(f"{self.ending.reason[0].upper()}{self.ending.reason[1:]}.")
        return self.state.scene(None).status if self.is_over else ""

    # Requests.

    def plan(self, seat: int, request: Request, at: int = 0) -> list[Event]:
        """Return the events of a seat's request, chance included, without applying them.

        Turns and legality are checked here and nowhere else. `at` is the timestamp of the events.
        Raise `GameOver`, `NotYourTurn`, `TimeUp` or another `TableError`; for an invalid action,
        `IllegalAction` or `ActionTextError`.
        """
        events, standing = self._planner.plan(self._standing, seat, request, at)
        self._planned = (events, standing)
        return events

    @property
    def planned_standing(self) -> Standing:
        """The standing after the last plan; without one, the current standing."""
        return self._standing if self._planned is None else self._planned[1]

    def accept(self, events: Iterable[Event]) -> None:
        """Apply events. Nothing else changes a table.

        Raise `StaleEvents`, without a change, unless their numbers follow the last event's.
        """
        listed = list(events)
        for place, event in enumerate(listed, self.version + 1):
            if event.number != place:
                raise StaleEvents(f"event {event.number} does not follow event {place - 1}")
        planned, self._planned = self._planned, None
        if planned is not None and planned[0] == listed:
            self._standing = planned[1]
        else:
            self._standing = self._standing.after(listed)
        self._log += listed
        if self._clocks is not None:
            self._clocks.set(self._standing.left, self._running)

    @property
    def _running(self) -> int | None:
        """The seat whose clock runs: the seat to act, unless it was given up."""
        return None if self.is_over or self.actor in self._standing.gone else self.actor

    def request(self, seat: int, request: Request) -> list[Event]:
        """Plan a request, save it, apply it, and return its events.

        `seat` is CHANCE for the owner of the table. Raise as `plan` does. If the seat to act has
        run out of time, the game ends first.
        """
        if isinstance(request, Play | Redo) and self.check_clocks():
            raise TimeUp("the time is up")
        events = self.plan(seat, request)
        assert self._planned is not None
        self._store(self._planned[1])
        self.accept(events)
        return events

    def play(self, action: object, seat: int | None = None) -> list[Event]:
        """Play an action, given as its id or its text, for `seat` or the seat to act."""
        return self.request(self.actor if seat is None else seat, Play(action))

    def check_clocks(self) -> list[Event]:
        """End the game if the seat to act has run out of time; displays poll this."""
        seat = self.actor
        is_timed = self._clocks is not None and seat >= 0 and seat not in self._standing.gone
        if not is_timed or self._clocks is None or self._clocks.left(seat) > 0:
            return []
        return self.request(seat, ClaimTime())

    # Saving.

    def record(self) -> Record:
        """Return the game so far. It contains the chance key only after the end.

        Raise `TableError` for an unfinished game with secrets, because the record would reveal
        them.
        """
        if self.game.has_secrets and not self.is_over:
            raise TableError(f"{self.game.title} has secrets: no record before the end")
        return self._noted(self._standing, with_key=self.is_over)

    def snapshot(self) -> Record:
        """Return the game so far with everything needed to resume it, including the chance key."""
        return self._noted(self._standing, with_key=True)

    def _noted(self, standing: Standing, with_key: bool) -> Record:
        clocks = self._clocks
        left = standing.left
        if clocks is not None and standing is self._standing:
            left = clocks.all_left()  # time has passed since the last event
        notes = Notes(
            standing.seats,
            self.commitment,
            self.chance.key if with_key else None,
            None if clocks is None else clocks.control,
            left,
            standing.draw_offers,
            standing.ending,
            self.chance.nonces,
            moment_text(self._wall()) if with_key and not self.is_over else "",
            standing.gone,
            self._is_scripted,
        )
        return standing.record.with_notes(notes.to_lines())

    def save(self) -> bool:
        """Write the file now and return whether it is on disk. A failure does not stop the game."""
        return self._store(self._standing)

    def _store(self, standing: Standing) -> bool:
        if self._file is None:
            return False
        try:
            self._file.write(self._noted(standing, with_key=True).to_text())
        except (OSError, GameInUse) as error:
            why = error.strerror or error if isinstance(error, OSError) else error
            self.save_problem = f"The game could not be saved ({why}). It continues unsaved."
            return False
        self.save_problem = ""
        return True

    def close(self) -> None:
        """Charge the time since the last event and release the file for other processes.

        The table can still be read.
        """
        if self._file is not None:
            if self._clocks is not None and self._log and not self.is_over:
                self.save()
            self._file.release()

    @classmethod
    def resume(
        cls,
        record: Record,
        *,
        file: TableFile | None = None,
        given: Mapping[int, str] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> "Table":
        """Resume a snapshot, and save the game to that file.

        `given` overrides the holders of some seats. Agents named in the record must be built in or
        installed; a file never causes an import. Raise `RecordError` if the notes are damaged, name
        another agent, or do not match the random events.
        """
        notes = Notes.of(record)
        seats = seats_to_resume(notes, given or {})
        check_chance(record, notes)
        try:
            table = cls(
                record.game,
                seats,
                seed=record.seed,
                chance=None if notes.key is None else ChanceSource(notes.key, notes.nonces),
                control=notes.control,
                now=now,
            )
        except ParlourError as error:
            raise RecordError(f"the notes of this record cannot be used: {error}") from error
        table._file = file
        table._restore(record, notes)
        return table

    def _restore(self, record: Record, notes: Notes) -> None:
        """Restore the standing at the end of the record."""
        left = notes.left or self._standing.left
        self._log = list(log_of(record, left))
        self._standing = Standing(
            record.with_notes({}),
            len(self._log),
            notes.ending,
            notes.draw_offers,
            left,
            self.seats,
            notes.gone,
            drawn=sum(event.kind is EventKind.CHANCE for event in self._log),
        )
        if self._clocks is not None:
            self._clocks.set(left, self._running)
        if notes.ending is None:
            self.deal()
