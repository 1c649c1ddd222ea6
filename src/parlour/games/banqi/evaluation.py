"""The evaluation of Banqi positions: material, threats and mobility.

Each term is a sum of piece values (see `values`), as shares of all pieces alive, times a weight
that depends on the number of face-down pieces. The terms count:

- the most valuable attacked piece of the side to move, and its other attacked pieces (only one
  can be saved);
- pieces that an enemy can reach over empty squares and capture in two, three, four or more steps;
- the safe empty squares next to a piece, and pieces that have none.

A tempo bonus goes to the side to move. In endings, every piece is also rewarded for being close
to the nearest enemy it can capture.
"""

from math import sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.game import Game
from parlour.core.result import UNDECIDED
from parlour.games.banqi.bits import ALL, BIT, EAST_TARGETS, WEST_TARGETS, count, jumps, lowest
from parlour.games.banqi.movegen import MovegenState
from parlour.games.banqi.pieces import KINDS, RED
from parlour.games.banqi.values import REACH, PieceValues, Scales, takes

# The hunt term applies with at most this many face-up pieces.
HUNTERS: Final[i64] = 12

UNKNOWN: Final[i64] = -1

# A table lookup, because compiled conversions from int to float are slow.
_FLOATS: Final = vec[float]([float(number) for number in range(33)])


class EvaluatedState(MovegenState):
    """A board with an evaluation."""

    def __init__(
        self,
        game: Game,
        p0: i64,
        p1: i64,
        p2: i64,
        red: i64,
        down: i64,
        down_count: i64,
        bag: i64,
        turn: i64,
    ) -> None:
        """Set up the board; piece values are computed on demand."""
        super().__init__(game, p0, p1, p2, red, down, down_count, bag, turn)
        # The uncaptured pieces, four bits for each kind; UNKNOWN until needed.
        self._living: i64 = UNKNOWN
        # The piece values for `_living`, cached for the last scales used.
        self._piece_values: PieceValues | None = None

    def living(self) -> i64:
        """Return how many of each piece are not captured, four bits for each."""
        if self._living == UNKNOWN:
            alive = self._bag
            left = self._up()
            while left:
                square = lowest(left)
                left &= left - 1
                alive += BIT[self.piece(square) << 2]
            self._living = alive
        return self._living

    def piece_values(self, scales: Scales) -> PieceValues:
        """Return the current value of each piece."""
        piece_values = self._piece_values
        if piece_values is None or piece_values.scales != scales.number:
            piece_values = scales.piece_values(self.living())
            self._piece_values = piece_values
        return piece_values

    def lead(self, scales: Scales) -> float:
        """Return red's lead, from -1 to 1."""
        piece_values = self.piece_values(scales)
        down = self._down_count
        value = scales.lead * piece_values.share
        up = self._up()
        red = up & self._red
        black = up ^ red
        empty = ALL ^ (up | self._down)
        hits_red: i64 = 0
        hits_black: i64 = 0
        cannons = up & self._p1 & ~(self._p0 | self._p2)
        while cannons:
            square = lowest(cannons)
            bit = cannons & -cannons
            if red & bit:
                hits_black |= jumps(square, up | self._down)
            else:
                hits_red |= jumps(square, up | self._down)
            cannons ^= bit
        if self._turn == RED:
            value += scales.tempo[down]
        else:
            value -= scales.tempo[down]
        value += self._standing(red, black, empty, hits_red, RED, piece_values, scales)
        value -= self._standing(black, red, empty, hits_black, 1 - RED, piece_values, scales)
        if down == 0 and count(up) <= HUNTERS:
            value += scales.hunt * (self._hunt(red, black) - self._hunt(black, red))
        return UNDECIDED * value / sqrt(1.0 + value * value)

    def _standing(
        self,
        own: i64,
        foe: i64,
        empty: i64,
        hits: i64,
        colour: i64,
        piece_values: PieceValues,
        scales: Scales,
    ) -> float:
        """Return the positional terms of a colour's face-up pieces."""
        p0 = self._p0
        p1 = self._p1
        p2 = self._p2
        down = self._down_count
        each = piece_values.each
        flights_weight = scales.flights[down]
        locked_weight = scales.locked[down]
        near = scales.near
        near_at = down * REACH
        foe_kings = foe & p0 & p1 & p2
        takers = foe_kings | (foe & ~(p1 | p2))
        value = 0.0
        attacked = 0.0
        most = 0.0
        kind: i64 = 0
        while kind < KINDS:
            rank = KINDS - kind
            prey = own
            prey &= p0 if rank & 1 else ~p0
            prey &= p1 if rank & 2 else ~p1
            prey &= p2 if rank & 4 else ~p2
            # The enemies that capture this kind with a step (rule 5).
            if kind == 1:
                takers = foe & p1 & p2
            elif kind == 2:
                takers |= foe & p2 & p0
            elif kind == 3:
                takers |= foe & p2
            elif kind == 4:
                takers |= foe & p0 & p1
            elif kind == 6:
                takers = (takers ^ foe_kings) | (foe & ~(p1 | p2))
            if prey:
                worth = each[colour * KINDS + kind]
                ring = _around(takers)
                taken = (ring | hits) & prey
                if taken:
                    attacked += worth * _FLOATS[count(taken)]
                    if worth > most:
                        most = worth
                flights = _around(prey) & empty & ~ring
                if flights:
                    value += worth * flights_weight * _FLOATS[count(flights)]
                else:
                    value -= worth * locked_weight
                left = prey & ~ring
                front = ring & empty
                seen = front
                steps: i64 = 1
                while left and front and steps < REACH:
                    # `_around` inlined in the hottest loop.
                    front = (
                        (front >> 8)
                        | ((front << 8) & ALL)
                        | ((front >> 1) & WEST_TARGETS)
                        | ((front << 1) & EAST_TARGETS)
                    )
                    met = front & left
                    if met:
                        number = 1.0 if met & (met - 1) == 0 else _FLOATS[count(met)]
                        value -= worth * near[near_at + steps] * number
                        left ^= met
                    front &= empty & ~seen
                    seen |= front
                    steps += 1
            kind += 1
        if colour == self._turn:
            value -= scales.attacked[down] * most + scales.forked[down] * (attacked - most)
        return value

    def _hunt(self, hunters: i64, prey: i64) -> float:
        """Return the sum over hunters of 1 / the distance to the nearest piece they can capture."""
        close = 0.0
        while hunters:
            here = lowest(hunters)
            hunters &= hunters - 1
            kind = self.piece(here) % KINDS
            best: i64 = 99
            left = prey
            while left:
                there = lowest(left)
                left &= left - 1
                if takes(kind, self.piece(there) % KINDS):
                    rows = (here >> 3) - (there >> 3)
                    cols = (here & 7) - (there & 7)
                    steps = (rows if rows >= 0 else -rows) + (cols if cols >= 0 else -cols)
                    if steps < best:
                        best = steps
            if best < 99:
                close += 1.0 / float(best)
        return close


def _around(squares: i64) -> i64:
    """Return the squares one step away from any of these."""
    return (
        (squares >> 8)
        | ((squares << 8) & ALL)
        | ((squares >> 1) & WEST_TARGETS)
        | ((squares << 1) & EAST_TARGETS)
    )
