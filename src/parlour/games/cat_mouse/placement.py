"""Where obstacles, cat and mouse stand at the start: random, and always to be won."""

from typing import ClassVar, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from parlour.core.errors import ParlourError
from parlour.core.rng import Rng
from parlour.games.cat_mouse.layout import CELLS, Layout
from parlour.games.cat_mouse.solver import shortest_win

FEWEST: Final = 94  # 15 % of the cells, rounded up
MOST: Final = 125  # 20 %

TRIES: Final = 100


class PlacementError(ParlourError):
    """No start with both animals able to move, a path between them and a win was found."""

    code: ClassVar[str] = "no_start"


def place(seed: object, density: float | None) -> tuple[Layout, int, int]:
    """The layout, the cat's cell and the mouse's of a seed.

    The share of obstacles is `density`, or 15 to 20 % if that is `None`; at least one
    cell is an obstacle. Raises `PlacementError` after a bounded number of tries.
    """
    rng = Rng(seed)
    for _ in range(TRIES):
        count = _obstacles(rng, density)
        if count == CELLS:
            break
        layout = Layout(_walls(rng, count))
        cat = _nth_free(layout.walls, rng.below(CELLS - count))
        homes = _mouse_homes(layout, cat)
        if len(homes) == 0:
            continue
        mouse = homes[rng.below(len(homes))]
        if shortest_win(layout, cat, mouse) is not None:
            return layout, cat, mouse
    raise PlacementError(
        f"no start that can be won was found with {density:.3g} of the cells as obstacles; "
        "a smaller share leaves more room"
        if density is not None
        else f"no start that can be won was found for seed {seed}"
    )


def _obstacles(rng: Rng, density: float | None) -> i64:
    if density is None:
        return FEWEST + rng.below(MOST - FEWEST + 1)
    return max(1, round(density * CELLS))


def _walls(rng: Rng, count: i64) -> bytes:
    """One byte per cell, 1 for each of `count` obstacles."""
    cells = vec[i64]()
    cell: i64 = 0
    while cell < CELLS:
        cells = append(cells, cell)
        cell += 1
    walls = bytearray(CELLS)
    i: i64 = 0
    while i < count:
        j = i + rng.below(CELLS - i)
        chosen = cells[j]
        cells[j] = cells[i]
        walls[chosen] = 1
        i += 1
    return bytes(walls)


def _nth_free(walls: bytes, n: i64) -> i64:
    cell: i64 = -1
    while n >= 0:
        cell += 1
        if not walls[cell]:
            n -= 1
    return cell


def _mouse_homes(layout: Layout, cat: i64) -> vec[i64]:
    """The cells that a path joins to the cat's and where a mouse has a step."""
    seen = bytearray(CELLS)
    seen[cat] = 1
    reached = vec[i64]()
    reached = append(reached, cat)
    homes = vec[i64]()
    at: i64 = 0
    while at < len(reached):
        direction: i64 = 0
        while direction < 4:
            to = layout.step(reached[at], direction)
            if to >= 0 and not seen[to]:
                seen[to] = 1
                reached = append(reached, to)
                if not layout.is_trapped(cat, to):
                    homes = append(homes, to)
            direction += 1
        at += 1
    return homes
