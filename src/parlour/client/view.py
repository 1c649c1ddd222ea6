"""A table as one of its viewers knows it: a value, made anew by everything that is heard."""

from typing import Any, NamedTuple

from msgspec import UNSET

from parlour.core.scene import Scene
from parlour.protocol.messages import (
    Clocks,
    Ending,
    Event,
    Happened,
    Offers,
    SeatInfo,
    Spoken,
    Welcome,
)

WAITING, PLAYING, OVER = "waiting", "playing", "over"
BESIDE = frozenset(("join", "leave", "start", "rematch", "decline_rematch"))
"""Kinds of events that are about the table and not about the game."""
SAID_KEPT = 50
NO_OFFERS = Offers()


class TableView(NamedTuple):
    """Where a table stands."""

    table: str
    game: str
    """The game's name."""
    title: str
    options: dict[str, Any]
    you: int | None
    """One's own seat; `None`: one watches."""
    v: int
    """The number of the last thing that happened."""
    ply: int
    """How many actions there are."""
    status: str
    """`waiting` for people, `playing` or `over`."""
    seats: tuple[SeatInfo, ...]
    commitment: str
    control: str = ""
    scene: Scene | None = None
    """What this viewer sees, with its actions if it is to act; `None` before the beginning."""
    history: tuple[Happened, ...] = ()
    """The actions of the game as it stands."""
    clocks: Clocks | None = None
    clocks_at: float = 0.0
    """When the clocks were told, by the client's own clock."""
    start: str | None = None
    position: str | None = None
    offers: Offers = NO_OFFERS
    said: tuple[Spoken, ...] = ()
    ending: Ending | None = None
    rematch: str = ""
    rematch_of: str = ""
    remark: str = ""
    present: tuple[bool, ...] = ()
    watchers: int = 0
    thinking: int | None = None
    premove: int | str | None = None
    premove_problem: str = ""
    """Why the last premove was dropped."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.status == OVER

    @property
    def is_my_turn(self) -> bool:
        """Whether this viewer's seat is to act."""
        scene = self.scene
        is_mine = scene is not None and self.you is not None and scene.actor == self.you
        return is_mine and self.status == PLAYING and self.seats[self.you or 0].kind == "person"

    def welcomed(self, welcome: Welcome, scene: Scene, at: float) -> "TableView":
        """The same table after a welcome that goes on from `v`: what was missed will follow.

        Everything it shows is as it is after all of that.
        """
        return self._replace(
            status=welcome.status,
            seats=tuple(welcome.seats),
            scene=None if welcome.scene is UNSET else scene,
            clocks=None if welcome.clocks is UNSET else welcome.clocks,
            clocks_at=at,
            offers=NO_OFFERS if welcome.offers is UNSET else welcome.offers,
            start=None if welcome.start is UNSET else welcome.start,
            position=None if welcome.position is UNSET else welcome.position,
            said=tuple(welcome.said),
            ending=None if welcome.ending is UNSET else welcome.ending,
            rematch=welcome.rematch,
            remark=welcome.remark,
            you=welcome.you,
            premove=None,
        )

    def after(self, event: Event, scene: Scene, at: float) -> "TableView":
        """After something that happened."""
        offers = NO_OFFERS if event.offers is UNSET else event.offers
        view = self._replace(v=event.v, thinking=None, offers=offers)._after_kind(event)
        shows = event.diff is not UNSET or event.scene is not UNSET
        if shows and event.ending is UNSET:
            view = view._replace(scene=scene, ending=None, status=PLAYING)
        elif event.ending is not UNSET:
            view = view._replace(scene=scene, ending=event.ending, status=OVER)
        elif event.kind == "abandon" and view.scene is None:
            view = view._replace(status=OVER)
        if event.clocks is not UNSET:
            view = view._replace(clocks=event.clocks, clocks_at=at)
        if event.position is not UNSET:
            view = view._replace(position=event.position)
        if event.start is not UNSET:
            view = view._replace(start=event.start)
        if event.seats is not UNSET:
            view = view._replace(seats=tuple(event.seats))
        if event.rematch:
            view = view._replace(rematch=event.rematch)
        if event.remark is not UNSET:
            view = view._replace(remark=event.remark)
        return view

    def _after_kind(self, event: Event) -> "TableView":
        if event.kind in BESIDE:
            return self
        history = self.history
        if event.kind in ("play", "chance"):
            history = (*history[: event.ply - 1], _happened(event))
        elif event.kind == "takeback":
            history = history[: event.ply]
        return self._replace(ply=event.ply, history=history)


def view_of(welcome: Welcome, scene: Scene, at: float) -> TableView:
    """What a welcome says to somebody who knows nothing yet."""
    return TableView(
        table=welcome.table,
        game=welcome.game,
        title=welcome.title,
        options=welcome.options,
        you=welcome.you,
        v=welcome.v,
        ply=welcome.ply,
        status=welcome.status,
        seats=tuple(welcome.seats),
        commitment=welcome.commitment,
        control=welcome.control,
        history=tuple(welcome.history),
        rematch_of=welcome.rematch_of,
    ).welcomed(welcome, scene, at)


def _happened(event: Event) -> Happened:
    """The event without what it changed on the board, which nobody needs twice."""
    return Happened(
        event.v,
        event.ply,
        event.kind,
        event.seat,
        event.sentence,
        event.action,
        event.text,
        event.words,
        event.cells,
        event.at,
    )
