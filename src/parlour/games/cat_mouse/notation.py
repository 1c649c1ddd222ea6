"""Text forms of Cat and Mouse: directions, and positions that people can read and edit.

    step 3, playing
    .....#...................
    ..C..#..M................
    (25 lines in all)

`C` is the cat, `M` the mouse, `X` the cat on the mouse, `#` an obstacle, `.` a free
cell. The first line gives the number of the cat's steps, and playing, caught or trapped.
"""

import re

from parlour.core.checks import check_text, shown
from parlour.core.errors import ActionTextError, StateTextError
from parlour.core.options import did_you_mean
from parlour.games.cat_mouse.layout import CAUGHT, CELLS, PLAYING, SIDE, TRAPPED
from parlour.games.cat_mouse.rules import (
    DIRECTIONS,
    OUT_OF_PLIES,
    REASONS,
    CatMouseRules,
    CatMouseState,
)

SIGNS = ".#CMX"
FREE, OBSTACLE, CAT, MOUSE, BOTH = tuple(SIGNS)


def action_from_text(text: str) -> int:
    """Return the id of a direction. Raises `ActionTextError` for any other text."""
    word = check_text("an action's text", text, ActionTextError)
    if word not in DIRECTIONS:
        hint = did_you_mean(word, DIRECTIONS)
        raise ActionTextError(
            f"{shown(word)} is not a direction{hint}; use {', '.join(DIRECTIONS)}"
        )
    return DIRECTIONS.index(word)


def state_to_text(state: CatMouseState) -> str:
    """Return the position's exact text."""
    outcome = PLAYING if state.outcome == OUT_OF_PLIES else state.outcome
    rows = grid_to_text(state.layout.walls, state.cat, state.mouse)
    return "\n".join([f"step {state.plies}, {REASONS[outcome]}", *rows])


def state_from_text(rules: CatMouseRules, text: str) -> CatMouseState:
    """Return the position.

    Raises `StateTextError` for malformed text and `InvalidState` for an impossible position.
    """
    whole = check_text("a position's text", text, StateTextError)
    head, *rows = [line.strip() for line in whole.splitlines()] or [""]
    match = re.fullmatch(r"step ([0-9]{1,9}), (playing|caught|trapped)", head)
    if match is None:
        raise StateTextError(f"line 1 must read like 'step 0, playing', not {shown(head)}")
    walls, cat, mouse = grid_from_text(rows, first_line=2)
    outcome = {"playing": PLAYING, "caught": CAUGHT, "trapped": TRAPPED}[match[2]]
    return rules.position(walls, cat, mouse, int(match[1]), outcome)


def grid_to_text(walls: bytes, cat: int, mouse: int) -> list[str]:
    """Return the 25 lines of the grid."""
    signs = [OBSTACLE if wall else FREE for wall in walls]
    signs[cat] = CAT
    signs[mouse] = BOTH if cat == mouse else MOUSE
    return ["".join(signs[row : row + SIDE]) for row in range(0, CELLS, SIDE)]


def grid_from_text(rows: list[str], first_line: int) -> tuple[bytes, int, int]:
    """Return the obstacles and both animals. Raises `StateTextError`, which names the line."""
    if len(rows) != SIDE:
        raise StateTextError(f"the grid must have {SIDE} lines, not {len(rows)}")
    for number, row in enumerate(rows, first_line):
        if len(row) != SIDE:
            raise StateTextError(f"line {number} must have {SIDE} cells, not {len(row)}")
        wrong = re.search(f"[^{SIGNS}]", row)
        if wrong:
            raise StateTextError(
                f"line {number}: {wrong[0]!r} is not a cell; use {' '.join(SIGNS)}"
            )
    grid = "".join(rows)
    both = grid.count(BOTH)
    if grid.count(CAT) + both != 1 or grid.count(MOUSE) + both != 1:
        raise StateTextError(f"there must be one {CAT} and one {MOUSE}, or one {BOTH} for both")
    walls = bytes(sign == OBSTACLE for sign in grid)
    cat, mouse = (grid.index(BOTH if both else sign) for sign in (CAT, MOUSE))
    return walls, cat, mouse
