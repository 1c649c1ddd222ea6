"""The specification's map of Octa: coordinates, directions, cells, and the square grid."""

from abc import ABC, abstractmethod
from enum import Enum
from typing import Any, NamedTuple
from weakref import ref

from parlour.core.checks import as_int, shown
from parlour.core.grid import CLOCKWISE
from parlour.core.scene import Scene
from parlour.games.octa.scene import board, cell_view


class Coordinate(NamedTuple):
    """A place on the map; y grows to the north."""

    x: int
    y: int


class Direction(Enum):
    """The eight directions, clockwise."""

    N = 0
    NE = 1
    E = 2
    SE = 3
    S = 4
    SW = 5
    W = 6
    NW = 7

    @property
    def opposite(self) -> "Direction":
        """The opposite direction."""
        return Direction((self.value + 4) % 8)


def rotate_clockwise(direction: Direction) -> Direction:
    """Return the direction 45 degrees clockwise."""
    if not isinstance(direction, Direction):
        raise ValueError(f"direction must be a Direction, not {direction!r}")
    return Direction((direction.value + 1) % 8)


class CellState(Enum):
    """The owner of a cell."""

    NEUTRAL = 0
    PLAYER_1 = 1
    PLAYER_2 = 2
    BLOCKED = 3


class Player(Enum):
    """One of the two players. Never equal to a `CellState`."""

    PLAYER_1 = 1
    PLAYER_2 = 2

    @property
    def cell_state(self) -> CellState:
        """The state of the cells that this player owns."""
        return CellState(self.value)

    @property
    def opponent(self) -> "Player":
        """The other player."""
        return Player(3 - self.value)


class CellCounts:
    """How many cells of a set each player owns. The setter of `GameCell.state` keeps it."""

    def __init__(self, cells: list["GameCell"]) -> None:
        """Count the cells, without duplicates, and follow their changes."""
        self._owned = dict.fromkeys(CellState, 0)
        for cell in {id(cell): cell for cell in cells}.values():
            self._owned[cell.state] += 1
            cell.counted_by(self)

    def owned(self, player: Player) -> int:
        """Return how many cells the player owns."""
        return self._owned[player.cell_state]

    def change(self, before: CellState, after: CellState) -> None:
        """Note that a cell has another owner."""
        self._owned[before] -= 1
        self._owned[after] += 1


class GameCell:
    """A cell: its coordinate, owner and arrow, and its neighbours, which a map fills in.

    A logic counts cells by the setter of `state`, so a subclass must not replace it.
    """

    # Weak references to the counts that include this cell; those of lost games disappear.
    _counts: tuple[ref[CellCounts], ...] = ()
    _state: CellState

    def __init__(
        self,
        coordinate: Coordinate,
        state: CellState = CellState.NEUTRAL,
        direction: Direction = Direction.N,
    ) -> None:
        """Start with `None` as the neighbour in all eight directions."""
        self.coordinate = coordinate
        self.state = state
        self.direction = direction
        self.neighbors: dict[Direction, GameCell | None] = dict.fromkeys(Direction)

    @property
    def state(self) -> CellState:
        """The owner of the cell; can be set."""
        return self._state

    @state.setter
    def state(self, state: CellState) -> None:
        if not isinstance(state, CellState):
            raise ValueError(f"state must be a CellState, not {state!r}")
        for each in self._counts:
            counts = each()
            if counts is not None:
                counts.change(self._state, state)
        self._state = state

    @property
    def direction(self) -> Direction:
        """The direction of the arrow; can be set."""
        return self._direction

    @direction.setter
    def direction(self, direction: Direction) -> None:
        if not isinstance(direction, Direction):
            raise ValueError(f"direction must be a Direction, not {direction!r}")
        self._direction = direction

    def counted_by(self, counts: CellCounts) -> None:
        """Report changes of the state to these counts from now on."""
        alive = tuple(each for each in self._counts if each() is not None)
        self._counts = (*alive, ref(counts))

    def is_counted_by(self, counts: CellCounts) -> bool:
        """Whether changes of the state are reported to these counts."""
        return any(each() is counts for each in self._counts)

    def __getstate__(self) -> dict[str, Any]:
        """Copy and pickle everything but the counts, which belong to a game."""
        return {name: value for name, value in vars(self).items() if name != "_counts"}

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks."""
        return cell_view(self.state.value, self.direction.value)._repr_svg_()

    def __repr__(self) -> str:
        """Return the fields without the neighbours, which would recurse for ever."""
        return f"GameCell({self.coordinate!r}, {self.state}, {self.direction})"


class GameMap(ABC):
    """A set of cells; the logic works on every implementation."""

    @abstractmethod
    def get_cell(self, coordinate: Coordinate) -> GameCell | None:
        """Return the cell at the coordinate, or `None` off the map."""

    @abstractmethod
    def get_all_cells(self) -> list[GameCell]:
        """Return every cell once."""

    @abstractmethod
    def get_size(self) -> int:
        """Return the size that the map was made with."""

    @abstractmethod
    def get_total_cell_count(self) -> int:
        """Return the number of cells."""


_STEPS = {Direction(k): (right, -down) for k, (down, right) in enumerate(CLOCKWISE)}
"""The change of (x, y) by direction."""


class GraphGameMap(GameMap):
    """A square grid from -size to size on both axes, without wrap."""

    def __init__(self, size: int) -> None:
        """Build the grid. Raises `ValueError` for a size below 1."""
        number = as_int(size)
        if number is None or number < 1:
            raise ValueError(f"size must be an int of at least 1, not {shown(size)}")
        self._size = size = number
        span = range(-size, size + 1)
        self._cells = {
            coordinate: GameCell(coordinate)
            for coordinate in (Coordinate(x, y) for y in reversed(span) for x in span)
        }
        for cell in self._cells.values():
            for direction in Direction:
                cell.neighbors[direction] = self._beside(cell, direction)

    def _beside(self, cell: GameCell, direction: Direction) -> GameCell | None:
        (x, y), (east, north) = cell.coordinate, _STEPS[direction]
        return self._cells.get(Coordinate(x + east, y + north))

    def has_grid_links(self) -> bool:
        """Whether every cell still has the neighbours of the grid."""
        return all(
            cell.neighbors.get(direction) is self._beside(cell, direction)
            for cell in self._cells.values()
            for direction in Direction
        )

    def get_cell(self, coordinate: Coordinate) -> GameCell | None:
        """Return the cell at the coordinate, or `None` off the map."""
        try:
            return self._cells.get(coordinate)
        except TypeError:
            return None  # unhashable, so not a coordinate

    def get_all_cells(self) -> list[GameCell]:
        """Return the cells in reading order, north first."""
        return list(self._cells.values())

    def get_size(self) -> int:
        """Return half the side, rounded down."""
        return self._size

    def get_total_cell_count(self) -> int:
        """Return (2 * size + 1) squared."""
        return len(self._cells)

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks."""
        cells = [cell_view(cell.state.value, cell.direction.value) for cell in self.get_all_cells()]
        return Scene(tuple(cells), board=board(self._size))._repr_svg_()

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle cell by cell, because neighbours would recurse too deeply."""
        cells = [(cell.state, cell.direction) for cell in self._cells.values()]
        return (_rebuild_map, (type(self), self._size, cells))


def _rebuild_map(
    cls: type[GraphGameMap], size: int, cells: list[tuple[CellState, Direction]]
) -> GraphGameMap:
    game_map = cls(size)
    for cell, (state, direction) in zip(game_map.get_all_cells(), cells, strict=True):
        cell.state, cell.direction = state, direction
    return game_map
