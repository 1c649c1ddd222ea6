"""A table on a server, as local displays see it."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import replace

from parlour.agents import Choice
from parlour.client.sync import RemoteTable
from parlour.client.view import NO_SCENE, TableView, clocks_now
from parlour.core.checks import printable
from parlour.core.errors import IllegalAction
from parlour.core.game import Game, State
from parlour.core.guide import Guide
from parlour.core.record import Record
from parlour.core.scene import Cell, Scene
from parlour.drawing.choices import Advice, ChoiceView
from parlour.protocol.errors import NotYourSeat, Unauthorized
from parlour.protocol.messages import SeatInfo, Spoken
from parlour.table.errors import GameLost, TableError
from parlour.table.events import (
    AskTakeback,
    Decline,
    EventView,
    OfferDraw,
    Play,
    Redo,
    Replace,
    Request,
    Resign,
    Undo,
)
from parlour.table.live import changed_owners, rule_against, steps_to


class RemoteGame:
    """A table on a server, for a local display; a `LiveGame`.

    It shows the table as of the last events it returned, so that a display never sees more than it
    was given.
    """

    def __init__(self, table: RemoteTable, now: Callable[[], float], link: str) -> None:
        """Wrap a table. `link` brings the person back to this seat."""
        self.table = table
        view = table.view
        self._view = view
        self._delivered = len(table.log)
        self._now = now
        self._link = link
        self._lock = threading.Lock()
        self.name = view.game
        self.title = printable(view.title)
        self.rules = () if self._game is None else self._game.guide().rules()

    @property
    def _game(self) -> Game | None:
        """The game, if it is installed here."""
        return self.table.positions.game

    @property
    def _states(self) -> list[State]:
        return self.table.positions.states(self._view)

    # Properties.

    @property
    def has_people(self) -> bool:
        """Whether a seat is played from here."""
        return bool(self.people)

    @property
    def is_shared(self) -> bool:
        """False, because each client has one seat."""
        return False

    @property
    def people(self) -> tuple[int, ...]:
        """Your seat."""
        you = self._view.you
        return () if you is None or self._view.seats[you].kind != "person" else (you,)

    @property
    def seed(self) -> int | None:
        """`None`, because servers keep the seed secret."""
        return None

    @property
    def version(self) -> int:
        """The number of the last returned event."""
        return self._view.v

    @property
    def viewer(self) -> int | None:
        """Your seat."""
        return self._view.you

    @property
    def actor(self) -> int:
        """The seat to act, CHANCE or OVER."""
        return self._view.actor

    @property
    def is_my_turn(self) -> bool:
        """Whether it is your turn."""
        return self._view.is_my_turn

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._view.is_over

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each seat and its holder."""
        return names_of(self._view)

    @property
    def clocks(self) -> tuple[float, ...]:
        """The seconds left to each seat."""
        return clocks_now(self._view, self._now())

    @property
    def can_redo(self) -> bool:
        """False, because servers do not support `Redo`."""
        return False

    @property
    def draw_offer(self) -> int | None:
        """The first other seat that offers a draw."""
        others = (seat for seat in self._view.offers.draw if seat != self._view.you)
        return next(others, None)

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cells of a seat's last action."""
        made = (event for event in reversed(self._view.history) if event.seat >= 0)
        last = next(made, None)
        return () if last is None else last.cells

    @property
    def last_event(self) -> EventView | None:
        """The last action of the game."""
        history = self._view.history
        return _readable(history[-1]) if history else None

    @property
    def returns(self) -> tuple[float, ...] | None:
        """The final returns."""
        ending = self._view.ending
        return None if ending is None else tuple(ending.returns)

    @property
    def ending_reason(self) -> str | None:
        """How the game ended, in the server's words."""
        ending = self._view.ending
        return None if ending is None else printable(ending.words).rstrip(".")

    @property
    def notice(self) -> str:
        """A warning if there is no connection."""
        if self.table.is_connected or self.is_over:
            return ""
        return "The connection was lost. Reconnecting."

    def scene(self) -> Scene:
        """Return what the seat sees."""
        return self._view.scene or NO_SCENE

    def public_scene(self) -> Scene:
        """Return the same scene, because there is only one viewer here."""
        return self.scene()._replace(actions=())

    def greeting(self) -> str:
        """Return which seat you have."""
        people = self.people
        return f"You are {self.names[people[0]]}." if people else "You are watching."

    def introduction(self) -> list[str]:
        """Return which seat you have, and the actions so far."""
        return [self.greeting(), *(view.sentence for view in self.history())]

    def outcome(self) -> str:
        """Return how the game ended."""
        ending = self._view.ending
        if ending is not None:
            return printable(ending.words)
        return "The game was abandoned." if self.is_over else ""

    def remark(self) -> str:
        """Return the game's comment on the position."""
        states = self._states
        if states:
            guide: Guide = states[0].game.guide()
            return guide.remark(states[0], states[-1], self.viewer)
        ending = self._view.ending
        return printable(self._view.remark if ending is None else ending.remark)

    def promise(self) -> str:
        """Return the hash of the chance key."""
        has_chance = self._game is None or self._game.has_chance
        return printable(self._view.commitment) if has_chance else ""

    def proof(self) -> str:
        """Return the chance key after the end."""
        ending = self._view.ending
        return "" if ending is None else printable(ending.key)

    def legend(self) -> tuple[Cell, ...]:
        """Return the cells that the game's guide explains, if the game is installed here."""
        return () if self._game is None else self._game.guide().legend()

    def topics(self) -> list[tuple[str, str]]:
        """Return the game's topics that can be explained here."""
        texts = [(meaning, self.explain(topic)) for topic, meaning in self.help_topics().items()]
        return [(meaning, text) for meaning, text in texts if text]

    def help_topics(self) -> dict[str, str]:
        """Return the game's topics, if it is installed and has no secrets."""
        return self._game.guide().topics() if self._game is not None and self._states else {}

    def explain(self, topic: str) -> str | None:
        """Return the game's text on a topic."""
        states = self._states
        return states[-1].game.guide().explain(states[-1], topic, self.viewer) if states else None

    def position_text(self) -> str | None:
        """Return the position as it is known here."""
        states = self._states
        return states[-1].game.state_to_text(states[-1]) if states else self._view.position

    def fields(self) -> dict[str, object]:
        """Return nothing, because the fields need the seed."""
        return {}

    def history(self) -> list[EventView]:
        """Return the actions of the game, without those taken back."""
        return [_readable(event) for event in self._view.history]

    def frames(self, view: EventView) -> list[Scene]:
        """Return an action's intermediate scenes, if the game is installed and has no secrets."""
        return steps_to(self._states, view, self.viewer)

    def preview(self, action: int) -> tuple[int, ...]:
        """Return the cells that would change owner, if the game is installed and has no secrets."""
        states = self._states
        if not states or not self.is_my_turn or states[-1].refusal(action) is not None:
            return ()
        return changed_owners(self.scene(), states[-1], action, self.viewer)

    def why_not(self, cells: tuple[int, ...], group: str) -> str:
        """Return the rule's reason, if the game is installed and the cells mean an action."""
        states = self._states
        return rule_against(states[-1], cells, group) if states else ""

    # Requests.

    def send(self, request: Request) -> list[EventView]:
        """Send a request to the server and return the events up to its answer."""
        table = self.table
        if isinstance(request, Play):
            action = request.action
            if isinstance(action, bool) or not isinstance(action, int | str):
                raise IllegalAction("an action must be an int or a text")
            table.play(action, self._view.ply)
        elif isinstance(request, Undo | AskTakeback):
            table.takeback()
        elif isinstance(request, OfferDraw):
            table.draw()
        elif isinstance(request, Decline):
            table.decline(request.offer)
        elif isinstance(request, Resign):
            table.resign()
        elif isinstance(request, Replace):
            self._replace(request)
        elif isinstance(request, Redo):
            raise TableError("servers do not support redo")
        return self._news()

    def _replace(self, request: Replace) -> None:
        name, _, level = request.who.strip().partition(":")
        if request.seat != self._view.you:
            raise TableError("you can only hand over your own seat")
        if name != "level" or level not in map(str, range(1, 10)):
            raise TableError("on a server, choose an agent from level:1 to level:9")
        self.table.replace(int(level))

    def _news(self) -> list[EventView]:
        """Return the new events, and show the table as it is after them."""
        with self._lock:  # a waiting thread and a polling thread both come here
            events = self.table.log[self._delivered :]
            self._delivered += len(events)
            self._view = self.table.view
        return [_readable(event) for event in events]

    def check_clocks(self) -> list[EventView]:
        """Return the new events."""
        return self._news() if len(self.table.log) > self._delivered else []

    def next_events(self) -> list[EventView] | None:
        """Wait for the other players."""
        if len(self.table.log) == self._delivered:
            if self.is_my_turn or self.is_over:
                return None
            waiting = self.table.news(self._delivered)
            try:
                waiting.result()
            except CancelledError:  # the client was closed
                return None
            except (NotYourSeat, Unauthorized) as error:
                raise GameLost(str(error)) from error
            except BaseException:
                waiting.cancel()
                raise
        return self._news()

    def analyse(self, deeper: int = 0, shown: Sequence[int] = ()) -> Advice:
        """Return the evaluation of an agent on the server, if the server allows it."""
        found = self.table.analysis(deeper=deeper, shown=shown)
        choices = tuple(
            ChoiceView(
                Choice(each.action, each.text, each.value, 0, 0, (each.text,)),
                tuple(map(printable, each.words)),
            )
            for each in found.choices
        )
        if not choices:
            raise TableError("the server has no advice")
        return Advice(choices, found.work, 0.0)

    def record(self) -> Record:
        """Return the record after the end. The game must be installed here."""
        return self.table.record()

    def record_text(self) -> str:
        """Return the text of the record after the end."""
        return self.table.record_text()

    def save(self) -> str:
        """Return how to come back; the server saves every action."""
        return self.where()

    def where(self) -> str:
        """Return how to come back."""
        command = "join" if self.people else "watch"
        return f"The server keeps this game. To come back: parlour {command} '{self._link}'"

    def close(self) -> None:
        """Disconnect. The seat stays reserved."""
        self.table.close()


def holder_words(info: SeatInfo) -> str:
    """Return the holder of a seat; empty for a person without a name."""
    if info.kind == "agent":
        return f"level:{info.level}" if info.level else "agent"
    return printable(info.name) if info.kind == "person" else "open"


def names_of(view: TableView) -> tuple[str, ...]:
    """Return the display name of each seat: the game's name for it, and its holder."""
    given = () if view.scene is None else view.scene.names
    names = []
    for seat, info in enumerate(view.seats):
        name = printable(given[seat]) if seat < len(given) else f"seat {seat + 1}"
        holder = holder_words(info)
        names.append(f"{name} ({holder})" if holder else name)
    return tuple(names)


def _readable(event: EventView | Spoken) -> EventView:
    """Return an event or chat message without terminal control characters."""
    if isinstance(event, Spoken):
        words = printable(f"{event.name}: {event.text}")
        return EventView(0, "say", event.seat, printable(event.name), words, f"{words}.")
    return replace(
        event,
        name=printable(event.name),
        words=printable(event.words),
        sentence=printable(event.sentence),
    )
