"""What a viewer of Cat and Mouse sees: the grid, both animals, and the steps made."""

from parlour.core.scene import Cell, Scene, SeatView
from parlour.games.cat_mouse.layout import CAUGHT, PLAYING, SIDE, TRAPPED, Layout
from parlour.games.cat_mouse.rules import OUT_OF_PLIES, CatMouseState

FREE = Cell("·", "free")
OBSTACLE = Cell("█", "obstacle", marks=("wall",))
CAT = Cell("C", "the cat", 0, "orange", "cat")
MOUSE = Cell("M", "the mouse", colour="cyan", face="mouse", marks=("goal",))
BOTH = Cell("X", "the cat, on the mouse", 0, "pink", "cat-on-mouse")


def scene(state: CatMouseState) -> Scene:
    """The view of the player and of everybody else."""
    return Scene(
        cells=cells(state.layout, state.cat, state.mouse),
        seats=(SeatView(score=_steps(state.plies)),),
        status=_status(state),
    )


def cells(layout: Layout, cat: int, mouse: int) -> tuple[Cell, ...]:
    """The grid with both animals on it."""
    drawn = [OBSTACLE if wall else FREE for wall in layout.walls]
    drawn[cat] = CAT
    drawn[mouse] = BOTH if cat == mouse else MOUSE
    return tuple(drawn)


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


def remark(state: CatMouseState, par: int | None) -> str:
    """The steps made beside the fewest possible, `par`; at the end, in comparison."""
    if par is None:
        return f"{_steps(state.plies)}; the mouse cannot be caught from this start."
    if state.outcome == PLAYING:
        return f"{_steps(state.plies)}; par is {par}."
    if state.outcome == OUT_OF_PLIES:
        return f"Par was {_steps(par)}: a win was there."
    over = state.plies - par
    if over <= 0:
        return f"{_steps(state.plies)}, par {par}: nobody does it in fewer. Perfect!"
    praise = (
        "very close!" if over * 10 <= par else "well hunted." if over <= par else "a long chase."
    )
    return f"{_steps(state.plies)}, par {par}: {over} more than needed, {praise}"


def json_fields(state: CatMouseState, seed: int) -> dict[str, object]:
    """The fields of the specification's GameState; `status` is playing, won or lost."""
    outcome = state.outcome
    status = "playing" if outcome == PLAYING else "lost" if outcome == OUT_OF_PLIES else "won"
    walls = (cell for cell, wall in enumerate(state.layout.walls) if wall)
    return {
        "status": status,
        "message": None if outcome == PLAYING else _status(state),
        "grid": {"width": SIDE, "height": SIDE},
        "cat": _place(state.cat),
        "mouse": _place(state.mouse),
        "obstacles": [_place(cell) for cell in walls],
        "seed": seed,
    }


def _place(cell: int) -> dict[str, int]:
    row, col = divmod(cell, SIDE)
    return {"row": row, "col": col}
