"""Scenes of Octa: every cell with its owner and its arrow."""

from functools import cache, lru_cache

from parlour.core.game import Game
from parlour.core.scene import ActionView, Board, Cell, Scene, SeatView
from parlour.games.octa.notation import ARROWS, OWNERS, action_to_text
from parlour.games.octa.rules import BLOCKED, FACES, NEUTRAL, OctaState, unpack_cell

DIRECTION_WORDS = (
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
)

REASON_WORDS = {
    "elimination": "the opponent has no cells left",
    "majority": "more cells at the turn limit",
}


def board(size: int) -> Board:
    """Return the square board from -size to size, north on top."""
    side = 2 * size + 1
    rows = tuple(str(size - row) for row in range(side))
    return Board(side, side, rows, tuple(str(col - size) for col in range(side)))


def scene(state: OctaState) -> Scene:
    """Return the scene, which is the same for every viewer."""
    return Scene(
        cells=tuple(map(PACKED_VIEWS.__getitem__, state.packed())),
        seats=tuple(map(_seat, state.counts())),
        status=_status(state),
    )


def frames(game: Game, state: OctaState, action: int, seat: int | None) -> list[Scene]:
    """Return one scene for each cell of the chain, and the scene after the turn."""
    before = state.scene(seat)
    last = state.apply(action).scene(seat)
    cells = list(before.cells)
    shown: list[Scene] = []
    text = game.action_to_text(state, action)
    for number, cell in enumerate(state.chain(action)):
        cells[cell] = last.cells[cell]
        taken = f"{_cells(number)} captured" if number else "the arrow turns"
        status = f"Player {state.mover} plays {text}: {taken}."
        shown.append(before._replace(cells=tuple(cells), status=status, actions=()))
    return [*shown, last]


@cache
def cell_view(owner: int, arrow: int) -> Cell:
    """Return the view of a cell with this owner and arrow."""
    pointing = f"arrow {DIRECTION_WORDS[arrow]}"
    glyph = OWNERS[owner] + ARROWS[arrow]
    if owner == NEUTRAL:
        return Cell(glyph, f"neutral, {pointing}", face=FACES[arrow])
    if owner == BLOCKED:
        return Cell("##", "blocked", marks=("wall",))
    return Cell(glyph, f"player {owner}, {pointing}", owner - 1, face=FACES[arrow])


PACKED_VIEWS = [cell_view(*unpack_cell(packed)) for packed in range(32)]
"""The views of all packed cells."""


@lru_cache(1 << 14)
def action_view(size: int, action: int) -> ActionView:
    """Return the view of an action, which is chosen by its cell."""
    return ActionView(action, action_to_text(size, action), (action,))


@cache
def _seat(count: int) -> SeatView:
    """Return the view of a seat with that many cells."""
    return SeatView(score=_cells(count))


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def _status(state: OctaState) -> str:
    result = state.result()
    if result is None:
        return f"Turn {state.turns + 1} of {state.limit}: player {state.mover} to move."
    if result.winner is None:
        return "The game is a tie: both players own the same number of cells."
    return f"Player {result.winner + 1} wins: {REASON_WORDS[result.reason]}."
