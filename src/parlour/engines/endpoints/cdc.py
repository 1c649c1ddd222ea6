"""CDC endpoint: numbered commands, each answered in one line by `=` or `?` and the number."""

from collections.abc import Callable
from typing import IO

from parlour._build import __version__
from parlour.agents import Limit
from parlour.core.checks import shown
from parlour.core.errors import AgentError, OptionError
from parlour.engines.drivers.cdc import COMMANDS
from parlour.engines.endpoints.endpoint import Endpoint, reason
from parlour.engines.endpoints.session import EngineSession
from parlour.engines.protocols import CDC, dialect_of
from parlour.interchange import CdcDialect

PROTOCOL_VERSION = "1.1.0"
RULES = ("boardsize", "num_repetition", "num_moves_to_draw")


class CdcEndpoint(Endpoint):
    """Answers a CDC host, which sends every move including ours: `genmove` plays nothing."""

    def __init__(self, session: EngineSession, answers: IO[str]) -> None:
        """Set up the commands, which have numbers and names."""
        super().__init__(session, answers)
        self._dialect = self._find_dialect()
        self._left: dict[str, float] = {}
        self._increment = 0.0
        known: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: PROTOCOL_VERSION,
            "name": lambda words: "Parlour",
            "version": lambda words: __version__,
            "known_command": lambda words: str(" ".join(words) in COMMANDS).lower(),
            "list_commands": lambda words: "\n".join(COMMANDS),
            "quit": self._quit,
            "reset_board": self._reset,
            "move": lambda words: self._play("move", words),
            "flip": lambda words: self._play("flip", words),
            "genmove": self._genmove,
            "game_over": lambda words: "",
            "ready": lambda words: "",
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "showboard": lambda words: "\n" + session.game.state_to_text(session.state),
            "init_board": self._init_board,
        }
        self._commands = known

    def _find_dialect(self) -> CdcDialect:
        found = dialect_of(self.session.game, CDC)
        assert isinstance(found, CdcDialect)
        return found

    def answer(self, line: str) -> None:
        """Execute a command; the number and the name must agree."""
        words = line.split()
        if not words:
            return
        number = words.pop(0) if words[0].isdecimal() and words[0].isascii() else ""
        try:
            name = self._name_of(number, words.pop(0) if words else "")
            text, mark = self._do(name, words), "="
            number = number or str(COMMANDS.index(name))
        except Exception as error:  # every command of a host gets an answer
            text, mark = reason(error), "?"
        self.write(f"{mark}{number}{' ' if text else ''}{text}\n")

    def _name_of(self, number: str, word: str) -> str:
        by_number = COMMANDS[int(number)] if number and int(number) < len(COMMANDS) else ""
        if word not in COMMANDS or (number and by_number != word):
            right = f"{COMMANDS.index(word)} {word}" if word in COMMANDS else "list_commands"
            raise OptionError(f"unknown command {shown(f'{number} {word}'.strip())}; try {right}")
        return word

    def _do(self, name: str, words: list[str]) -> str:
        if name not in RULES:
            return self._commands[name](words)
        changed = self._dialect.configured(name, " ".join(words))
        if changed is None:
            raise OptionError(f"this game has no setting {name}")
        if changed != self.session.game:
            self.session.check(changed, self.session.text)
            self.session.reset(changed)
            self._dialect = self._find_dialect()
        return ""

    def _reset(self, words: list[str]) -> str:
        self.session.reset()
        self._left.clear()
        return ""

    def _play(self, command: str, words: list[str]) -> str:
        self.session.play(self._dialect.actions(self.session.state, command, words))
        return ""

    def _init_board(self, words: list[str]) -> str:
        first = self._dialect.arranged(words)
        self.session.reset()
        self.session.set_position(first, [])
        return ""

    def _genmove(self, words: list[str]) -> str:
        state = self.session.state
        side = " ".join(words)
        if state.result() is None and not self._dialect.is_side(state, side):
            raise AgentError(f"it is {self._dialect.side(state)}'s turn, not {side[:20]!r}")
        left = self._left.get(side)
        limit = None if left is None else Limit(left, self._increment)
        return self._dialect.move_to_text(state, self.session.choose(limit))

    def _time_settings(self, words: list[str]) -> str:
        numbers = [_milliseconds(word) for word in words]
        self._increment = numbers[1] if len(numbers) > 1 else 0.0
        return ""

    def _time_left(self, words: list[str]) -> str:
        if len(words) != 2:
            raise OptionError("the command is: time_left COLOUR MILLISECONDS")
        self._left[words[0]] = _milliseconds(words[1])
        return ""

    def _quit(self, words: list[str]) -> str:
        self.is_over = True
        return ""


def _milliseconds(text: str) -> float:
    if not (text.isascii() and text.isdecimal() and len(text) <= 12):
        raise OptionError(f"a time must be a whole number of milliseconds, not {shown(text)}")
    return int(text) / 1000
