"""Scenes of Cat and Mouse: the grid, both animals, and the steps taken."""

from parlour.core.scene import Cell, Scene, SeatView
from parlour.games.cat_mouse.layout import CAUGHT, PLAYING, SIDE, TRAPPED, Layout
from parlour.games.cat_mouse.rules import OUT_OF_PLIES, CatMouseState

FREE = Cell("·", "free")
OBSTACLE = Cell("█", "obstacle", marks=("wall",))
CAT = Cell("C", "the cat", 0, "orange", "cat")
MOUSE = Cell("M", "the mouse", colour="cyan", face="mouse", marks=("goal",))
BOTH = Cell("X", "the cat has caught the mouse", 0, "orange", "cat-on-mouse")


def scene(state: CatMouseState) -> Scene:
    """Return the scene, which is the same for every viewer."""
    return Scene(
        cells=cells(state.layout, state.cat, state.mouse),
        seats=(SeatView(score=_steps(state.plies)),),
        status=_status(state),
    )


def cells(layout: Layout, cat: int, mouse: int) -> tuple[Cell, ...]:
    """Return the grid with both animals on it."""
    drawn = list(map((FREE, OBSTACLE).__getitem__, layout.walls))
    drawn[cat] = CAT
    drawn[mouse] = BOTH if cat == mouse else MOUSE
    return tuple(drawn)


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def _status(state: CatMouseState) -> str:
    if state.outcome == PLAYING:
        return "Catch the mouse, or trap it so that it cannot step."
    if state.outcome == CAUGHT:
        return f"The cat caught the mouse in {_steps(state.plies)}."
    if state.outcome == TRAPPED:
        return f"The cat trapped the mouse in {_steps(state.plies)}."
    return f"The mouse is still free after {_steps(state.plies)}. The cat loses."


def remark(state: CatMouseState, par: int | None, best: int | None) -> str:
    """Return the steps taken, compared with `par`, the fewest possible.

    `best` is the total number of steps if the rest is played perfectly, or `None` if a win is no
    longer possible.
    """
    if par is None:
        return f"{_steps(state.plies)}; this start cannot be won."
    if state.outcome == PLAYING:
        if best is None or not state.plies:
            return f"{_steps(state.plies)}; par is {par}."
        if best <= par:
            return f"{_steps(state.plies)}, par {par}: on par so far."
        return f"{_steps(state.plies)}, par {par}: {best - par} above par."
    if state.outcome == OUT_OF_PLIES:
        return f"Par was {_steps(par)}, so a win was possible."
    over = state.plies - par
    if over <= 0:
        return f"{_steps(state.plies)}, par {par}: a perfect hunt!"
    praise = (
        "very close!" if over * 10 <= par else "well hunted." if over <= par else "a long chase."
    )
    return f"{_steps(state.plies)}, par {par}: {over} over par, {praise}"


def json_fields(state: CatMouseState, seed: int) -> dict[str, object]:
    """Return the fields of the specification's GameState; `status` is playing, won or lost."""
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
