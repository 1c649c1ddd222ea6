"""A table as one of its viewers knows it: a value, made anew by everything that is heard."""

from typing import Any, NamedTuple

from msgspec import UNSET

from parlour.core.scene import Scene
from parlour.protocol.messages import (
    Clocks,
    Ending,
    Event,
    Happened,
    SeatInfo,
    Spoken,
    Welcome,
)

WAITING, PLAYING, OVER = "waiting", "playing", "over"
BESIDE = frozenset(("join", "leave", "start", "rematch"))
"""Kinds of events that are about the table and not about the game."""
SAID_KEPT = 50


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
    draw_offers: tuple[int, ...] = ()
    consents: tuple[int, ...] = ()
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

        What it shows is what there is after all of that; offers follow from the events.
        """
        return self._replace(
            status=welcome.status,
            seats=tuple(welcome.seats),
            scene=None if welcome.scene is UNSET else scene,
            clocks=None if welcome.clocks is UNSET else welcome.clocks,
            clocks_at=at,
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
        view = self._replace(v=event.v, thinking=None)._after_kind(event)
        shows = event.diff is not UNSET or event.scene is not UNSET
        if shows and event.ending is UNSET:
            view = view._replace(scene=scene, ending=None, status=PLAYING)
        elif event.ending is not UNSET:
            view = view._replace(scene=scene, ending=event.ending, status=OVER)
            view = view._replace(draw_offers=(), consents=())
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
        kind, seat = event.kind, event.seat
        if kind in BESIDE:
            return self
        view = self._replace(ply=event.ply)
        if kind in ("play", "chance"):
            told = _happened(event)
            view = view._replace(history=(*self.history[: event.ply - 1], told))
            if kind == "play":
                keeps = bool(self.draw_offers) and self.draw_offers[0] == seat
                offers = self.draw_offers if keeps else ()
                view = view._replace(draw_offers=offers, consents=())
        elif kind == "takeback":
            kept = self.history[: event.ply]
            view = view._replace(history=kept, draw_offers=(), consents=())
        elif kind == "ask":
            view = view._replace(consents=(*self.consents, seat))
        elif kind == "offer":
            view = view._replace(draw_offers=(*self.draw_offers, seat))
        elif kind in ("draw", "abandon"):
            view = view._replace(draw_offers=(), consents=())
        else:
            offers = tuple(each for each in self.draw_offers if each != seat)
            is_first = bool(self.draw_offers) and self.draw_offers[0] == seat
            view = view._replace(draw_offers=() if is_first else offers, consents=())
        return view


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
        draw_offers=tuple(welcome.draw_offers),
        consents=tuple(welcome.consents),
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
