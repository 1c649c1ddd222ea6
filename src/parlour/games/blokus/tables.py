"""Lookup tables for one board size: the placements, and the tree that finds them.

A board of side n is stored in rows of n + 4 squares, with a blocked margin of four squares on
every side. No piece that covers a cell of the board reaches past the margin, so the kernels need
no bounds checks. The right margin of a row is the left margin of the next. On a board of side 2,
the cells (0, 0) to (1, 1) are these squares:

      0 ..  3   4  5
              ...
     24 .. 27  28 29        28 is (0, 0), 29 is (0, 1)
     30 .. 33  34 35        34 is (1, 0), 35 is (1, 1)
              ...
     60 .. 63

The kernels identify a placement by its code: orientation * 1024 + square of the top-left
corner of its bounding box. Its public id is the rank of the code in ascending order.
"""

import sys
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i16, i32, i64

from parlour.games.blokus.pieces import ORIENTATION_OF, ORIENTATIONS, SIZES
from parlour.shapes import normalise

REACH: Final = 4

CODE_SHIFT: Final[i64] = 10
SQUARE_MASK: Final[i64] = 1023

# An orientation is packed in one word: five offsets of seven bits from the top-left corner of
# its bounding box (small pieces repeat their first cell), and the piece above them.
OFFSET_BITS: Final[i64] = 7
OFFSET_MASK: Final[i64] = 127
PIECE_SHIFT: Final[i64] = 35

# A tree node is packed in one word, so a visit costs one load: the pieces at or below it (one
# bit each), its own piece, the offset of its square from the corner, the next node if its branch
# is cut, and its code minus the corner's square.
NODE_PIECE: Final[i64] = 21
NODE_OFFSET: Final[i64] = 26
NODE_SKIP: Final[i64] = 34
NODE_CODE: Final[i64] = 43
NODE_BIAS: Final[i64] = 128

MOST_AT_CORNER: Final[i64] = 415
"""More than the number of placements that cover a given cell of an infinite board."""

# A dart is packed in one word: five offsets of eight bits from a corner, in reading order (small
# pieces repeat the last), the piece, and the code minus the corner's square. The table is padded
# to 512 entries with piece 31, which does not exist and so never hits.
DART_PIECE: Final[i64] = 40
DART_CODE: Final[i64] = 45
DART_BIAS: Final[i64] = 128
NO_DART: Final[i64] = 31 << DART_PIECE

# The bits of a square: blocked and corner for each of four colours, and above them the colour
# that occupies it, counted from 1.
ALL_BLOCKED: Final[i64] = 15
CORNER: Final[i64] = 16
OWNER_SHIFT: Final[i64] = 8

# Besides the board a state keeps `numbers` (for each of four colours the pieces in hand, one bit
# each, and the number of its listed corners) and `corners` (CORNER_ROOM for each colour, enough
# for its start and eight for each piece). Every open corner is listed once; a listed corner may
# have been blocked since the colour's last turn.
LISTED: Final[i64] = 4
CORNER_ROOM: Final[i64] = 176

_NEIGHBOURS: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
_DIAGONALS: Final = ((-1, -1), (-1, 1), (1, 1), (1, -1))


class PlacementTables:
    """All placements on a board of one size, shared by all games of that size.

    The arrays are read-only: writing to them breaks every game of the process.
    """

    def __init__(self, side: int) -> None:
        """Build the tables; use `tables` for the cached ones."""
        width = side + REACH
        self.side: Final[i64] = side
        self.width: Final[i64] = width
        self.blank: Final[vec[i16]] = _blank(side)
        self.nodes: Final[vec[i64]] = _Tree(width).nodes
        self.darts: Final[vec[i64]] = _darts(width)
        self.shapes: Final[vec[i64]] = _shapes(width)
        edges, edge_starts = _around(width, False)
        corners, corner_starts = _around(width, True)
        # Offsets of the squares beside an orientation, and of those at its corners.
        self.edges: Final[vec[i64]] = edges
        self.edge_starts: Final[vec[i64]] = edge_starts
        self.corners: Final[vec[i64]] = corners
        self.corner_starts: Final[vec[i64]] = corner_starts
        # The place of a square in a plane of bytes: the word (-1 off the board) and its byte.
        self.words: Final[i64] = side * side // 8
        self.word_of: Final[vec[i16]] = _word_of(side)
        self.byte_of: Final[vec[i64]] = _byte_of(side)
        # The distance from the centre of the board in half steps; -1 off the board.
        self.away: Final[vec[i16]] = _away(side)
        codes = _codes(side)
        self.codes: Final[vec[i32]] = codes
        self.ids: Final[vec[i32]] = _inverse(codes)
        self.count: Final[i64] = len(codes)

    def square(self, row: i64, col: i64) -> i64:
        """Return the square of a cell."""
        return (row + REACH) * self.width + col + REACH

    def cell(self, square: i64) -> tuple[int, int]:
        """Return the (row, column) of a square of the board."""
        row = (square - REACH) // self.width
        return row - REACH, (square - REACH) - row * self.width

    def squares(self, action: i64) -> vec[i64]:
        """Return the squares that a placement covers, in reading order."""
        code = i64(self.codes[action])
        corner = code & SQUARE_MASK
        shape = self.shapes[code >> CODE_SHIFT]
        size: i64 = SIZES[shape >> PIECE_SHIFT]
        out = vec[i64]()
        k: i64 = 0
        while k < size:
            out = append(out, corner + (shape & OFFSET_MASK))
            shape = shape >> OFFSET_BITS
            k += 1
        return out

    def orientation(self, action: i64) -> int:
        """Return the index of a placement's orientation in ORIENTATIONS."""
        return i64(self.codes[action]) >> CODE_SHIFT

    def piece(self, action: i64) -> int:
        """Return the piece of a placement."""
        return self.shapes[i64(self.codes[action]) >> CODE_SHIFT] >> PIECE_SHIFT

    def corner(self, action: i64) -> tuple[int, int]:
        """Return the top-left corner of a placement's bounding box."""
        return self.cell(i64(self.codes[action]) & SQUARE_MASK)

    def action(self, orientation: int, row: int, col: int) -> int:
        """Return the id of an orientation with the top left of its bounding box at (row, col).

        Return -1 if it does not fit on the board.
        """
        cells = ORIENTATIONS[orientation].cells
        height = max(r for r, _ in cells)
        breadth = max(c for _, c in cells)
        if row < 0 or col < 0 or row + height >= self.side or col + breadth >= self.side:
            return -1
        return i64(self.ids[(orientation << CODE_SHIFT) + self.square(row, col)])


_tables: Final[dict[int, PlacementTables]] = {}


def tables(side: int) -> PlacementTables:
    """Return the tables for boards of that side, built on first use."""
    made = _tables.get(side)
    if made is None:
        made = PlacementTables(side)
        _tables[side] = made
    return made


def _blank(side: int) -> vec[i16]:
    width = side + REACH
    board = [ALL_BLOCKED] * (width * (side + 2 * REACH) + REACH)
    for row in range(side):
        for col in range(side):
            board[(row + REACH) * width + col + REACH] = 0
    return vec[i16]([i16(each) for each in board])


def _word_of(side: int) -> vec[i16]:
    return vec[i16]([i16(-1 if cell < 0 else cell // 8) for cell in _cells(side)])


def _byte_of(side: int) -> vec[i64]:
    powers = [1 << 8 * (k if sys.byteorder == "little" else 7 - k) for k in range(8)]
    return vec[i64]([0 if cell < 0 else powers[cell % 8] for cell in _cells(side)])


def _away(side: int) -> vec[i16]:
    away = [-1] * len(_blank(side))
    for square, cell in enumerate(_cells(side)):
        if cell >= 0:
            row, col = divmod(cell, side)
            away[square] = abs(2 * row - side + 1) + abs(2 * col - side + 1)
    return vec[i16]([i16(each) for each in away])


def _cells(side: int) -> list[int]:
    """Return the cell of each square, or -1 off the board."""
    width = side + REACH
    cells = [-1] * len(_blank(side))
    for row in range(side):
        for col in range(side):
            cells[(row + REACH) * width + col + REACH] = row * side + col
    return cells


def _shapes(width: int) -> vec[i64]:
    words = vec[i64]()
    for piece, _, _, cells in ORIENTATIONS:
        offsets = [row * width + col for row, col in cells]
        offsets += offsets[:1] * (5 - len(offsets))
        word: i64 = piece << PIECE_SHIFT
        for k, offset in enumerate(offsets):
            word |= offset << (OFFSET_BITS * k)
        words = append(words, word)
    return words


def _darts(width: int) -> vec[i64]:
    """Return every orientation around each of its cells: 414 darts, padded to 512."""
    darts = vec[i64]()
    for orientation, (piece, _, _, cells) in enumerate(ORIENTATIONS):
        for row, col in cells:
            offsets = [(r - row) * width + c - col for r, c in cells]
            offsets += offsets[-1:] * (5 - len(offsets))
            code = (orientation << CODE_SHIFT) - row * width - col
            dart: i64 = piece << DART_PIECE | code << DART_CODE
            for k, offset in enumerate(offsets):
                dart |= (offset + DART_BIAS) << (8 * k)
            darts = append(darts, dart)
    while len(darts) < 512:
        darts = append(darts, NO_DART)
    return darts


def _around(width: int, diagonal: bool) -> tuple[vec[i64], vec[i64]]:
    """Return the offsets beside each orientation, or at its corners, and where each begins."""
    offsets = vec[i64]()
    starts = vec[i64]([0])
    for _, _, _, cells in ORIENTATIONS:
        beside = {(r + dr, c + dc) for r, c in cells for dr, dc in _NEIGHBOURS} - set(cells)
        found = beside
        if diagonal:
            touched = {(r + dr, c + dc) for r, c in cells for dr, dc in _DIAGONALS}
            found = touched - beside - set(cells)
        for row, col in sorted(found):
            offsets = append(offsets, row * width + col)
        starts = append(starts, len(offsets))
    return offsets, starts


def _codes(side: int) -> vec[i32]:
    width: i64 = side + REACH
    codes = vec[i32]()
    for orientation, (_, _, _, cells) in enumerate(ORIENTATIONS):
        base: i64 = orientation << CODE_SHIFT
        rows: i64 = side - max(row for row, _ in cells)
        cols: i64 = side - max(col for _, col in cells)
        row: i64 = 0
        while row < rows:
            col: i64 = 0
            while col < cols:
                codes = append(codes, i32(base + (row + REACH) * width + col + REACH))
                col += 1
            row += 1
    return codes


def _inverse(codes: vec[i32]) -> vec[i32]:
    ids = vec[i32]([-1] * (len(ORIENTATIONS) << CODE_SHIFT))
    k: i64 = 0
    while k < len(codes):
        ids[i64(codes[k])] = i32(k)
        k += 1
    return ids


class _Tree:
    """A tree of every polyomino of up to five cells that covers the corner, each exactly once.

    This is Redelmeier's algorithm: a node adds one cell next to the cells of its ancestors, and
    later siblings exclude that cell. Nodes are stored in depth-first order.
    """

    def __init__(self, width: int) -> None:
        self.width: Final = width
        self.nodes: vec[i64] = vec[i64]()
        self.grow([], [(0, 0)], {(0, 0)})

    def grow(
        self,
        cells: list[tuple[int, int]],
        untried: list[tuple[int, int]],
        met: set[tuple[int, int]],
    ) -> int:
        """Add the nodes below `cells`. Return the pieces among them, one bit each."""
        pieces = 0
        for k, cell in enumerate(untried):
            now = [*cells, cell]
            at = len(self.nodes)
            self.nodes = append(self.nodes, 0)
            orientation = ORIENTATION_OF[normalise(now)]
            piece = ORIENTATIONS[orientation].piece
            below = 1 << piece
            if len(now) < 5:
                row, col = cell
                fresh = [
                    (row + dr, col + dc)
                    for dr, dc in _NEIGHBOURS
                    if (row + dr, col + dc) not in met
                ]
                below |= self.grow(now, untried[k + 1 :] + fresh, met | set(fresh))
            top = min(row for row, _ in now)
            left = min(col for _, col in now)
            self.nodes[at] = (
                below
                | piece << NODE_PIECE
                | (cell[0] * self.width + cell[1] + NODE_BIAS) << NODE_OFFSET
                | len(self.nodes) << NODE_SKIP
                | ((orientation << CODE_SHIFT) + top * self.width + left) << NODE_CODE
            )
            pieces |= below
        return pieces
