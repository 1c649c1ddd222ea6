"""An agent that plays a seat at a table on a server."""

import contextlib
import secrets
import time
from collections.abc import Callable

from parlour.agents import Agent, Limit, SeatedAgent, agent
from parlour.agents.base import limit_of
from parlour.agents.isolation import memory_bound, vetted
from parlour.agents.process import AgentProcess
from parlour.agents.registry import is_built_in
from parlour.client.sync import RemoteTable
from parlour.client.view import TableView, clocks_now
from parlour.core.errors import AgentError, NotFound, ParlourError
from parlour.core.game import Game, State
from parlour.table.clock import TimeControl
from parlour.table.errors import GameOver, NotYourTurn, StaleEvents


class Bot:
    """One agent, for one game after another.

    It sees only what its seat may know. A third-party agent runs in its own process.
    """

    def __init__(self, text: str, now: Callable[[], float] = time.monotonic) -> None:
        """Set the agent's text; `now` is a clock in seconds."""
        self._text = text
        self._now = now
        self._process: AgentProcess | None = None
        self._seated: SeatedAgent | None = None
        self._seen: list[State] = []

    def play(self, table: RemoteTable) -> TableView:
        """Play until the game is over and return the final view.

        Raise `NotFound` if the game is not installed here, and `AgentError` if the agent cannot
        play it.
        """
        seat, game = table.seat, table.positions.game
        if seat is None:
            raise AgentError("a bot needs a seat: give it an invitation, not a spectator's link")
        if game is None:
            raise NotFound(f"the game {table.view.game} is not installed here")
        self._begin(game, seat)
        table.wait(lambda view: view.status != "waiting")
        while not table.is_over:
            if table.is_my_turn:
                self._act(table)
            elif self._is_asked(table.view, seat):
                self._agree(table)
            else:
                known = table.view.v
                table.wait(lambda view, known=known: view.v > known or view.is_my_turn)  # type: ignore[misc]
        return table.view

    def close(self) -> None:
        """Close the agent."""
        if self._seated is not None:
            with contextlib.suppress(ParlourError):  # a failure no longer matters
                self._seated.close()
            self._seated = None
        if self._process is not None:
            self._process.stop()
            self._process = None

    def _begin(self, game: Game, seat: int) -> None:
        self.close()
        text = vetted(self._text, game, secrets.randbits(32))
        player: Agent
        if is_built_in(text):
            player = agent(text)
        else:
            self._process = AgentProcess(memory_bound())
            player = self._process.agent(text, alone=True)
        self._seated = SeatedAgent(player, seat, secrets.token_bytes(16))
        self._seen = []

    def _act(self, table: RemoteTable) -> None:
        """Choose and play an action; if the game has moved on, wait for the next event."""
        view = table.view
        states = table.positions.states(view)
        state = states[-1] if states else table.positions.state(view)
        if state is None or state.actor != view.you:
            raise AgentError("the server's position does not fit the game installed here")
        assert self._seated is not None
        self._catch_up(states or [state], view)
        action = self._seated.choose(state, self._limit(view))
        try:
            table.play(action, view.ply)
        except (StaleEvents, NotYourTurn, GameOver):
            table.wait(lambda now: now.v > view.v)

    def _catch_up(self, states: list[State], view: TableView) -> None:
        """Show the agent the events it has not seen; with secrets, only the position."""
        assert self._seated is not None
        seen = self._seen
        if not seen or len(seen) > len(states) or seen[-1] is not states[len(seen) - 1]:
            self._seated.begin(states[0])
            seen = [states[0]]
        for ply in range(len(seen), len(states)):
            action = view.history[ply - 1].action
            assert action is not None
            self._seated.watch(states[ply - 1], action, states[ply])
        self._seen = states

    def _limit(self, view: TableView) -> Limit | None:
        left = clocks_now(view, self._now())
        if not left or not view.control:
            return None
        return limit_of(left, view.you or 0, TimeControl.from_text(view.control).increment)

    @staticmethod
    def _is_asked(view: TableView, seat: int) -> bool:
        """Return whether a takeback waits for this seat's consent."""
        asking = view.offers.takeback
        return bool(asking) and seat not in asking

    @staticmethod
    def _agree(table: RemoteTable) -> None:
        known = table.view.v
        try:
            table.takeback()
        except (StaleEvents, GameOver):
            table.wait(lambda view: view.v > known)
