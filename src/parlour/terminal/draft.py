"""The player's choices on the start screen, without a display.

A draft uses only what games declare: options with their kinds, seats with their names. Every value
is a text, as on the command line, and the library's error messages explain invalid ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from parlour.core.checks import counted, shown
from parlour.core.errors import ParlourError
from parlour.core.game import Game, start_of
from parlour.core.registry import game_with
from parlour.core.rng import SEED_MAX, SEED_MIN
from parlour.core.scene import Scene
from parlour.table import PERSON, Notes, TimeControl
from parlour.table.locations import Unfinished
from parlour.table.notes import without_seed
from parlour.terminal.fields import (
    Field,
    FieldKind,
    next_value,
    option_field,
    player_words,
    problem_of,
    stepped,
)
from parlour.terminal.opponents import DEFAULT_OPPONENT, seats_for
from parlour.terminal.previews import moment, seat_names, seen, under_way

NO_CLOCK = "none"
CLOCKS = (NO_CLOCK, "1m", "3m+2", "5m", "5m+3", "10m", "15m+10", "30m")
RANDOM = "random"
BEST = "best"
PLAYERS = (PERSON, *(f"level:{level}" for level in range(1, 10)), BEST)
MOST_CLOCKED = 2
"""Games with at most this many seats may have clocks."""
PEOPLE_HELP = "how many people play; the computer plays the other seats; 0 to watch"
SEAT_HELP = "person; level:1 (weakest) to level:9; best; or any agent's text"
CLOCK_HELP = "the time for each seat: 5m, or 5m+3 to add three seconds after each action"
SEED_HELP = "the number that determines the setup"


class GameChoice(NamedTuple):
    """What to play, in the words of the command line."""

    game: str = ""
    settings: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    clock: str | None = None
    seed: int | None = None
    resumed: Path | None = None
    """The file of a game to resume; the other fields are then ignored."""


@dataclass
class Selection:
    """The selected options and seats of one game."""

    settings: dict[str, str]
    seats: list[str] = field(default_factory=list)
    seats_problem: str = ""
    """Why the requested seats could not be used; cleared when others are chosen."""


class Draft:
    """A game that the player is choosing."""

    def __init__(
        self,
        games: Mapping[str, Game],
        unfinished: Sequence[Unfinished] = (),
        seats_of: Callable[[Game], Sequence[str]] = seats_for,
        settings: Mapping[str, str] | None = None,
        clock: str = NO_CLOCK,
        seed: str = RANDOM,
        before: Mapping[str, GameChoice] | None = None,
    ) -> None:
        """Start with `games`, which have default options, and the choices made on the command line.

        `seats_of` returns the initial seats; an error it raises is shown as their problem.
        `before` has the choices of earlier games, the latest last.
        """
        self.games = dict(games)
        self.unfinished = list(unfinished)
        self.clock = clock
        self.seed = seed
        self._seats_of = seats_of
        self._asked = dict(settings or {})
        self._selections: dict[str, Selection] = {}
        self._made: dict[tuple[str, tuple[str, ...]], tuple[Game | None, str]] = {}
        self._scenes: dict[tuple[str, tuple[str, ...]], Scene] = {}
        self._before = dict(before or {})
        known = [name for name in self._before if name in self.games]
        self.at = self.entries.index(known[-1] if known else next(iter(self.games)))
        self.resumed = 0
        """The index of the chosen unfinished game."""

    # Entries.

    @property
    def entries(self) -> list[str]:
        """The names of the games; an empty name before them stands for unfinished games."""
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
        """Update the list of unfinished games and keep the same entry chosen."""
        name = self.name
        self.unfinished = list(unfinished)
        self.resumed = 0
        names = self.entries
        self.at = names.index(name) if name in names else len(names) - len(self.games)

    # The selected game.

    @property
    def selection(self) -> Selection:
        """The selected options and seats of the chosen game."""
        name = self.name
        if name not in self._selections:
            declared = type(self.games[name]).OPTIONS
            before = self._before.get(name, GameChoice())
            asked = {**dict(text.split("=", 1) for text in before.settings), **self._asked}
            self._selections[name] = Selection(
                {
                    option.name: asked.get(option.name, option.to_text(option.default))
                    for option in declared
                },
                list(before.seats),
            )
        return self._selections[name]

    @property
    def settings(self) -> tuple[str, ...]:
        """The options that differ from the defaults, as NAME=VALUE."""
        chosen = self.selection.settings
        return tuple(
            f"{option.name}={chosen[option.name]}"
            for option in type(self.games[self.name]).OPTIONS
            if chosen[option.name] != option.to_text(option.default)
        )

    def _make(self) -> tuple[Game | None, str]:
        """Return the game with the selected options, or what is wrong with them."""
        key = (self.name, self.settings)
        if key not in self._made:
            try:
                self._made[key] = (game_with(*key), "")
            except ParlourError as error:
                self._made[key] = (None, str(error))
        return self._made[key]

    @property
    def played(self) -> Game:
        """The game with its options; with the defaults while one of them is invalid."""
        return self._make()[0] or self.games[self.name]

    @property
    def seats(self) -> list[str]:
        """The holder of each seat; a game with more seats keeps the known ones."""
        selection, count = self.selection, self.played.seats
        if len(selection.seats) < count:
            try:
                fresh = list(self._seats_of(self.played))
            except ParlourError as error:
                selection.seats_problem = str(error)
                fresh = [PERSON, *(DEFAULT_OPPONENT,) * (count - 1)]
            selection.seats += fresh[len(selection.seats) :]
        return selection.seats[:count]

    # Fields.

    @property
    def fields(self) -> list[Field]:
        """All fields of the game: options, people, seats, clock, seed."""
        if not self.name:
            return []
        played = self.played
        settings = self.selection.settings
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
            words = player_words(who)
            fields.append(Field(FieldKind.SEAT, name, who, SEAT_HELP, PLAYERS, problem, "", words))
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
        """The seed; `None` for a random one. Raises `ParlourError` if it is not a number."""
        if self.seed == RANDOM:
            return None
        try:
            number = int(self.seed)
        except ValueError:
            raise ParlourError(
                f"a seed must be a whole number or {RANDOM}, not {shown(self.seed)}"
            ) from None
        if not SEED_MIN <= number <= SEED_MAX:
            raise ParlourError(f"a seed must lie between {SEED_MIN} and {SEED_MAX}")
        return number

    @property
    def problem(self) -> str:
        """What is wrong with the first invalid field, or with the options together."""
        if not self.name:
            return ""
        fields = (each.problem for each in self.fields)
        return next(filter(None, fields), "") or self._make()[1] or self.selection.seats_problem

    def set(self, number: int, text: str) -> None:
        """Set a field to a value, valid or not."""
        fields = self.fields
        changed, value = fields[number], text.strip()
        if changed.kind is FieldKind.OPTION:
            self.selection.settings[changed.name] = value
        elif changed.kind is FieldKind.PEOPLE:
            self.selection.seats_problem = ""
            self._seat_people(value)
        elif changed.kind is FieldKind.SEAT:
            first = next(at for at, each in enumerate(fields) if each.kind is FieldKind.SEAT)
            self.selection.seats_problem = ""
            self.selection.seats[number - first] = value
        elif changed.kind is FieldKind.CLOCK:
            self.clock = value or NO_CLOCK
        else:
            self.seed = value or RANDOM

    def _seat_people(self, text: str) -> None:
        """Give the first seats to this many people; ignore an invalid number."""
        seats = self.seats
        if text not in map(str, range(len(seats) + 1)):
            return
        others = [who for who in seats if who != PERSON] or [DEFAULT_OPPONENT]
        people = int(text)
        self.selection.seats[: len(seats)] = [
            PERSON if seat < people else others[min(seat - people, len(others) - 1)]
            for seat in range(len(seats))
        ]

    def change(self, number: int, by: int) -> None:
        """Change a field to its next or previous value; texts have none."""
        chosen = self.fields[number]
        if chosen.kind is FieldKind.OPTION:
            option = type(self.games[self.name]).OPTIONS[number]
            self.set(number, stepped(option, chosen.value, by))
        else:
            self.set(number, next_value(chosen.values, chosen.value, by))

    def choice(self) -> GameChoice:
        """Return what to play. Raise `ParlourError` if something is wrong with it."""
        if not self.name:
            return GameChoice(resumed=self.unfinished[self.resumed].path)
        problem = self.problem
        if problem:
            raise ParlourError(problem)
        clock = None if self.clock == NO_CLOCK else self.clock
        return GameChoice(self.name, self.settings, tuple(self.seats), clock, self.seed_number)

    # Pictures.

    def scene_of(self, name: str) -> Scene:
        """Return a position for a game's picture; the empty name is the last unfinished game."""
        if not name:
            return self._left_scene(0)
        return self._scene((name, ()), self.games[name])

    @property
    def scene(self) -> Scene:
        """A position of the chosen game with its options."""
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
        """Return when a game was saved, how far it got, and who plays it."""
        others = [without_seed(who) for who in Notes.of(left.record).seats if who != PERSON]
        against = f"with {', '.join(dict.fromkeys(others))}" if others else "people only"
        count = len(left.record.actions)
        return f"{moment(left.saved)}, {counted(count, 'action')}, {against}"
