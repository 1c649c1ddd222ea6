"""What a program sees of Cat and Mouse: obstacles and animals in planes, the time as an extra."""

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
    """The obstacles, the cat, the mouse.

    Nothing but the identity is a symmetry: among equal steps the mouse prefers up, then down,
    left, right (rule 7), and a board turned or mirrored would have it flee elsewhere.
    """

    def __init__(self, rules: CatMouseRules) -> None:
        """For any ply cap."""
        super().__init__(rules, PLANES, EXTRAS)

    def write(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """A byte for each obstacle and each animal."""
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
        """The share of the steps that are left."""
        assert isinstance(state, CatMouseState)
        out[at] = u8(share(state._cap - state._plies, state._cap))
