"""Text forms of Blokus: placements as lists of cells, and positions that people can read.

A cell is its column letter and its row number, counted from the bottom: on the classic
board `a20` is (0, 0) and `t1` is (19, 19). A placement is the list of its cells in any order:
`a18,a19,a20,b20,c20`. A position:

    blue to move
    20 B B . . . . . . . . . . . . . . . Y Y Y
     :
     1 . . . . . . . . . . . . . . . . . . . .
       a b c d e f g h i j k l m n o p q r s t

The first line may also be `game over`. An optional last line `finished with I1: blue, red`
names the colours that placed all their pieces with I1 last, which the board does not show.
"""

import re
from functools import lru_cache

from parlour.core.checks import check_text
from parlour.core.errors import ActionTextError, StateTextError
from parlour.games.blokus.pieces import ORIENTATION_OF
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.ruleset import NOBODY, BlokusRuleset, column_name
from parlour.games.blokus.setup import position
from parlour.games.blokus.tables import PlacementTables
from parlour.shapes import normalise

EMPTY = "."
GAME_OVER = "game over"
FINISHED = "finished with I1:"


def cell_to_text(side: int, row: int, col: int) -> str:
    """Return the cell's name, such as `a20` for (0, 0) on a board of 20."""
    return f"{column_name(col)}{side - row}"


@lru_cache(maxsize=1024)
def cell_from_text(side: int, text: str) -> tuple[int, int]:
    """Return the (row, column) of a cell's name. Raises `ActionTextError` for any other text."""
    match = re.fullmatch(r"([a-z])([0-9]{1,3})", text.strip().lower())
    if match is not None:
        row, col = side - int(match[2]), ord(match[1]) - ord("a")
        if 0 <= row < side and col < side:
            return row, col
    raise ActionTextError(
        f"{text.strip()[:20]!r} is not a cell: "
        f"write a column from a to {column_name(side - 1)} and a row from 1 to {side}"
    )


def action_from_text(table: PlacementTables, text: str) -> int:
    """Return the placement on exactly these cells. Raises `ActionTextError` if there is none."""
    words = check_text("an action's text", text, ActionTextError).split(",", maxsplit=6)
    cells = [cell_from_text(table.side, word) for word in words]
    for number, cell in enumerate(cells):
        if cell in cells[:number]:
            raise ActionTextError(f"{cell_to_text(table.side, *cell)} occurs twice")
    orientation = ORIENTATION_OF.get(normalise(cells))
    if orientation is None:
        # Listed again, because the text may contain spaces and line breaks.
        listed = ",".join(cell_to_text(table.side, *cell) for cell in cells)
        raise ActionTextError(
            f"{listed} is not a piece: write one to five connected cells, "
            "such as a18,a19,a20,b20,c20"
        )
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return table.action(orientation, top, left)


def state_to_text(rules: BlokusRuleset, state: BlokusState) -> str:
    """Return the position's exact text."""
    side = rules.side
    names = rules.colour_names
    glyphs = EMPTY + "".join(glyph(name) for name in names)
    cells = state.cells()
    lines = [GAME_OVER if state.mover == NOBODY else f"{names[state.mover]} to move"]
    for row in range(side):
        shown = " ".join(glyphs[cell] for cell in cells[row * side : (row + 1) * side])
        lines.append(f"{side - row:2} {shown}")
    lines.append(_columns(side))
    finished = [name for colour, name in enumerate(names) if state.small >> colour & 1]
    if finished:
        lines.append(f"{FINISHED} {', '.join(finished)}")
    return "\n".join(lines)


def glyph(name: str) -> str:
    """Return the letter of a colour."""
    return name[0].upper()


def _columns(side: int) -> str:
    return "   " + " ".join(column_name(col) for col in range(side))


def state_from_text(rules: BlokusRuleset, text: str) -> BlokusState:
    """Return the position.

    Raises `StateTextError` for malformed text and `InvalidState` for an impossible position.
    """
    names = rules.colour_names
    side = rules.side
    whole = check_text("a position's text", text, StateTextError)
    first, *rest = [line.strip() for line in whole.splitlines()] or [""]
    turns = {f"{name} to move": colour for colour, name in enumerate(names)}
    turns[GAME_OVER] = NOBODY
    if first not in turns:
        raise StateTextError(
            f"line 1 must be one of {', '.join(map(repr, turns))}, not {first[:40]!r}"
        )
    small = 0
    if len(rest) == side + 2:
        small = _finished(names, rest.pop(), side + 3)
    if len(rest) != side + 1:
        raise StateTextError(
            f"line 1 must be followed by {side} rows and the column letters, not {len(rest)} lines"
        )
    if rest[side].split() != _columns(side).split():
        raise StateTextError(f"line {side + 2} must be {_columns(side).strip()!r}")
    glyphs = [EMPTY, *(glyph(name) for name in names)]
    cells = bytearray()
    for row, line in enumerate(rest[:side]):
        number, *words = line.split() or [""]
        if number != str(side - row) or len(words) != side:
            raise StateTextError(
                f"line {row + 2} must be the row number {side - row} and {side} cells"
            )
        for word in words:
            if word not in glyphs:
                raise StateTextError(
                    f"line {row + 2}: {word[:20]!r} is not a cell; use {' '.join(glyphs)}"
                )
            cells.append(glyphs.index(word))
    return position(rules, bytes(cells), turns[first], small)


def _finished(names: tuple[str, ...], line: str, number: int) -> int:
    """Return the bits of the colours in the last line."""
    if not line.startswith(FINISHED):
        raise StateTextError(f"line {number} must be '{FINISHED} ...', not {line[:40]!r}")
    small = 0
    for word in line[len(FINISHED) :].split(","):
        name = word.strip()
        if name not in names or small >> names.index(name) & 1:
            raise StateTextError(
                f"line {number}: {name[:20]!r} is not a colour, or occurs twice; "
                f"use {', '.join(names)}"
            )
        small |= 1 << names.index(name)
    return small
