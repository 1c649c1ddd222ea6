"""The specification's functions of Cat and Mouse. All of them are pure."""

from typing import NamedTuple

from parlour.core.checks import shown
from parlour.core.rng import fold_seed
from parlour.games.cat_mouse.layout import CAUGHT, CELLS, NO_STEP, PLAYING, SIDE
from parlour.games.cat_mouse.placement import place
from parlour.games.cat_mouse.rules import DIRECTIONS, refusal_text
from parlour.games.cat_mouse.solver import shortest_win
from parlour.games.cat_mouse.spec.state import (
    CAUGHT_MESSAGE,
    TRAPPED_MESSAGE,
    Cat,
    GameState,
    Grid,
    Mouse,
    Position,
    Status,
    checked_density,
    layout_of,
    to_cell,
    to_position,
)

FINISHED_MESSAGE = "The game is over: start a new game to play on."


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
    share = checked_density(density)
    layout, cat, mouse = place(folded, share)
    walls = frozenset(to_position(cell) for cell in range(CELLS) if layout.walls[cell])
    animals = Cat(to_position(cat)), Mouse(to_position(mouse))
    return GameState(Grid(SIDE, SIDE, walls), *animals, folded, density=share)


def apply_move(state: GameState, direction: str) -> ApplyResult:
    """Move the cat, then the mouse.

    An invalid move returns `success=False`, a message with the reason, and the same state
    object. Never raises, whatever the type of the direction. If neither animal can step, any
    direction wins, and the cat stays where it is.
    """
    if state.status is Status.WON:
        return ApplyResult(False, state, FINISHED_MESSAGE)
    # Check the type first, so that no methods of other objects run.
    word = str.__str__(direction) if issubclass(type(direction), str) else ""
    if word not in DIRECTIONS:
        return ApplyResult(
            False, state, f"Unknown direction {shown(direction)}: use {', '.join(DIRECTIONS)}."
        )
    layout = layout_of(state.grid)
    cat, mouse = to_cell(state.cat.position), to_cell(state.mouse.position)
    to = layout.step(cat, DIRECTIONS.index(word))
    if layout.exits(cat) == 0 and layout.is_trapped(cat, mouse):
        to = cat
    reason = refusal_text(to, word)
    if reason is not None:
        return ApplyResult(False, state, f"Invalid move: {reason}.")
    outcome, fled = layout.turn(cat, mouse, to)
    status, message = Status.PLAYING, None
    if outcome != PLAYING:
        status = Status.WON
        message = CAUGHT_MESSAGE if outcome == CAUGHT else TRAPPED_MESSAGE
    animals = Cat(to_position(to)), Mouse(to_position(fled))
    after = GameState(state.grid, *animals, state.seed, status, message, state.density)
    return ApplyResult(True, after, message)


def get_valid_moves(state: GameState, actor: str) -> list[Position]:
    """Return where the cat or the mouse can step, in the order up, down, left, right.

    The cat may step onto the mouse; the mouse may not step onto the cat. Raises `ValueError`
    for an actor other than `"cat"` and `"mouse"`.
    """
    if actor not in ("cat", "mouse"):
        raise ValueError(f"actor must be 'cat' or 'mouse', not {shown(actor)}")
    layout = layout_of(state.grid)
    cat, mouse = to_cell(state.cat.position), to_cell(state.mouse.position)
    steps = (layout.step(cat if actor == "cat" else mouse, k) for k in range(len(DIRECTIONS)))
    return [to_position(to) for to in steps if to >= 0 and (actor == "cat" or to != cat)]


def choose_mouse_move(state: GameState) -> Position | None:
    """Return where the mouse would flee to now, or `None` if it cannot step."""
    to = layout_of(state.grid).reply(to_cell(state.cat.position), to_cell(state.mouse.position))
    return None if to == NO_STEP else to_position(to)


def solve(state: GameState) -> Solution | None:
    """Return a shortest win, which is empty for a won state, or `None` if there is none."""
    if state.status is Status.WON:
        return Solution(())
    if apply_move(state, DIRECTIONS[0]).state.status is Status.WON:
        return Solution(DIRECTIONS[:1])
    cat, mouse = to_cell(state.cat.position), to_cell(state.mouse.position)
    moves = shortest_win(layout_of(state.grid), cat, mouse)
    return None if moves is None else Solution(tuple(DIRECTIONS[move] for move in moves))


def hint(state: GameState) -> str | None:
    """Return the first direction of `solve(state)`, or `None`."""
    solution = solve(state)
    return solution.moves[0] if solution is not None and solution.moves else None


def par(state: GameState) -> int | None:
    """Return the number of moves of `solve(state)`, or `None` if the cat cannot win."""
    solution = solve(state)
    return None if solution is None else len(solution.moves)
