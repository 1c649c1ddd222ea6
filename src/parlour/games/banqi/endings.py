"""Endings of Banqi with four pieces or fewer, none of them face-down, solved backwards.

For each set of pieces there is a table of all placements, made when it is first asked for: how
many plies the game takes if both sides play for the shortest win and the longest defence, or
that neither side can force anything. Quiet turns are not counted; who asks must do it. The
board looks the same in its mirrors, so the first piece stands in one quarter of it.

A table has a number for each placement and colour to move: 0 is a draw, n + 1 says that the
game ends after n plies. The colour to move has lost if n is even, and wins if it is odd.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.core import signals
from parlour.games.banqi.bits import ALL, BIT, NEIGHBOURS, jumps, lowest
from parlour.games.banqi.pieces import CANNON, KINDS
from parlour.games.banqi.values import takes

MOST: Final[i64] = 4
"""So many pieces can be solved; one more would take minutes."""

_LONGEST: Final[i64] = 250
# Of all tables the larger ones have 2 MB: only the last few are kept.
_KEPT: Final = 24

# The bits of columns and rows of up to four squares, five bits each.
_COLUMNS: Final[i64] = 0b00111_00111_00111_00111
_ROWS: Final[i64] = 0b11000_11000_11000_11000


class Tablebase:
    """All placements of these pieces, first to last."""

    def __init__(self, pieces: tuple[int, ...]) -> None:
        """Solve it, and whatever it leads to by captures."""
        self._n: Final[i64] = len(pieces)
        self._pieces: Final[vec[i64]] = vec[i64]([i64(piece) for piece in pieces])
        size = 2 << (5 * len(pieces))
        self._plies: vec[u8] = vec[u8](bytes(size))
        # Moves to empty squares that are not known to lose yet, and captures that do not lose.
        self._open: vec[u8] = vec[u8](bytes(size))
        # What is left if a piece is taken; `None` if that was the last of its colour.
        self._without: Final[list[Tablebase | None]] = [
            _ending(pieces[:i] + pieces[i + 1 :]) for i in range(len(pieces))
        ]
        self._levels: list[vec[i64]] = [vec[i64]() for _ in range(_LONGEST + 3)]
        self._solve()
        self._open = vec[u8]()
        self._levels = []

    def plies(self, squares: i64, turn: i64) -> i64:
        """The table's number: squares are five bits each, the first piece's highest."""
        return i64(self._plies[self._index(squares, turn)])

    def _index(self, squares: i64, turn: i64) -> i64:
        first = squares >> (5 * (self._n - 1))
        all_bits = BIT[5 * self._n] - 1
        if first & 4:
            squares ^= _COLUMNS & all_bits
        if first & 16:
            squares ^= _ROWS & all_bits
        return squares | (turn << (5 * self._n))

    def _square(self, index: i64, at: i64) -> i64:
        return (index >> (5 * (self._n - 1 - at))) & 31

    def _solve(self) -> None:
        placements = BIT[5 * self._n]
        squares: i64 = 0
        while squares < placements:
            if squares & 0xFFF == 0:
                signals.let_signals_in()
            occupied = self._occupied(squares)
            if occupied:
                self._look_forward(squares, 0, occupied)
                self._look_forward(squares, 1, occupied)
            squares += 1
        level: i64 = 1
        while level < _LONGEST:
            positions = self._levels[level]
            i: i64 = 0
            while i < len(positions):
                if i & 0xFFF == 0xFFF:
                    signals.let_signals_in()
                self._look_back(positions[i], level)
                i += 1
            level += 1

    def _occupied(self, squares: i64) -> i64:
        """The squares as a mask; 0 if two pieces share one, or a mirror image is looked at."""
        first = self._square(squares, 0)
        if first & 0b10100:
            return 0
        mask: i64 = 0
        at: i64 = 0
        while at < self._n:
            bit = BIT[self._square(squares, at)]
            if mask & bit:
                return 0
            mask |= bit
            at += 1
        return mask

    def _look_forward(self, squares: i64, turn: i64, occupied: i64) -> None:
        """Captures and their outcome, and how many moves there are."""
        index = squares | (turn << (5 * self._n))
        open_moves: i64 = 0
        soonest: i64 = _LONGEST
        latest: i64 = 0
        at: i64 = 0
        while at < self._n:
            piece = self._pieces[at]
            if (0 if piece < KINDS else 1) == turn:
                here = self._square(squares, at)
                goes = NEIGHBOURS[here] & ~occupied
                while goes:
                    open_moves += 1
                    goes &= goes - 1
                reach = NEIGHBOURS[here] & occupied
                kind = piece % KINDS
                if kind == CANNON:
                    reach = jumps(here, occupied)
                other: i64 = 0
                while reach and other < self._n:
                    foe = self._pieces[other]
                    there = self._square(squares, other)
                    is_foe = (0 if foe < KINDS else 1) != turn
                    can_take = kind == CANNON or takes(kind, foe % KINDS)
                    if is_foe and can_take and (reach >> there) & 1:
                        after = self._after_capture(squares, turn, at, other)
                        if after == 0:
                            open_moves += 1
                        elif after & 1:
                            soonest = min(soonest, after + 1)
                        else:
                            latest = max(latest, after + 1)
                    other += 1
            at += 1
        if soonest < _LONGEST:
            self._settle(index, soonest)
        elif open_moves == 0:
            self._settle(index, max(latest, 1))
        else:
            self._open[index] = u8(open_moves)

    def _after_capture(self, squares: i64, turn: i64, at: i64, other: i64) -> i64:
        """The number of the position after piece `at` took `other`: 1 if nothing is left."""
        rest = self._without[other]
        if rest is None:
            return 1
        there = self._square(squares, other)
        left: i64 = 0
        i: i64 = 0
        while i < self._n:
            if i != other:
                left = (left << 5) | (there if i == at else self._square(squares, i))
            i += 1
        return rest.plies(left, 1 - turn)

    def _settle(self, index: i64, number: i64) -> None:
        if number < _LONGEST:
            self._plies[index] = u8(number)
            self._levels[number] = append(self._levels[number], index)

    def _look_back(self, index: i64, number: i64) -> None:
        """Who could have moved here, and what that tells about where it came from."""
        if i64(self._plies[index]) != number:
            return
        turn = index >> (5 * self._n)
        squares = index & (BIT[5 * self._n] - 1)
        occupied: i64 = 0
        at: i64 = 0
        while at < self._n:
            occupied |= BIT[self._square(squares, at)]
            at += 1
        empty = ALL ^ occupied
        at = 0
        while at < self._n:
            if (0 if self._pieces[at] < KINDS else 1) != turn:
                here = self._square(squares, at)
                comes = NEIGHBOURS[here] & empty
                shift = 5 * (self._n - 1 - at)
                while comes:
                    there = lowest(comes)
                    comes &= comes - 1
                    before = self._index(squares ^ ((here ^ there) << shift), 1 - turn)
                    known = i64(self._plies[before])
                    if number & 1:
                        # The mover here has lost, so who came here wins, if not sooner.
                        if known == 0 or known > number + 1:
                            self._settle(before, number + 1)
                    elif known == 0:
                        self._open[before] -= u8(1)
                        if self._open[before] == 0:
                            self._settle(before, number + 1)
            at += 1


_endings: dict[tuple[int, ...], Tablebase] = {}


def _ending(pieces: tuple[int, ...]) -> Tablebase | None:
    """The ending of these pieces; `None` if one colour has none."""
    reds = len([piece for piece in pieces if piece < KINDS])
    if reds == 0 or reds == len(pieces):
        return None
    return ending_of(pieces)


def ending_of(pieces: tuple[int, ...]) -> Tablebase:
    """The table of these pieces of both colours, at most MOST, in ascending order."""
    found = _endings.get(pieces)
    if found is None:
        found = Tablebase(pieces)
        while len(_endings) >= _KEPT:
            del _endings[next(iter(_endings))]
        _endings[pieces] = found
    return found
