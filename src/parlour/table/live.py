"""The interface between a display and a live game: scenes, events and requests.

A `LiveGame` is a table in this process (`LocalGame`) or one on a server. Displays need not know
which.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from parlour.core.game import State
from parlour.core.guide import Section
from parlour.core.record import Record
from parlour.core.scene import Cell, Scene
from parlour.drawing.choices import Advice
from parlour.table.events import EventKind, EventView, Request


class LiveGame(Protocol):
    """One game, as seen by a player, by players who share a keyboard, or by a spectator.

    A display's main loop:

        while not game.is_over:
            game.next_events()  # the others act
            if game.is_my_turn:
                game.send(Play(game.scene().actions[0].action))
    """

    name: str
    """The game's name in the registry."""
    title: str
    rules: tuple[Section, ...]

    @property
    def has_people(self) -> bool:
        """Whether a person here holds a seat."""

    @property
    def is_shared(self) -> bool:
        """Whether people here hold several seats and must not see each other's secrets."""

    @property
    def seed(self) -> int | None:
        """The seed of the setup, if it is known here."""

    @property
    def version(self) -> int:
        """A number that grows with every event."""

    @property
    def viewer(self) -> int | None:
        """The seat from whose point of view the game is shown; `None` for a spectator."""

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that are played from here."""

    @property
    def actor(self) -> int:
        """The seat to act, CHANCE or OVER."""

    @property
    def is_my_turn(self) -> bool:
        """Whether a person here is to act."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""

    @property
    def names(self) -> tuple[str, ...]:
        """The display name of each seat; agents are shown with their texts."""

    @property
    def clocks(self) -> tuple[float, ...]:
        """The seconds left to each seat; empty without clocks."""

    @property
    def draw_offer(self) -> int | None:
        """The seat that offers a draw."""

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cells of a seat's last action, as far as they are known here."""

    @property
    def last_event(self) -> EventView | None:
        """The last event, chance included; `None` before the first."""

    @property
    def can_redo(self) -> bool:
        """Whether `Redo` has something to repeat."""

    @property
    def returns(self) -> tuple[float, ...] | None:
        """The final returns, by the rules or by agreement; `None` during the game."""

    @property
    def ending_reason(self) -> str | None:
        """Why the game ended; `None` during the game."""

    @property
    def notice(self) -> str:
        """A warning, such as that the game cannot be saved; empty if there is none."""

    def scene(self) -> Scene:
        """Return what the viewer sees, with actions only if a person here is to act."""

    def public_scene(self) -> Scene:
        """Return what every spectator may see."""

    def greeting(self) -> str:
        """Return the first message to show."""

    def introduction(self) -> list[str]:
        """Return the lines that a text display prints before the game."""

    def outcome(self) -> str:
        """Return how the game ended, in a sentence; empty during the game."""

    def remark(self) -> str:
        """Return the game's comment on the position; may be empty."""

    def promise(self) -> str:
        """Return the full commitment to the chance key; empty in a game without chance."""

    def proof(self) -> str:
        """Return the chance key after a game with chance has ended; otherwise empty."""

    def legend(self) -> tuple[Cell, ...]:
        """Return the cells that the help explains; empty for those on the board."""

    def topics(self) -> list[tuple[str, str]]:
        """Return the game's explanations of its position: pairs of a title and lines of text."""

    def help_topics(self) -> dict[str, str]:
        """Return the topics that `explain` accepts, each with a one-line description."""

    def explain(self, topic: str) -> str | None:
        """Return the game's text on a topic, or `None` for an unknown topic."""

    def position_text(self) -> str | None:
        """Return the exact position as far as it is known here; `None` if it is not."""

    def fields(self) -> dict[str, object]:
        """Return the game's own fields for programs, as plain values."""

    def history(self) -> list[EventView]:
        """Return the actions of the game, without those taken back."""

    def record(self) -> Record:
        """Return the game so far. Raise `TableError` for an unfinished game with secrets."""

    def frames(self, view: EventView) -> list[Scene]:
        """Return the intermediate scenes of an action, without the final position."""

    def preview(self, action: int) -> tuple[int, ...]:
        """Return the cells that would change owner; empty if that is a secret."""

    def why_not(self, cells: tuple[int, ...], group: str) -> str:
        """Return the rule against choosing these cells or placing that piece; may be empty."""

    def send(self, request: Request) -> list[EventView]:
        """Carry out a request and return its events. Raise `ParlourError` if it is refused."""

    def check_clocks(self) -> list[EventView]:
        """Return events that came unasked, such as a timeout or a player who left."""

    def next_events(self) -> list[EventView] | None:
        """Wait for the other players and return their events; `None` if a person here is to act.

        Raise `ParlourError` if an agent fails. Nothing has changed then, it is still the agent's
        turn, and `Replace` can give its seat to another player. A full-screen display calls this in
        a worker thread.
        """

    def analyse(self, deeper: int = 0, shown: Sequence[int] = ()) -> Advice:
        """Return a strong agent's evaluation of the choices. This may take a while.

        Each step of `deeper`, 1 to 3, doubles the search. The choices in `shown` keep their order
        unless another is clearly better.
        """

    def record_text(self) -> str:
        """Return the record so far. Raise `ParlourError` if it is not available yet."""

    def save(self) -> str:
        """Save the game now. Return a sentence that says where."""

    def where(self) -> str:
        """Return a sentence on where the game is saved, or why it is not; empty without saving."""

    def close(self) -> None:
        """Leave: stop the agents' processes and release the game."""


def changed_owners(before: Scene, state: State, action: int, viewer: int | None) -> tuple[int, ...]:
    """Return the cells whose owner a legal action changes."""
    after = state.game.frames(state, action, viewer)[-1].cells
    pairs = enumerate(zip(before.cells, after, strict=True))
    return tuple(cell for cell, (old, new) in pairs if old.owner != new.owner)


def rule_against(state: State, cells: tuple[int, ...], group: str) -> str:
    """Return the rule against choosing these cells or placing that piece, if there is one."""
    action = state.game.action_at(state, cells, group)
    reason = None if action is None else state.refusal(action)
    return reason or ""


def steps_to(states: Sequence[State], view: EventView, viewer: int | None) -> list[Scene]:
    """Return the intermediate scenes of an action, without the final position."""
    if view.kind != EventKind.PLAY or view.action is None or view.ply >= len(states):
        return []
    before = states[view.ply - 1]
    frames: list[Scene] = before.game.frames(before, view.action, viewer)
    return frames[:-1]


def drive(game: LiveGame, report: Callable[[list[EventView]], None]) -> None:
    """Let the others act until a person here is to act or the game is over.

    `report` is called with the events of each step.

    >>> from parlour import game
    >>> from parlour.table import LocalGame, Table
    >>> bots = LocalGame(Table(game("octa", size=1), ["random", "random"], seed=1))
    >>> drive(bots, report=lambda events: None)
    """
    while (events := game.next_events()) is not None:
        report(events)
