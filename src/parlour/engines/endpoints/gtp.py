"""GTP endpoint in Pentobi's dialect: `set_game`, `play C MOVE`, `genmove C` and more."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from parlour._build import __version__
from parlour.agents import Limit
from parlour.agents.registry import agent_settings, agent_text, settings_of
from parlour.core.checks import shown
from parlour.core.errors import AgentError, OptionError
from parlour.core.options import find_option
from parlour.core.record import Record
from parlour.engines.endpoints.endpoint import Endpoint, reason
from parlour.engines.endpoints.session import EngineSession
from parlour.engines.protocols import GTP, dialect_of
from parlour.files import LARGEST_FILE, read_text
from parlour.interchange import GtpDialect

PROTOCOL_VERSION = "2"


class GtpEndpoint(Endpoint):
    """Answers a GTP host: every answer is `=` or `?` and a blank line."""

    def __init__(self, session: EngineSession, answers: IO[str]) -> None:
        """Set up the commands."""
        super().__init__(session, answers)
        self._dialect = self._find_dialect()
        self._clocks: dict[str, float] = {}
        self._increment = 0.0
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "all_legal": self._all_legal,
            "clear_board": self._clear_board,
            "cputime": lambda words: f"{time.process_time():.3f}",
            "final_score": lambda words: self._dialect.final_score(self.session.state),
            "g": lambda words: self._genmove([self._side]),
            "genmove": self._genmove,
            "get_place": self._get_place,
            "get_value": self._get_value,
            "known_command": lambda words: str(" ".join(words) in self.commands).lower(),
            "list_commands": lambda words: "\n".join(sorted(self.commands)),
            "loadsgf": self._loadsgf,
            "name": lambda words: "Parlour",
            "p": lambda words: self._play([self._side, *words]),
            "param": self._param,
            "param_base": self._param_base,
            "play": self._play,
            "protocol_version": lambda words: PROTOCOL_VERSION,
            "quit": self._quit,
            "reg_genmove": self._reg_genmove,
            "set_game": self._set_game,
            "set_random_seed": self._set_random_seed,
            "showboard": lambda words: "\n" + self._board(),
            "time_left": self._time_left,
            "time_settings": self._time_settings,
            "undo": self._undo,
            "version": lambda words: __version__,
        }

    def _find_dialect(self) -> GtpDialect:
        found = dialect_of(self.session.game, GTP)
        assert isinstance(found, GtpDialect)
        return found

    def answer(self, line: str) -> None:
        """Execute a command; the answer repeats the number before it."""
        words = line.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdecimal() and words[0].isascii() else ""
        if not words:
            if number:
                self.write(f"?{number} a command must follow the number\n\n")
            return
        command, *rest = words
        try:
            if command not in self.commands:
                raise OptionError(f"unknown command {shown(command)}; list_commands lists them")
            text, mark = self.commands[command](rest), "="
        except Exception as error:  # every command of a host gets an answer
            text, mark = reason(error), "?"
        self.write(f"{mark}{number} {text}\n\n")

    @property
    def _side(self) -> str:
        return self._dialect.side(self.session.state)

    def _board(self) -> str:
        lines = self.session.game.state_to_text(self.session.state).splitlines()
        return "\n".join(line for line in lines if line.strip())

    # The board.

    def _set_game(self, words: list[str]) -> str:
        chosen = self._dialect.configured("set_game", " ".join(words))
        assert chosen is not None
        self.session.check(chosen, self.session.text)
        self.session.close()
        self.session.reset(chosen)
        self._dialect = self._find_dialect()
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self.session.reset()
        self._clocks.clear()
        return ""

    def _play(self, words: list[str]) -> str:
        side, move = exactly(words, 2, "play COLOUR MOVE")
        state = self.session.state
        if not self._dialect.is_side(state, side):
            raise AgentError(f"it is {self._side}'s turn, not {side[:20]}")
        self.session.play([self._dialect.move_from_text(state, move)])
        return ""

    def _undo(self, words: list[str]) -> str:
        self.session.undo()
        return ""

    def _all_legal(self, words: list[str]) -> str:
        (side,) = exactly(words, 1, "all_legal COLOUR")
        state = self._dialect.turned_to(self.session.state, side)
        return "\n".join(self._dialect.move_to_text(state, each) for each in state.legal_actions())

    def _get_place(self, words: list[str]) -> str:
        (side,) = exactly(words, 1, "get_place COLOUR")
        if self.session.state.result() is None:
            raise AgentError("the game is not over: there are no places yet")
        return self._dialect.place(self.session.state, side)

    def _loadsgf(self, words: list[str]) -> str:
        if len(words) not in (1, 2):
            raise OptionError("usage: loadsgf FILE [NUMBER]")
        path, number = Path(words[0]), _number(words[1], "a move's number") if words[1:] else 0
        formats = type(self.session.game).FORMATS
        if not formats:
            raise OptionError("this game has no file format")
        try:
            text = read_text(path, LARGEST_FILE)
        except (OSError, UnicodeDecodeError) as error:
            raise AgentError(f"cannot read {words[0][:60]}: {error}") from None
        record: Record = formats[0].read(text, {})
        if number:
            record = record.cut(min(number - 1, len(record.actions)))
        self.session.check(record.game, self.session.text)
        self.session.reset(record.game)
        self._dialect = self._find_dialect()
        self.session.play(record.actions)
        return ""

    # Moves.

    def _genmove(self, words: list[str]) -> str:
        text = self._reg_genmove(words)
        if text != "pass":
            state = self.session.state
            self.session.play([self._dialect.move_from_text(state, text)])
        return text

    def _reg_genmove(self, words: list[str]) -> str:
        (side,) = exactly(words, 1, "genmove COLOUR")
        state = self.session.state
        if not self._dialect.is_side(state, side):
            if (
                state.result() is not None
                or not self._dialect.turned_to(state, side).legal_actions()
            ):
                return "pass"
            raise AgentError(f"it is {self._side}'s turn, not {side[:20]}")
        left = self._clocks.get(self._side)
        limit = None if left is None else Limit(left, self._increment)
        return self._dialect.move_to_text(state, self.session.choose(limit))

    def _get_value(self, words: list[str]) -> str:
        if self.session.opinion is None:
            raise AgentError("no value yet: send genmove first")
        return f"{(self.session.opinion + 1) / 2:.4f}"

    # Settings.

    def _time_settings(self, words: list[str]) -> str:
        main, period, stones = (_seconds(each) for each in exactly(words, 3, TIME_SETTINGS))
        self._clocks = dict.fromkeys(self._dialect.sides(), main) if main or period else {}
        self._increment = period / stones if stones else 0.0
        return ""

    def _time_left(self, words: list[str]) -> str:
        side, left, stones = exactly(words, 3, "time_left COLOUR SECONDS STONES")
        _seconds(stones)
        if side.lower() not in self._dialect.sides():
            raise OptionError(f"a colour must be one of {', '.join(self._dialect.sides())}")
        self._clocks[side.lower()] = _seconds(left)
        return ""

    def _set_random_seed(self, words: list[str]) -> str:
        (text,) = exactly(words, 1, "set_random_seed NUMBER")
        self.session.set_seed(_number(text, "a seed"))
        return ""

    def _param(self, words: list[str]) -> str:
        name, given = settings_of(self.session.text)
        declared = agent_settings(name)
        if not words:
            values = {option.name: given.get(option.name, option.default) for option in declared}
            options = {option.name: option for option in declared}
            return "\n".join(
                f"{key} {options[key].to_text(value)}" for key, value in values.items()
            )
        key, value = exactly(words, 2, "param [NAME VALUE]")
        known = find_option(name, declared, key).from_text(value)
        self.session.set_agent(agent_text(name, {**given, key: known}))
        return ""

    def _param_base(self, words: list[str]) -> str:
        if not words:
            return "resign 0"
        if exactly(words, 2, "param_base [NAME VALUE]") != ["resign", "0"]:
            raise OptionError(
                "the only parameter is resign, and it must be 0: this engine never resigns"
            )
        return ""

    def _quit(self, words: list[str]) -> str:
        self.is_over = True
        return ""


TIME_SETTINGS = "time_settings MAIN PERIOD STONES"


def exactly(words: Sequence[str], count: int, usage: str) -> list[str]:
    """Return the arguments; raises `OptionError` with the usage if their number is wrong."""
    if len(words) != count:
        raise OptionError(f"usage: {usage}")
    return list(words)


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise OptionError(f"{what} must be a whole number of at least 0, not {shown(text)}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise OptionError(f"a time must be a number of at least 0, not {shown(text)}")
    return seconds
