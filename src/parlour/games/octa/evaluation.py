"""What a position of Octa is worth: what can be counted, weighed by the time that is left.

For every cell it counts whose it is and whose cell its arrow will point to when it is turned, and
for each player the cells that their chains reach together. The weights were fitted to the
results of games by `bench/strength/fit_octa.py`; they stand in `evaluation.json`, for the middle of
each quarter of a game, and change smoothly in between.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

NAMES: Final = ("reach", "held", "free", "own", "enemy", "edge", "moved")
"""The weights of a quarter, each for what player 1 has more than player 2:

    reach   cells that the chains capture together
    held    nobody's cells that point to the player's
    free, own, enemy, edge   the player's cells that point there
    moved   whoever has just moved
"""
FEATURES: Final[i64] = 7

# The cells that the weights were fitted for: on another board counts are shares of it.
FITTED_CELLS: Final = 81.0

UNIT: Final = 1e-9
"""Counts are added up as whole numbers of this: sums of floats wait for each other."""

NOBODY: Final[i64] = 0
BLOCKED: Final[i64] = 3


class Evaluator:
    """The weights of every turn of a game, and space to count."""

    def __init__(self, quarters: list[list[float]], limit: int, cells: int) -> None:
        """`quarters` are weights in the order of NAMES, for evenly spaced parts of the game."""
        self._reach: vec[i64] = vec[i64]([0] * (limit + 1))
        self._moved: vec[float] = vec[float]([0.0] * (limit + 1))
        # By turn, owner and owner of the cell that is pointed to (3: none), for player 1.
        self._pair: vec[i64] = vec[i64]([0] * (16 * (limit + 1)))
        scale = FITTED_CELLS / float(cells)
        for turn in range(limit + 1):
            reach, held, free, own, enemy, edge, moved = weights_at(quarters, turn, limit)
            self._reach[turn] = round(reach * scale / UNIT)
            self._moved[turn] = moved
            at = 16 * turn
            pairs = (0.0, held, -held, 0.0, free, own, enemy, edge, -free, -enemy, -own, -edge)
            for k in range(12):
                self._pair[at + k] = round(pairs[k] * scale / UNIT)
        # Which evaluation reached a cell last, for each player.
        self._reached: vec[i32] = vec[i32]([0] * (2 * cells))
        self._number: i64 = 0

    def value(
        self,
        cells: vec[u8],
        turned: vec[i32],
        stop_on_enemy: bool,
        turn: i64,
        mover: i64,
    ) -> float:
        """What the position is worth to player 1, before it is squeezed.

        `turned` is the table that `turned_links` makes.
        """
        pair = self._pair
        reached = self._reached
        if self._number == 0x7FFFFFFF:
            self._number = 0
            reached = vec[i32]([0] * len(reached))
            self._reached = reached
        self._number += 1
        number = i32(self._number)
        at: i64 = 16 * turn
        total: i64 = 0
        further: i64 = 0
        n: i64 = len(cells)
        start: i64 = 0
        while start < n:
            cell: i64 = i64(cells[start])
            owner: i64 = cell & 3
            if owner != BLOCKED:
                here: i64 = i64(turned[start * 32 + cell])
                holder: i64 = BLOCKED
                if here >= 0:
                    cell = i64(cells[here])
                    holder = cell & 3
                total += pair[at + owner * 4 + holder]
                if owner != NOBODY:
                    # Where another chain of the player's has been, the rest is counted already.
                    while holder != owner and holder != BLOCKED:
                        if stop_on_enemy and holder != NOBODY:
                            break
                        mark: i64 = here * 2 + owner - 1
                        if reached[mark] == number:
                            break
                        reached[mark] = number
                        further += 3 - 2 * owner
                        here = i64(turned[here * 32 + cell])
                        if here < 0:
                            break
                        cell = i64(cells[here])
                        holder = cell & 3
            start += 1
        total += self._reach[turn] * further
        value = float(total) * UNIT
        return value - self._moved[turn] if mover == 1 else value + self._moved[turn]


def turned_links(links: vec[i32]) -> vec[i32]:
    """Where the arrow of a cell points once it is turned, by cell and packed byte: 32 a cell."""
    count: i64 = len(links) // 8
    table = vec[i32]([0] * (32 * count))
    cell: i64 = 0
    while cell < count:
        packed: i64 = 0
        while packed < 32:
            table[cell * 32 + packed] = links[cell * 8 + (((packed >> 2) + 1) & 7)]
            packed += 1
        cell += 1
    return table


def weights_at(quarters: list[list[float]], turn: int, limit: int) -> list[float]:
    """The weights at a turn: those of the parts before and after it, mixed by the distance."""
    last = len(quarters) - 1
    place = float(turn * len(quarters)) / float(limit) - 0.5
    before = max(0, min(last, int(place)))
    share = max(0.0, min(1.0, place - float(before)))
    after = min(last, before + 1)
    return [
        (1.0 - share) * quarters[before][k] + share * quarters[after][k] for k in range(FEATURES)
    ]
