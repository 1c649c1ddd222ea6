"""Records: games as short text files that people can read and programs can check.

    parlour record 1
    game octa
    option size 4
    option stop_on_enemy false
    seed 7
    1. 2,2
    2. -2,2
    result 1 -1 elimination
    check 5f0c9a1e

Each decision has a line, and the outcomes of chance that follow are joined to it (`3. c2=K`).
An unfinished game has `result unfinished`. Lines `note KEY VALUE` after the seed hold data beside
the rules, such as the players. The last line is the CRC-32 of the lines before it, which reveals
cuts and edits; trailing space does not count.
"""

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from parlour.core import signals
from parlour.core.checks import as_int, check_text, is_encodable, shown
from parlour.core.errors import (
    ActionTextError,
    GameLoadError,
    GameNotInstalled,
    OptionError,
    ParlourError,
    RecordError,
    UnknownGame,
)
from parlour.core.game import CHANCE, Game, State, start_of
from parlour.core.options import find_option
from parlour.core.registry import game, game_class
from parlour.core.result import Result
from parlour.core.rng import fold_seed

HEADER = "parlour record 1"
UNFINISHED = "unfinished"


class Line(NamedTuple):
    """A legal line of play: its actions, and the states from the start."""

    actions: tuple[int, ...]
    states: tuple[State, ...]


class Record:
    """A game, its seed and its actions, chance outcomes included. Immutable, equal by value.

    It keeps all states, so that reading, extending and writing it play nothing twice. `notes` are
    lines of data beside the rules; equality ignores them.

    >>> import parlour
    >>> record = parlour.Record(parlour.game("octa:size=1"), seed=8, actions=[2])
    >>> record.final.actor
    1
    >>> parlour.Record.from_text(record.to_text()) == record
    True
    """

    def __init__(
        self,
        game: Game,
        seed: object = 0,
        actions: Iterable[Any] = (),
        notes: Mapping[str, str] | None = None,
    ) -> None:
        """Play the actions, which are ints. Raises `RecordError`, which names an illegal action.

        A `Line` is trusted and not played again.
        """
        self.game: Final = game
        self.seed: Final = fold_seed(seed)
        line = actions if isinstance(actions, Line) else _played(start_of(game, self.seed), actions)
        self.actions: Final[tuple[int, ...]] = line.actions
        self.states: Final[tuple[State, ...]] = line.states
        """The start and the state after each action."""
        self.notes: Final[Mapping[str, str]] = _checked(notes)

    @property
    def final(self) -> State:
        """The last state.

        >>> import parlour
        >>> parlour.Record(parlour.game("octa:size=1"), seed=8, actions=[2]).final.actor
        1
        """
        return self.states[-1]

    def state_at(self, number: int) -> State:
        """Return the state after that many actions. Raises `RecordError` if there are fewer.

        >>> import parlour
        >>> parlour.Record(parlour.game("octa:size=1"), seed=8, actions=[2]).state_at(0).actor
        0
        """
        if not 0 <= number < len(self.states):
            last = len(self.actions)
            raise RecordError(f"the record has positions 0 (the start) to {last}, not {number}")
        return self.states[number]

    def grown(self, actions: Sequence[int], states: Sequence[State]) -> "Record":
        """Return the record with further actions and their states, unchecked and without notes.

        >>> import parlour
        >>> record = parlour.Record(parlour.game("octa:size=1"), seed=8)
        >>> record.grown([2], [record.final.apply(2)]).actions
        (2,)
        """
        line = Line(self.actions + tuple(actions), self.states + tuple(states))
        return Record(self.game, self.seed, line)

    def cut(self, count: int) -> "Record":
        """Return the first `count` actions, without notes. Raises `RecordError` if there are fewer.

        >>> import parlour
        >>> parlour.Record(parlour.game("octa:size=1"), seed=8, actions=[2]).cut(0).actions
        ()
        """
        self.state_at(count)
        line = Line(self.actions[:count], self.states[: count + 1])
        return Record(self.game, self.seed, line)

    def with_notes(self, notes: Mapping[str, str]) -> "Record":
        """Return the record with other notes. Raises `RecordError` for one that is not a line.

        >>> import parlour
        >>> record = parlour.Record(parlour.game("octa:size=1"), seed=8)
        >>> record.with_notes({"player1": "Ada"}).notes["player1"]
        'Ada'
        """
        return Record(self.game, self.seed, Line(self.actions, self.states), notes)

    def to_text(self) -> str:
        """Return the text of the record's file.

        >>> import parlour
        >>> parlour.Record(parlour.game("octa:size=1"), seed=8).to_text().splitlines()[0]
        'parlour record 1'
        """
        lines = [HEADER, f"game {self.game.name}"]
        for option in type(self.game).OPTIONS:
            lines.append(f"option {option.name} {option.to_text(self.game.options[option.name])}")
        lines.append(f"seed {self.seed}")
        lines.extend([f"note {key} {value}".rstrip() for key, value in self.notes.items()])
        lines.extend(self._move_lines())
        lines.append(f"result {_result_text(self.final.result())}")
        lines.append(f"check {_check(lines)}")
        return "\n".join(lines) + "\n"

    def _move_lines(self) -> list[str]:
        lines: list[str] = []
        for state, action in zip(self.states, self.actions, strict=False):
            text = self.game.action_to_text(state, action)
            if state.actor == CHANCE and lines:
                lines[-1] += text
            else:
                lines.append(f"{len(lines) + 1}. {text}")
        return lines

    @staticmethod
    def from_text(text: object) -> "Record":
        """Return the record of a file's text. Raises `RecordError`, which names the wrong line.

        Its subclass `GameNotInstalled` means that the record itself is intact.

        >>> import parlour
        >>> record = parlour.Record(parlour.game("octa:size=1"), seed=8)
        >>> parlour.Record.from_text(record.to_text()) == record
        True
        """
        reader = _Reader(text)
        try:
            return reader.read()
        except (ParlourError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            # Imported here: only needed when the game of another package fails.
            from parlour.core.packages import failure_of_a_game

            reason = failure_of_a_game(error)
            if reason is None:
                raise
            raise reader.wrong(str(reason)) from reason

    def __eq__(self, other: object) -> bool:
        """Compare game, seed and actions."""
        if not isinstance(other, Record):
            return False
        return (self.game, self.seed, self.actions) == (other.game, other.seed, other.actions)

    def __hash__(self) -> int:
        """Hash game, seed and actions."""
        return hash((self.game, self.seed, self.actions))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle game, seed, actions and notes."""
        return (Record, (self.game, self.seed, self.actions, dict(self.notes)))

    def _repr_html_(self) -> str:
        """Return the score sheet, for notebooks: first and last position, and every action."""
        from parlour.drawing.score_sheet import record_to_html  # here: only notebooks need it

        return record_to_html(self)

    def __repr__(self) -> str:
        """Return the game, the seed and the actions."""
        return f"Record({self.game!r}, seed={self.seed}, actions={self.actions})"


class _Reader:
    """Reads a record line by line, so that every error can name its line."""

    def __init__(self, text: object) -> None:
        whole = check_text("a record's text", text, RecordError)
        self.lines = [line.strip() for line in whole.splitlines()]
        self.at = 0
        for number, line in enumerate(self.lines):
            if not is_encodable(line):
                self.at = number
                raise self.wrong(f"a lone surrogate cannot be stored: {shown(line)}")

    def wrong(self, what: str) -> RecordError:
        return RecordError(f"line {self.at + 1}: {what}")

    def field(self, word: str, example: str) -> str:
        """Return the rest of this line, which must begin with `word`, and go to the next line."""
        if self.at >= len(self.lines):
            raise self.wrong(f"the record stops here; expected {example!r}: the file was cut off")
        line = self.lines[self.at]
        if line != word and not line.startswith(word + " "):
            raise self.wrong(f"expected {example!r}, not {shown(line)}")
        self.at += 1
        return line[len(word) :].strip()

    def read(self) -> Record:
        if not self.lines or self.lines[0] != HEADER:
            found = self.lines[0] if self.lines else ""
            raise self.wrong(f"a record must begin with {HEADER!r}, not {shown(found)}")
        self.at = 1
        played = self.game()
        seed = self.seed()
        try:
            state = start_of(played, seed)
        except ParlourError as error:
            self.at -= 1
            raise self.wrong(str(error)) from error
        notes = self.notes()
        actions: list[int] = []
        states = [state]
        number = 0
        while self.at < len(self.lines) and re.match(r"\d+\.", self.lines[self.at]):
            number += 1
            self.move(number, actions, states)
        self.result(states[-1])
        self.check()
        return Record(played, seed, Line(tuple(actions), tuple(states)), notes)

    def game(self) -> Game:
        at = self.at
        name = self.field("game", "game NAME")
        try:
            declared = game_class(name).OPTIONS
            options: dict[str, object] = {}
            while self.at < len(self.lines) and self.lines[self.at].startswith("option "):
                at = self.at
                word, _, value = self.field("option", "option NAME VALUE").partition(" ")
                if word in options:
                    raise OptionError(f"option {word} is given twice; keep one of them")
                options[word] = find_option(name, declared, word).from_text(value.strip())
            return game(name, **options)
        except UnknownGame as unknown:
            self.at = at
            if not self.is_whole():
                raise self.wrong(str(unknown)) from unknown
            raise GameNotInstalled(
                f"the game {shown(name)} of this record is not installed; to read the record, "
                "install the package that offers this game"
            ) from unknown
        except (GameLoadError, OptionError) as error:
            self.at = at
            raise self.wrong(str(error)) from error

    def is_whole(self) -> bool:
        """Whether the checksum is right, which needs no game to verify."""
        return len(self.lines) > 1 and self.lines[-1] == f"check {_check(self.lines[:-1])}"

    def seed(self) -> int:
        text = self.field("seed", "seed NUMBER")
        if re.fullmatch(r"-?[0-9]{1,20}", text) is None:
            self.at -= 1
            raise self.wrong(f"a seed must be an integer of up to 20 digits, not {shown(text)}")
        return fold_seed(int(text))

    def notes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.at < len(self.lines) and self.lines[self.at].startswith("note "):
            key, _, value = self.field("note", "note KEY VALUE").partition(" ")
            found[key] = value.strip()
        return found

    def move(self, number: int, actions: list[int], states: list[State]) -> None:
        """Play the decision on this line and the outcomes joined to it."""
        line = self.lines[self.at]
        words = line.split()
        if len(words) != 2 or words[0] != f"{number}.":
            raise self.wrong(f"expected '{number}.' and one action, not {shown(line)}")
        decision, *outcomes = words[1].split("=")
        signals.let_signals_in()
        texts = ([decision] if decision else []) + [f"={outcome}" for outcome in outcomes]
        for text in texts:
            state = states[-1]
            try:
                action = state.game.action_from_text(state, text)
            except ActionTextError as error:
                raise self.wrong(str(error)) from error
            reason = state.refusal(action)
            if reason is not None:
                raise self.wrong(f"{text} is not legal: {reason}")
            actions.append(action)
            states.append(state.apply(action))
        self.at += 1

    def result(self, state: State) -> None:
        written = self.field("result", "result ...")
        right = _result_text(state.result())
        if written != right:
            self.at -= 1
            raise self.wrong(f"the result of these actions is {right!r}, not {shown(written)}")

    def check(self) -> None:
        right = _check(self.lines[: self.at])
        written = self.field("check", "check ...")
        if written != right:
            self.at -= 1
            raise self.wrong(
                f"the check of the lines above is {right}, not {shown(written)}: "
                "one of them was changed"
            )
        if self.at < len(self.lines):
            raise self.wrong("the check line must be the last; remove the lines after it")


def _played(start: State, actions: Iterable[Any]) -> Line:
    """Play the actions, checking each, and return their line."""
    states = [start]
    chosen: list[int] = []
    for number, action in enumerate(actions, 1):
        signals.let_signals_in()
        known = as_int(action)
        if known is None:
            raise RecordError(f"action {number} must be an int, not {shown(action)}")
        reason = states[-1].refusal(known)
        if reason is not None:
            raise RecordError(f"action {number} ({shown(action)}) is not legal: {reason}")
        chosen.append(known)
        states.append(states[-1].apply(known))
    return Line(tuple(chosen), tuple(states))


def _checked(notes: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return the notes, read-only. Raises `RecordError` for one that is not a word and a line."""
    found = {} if notes is None else dict(notes)
    for key, value in found.items():
        is_word = re.fullmatch(r"[^\s]+", key) is not None
        is_line = value == value.strip() and len(value.splitlines()) <= 1
        if not (is_word and is_line and is_encodable(key + value)):
            raise RecordError(
                f"a note must be a word and one line of text, not {shown(key)}, {shown(value)}"
            )
    return MappingProxyType(found)


def _result_text(result: Result | None) -> str:
    if result is None:
        return UNFINISHED
    returns = " ".join(f"{value:.6g}" for value in result.returns)
    return f"{returns} {result.reason}"


def _check(lines: list[str]) -> str:
    body = "\n".join(lines)
    return f"{zlib.crc32(body.encode()):08x}"
