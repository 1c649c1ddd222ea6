"""What a viewer of Cat and Mouse sees: the grid, both animals, and the steps made."""

from parlour.core.scene import ActionView, Cell, Scene, SeatView
from parlour.games.cat_mouse.layout import CAUGHT, PLAYING, SIDE, TRAPPED
from parlour.games.cat_mouse.rules import DIRECTIONS, CatMouseState

FREE = Cell("·", "free")
OBSTACLE = Cell("█", "obstacle", marks=("wall",))
CAT = Cell("C", "the cat", 0)
MOUSE = Cell("M", "the mouse", marks=("target",))
BOTH = Cell("X", "the cat, on the mouse", 0)


def scene(state: CatMouseState) -> Scene:
    """The view of the player and of everybody else."""
    cells = [OBSTACLE if wall else FREE for wall in state.layout.walls]
    cells[state.cat] = CAT
    cells[state.mouse] = BOTH if state.cat == state.mouse else MOUSE
    return Scene(
        rows=SIDE,
        cols=SIDE,
        cells=tuple(cells),
        row_names=tuple(str(row) for row in range(SIDE)),
        col_names=tuple(str(col) for col in range(SIDE)),
        seats=(SeatView("cat", _steps(state.plies)),),
        actor=state.actor,
        status=_status(state),
        actions=tuple(
            ActionView(action, DIRECTIONS[action], (state.layout.step(state.cat, action),))
            for action in state.legal_actions()
        ),
    )


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def _status(state: CatMouseState) -> str:
    if state.outcome == PLAYING:
        return "Move the cat onto the mouse, or leave the mouse no step."
    if state.outcome == CAUGHT:
        return f"The cat has caught the mouse in {_steps(state.plies)}."
    if state.outcome == TRAPPED:
        return f"The mouse is trapped after {_steps(state.plies)}: the cat wins."
    return f"The mouse is still free after {_steps(state.plies)}: the cat has lost."
