"""Move priors for Blokus, learned from games of strong programs.

The odds of a placement are a product of weights: one for its piece, one for its distance from
the centre, and one for every cell that it covers, every cell beside it and every cell at its
corners. The weight of a cell depends on its state for the mover and for the other colours.
`priors.json` holds the logarithms by the number of pieces placed.
`bench/strength/learn_blokus.py` fitted them by maximum likelihood.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i16, i64

from parlour.games.blokus.piece_set import SIZE_OF
from parlour.games.blokus.tables import (
    CODE_SHIFT,
    CORNER,
    OFFSET_BITS,
    OFFSET_MASK,
    OWNER_SHIFT,
    PIECE_SHIFT,
    REACH,
    SQUARE_MASK,
    PlacementTables,
)
from parlour.games.blokus.territory import FAR, distances, free_around, new_territory

NAMES: Final = (
    # For each covered cell: an open corner of the next colour, of the second, of the third; one
    # step from such a corner; two steps; an own open corner; the number of other colours that
    # cannot cover it.
    "covered corner 1",
    "covered corner 2",
    "covered corner 3",
    "covered beside",
    "covered beside that",
    "covered own corner",
    "covered blocked",
    # For each cell beside the placement: free for the mover; its open corner; a corner of
    # others; such a corner that is also free for the mover; a piece of others.
    "beside free",
    "beside own corner",
    "beside their corner",
    "beside free their corner",
    "beside theirs",
    # For each cell at its corners: a new open corner; also a corner of others; beside a corner
    # of others; no other colour can cover it; already open before; some other cannot cover it.
    "corner new",
    "corner new theirs",
    "corner new beside theirs",
    "corner new safe",
    "corner own",
    "corner new blocked",
    # The distance of the nearest cell from the centre, in steps of five cells.
    "centre",
    # For each covered cell: the number of other colours within three steps; for each colour
    # whose open corner it is, the free cells around it; nearer to another colour than to the
    # mover.
    "covered near",
    "covered territory",
    "covered behind",
    # For each new open corner: the free cells around it that were far away before; out of reach
    # before; within two steps of another colour.
    "corner new territory",
    "corner new far",
    "corner new near",
)
COUNT: Final[i64] = 25
PIECES: Final[i64] = 21
ROW: Final[i64] = 46
"""The number of weights of one phase: those above, then one for each piece."""

HALF_STEPS: Final = 10.0
CELLS: Final = 10.0
"""Surrounding cells are counted in tens."""


class Priors:
    """Learned odds of placements."""

    def __init__(self, phases: Sequence[int], weights: Mapping[str, Sequence[float]]) -> None:
        """Take the number of placed pieces at which each phase begins, and weights by name."""
        pieces = weights["pieces"]
        rows = vec[float]()
        for phase in range(len(phases)):
            for name in NAMES:
                rows = append(rows, weights[name][phase])
            for piece in range(PIECES):
                rows = append(rows, pieces[phase * PIECES + piece])
        self._rows: Final[vec[float]] = rows
        begin_at: list[int] = []
        for laid in range(PIECES + 1):
            begin_at.append(max([k for k in range(len(phases)) if phases[k] <= laid]) * ROW)
        self._begin_at: Final[vec[i64]] = vec[i64](begin_at)

    def logs(
        self,
        table: PlacementTables,
        board: vec[i16],
        actions: vec[i64],
        colour: i64,
        colours: i64,
        laid: i64,
    ) -> vec[float]:
        """Return the logarithm of each placement's odds, up to a constant."""
        rows = self._rows
        row = self._begin_at[laid]
        covered, beside, corner = self._squares(table, board, colour, colours, row)
        to_centre = rows[row + 18] / HALF_STEPS
        out = vec[float]([0.0] * len(actions))
        n: i64 = 0
        while n < len(actions):
            code = i64(table.codes[actions[n]])
            at = code & SQUARE_MASK
            orientation = code >> CODE_SHIFT
            shape = table.shapes[orientation]
            piece = shape >> PIECE_SHIFT
            total = rows[row + COUNT + piece]
            nearest: i64 = 1000
            k: i64 = 0
            while k < SIZE_OF[piece]:
                square = at + (shape & OFFSET_MASK)
                total += covered[square]
                away = i64(table.away[square])
                if away < nearest:
                    nearest = away
                shape = shape >> OFFSET_BITS
                k += 1
            total += to_centre * float(nearest)
            k = table.edge_starts[orientation]
            end = table.edge_starts[orientation + 1]
            while k < end:
                total += beside[at + table.edges[k]]
                k += 1
            k = table.corner_starts[orientation]
            end = table.corner_starts[orientation + 1]
            while k < end:
                total += corner[at + table.corners[k]]
                k += 1
            out[n] = total
            n += 1
        return out

    def _squares(
        self,
        table: PlacementTables,
        board: vec[i16],
        colour: i64,
        colours: i64,
        row: i64,
    ) -> tuple[vec[float], vec[float], vec[float]]:
        """Return the weights of each square when covered, beside, and at a corner."""
        rows = self._rows
        width = table.width
        begin = REACH * width + REACH
        end = (REACH + table.side) * width
        covered = vec[float]([0.0] * len(board))
        beside = vec[float]([0.0] * len(board))
        corner = vec[float]([0.0] * len(board))
        # The open corners of the other colours.
        theirs = vec[i64]([0] * len(board))
        square = begin
        while square < end:
            bits = i64(board[square])
            theirs[square] = (bits >> 4) & ~bits & 15 & ~(1 << colour)
            square += 1
        # The distance to such a corner: 1 or 2 steps, or 0 for farther.
        near = vec[i64]([0] * len(board))
        step: i64 = 1
        while step < 3:
            square = begin
            while square < end:
                if theirs[square] | near[square] == 0 and i64(board[square]) >> OWNER_SHIFT == 0:
                    if step == 1:
                        found = (
                            theirs[square - 1]
                            | theirs[square + 1]
                            | theirs[square - width]
                            | theirs[square + width]
                        ) != 0
                    else:
                        found = (
                            near[square - 1] == 1
                            or near[square + 1] == 1
                            or near[square - width] == 1
                            or near[square + width] == 1
                        )
                    if found:
                        near[square] = step
                square += 1
            step += 1
        own = distances(table, board, colour)
        territory = new_territory(table, board, colour, own)
        # The distance of the nearest other colour, and how many are within three steps.
        nearest = vec[i64]([FAR] * len(board))
        close = vec[i64]([0] * len(board))
        other: i64 = 0
        while other < colours:
            if other != colour:
                steps = distances(table, board, other)
                square = begin
                while square < end:
                    distance = i64(steps[square])
                    if distance <= 3:
                        close[square] += 1
                    if distance < nearest[square]:
                        nearest[square] = distance
                    square += 1
            other += 1
        own_bit: i64 = 1 << colour
        others: i64 = ((1 << colours) - 1) & ~own_bit
        square = begin
        while square < end:
            bits = i64(board[square])
            away = i64(table.away[square])
            if away >= 0:
                is_free = bits & own_bit == 0
                is_own = is_free and bits & CORNER << colour != 0
                of_others = theirs[square]
                if is_free:
                    blocked: i64 = 0
                    left = bits & others
                    while left != 0:
                        left &= left - 1
                        blocked += 1
                    distance = i64(own[square])
                    value = rows[row + 6] * float(blocked) + rows[row + 19] * float(close[square])
                    if nearest[square] < distance:
                        value += rows[row + 21]
                    if of_others != 0:
                        ahead: i64 = 1
                        while ahead < colours:
                            who = colour + ahead
                            if who >= colours:
                                who -= colours
                            if of_others >> who & 1 != 0:
                                around = free_around(board, who, square, width)
                                value += rows[row + ahead - 1]
                                value += rows[row + 20] * float(around) / CELLS
                            ahead += 1
                    elif near[square] != 0:
                        value += rows[row + 2 + near[square]]
                    if is_own:
                        value += rows[row + 5]
                    covered[square] = value
                    value = rows[row + 7]
                    if is_own:
                        value += rows[row + 8]
                    if of_others != 0:
                        value += rows[row + 9] + rows[row + 10]
                    beside[square] = value
                    if is_own:
                        corner[square] = rows[row + 16]
                    else:
                        value = rows[row + 12]
                        value += rows[row + 22] * float(i64(territory[square])) / CELLS
                        if distance == FAR:
                            value += rows[row + 23]
                        if nearest[square] <= 2:
                            value += rows[row + 24]
                        if blocked != 0:
                            value += rows[row + 17]
                        if of_others != 0:
                            value += rows[row + 13]
                        elif near[square] == 1:
                            value += rows[row + 14]
                        if blocked == colours - 1:
                            value += rows[row + 15]
                        corner[square] = value
                elif bits >> OWNER_SHIFT != 0:
                    if bits >> OWNER_SHIFT != colour + 1:
                        beside[square] = rows[row + 11]
                elif of_others != 0:
                    beside[square] = rows[row + 9]
            square += 1
        return covered, beside, corner
