"""Records of Banqi in the formats of CDC and UCI.

A `.cdc` file holds the commands that a host sends, one on each line, with or without a number.
A `.uci` file is the line `position startpos moves ...`, in which a flip includes the revealed
piece: `a0a0=G`. Neither format stores `first_flip_passes`; `parlour convert` takes it from the
command line.
"""

from collections.abc import Mapping
from typing import ClassVar

from parlour.core.errors import ParlourError, RecordError
from parlour.core.game import CHANCE
from parlour.core.record import Line, Record
from parlour.core.registry import game
from parlour.games.banqi.engine_texts import UCI_SIGNS, BanqiCdc, BanqiUci
from parlour.interchange import START, RecordFormat, with_moves

MOVE_COMMANDS = ("move", "flip")
IGNORED_COMMANDS = (
    "genmove",
    "game_over",
    "ready",
    "time_settings",
    "time_left",
    "showboard",
    "quit",
)
"""Commands that may occur in a transcript and change nothing."""


class BanqiCdcFile(RecordFormat):
    """Transcripts of CDC hosts."""

    name: ClassVar[str] = "cdc"
    title: ClassVar[str] = "the commands of a CDC host, for Banqi"

    def write(self, record: Record) -> str:
        """Return the rules for draws, then every move and flip.

        A final flip whose piece is not yet revealed is omitted.
        """
        dialect = BanqiCdc(record.game)
        lines = [*dialect.setup(), "reset_board"]
        for state, action in zip(record.states, record.actions, strict=False):
            line = dialect.told(state, action)
            if line is not None:
                lines.append(line)
        return "\n".join(lines) + "\n"

    def read(self, text: str, options: Mapping[str, object]) -> Record:
        """Return the record. Raises `RecordError` with the line that is wrong."""
        played = game("banqi", **options)
        dialect = BanqiCdc(played)
        state = played.start(0)
        states, actions = [state], list[int]()
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if words and words[0].isdecimal():
                words = words[1:]
            if not words or words[0] in IGNORED_COMMANDS:
                continue
            command, *arguments = words
            try:
                if command in MOVE_COMMANDS:
                    for action in dialect.actions(state, command, arguments):
                        state = state.play(action)
                        states.append(state)
                        actions.append(action)
                    continue
                if command == "reset_board":
                    other = dialect.game
                else:
                    changed = dialect.configured(command, " ".join(arguments))
                    if changed is None:
                        raise RecordError(f"unknown command {command[:40]!r}")
                    other = changed
            except ParlourError as error:
                raise RecordError(f"line {number}: {error}") from error
            if actions:
                raise RecordError(f"line {number}: {command} must come before the first move")
            dialect = BanqiCdc(other)
            state = other.start(0)
            states = [state]
        return Record(dialect.game, 0, Line(tuple(actions), tuple(states)))


class BanqiUciFile(RecordFormat):
    """UCI positions with all moves since the start."""

    name: ClassVar[str] = "uci"
    title: ClassVar[str] = "a UCI position with its moves, for Banqi"

    def write(self, record: Record) -> str:
        """Return one line; a final flip whose piece is not yet revealed is omitted."""
        dialect = BanqiUci(record.game)
        texts: list[str] = []
        flip = ""
        for state, action in zip(record.states, record.actions, strict=False):
            if state.actor == CHANCE:
                texts.append(f"{flip}={UCI_SIGNS[action]}")
                continue
            flip = dialect.move_to_text(state, action)
            if state.apply(action).actor != CHANCE:
                texts.append(flip)
        return f"position {with_moves(START, texts)}\n"

    def read(self, text: str, options: Mapping[str, object]) -> Record:
        """Return the record. Raises `RecordError`."""
        played = game("banqi", **options)
        words = text.split()
        if words[:2] != ["position", START]:
            raise RecordError(f"line 1: a game must begin with 'position {START}'")
        start = played.start(0)
        try:
            _, actions = BanqiUci(played).position_from_text(start, " ".join(words[1:]))
        except ParlourError as error:
            raise RecordError(f"line 1: {error}") from error
        return Record(played, 0, actions)
