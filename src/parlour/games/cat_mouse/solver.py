"""The exact solver: the shortest way to catch or trap the mouse.

The mouse's reply is deterministic, so a breadth-first search over (cat, mouse) pairs finds a
shortest win or proves that there is none.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i32, i64, u8

from parlour.games.cat_mouse.layout import CELLS, PLAYING, Layout

_UNSEEN: Final = vec[u8](bytes(CELLS * CELLS))


def shortest_win(layout: Layout, cat: i64, mouse: i64) -> list[int] | None:
    """Return the directions of a shortest win, or `None` if the cat cannot win.

    Among equally short wins, return the first in lexicographic order of up, down, left, right.
    """
    seen = _UNSEEN[:]
    pairs = vec[i32]()
    parents = vec[i32]()
    pairs = append(pairs, i32(cat * CELLS + mouse))
    parents = append(parents, -1)
    seen[cat * CELLS + mouse] = 1
    at: i64 = 0
    while at < len(pairs):
        pair = i64(pairs[at])
        cat = pair // CELLS
        mouse = pair - cat * CELLS
        direction: i64 = 0
        while direction < 4:
            to = layout.step(cat, direction)
            if to >= 0:
                outcome, fled = layout.turn(cat, mouse, to)
                if outcome != PLAYING:
                    return _path_to(layout, pairs, parents, at, direction)
                code = to * CELLS + fled
                if not seen[code]:
                    seen[code] = 1
                    pairs = append(pairs, i32(code))
                    parents = append(parents, i32(at))
            direction += 1
        at += 1
    return None


def _path_to(layout: Layout, pairs: vec[i32], parents: vec[i32], at: i64, last: i64) -> list[int]:
    """Return the directions that led to entry `at`, followed by `last`."""
    moves = [int(last)]
    while parents[at] >= 0:
        to = i64(pairs[at]) // CELLS
        at = i64(parents[at])
        cat = i64(pairs[at]) // CELLS
        direction: i64 = 0
        while layout.step(cat, direction) != to:
            direction += 1
        moves.append(direction)
    moves.reverse()
    return moves
