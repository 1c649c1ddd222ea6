"""A table in this process, as the displays at its keyboard know it."""

import secrets
import threading
from collections.abc import Sequence

from parlour.agents import Agent, Analysis, agent, seat_view
from parlour.agents.hints import adviser, analyse
from parlour.agents.isolation import memory_bound, vetted
from parlour.agents.parallel import free_cores, with_free_cores
from parlour.agents.process import CLOSE_SECONDS, AgentProcess
from parlour.agents.registry import is_built_in
from parlour.core.game import CHANCE, OVER, State, is_shown
from parlour.core.record import Record
from parlour.core.scene import Scene
from parlour.drawing.choices import Advice, advice_of
from parlour.table.errors import NotYourTurn, TableError
from parlour.table.events import (
    ClaimTime,
    Event,
    EventKind,
    EventView,
    OfferDraw,
    Play,
    Replace,
    Request,
    Resign,
    Undo,
)
from parlour.table.live import changed_owners, rule_against, steps_to
from parlour.table.notes import PERSON
from parlour.table.players import Players
from parlour.table.table import Table
from parlour.table.views import event_view, history


class LocalGame:
    """A table in this process, for whoever sits at its keyboard."""

    def __init__(self, table: Table, apart: bool = False, resumed: str = "") -> None:
        """With `apart` agents think in other processes, so that a screen stays alive.

        Somebody else's agent has a process of its own in any case. `resumed` names the file
        of a game that goes on.
        """
        self.table = table
        self.name = table.game.name
        self._resumed = resumed
        self.title = table.game.title
        self.rules = table.game.guide().rules()
        self._apart = apart
        self._changing = threading.RLock()
        self._hosts: list[AgentProcess] = []
        self._our_host: AgentProcess | None = None
        self._players = Players(table, self._make)
        self._adviser_host: AgentProcess | None = None
        self._seen: tuple[int, int | None, bool] | None = None
        self._scene = Scene()
        self._told: tuple[int, int | None, bool] | None = None
        self._history: list[EventView] = []

    def _make(self, text: str) -> Agent:
        if not is_built_in(text):
            return self._host(memory_bound()).agent(text, alone=True)
        if self.has_people:
            # Whoever plays the strongest meets it with all that the machine can spare.
            text, _ = with_free_cores(text, self.table.game, free_cores())
        if not self._apart:
            return agent(text)
        if self._our_host is None:
            self._our_host = self._host()
        return self._our_host.agent(text)

    def _host(self, memory: int = 0) -> AgentProcess:
        host = AgentProcess(memory)
        self._hosts.append(host)
        return host

    # What there is to see.

    @property
    def has_people(self) -> bool:
        """Whether a person holds a seat."""
        return bool(self.table.people)

    @property
    def is_shared(self) -> bool:
        """Whether several people sit at a game with secrets."""
        return self.table.game.has_secrets and len(self.table.people) > 1

    @property
    def seed(self) -> int:
        """The seed of the set-up."""
        return self.table.seed

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.table.version

    @property
    def viewer(self) -> int | None:
        """The person to act, else the only one, else a spectator."""
        return self.table.viewer

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people hold."""
        return tuple(self.table.people)

    @property
    def actor(self) -> int:
        """The seat to act, or OVER."""
        return self.table.actor

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
        return self.table.standing.draw_offer

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
            if event.kind in (EventKind.PLAY, EventKind.CHANCE) and event.ply == on_line:
                return self._views([event])[0]
        return None

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back that can be made again."""
        return bool(self.table.standing.undone)

    @property
    def returns(self) -> tuple[float, ...] | None:
        """What the game ended with."""
        if self.table.ending is not None:
            return self.table.ending.returns
        result = self.table.state.result()
        return None if result is None else result.returns

    @property
    def ending_reason(self) -> str | None:
        """Why the game ended."""
        if self.table.ending is not None:
            return self.table.ending.reason
        result = self.table.state.result()
        return None if result is None else result.reason

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
        if table.people and any(event.kind is EventKind.PLAY for event in table.log):
            return "The game goes on where it was left."
        if table.game.has_chance:
            return "Chance is fixed: its commitment stands beside the board."
        return ""

    def introduction(self) -> list[str]:
        """The seed and the commitment of a new game, or which one is resumed."""
        table = self.table
        if self._resumed:
            count = sum(view.seat >= 0 for view in self.history())
            return [f"Resuming {self._resumed} after {count} actions."]
        lines = [f"New game, seed {table.seed}."]
        if table.game.has_chance:
            lines.append(f"Chance is fixed by a key with the SHA-256 {table.commitment}.")
        return [*lines, *(view.sentence for view in self.history())]

    def outcome(self) -> str:
        """How the game ended."""
        return self.table.outcome_words()

    def remark(self) -> str:
        """The game's own word on how it goes."""
        table = self.table
        return table.game.guide().remark(table.start, table.state, table.viewer)

    def promise(self) -> str:
        """The hash of the chance key."""
        return self.table.commitment if self.table.game.has_chance else ""

    def proof(self) -> str:
        """The chance key after the end of a game with chance."""
        table = self.table
        return table.reveal().hex() if table.is_over and table.game.has_chance else ""

    def topics(self) -> list[tuple[str, str]]:
        """Of the game's own topics those that everybody here may read."""
        guide, state = self.table.game.guide(), self.table.state
        told = {
            meaning: guide.explain(state, topic, self._told_seat)
            for topic, meaning in guide.topics().items()
        }
        return [(meaning, text) for meaning, text in told.items() if text]

    def help_topics(self) -> dict[str, str]:
        """The game's own."""
        return self.table.game.guide().topics()

    def explain(self, topic: str) -> str | None:
        """What the game says on it."""
        return self.table.game.guide().explain(self.table.state, topic, self.viewer)

    def fields(self) -> dict[str, object]:
        """The game's own."""
        return self.table.game.json_fields(self.table.state, self.table.seed, self.viewer)

    def history(self) -> list[EventView]:
        """The actions of the game as it stands; told once for each version."""
        told = (self.table.version, self._told_seat, self.table.is_over)
        if self._told != told:
            self._told = told
            self._history = history(self.table.log, self._told_seat, self.table.line, self.names)
        return list(self._history)

    @property
    def _told_seat(self) -> int | None:
        """Whose view events are told in: at a shared keyboard everybody reads them."""
        return None if self.is_shared else self.table.viewer

    def _views(self, events: list[Event], line: Record | None = None) -> list[EventView]:
        seat, names = self._told_seat, self.names
        return [event_view(event, seat, line or self.table.line, names) for event in events]

    def record(self) -> Record:
        """The game so far; the chance key is in it after the end."""
        return self.table.record()

    def frames(self, view: EventView) -> list[Scene]:
        """The steps of an action that was played here or by an agent."""
        return steps_to(self.table.line.states, view, self._told_seat)

    def preview(self, action: int) -> tuple[int, ...]:
        """From the game's frames; with secrets nobody is told before the action is made."""
        table = self.table
        if table.game.has_secrets or not self.is_my_turn:
            return ()
        return changed_owners(self.scene(), table.state, action, table.viewer)

    def why_not(self, cells: tuple[int, ...], group: str) -> str:
        """The rule's own reason, where the cells mean an action."""
        return rule_against(self.table.state, cells, group)

    # What is done.

    def send(self, request: Request) -> list[EventView]:
        """Ask for the person whose turn it is, or the only one; never for an agent.

        A draw is answered for the other person. Raises `NotYourTurn` for what only an agent
        could do now.
        """
        table = self.table
        with self._changing:
            line = table.line
            self._stop_adviser()
            if isinstance(request, ClaimTime):
                return self._views(table.check_clocks())
            events = table.request(self._asker(request), self._vetted(request))
            if not isinstance(request, Play | OfferDraw):
                self._interrupt()
            if isinstance(request, Replace):
                self._players.forget(request.seat)
            return self._views(events, line if isinstance(request, Undo) else None)

    def _asker(self, request: Request) -> int:
        """The seat that asks for it at this keyboard; CHANCE stands for the owner of the table."""
        if isinstance(request, Play):
            return self._mover()
        if isinstance(request, OfferDraw):
            return self._speaker(self._draw_speaker())
        return self._speaker(self.table.actor) if isinstance(request, Resign) else CHANCE

    def _draw_speaker(self) -> int:
        """Who answers an open offer, otherwise who would make one."""
        offers, people = self.table.standing.draw_offers, self.table.people
        return self.table.actor if not offers else next(s for s in people if s not in offers)

    def _mover(self) -> int:
        """Who plays at this keyboard: the person to act, or any other, who is then refused."""
        people = self.table.people
        return self.table.actor if self.table.actor in people else next(iter(people), CHANCE)

    def _speaker(self, seat: int) -> int:
        """That seat if a person holds it, else the only person's."""
        people = self.table.people
        if seat in people or self.table.is_over:
            return max(0, seat)
        if len(people) != 1:
            raise NotYourTurn(f"it is the turn of {self.table.name_of(seat)}")
        return people[0]

    def _vetted(self, request: Request) -> Request:
        """The request; an agent that takes a seat gets a seed that nobody knows."""
        if not isinstance(request, Replace):
            return request
        who = request.who.strip()
        if who != PERSON and not self.table.is_over:
            who = vetted(who, self.table.game, secrets.randbits(32))
        return Replace(request.seat, who)

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

    def _interrupt(self) -> None:
        """Let agents that think about something else now stop."""
        if self._apart:
            self._stop_hosts()
            self._players = Players(self.table, self._make)

    def _stop_hosts(self) -> None:
        hosts, self._hosts, self._our_host, self._adviser_host = self._hosts, [], None, None
        for host in hosts:
            host.stop()

    def analyse(self, deeper: int = 0, shown: Sequence[int] = ()) -> Advice:
        """What a strong agent thinks, with what the seat to act knows and no more.

        Whoever is asked while it thinks of a position that has passed interrupts it.
        `TableError` where nobody may know: for a spectator of a game with secrets.
        """
        table = self.table
        if table.game.has_secrets and table.viewer != table.actor:
            raise TableError(f"{table.game.title} has secrets: only whose turn it is may ask")
        known = seat_view(table.state, table.actor, table.chance.key, table.version)
        return advice_of(known, self._analysis(known, deeper), table.viewer, shown)

    def _analysis(self, known: State, deeper: int) -> Analysis:
        if not self._apart:
            return analyse(known, adviser=adviser(deeper))
        self._stop_adviser()
        if self._adviser_host is None:
            self._adviser_host = self._host()
        asked = self._adviser_host.agent(adviser(deeper))
        try:
            return asked.analyse(known)
        finally:
            asked.close()

    def _stop_adviser(self) -> None:
        """End a thought that nobody waits for any more."""
        host = self._adviser_host
        if host is not None and host.is_asked:
            self._adviser_host = None
            self._hosts.remove(host)
            host.stop()

    def record_text(self) -> str:
        """The record, with the key only after the end."""
        return self.table.record().to_text()

    def where(self) -> str:
        """Where the file is."""
        table = self.table
        if table.save_problem:
            return table.save_problem
        if table.path is None:
            return ""
        if not table.path.exists():
            return "The game is not kept."
        return f"The game is kept in {table.path}."

    def save(self) -> str:
        """Write the file now, and say where it is."""
        if self.table.save():
            return f"Saved in {self.table.path}."
        return "" if self.table.save_problem else "This game is not kept."

    def close(self) -> None:
        """End the agents' processes, and let go of the file."""
        if not self._apart:
            for host in self._hosts:
                host.seconds = CLOSE_SECONDS
            self._players.close()
        self._stop_hosts()
        self.table.close()
