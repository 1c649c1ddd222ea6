"""Driver of CDC engines: every command has a number, which its answer repeats."""

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
"""The commands, indexed by their numbers."""


class CdcDriver(Driver):
    """Drives an engine that keeps the board and is sent every move, its own included."""

    dialect: CdcDialect

    def handshake(self) -> None:
        """Ask for the protocol version."""
        self.ask("protocol_version", self.limits.start)
        for line in self.settings.first:
            self.ask(line)
        self._has_time = False

    def begin(self, start: State, seed: int | None) -> None:
        """Send the draw rules that the engine supports, then reset the board."""
        if start != self.dialect.game.start(0 if seed is None else seed):
            raise AgentFault("crashed: cdc cannot start a game from another position")
        for line in self.dialect.setup():
            if self.ask(f"known_command {line.partition(' ')[0]}").strip() == "true":
                self.ask(line)
        self.ask("reset_board")
        self.ask("ready")
        self._has_time = False

    def observe(self, states: Sequence[State], actions: Sequence[int]) -> None:
        """Send the move or the revealed piece, and the result at the end."""
        line = self.dialect.told(states[-2], actions[-1])
        if line is not None:
            self.ask(line)
        if states[-1].actor == OVER:
            self.ask(f"game_over {self.dialect.outcome(states[-1])}")

    def choose(self, states: Sequence[State], actions: Sequence[int], limit: Limit | None) -> int:
        """Send the clock in milliseconds, then `genmove` for the side to move."""
        state = states[-1]
        side = self.dialect.side(state)
        if limit is not None:
            self._send_time(side, limit)
        text = self.ask(f"genmove {side}", self.seconds_for(limit)).strip()
        if text.lower() == "resign":
            raise AgentFault("resigned: the engine gave up")
        return self.action_of(state, text)

    def _send_time(self, side: str, limit: Limit) -> None:
        left = max(0, round(limit.left * 1000))
        if not self._has_time:
            self.ask(f"time_settings {left} {round(limit.increment * 1000)} 0")
            self._has_time = True
        self.ask(f"time_left {side} {left}")

    def ask(self, line: str, seconds: float | None = None) -> str:
        """Send a command and return the answer; skip lines that are not answers."""
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

    def quit(self) -> None:
        """Ask the engine to quit."""
        self.process.send(f"{number_of('quit')} quit", self.limits.ping)


def number_of(name: str) -> int:
    """Return the number of a command; raises `AgentFault` if it is unknown."""
    if name not in COMMANDS:
        raise AgentFault(f"crashed: cdc has no command {quoted(name)}")
    return COMMANDS.index(name)
