"""Views of a game: the parts of messages, built only from what their viewer may see.

In a game without hidden information all viewers see the same, except for the actions of the seat
to act. Otherwise each seat, and the spectators, have their own view.
"""

from collections.abc import Sequence
from typing import cast

from msgspec import UNSET, Raw, UnsetType, json

from parlour.agents import seat_view
from parlour.core.errors import NotFound
from parlour.core.game import OVER, State, is_shown
from parlour.core.scene import Scene
from parlour.drawing.score_sheet import last_cells
from parlour.drawing.svg import scene_to_svg
from parlour.protocol import VERSION
from parlour.protocol.json import encode
from parlour.protocol.messages import (
    NO_OFFERS,
    AskCoach,
    AskFrames,
    AskWhy,
    ClockTimes,
    Coach,
    Frames,
    Offers,
    Outcome,
    Preview,
    Query,
    SeatInfo,
    StandingView,
    TableInfo,
    Welcome,
    Why,
    WireCell,
    WireScene,
    WireStep,
)
from parlour.protocol.scenes import SceneSender, wire_frames
from parlour.server.live.encoded_actions import encoded_actions, raw_actions
from parlour.server.live.history import EncodedHistory
from parlour.server.live.hosted import HostedGame
from parlour.server.live.openings import client_status
from parlour.server.store.log_rows import AGENT
from parlour.server.store.store import GameRow, SeatRow
from parlour.table import (
    PERSON,
    EventKind,
    EventView,
    NotYourTurn,
    Table,
    TableError,
)
from parlour.table.views import moment_view

Viewer = int | None
"""A seat, or `None` for a spectator."""


NO_SCENE = (-1, Scene())


class Views:
    """The views of one game."""

    def __init__(self, hosted: HostedGame, secret: bytes) -> None:
        """Start before the first message. `secret` must be unknown to players."""
        self._hosted = hosted
        self._secret = secret + hosted.id.encode()
        self._shared = not hosted.game.has_secrets
        self._senders: dict[Viewer, SceneSender] = {}
        self._scenes: dict[Viewer, tuple[int, Scene]] = {}
        """The last scene of each kind of viewer, and its version."""
        self._histories: dict[Viewer, EncodedHistory] = {}
        self._names: tuple[str, ...] = ()
        self._names_of: tuple[object, ...] = ()
        """What the names were made of."""
        self._seat_infos = Raw()
        self._seat_infos_of: list[SeatRow] = []

    def prepare(self) -> None:
        """Encode the history for every kind of viewer, after loading and in any thread."""
        seats = () if self._shared else range(self._hosted.game.seats)
        for viewer in (None, *seats):
            self.history(viewer)

    # Scenes.

    def _key(self, viewer: Viewer) -> Viewer:
        return None if self._shared else viewer

    @property
    def acting(self) -> int:
        """The seat that gets its legal actions, or a negative number."""
        table = self._hosted.table
        if table is None or table.ending is not None:
            return OVER
        actor = table.actor
        return actor if actor >= 0 and table.seats[actor] == PERSON else OVER

    def scene(self, viewer: Viewer) -> Scene:
        """Return the viewer's scene without actions."""
        table, kind = self._hosted.table, self._key(viewer)
        assert table is not None
        v, scene = self._scenes.get(kind, NO_SCENE)
        if v != self._hosted.v:
            scene = table.state.scene(kind, with_actions=False)
            if table.ending is not None:
                scene = scene._replace(actor=OVER, status=table.outcome_words())
            self._scenes[kind] = (self._hosted.v, scene)
        return scene

    def sender(self, viewer: Viewer) -> SceneSender:
        """Return the scene encoder for that kind of viewer."""
        kind = self._key(viewer)
        known = self._senders.get(kind)
        if known is None:
            known = self._senders[kind] = SceneSender()
        return known

    def full(self, viewer: Viewer) -> WireScene | UnsetType:
        """Return the whole scene for a new connection, as the base of later diffs."""
        table = self._hosted.table
        if table is None:
            return UNSET
        wire = self.sender(viewer).full(self.scene(viewer))
        if viewer is not None and viewer == self.acting:
            wire.actions = raw_actions(encoded_actions(table.state))
        return wire

    def past(self, viewer: Viewer, ply: int) -> WireScene:
        """Return the viewer's scene after `ply` actions. Raise `NotFound` if there is none."""
        scene, _ = self._seen_at(viewer, ply)
        return SceneSender().full(scene)

    def _seen_at(self, viewer: Viewer, ply: int) -> tuple[Scene, tuple[int, ...]]:
        """Return the scene, and the cells of the last action by a seat."""
        table = self._hosted.table
        if table is None:
            raise TableError("the game has not started")
        line = table.line
        if not 0 <= ply < len(line.states):
            raise NotFound(f"the ply must be from 0 to {len(line.states) - 1}, not {ply}")
        if ply == len(line.states) - 1:
            scene = self.scene(viewer)
        else:
            scene = line.states[ply].scene(viewer, with_actions=False)
        cells = () if self._hosted.game.has_secrets else last_cells(line, ply)
        return scene, cells

    def picture(self, viewer: Viewer, ply: int | None) -> str:
        """Return a position as SVG, by default the current one."""
        at = self._hosted.ply if ply is None else ply
        scene, cells = self._seen_at(viewer, at)
        return scene_to_svg(scene, cells, self._hosted.game.title)

    # Events.

    def names(self) -> tuple[str, ...]:
        """Return the seats' display names: the game's name and the player's."""
        hosted, table = self._hosted, self._hosted.table
        if table is None:
            return tuple(seat.name or f"Seat {seat.seat + 1}" for seat in hosted.seats)
        basis = (hosted.game.seat_names(table.state), table.seats, hosted.seats)
        if basis != self._names_of:
            self._names_of = (*basis[:2], list(hosted.seats))
            names = [table.name_of(seat.seat) for seat in hosted.seats]
            self._names = tuple(
                f"{name} ({seat.name})" if _has_name(seat) else name
                for name, seat in zip(names, hosted.seats, strict=True)
            )
        return self._names

    def person_of(self, seat: int) -> str:
        """Return a seat's name in chat: the person's name, or the seat's number."""
        return self._hosted.seats[seat].name or f"Seat {seat + 1}"

    def history(self, viewer: Viewer) -> list[Raw]:
        """Return the actions of the game so far, each as an encoded `EventView`."""
        hosted, kind = self._hosted, self._key(viewer)
        if hosted.table is None:
            return []
        known = self._histories.get(kind)
        if known is None:
            known = self._histories[kind] = EncodedHistory(kind)
        return known.upto(hosted.moments, self.names())

    def events_after(self, viewer: Viewer, after: int, most: int) -> list[EventView]:
        """Return the events after a version, each as seen at its time."""
        names = self.names()
        some = self._hosted.moments[after : after + most]
        return [moment_view(moment, viewer, names) for moment in some]

    # Queries, which change nothing.

    def query(self, viewer: Viewer, asked: Query) -> Preview | Why | Frames | Coach:
        """Answer a query. Raise `TableError` if it cannot be answered."""
        table = self._hosted.table
        if table is None:
            raise TableError("the game has not started")
        if isinstance(asked, AskFrames):
            return self._frames(viewer, asked, table)
        if isinstance(asked, AskCoach):
            return self._coach(viewer, asked, table)
        if viewer is None or viewer != table.actor:
            raise NotYourTurn("it is not your turn")
        if isinstance(asked, AskWhy):
            return self._why(asked, table)
        if not self._shared:
            return Preview(asked.id, ())
        after = table.state.play(asked.action)
        looks = after.scene(None).cells
        pairs = enumerate(zip(table.state.scene(None).cells, looks, strict=True))
        changed = tuple(cell for cell, (old, new) in pairs if old != new)
        return Preview(asked.id, changed, tuple(WireCell(*looks[cell]) for cell in changed))

    def _coach(self, viewer: Viewer, asked: AskCoach, table: Table) -> Coach:
        start = table.start
        if not self._shared:
            if viewer is None:
                return Coach(asked.id, ())
            start = self.known(start, viewer, 0)
        steps = self._hosted.game.guide().coach(start)
        return Coach(asked.id, tuple(WireStep(step.text, step.cells) for step in steps))

    def _why(self, asked: AskWhy, table: Table) -> Why:
        game, state = self._hosted.game, table.state
        if any(cell >= game.board.size for cell in asked.cells):
            raise TableError(f"cells must be from 0 to {game.board.size - 1}")
        action = game.action_at(state, tuple(asked.cells), asked.group)
        reason = None if action is None else state.refusal(action)
        return Why(asked.id, reason or "")

    def _frames(self, viewer: Viewer, asked: AskFrames, table: Table) -> Frames:
        line, moments = table.line, self._hosted.moments
        event = moments[asked.v - 1].event if 0 < asked.v <= len(moments) else None
        is_on_line = (
            event is not None
            and event.kind is EventKind.PLAY
            and event.ply < len(line.states)
            and line.actions[event.ply - 1] == event.action
        )
        if event is not None and is_on_line:
            game, before = self._hosted.game, line.states[event.ply - 1]
            if is_shown(game, before, event.action, viewer):
                steps = game.frames(before, event.action, viewer)[:-1]
                palette, frames = wire_frames(steps)
                return Frames(asked.id, asked.v, palette, frames)
        raise TableError(f"version {asked.v} is not an action of the current game")

    # Messages.

    def clocks(self, at_event: bool) -> ClockTimes | None:
        """Return the seconds left, now or at the last event; `None` without clocks.

        With an event, all processes send the same values, whenever they receive it.
        """
        table = self._hosted.table
        if table is None or table.clocks is None:
            return None
        gone = table.standing.gone
        running = None if table.is_over or table.actor in gone else table.actor
        all_left = table.standing.left if at_event else table.clocks.all_left()
        return ClockTimes([round(left, 3) for left in all_left], running)

    def position(self, viewer: Viewer) -> str | None:
        """Return a position consistent with what the seat has seen, given hidden information.

        Hidden parts are generated from the server's secret, the table's id and the version. The
        chance key is not used, because it is revealed after the game. Neither is the seat's
        knowledge, because the shuffle of a known generator could be undone.
        """
        hosted, table = self._hosted, self._hosted.table
        if self._shared or table is None:
            return None
        if table.is_over:
            return hosted.game.state_to_text(table.state)
        if viewer is None:
            return None
        known = self.known(table.state, viewer, hosted.v)
        return hosted.game.state_to_text(known)

    def known(self, state: State, seat: int, number: int) -> State:
        """Return a state as the seat may see it, the same for the same number."""
        return seat_view(state, seat, self._secret, number)

    def ending(self) -> Outcome | None:
        """Return the result of the game, or `None`."""
        table = self._hosted.table
        if table is None or not table.is_over:
            return None
        result = table.state.result()
        returns = table.ending.returns if table.ending else result.returns if result else ()
        key = table.reveal().hex() if self._hosted.game.has_chance else ""
        remark = self._hosted.game.guide().remark(table.start, table.state, None)
        reason = self._hosted.end_reason
        words = _ended_because(reason) if reason else table.outcome_words()
        return Outcome(list(returns), words, remark, key)

    def offers(self) -> Offers:
        """Return the open offers."""
        hosted, table = self._hosted, self._hosted.table
        if table is None:
            return NO_OFFERS
        standing = table.standing
        rematch = () if hosted.row.rematch else standing.rematch_offers
        offers = (standing.draw_offers, standing.consents, rematch)
        return Offers(*offers) if any(offers) else NO_OFFERS

    def remark(self, viewer: Viewer) -> str:
        """Return the game's remark on how it is going; empty unless the game is being played."""
        table = self._hosted.table
        if table is None or table.is_over:
            return ""
        return self._hosted.game.guide().remark(table.start, table.state, self._key(viewer))

    def _encoded_seats(self) -> list[SeatInfo]:
        """Return the holders of the seats, encoded once for each change of a seat."""
        seats = self._hosted.seats
        if seats != self._seat_infos_of:
            self._seat_infos_of = list(seats)
            self._seat_infos = Raw(encode(seat_infos(seats)))
        return cast("list[SeatInfo]", self._seat_infos)

    def standing(self, viewer: Viewer, at_event: bool) -> StandingView:
        """Return the standing, with the clocks of now or of the last event."""
        hosted, table = self._hosted, self._hosted.table
        return StandingView(
            v=hosted.v,
            ply=hosted.ply,
            status=hosted.status,
            seats=self._encoded_seats(),
            actor=OVER if table is None else table.actor,
            offers=self.offers(),
            clocks=self.clocks(at_event),
            ending=self.ending(),
            remark=self.remark(viewer),
            rematch=hosted.row.rematch,
            position=self.position(viewer),
        )

    def welcome(self, viewer: Viewer, known: int | None, most: int) -> Welcome:
        """Return the whole table, with up to `most` events after version `known`, or none."""
        hosted, row = self._hosted, self._hosted.row
        missed = known is not None and 0 < row.v - known <= most
        return Welcome(
            protocol=VERSION,
            table=row.id,
            you=viewer,
            game=row.game,
            title=hosted.game.title,
            options=dict(hosted.game.options),
            commitment=hosted.chance.commitment,
            standing=self.standing(viewer, at_event=False),
            scene=self.full(viewer),
            history=cast("list[EventView]", self.history(viewer)),  # already encoded
            missed=self.events_after(viewer, known, most) if missed and known is not None else [],
            control=row.control,
            start=self.start(),
            rematch_of=row.rematch_of,
            can_draw=type(hosted.game).DRAW_OFFERS and hosted.game.seats > 1,
            utility=hosted.game.utility,
            teams=hosted.game.teams if hosted.game.num_teams < hosted.game.seats else (),
        )

    def start(self) -> str | None:
        """Return the exact start position, if the game has started and has no secrets."""
        table = self._hosted.table
        if table is None or not self._shared:
            return None
        return self._hosted.game.state_to_text(table.start)

    def info(self, viewer: Viewer = None) -> TableInfo:
        """Return the table's entry in a list."""
        return table_info(self._hosted.row, self._hosted.seats, self._hosted.game.title, viewer)


def _has_name(seat: SeatRow) -> bool:
    return bool(seat.name) and seat.kind != AGENT


def _ended_because(reason: str) -> str:
    return f"The operator has ended the game: {reason}."


def seat_infos(seats: Sequence[SeatRow]) -> list[SeatInfo]:
    """Return the holders of the seats."""
    return [SeatInfo(seat.kind, seat.name, level_of(seat), seat.left) for seat in seats]


def level_of(seat: SeatRow) -> int:
    """Return the level of an agent, 0 for a person."""
    if seat.kind != AGENT:
        return 0
    digits = seat.agent.partition(":")[2].partition(",")[0]
    return int(digits) if digits.isdecimal() else 0


def table_info(row: GameRow, seats: Sequence[SeatRow], title: str, viewer: Viewer) -> TableInfo:
    """Return a table's entry in a list."""
    return TableInfo(
        table=row.id,
        game=row.game,
        title=title,
        options=json.decode(row.options),
        status=client_status(row.status),
        seats=seat_infos(seats),
        created=row.created_at,
        ply=row.ply,
        control=row.control,
        you=viewer,
        your_turn=viewer is not None and viewer == row.actor,
        listed=row.visibility == "listed",
    )
