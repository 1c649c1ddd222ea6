"""The specification's API of Cat and Mouse.

The rules themselves are in `rules`; this module converts to and from their types. Every value
is immutable, hashable and picklable.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from parlour.core.checks import is_int, shown
from parlour.core.options import fraction
from parlour.core.rng import fold_seed
from parlour.core.scene import Scene
from parlour.games.cat_mouse.game import CatMouseGame
from parlour.games.cat_mouse.layout import CAUGHT, CELLS, NO_STEP, PLAYING, SIDE, Layout
from parlour.games.cat_mouse.placement import place
from parlour.games.cat_mouse.rules import DIRECTIONS, refusal_text
from parlour.games.cat_mouse.scene import cells
from parlour.games.cat_mouse.solver import shortest_win

CAUGHT_MESSAGE = "The cat caught the mouse: you win!"
TRAPPED_MESSAGE = "The mouse is trapped: you win!"
FINISHED_MESSAGE = "The game is over: start a new game to play on."


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
            if not is_int(value) or not 0 <= value < SIDE:
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
            if not is_int(value) or value != SIDE:
                raise ValueError(f"{name} must be {SIDE}, not {shown(value)}")
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
    message: str | None = field(default=None)

    def __post_init__(self) -> None:
        """Check the invariants."""
        for name, kind in (("grid", Grid), ("cat", Cat), ("mouse", Mouse)):
            if not isinstance(getattr(self, name), kind):
                raise ValueError(
                    f"{name} must be a {kind.__name__}, not {shown(getattr(self, name))}"
                )
        if not is_int(self.seed):
            raise ValueError(f"seed must be an int, not {shown(self.seed)}")
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

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks."""
        cat, mouse = _to_cell(self.cat.position), _to_cell(self.mouse.position)
        shown_cells = cells(_layout(self.grid), cat, mouse)
        status = self.message or f"The game is {self.status}."
        return Scene(shown_cells, status=status, board=CatMouseGame().board)._repr_svg_()


class ApplyResult(NamedTuple):
    """The result of `apply_move`: whether the move was made, the new state, and a message."""

    success: bool
    state: GameState
    message: str | None = None


class Solution(NamedTuple):
    """A shortest way to win."""

    moves: tuple[str, ...]


def create_game(seed: int, density: float | None = None) -> GameState:
    """Return the start of a seed, which never changes and can always be won.

    `density` is the share of obstacles, in (0, 1); by default 15 to 20 %. Seeds outside
    −2⁶³..2⁶⁴−1 are folded into that range.

    Raises `TypeError` for a seed that is not an int, `ValueError` for a wrong density, and
    `PlacementError` if no start is found.
    """
    folded = fold_seed(seed)
    share = fraction("density", None, 0, 1, "").check(density)
    assert share is None or isinstance(share, float)
    layout, cat, mouse = place(folded, share)
    walls = frozenset(_to_position(cell) for cell in range(CELLS) if layout.walls[cell])
    return GameState(
        Grid(SIDE, SIDE, walls), Cat(_to_position(cat)), Mouse(_to_position(mouse)), folded
    )


def apply_move(state: GameState, direction: str) -> ApplyResult:
    """Move the cat, then the mouse.

    An invalid move returns `success=False`, a message with the reason, and the same state
    object. Never raises, whatever the type of the direction.
    """
    if state.status is Status.WON:
        return ApplyResult(False, state, FINISHED_MESSAGE)
    # Check the type first, so that no methods of other objects run.
    word = str.__str__(direction) if issubclass(type(direction), str) else ""
    if word not in DIRECTIONS:
        return ApplyResult(
            False, state, f"Unknown direction {shown(direction)}: use {', '.join(DIRECTIONS)}."
        )
    layout = _layout(state.grid)
    cat, mouse = _to_cell(state.cat.position), _to_cell(state.mouse.position)
    to = layout.step(cat, DIRECTIONS.index(word))
    reason = refusal_text(to, word)
    if reason is not None:
        return ApplyResult(False, state, f"Invalid move: {reason}.")
    outcome, fled = layout.turn(cat, mouse, to)
    status, message = Status.PLAYING, None
    if outcome != PLAYING:
        status = Status.WON
        message = CAUGHT_MESSAGE if outcome == CAUGHT else TRAPPED_MESSAGE
    after = GameState(
        state.grid, Cat(_to_position(to)), Mouse(_to_position(fled)), state.seed, status, message
    )
    return ApplyResult(True, after, message)


def get_valid_moves(state: GameState, actor: str) -> list[Position]:
    """Return where the cat or the mouse can step, in the order up, down, left, right.

    The cat may step onto the mouse; the mouse may not step onto the cat. Raises `ValueError`
    for an actor other than `"cat"` and `"mouse"`.
    """
    if actor not in ("cat", "mouse"):
        raise ValueError(f"actor must be 'cat' or 'mouse', not {shown(actor)}")
    layout = _layout(state.grid)
    cat, mouse = _to_cell(state.cat.position), _to_cell(state.mouse.position)
    steps = (layout.step(cat if actor == "cat" else mouse, k) for k in range(len(DIRECTIONS)))
    return [_to_position(to) for to in steps if to >= 0 and (actor == "cat" or to != cat)]


def choose_mouse_move(state: GameState) -> Position | None:
    """Return where the mouse would flee to now, or `None` if it cannot step."""
    to = _layout(state.grid).reply(_to_cell(state.cat.position), _to_cell(state.mouse.position))
    return None if to == NO_STEP else _to_position(to)


def solve(state: GameState) -> Solution | None:
    """Return a shortest win, which is empty for a won state, or `None` if there is none."""
    if state.status is Status.WON:
        return Solution(())
    cat, mouse = _to_cell(state.cat.position), _to_cell(state.mouse.position)
    moves = shortest_win(_layout(state.grid), cat, mouse)
    return None if moves is None else Solution(tuple(DIRECTIONS[move] for move in moves))


def hint(state: GameState) -> str | None:
    """Return the first direction of `solve(state)`, or `None`."""
    solution = solve(state)
    return solution.moves[0] if solution is not None and solution.moves else None


def par(state: GameState) -> int | None:
    """Return the number of moves of `solve(state)`, or `None` if the cat cannot win."""
    solution = solve(state)
    return None if solution is None else len(solution.moves)


@lru_cache(maxsize=64)
def _layout(grid: Grid) -> Layout:
    walls = bytearray(CELLS)
    for position in grid.obstacles:
        walls[_to_cell(position)] = 1
    return Layout(bytes(walls))


def _to_cell(position: Position) -> int:
    return position.row * SIDE + position.col


def _to_position(cell: int) -> Position:
    return Position(*divmod(cell, SIDE))
