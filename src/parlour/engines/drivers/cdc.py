"""Engines that speak CDC: every command has a number, which its answer repeats."""

from collections.abc import Sequence

from parlour.agents.base import Limit
from parlour.agents.guard import AgentFault
from parlour.core.game import OVER, State
from parlour.engines.drivers.driver import Driver, quoted
from parlour.interchange import CdcDialect

COMMANDS = (
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "reset_board",
    "num_repetition",
    "num_moves_to_draw",
    "move",
    "flip",
    "genmove",
    "game_over",
    "ready",
    "time_settings",
    "time_left",
    "showboard",
    "init_board",
)
"""Each by its number."""


class CdcDriver(Driver):
    """The engine keeps the board, and is told of every move, its own too."""

    dialect: CdcDialect

    def greet(self) -> None:
        """Ask for its version of the protocol."""
        self.ask("protocol_version", self.limits.start)
        for line in self.settings.first:
            self.ask(line)
        self._has_time = False

    def begin(self, start: State, seed: int | None) -> None:
        """The rules for draws, as far as it knows them, then the board."""
        if start != self.dialect.game.start(0 if seed is None else seed):
            raise AgentFault("crashed: cdc has no words for a game that begins elsewhere")
        for line in self.dialect.setup():
            if self.ask(f"known_command {line.partition(' ')[0]}").strip() == "true":
                self.ask(line)
        self.ask("reset_board")
        self.ask("ready")
        self._has_time = False

    def told(self, states: Sequence[State], actions: Sequence[int]) -> None:
        """Send the move, or what a flip has shown; and how it ended."""
        line = self.dialect.told(states[-2], actions[-1])
        if line is not None:
            self.ask(line)
        if states[-1].actor == OVER:
            self.ask(f"game_over {self.dialect.outcome(states[-1])}")

    def choose(self, states: Sequence[State], actions: Sequence[int], limit: Limit | None) -> int:
        """`genmove` for the side to move, its clock first, in milliseconds."""
        state = states[-1]
        side = self.dialect.side(state)
        if limit is not None:
            self._tell_time(side, limit)
        text = self.ask(f"genmove {side}", self.seconds_for(limit)).strip()
        if text.lower() == "resign":
            raise AgentFault("resigned: it gave up")
        return self.action_of(state, text)

    def _tell_time(self, side: str, limit: Limit) -> None:
        left = max(0, round(limit.left * 1000))
        if not self._has_time:
            self.ask(f"time_settings {left} {round(limit.increment * 1000)} 0")
            self._has_time = True
        self.ask(f"time_left {side} {left}")

    def ask(self, line: str, seconds: float | None = None) -> str:
        """The answer; what is no answer is passed over."""
        seconds = self.limits.ping if seconds is None else seconds
        name = line.partition(" ")[0]
        numbered = line if name.isdecimal() else f"{number_of(name)} {line}"
        number = numbered.partition(" ")[0]
        self.process.send(numbered, seconds)
        until = self.until(seconds)
        answer = self.process.receive(until, line)
        while answer[:1] not in ("=", "?"):
            answer = self.process.receive(until, line)
        given, _, text = answer[1:].partition(" ")
        if given != number:
            raise AgentFault(f"crashed: {quoted(answer)} does not answer command {number}")
        if answer[0] == "?":
            raise AgentFault(f"crashed: {quoted(line)} was refused: {quoted(text)}")
        return text

    def leave(self) -> None:
        """Ask it to end."""
        self.process.send(f"{number_of('quit')} quit", self.limits.ping)


def number_of(name: str) -> int:
    """The number of a command; `AgentFault` if there is none such."""
    if name not in COMMANDS:
        raise AgentFault(f"crashed: cdc has no command {quoted(name)}")
    return COMMANDS.index(name)
