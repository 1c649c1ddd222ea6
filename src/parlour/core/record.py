"""A game as a short text file that a person can read and a program can check.

    parlour record 1
    game octa
    option size 4
    option stop_on_enemy false
    seed 7
    1. 2,2
    2. -2,2
    result 1 -1 elimination
    check 5f0c9a1e

One decision a line; the outcomes of chance that follow it are joined to it (`3. c2=K`).
`result unfinished` stands for a game that was left. Lines `note KEY VALUE` after the seed
keep what is no part of the rules: who played, how a table stood. The last line is the
CRC-32 of the lines before it, so that a cut or an edit shows; space at the ends of lines
does not count.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from parlour.core.checks import as_int, check_text, shown
from parlour.core.errors import (
    ActionTextError,
    GameLoadError,
    OptionError,
    ParlourError,
    RecordError,
    UnknownGame,
)
from parlour.core.game import CHANCE, Game, Result, State
from parlour.core.options import find_option
from parlour.core.registry import game, game_class
from parlour.core.rng import fold_seed

HEADER = "parlour record 1"
UNFINISHED = "unfinished"


class Record:
    """A game, its seed and its actions, chance outcomes included. Equal by value.

    `notes` say in one line each what is no part of the rules; equality does not look at them.
    """

    def __init__(
        self,
        game: Game,
        seed: object = 0,
        actions: Iterable[Any] = (),
        notes: Mapping[str, str] | None = None,
    ) -> None:
        """Check every action by playing it; `RecordError` names the first that is not legal.

        `seed` is an int, and so is each action.
        """
        self.game: Final = game
        self.seed: Final = fold_seed(seed)
        self.actions: Final[tuple[int, ...]] = tuple(_played(game.start(self.seed), actions))
        self.notes: Final[dict[str, str]] = {} if notes is None else dict(notes)
        for key, value in self.notes.items():
            is_word = re.fullmatch(r"[^\s]+", key) is not None
            if not is_word or value != value.strip() or len(value.splitlines()) > 1:
                raise RecordError(
                    f"a note is a word and one line of text, not {shown(key)}, {shown(value)}"
                )

    def states(self) -> Iterator[State]:
        """The start and the state after each action."""
        state = self.game.start(self.seed)
        yield state
        for action in self.actions:
            state = state.apply(action)
            yield state

    @property
    def final(self) -> State:
        """The last state."""
        state = self.game.start(self.seed)
        for action in self.actions:
            state = state.apply(action)
        return state

    def to_text(self) -> str:
        """The record's file."""
        lines = [HEADER, f"game {self.game.name}"]
        for option in type(self.game).OPTIONS:
            lines.append(f"option {option.name} {option.to_text(self.game.options[option.name])}")
        lines.append(f"seed {self.seed}")
        lines.extend(f"note {key} {value}".rstrip() for key, value in self.notes.items())
        lines.extend(self._move_lines())
        lines.append(f"result {_result_text(self.final.result())}")
        lines.append(f"check {_check(lines)}")
        return "\n".join(lines) + "\n"

    def _move_lines(self) -> list[str]:
        lines: list[str] = []
        for state, action in zip(self.states(), self.actions, strict=False):
            text = self.game.action_to_text(state, action)
            if state.actor == CHANCE and lines:
                lines[-1] += text
            else:
                lines.append(f"{len(lines) + 1}. {text}")
        return lines

    @staticmethod
    def from_text(text: object) -> "Record":
        """The record of a file's text, a str; `RecordError` names the first line that is wrong."""
        return _Reader(text).read()

    def __eq__(self, other: object) -> bool:
        """Same game, seed and actions."""
        if not isinstance(other, Record):
            return False
        return (self.game, self.seed, self.actions) == (other.game, other.seed, other.actions)

    def __hash__(self) -> int:
        """Follows equality."""
        return hash((self.game, self.seed, self.actions))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as its parts."""
        return (Record, (self.game, self.seed, self.actions, self.notes))

    def __repr__(self) -> str:
        """Its parts."""
        return f"Record({self.game!r}, seed={self.seed}, actions={self.actions})"


class _Reader:
    """Reads a record line by line, so that every complaint can name its line."""

    def __init__(self, text: object) -> None:
        whole = check_text("a record's text", text, RecordError)
        self.lines = [line.strip() for line in whole.splitlines()]
        self.at = 0

    def wrong(self, what: str) -> RecordError:
        return RecordError(f"line {self.at + 1}: {what}")

    def field(self, word: str, example: str) -> str:
        """The rest of this line, which must begin with `word`; steps to the next."""
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
            raise self.wrong(f"a record begins with {HEADER!r}, not {shown(found)}")
        self.at = 1
        played = self.game()
        seed = self.seed()
        try:
            state = played.start(seed)
        except ParlourError as error:
            self.at -= 1
            raise self.wrong(str(error)) from error
        notes = self.notes()
        actions: list[int] = []
        number = 0
        while self.at < len(self.lines) and re.match(r"\d+\.", self.lines[self.at]):
            number += 1
            state = self.move(state, number, actions)
        self.result(state)
        self.check()
        return Record(played, seed, actions, notes)

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
                    raise OptionError(f"option {word} is there twice; keep one of them")
                options[word] = find_option(name, declared, word).from_text(value.strip())
            return game(name, **options)
        except (UnknownGame, GameLoadError, OptionError) as error:
            self.at = at
            raise self.wrong(str(error)) from error

    def seed(self) -> int:
        text = self.field("seed", "seed NUMBER")
        if re.fullmatch(r"-?[0-9]{1,20}", text) is None:
            self.at -= 1
            raise self.wrong(f"a seed is a whole number of up to 20 digits, not {shown(text)}")
        return fold_seed(int(text))

    def notes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.at < len(self.lines) and self.lines[self.at].startswith("note "):
            key, _, value = self.field("note", "note KEY VALUE").partition(" ")
            found[key] = value.strip()
        return found

    def move(self, state: State, number: int, actions: list[int]) -> State:
        """Play this line's decision and the outcomes joined to it."""
        line = self.lines[self.at]
        words = line.split()
        if len(words) != 2 or words[0] != f"{number}.":
            raise self.wrong(f"expected '{number}.' and one action, not {shown(line)}")
        decision, *outcomes = words[1].split("=")
        texts = ([decision] if decision else []) + [f"={outcome}" for outcome in outcomes]
        for text in texts:
            try:
                action = state.game.action_from_text(state, text)
            except ActionTextError as error:
                raise self.wrong(str(error)) from error
            reason = state.refusal(action)
            if reason is not None:
                raise self.wrong(f"{text} is not legal: {reason}")
            actions.append(action)
            state = state.apply(action)
        self.at += 1
        return state

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
            raise self.wrong("the record ends with its check line; remove what follows")


def _played(state: State, actions: Iterable[Any]) -> Iterator[int]:
    """The actions as ints, each checked in the state that the ones before it lead to."""
    for number, action in enumerate(actions, 1):
        reason = state.refusal(action)
        if reason is not None:
            raise RecordError(f"action {number} ({shown(action)}) is not legal: {reason}")
        chosen = as_int(action)
        assert chosen is not None  # a legal action is an integer
        yield chosen
        state = state.apply(chosen)


def _result_text(result: Result | None) -> str:
    if result is None:
        return UNFINISHED
    returns = " ".join(f"{value:.6g}" for value in result.returns)
    return f"{returns} {result.reason}"


def _check(lines: list[str]) -> str:
    body = "\n".join(lines)
    return f"{zlib.crc32(body.encode()):08x}"
