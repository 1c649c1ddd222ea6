"""A live game as a display knows it: scenes, events and requests, and nothing else.

`LiveGame` is what displays speak to: a table in this process (`LocalGame`), or one on a
server, without a display noticing.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from parlour.core.game import State
from parlour.core.guide import Section
from parlour.core.record import Record
from parlour.core.scene import Scene
from parlour.drawing.choices import Advice
from parlour.table.events import EventKind, EventView, Request


class LiveGame(Protocol):
    """One game, seen from one place: by a person, by people who share a keyboard, or by none."""

    name: str
    """The game's name, as the registry knows it."""
    title: str
    rules: tuple[Section, ...]

    @property
    def has_people(self) -> bool:
        """Whether somebody here holds a seat."""

    @property
    def is_shared(self) -> bool:
        """Whether people here hold several seats and must not see each other's secrets."""

    @property
    def seed(self) -> int | None:
        """The seed of the set-up, where it is known here."""

    @property
    def version(self) -> int:
        """Grows with everything that happens."""

    @property
    def viewer(self) -> int | None:
        """Through whose eyes this place looks now; `None`: a spectator's."""

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
    def can_redo(self) -> bool:
        """Whether something was taken back that `Redo` makes again."""

    @property
    def returns(self) -> tuple[float, ...] | None:
        """What the game ended with, by its rules or by its players; `None` while it goes on."""

    @property
    def ending_reason(self) -> str | None:
        """Why the game ended; `None` while it goes on."""

    @property
    def notice(self) -> str:
        """What must be known first: that the game cannot be saved, or empty."""

    def scene(self) -> Scene:
        """What the viewer sees; actions only if a person here is to act."""

    def public_scene(self) -> Scene:
        """What everybody may see."""

    def greeting(self) -> str:
        """What to say first."""

    def introduction(self) -> list[str]:
        """What a display without pictures says of the game before it begins, line by line."""

    def outcome(self) -> str:
        """How the game ended, in a sentence; empty while it goes on."""

    def remark(self) -> str:
        """The game's own word on how it goes; may be empty."""

    def promise(self) -> str:
        """The whole commitment to the chance key, in a game with chance; otherwise empty."""

    def proof(self) -> str:
        """The chance key after the end of a game with chance; otherwise empty."""

    def topics(self) -> list[tuple[str, str]]:
        """What the game itself explains of its position: a title and lines of text for each."""

    def help_topics(self) -> dict[str, str]:
        """What `explain` can be asked for, each topic with a line that says what it shows."""

    def explain(self, topic: str) -> str | None:
        """What the game says on a topic of its own, or `None` if there is no such topic."""

    def position_text(self) -> str | None:
        """The position exactly, as far as it is known here; `None` where it is not."""

    def fields(self) -> dict[str, object]:
        """What the game itself tells programs of the position; plain values."""

    def history(self) -> list[EventView]:
        """The actions of the game as it stands."""

    def record(self) -> Record:
        """The game so far; `TableError` for a game with secrets before its end."""

    def frames(self, view: EventView) -> list[Scene]:
        """The scenes that lead to the position after an action, without that one."""

    def preview(self, action: int) -> tuple[int, ...]:
        """The cells whose owner a legal action would change; none where that is a secret."""

    def why_not(self, cells: tuple[int, ...], group: str) -> str:
        """The rule against touching these cells, or laying that piece there; may be empty."""

    def send(self, request: Request) -> list[EventView]:
        """Ask for something: what happened. `ParlourError` with the reason if nothing did."""

    def check_clocks(self) -> list[EventView]:
        """What happened without being waited for: a clock has run out, somebody has left."""

    def next_events(self) -> list[EventView] | None:
        """Wait for others to act: what happened, or `None` if nobody else is to act.

        `ParlourError` if an agent cannot go on: nothing has changed, it is still its turn,
        and `Replace` lets somebody else play for it.
        Called from a thread of its own where a screen has to stay alive.
        """

    def analyse(self, deeper: int = 0, shown: Sequence[int] = ()) -> Advice:
        """What a strong agent thinks of the choices of the seat to act; it may take a while.

        With `deeper`, 1 to 3, it looks twice as long each, and the choices that are `shown`
        keep their order where nothing is clearly better.
        """

    def record_text(self) -> str:
        """The record of the game so far; `ParlourError` where it cannot be had yet."""

    def save(self) -> str:
        """Keep the game now; a sentence on where it is."""

    def where(self) -> str:
        """A sentence on where the game is kept, or why it is not; empty if it is not to be."""

    def close(self) -> None:
        """Leave: processes end, the game can be resumed elsewhere."""


def changed_owners(before: Scene, state: State, action: int, viewer: int | None) -> tuple[int, ...]:
    """Return the cells whose owner a legal action changes."""
    after = state.game.frames(state, action, viewer)[-1].cells
    pairs = enumerate(zip(before.cells, after, strict=True))
    return tuple(cell for cell, (old, new) in pairs if old.owner != new.owner)


def rule_against(state: State, cells: tuple[int, ...], group: str) -> str:
    """Return the rule against touching these cells, or laying that piece there; or nothing."""
    action = state.game.action_at(state, cells, group)
    reason = None if action is None else state.refusal(action)
    return reason or ""


def steps_to(states: Sequence[State], view: EventView, viewer: int | None) -> list[Scene]:
    """Return the scenes that lead to the position after an action, without that one."""
    if view.kind != EventKind.PLAY or view.action is None or view.ply >= len(states):
        return []
    before = states[view.ply - 1]
    frames: list[Scene] = before.game.frames(before, view.action, viewer)
    return frames[:-1]


def drive(game: LiveGame, tell: Callable[[list[EventView]], None]) -> None:
    """Let others act, and tell of it, until a person here is to act or the game is over."""
    while (events := game.next_events()) is not None:
        tell(events)
