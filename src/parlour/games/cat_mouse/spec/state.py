"""The specification's data model of Cat and Mouse, and its forms: dict, text, playable state.

Every value is immutable, hashable and picklable.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from parlour.core.checks import as_int, check_text, shown
from parlour.core.errors import StateTextError
from parlour.core.options import fraction
from parlour.core.scene import Scene
from parlour.games.cat_mouse.game import CatMouseGame
from parlour.games.cat_mouse.layout import CAUGHT, CELLS, PLAYING, SIDE, TRAPPED, Layout
from parlour.games.cat_mouse.notation import grid_from_text, grid_to_text
from parlour.games.cat_mouse.rules import CatMouseState
from parlour.games.cat_mouse.scene import cells

CAUGHT_MESSAGE = "The cat caught the mouse: you win!"
TRAPPED_MESSAGE = "The mouse is trapped: you win!"

HEAD = ("seed", "density", "status", "message")
"""The lines of a state's text above the grid; each is a name and a JSON value."""


class Status(StrEnum):
    """Whether a game is in progress or won."""

    PLAYING = "playing"
    WON = "won"


class Position(tuple[int, int]):
    """A cell of the grid, equal to the tuple `(row, col)`. Raises `ValueError` outside 0..24."""

    __slots__ = ()

    def __new__(cls, row: int, col: int) -> "Position":
        """Check both coordinates."""
        for name, value in (("row", row), ("col", col)):
            number = as_int(value)
            if number is None or not 0 <= number < SIDE:
                raise ValueError(f"{name} must be an int from 0 to {SIDE - 1}, not {shown(value)}")
        return super().__new__(cls, (int(row), int(col)))

    @property
    def row(self) -> int:
        """The row, counted from the top."""
        return self[0]

    @property
    def col(self) -> int:
        """The column, counted from the left."""
        return self[1]

    def __getnewargs__(self) -> tuple[int, int]:
        """Support copying and pickling."""
        return (self[0], self[1])

    def __repr__(self) -> str:
        """Return an expression that recreates the position."""
        return f"Position(row={self[0]}, col={self[1]})"


def _position(value: Any) -> Position:
    """Return a `Position` from any pair. Raises `ValueError` for anything else."""
    if isinstance(value, Position):
        return value
    try:
        row, col = value
    except (TypeError, ValueError):
        raise ValueError(f"a position is a pair (row, col), not {shown(value)}") from None
    return Position(row, col)


@dataclass(frozen=True, slots=True)
class Grid:
    """The 25×25 grid and its obstacles. Raises `ValueError` for any other size."""

    width: int
    height: int
    obstacles: frozenset[Position]

    def __post_init__(self) -> None:
        """Check the size, and accept any iterable of pairs as obstacles."""
        for name, value in (("width", self.width), ("height", self.height)):
            if as_int(value) != SIDE:
                raise ValueError(f"{name} must be {SIDE}, not {shown(value)}")
            object.__setattr__(self, name, SIDE)
        if not isinstance(self.obstacles, Iterable):
            raise ValueError(f"obstacles must be a set of positions, not {shown(self.obstacles)}")
        object.__setattr__(self, "obstacles", frozenset(map(_position, self.obstacles)))


@dataclass(frozen=True, slots=True)
class Cat:
    """The player's animal."""

    position: Position

    def __post_init__(self) -> None:
        """Accept any pair as the position."""
        object.__setattr__(self, "position", _position(self.position))


@dataclass(frozen=True, slots=True)
class Mouse:
    """The system's animal."""

    position: Position

    def __post_init__(self) -> None:
        """Accept any pair as the position."""
        object.__setattr__(self, "position", _position(self.position))


@dataclass(frozen=True, slots=True)
class GameState:
    """A snapshot of a game. Raises `ValueError` if it breaks one of the invariants."""

    grid: Grid
    cat: Cat
    mouse: Mouse
    seed: int
    status: Status = Status.PLAYING
    message: str | None = None
    density: float | None = None
    """The share of obstacles that `create_game` was called with; `None` for the default."""

    def __post_init__(self) -> None:
        """Check the invariants."""
        for name, kind in (("grid", Grid), ("cat", Cat), ("mouse", Mouse)):
            if not isinstance(getattr(self, name), kind):
                raise ValueError(
                    f"{name} must be a {kind.__name__}, not {shown(getattr(self, name))}"
                )
        seed = as_int(self.seed)
        if seed is None:
            raise ValueError(f"seed must be an int, not {shown(self.seed)}")
        object.__setattr__(self, "seed", seed)
        object.__setattr__(self, "density", checked_density(self.density))
        if self.message is not None and not isinstance(self.message, str):
            raise ValueError(f"message must be a str or None, not {shown(self.message)}")
        try:
            object.__setattr__(self, "status", Status(self.status))
        except ValueError:
            raise ValueError(f"status must be playing or won, not {shown(self.status)}") from None
        for animal in (self.cat, self.mouse):
            if animal.position in self.grid.obstacles:
                raise ValueError(f"{animal!r} must not stand on an obstacle")
        if self.status is Status.PLAYING and self.cat.position == self.mouse.position:
            raise ValueError("cat and mouse must stand on distinct cells while playing")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dict for JSON; a position is `{"row": ..., "col": ...}`."""
        grid = self.grid
        return {
            "grid": {
                "width": grid.width,
                "height": grid.height,
                "obstacles": [_place(position) for position in sorted(grid.obstacles)],
            },
            "cat": {"position": _place(self.cat.position)},
            "mouse": {"position": _place(self.mouse.position)},
            "seed": self.seed,
            "status": self.status.value,
            "message": self.message,
            "density": self.density,
        }

    @staticmethod
    def from_dict(data: object) -> "GameState":
        """Return the state that `to_dict` wrote. Raises `ValueError`.

        `message` and `density` may be missing; unknown keys are ignored.
        """
        grid = _field(data, "grid")
        obstacles = _field(grid, "obstacles")
        if not isinstance(obstacles, list | tuple):
            raise ValueError(f"obstacles must be a list of positions, not {shown(obstacles)}")
        assert isinstance(data, Mapping)
        return GameState(
            Grid(_field(grid, "width"), _field(grid, "height"), frozenset(map(_read, obstacles))),
            Cat(_read(_field(_field(data, "cat"), "position"))),
            Mouse(_read(_field(_field(data, "mouse"), "position"))),
            _field(data, "seed"),
            _field(data, "status"),
            data.get("message"),
            data.get("density"),
        )

    def to_text(self) -> str:
        """Return seed, density, status and message, a line each, and the grid as text."""
        head = {name: self.to_dict()[name] for name in HEAD}
        lines = [f"{name} {json.dumps(value)}" for name, value in head.items()]
        cat, mouse = to_cell(self.cat.position), to_cell(self.mouse.position)
        return "\n".join([*lines, *grid_to_text(layout_of(self.grid).walls, cat, mouse)])

    @staticmethod
    def from_text(text: str) -> "GameState":
        """Return the state that `to_text` wrote. Raises `ValueError`."""
        lines = [line.strip() for line in check_text("a state", text, StateTextError).splitlines()]
        if len(lines) != len(HEAD) + SIDE:
            raise StateTextError(
                f"a state has {len(HEAD) + SIDE} lines: {', '.join(HEAD)} and the grid, "
                f"not {len(lines)}"
            )
        fields: dict[str, Any] = {}
        for name, line in zip(HEAD, lines, strict=False):
            word, _, value = line.partition(" ")
            try:
                fields[name] = json.loads(value)
            except ValueError:
                word = ""
            if word != name:
                raise StateTextError(f"expected a line such as {name} null, not {shown(line)}")
        walls, cat, mouse = grid_from_text(lines[len(HEAD) :], first_line=len(HEAD) + 1)
        grid = Grid(SIDE, SIDE, _obstacles(walls))
        return GameState(grid, Cat(to_position(cat)), Mouse(to_position(mouse)), **fields)

    def to_state(self, steps: int = 0) -> CatMouseState:
        """Return the state of the playable game, after that many steps of the cat.

        A won state is at least one step old. Raises `InvalidState` for a position that the
        playable game does not have: a cat that cannot step.
        """
        is_won = self.status is Status.WON
        is_caught = self.cat.position == self.mouse.position
        outcome = PLAYING if not is_won else CAUGHT if is_caught else TRAPPED
        game = CatMouseGame(density=self.density)
        walls = layout_of(self.grid).walls
        cat, mouse = to_cell(self.cat.position), to_cell(self.mouse.position)
        return game.position(walls, cat, mouse, max(steps, int(is_won)), outcome)

    @staticmethod
    def from_state(state: CatMouseState, seed: int = 0) -> "GameState":
        """Return the snapshot of a state of the playable game, whose seed it does not know.

        The specification has no ply cap, so a game lost there is still `playing` here.
        """
        if not isinstance(state, CatMouseState):
            raise ValueError(f"state must be a state of Cat and Mouse, not {shown(state)}")
        grid = Grid(SIDE, SIDE, _obstacles(state.layout.walls))
        animals = Cat(to_position(state.cat)), Mouse(to_position(state.mouse))
        messages = {CAUGHT: CAUGHT_MESSAGE, TRAPPED: TRAPPED_MESSAGE}
        message = messages.get(state.outcome)
        status = Status.WON if message else Status.PLAYING
        density = checked_density(state.game.options["density"])
        return GameState(grid, *animals, seed, status, message, density)

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks."""
        cat, mouse = to_cell(self.cat.position), to_cell(self.mouse.position)
        shown_cells = cells(layout_of(self.grid), cat, mouse)
        status = self.message or f"The game is {self.status}."
        return Scene(shown_cells, status=status, board=CatMouseGame().board)._repr_svg_()


@lru_cache(maxsize=64)
def layout_of(grid: Grid) -> Layout:
    """Return the steps that a grid allows."""
    walls = bytearray(CELLS)
    for position in grid.obstacles:
        walls[to_cell(position)] = 1
    return Layout(bytes(walls))


def to_cell(position: Position) -> int:
    """Return the number of a cell, in reading order."""
    return position.row * SIDE + position.col


def to_position(cell: int) -> Position:
    """Return the position of a cell."""
    return Position(*divmod(cell, SIDE))


def checked_density(density: object) -> float | None:
    """Return the density. Raises `ValueError` unless it is `None` or between 0 and 1."""
    share = fraction("density", None, 0, 1, "").check(density)
    assert share is None or isinstance(share, float)
    return share


def _obstacles(walls: bytes) -> frozenset[Position]:
    return frozenset(to_position(cell) for cell in range(CELLS) if walls[cell])


def _place(position: Position) -> dict[str, int]:
    return {"row": position.row, "col": position.col}


def _field(data: object, name: str) -> Any:
    if not isinstance(data, Mapping) or name not in data:
        raise ValueError(f"expected a dict with {name!r}, not {shown(data)}")
    return data[name]


def _read(place: object) -> Position:
    return Position(_field(place, "row"), _field(place, "col"))
