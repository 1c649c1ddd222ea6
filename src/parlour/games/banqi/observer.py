"""Observations of Banqi: planes for the pieces; extras for hidden pieces and quiet turns."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.core.game import State
from parlour.core.observer import Observer, Symmetry, grid_view, share
from parlour.games.banqi.bits import COLS, ROWS, SQUARES, lowest
from parlour.games.banqi.history import occurrences
from parlour.games.banqi.pieces import (
    FIRST_MOVE,
    KIND_WORDS,
    KINDS,
    NO_COLOUR,
    PIECES,
    RED,
)
from parlour.games.banqi.rules import BanqiRules, BanqiState

PLANES: Final = tuple(
    [f"{whose} {kind}" for whose in ("own", "other") for kind in KIND_WORDS] + ["face-down"]
)
EXTRAS: Final = tuple(
    [f"hidden {whose} {kind}" for whose in ("own", "other") for kind in KIND_WORDS]
    + ["quiet turns left", "colours unknown", "to act", "times met before"]
)

DOWN_PLANE: Final[i64] = 14
BITS_OF_A_COLOUR: Final[i64] = 28


class BanqiObserver(Observer):
    """The information that both players share, with the seat's own pieces first.

    Before the first flip no seat has a colour; no piece is face-up, and both colours have the
    same hidden pieces, so the order does not matter.
    """

    def __init__(self, rules: BanqiRules) -> None:
        """Observe games with any options."""
        super().__init__(rules, PLANES, EXTRAS)

    def write(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the planes, one byte for each square that is not empty."""
        assert isinstance(state, BanqiState)
        p0 = state._p0
        p1 = state._p1
        p2 = state._p2
        up = p0 | p1 | p2
        own = state._red if _colour(state, seat) == RED else up ^ state._red
        while up:
            square = lowest(up)
            rank = ((p0 >> square) & 1) | (((p1 >> square) & 1) << 1) | (((p2 >> square) & 1) << 2)
            plane = KINDS - rank if (own >> square) & 1 else 2 * KINDS - rank
            out[at + plane * SQUARES + square] = 1
            up &= up - 1
        down = state._down
        while down:
            out[at + DOWN_PLANE * SQUARES + lowest(down)] = 1
            down &= down - 1

    def write_extras(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write how many of each piece are hidden, own first, and then the other extras."""
        assert isinstance(state, BanqiState)
        bag = state._bag
        if _colour(state, seat) != RED:
            black = bag >> BITS_OF_A_COLOUR
            bag = black | ((bag ^ (black << BITS_OF_A_COLOUR)) << BITS_OF_A_COLOUR)
        k: i64 = at
        while bag:
            out[k] = u8(bag & 15)
            bag >>= 4
            k += 1
        k = at + PIECES
        limit = state._rules.quiet_limit
        out[k] = u8(share(limit - state._quiet, limit))
        if state._seat_0 == NO_COLOUR:
            out[k + 1] = 1
        if state._actor == seat:
            out[k + 2] = 1
        history = state._history
        if history is not None:
            met = occurrences(history, state._p0, state._p1, state._p2, state._red)
            out[k + 3] = u8(met - 1)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the four symmetries of a rectangle, which the rules preserve."""
        found = [self.identity()]
        for name, down, right in (
            ("left and right mirrored", False, True),
            ("top and bottom mirrored", True, False),
            ("rotated by 180 degrees", True, True),
        ):
            cells = [
                (ROWS - 1 - row if down else row) * COLS + (COLS - 1 - col if right else col)
                for row in range(ROWS)
                for col in range(COLS)
            ]
            moves = [
                int(FIRST_MOVE) + SQUARES * cells[source] + cells[target]
                for source in range(SQUARES)
                for target in range(SQUARES)
            ]
            found.append(
                found[0]._replace(name=name, cells=tuple(cells), actions=tuple(cells + moves))
            )
        return tuple(found)

    def action_grid(self) -> memoryview:
        """Return flips in plane 0, and moves at their source in plane 1 + target."""
        places = vec[i64]()
        for action in range(self.game.num_actions):
            square, plane = action, 0
            if action >= FIRST_MOVE:
                square, plane = divmod(action - FIRST_MOVE, SQUARES)
                plane += 1
            places = append(places, plane)
            places = append(append(places, square // COLS), square % COLS)
        return grid_view(places)


def _colour(state: BanqiState, seat: i64) -> i64:
    """Return the seat's colour, or red before colours are assigned."""
    return RED if state._seat_0 == NO_COLOUR else state._seat_0 ^ seat
