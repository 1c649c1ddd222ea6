"""Driver of GTP engines: each command is answered by `=` or `?` and a blank line."""

from collections.abc import Sequence

from parlour.agents.base import Limit
from parlour.agents.guard import AgentFault
from parlour.core.game import State
from parlour.engines.drivers.driver import LONGEST_ANSWER, Driver, quoted
from parlour.interchange import GtpDialect

TIME = ("time_settings", "time_left")


class Refused(AgentFault):
    """The engine answered with `?`."""


class GtpDriver(Driver):
    """Drives an engine that keeps the board, is sent others' moves and plays its own."""

    dialect: GtpDialect

    def handshake(self) -> None:
        """Ask for the list of commands."""
        listed = self.ask("list_commands", self.limits.start)
        self._commands = frozenset(listed.split())
        for line in self.settings.first:
            self.ask(line)

    def begin(self, start: State, seed: int | None) -> None:
        """Choose the game and clear the board."""
        if start != self.dialect.game.start(0 if seed is None else seed):
            raise AgentFault("crashed: gtp cannot start a game from another position")
        for line in (*self.dialect.setup(), "clear_board"):
            self._check_supports(line.partition(" ")[0])
            try:
                self.ask(line)
            except Refused as error:
                raise AgentFault(f"crashed: the engine does not play this game: {error}") from error
        self._chosen: tuple[State, int] | None = None
        self._has_time = False

    def _check_supports(self, command: str) -> None:
        if command not in self._commands:
            raise AgentFault(
                f"crashed: the engine does not support {command!r}: it plays another game"
            )

    def observe(self, states: Sequence[State], actions: Sequence[int]) -> None:
        """Send the move, unless the engine has just played it itself."""
        before, action = states[-2], actions[-1]
        if self._chosen is not None:
            mine, self._chosen = self._chosen, None
            if mine == (before, action):
                return
            self.ask("undo")  # another move was played instead of its own
        side = self.dialect.side(before)
        self.ask(f"play {side} {self.dialect.move_to_text(before, action)}")

    def choose(self, states: Sequence[State], actions: Sequence[int], limit: Limit | None) -> int:
        """Send the clock, then `genmove` for the side to move."""
        state = states[-1]
        side = self.dialect.side(state)
        if limit is not None and self._commands.issuperset(TIME):
            self._send_time(side, limit)
        text = self.ask(f"genmove {side}", self.seconds_for(limit)).strip()
        if text.lower() == "resign":
            raise AgentFault("resigned: the engine gave up")
        if text.lower() == "pass":
            raise AgentFault("no action: the engine passed although it has a move")
        action = self.action_of(state, text)
        self._chosen = (state, action)
        return action

    def _send_time(self, side: str, limit: Limit) -> None:
        if not self._has_time:
            # In GTP an increment is a period for one move.
            period = f"{limit.increment:.0f} 1" if limit.increment else "0 0"
            self.ask(f"time_settings {limit.left:.0f} {period}")
            self._has_time = True
        self.ask(f"time_left {side} {max(0.0, limit.left):.0f} 0")

    def ask(self, command: str, seconds: float | None = None) -> str:
        """Send a command and return the answer; skip lines that are not answers.

        Raises `Refused` if the engine refuses the command.
        """
        seconds = self.limits.ping if seconds is None else seconds
        self.process.send(command, seconds)
        until = self.until(seconds)
        first = self.process.receive(until, command)
        while first[:1] not in ("=", "?"):
            first = self.process.receive(until, command)
        if first[1:2].isdigit():
            raise AgentFault(f"crashed: {quoted(first)} has a number that was not sent")
        lines = [first[1:].strip()]
        size = 0
        while line := self.process.receive(until, command):
            size += len(line) + 1
            if size > LONGEST_ANSWER:
                raise AgentFault(f"crashed: its answer to {quoted(command)} is endless")
            lines.append(line)
        answer = "\n".join(lines)
        if first[0] == "?":
            raise Refused(f"crashed: {quoted(command)} was refused: {quoted(answer)}")
        return answer
