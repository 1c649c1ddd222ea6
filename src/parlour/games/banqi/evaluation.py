"""How good a position of Banqi is: what lives, and who is close to taking what.

Each term is a sum over pieces of what they are worth (see `values`), as shares of all that is
alive, times a weight that depends on how many pieces lie face-down:

- a piece of the side to move that is attacked, and every further one (only one can be saved);
- a piece that an enemy which can take it would reach in two, three, four or more steps, past
  empty squares;
- the empty squares beside a piece where no such enemy could take it, and having none.

Beside that it counts whose turn it is, and in endings how close all hunters are to their prey.
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
from parlour.games.banqi.values import REACH, Scales, Worths, takes

# With this few face-up pieces the hunt matters: who can take whom, and how far away.
HUNTERS: Final[i64] = 12

UNKNOWN: Final[i64] = -1

# A compiled `float` of an integer takes a detour.
_FLOATS: Final = vec[float]([float(number) for number in range(33)])


class EvaluatedState(MovegenState):
    """A board that knows what its pieces are worth."""

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
        """As `MovegenState`; what is worth what is found out when it is asked for."""
        super().__init__(game, p0, p1, p2, red, down, down_count, bag, turn)
        # Four bits per piece: how many of it are not captured; UNKNOWN until it is asked for.
        self._living: i64 = UNKNOWN
        # What belongs to `_living` by the scales that were asked last.
        self._worths: Worths | None = None

    def living(self) -> i64:
        """How many of each piece are not captured, four bits for each."""
        if self._living == UNKNOWN:
            alive = self._bag
            left = self._up()
            while left:
                square = lowest(left)
                left &= left - 1
                alive += BIT[self.piece(square) << 2]
            self._living = alive
        return self._living

    def worths(self, scales: Scales) -> Worths:
        """What each piece is worth now."""
        worths = self._worths
        if worths is None or worths.scales != scales.number:
            worths = scales.worths(self.living())
            self._worths = worths
        return worths

    def lead(self, scales: Scales) -> float:
        """How much red is ahead, from -1 to 1."""
        worths = self.worths(scales)
        down = self._down_count
        value = scales.lead * worths.share
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
        value += self._standing(red, black, empty, hits_red, RED, worths, scales)
        value -= self._standing(black, red, empty, hits_black, 1 - RED, worths, scales)
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
        worths: Worths,
        scales: Scales,
    ) -> float:
        """What a colour's face-up pieces gain and lose by where they stand."""
        p0 = self._p0
        p1 = self._p1
        p2 = self._p2
        down = self._down_count
        each = worths.each
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
            # Who takes this kind by a step: rule 5.
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
                    # `_around` written out: it is asked most of all here.
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
        """How close the hunters are to what they can take: 1 next to it, less farther away."""
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
    """The squares one step away from any of these."""
    return (
        (squares >> 8)
        | ((squares << 8) & ALL)
        | ((squares >> 1) & WEST_TARGETS)
        | ((squares << 1) & EAST_TARGETS)
    )
