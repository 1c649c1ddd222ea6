"""Which placements a strong player looks at first, learned from games of strong programs.

The odds of a placement are a product of weights: one for its piece, one for its way to the
centre, and one for every cell that it covers, every cell beside it and every cell at its
corners, by what that cell is to the colour that lays it and to the others. `priors.json` has
their logarithms by how many pieces the colour has laid; `bench/strength/learn_blokus.py`
found them, by the likelihood of what was played.
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
    # Of a cell that is covered: an open corner of the colour that is next, of the one after it,
    # of the one after that; beside one of these; beside such a cell; an own open corner; for
    # each other colour that could not cover it.
    "covered corner 1",
    "covered corner 2",
    "covered corner 3",
    "covered beside",
    "covered beside that",
    "covered own corner",
    "covered blocked",
    # Of a cell beside the placement: free for the colour, its open corner, a corner of others,
    # the same and free for the colour, a piece of others.
    "beside free",
    "beside own corner",
    "beside their corner",
    "beside free their corner",
    "beside theirs",
    # Of a cell at its corners: a new open corner, one that is theirs too, one beside theirs, one
    # that no other can cover, one that was open before, one that some other cannot cover.
    "corner new",
    "corner new theirs",
    "corner new beside theirs",
    "corner new safe",
    "corner own",
    "corner new blocked",
    # How far the nearest cell is from the centre, in steps of five cells.
    "centre",
    # Of a cell that is covered: for each other colour that is three steps or less away; for each
    # whose open corner it is, by the cells around that are free for it; nearer to some other.
    "covered near",
    "covered territory",
    "covered behind",
    # Of a cell that is a new open corner: by the cells around that are free and were far away; out
    # of reach before; one or two steps from another colour.
    "corner new territory",
    "corner new far",
    "corner new near",
)
COUNT: Final[i64] = 25
PIECES: Final[i64] = 21
ROW: Final[i64] = 46
"""Numbers of one phase: those above, then one for each piece."""

HALF_STEPS: Final = 10.0
CELLS: Final = 10.0
"""Cells around are counted in tens."""


class Priors:
    """Learned odds of placements."""

    def __init__(self, phases: Sequence[int], weights: Mapping[str, Sequence[float]]) -> None:
        """`phases`: how many pieces are laid when each begins; `weights` by name, one a phase."""
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
        """The logarithm of each placement's odds, up to a constant."""
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
        """What it is worth to cover each square, to have it beside, and to have it at a corner."""
        rows = self._rows
        width = table.width
        begin = REACH * width + REACH
        end = (REACH + table.side) * width
        covered = vec[float]([0.0] * len(board))
        beside = vec[float]([0.0] * len(board))
        corner = vec[float]([0.0] * len(board))
        # The others in turn, and their open corners.
        theirs = vec[i64]([0] * len(board))
        square = begin
        while square < end:
            bits = i64(board[square])
            theirs[square] = (bits >> 4) & ~bits & 15 & ~(1 << colour)
            square += 1
        # 1 beside one of these, 2 beside such a one.
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
        # How near the nearest of the others is, and how many are three steps away or less.
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
