"""Base class of drivers: handshake, game events, move requests."""

from collections.abc import Sequence

from parlour.agents.base import Limit
from parlour.agents.guard import AgentFault
from parlour.core.checks import printable
from parlour.core.errors import ParlourError
from parlour.core.game import State
from parlour.engines.process import EngineProcess
from parlour.interchange import Dialect

LONGEST_ANSWER = 2**20
MARGIN_SECONDS = 2.0
"""How long to wait for an engine after its clock has run out; the clock's owner ends the game."""


class Driver:
    """Talks to one engine. Failures of the engine raise `AgentFault`."""

    def __init__(self, process: EngineProcess, dialect: Dialect) -> None:
        """Connect a running engine with the dialect of a game."""
        self.process = process
        self.settings = process.settings
        self.limits = process.settings.limits
        self.dialect = dialect

    # Implemented for each protocol.

    def handshake(self) -> None:
        """Check that the engine speaks the protocol, and send the user's first lines."""
        raise NotImplementedError

    def begin(self, start: State, seed: int | None) -> None:
        """Start a game from this state; `seed` is the seed of the start, if known."""
        raise NotImplementedError

    def observe(self, states: Sequence[State], actions: Sequence[int]) -> None:
        """Send the last of these actions; there is one state more than actions."""
        return

    def choose(self, states: Sequence[State], actions: Sequence[int], limit: Limit | None) -> int:
        """Return the engine's choice in the last of these states."""
        raise NotImplementedError

    def accepts_positions(self) -> bool:
        """Whether the engine can be sent a position without its game."""
        return False

    def quit(self) -> None:
        """Ask the engine to quit."""
        self.process.send("quit", self.limits.ping)

    # Shared by all protocols.

    def until(self, seconds: float) -> float:
        """Return the time after this many seconds."""
        return self.process.now() + seconds

    def seconds_for(self, limit: Limit | None) -> float:
        """Return how long to wait for a move."""
        if limit is None:
            return self.limits.move
        return min(self.limits.move, max(0.0, limit.left) + MARGIN_SECONDS)

    def action_of(self, state: State, text: str) -> int:
        """Parse an engine's move; it may still be illegal."""
        try:
            return self.dialect.move_from_text(state, text)
        except ParlourError as error:
            raise AgentFault(f"no action: {quoted(text)} is not a move ({error})") from error


def quoted(text: str) -> str:
    """Quote the engine's text for a message."""
    return repr(printable(text[:60]))
