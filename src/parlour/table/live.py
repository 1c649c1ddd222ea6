"""A live game as a display knows it: scenes, events and requests, and nothing else.

`LiveGame` is what displays speak to; `LocalGame` is a table in this process. A table on a
server stands in for it without a display noticing.
"""

import threading
from collections.abc import Callable
from typing import Protocol

from parlour.agents import Agent, Analysis, agent, seat_view
from parlour.agents.hints import ADVISER, analyse
from parlour.agents.process import AgentProcess
from parlour.core.game import CHANCE, OVER, State, is_shown
from parlour.core.scene import Scene
from parlour.scenes.choices import Advice, advice_of
from parlour.table.errors import TableError
from parlour.table.events import Event, EventView, Kind, OfferDraw, Play, Request, Resign, Takeback
from parlour.table.players import Players
from parlour.table.table import Table
from parlour.table.views import event_view, history


class LiveGame(Protocol):
    """One game, seen from one place: by a person, by people who share a keyboard, or by none."""

    title: str
    rules_text: str
    has_people: bool
    """Whether somebody here holds a seat."""
    is_shared: bool
    """Whether people here hold several seats and must not see each other's secrets."""

    @property
    def version(self) -> int:
        """Grows with everything that happens."""

    @property
    def viewer(self) -> int | None:
        """Through whose eyes this place looks now; `None`: a spectator's."""

    @property
    def is_my_turn(self) -> bool:
        """Whether a person here is to act."""

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""

    @property
    def names(self) -> tuple[str, ...]:
        """What to call each seat, agents with their texts."""

    @property
    def clocks(self) -> tuple[float, ...]:
        """The seconds left to each seat; empty without clocks."""

    @property
    def draw_offer(self) -> int | None:
        """The seat that offers a draw."""

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cells of the last action that a seat made, as far as they are known here."""

    @property
    def last_event(self) -> EventView | None:
        """The last thing that happened, chance included; `None` before the first."""

    @property
    def returns(self) -> tuple[float, ...] | None:
        """What the game ended with, by its rules or by its players; `None` while it goes on."""

    @property
    def notice(self) -> str:
        """What must be known first: that the game cannot be saved, or empty."""

    def scene(self) -> Scene:
        """What the viewer sees; actions only if a person here is to act."""

    def public_scene(self) -> Scene:
        """What everybody may see."""

    def greeting(self) -> str:
        """What to say first."""

    def outcome(self) -> str:
        """How the game ended, in a sentence; empty while it goes on."""

    def remark(self) -> str:
        """The game's own word on how it goes; may be empty."""

    def proof(self) -> str:
        """The chance key after the end of a game with chance, else empty."""

    def history(self) -> list[EventView]:
        """The actions of the game as it stands."""

    def frames(self, view: EventView) -> list[Scene]:
        """The scenes that lead to the position after an action, without that one."""

    def preview(self, action: int) -> tuple[int, ...]:
        """The cells whose owner a legal action would change; none where that is a secret."""

    def why_not(self, cells: tuple[int, ...], group: str) -> str:
        """The rule against touching these cells, or laying that piece there; may be empty."""

    def send(self, request: Request) -> list[EventView]:
        """Ask for something: what happened. `ParlourError` with the reason if nothing did."""

    def check_clocks(self) -> list[EventView]:
        """What happened because a clock has run out."""

    def next_events(self) -> list[EventView] | None:
        """Wait for others to act: what happened, or `None` if nobody else is to act.

        Called from a thread of its own where a screen has to stay alive.
        """

    def interrupt(self) -> None:
        """End a wait in another thread."""

    def analyse(self) -> Advice:
        """What a strong agent thinks of the choices of the seat to act; it may take a while."""

    def save(self) -> str:
        """Keep the game now; a sentence on where it is."""

    def close(self) -> None:
        """Leave: processes end, the game can be resumed elsewhere."""


def drive(game: LiveGame, tell: Callable[[list[EventView]], None]) -> None:
    """Let others act, and tell of it, until a person here is to act or the game is over."""
    while (events := game.next_events()) is not None:
        tell(events)


class LocalGame:
    """A table in this process, for whoever sits at its keyboard."""

    def __init__(self, table: Table, apart: bool = False) -> None:
        """With `apart` agents think in processes of their own, so that a screen stays alive."""
        self.table = table
        self.title = table.game.title
        self.rules_text = table.game.rules_text()
        self.has_people = bool(table.people)
        self.is_shared = table.game.has_secrets and len(table.people) > 1
        self._apart = apart
        self._changing = threading.RLock()
        self._hosts: list[AgentProcess] = []
        self._players = self._new_players()
        self._adviser: Agent | None = None
        self._seen: tuple[int, int | None, bool] | None = None
        self._scene = Scene()

    def _new_players(self) -> Players:
        return Players(self.table, self._host().agent if self._apart else agent)

    def _host(self) -> AgentProcess:
        host = AgentProcess()
        self._hosts.append(host)
        return host

    # What there is to see.

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.table.version

    @property
    def viewer(self) -> int | None:
        """The person to act, else the only one, else a spectator."""
        return self.table.viewer

    @property
    def is_my_turn(self) -> bool:
        """Whether a person is to act."""
        return self.table.actor in self.table.people

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""
        return self.table.is_over

    @property
    def names(self) -> tuple[str, ...]:
        """What to call each seat."""
        return tuple(self.table.name_of(seat) for seat in range(self.table.game.seats))

    @property
    def clocks(self) -> tuple[float, ...]:
        """The seconds left to each seat."""
        return () if self.table.clocks is None else self.table.clocks.all_left()

    @property
    def draw_offer(self) -> int | None:
        """The seat that offers a draw."""
        return self.table.draw_offer

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cells of the last action that a seat made."""
        line = self.table.line
        for ply in range(len(line.actions) - 1, -1, -1):
            state, action = line.states[ply], line.actions[ply]
            if state.actor != CHANCE:
                shown = is_shown(self.table.game, state, action, self._told_seat)
                return self.table.game.action_view(state, action).cells if shown else ()
        return ()

    @property
    def last_event(self) -> EventView | None:
        """The last action of the game as it stands, chance's included."""
        on_line = len(self.table.line.actions)
        for event in reversed(self.table.log):
            if event.kind in (Kind.PLAY, Kind.CHANCE) and event.ply == on_line:
                return self._views([event])[0]
        return None

    @property
    def returns(self) -> tuple[float, ...] | None:
        """What the game ended with."""
        if self.table.ending is not None:
            return self.table.ending.returns
        result = self.table.state.result()
        return None if result is None else result.returns

    @property
    def notice(self) -> str:
        """That the game cannot be saved."""
        return self.table.save_problem

    def scene(self) -> Scene:
        """What the person at the keyboard may see; built once for each version."""
        table = self.table
        seen = (table.version, table.viewer, table.is_over)
        if self._seen != seen:
            scene = table.state.scene(table.viewer)
            if not self.is_my_turn:
                scene = scene._replace(actions=())
            if table.ending is not None:
                scene = scene._replace(actor=OVER, status=table.outcome_words())
            self._seen, self._scene = seen, scene
        return self._scene

    def position_text(self) -> str | None:
        """The position exactly; with secrets what the viewer knows of it, a spectator nothing.

        What the viewer does not know is drawn anew: the text is one of those that fit.
        """
        table = self.table
        state = table.state
        if table.game.has_secrets and not table.is_over:
            if table.viewer is None:
                return None
            state = seat_view(state, table.viewer, table.chance.key, table.version)
        return table.game.state_to_text(state)

    def public_scene(self) -> Scene:
        """What a spectator sees, without actions."""
        return self.table.state.scene(None)._replace(actions=())

    def greeting(self) -> str:
        """Where a resumed game stands, or how chance is fixed."""
        table = self.table
        if table.log and table.people and table.log[-1].kind is Kind.PLAY:
            return "The game goes on where it was left."
        if table.game.has_chance:
            return f"Chance is fixed: SHA-256 {table.commitment[:16]}…"
        return ""

    def outcome(self) -> str:
        """How the game ended."""
        return self.table.outcome_words()

    def remark(self) -> str:
        """The game's own word on how it goes."""
        table = self.table
        return table.game.remark(table.start, table.state, table.viewer)

    def proof(self) -> str:
        """The chance key after the end of a game with chance."""
        table = self.table
        return table.reveal().hex() if table.is_over and table.game.has_chance else ""

    def history(self) -> list[EventView]:
        """The actions of the game as it stands."""
        return history(self.table, self._told_seat)

    @property
    def _told_seat(self) -> int | None:
        """Whose view events are told in: at a shared keyboard everybody reads them."""
        return None if self.is_shared else self.table.viewer

    def _views(self, events: list[Event]) -> list[EventView]:
        return [event_view(self.table, event, self._told_seat) for event in events]

    def frames(self, view: EventView) -> list[Scene]:
        """The steps of an action that was played here or by an agent."""
        if view.kind is not Kind.PLAY or view.action is None:
            return []
        states = self.table.line.states
        if view.ply >= len(states):
            return []
        before = states[view.ply - 1]
        return self.table.game.frames(before, view.action, self._told_seat)[:-1]

    def preview(self, action: int) -> tuple[int, ...]:
        """From the game's frames; with secrets nobody is told before the action is made."""
        table = self.table
        if table.game.has_secrets or not self.is_my_turn:
            return ()
        before = self.scene().cells
        after = table.game.frames(table.state, action, table.viewer)[-1].cells
        pairs = enumerate(zip(before, after, strict=True))
        return tuple(cell for cell, (old, new) in pairs if old.owner != new.owner)

    def why_not(self, cells: tuple[int, ...], group: str) -> str:
        """The rule's own reason, where the cells mean an action."""
        game, state = self.table.game, self.table.state
        action = game.action_at(state, cells, group)
        reason = None if action is None else state.refusal(action)
        return reason or ""

    # What is done.

    def send(self, request: Request) -> list[EventView]:
        """Ask for the person whose turn it is; a draw is answered for the other one."""
        table = self.table
        with self._changing:
            line = table.line
            if isinstance(request, Play):
                events = table.play(request.action)
            elif isinstance(request, Takeback):
                events = table.takeback()
                self.interrupt()
                return [event_view(table, event, self._told_seat, line) for event in events]
            elif isinstance(request, OfferDraw):
                events = table.offer_draw(max(0, table.draw_speaker))
            elif isinstance(request, Resign):
                events = table.resign(max(0, table.actor))
                self.interrupt()
            else:
                events = table.check_clocks()
            return self._views(events)

    def check_clocks(self) -> list[EventView]:
        """End the game if the time of the seat to act is up."""
        with self._changing:
            return self._views(self.table.check_clocks())

    def next_events(self) -> list[EventView] | None:
        """Let the agent to act think, and play what it chooses."""
        table, players = self.table, self._players
        if not table.is_agents_turn:
            return None
        version = table.version
        action = players.choose()
        with self._changing:
            if table.version != version:
                return None  # something was taken back or ended meanwhile
            return self._views(table.check_clocks() or table.play(action))

    def interrupt(self) -> None:
        """Let agents that think about something else now stop."""
        if self._apart:
            self._stop_hosts()
            self._players = self._new_players()

    def _stop_hosts(self) -> None:
        hosts, self._hosts, self._adviser = self._hosts, [], None
        for host in hosts:
            host.stop()

    def analyse(self) -> Advice:
        """What a strong agent thinks, with what the seat to act knows and no more.

        `TableError` where nobody may know: for a spectator of a game with secrets.
        """
        table = self.table
        if table.game.has_secrets and table.viewer != table.actor:
            raise TableError(f"{table.game.title} has secrets: only whose turn it is may ask")
        known = seat_view(table.state, table.actor, table.chance.key, table.version)
        return advice_of(known, self._analysis(known), table.viewer)

    def _analysis(self, known: State) -> Analysis:
        if not self._apart:
            return analyse(known)
        if self._adviser is None:
            self._adviser = self._host().agent(ADVISER)
        return self._adviser.analyse(known)

    def save(self) -> str:
        """Write the file now, and say where it is."""
        if self.table.save():
            return f"Saved in {self.table.path}."
        return "" if self.table.save_problem else "This game is not kept."

    def close(self) -> None:
        """End the agents' processes, and let go of the file."""
        if not self._apart:
            self._players.close()
        self._stop_hosts()
        self.table.close()
