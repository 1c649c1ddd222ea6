"""Observations of Octa: planes for owners and arrows, and the turns left as an extra."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.core.game import State
from parlour.core.grid import rotated_cells
from parlour.core.observer import Observer, Symmetry, grid_view, share
from parlour.games.octa.rules import (
    ARROW_SHIFT,
    BLOCKED,
    COMPASS,
    DIRECTIONS,
    NEUTRAL,
    OWNER,
    OctaRules,
    OctaState,
)

PLANES: Final = ("own", "other", "blocked", *[f"arrow {point}" for point in COMPASS])
EXTRAS: Final = ("turns left", "to act")

OTHER_PLANE: Final[i64] = 1
BLOCKED_PLANE: Final[i64] = 2
ARROW_PLANE: Final[i64] = 3


class OctaObserver(Observer):
    """Planes for own, opposing and blocked cells, and one for each direction of an arrow."""

    def __init__(self, rules: OctaRules) -> None:
        """Observe games on a square board."""
        super().__init__(rules, PLANES, EXTRAS)

    def write(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the planes; each cell sets one or two bytes."""
        assert isinstance(state, OctaState)
        cells = state._cells
        own = seat + 1
        n = len(cells)
        i: i64 = 0
        while i < n:
            cell = i64(cells[i])
            owner = cell & OWNER
            if owner == BLOCKED:
                out[at + BLOCKED_PLANE * n + i] = 1
            else:
                if owner == own:
                    out[at + i] = 1
                elif owner != NEUTRAL:
                    out[at + OTHER_PLANE * n + i] = 1
                out[at + (ARROW_PLANE + (cell >> ARROW_SHIFT)) * n + i] = 1
            i += 1

    def write_extras(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the share of turns left, and whether it is this seat's turn."""
        assert isinstance(state, OctaState)
        limit = state._rules.limit
        out[at] = u8(share(limit - state._turns, limit))
        if state.actor == seat:
            out[at + 1] = 1

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the four rotations. Mirrors are excluded: arrows turn clockwise only."""
        side = self.shape[1]
        found = [self.identity()]
        for quarter in range(1, 4):
            cells = rotated_cells(side, quarter)
            turned = [ARROW_PLANE + (arrow + 2 * quarter) % 8 for arrow in range(DIRECTIONS)]
            found.append(
                found[0]._replace(
                    name=f"rotated by {90 * quarter} degrees",
                    cells=cells,
                    planes=(0, OTHER_PLANE, BLOCKED_PLANE, *turned),
                    actions=cells,
                )
            )
        return tuple(found)

    def action_grid(self) -> memoryview:
        """Return one plane, because an action is a cell."""
        side = self.shape[1]
        places = vec[i64]()
        for row in range(side):
            for col in range(side):
                places = append(append(append(places, 0), row), col)
        return grid_view(places)
