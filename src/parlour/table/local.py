"""A table in this process, as its displays see it."""

import secrets
import threading
from collections.abc import Sequence

from parlour.agents import Agent, Analysis, agent, seat_view
from parlour.agents.hints import adviser, analyse
from parlour.agents.isolation import memory_bound, vetted
from parlour.agents.parallel import free_cores, with_free_cores
from parlour.agents.process import CLOSE_SECONDS, AgentProcess
from parlour.agents.registry import is_built_in
from parlour.core.checks import counted
from parlour.core.game import CHANCE, OVER, State, is_shown
from parlour.core.record import Record
from parlour.core.scene import Cell, Scene
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
    """A table in this process, for the people at its keyboard.

    >>> from parlour import game
    >>> from parlour.table import Play, Table
    >>> local = LocalGame(Table(game("octa", size=1), seed=8))
    >>> local.send(Play("1,1"))[0].sentence
    'player 1: 1,1'
    """

    def __init__(self, table: Table, isolated: bool = False, resumed: str = "") -> None:
        """Wrap a table.

        With `isolated`, agents run in other processes, so that a screen stays responsive.
        Third-party agents always run in their own process. `resumed` is the file name of a
        resumed game.
        """
        self.table = table
        self.name = table.game.name
        self._resumed = resumed
        self.title = table.game.title
        guide = table.game.guide()
        self.rules = guide.rules()
        self._legend = guide.legend()
        self._isolated = isolated
        self._changing = threading.RLock()
        self._hosts: list[AgentProcess] = []
        self._built_in_host: AgentProcess | None = None
        self._players = Players(table, self._make)
        self._adviser_host: AgentProcess | None = None
        self._seen: tuple[int, int | None, bool] | None = None
        self._scene = Scene()
        self._history_key: tuple[int, int | None, bool] | None = None
        self._history: list[EventView] = []

    def _make(self, text: str) -> Agent:
        if not is_built_in(text):
            return self._host(memory_bound()).agent(text, alone=True)
        if self.has_people:
            # In a game against people, the strongest agent may use every free core.
            text, _ = with_free_cores(text, self.table.game, free_cores())
        if not self._isolated:
            return agent(text)
        if self._built_in_host is None:
            self._built_in_host = self._host()
        return self._built_in_host.agent(text)

    def _host(self, memory: int = 0) -> AgentProcess:
        host = AgentProcess(memory)
        self._hosts.append(host)
        return host

    # The position.

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
        """The person to act, otherwise the only person, otherwise a spectator."""
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
        """Whether the game is over."""
        return self.table.is_over

    @property
    def names(self) -> tuple[str, ...]:
        """The display name of each seat."""
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
        """The cells of a seat's last action."""
        line = self.table.line
        for ply in range(len(line.actions) - 1, -1, -1):
            state, action = line.states[ply], line.actions[ply]
            if state.actor != CHANCE:
                shown = is_shown(self.table.game, state, action, self._events_viewer)
                return self.table.game.action_view(state, action).cells if shown else ()
        return ()

    @property
    def last_event(self) -> EventView | None:
        """The last action of the game, chance included."""
        on_line = len(self.table.line.actions)
        for event in reversed(self.table.log):
            if event.kind in (EventKind.PLAY, EventKind.CHANCE) and event.ply == on_line:
                return self._views([event])[0]
        return None

    @property
    def can_redo(self) -> bool:
        """Whether `Redo` has something to repeat."""
        return bool(self.table.standing.undone)

    @property
    def returns(self) -> tuple[float, ...] | None:
        """The final returns."""
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
        """A warning if the game cannot be saved."""
        return self.table.save_problem

    def scene(self) -> Scene:
        """Return what the person at the keyboard may see, computed once for each version."""
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
        """Return the exact position; with secrets, a position that fits what the viewer knows.

        Hidden information is drawn at random. A spectator of a game with secrets gets `None`.
        """
        table = self.table
        state = table.state
        if table.game.has_secrets and not table.is_over:
            if table.viewer is None:
                return None
            state = seat_view(state, table.viewer, table.chance.key, table.version)
        return table.game.state_to_text(state)

    def public_scene(self) -> Scene:
        """Return what a spectator sees, without actions."""
        return self.table.state.scene(None)._replace(actions=())

    def greeting(self) -> str:
        """Return that the game was resumed, or which seat is yours."""
        table = self.table
        if table.people and any(event.kind is EventKind.PLAY for event in table.log):
            return "The game was resumed where it stopped."
        if len(table.people) == 1 and table.game.seats > 1:
            return f"You are {table.name_of(self.people[0])}."
        return ""

    def introduction(self) -> list[str]:
        """Return the seed of a new game, or the file that was resumed."""
        table = self.table
        if self._resumed:
            count = sum(view.seat >= 0 for view in self.history())
            return [f"Resuming {self._resumed} after {counted(count, 'action')}."]
        lines = [f"New game, seed {table.seed}.", self.greeting()]
        return [*filter(None, lines), *(view.sentence for view in self.history())]

    def outcome(self) -> str:
        """Return how the game ended."""
        return self.table.outcome_words()

    def remark(self) -> str:
        """Return the game's comment on the position."""
        table = self.table
        return table.game.guide().remark(table.start, table.state, table.viewer)

    def promise(self) -> str:
        """Return the hash of the chance key."""
        return self.table.commitment if self.table.game.has_chance else ""

    def proof(self) -> str:
        """Return the chance key after a game with chance has ended."""
        table = self.table
        return table.reveal().hex() if table.is_over and table.game.has_chance else ""

    def legend(self) -> tuple[Cell, ...]:
        """Return the cells that the game's guide explains."""
        return self._legend

    def topics(self) -> list[tuple[str, str]]:
        """Return the game's topics that everyone at the keyboard may read."""
        guide, state = self.table.game.guide(), self.table.state
        texts = {
            meaning: guide.explain(state, topic, self._events_viewer)
            for topic, meaning in guide.topics().items()
        }
        return [(meaning, text) for meaning, text in texts.items() if text]

    def help_topics(self) -> dict[str, str]:
        """Return the game's topics."""
        return self.table.game.guide().topics()

    def explain(self, topic: str) -> str | None:
        """Return the game's text on a topic."""
        return self.table.game.guide().explain(self.table.state, topic, self.viewer)

    def fields(self) -> dict[str, object]:
        """Return the game's own fields."""
        return self.table.game.json_fields(self.table.state, self.table.seed, self.viewer)

    def history(self) -> list[EventView]:
        """Return the actions of the game, computed once for each version."""
        key = (self.table.version, self._events_viewer, self.table.is_over)
        if self._history_key != key:
            self._history_key = key
            self._history = history(
                self.table.log, self._events_viewer, self.table.line, self.names
            )
        return list(self._history)

    @property
    def _events_viewer(self) -> int | None:
        """The seat whose view of events is shown; at a shared keyboard, a spectator's."""
        return None if self.is_shared else self.table.viewer

    def _views(self, events: list[Event], line: Record | None = None) -> list[EventView]:
        seat, names = self._events_viewer, self.names
        return [event_view(event, seat, line or self.table.line, names) for event in events]

    def record(self) -> Record:
        """Return the game so far; the chance key is included after the end."""
        return self.table.record()

    def frames(self, view: EventView) -> list[Scene]:
        """Return the intermediate scenes of an action."""
        return steps_to(self.table.line.states, view, self._events_viewer)

    def preview(self, action: int) -> tuple[int, ...]:
        """Return the cells that would change owner, from the game's frames; empty with secrets."""
        table = self.table
        if table.game.has_secrets or not self.is_my_turn:
            return ()
        return changed_owners(self.scene(), table.state, action, table.viewer)

    def why_not(self, cells: tuple[int, ...], group: str) -> str:
        """Return the rule's reason, if the cells mean an action."""
        return rule_against(self.table.state, cells, group)

    # Requests.

    def send(self, request: Request) -> list[EventView]:
        """Send a request for the person to act, or for the only person; never for an agent.

        With two people, an open draw offer is answered for the other one. Raise `NotYourTurn` if an
        agent is to act.
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
                self._players.dismiss(request.seat)
            return self._views(events, line if isinstance(request, Undo) else None)

    def _asker(self, request: Request) -> int:
        """Return the seat that makes the request here; CHANCE stands for the owner of the table."""
        if isinstance(request, Play):
            return self._mover()
        if isinstance(request, OfferDraw):
            return self._speaker(self._draw_speaker())
        return self._speaker(self.table.actor) if isinstance(request, Resign) else CHANCE

    def _draw_speaker(self) -> int:
        """Return the seat that answers an open draw offer, or that would make one."""
        offers, people = self.table.standing.draw_offers, self.table.people
        return self.table.actor if not offers else next(s for s in people if s not in offers)

    def _mover(self) -> int:
        """Return the person to act, or any other person, whose move is then refused."""
        people = self.table.people
        return self.table.actor if self.table.actor in people else next(iter(people), CHANCE)

    def _speaker(self, seat: int) -> int:
        """Return that seat if a person holds it, otherwise the only person's."""
        people = self.table.people
        if seat in people or self.table.is_over:
            return max(0, seat)
        if len(people) != 1:
            raise NotYourTurn(f"it is the turn of {self.table.name_of(seat)}")
        return people[0]

    def _vetted(self, request: Request) -> Request:
        """Return the request, with a secret random seed for an agent that takes a seat."""
        if not isinstance(request, Replace):
            return request
        who = request.who.strip()
        if who != PERSON and not self.table.is_over:
            who = vetted(who, self.table.game, secrets.randbits(32))
        return Replace(request.seat, who)

    def check_clocks(self) -> list[EventView]:
        """End the game if the seat to act has run out of time."""
        with self._changing:
            return self._views(self.table.check_clocks())

    def next_events(self) -> list[EventView] | None:
        """Let the agent to act think, and play its choice."""
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
        """Stop agents that are thinking about an outdated position."""
        if self._isolated:
            self._stop_hosts()
            self._players = Players(self.table, self._make)

    def _stop_hosts(self) -> None:
        hosts, self._hosts, self._built_in_host, self._adviser_host = self._hosts, [], None, None
        for host in hosts:
            host.stop()

    def analyse(self, deeper: int = 0, shown: Sequence[int] = ()) -> Advice:
        """Return a strong agent's evaluation, based only on what the seat to act knows.

        This interrupts an analysis of an earlier position. Raise `TableError` for a spectator of a
        game with secrets.
        """
        table = self.table
        if table.game.has_secrets and table.viewer != table.actor:
            raise TableError(f"{table.game.title} has secrets: only the seat to act may ask")
        known = seat_view(table.state, table.actor, table.chance.key, table.version)
        return advice_of(known, self._analysis(known, deeper), table.viewer, shown)

    def _analysis(self, known: State, deeper: int) -> Analysis:
        if not self._isolated:
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
        """Stop an analysis whose result is no longer needed."""
        host = self._adviser_host
        if host is not None and host.is_asked:
            self._adviser_host = None
            self._hosts.remove(host)
            host.stop()

    def record_text(self) -> str:
        """Return the record; the chance key is included only after the end."""
        return self.table.record().to_text()

    def where(self) -> str:
        """Return where the file is."""
        table = self.table
        if table.save_problem:
            return table.save_problem
        if table.path is None:
            return ""
        if not table.path.exists():
            return "The game is not saved."
        return f"The game is saved in {table.path}."

    def save(self) -> str:
        """Write the file now and return where it is."""
        if self.table.save():
            return f"Saved in {self.table.path}."
        return "" if self.table.save_problem else "This game is not saved."

    def close(self) -> None:
        """Stop the agents' processes and release the file."""
        if not self._isolated:
            for host in self._hosts:
                host.seconds = CLOSE_SECONDS
            self._players.close()
        self._stop_hosts()
        self.table.close()
