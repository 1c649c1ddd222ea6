"""Text forms of Octa: coordinates, and positions that people can read and edit.

    turn 0, player 1 to move
    2↑ .→ 1↗
    .↙ .↖ .↘
    1↓ .↘ 2←

North is the top line. A cell is its owner (`.` neutral, `1`, `2`, `#` blocked) and its
arrow. The reader also accepts a compass point (`1NE`) instead of the arrow.
"""

import re

from parlour.core.checks import check_text, shown
from parlour.core.errors import ActionTextError, StateTextError
from parlour.games.octa.rules import OctaRules, OctaState, pack_cell

OWNERS = ".12#"
ARROWS = "↑↗→↘↓↙←↖"
COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def cell_at(size: int, x: int, y: int) -> int:
    """Return the index of the cell at (x, y)."""
    return (size - y) * (2 * size + 1) + x + size


def coordinate_of(size: int, cell: int) -> tuple[int, int]:
    """Return the (x, y) of a cell's index."""
    row, col = divmod(cell, 2 * size + 1)
    return col - size, size - row


def parse_coordinate(text: str) -> tuple[int, int]:
    """Return the two numbers of `x,y`. Raises `ActionTextError` for any other text."""
    word = check_text("an action's text", text, ActionTextError)
    match = re.fullmatch(r"([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})", word)
    if match is None:
        raise ActionTextError(f"{shown(word)} is not a cell: write x,y, such as 0,-1")
    return int(match[1]), int(match[2])


def action_to_text(size: int, cell: int) -> str:
    """Return `x,y`."""
    x, y = coordinate_of(size, cell)
    return f"{x},{y}"


def action_from_text(size: int, text: str) -> int:
    """Return the cell at `x,y`. Raises `ActionTextError` if it is off the board."""
    x, y = parse_coordinate(text)
    if abs(x) > size or abs(y) > size:
        raise ActionTextError(f"{x},{y} is off the board: x and y go from {-size} to {size}")
    return cell_at(size, x, y)


def state_to_text(size: int, state: OctaState) -> str:
    """Return the position's exact text."""
    lines = [f"turn {state.turns}, player {state.mover} to move"]
    side = 2 * size + 1
    for row in range(side):
        cells = (state.cell(row * side + col) for col in range(side))
        lines.append(" ".join(OWNERS[owner] + ARROWS[arrow] for owner, arrow in cells))
    return "\n".join(lines)


def state_from_text(rules: OctaRules, size: int, text: str) -> OctaState:
    """Return the position.

    Raises `StateTextError` for malformed text and `InvalidState` for an impossible position.
    """
    whole = check_text("a position's text", text, StateTextError)
    first, *rows = [line.strip() for line in whole.splitlines()] or [""]
    head = re.fullmatch(r"turn ([0-9]{1,9}), player ([12]) to move", first)
    if head is None:
        raise StateTextError(
            f"line 1 must read like 'turn 0, player 1 to move', not {shown(first)}"
        )
    side = 2 * size + 1
    if len(rows) != side:
        raise StateTextError(f"a board of size {size} has {side} lines, not {len(rows)}")
    cells = bytearray()
    for number, line in enumerate(rows, 2):
        words = line.split()
        if len(words) != side:
            raise StateTextError(f"line {number} must have {side} cells, not {len(words)}")
        cells += bytes(_cell_from_text(word, number) for word in words)
    return rules.position(bytes(cells), int(head[2]), int(head[1]))


def _cell_from_text(word: str, line: int) -> int:
    owner = OWNERS.find(word[0])
    arrow = word[1:]
    if owner >= 0 and arrow in COMPASS:
        return pack_cell(owner, COMPASS.index(arrow))
    if owner >= 0 and len(arrow) == 1 and arrow in ARROWS:
        return pack_cell(owner, ARROWS.index(arrow))
    raise StateTextError(
        f"line {line}: {shown(word)} is not a cell; write an owner ({' '.join(OWNERS)}) "
        f"and an arrow ({ARROWS}) or compass point, such as 1↗ or .NE"
    )
