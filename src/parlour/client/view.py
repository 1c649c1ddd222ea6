"""A table as one viewer knows it: a value that stores what the server sends."""

from typing import Any, NamedTuple

from msgspec import UNSET, structs

from parlour.core.scene import Scene
from parlour.protocol.messages import (
    NO_OFFERS,
    ClockTimes,
    Offers,
    Outcome,
    SeatInfo,
    Spoken,
    StandingView,
    Update,
    Welcome,
)
from parlour.table.events import EventView

WAITING, PLAYING, OVER = "waiting", "playing", "over"
SAID_KEPT = 50

NO_SCENE = Scene(status="The game waits for people to take their seats.")
"""The scene before the game begins."""


class TableView(NamedTuple):
    """The state of a table as one viewer knows it.

    Wait for a condition to get one:

        view = table.wait(lambda view: view.status != "waiting")
        print(view.title, "to act:", view.actor)
    """

    table: str
    game: str
    """The game's name."""
    title: str
    options: dict[str, Any]
    you: int | None
    """Your seat; `None` for a spectator."""
    v: int
    """The number of the last event."""
    ply: int
    """The number of actions."""
    status: str
    """`waiting` for people, `playing` or `over`."""
    seats: tuple[SeatInfo, ...]
    commitment: str
    actor: int = -2
    """The seat to act; -2 if there is none."""
    actors: tuple[int, ...] = ()
    """All seats to act if several choose simultaneously; empty if only `actor` does."""
    control: str = ""
    scene: Scene | None = None
    """What this viewer sees, with actions if it is to act; `None` before the start."""
    history: tuple[EventView, ...] = ()
    """The actions of the game, without those taken back."""
    clocks: ClockTimes | None = None
    clocks_at: float = 0.0
    """When the clocks were received, by the client's clock."""
    start: str | None = None
    position: str | None = None
    offers: Offers = NO_OFFERS
    said: tuple[Spoken, ...] = ()
    ending: Outcome | None = None
    rematch: str = ""
    rematch_of: str = ""
    remark: str = ""
    """The game's comment on the position when this client connected."""
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
        you = self.you
        is_mine = you is not None and (self.actor == you or you in self.actors)
        return is_mine and self.status == PLAYING and self.seats[you or 0].kind == "person"

    def after(self, update: Update, scene: Scene, at: float) -> "TableView":
        """Return the view after an update."""
        kept = update.standing.ply - update.line
        added = update.events[len(update.events) - update.line :]
        is_shown = update.scene is not UNSET or update.diff is not UNSET
        return self._replace(
            history=(*self.history[:kept], *added),
            scene=scene if is_shown else self.scene,
            start=self.start if update.start is None else update.start,
            thinking=None,
            **_stored(update.standing, at),
        )


def view_of(welcome: Welcome, scene: Scene, at: float) -> TableView:
    """Return the view of a welcome message."""
    return TableView(
        table=welcome.table,
        game=welcome.game,
        title=welcome.title,
        options=welcome.options,
        you=welcome.you,
        commitment=welcome.commitment,
        control=welcome.control,
        scene=None if welcome.scene is UNSET else scene,
        history=tuple(welcome.history),
        start=welcome.start,
        said=tuple(welcome.said),
        rematch_of=welcome.rematch_of,
        **_stored(welcome.standing, at),
    )


def _stored(standing: StandingView, at: float) -> dict[str, Any]:
    """Return the fields of a view that a standing replaces."""
    return {**structs.asdict(standing), "seats": tuple(standing.seats), "clocks_at": at}


def clocks_now(view: TableView, now: float) -> tuple[float, ...]:
    """Return the seconds left to each seat at the time `now`."""
    clocks = view.clocks
    if clocks is None:
        return ()
    since = max(0.0, now - view.clocks_at)
    runs = None if view.is_over else clocks.running
    return tuple(
        max(0.0, left - since) if seat == runs else left for seat, left in enumerate(clocks.left)
    )
