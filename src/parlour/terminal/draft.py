"""What a player puts together on the start screen, without a display.

A draft knows the games only through what they declare: options with their kinds, seats with
their names. Every value is a text, as on the command line, and the library's own sentence says
what is wrong with one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from parlour.core.checks import shown
from parlour.core.errors import ParlourError
from parlour.core.game import Game, start_of
from parlour.core.registry import game_with
from parlour.core.scene import Scene
from parlour.table import PERSON, Notes, TimeControl
from parlour.table.locations import Unfinished
from parlour.table.notes import without_seed
from parlour.terminal.fields import Field, FieldKind, next_value, option_field, problem_of, stepped
from parlour.terminal.opponents import DEFAULT_OPPONENT, seats_for
from parlour.terminal.previews import moment, seat_names, seen, under_way

NO_CLOCK = "none"
CLOCKS = (NO_CLOCK, "1m", "3m+2", "5m", "5m+3", "10m", "15m+10", "30m")
RANDOM = "random"
BEST = "best"
PLAYERS = (PERSON, *(f"level:{level}" for level in range(1, 10)), BEST)
MOST_CLOCKED = 2
"""So many seats may have clocks."""
PEOPLE_HELP = "how many people play; the other seats are the computer's, 0 to watch"
SEAT_HELP = "person; level:1 (weakest) to level:9; best; or any agent's text"
CLOCK_HELP = "the time for each seat: 5m, or 5m+3 for three seconds more after each action"
SEED_HELP = "the number that the set-up follows from"


class GameChoice(NamedTuple):
    """What to play: as the command line would say it."""

    game: str = ""
    settings: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    clock: str | None = None
    seed: int | None = None
    resumed: Path | None = None
    """The file of a game to resume; then all else is as it was."""


@dataclass
class Wanted:
    """What is wanted of one game."""

    settings: dict[str, str]
    seats: list[str] = field(default_factory=list)
    complaint: str = ""
    """Why the seats are not those that were asked for; until others are chosen."""


class Draft:
    """A game that is being chosen."""

    def __init__(
        self,
        games: Mapping[str, Game],
        unfinished: Sequence[Unfinished] = (),
        seats_of: Callable[[Game], Sequence[str]] = seats_for,
        settings: Mapping[str, str] | None = None,
        clock: str = NO_CLOCK,
        seed: str = RANDOM,
    ) -> None:
        """`games` with their defaults by name; the others are what was asked for already.

        `seats_of` says who sits where at first; what it raises is the problem of these seats.
        """
        self.games = dict(games)
        self.unfinished = list(unfinished)
        self.clock = clock
        self.seed = seed
        self._seats_of = seats_of
        self._asked = dict(settings or {})
        self._wanted: dict[str, Wanted] = {}
        self._made: dict[tuple[str, tuple[str, ...]], tuple[Game | None, str]] = {}
        self._scenes: dict[tuple[str, tuple[str, ...]], Scene] = {}
        self.at = len(self.entries) - len(self.games)
        self.resumed = 0
        """Which of the unfinished games is chosen."""

    # What there is to choose from.

    @property
    def entries(self) -> list[str]:
        """The names of the games; an empty one before them stands for those to resume."""
        return [*([""] if self.unfinished else []), *self.games]

    @property
    def name(self) -> str:
        """The chosen entry."""
        return self.entries[min(self.at, len(self.entries) - 1)]

    def step(self, by: int) -> None:
        """Choose the next entry, or the one before."""
        self.at = max(0, min(self.at + by, len(self.entries) - 1))

    def step_resumed(self, by: int) -> None:
        """Choose the next unfinished game, or the one before."""
        self.resumed = max(0, min(self.resumed + by, len(self.unfinished) - 1))

    def found(self, unfinished: Sequence[Unfinished]) -> None:
        """These can be resumed now; the same game stays chosen."""
        name = self.name
        self.unfinished = list(unfinished)
        self.resumed = 0
        names = self.entries
        self.at = names.index(name) if name in names else len(names) - len(self.games)

    # The game as it is wanted.

    @property
    def wanted(self) -> Wanted:
        """What is wanted of the chosen game."""
        name = self.name
        if name not in self._wanted:
            declared = type(self.games[name]).OPTIONS
            self._wanted[name] = Wanted(
                {
                    option.name: self._asked.get(option.name, option.to_text(option.default))
                    for option in declared
                }
            )
        return self._wanted[name]

    @property
    def settings(self) -> tuple[str, ...]:
        """The options that are not the default, as NAME=VALUE."""
        wanted = self.wanted.settings
        return tuple(
            f"{option.name}={wanted[option.name]}"
            for option in type(self.games[self.name]).OPTIONS
            if wanted[option.name] != option.to_text(option.default)
        )

    def _make(self) -> tuple[Game | None, str]:
        """The game with the options that are wanted, or what is wrong with them."""
        key = (self.name, self.settings)
        if key not in self._made:
            try:
                self._made[key] = (game_with(*key), "")
            except ParlourError as error:
                self._made[key] = (None, str(error))
        return self._made[key]

    @property
    def played(self) -> Game:
        """The game with its options; with the defaults while one of them is wrong."""
        return self._make()[0] or self.games[self.name]

    @property
    def seats(self) -> list[str]:
        """Who sits where; a game with more seats keeps those that are known."""
        wanted, count = self.wanted, self.played.seats
        if len(wanted.seats) < count:
            try:
                fresh = list(self._seats_of(self.played))
            except ParlourError as error:
                wanted.complaint = str(error)
                fresh = [PERSON, *(DEFAULT_OPPONENT,) * (count - 1)]
            wanted.seats += fresh[len(wanted.seats) :]
        return wanted.seats[:count]

    # Its fields.

    @property
    def fields(self) -> list[Field]:
        """Everything that can be chosen of the game: options, people, seats, clock, seed."""
        if not self.name:
            return []
        played = self.played
        settings = self.wanted.settings
        options = type(self.games[self.name]).OPTIONS
        fields = [option_field(option, settings[option.name]) for option in options]
        seats = self.seats
        if len(seats) > 1:
            counts = tuple(str(count) for count in range(len(seats) + 1))
            people = str(seats.count(PERSON))
            fields.append(Field(FieldKind.PEOPLE, "people", people, PEOPLE_HELP, counts))
        for number, name in enumerate(seat_names(played)):
            who = seats[number]
            problem = problem_of(partial(seats_for, played, given={number: who}))
            fields.append(Field(FieldKind.SEAT, name, who, SEAT_HELP, PLAYERS, problem))
        if len(seats) <= MOST_CLOCKED or self.clock != NO_CLOCK:
            problem = problem_of(self._check_clock)
            fields.append(Field(FieldKind.CLOCK, "clock", self.clock, CLOCK_HELP, CLOCKS, problem))
        problem = problem_of(self._check_seed)
        fields.append(Field(FieldKind.SEED, "seed", self.seed, SEED_HELP, (RANDOM,), problem))
        return fields

    def _check_clock(self) -> None:
        if self.clock != NO_CLOCK:
            TimeControl.from_text(self.clock)

    def _check_seed(self) -> None:
        number = self.seed_number
        if number is not None:
            start_of(self.played, number)

    @property
    def seed_number(self) -> int | None:
        """The seed; `None` for a random one. `ParlourError` if it is not a number."""
        if self.seed == RANDOM:
            return None
        try:
            return int(self.seed)
        except ValueError:
            raise ParlourError(
                f"a seed is a whole number, or {RANDOM}; not {shown(self.seed)}"
            ) from None

    @property
    def problem(self) -> str:
        """What is wrong with the first wrong field, or with the options together."""
        if not self.name:
            return ""
        fields = (each.problem for each in self.fields)
        return next(filter(None, fields), "") or self._make()[1] or self.wanted.complaint

    def set(self, number: int, text: str) -> None:
        """A field has that value from now on, right or wrong."""
        fields = self.fields
        changed, value = fields[number], text.strip()
        if changed.kind is FieldKind.OPTION:
            self.wanted.settings[changed.name] = value
        elif changed.kind is FieldKind.PEOPLE:
            self.wanted.complaint = ""
            self._seat_people(value)
        elif changed.kind is FieldKind.SEAT:
            first = next(at for at, each in enumerate(fields) if each.kind is FieldKind.SEAT)
            self.wanted.complaint = ""
            self.wanted.seats[number - first] = value
        elif changed.kind is FieldKind.CLOCK:
            self.clock = value or NO_CLOCK
        else:
            self.seed = value or RANDOM

    def _seat_people(self, text: str) -> None:
        """So many people sit down, on the first seats; what is no such number changes nothing."""
        seats = self.seats
        if text not in map(str, range(len(seats) + 1)):
            return
        others = [who for who in seats if who != PERSON] or [DEFAULT_OPPONENT]
        people = int(text)
        self.wanted.seats[: len(seats)] = [
            PERSON if seat < people else others[min(seat - people, len(others) - 1)]
            for seat in range(len(seats))
        ]

    def change(self, number: int, by: int) -> None:
        """A field takes its next value, or the one before; a text has none."""
        chosen = self.fields[number]
        if chosen.kind is FieldKind.OPTION:
            option = type(self.games[self.name]).OPTIONS[number]
            self.set(number, stepped(option, chosen.value, by))
        else:
            self.set(number, next_value(chosen.values, chosen.value, by))

    def choice(self) -> GameChoice:
        """What to play. `ParlourError` says what is wrong with it."""
        if not self.name:
            return GameChoice(resumed=self.unfinished[self.resumed].path)
        problem = self.problem
        if problem:
            raise ParlourError(problem)
        clock = None if self.clock == NO_CLOCK else self.clock
        return GameChoice(self.name, self.settings, tuple(self.seats), clock, self.seed_number)

    # What it looks like.

    def scene_of(self, name: str) -> Scene:
        """A position of a game for its picture; of the game left last for the empty name."""
        if not name:
            return self._left_scene(0)
        return self._scene((name, ()), self.games[name])

    @property
    def scene(self) -> Scene:
        """A position of what is chosen, with its options."""
        if not self.name:
            return self._left_scene(self.resumed)
        return self._scene((self.name, self.settings), self.played)

    def _left_scene(self, number: int) -> Scene:
        left = self.unfinished[number]
        key = (str(left.path), (left.saved,))
        if key not in self._scenes:
            self._scenes[key] = seen(lambda: left.record.final)
        return self._scenes[key]

    def _scene(self, key: tuple[str, tuple[str, ...]], game: Game) -> Scene:
        if key not in self._scenes:
            self._scenes[key] = seen(lambda: under_way(game))
        return self._scenes[key]

    def words_on(self, left: Unfinished) -> str:
        """Since when a game that was left waits, how far it is, and who plays it."""
        others = [without_seed(who) for who in Notes.of(left.record).seats if who != PERSON]
        against = f"with {', '.join(dict.fromkeys(others))}" if others else "people alone"
        count = len(left.record.actions)
        actions = "1 action" if count == 1 else f"{count} actions"
        return f"{moment(left.saved)}, {actions}, {against}"
