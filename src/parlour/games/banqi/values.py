"""The values of Banqi's pieces, which depend on the pieces still alive.

A piece gains value with every living enemy it can capture, and loses value exponentially with
the enemies that can capture it. So a King gains value as Pawns die. Cannons threaten every
enemy, but their own value is constant. Living means not captured, face-up or face-down.
"""

from collections.abc import Mapping
from itertools import count
from math import exp
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from parlour.games.banqi.pieces import CANNON, KINDS, KING, PAWN, PIECES

NUMBERS: Final[i64] = 17
"""The number of possible counts of one colour's pieces, 0 to 16."""

REACH: Final[i64] = 12
"""The largest distance at which an attacker counts, in steps."""

DOWN: Final[i64] = 33
"""The number of possible counts of face-down pieces, 0 to 32."""

_SLOTS: Final[i64] = 4096

_numbers: Final = count()


class PieceValues:
    """The value of each piece, as a share of all pieces alive."""

    def __init__(self, alive: i64, values: vec[float], scales: i64) -> None:
        """Take the living pieces, four bits for each kind, and values in any unit."""
        total = 0.0
        lead = 0.0
        left = alive
        piece: i64 = 0
        while piece < PIECES:
            value = float(left & 15) * values[piece]
            total += value
            lead += value if piece < KINDS else -value
            left >>= 4
            piece += 1
        if total == 0.0:
            total = 1.0
        each = vec[float](capacity=PIECES)
        piece = 0
        while piece < PIECES:
            each = append(each, values[piece] / total)
            piece += 1
        self.alive: Final = alive
        # The number of the `Scales` that produced the values.
        self.scales: Final = scales
        self.each: Final[vec[float]] = each
        # Red's lead, from -1 to 1.
        self.share: Final = lead / total


class Scales:
    """The weights of the evaluation, arranged for lookup; see `weights.json`.

    A weight NAME with a counterpart `NAME_end` is interpolated: NAME applies while all pieces
    are face-down, `NAME_end` when none is.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        """Take all weights by name."""
        self.number: Final[i64] = next(_numbers)
        self.cannon: Final = weights["cannon"]
        # Indexed by the number of living enemies that a piece can capture, and that capture it.
        self._values: Final[vec[float]] = vec[float](
            [
                weights["floor"]
                + (weights["base"] + weights["victim"] * float(victims))
                * exp(-weights["fear"] * float(fears))
                for victims in range(NUMBERS)
                for fears in range(NUMBERS)
            ]
        )
        self.lead: Final = weights["lead"]
        self.hunt: Final = weights["hunt"]
        self.attacked: Final = _blended(weights, "attacked")
        self.forked: Final = _blended(weights, "forked")
        self.flights: Final = _blended(weights, "flights")
        self.locked: Final = _blended(weights, "locked")
        self.tempo: Final = _blended(weights, "tempo")
        # Indexed by face-down pieces, and by the steps of the nearest attacker.
        near = [
            [_blended(weights, f"near_{steps}") for steps in (2, 3, 4)],
            [_blended(weights, "far")],
        ]
        table: list[float] = []
        for down in range(DOWN):
            for steps in range(1, REACH + 1):
                if steps == 1:
                    table.append(0.0)
                elif steps <= 4:
                    table.append(near[0][steps - 2][down])
                else:
                    table.append(near[1][0][down] * 5.0 / float(steps))
        self.near: Final[vec[float]] = vec[float](table)
        self._piece_values: Final[list[PieceValues | None]] = [None] * _SLOTS

    def piece_values(self, alive: i64) -> PieceValues:
        """Return the value of each piece while these are alive."""
        red = alive & 0xFFFFFFF
        black = alive >> 28
        slot = ((red * 0x9E3779B1 + black * 0x85EBCA6B) >> 24) & (_SLOTS - 1)
        known = self._piece_values[slot]
        if known is not None and known.alive == alive:
            return known
        values = self._add_values(vec[float](capacity=PIECES), black)
        found = PieceValues(alive, self._add_values(values, red), self.number)
        self._piece_values[slot] = found
        return found

    def _add_values(self, values: vec[float], foe: i64) -> vec[float]:
        """Append the value of each kind against these enemies, four bits for each kind (rule 5)."""
        kings = foe & 15
        guards = (foe >> 4) & 15
        ministers = (foe >> 8) & 15
        rooks = (foe >> 12) & 15
        horses = (foe >> 16) & 15
        cannons = (foe >> 20) & 15
        pawns = (foe >> 24) & 15
        fears = cannons + kings
        below_rook = horses + cannons + pawns
        below_minister = below_rook + rooks
        below_guard = below_minister + ministers
        above_rook = guards + ministers + rooks
        values = append(values, self._value(below_guard - pawns + guards + kings, fears + pawns))
        values = append(values, self._value(below_guard + guards, fears + guards))
        values = append(values, self._value(below_guard, fears + guards + ministers))
        values = append(values, self._value(below_minister, fears + above_rook))
        values = append(values, self._value(below_rook, fears + above_rook + horses))
        values = append(values, self.cannon)
        fears = cannons + above_rook + horses + pawns
        return append(values, self._value(pawns + kings, fears))

    def _value(self, victims: i64, fears: i64) -> float:
        return self._values[victims * NUMBERS + fears]


def takes(kind: i64, other: i64) -> bool:
    """Whether a piece of this kind captures that kind with a step; Cannons never do."""
    if kind == CANNON:
        return False
    if kind == KING:
        return other != PAWN
    if kind == PAWN:
        return other == KING or other == PAWN
    return other >= kind


def _blended(weights: Mapping[str, float], name: str) -> vec[float]:
    """Return a weight for each number of face-down pieces."""
    first = weights[name]
    last = weights[f"{name}_end"]
    return vec[float](
        [last + (first - last) * float(down) / float(DOWN - 1) for down in range(DOWN)]
    )
