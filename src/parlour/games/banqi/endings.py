"""Endgame tablebases of Banqi for up to four pieces, all face-up, by retrograde analysis.

Each set of pieces has a table of all placements, built on first use. It gives the distance to
the end under best play (shortest win, longest defence), or a draw. The tables ignore the limit
of quiet turns; callers must check it. By symmetry the first piece is kept in one quarter of the
board.

A table has one number for each placement and colour to move: 0 for a draw, n + 1 if the game
ends after n plies. The colour to move loses if n is even, and wins if n is odd.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.core import signals
from parlour.games.banqi.bits import ALL, BIT, NEIGHBOURS, jumps, lowest
from parlour.games.banqi.pieces import CANNON, KINDS
from parlour.games.banqi.values import takes

MAX_PIECES: Final[i64] = 4
"""The most pieces of a tablebase. One more would take minutes to solve."""

_LONGEST: Final[i64] = 250
# The largest tables take 2 MB each, so only the latest are kept.
_KEPT: Final = 24

# The column bits and row bits of up to four squares of five bits each.
_COLUMNS: Final[i64] = 0b00111_00111_00111_00111
_ROWS: Final[i64] = 0b11000_11000_11000_11000


class Tablebase:
    """The solved placements of one set of pieces."""

    def __init__(self, pieces: tuple[int, ...]) -> None:
        """Solve the ending, and the smaller ones that captures lead to."""
        self._n: Final[i64] = len(pieces)
        self._pieces: Final[vec[i64]] = vec[i64]([i64(piece) for piece in pieces])
        size = 2 << (5 * len(pieces))
        self._plies: vec[u8] = vec[u8](bytes(size))
        # The number of moves not yet known to lose, and of captures that draw.
        self._open: vec[u8] = vec[u8](bytes(size))
        # The ending after each piece is captured; `None` if it was the last of its colour.
        self._without: Final[list[Tablebase | None]] = [
            _ending(pieces[:i] + pieces[i + 1 :]) for i in range(len(pieces))
        ]
        self._levels: list[vec[i64]] = [vec[i64]() for _ in range(_LONGEST + 3)]
        self._solve()
        self._open = vec[u8]()
        self._levels = []

    def plies(self, squares: i64, turn: i64) -> i64:
        """Return the table's number. `squares` holds five bits a piece, the first piece highest."""
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
                self._initialise(squares, 0, occupied)
                self._initialise(squares, 1, occupied)
            squares += 1
        level: i64 = 1
        while level < _LONGEST:
            positions = self._levels[level]
            i: i64 = 0
            while i < len(positions):
                if i & 0xFFF == 0xFFF:
                    signals.let_signals_in()
                self._propagate(positions[i], level)
                i += 1
            level += 1

    def _occupied(self, squares: i64) -> i64:
        """Return the squares as a mask, or 0 if two pieces share one or it is a mirror image."""
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

    def _initialise(self, squares: i64, turn: i64, occupied: i64) -> None:
        """Look up the captures, and count the moves that may still avoid a loss."""
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
        """Return the number of the position after piece `at` captures `other`."""
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

    def _propagate(self, index: i64, number: i64) -> None:
        """Propagate the number of a position to its predecessors."""
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
                        # The colour to move here loses, so the move that leads here wins.
                        if known == 0 or known > number + 1:
                            self._settle(before, number + 1)
                    elif known == 0:
                        self._open[before] -= u8(1)
                        if self._open[before] == 0:
                            self._settle(before, number + 1)
            at += 1


_endings: dict[tuple[int, ...], Tablebase] = {}


def _ending(pieces: tuple[int, ...]) -> Tablebase | None:
    """Return the ending of these pieces, or `None` if one colour has none."""
    reds = len([piece for piece in pieces if piece < KINDS])
    if reds == 0 or reds == len(pieces):
        return None
    return ending_of(pieces)


def ending_of(pieces: tuple[int, ...]) -> Tablebase:
    """Return the tablebase of at most MAX_PIECES pieces of both colours, in ascending order."""
    found = _endings.get(pieces)
    if found is None:
        found = Tablebase(pieces)
        while len(_endings) >= _KEPT:
            del _endings[next(iter(_endings))]
        _endings[pieces] = found
    return found
