"""Scenes on the wire: a palette of distinct cells, indices into it, and diffs."""

from itertools import compress
from operator import is_not
from typing import ClassVar

from msgspec import UNSET, UnsetType, structs

from parlour.core.errors import ParlourError
from parlour.core.scene import (
    NO_BOARD,
    POINTS,
    ActionView,
    Board,
    Cell,
    Scene,
    SeatView,
    fault_of_points,
)
from parlour.protocol.messages import (
    Diff,
    WireAction,
    WireBoard,
    WireCell,
    WireScene,
    WireSeat,
)


class BadScene(ParlourError):
    """The message is not a valid scene: an index lies outside the palette or the board."""

    code: ClassVar[str] = "bad_scene"


class SceneSender:
    """Encoder for the successive scenes of one kind of viewer.

    It tracks the palette that its receivers hold. The palette only grows; it starts again when
    most of its entries are unused.
    """

    def __init__(self) -> None:
        """Start with an empty palette."""
        self._palette: list[Cell] = []
        self._index: dict[Cell, int] = {}
        self._scene: Scene | None = None
        self._cells: list[int] = []
        self._seats: list[tuple[str, SeatView, WireSeat]] = []

    def full(self, scene: Scene) -> WireScene:
        """Return the whole scene and make it the base of the next `diff`."""
        if scene is not self._scene:  # otherwise another connection of the same kind has joined
            self._cells = [self._index_of(cell) for cell in scene.cells]
            self._scene = scene
        return WireScene(
            palette=self.palette(),
            cells=self._cells,
            seats=self._wire_seats(scene),
            actor=scene.actor,
            status=scene.status,
            actions=wire_actions(scene),
            board=wire_board(scene.board),
            actors=scene.actors,
        )

    def palette(self) -> list[WireCell]:
        """Return the palette that receivers hold."""
        return [WireCell(*cell) for cell in self._palette]

    def _wire_seats(self, scene: Scene) -> list[WireSeat]:
        """Return the seats in wire format; those that have not changed are kept."""
        known, found = self._seats, []
        for at, (name, seat) in enumerate(zip(scene.names, scene.seats, strict=True)):
            if at == len(known):
                known.append((name, seat, wire_seat(name, seat)))
            before, same, wire = known[at]
            if name != before or (seat is not same and seat != same):
                wire = wire_seat(name, seat)
                known[at] = (name, seat, wire)
            found.append(wire)
        return found

    def _index_of(self, cell: Cell) -> int:
        place = self._index.get(cell)
        if place is None:
            place = self._index[cell] = len(self._palette)
            self._palette.append(cell)
        return place

    def diff(self, scene: Scene) -> Diff | None:
        """Return the changes since the last scene, or `None` if the whole scene must be sent."""
        before = self._scene
        if before is None or len(before.cells) != len(scene.cells):
            return None
        known = len(self._palette)
        if known > 64 + 2 * len(scene.cells):
            self._palette, self._index, self._scene = [], {}, None
            return None
        changed = []
        cells = list(self._cells)
        # Most cells are the same object, so look for others without a loop in Python.
        others = compress(range(len(cells)), map(is_not, before.cells, scene.cells))
        for at in others:
            new = scene.cells[at]
            if before.cells[at] != new:
                cells[at] = self._index_of(new)
                changed.append((at, cells[at]))
        diff = Diff(palette_more=[WireCell(*cell) for cell in self._palette[known:]], cells=changed)
        if scene.seats != before.seats or scene.names != before.names:
            diff.seats = self._wire_seats(scene)
        if scene.actor != before.actor:
            diff.actor = scene.actor
        if scene.actors != before.actors:
            diff.actors = scene.actors
        if scene.status != before.status:
            diff.status = scene.status
        if scene.actions is not before.actions and scene.actions != before.actions:
            diff.actions = wire_actions(scene)
        self._scene, self._cells = scene, cells
        return diff


def wire_frames(scenes: list[Scene]) -> tuple[list[WireCell], list[list[int]]]:
    """Return one palette and the boards of several scenes that use it."""
    sender = SceneSender()
    frames = [sender.full(scene).cells for scene in scenes]
    return sender.palette(), frames


def wire_actions(scene: Scene) -> list[WireAction]:
    """Return the actions in wire format."""
    return list(scene.actions)  # ActionView is a tuple in wire format


def wire_seat(name: str, seat: SeatView) -> WireSeat:
    """Return a seat in wire format."""
    return WireSeat(name, seat.score, tuple(map(_wire_item, seat.tray)))


def _wire_item(item: str | Cell) -> str | WireCell:
    return item if isinstance(item, str) else WireCell(*item)


def wire_board(board: Board) -> WireBoard | UnsetType:
    """Return the board in wire format, or `UNSET` for a game without a board."""
    return UNSET if board == NO_BOARD else WireBoard(*board)


class SceneReceiver:
    """Decoder that rebuilds the scene from received messages."""

    def __init__(self) -> None:
        """Start with an empty scene."""
        self._palette: list[Cell] = []
        self._cells: list[int] = []
        self.scene = Scene()

    def take(self, full: WireScene | UnsetType, diff: Diff | UnsetType) -> Scene:
        """Apply a full scene or a diff, if either is set, and return the scene.

        Raise `BadScene` if the message is invalid.
        """
        if full is not UNSET:
            self._take_full(full)
        elif diff is not UNSET:
            self._take_diff(diff)
        return self.scene

    def _take_full(self, full: WireScene) -> None:
        palette = [_cell(cell) for cell in full.palette]
        board = self.scene.board if full.board is UNSET else _board(full.board)
        if full.cells and max(full.cells) >= len(palette):
            raise BadScene("a cell's index is outside the palette")
        if len(full.cells) != board.size:
            raise BadScene(f"the scene has {len(full.cells)} cells, the board has {board.size}")
        self._palette, self._cells = palette, list(full.cells)
        self.scene = Scene(
            tuple(palette[place] for place in full.cells),
            _seats(full.seats),
            full.status,
            board,
            full.actor,
            _actions(full.actions),
            full.actors,
            _names(full.seats),
        )

    def _take_diff(self, diff: Diff) -> None:
        palette = self._palette + [_cell(cell) for cell in diff.palette_more]
        cells = list(self._cells)
        for cell, place in diff.cells:
            if not (0 <= cell < len(cells) and 0 <= place < len(palette)):
                raise BadScene("a changed cell is outside the board or the palette")
            cells[cell] = place
        scene = self.scene._replace(cells=tuple(palette[place] for place in cells))
        if diff.seats is not UNSET:
            scene = scene._replace(seats=_seats(diff.seats), names=_names(diff.seats))
        if diff.actor is not UNSET:
            scene = scene._replace(actor=diff.actor)
        if diff.actors is not UNSET:
            scene = scene._replace(actors=diff.actors)
        if diff.status is not UNSET:
            scene = scene._replace(status=diff.status)
        if diff.actions is not UNSET:
            scene = scene._replace(actions=_actions(diff.actions))
        self._palette, self._cells, self.scene = palette, cells, scene


def _cell(cell: WireCell) -> Cell:
    return Cell(*structs.astuple(cell))


def _board(wire: WireBoard) -> Board:
    board = Board(*structs.astuple(wire))
    wrong = fault_of_points(board) if board.shape == POINTS else ""
    if wrong:
        raise BadScene(wrong)
    return board


def _seats(seats: list[WireSeat]) -> tuple[SeatView, ...]:
    return tuple(SeatView(score=seat.score, tray=tuple(map(_item, seat.tray))) for seat in seats)


def _names(seats: list[WireSeat]) -> tuple[str, ...]:
    return tuple(seat.name for seat in seats)


def _item(item: str | WireCell) -> str | Cell:
    return item if isinstance(item, str) else _cell(item)


def _actions(actions: list[WireAction]) -> tuple[ActionView, ...]:
    return tuple(ActionView(*action) for action in actions)
