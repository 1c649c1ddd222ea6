"""Observations of Cat and Mouse: planes for obstacles and animals, and the steps left."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from parlour.core.game import State
from parlour.core.observer import Observer, share
from parlour.games.cat_mouse.layout import CELLS
from parlour.games.cat_mouse.rules import CatMouseRules, CatMouseState

PLANES: Final = ("obstacle", "cat", "mouse")
EXTRAS: Final = ("steps left",)


class CatMouseObserver(Observer):
    """Planes for the obstacles, the cat and the mouse.

    The only symmetry is the identity. The mouse breaks ties by direction (rule 7), so on a
    rotated or mirrored board it would flee elsewhere.
    """

    def __init__(self, rules: CatMouseRules) -> None:
        """Observe games with any ply cap."""
        super().__init__(rules, PLANES, EXTRAS)

    def write(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the planes, one byte for each obstacle and animal."""
        assert isinstance(state, CatMouseState)
        walls = state._layout.walls
        i: i64 = 0
        while i < CELLS:
            if walls[i] != 0:
                out[at + i] = 1
            i += 1
        out[at + CELLS + state._cat] = 1
        out[at + 2 * CELLS + state._mouse] = 1

    def write_extras(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the share of steps left."""
        assert isinstance(state, CatMouseState)
        out[at] = u8(share(state._cap - state._plies, state._cap))
