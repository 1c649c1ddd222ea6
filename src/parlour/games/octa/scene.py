"""What a viewer of Octa sees: every cell, its owner and its arrow."""

from parlour.core.scene import ActionView, Cell, Scene, SeatView
from parlour.games.octa.notation import ARROWS, OWNERS, action_to_text
from parlour.games.octa.rules import BLOCKED, NEUTRAL, OctaState

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
    "elimination": "the other player has no cell left",
    "majority": "more cells at the turn limit",
}


def scene(size: int, state: OctaState, seat: int | None) -> Scene:
    """The view of `seat`, or of a spectator."""
    side = 2 * size + 1
    actor = state.actor
    mine = seat is None or seat == actor
    return Scene(
        rows=side,
        cols=side,
        cells=tuple(_cell(*state.cell(cell)) for cell in range(side * side)),
        row_names=tuple(str(size - row) for row in range(side)),
        col_names=tuple(str(col - size) for col in range(side)),
        seats=tuple(
            SeatView(f"player {number}", _cells(count))
            for number, count in enumerate(state.counts(), 1)
        ),
        actor=actor,
        status=_status(state),
        actions=tuple(
            ActionView(action, action_to_text(size, action), (action,))
            for action in (state.legal_actions() if mine else ())
        ),
    )


def frames(size: int, state: OctaState, action: int, seat: int | None) -> list[Scene]:
    """The scenes of a turn: after each cell of the chain, and then as the next turn finds it."""
    before = scene(size, state, seat)
    after = state.apply(action)
    assert isinstance(after, OctaState)
    last = scene(size, after, seat)
    cells = list(before.cells)
    shown: list[Scene] = []
    order = state.chain(action)
    for number, cell in enumerate(order):
        cells[cell] = last.cells[cell]
        taken = f"{number} captured" if number else "the arrow turns"
        status = f"Player {state.mover} plays {action_to_text(size, action)}: {taken}."
        shown.append(before._replace(cells=tuple(cells), status=status, actions=()))
    return [*shown, last]


def _cell(owner: int, arrow: int) -> Cell:
    pointing = f"arrow {DIRECTION_WORDS[arrow]}"
    glyph = OWNERS[owner] + ARROWS[arrow]
    if owner == NEUTRAL:
        return Cell(glyph, f"neutral, {pointing}")
    if owner == BLOCKED:
        return Cell("##", "blocked", marks=("blocked",))
    return Cell(glyph, f"player {owner}, {pointing}", owner - 1)


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def _status(state: OctaState) -> str:
    result = state.result()
    if result is None:
        return f"Turn {state.turns + 1} of {state.limit}: player {state.mover} to move."
    if result.winner is None:
        return "The game is a tie."
    return f"Player {result.winner + 1} wins: {REASON_WORDS[result.reason]}."
