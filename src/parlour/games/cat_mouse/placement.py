"""Random starts of Cat and Mouse that can always be won."""

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
    """No start was found in which both animals can move and the cat can win."""

    code: ClassVar[str] = "no_start"


def place(seed: object, density: float | None) -> tuple[Layout, int, int]:
    """Return the layout, the cat's cell and the mouse's cell of a seed.

    `density` is the share of obstacles; `None` means 15 to 20 %. At least one cell is an
    obstacle. Raises `PlacementError` after a bounded number of tries.
    """
    rng = Rng(seed)
    for _ in range(TRIES):
        count = _obstacles(rng, density)
        if count == CELLS:
            break
        layout = Layout(_walls(rng, count))
        cat = _nth_free(layout.walls, rng.below(CELLS - count))
        mouse_starts = _mouse_starts(layout, cat)
        if len(mouse_starts) == 0:
            continue
        mouse = mouse_starts[rng.below(len(mouse_starts))]
        if shortest_win(layout, cat, mouse) is not None:
            return layout, cat, mouse
    raise PlacementError(
        f"found no start that can be won with obstacles on {density:.3g} of the cells; "
        "choose a smaller density"
        if density is not None
        else f"found no start that can be won for seed {seed}"
    )


def _obstacles(rng: Rng, density: float | None) -> i64:
    if density is None:
        return FEWEST + rng.below(MOST - FEWEST + 1)
    return max(1, round(density * CELLS))


def _walls(rng: Rng, count: i64) -> bytes:
    """Return one byte per cell, 1 for each of `count` obstacles."""
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


def _mouse_starts(layout: Layout, cat: i64) -> vec[i64]:
    """Return the cells that the cat can reach and on which a mouse can step."""
    seen = bytearray(CELLS)
    seen[cat] = 1
    reached = vec[i64]()
    reached = append(reached, cat)
    starts = vec[i64]()
    at: i64 = 0
    while at < len(reached):
        direction: i64 = 0
        while direction < 4:
            to = layout.step(reached[at], direction)
            if to >= 0 and not seen[to]:
                seen[to] = 1
                reached = append(reached, to)
                if not layout.is_trapped(cat, to):
                    starts = append(starts, to)
            direction += 1
        at += 1
    return starts
