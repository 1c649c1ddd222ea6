"""What helps a search to play Banqi well: what pieces are worth, and what to try first.

A piece is worth more the more living enemies it can take, and less the more of them can
take it; so a King grows as pawns die, and a Pawn when only the King is left to fear it.
Cannons take anything over a screen and are worth the same throughout. Living means not
captured: what lies face-down counts like what shows.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from parlour.core.result import UNDECIDED
from parlour.games.banqi.bits import BIT, NEIGHBOURS, count, lowest
from parlour.games.banqi.movegen import MovegenState
from parlour.games.banqi.pieces import CANNON, FIRST_MOVE, KINDS, KING, PAWN, RED

CANNON_WORTH: Final = 6.0

# With this few face-up pieces the hunt matters: who can take whom, and how far away.
HUNTERS: Final[i64] = 12
HUNT: Final = 0.012

# How many flips a search looks at, by the plies that are left; there are 14 outcomes each.
_FLIPS: Final = vec[i64]([0, 0, 0, 1, 1, 2])
_FLIPS_AT_ROOT: Final[i64] = 10
_ROOT_DEPTH: Final[i64] = 32

# Order of trying: captures by what they take, then moves, then flips.
_CAPTURE: Final[i64] = 1000
_MOVE: Final[i64] = 100


class EvaluatedState(MovegenState):
    """A board that knows what its pieces are worth."""

    def living(self, piece: i64) -> i64:
        """How many of a piece are not captured."""
        rank = KINDS - piece
        side = self._red
        if rank <= 0:
            rank += KINDS
            side = ~self._red
        mask = side & self._up()
        mask &= self._p0 if rank & 1 else ~self._p0
        mask &= self._p1 if rank & 2 else ~self._p1
        mask &= self._p2 if rank & 4 else ~self._p2
        return count(mask) + ((self._bag >> (piece * 4)) & 15)

    def worth(self, mine: i64) -> float:
        """What a colour's living pieces are worth together; `mine` is its King's number."""
        foe = KINDS - mine
        kings = float(self.living(foe))
        guards = float(self.living(foe + 1))
        ministers = float(self.living(foe + 2))
        rooks = float(self.living(foe + 3))
        horses = float(self.living(foe + 4))
        cannons = float(self.living(foe + 5))
        pawns = float(self.living(foe + 6))
        below_rook = horses + cannons + pawns
        below_minister = below_rook + rooks
        below_guard = below_minister + ministers
        fears = cannons + kings
        return (
            float(self.living(mine)) * _value(below_guard - pawns + guards + kings, fears + pawns)
            + float(self.living(mine + 1)) * _value(below_guard + guards, fears + guards)
            + float(self.living(mine + 2)) * _value(below_guard, fears + guards + ministers)
            + float(self.living(mine + 3))
            * _value(below_minister, fears + guards + ministers + rooks)
            + float(self.living(mine + 4))
            * _value(below_rook, fears + guards + ministers + rooks + horses)
            + float(self.living(mine + 5)) * CANNON_WORTH
            + float(self.living(mine + 6))
            * _value(pawns + kings, cannons + guards + ministers + rooks + horses + pawns)
        )

    def lead(self) -> float:
        """Red's share of what there is, from -1 to 1; a little for being close to the prey."""
        red = self.worth(0)
        black = self.worth(KINDS)
        value = 0.9 * (red - black) / (red + black)
        up = self._up()
        if self._down_count == 0 and count(up) <= HUNTERS:
            value += HUNT * (self._hunt(up & self._red, up & ~self._red))
            value -= HUNT * (self._hunt(up & ~self._red, up & self._red))
        return max(-UNDECIDED, min(UNDECIDED, value))

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

    def captures(self) -> vec[i64]:
        """The captures among the decisions."""
        actions = vec[i64]()
        up = self._up()
        own = self._red & up if self._turn == RED else up & ~self._red
        foe = up ^ own
        while own:
            source = lowest(own)
            own &= own - 1
            goes = self.targets(source) & foe
            while goes:
                actions = append(actions, FIRST_MOVE + (source << 5) + lowest(goes))
                goes &= goes - 1
        return actions

    def rank_of_action(self, action: i64) -> i64:
        """What to try first: captures of high pieces by low ones, moves, flips."""
        if action < FIRST_MOVE:
            return 0
        target = action & 31
        if (self._up() >> target) & 1 == 0:
            return _MOVE
        taken: i64 = self.piece(target)
        taker: i64 = self.piece((action - FIRST_MOVE) >> 5)
        return _CAPTURE + 16 * (KINDS - taken % KINDS) + taker % KINDS

    def narrowed(self, depth: i64) -> vec[i64]:
        """The decisions, with a few of the flips only: those beside face-up pieces first."""
        actions = self.decisions()
        most = _flips_at(depth)
        if self._down_count <= most:
            return actions
        if len(actions) == self._down_count:
            most = max(most, 1)
        kept = vec[i64]()
        wanted = self._flips_to_try(most)
        i: i64 = 0
        while i < len(actions):
            action = actions[i]
            if action >= FIRST_MOVE or (wanted >> action) & 1:
                kept = append(kept, action)
            i += 1
        return kept

    def leaves_out_flips(self, depth: i64) -> bool:
        """Whether `narrowed` does not have every flip."""
        return self._down_count > _flips_at(depth)

    def _flips_to_try(self, most: i64) -> i64:
        """That many face-down squares, those with most face-up neighbours first."""
        up = self._up()
        chosen: i64 = 0
        level: i64 = 4
        while level >= 0 and most > 0:
            left = self._down & ~chosen
            while left and most > 0:
                square = lowest(left)
                left &= left - 1
                if count(NEIGHBOURS[square] & up) == level:
                    chosen |= BIT[square]
                    most -= 1
            level -= 1
        return chosen


def _flips_at(depth: i64) -> i64:
    """How many flips a search looks at with so many plies to go."""
    if depth >= _ROOT_DEPTH:
        return _FLIPS_AT_ROOT
    return _FLIPS[depth if depth < 5 else 5]


def _value(victims: float, fears: float) -> float:
    return (3.0 + victims) / (1.0 + 0.25 * fears)


def takes(kind: i64, other: i64) -> bool:
    """Whether a step of this kind of piece takes that kind; cannons do not step onto pieces."""
    if kind == CANNON:
        return False
    if kind == KING:
        return other != PAWN
    if kind == PAWN:
        return other == KING or other == PAWN
    return other >= kind
