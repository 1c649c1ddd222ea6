"""UCI and UGI endpoints: the host sends positions, and a thread computes the move.

While an agent thinks, `isready` is answered at once, and `stop` ends the search if the agent
checks a clock. Other commands wait for the move.
"""

import threading
from typing import IO, Any, ClassVar

from parlour._build import __version__
from parlour.agents import Limit
from parlour.core.checks import shown
from parlour.core.errors import OptionError
from parlour.core.game import OVER, Game
from parlour.core.options import Option, Value, find_option
from parlour.core.rng import fold_seed
from parlour.engines.endpoints.endpoint import Endpoint, reason
from parlour.engines.endpoints.session import EngineSession, limit_for
from parlour.engines.protocols import UCI, UGI, dialect_of
from parlour.interchange import PositionDialect

LONGEST_SECONDS = 86_000.0
NUMBERS = ("movetime", "nodes", "depth", "movestogo")


class UciEndpoint(Endpoint):
    """Answers a UCI host. UCI has no error answers, so errors are sent as `info string`."""

    word: ClassVar[str] = UCI
    clocks: ClassVar[tuple[str, str]] = ("w", "b")

    def __init__(self, session: EngineSession, answers: IO[str]) -> None:
        """Start idle."""
        super().__init__(session, answers)
        self._saying = threading.Lock()
        self._thinking: threading.Thread | None = None
        self._may_answer = threading.Event()
        self._is_new = True
        self._dialect = self._find_dialect()

    def _find_dialect(self) -> PositionDialect:
        found = dialect_of(self.session.game, self.word)
        assert isinstance(found, PositionDialect)
        return found

    def write(self, text: str) -> None:
        """Write one whole line; threads do not interleave."""
        with self._saying:
            super().write(text + "\n")

    def answer(self, line: str) -> None:
        """Execute a line, and report errors."""
        command, *words = line.split() or [""]
        if command == "isready":
            self.write("readyok")
        elif command in ("stop", "quit"):
            self.session.stop()
            self._may_answer.set()
            self._wait()
            self.is_over = command == "quit"
        elif command:
            self._wait()
            try:
                self._do(command, words)
            except Exception as error:  # no command may end the endpoint
                self.write(f"info string {reason(error)}")

    def finish(self) -> None:
        """Send the last move."""
        self._may_answer.set()
        self._wait()

    def _wait(self) -> None:
        if self._thinking is not None:
            self._may_answer.set()
            self._thinking.join()
            self._thinking = None

    def _do(self, command: str, words: list[str]) -> None:
        if command == self.word:
            self._introduce()
        elif command == f"{self.word}newgame":
            self.session.reset()
            self._is_new = True
        elif command == "setoption":
            self._set_option(words)
        elif command == "position":
            self._position(" ".join(words))
        elif command == "go":
            self._go(words)
        else:
            raise OptionError(f"unknown command {shown(command)}")

    # Options.

    def _introduce(self) -> None:
        self.write(f"id name Parlour {__version__}")
        self.write("id author the authors of Parlour")
        self.write(f"option name Seed type string default {self.session.start_seed}")
        for option in type(self.session.game).OPTIONS:
            self.write(f"option name {option.name} {_kind(option, self.session)}")
        self.write(f"{self.word}ok")

    def _set_option(self, words: list[str]) -> None:
        text = " ".join(words)
        if not text.startswith("name "):
            raise OptionError("usage: setoption name NAME value VALUE")
        name, _, value = text.removeprefix("name ").partition(" value ")
        name, value = name.strip(), value.strip()
        game = self.session.game
        if name.lower() == "seed":
            if not value.lstrip("-").isdecimal() or len(value) > 20:
                raise OptionError(f"Seed must be a whole number, not {shown(value)}")
            self.session.start_seed = fold_seed(int(value))
            self.session.reset()
        else:
            option = find_option(game.name, type(game).OPTIONS, name)
            changed = _changed(game, option.name, option.from_text(value))
            dialect_of(changed, self.word)
            self.session.check(changed, self.session.text)
            self.session.reset(changed)
            self._dialect = self._find_dialect()
        self._is_new = True

    # Positions and moves.

    def _position(self, text: str) -> None:
        start = self.session.game.start(self.session.start_seed)
        first, actions = self._dialect.position_from_text(start, text)
        is_played_on = first == self.session.states[0]
        self.session.set_position(first, actions, not self._is_new and not is_played_on)
        self._is_new = False

    def _go(self, words: list[str]) -> None:
        limit, bounds = self._budget(words)
        self._may_answer.clear()
        if "infinite" not in words:
            self._may_answer.set()
        self._thinking = threading.Thread(target=self._think, args=(limit, bounds), daemon=True)
        self._thinking.start()

    def _think(self, limit: Limit | None, bounds: dict[str, int]) -> None:
        try:
            state = self.session.state
            move = self._dialect.move_to_text(state, self.session.choose(limit, **bounds))
        except Exception as error:
            self.write(f"info string {reason(error)}")
            move = "(none)"
        self._may_answer.wait()
        self.write(f"bestmove {move}")

    def _budget(self, words: list[str]) -> tuple[Limit | None, dict[str, int]]:
        """Return the clock and the limits of `go`; raises `OptionError` for invalid numbers."""
        names = [f"{who}{what}" for who in self.clocks for what in ("time", "inc")]
        given: dict[str, int] = {}
        at = 0
        while at < len(words):
            word = words[at]
            if word != "infinite":
                if word not in (*names, *NUMBERS):
                    raise OptionError(
                        f"go takes {', '.join((*NUMBERS, *names))}, not {shown(word)}"
                    )
                at += 1
                given[word] = _whole(word, words[at] if at < len(words) else "")
            at += 1
        bounds = {key: value for key, value in given.items() if key in ("nodes", "depth") and value}
        if "infinite" in words:
            return limit_for(LONGEST_SECONDS), bounds
        if "movetime" in given:
            return limit_for(given["movetime"] / 1000), bounds
        who = (
            self.clocks[max(0, int(self.session.state.actor))]
            if self.session.game.seats == 2
            else ""
        )
        left = given.get(f"{who}time")
        if left is None:
            return None, bounds
        return Limit(left / 1000, given.get(f"{who}inc", 0) / 1000), bounds


class UgiEndpoint(UciEndpoint):
    """Answers a UGI host: UCI for any game, with queries about the position."""

    word: ClassVar[str] = UGI
    clocks: ClassVar[tuple[str, str]] = ("p1", "p2")

    def _do(self, command: str, words: list[str]) -> None:
        if command == "query":
            self.write(f"response {self._reply(' '.join(words))}")
        else:
            super()._do(command, words)

    def _reply(self, question: str) -> str:
        state = self.session.state
        result = state.result()
        if question == "gameover":
            return str(state.actor == OVER).lower()
        if question == "p1turn":
            return str(state.actor == 0).lower()
        if question == "result":
            if result is None:
                return "none"
            lead = result.returns[0] - result.returns[1]
            return "draw" if lead == 0 else "p1win" if lead > 0 else "p2win"
        raise OptionError(f"query takes gameover, p1turn or result, not {shown(question)}")


def _changed(game: Game, name: str, value: Value) -> Game:
    """Return the game with one option changed; automatic options are derived again."""
    make: Any = type(game)
    automatic = {option.name for option in type(game).OPTIONS if option.default is None}
    chosen = {key: each for key, each in game.options.items() if key not in automatic}
    usual = make(**chosen).options
    meant = {key: game.options[key] for key in automatic if game.options[key] != usual[key]}
    changed: Game = make(**{**chosen, **meant, name: value})
    return changed


def _kind(option: Option, session: EngineSession) -> str:
    """Return the UCI declaration of an option."""
    value = option.to_text(session.game.options[option.name])
    if option.kind == "choice":
        return f"type combo default {value} " + " ".join(f"var {each}" for each in option.choices)
    if option.kind == "flag":
        return f"type check default {value}"
    if option.kind == "integer":
        return f"type spin default {value} min {option.low:g} max {option.high:g}"
    return f"type string default {value}"


def _whole(word: str, text: str) -> int:
    if not (text.isascii() and text.lstrip("-").isdecimal() and len(text) <= 12):
        raise OptionError(f"{word} takes a whole number, not {shown(text)}")
    return max(0, int(text))
