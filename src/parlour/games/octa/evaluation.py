"""A linear evaluation of Octa positions, with weights that depend on the turn.

The features are, for every cell, its owner and the owner of the cell that its arrow points to
after its next turn, and for each player the number of cells that their chains reach together.
`bench/strength/fit_octa.py` fitted the weights to game results. `evaluation.json` holds them for
the middle of each quarter of a game; between those points they are interpolated.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

NAMES: Final = ("reach", "held", "free", "own", "enemy", "edge", "moved")
"""The weights of a quarter. Each multiplies player 1's count minus player 2's:

    reach   cells that the chains capture together
    held    neutral cells that point to one of the player's
    free, own, enemy, edge   the player's cells that point there
    moved   1 for the player who has just moved
"""
FEATURES: Final[i64] = 7

# The number of cells of the board that the weights were fitted on. Other boards scale the counts.
FITTED_CELLS: Final = 81.0

UNIT: Final = 1e-9
"""Terms are integers in this unit, because chains of float additions stall the processor."""

NOBODY: Final[i64] = 0
BLOCKED: Final[i64] = 3


class Evaluator:
    """The weights for every turn of a game, and scratch space for the features."""

    def __init__(self, quarters: list[list[float]], limit: int, cells: int) -> None:
        """Take weights in the order of NAMES, one list for each equal part of the game."""
        self._reach: vec[i64] = vec[i64]([0] * (limit + 1))
        self._moved: vec[float] = vec[float]([0.0] * (limit + 1))
        # Indexed by turn, owner, and owner of the cell pointed to (3: none); for player 1.
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
        # The number of the last evaluation that reached a cell, for each player.
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
        """Return the value for player 1, before it is squashed into [-1, 1].

        `turned` is the table from `turned_links`.
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
                    # Stop where an earlier chain of this player passed: the rest is counted.
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
    """Return where each arrow points after its next turn, indexed by 32 * cell + packed byte."""
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
    """Return the weights at a turn, interpolated between the parts before and after it."""
    last = len(quarters) - 1
    place = float(turn * len(quarters)) / float(limit) - 0.5
    before = max(0, min(last, int(place)))
    share = max(0.0, min(1.0, place - float(before)))
    after = min(last, before + 1)
    return [
        (1.0 - share) * quarters[before][k] + share * quarters[after][k] for k in range(FEATURES)
    ]
