"""The agents at a table: they watch every event and choose on their turns."""

import contextlib
import hashlib
from collections.abc import Callable

from parlour.agents import Agent, AgentFault, Limit, Occasion, SeatedAgent, agent
from parlour.agents.base import limit_of
from parlour.core.errors import ParlourError
from parlour.core.record import Record
from parlour.table.errors import TableError
from parlour.table.notes import without_seed
from parlour.table.table import Table


class Players:
    """The agents that hold seats at one table.

    An agent sees the whole game before it is asked to choose, and again after a takeback.

    >>> from parlour import game
    >>> table = Table(game("octa", size=1), ["random:seed=1", "person"], seed=8)
    >>> Players(table).choose() in table.state.legal_actions()
    True
    """

    def __init__(self, table: Table, make: Callable[[str], Agent] = agent) -> None:
        """Create agents lazily; `make` returns the agent of a text."""
        self._table = table
        self._make = make
        # Hidden information is drawn for agents with a seed they cannot know.
        self._secret = hashlib.sha256(b"determinize" + table.chance.key).digest()
        self._seated: dict[int, SeatedAgent] = {}
        self._seen: dict[int, Record] = {}

    def choose(self) -> int:
        """Return the choice of the agent to act. It may think for a long time.

        Raise `TableError` if it is a person's turn, and `AgentFault` if the agent fails.
        """
        table = self._table
        seat = table.actor
        if not table.is_agents_turn:
            raise TableError("it is not an agent's turn")
        try:
            self.catch_up(seat)
            return self._seated[seat].choose(table.state, self._limit(seat))
        except AgentFault as fault:
            self.dismiss(seat)
            raise fault.of(without_seed(table.seats[seat])) from fault
        except BaseException:
            # The agent was interrupted or could not be created: its successor sees the whole game.
            self.dismiss(seat)
            raise

    def dismiss(self, seat: int) -> None:
        """Close the agent on that seat; the next choice creates a new one."""
        seated = self._seated.pop(seat, None)
        self._seen.pop(seat, None)
        if seated is not None:
            with contextlib.suppress(ParlourError):
                seated.close()

    def catch_up(self, seat: int) -> None:
        """Show the agent on that seat the events it has not seen yet."""
        line = self._table.line
        seated = self._seated.get(seat)
        seen = self._seen.get(seat)
        if seated is None:
            seated = SeatedAgent(self._make(self._table.seats[seat]), seat, self._secret)
            self._seated[seat] = seated
        if seen is None or line.actions[: len(seen.actions)] != seen.actions:
            seated.begin(line.states[0], Occasion(line.seed, f"seat-{seat + 1}"))
            seen = line.cut(0)
        for ply in range(len(seen.actions), len(line.actions)):
            seated.watch(line.states[ply], line.actions[ply], line.states[ply + 1])
        self._seen[seat] = line

    def close(self) -> None:
        """Show every agent the end of the game and close it. Failures no longer matter."""
        for seat, seated in self._seated.items():
            try:
                self.catch_up(seat)
                seated.close()
            except ParlourError:
                continue

    def _limit(self, seat: int) -> Limit | None:
        clocks = self._table.clocks
        if clocks is None or seat in self._table.standing.gone:
            return None
        return limit_of(clocks.all_left(), seat, clocks.control.increment)
