"""An agent that plays a seat at a table of a server."""

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

    It is told what its seat may know and no more, and somebody else's agent thinks in a
    process of its own.
    """

    def __init__(self, text: str, now: Callable[[], float] = time.monotonic) -> None:
        """`text` names the agent; `now` tells the time in seconds."""
        self._text = text
        self._now = now
        self._process: AgentProcess | None = None
        self._seated: SeatedAgent | None = None
        self._told: list[State] = []

    def play(self, table: RemoteTable) -> TableView:
        """Play until the game is over: how it ended.

        `NotFound` if the game is not installed here, `AgentError` if the agent cannot play it.
        """
        seat, game = table.seat, table.positions.game
        if seat is None:
            raise AgentError("a bot needs a seat: give it an invitation, not a link to watch")
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
        """Let the agent go."""
        if self._seated is not None:
            with contextlib.suppress(ParlourError):  # one that goes wrong now harms nobody
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
        self._told = []

    def _act(self, table: RemoteTable) -> None:
        """Choose and play; if the game has gone on meanwhile, look again."""
        view = table.view
        states = table.positions.states(view)
        state = states[-1] if states else table.positions.state(view)
        if state is None or state.actor != view.you:
            raise AgentError("the server's position is not one of the game that is installed here")
        assert self._seated is not None
        self._tell(states or [state], view)
        action = self._seated.choose(state, self._limit(view))
        try:
            table.play(action, view.ply)
        except (StaleEvents, NotYourTurn, GameOver):
            table.wait(lambda now: now.v > view.v)

    def _tell(self, states: list[State], view: TableView) -> None:
        """Let the agent know what has happened; with secrets only where the game stands."""
        assert self._seated is not None
        told = self._told
        if not told or len(told) > len(states) or told[-1] is not states[len(told) - 1]:
            self._seated.begin(states[0])
            told = [states[0]]
        for ply in range(len(told), len(states)):
            action = view.history[ply - 1].action
            assert action is not None
            self._seated.watch(states[ply - 1], action, states[ply])
        self._told = states

    def _limit(self, view: TableView) -> Limit | None:
        left = clocks_now(view, self._now())
        if not left or not view.control:
            return None
        return limit_of(left, view.you or 0, TimeControl.from_text(view.control).increment)

    @staticmethod
    def _is_asked(view: TableView, seat: int) -> bool:
        """Whether somebody waits for this seat to agree to a takeback."""
        asking = view.offers.takeback
        return bool(asking) and seat not in asking

    @staticmethod
    def _agree(table: RemoteTable) -> None:
        known = table.view.v
        try:
            table.takeback()
        except (StaleEvents, GameOver):
            table.wait(lambda view: view.v > known)
