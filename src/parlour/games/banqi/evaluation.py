"""What helps a search to play Banqi well: what pieces are worth, and what to try first.

A piece is worth more the more living enemies it can take, and falls exponentially with those
that can take it; so a King grows as pawns die, and a Pawn when only the King is left to fear
it. Cannons take anything over a screen and are worth the same throughout. Living means not
captured: what lies face-down counts like what shows. The numbers stand in `weights.json`.
"""

from collections.abc import Mapping
from math import exp
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from parlour.core.game import Game
from parlour.core.result import UNDECIDED
from parlour.games.banqi.bits import BIT, NEIGHBOURS, count, lowest
from parlour.games.banqi.movegen import MovegenState
from parlour.games.banqi.pieces import CANNON, FIRST_MOVE, KINDS, KING, PAWN, RED

# With this few face-up pieces the hunt matters: who can take whom, and how far away.
HUNTERS: Final[i64] = 12

# How many flips a search looks at, by the plies that are left; there are 14 outcomes each.
_FLIPS: Final = vec[i64]([0, 0, 0, 1, 1, 2])
_FLIPS_AT_ROOT: Final[i64] = 10
_ROOT_DEPTH: Final[i64] = 32

NUMBERS: Final[i64] = 17
"""Of pieces of one colour, none among them."""

UNKNOWN: Final[i64] = -1

# Order of trying: captures by what they take, then moves, then flips.
_CAPTURE: Final[i64] = 1000
_MOVE: Final[i64] = 100


class Scales:
    """What pieces are worth, by the weights of a game."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        """All weights by name; see `weights.json`."""
        self.lead: Final = weights["lead"]
        self.hunt: Final = weights["hunt"]
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

    def worth(self, own: i64, foe: i64) -> float:
        """What a colour's living pieces are worth together, four bits a kind in 28 bits each."""
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
        return (
            float(own & 15) * self._value(below_guard - pawns + guards + kings, fears + pawns)
            + float((own >> 4) & 15) * self._value(below_guard + guards, fears + guards)
            + float((own >> 8) & 15) * self._value(below_guard, fears + guards + ministers)
            + float((own >> 12) & 15) * self._value(below_minister, fears + above_rook)
            + float((own >> 16) & 15) * self._value(below_rook, fears + above_rook + horses)
            + float((own >> 20) & 15) * self.cannon
            + float((own >> 24) & 15)
            * self._value(pawns + kings, cannons + above_rook + horses + pawns)
        )

    def _value(self, victims: i64, fears: i64) -> float:
        return self._values[victims * NUMBERS + fears]


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
        # Red's share of what is worth something; right if `_is_weighed`.
        self._share: float = 0.0
        self._is_weighed: bool = False

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

    def share(self, scales: "Scales") -> float:
        """Red's lead in what living pieces are worth, from -1 to 1."""
        if not self._is_weighed:
            alive = self.living()
            red = scales.worth(alive, alive >> 28)
            black = scales.worth(alive >> 28, alive)
            self._share = (red - black) / (red + black)
            self._is_weighed = True
        return self._share

    def lead(self, scales: "Scales") -> float:
        """Red's share of what there is, from -1 to 1; a little for being close to the prey."""
        value = scales.lead * self.share(scales)
        up = self._up()
        if self._down_count == 0 and count(up) <= HUNTERS:
            value += scales.hunt * (self._hunt(up & self._red, up & ~self._red))
            value -= scales.hunt * (self._hunt(up & ~self._red, up & self._red))
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


def takes(kind: i64, other: i64) -> bool:
    """Whether a step of this kind of piece takes that kind; cannons do not step onto pieces."""
    if kind == CANNON:
        return False
    if kind == KING:
        return other != PAWN
    if kind == PAWN:
        return other == KING or other == PAWN
    return other >= kind
