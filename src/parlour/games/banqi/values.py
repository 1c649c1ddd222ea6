"""What Banqi's pieces are worth, by who is alive.

A piece is worth more the more living enemies it can take, and falls exponentially with those
that can take it; so a King grows as pawns die, and a Pawn when only the King is left to fear
it. A Cannon takes anything over a screen, which every enemy fears; its own value is the same
throughout. Living means not captured: what lies face-down counts like what shows.
"""

from collections.abc import Mapping
from itertools import count
from math import exp
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from parlour.games.banqi.pieces import CANNON, KINDS, KING, PAWN, PIECES

NUMBERS: Final[i64] = 17
"""Of pieces of one colour, none among them."""

REACH: Final[i64] = 12
"""How many steps away a hunter counts."""

DOWN: Final[i64] = 33
"""How many face-down pieces there can be, none among them."""

_SLOTS: Final[i64] = 4096

_numbers: Final = count()


class Worths:
    """What each piece is worth while these live, as shares of all that is alive."""

    def __init__(self, alive: i64, values: vec[float], scales: i64) -> None:
        """Four bits a piece say how many of it live; the values may have any unit."""
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
        # The number of the `Scales` that they belong to.
        self.scales: Final = scales
        self.each: Final[vec[float]] = each
        # Red's lead, from -1 to 1.
        self.share: Final = lead / total


class Scales:
    """The weights of an evaluation, laid out as it asks for them; see `weights.json`.

    A weight NAME that has a `NAME_end` beside it holds while all pieces lie face-down, the
    other one when none does; between them it is blended.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        """All weights by name."""
        self.number: Final[i64] = next(_numbers)
        self.cannon: Final = weights["cannon"]
        # By the number of living enemies that a piece can take, and of those that take it.
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
        # By face-down pieces, and by the steps from the nearest hunter to its prey.
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
        self._worths: Final[list[Worths | None]] = [None] * _SLOTS

    def worths(self, alive: i64) -> Worths:
        """What each piece is worth while these live."""
        red = alive & 0xFFFFFFF
        black = alive >> 28
        slot = ((red * 0x9E3779B1 + black * 0x85EBCA6B) >> 24) & (_SLOTS - 1)
        known = self._worths[slot]
        if known is not None and known.alive == alive:
            return known
        values = self._add_values(vec[float](capacity=PIECES), black)
        found = Worths(alive, self._add_values(values, red), self.number)
        self._worths[slot] = found
        return found

    def _add_values(self, values: vec[float], foe: i64) -> vec[float]:
        """And what each kind is worth against these, four bits a kind: rule 5, added up."""
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
    """Whether a step of this kind of piece takes that kind; cannons do not step onto pieces."""
    if kind == CANNON:
        return False
    if kind == KING:
        return other != PAWN
    if kind == PAWN:
        return other == KING or other == PAWN
    return other >= kind


def _blended(weights: Mapping[str, float], name: str) -> vec[float]:
    """A weight by the number of face-down pieces."""
    first = weights[name]
    last = weights[f"{name}_end"]
    return vec[float](
        [last + (first - last) * float(down) / float(DOWN - 1) for down in range(DOWN)]
    )
