"""Whole games of Banqi in the text forms of CDC and UCI.

A `.cdc` file is what a host tells the programs, a command a line, with or without its number;
a `.uci` file is the one line `position startpos moves ...`, in which a flip says what it
showed: `a0a0=G`. Neither says how the first flip passes the turn: that is an option of the
game, and `parlour convert` takes it from the command line.
"""

from collections.abc import Mapping
from typing import ClassVar

from parlour.core.errors import ParlourError, RecordError
from parlour.core.game import CHANCE
from parlour.core.record import Line, Record
from parlour.core.registry import game
from parlour.games.banqi.engine_texts import UCI_SIGNS, BanqiCdc, BanqiUci
from parlour.interchange import START, RecordFormat, with_moves

TOLD = ("move", "flip")
PASSED_OVER = ("genmove", "game_over", "ready", "time_settings", "time_left", "showboard", "quit")
"""Commands of a host that change nothing, and may stand in its transcript."""


class BanqiCdcFile(RecordFormat):
    """The commands of a host."""

    name: ClassVar[str] = "cdc"
    title: ClassVar[str] = "the commands of a CDC host, for Banqi"

    def write(self, record: Record) -> str:
        """The rules for draws, then every move and flip; what does not show yet is left out."""
        dialect = BanqiCdc(record.game)
        lines = [*dialect.setup(), "reset_board"]
        for state, action in zip(record.states, record.actions, strict=False):
            told = dialect.told(state, action)
            if told is not None:
                lines.append(told)
        return "\n".join(lines) + "\n"

    def read(self, text: str, options: Mapping[str, object]) -> Record:
        """Line by line."""
        played = game("banqi", **options)
        dialect = BanqiCdc(played)
        state = played.start(0)
        states, actions = [state], list[int]()
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if words and words[0].isdecimal():
                words = words[1:]
            if not words or words[0] in PASSED_OVER:
                continue
            command, *arguments = words
            try:
                if command in TOLD:
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
                        raise RecordError(f"{command[:40]!r} is not a command of a host")
                    other = changed
            except ParlourError as error:
                raise RecordError(f"line {number}: {error}") from error
            if actions:
                raise RecordError(f"line {number}: {command} comes after the first move")
            dialect = BanqiCdc(other)
            state = other.start(0)
            states = [state]
        return Record(dialect.game, 0, Line(tuple(actions), tuple(states)))


class BanqiUciFile(RecordFormat):
    """The position of a host, from the start on."""

    name: ClassVar[str] = "uci"
    title: ClassVar[str] = "a UCI position with its moves, for Banqi"

    def write(self, record: Record) -> str:
        """One line; a flip that does not show yet is left out."""
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
        """The one line."""
        played = game("banqi", **options)
        words = text.split()
        if words[:2] != ["position", START]:
            raise RecordError(f"line 1: a game begins with 'position {START}'")
        start = played.start(0)
        try:
            _, actions = BanqiUci(played).position_from_text(start, " ".join(words[1:]))
        except ParlourError as error:
            raise RecordError(f"line 1: {error}") from error
        return Record(played, 0, actions)
