"""What every driver does: greet an engine, tell it of a game, ask for a move."""

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
"""How much longer than its clock an engine is waited for: the clock's owner ends the game."""


class Driver:
    """Speaks to one engine. What the engine does wrong is an `AgentFault`."""

    def __init__(self, process: EngineProcess, dialect: Dialect) -> None:
        """For a running engine and a game."""
        self.process = process
        self.settings = process.settings
        self.limits = process.settings.limits
        self.dialect = dialect

    # What a protocol defines.

    def greet(self) -> None:
        """See that it speaks the protocol, and send the user's first lines."""
        raise NotImplementedError

    def begin(self, start: State, seed: int | None) -> None:
        """A game begins there; the seed of the start, where it is known."""
        raise NotImplementedError

    def told(self, states: Sequence[State], actions: Sequence[int]) -> None:
        """The last of these actions was made; there is one state more than actions."""
        return

    def choose(self, states: Sequence[State], actions: Sequence[int], limit: Limit | None) -> int:
        """The engine's choice in the last of these states."""
        raise NotImplementedError

    def can_place(self) -> bool:
        """Whether it can be asked about a position that was not played before its eyes."""
        return False

    def leave(self) -> None:
        """Ask it to end."""
        self.process.send("quit", self.limits.ping)

    # What they share.

    def until(self, seconds: float) -> float:
        """The moment after so many seconds."""
        return self.process.now() + seconds

    def seconds_for(self, limit: Limit | None) -> float:
        """How long a move is waited for."""
        if limit is None:
            return self.limits.move
        return min(self.limits.move, max(0.0, limit.left) + MARGIN_SECONDS)

    def action_of(self, state: State, text: str) -> int:
        """The action that an engine means; not yet checked for being legal."""
        try:
            return self.dialect.move_from_text(state, text)
        except ParlourError as error:
            raise AgentFault(f"no action: {quoted(text)} is not a move ({error})") from error


def quoted(text: str) -> str:
    """What an engine said, for a message."""
    return repr(printable(text[:60]))
