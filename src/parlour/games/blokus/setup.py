"""Positions of Blokus set up by hand, and the checks that make states of them.

Pieces of one colour never touch edge to edge, so the cells determine the pieces, and the
pieces determine the hands.
"""

from typing import NamedTuple

from parlour.core.errors import InvalidState
from parlour.games.blokus.pieces import (
    MONOMINO,
    ORIENTATION_OF,
    ORIENTATIONS,
    PIECE_NAMES,
)
from parlour.games.blokus.rules import BlokusState, arranged
from parlour.games.blokus.ruleset import NOBODY, BlokusRuleset
from parlour.shapes import normalise

Cell = tuple[int, int]


class Laid(NamedTuple):
    """A piece on the board."""

    piece: int
    action: int
    cells: frozenset[Cell]


def position(rules: BlokusRuleset, cells: bytes, mover: int, small: int) -> BlokusState:
    """Return the state with these cells (see `BlokusRuleset.position`).

    Raises `InvalidState` if some cells do not form a piece, a piece occurs twice, the pieces of
    a colour are not connected to its starting cell by corners, or the turn is impossible.
    """
    side = rules.side
    if len(cells) != side * side:
        raise InvalidState(f"this board has {side * side} cells, not {len(cells)}")
    colours = len(rules.starts)
    if max(cells) > colours:
        raise InvalidState(f"a cell must be 0 or a colour from 1 to {colours}, not {max(cells)}")
    if mover != NOBODY and not 0 <= mover < colours:
        raise InvalidState(
            f"the colour to move must be 0 to {colours - 1}, or {NOBODY}, not {mover}"
        )
    if not 0 <= small < 1 << colours:
        raise InvalidState(f"only {colours} colours can have finished with I1")
    placements = []
    for colour in range(colours):
        last = bool(small >> colour & 1)
        for laid in _in_order(rules, colour, _pieces(rules, cells, colour), last):
            placements.append((colour, laid.action))
    state = arranged(rules, placements, mover, small)
    _check_turn(rules, state)
    return state


def _pieces(rules: BlokusRuleset, cells: bytes, colour: int) -> list[Laid]:
    """Return the colour's pieces: its cells, grouped where they touch edge to edge."""
    side = rules.side
    name = rules.colour_names[colour]
    left = {divmod(i, side) for i, holder in enumerate(cells) if holder == colour + 1}
    laid: dict[int, Laid] = {}
    while left:
        group = {left.pop()}
        edge = list(group)
        while edge:
            row, col = edge.pop()
            for near in ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)):
                if near in left:
                    left.remove(near)
                    group.add(near)
                    edge.append(near)
        orientation = ORIENTATION_OF.get(normalise(group))
        top, first = min(row for row, _ in group), min(col for _, col in group)
        if orientation is None:
            raise InvalidState(
                f"the {len(group)} cells of {name} at row {top}, column {first} do not form a piece"
            )
        piece = ORIENTATIONS[orientation].piece
        if piece in laid:
            raise InvalidState(f"{name} has {PIECE_NAMES[piece]} twice")
        action = rules.tables.action(orientation, top, first)
        laid[piece] = Laid(piece, action, frozenset(group))
    return list(laid.values())


def _in_order(rules: BlokusRuleset, colour: int, pieces: list[Laid], small: bool) -> list[Laid]:
    """Return the pieces in a legal order of placement, with I1 last if `small`."""
    name = rules.colour_names[colour]
    if small and len(pieces) < len(PIECE_NAMES):
        raise InvalidState(f"{name} cannot have finished with I1: it has pieces left")
    waiting = [laid for laid in pieces if not (small and laid.piece == MONOMINO)]
    last = [laid for laid in pieces if small and laid.piece == MONOMINO]
    open_cells = {rules.starts[colour]}
    order: list[Laid] = []
    while waiting:
        laid = next((each for each in waiting if each.cells & open_cells), None)
        if laid is None and not order:
            raise InvalidState(f"no piece of {name} can have been the first, on its starting cell")
        if laid is None:
            raise InvalidState(
                f"the pieces of {name} are not connected corner to corner to its starting cell"
            )
        if not order:
            open_cells.clear()
        order.append(laid)
        open_cells |= {
            (row + down, col + right)
            for row, col in laid.cells
            for down in (-1, 1)
            for right in (-1, 1)
        }
        waiting.remove(laid)
        if not waiting:
            waiting, last = last, []
    return order


def _check_turn(rules: BlokusRuleset, state: BlokusState) -> None:
    """Check that the colours have taken turns; only blocked colours may have fewer pieces."""
    names = rules.colour_names
    mover = state.mover
    able = [state.can_lay(colour) for colour in range(len(names))]
    if mover == NOBODY:
        if any(able):
            raise InvalidState(f"the game is not over: {names[able.index(True)]} can place a piece")
        return
    if not able[mover]:
        raise InvalidState(f"{names[mover]} cannot be to move, because it cannot place a piece")
    turns = state.pieces_laid(mover)
    for colour, name in enumerate(names):
        due = turns + (colour < mover)
        laid = state.pieces_laid(colour)
        if laid > due or (able[colour] and laid < due):
            raise InvalidState(
                f"{names[mover]} is to move and has placed {turns} pieces, so "
                f"{name} must have placed {due}, not {laid}"
            )
