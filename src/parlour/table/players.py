"""The agents at a table: told of everything that happens, asked when it is their turn."""

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

    Each is told of the game from its start on before it is asked, and told all of it again
    when something was taken back.
    """

    def __init__(self, table: Table, make: Callable[[str], Agent] = agent) -> None:
        """`make` gives the agent of a text; it is called when a seat needs one."""
        self._table = table
        self._make = make
        # What agents do not know is drawn anew for them by a generator that they cannot know.
        self._secret = hashlib.sha256(b"determinize" + table.chance.key).digest()
        self._seated: dict[int, SeatedAgent] = {}
        self._told: dict[int, Record] = {}

    def choose(self) -> int:
        """What the agent to act wants to play; it may think for long.

        Raises `TableError` if a person is to act, `AgentFault` if the agent goes wrong.
        """
        table = self._table
        seat = table.actor
        if not table.is_agents_turn:
            raise TableError("no agent is to act")
        try:
            self.tell(seat)
            return self._seated[seat].choose(table.state, self._limit(seat))
        except AgentFault as fault:
            self.forget(seat)
            raise fault.of(without_seed(table.seats[seat])) from fault
        except BaseException:
            # It was interrupted, or cannot be had: whoever is asked next is told everything.
            self.forget(seat)
            raise

    def forget(self, seat: int) -> None:
        """Let the agent on that seat go; the next question is for another one."""
        seated = self._seated.pop(seat, None)
        self._told.pop(seat, None)
        if seated is not None:
            with contextlib.suppress(ParlourError):
                seated.close()

    def tell(self, seat: int) -> None:
        """Let the agent on that seat know of what has happened since it was told last."""
        line = self._table.line
        seated = self._seated.get(seat)
        told = self._told.get(seat)
        if seated is None:
            seated = SeatedAgent(self._make(self._table.seats[seat]), seat, self._secret)
            self._seated[seat] = seated
        if told is None or line.actions[: len(told.actions)] != told.actions:
            seated.begin(line.states[0], Occasion(line.seed, f"seat-{seat + 1}"))
            told = line.cut(0)
        for ply in range(len(told.actions), len(line.actions)):
            seated.watch(line.states[ply], line.actions[ply], line.states[ply + 1])
        self._told[seat] = line

    def close(self) -> None:
        """Let every agent go, told of how it ended; one that goes wrong now harms nobody."""
        for seat, seated in self._seated.items():
            try:
                self.tell(seat)
                seated.close()
            except ParlourError:
                continue

    def _limit(self, seat: int) -> Limit | None:
        clocks = self._table.clocks
        if clocks is None or seat in self._table.standing.gone:
            return None
        return limit_of(clocks.all_left(), seat, clocks.control.increment)
