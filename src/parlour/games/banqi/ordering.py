"""Move ordering and pruning for searches of Banqi: captures, moves, and a few of the flips."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from parlour.games.banqi.bits import BIT, NEIGHBOURS, lowest
from parlour.games.banqi.endings import ending_of
from parlour.games.banqi.evaluation import EvaluatedState
from parlour.games.banqi.pieces import FIRST_MOVE, KINDS, PIECES, RED
from parlour.games.banqi.values import PieceValues, Scales, takes

# The number of flips to search by remaining depth; each flip has up to 14 outcomes.
_FLIPS: Final = vec[i64]([0, 0, 0, 1, 1, 2])
_FLIPS_AT_ROOT: Final[i64] = 10
_ROOT_DEPTH: Final[i64] = 32

# Ranks: captures by the piece captured, then moves, then flips.
_CAPTURE: Final[i64] = 1000
_MOVE: Final[i64] = 100


class OrderedState(EvaluatedState):
    """A board with move ordering."""

    def captures(self) -> vec[i64]:
        """Return the captures among the decisions."""
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
        """Return the rank of an action: most valuable victim first, then moves, then flips."""
        if action < FIRST_MOVE:
            return 0
        target = action & 31
        if (self._up() >> target) & 1 == 0:
            return _MOVE
        taken: i64 = self.piece(target)
        taker: i64 = self.piece((action - FIRST_MOVE) >> 5)
        return _CAPTURE + 16 * (KINDS - taken % KINDS) + taker % KINDS

    def _ending_number(self) -> i64:
        """Return the tablebase number; all pieces must be face-up, at most MAX_PIECES of them."""
        pieces: list[int] = []
        places: list[int] = []
        piece: i64 = 0
        up = self._up()
        # Sorted by piece, as tablebases expect.
        while piece < PIECES:
            left = up
            while left:
                square = lowest(left)
                left &= left - 1
                if self.piece(square) == piece:
                    pieces.append(piece)
                    places.append(square)
            piece += 1
        squares: i64 = 0
        for place in places:
            squares = (squares << 5) | i64(place)
        return ending_of(tuple(pieces)).plies(squares, self._turn)

    def narrowed(self, depth: i64, scales: Scales) -> vec[i64]:
        """Return the decisions with only the most promising flips."""
        actions = self.decisions()
        most = _flips_at(depth)
        if self._down_count <= most:
            return actions
        if len(actions) == self._down_count:
            most = max(most, 1)
        kept = vec[i64]()
        wanted: i64 = self._flips_to_try(most, self.piece_values(scales)) if most > 0 else 0
        i: i64 = 0
        while i < len(actions):
            action = actions[i]
            if action >= FIRST_MOVE or (wanted >> action) & 1:
                kept = append(kept, action)
            i += 1
        return kept

    def leaves_out_flips(self, depth: i64) -> bool:
        """Whether `narrowed` omits some flips."""
        return self._down_count > _flips_at(depth)

    def _flips_to_try(self, most: i64, piece_values: PieceValues) -> i64:
        """Return the `most` most promising face-down squares."""
        chosen: i64 = 0
        while most > 0:
            best: i64 = -1
            highest = 0.0
            left = self._down & ~chosen
            while left:
                square = lowest(left)
                left &= left - 1
                promise = self._promise(square, piece_values)
                if best < 0 or promise > highest:
                    best = square
                    highest = promise
            if best < 0:
                break
            chosen |= BIT[best]
            most -= 1
        return chosen

    def _promise(self, square: i64, piece_values: PieceValues) -> float:
        """Return the expected gain of a flip on that square.

        The revealed piece may capture a neighbour or be captured by one. Gains of the opponent
        count double, because the opponent moves next.
        """
        touched = NEIGHBOURS[square] & self._up()
        if touched == 0:
            return 0.0
        each = piece_values.each
        own: i64 = 0 if self._turn == RED else KINDS
        foe: i64 = KINDS - own
        promise = 0.0
        while touched:
            there: i64 = self.piece(lowest(touched))
            touched &= touched - 1
            is_own = (there < KINDS) == (own == 0)
            kind = there % KINDS
            first = foe if is_own else own
            bag = self._bag >> (first << 2)
            taken = 0.0
            takers: i64 = 0
            other: i64 = 0
            while other < KINDS:
                number = bag & 15
                if number:
                    if takes(other, kind):
                        takers += number
                    if takes(kind, other):
                        taken += float(number) * each[first + other]
                bag >>= 4
                other += 1
            lost = float(takers) * each[there]
            promise += taken - 2.0 * lost if is_own else lost - 2.0 * taken
        return promise / float(self._down_count)


def _flips_at(depth: i64) -> i64:
    """Return how many flips to search with `depth` plies left."""
    if depth >= _ROOT_DEPTH:
        return _FLIPS_AT_ROOT
    return _FLIPS[depth if depth < 5 else 5]
