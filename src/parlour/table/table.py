"""The table: one live game, its seats, and everything that happens to it.

Whatever is asked of it goes the same way: `plan` computes what would happen, as events; the
store keeps it; `accept` lets it happen. A table that accepts the same events stands where
this one stands.
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
        log: Iterable[Event] | None = None,
        version: int = 0,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Sit down and start, or stand where a log leads.

        `seats` names who holds each seat: PERSON or an agent's text; missing ones are
        persons. `seed` is of the set-up; `chance` is secret by default. With a `path`
        the game is saved there after everything that happens. `version` is the number of the
        last event before the table's own. Raises `TableError` for
        too many seats, `AgentError` or `OptionError` for a wrong agent.
        """
        if control is not None:
            control.checked()
        self.game = game
        held = checked_seats(game, seats)
        self.seed = fold_seed(seed)
        self.chance = chance or ChanceSource.secret()
        self._wall = wall
        self.save_problem = ""
        """Why the game is not on the disk, in one sentence, or empty."""
        left = (control.seconds,) * game.seats if control else ()
        self._clocks = Clocks(control, left, now) if control else None
        self._file = None if path is None else TableFile(path)
        self._standing = Standing(Record(game, self.seed), version, left=left, seats=held)
        self._planner = Planner(game, self.chance, self._clocks)
        self._log: tuple[Event, ...] = ()
        self._planned: tuple[list[Event], Standing] | None = None
        if log is None:
            self.deal()
        else:
            self.accept(log)

    def deal(self) -> list[Event]:
        """Let chance act where nobody else is to: what it did. The right clock runs."""
        events = self._planner.deal(self._standing)
        self.accept(events)
        return events

    # What there is to see.

    @property
    def start(self) -> State:
        """The first position."""
        return self._standing.record.states[0]

    @property
    def state(self) -> State:
        """The position now."""
        return self._standing.record.final

    @property
    def standing(self) -> Standing:
        """Where the table stands: equal for two tables to which the same has happened."""
        return self._standing

    @property
    def line(self) -> Record:
        """The game as it was played up to now, without notes and without what was taken back."""
        return self._standing.record

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self._standing.version

    @property
    def log(self) -> tuple[Event, ...]:
        """Everything that happened, what was taken back included."""
        return self._log

    @property
    def ending(self) -> Ending | None:
        """How the players ended the game, if its rules did not."""
        return self._standing.ending

    @property
    def seats(self) -> tuple[str, ...]:
        """Who holds each seat: PERSON or an agent's text."""
        return self._standing.seats

    @property
    def actor(self) -> int:
        """The seat to act, or OVER."""
        return self._standing.actor

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""
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

    def name_of(self, seat: int) -> str:
        """The seat's name, and the agent that holds it, without its seed."""
        return self._standing.name_of(seat)

    def outcome_words(self) -> str:
        """How the game ended, in a sentence; empty while it goes on."""
        if self.ending is not None:
            return printable(f"{self.ending.reason[0].upper()}{self.ending.reason[1:]}.")
        return self.state.scene(None).status if self.is_over else ""

    # What is asked of it.

    def plan(self, seat: int, request: Request, at: int = 0) -> list[Event]:
        """Return what would happen if the seat did that, outcomes of chance included.

        The one place where turn and legality are checked. `at` is the moment that the events
        bear. Nothing changes. Raises `GameOver`, `NotYourTurn`, `TimeUp` or another `TableError`;
        `IllegalAction` or `ActionTextError` for an action that cannot be made.
        """
        events, standing = self._planner.plan(self._standing, seat, request)
        if at:
            events = [event._replace(at=at) for event in events]
        self._planned = (events, standing)
        return events

    @property
    def planned_standing(self) -> Standing:
        """Where the last plan would lead; where the table stands if there is none."""
        return self._standing if self._planned is None else self._planned[1]

    def accept(self, events: Iterable[Event]) -> None:
        """Let these events happen: the only thing that changes a table.

        Raises `StaleEvents` unless their numbers follow the last one's; then nothing changes.
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
        self._log += tuple(listed)
        if self._clocks is not None:
            self._clocks.set(self._standing.left, self._running)

    @property
    def _running(self) -> int | None:
        """Whose clock runs: that of the seat to act, unless it was given up."""
        return None if self.is_over or self.actor in self._standing.gone else self.actor

    def request(self, seat: int, request: Request) -> list[Event]:
        """Plan, store, accept: what happened. CHANCE asks for the owner of the table.

        Raises like `plan`; if the time of the seat to act is up, the game ends first.
        """
        if isinstance(request, Play | Redo) and self.check_clocks():
            raise TimeUp("the time is up")
        events = self.plan(seat, request)
        assert self._planned is not None
        self._store(self._planned[1])
        self.accept(events)
        return events

    def play(self, action: object, seat: int | None = None) -> list[Event]:
        """Play an action, its id or its text, for that seat; for the one to act if missing."""
        return self.request(self.actor if seat is None else seat, Play(action))

    def check_clocks(self) -> list[Event]:
        """End the game if the time of the seat to act is up; displays call this now and then."""
        seat = self.actor
        is_timed = self._clocks is not None and seat >= 0 and seat not in self._standing.gone
        if not is_timed or self._clocks is None or self._clocks.left(seat) > 0:
            return []
        return self.request(seat, ClaimTime())

    # How it is kept.

    def record(self) -> Record:
        """The game so far. The chance key is in it only after the end.

        `TableError` for a game with secrets before its end: it would tell them.
        """
        if self.game.has_secrets and not self.is_over:
            raise TableError(f"{self.game.title} has secrets: there is no record before the end")
        return self._noted(self._standing, with_key=self.is_over)

    def snapshot(self) -> Record:
        """The game so far with all that another process needs to resume it, the key included."""
        return self._noted(self._standing, with_key=True)

    def _noted(self, standing: Standing, with_key: bool) -> Record:
        clocks = self._clocks
        left = standing.left
        if clocks is not None and standing is self._standing:
            left = clocks.all_left()  # nothing has just happened: time has passed since
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
        )
        return standing.record.with_notes(notes.to_lines())

    def save(self) -> bool:
        """Write the file now; whether it is on the disk. The game goes on either way."""
        return self._store(self._standing)

    def _store(self, standing: Standing) -> bool:
        if self._file is None:
            return False
        try:
            self._file.write(self._noted(standing, with_key=True).to_text())
        except (OSError, GameInUse) as error:
            why = error.strerror or error if isinstance(error, OSError) else error
            self.save_problem = f"The game could not be saved ({why}); it goes on unsaved."
            return False
        self.save_problem = ""
        return True

    def close(self) -> None:
        """Leave: the time up to now is charged, and another process can take the game.

        This table may still be read.
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
        """Go on where a snapshot stops, and keep the game in that file.

        `given` names who holds some of the seats from now on. From the record itself only
        agents of ours and of installed packages are taken: nothing that a file names is
        imported. Raises `RecordError` if the notes are damaged, name another agent, or do
        not fit the random events.
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
        """Stand where the record stops."""
        left = notes.left or self._standing.left
        self._log = log_of(record, left)
        self._standing = Standing(
            record.with_notes({}),
            len(self._log),
            notes.ending,
            notes.draw_offers,
            left,
            self.seats,
            notes.gone,
        )
        if self._clocks is not None:
            self._clocks.set(left, self._running)
        if notes.ending is None:
            self.deal()
