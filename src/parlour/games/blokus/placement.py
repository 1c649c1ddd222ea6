"""Place a piece: update occupied and blocked squares, and the open corners."""

from librt.vecs import vec
from mypy_extensions import i16, i64

from parlour.games.blokus.tables import (
    ALL_BLOCKED,
    CODE_SHIFT,
    CORNER,
    CORNER_ROOM,
    LISTED,
    OFFSET_BITS,
    OFFSET_MASK,
    OWNER_SHIFT,
    PIECE_SHIFT,
    SQUARE_MASK,
    PlacementTables,
)


def lay(
    table: PlacementTables,
    board: vec[i16],
    corners: vec[i16],
    numbers: vec[i64],
    colour: i64,
    action: i64,
) -> i64:
    """Make a placement of this colour in place, without checks. Return its piece."""
    code = i64(table.codes[action])
    orientation = code >> CODE_SHIFT
    corner = code & SQUARE_MASK
    shape = table.shapes[orientation]
    piece = shape >> PIECE_SHIFT
    numbers[colour] &= ~(1 << piece)
    own: i64 = (colour + 1) << OWNER_SHIFT | ALL_BLOCKED
    k: i64 = 0
    while k < 5:
        square = corner + (shape & OFFSET_MASK)
        board[square] = i16(i64(board[square]) | own)
        shape = shape >> OFFSET_BITS
        k += 1
    blocked: i64 = 1 << colour
    around = table.edges
    k = table.edge_starts[orientation]
    end = table.edge_starts[orientation + 1]
    while k < end:
        square = corner + around[k]
        board[square] = i16(i64(board[square]) | blocked)
        k += 1

    # Keep the listed corners that are still open.
    begin = colour * CORNER_ROOM
    kept = begin
    k = begin
    end = begin + numbers[LISTED + colour]
    while k < end:
        square = i64(corners[k])
        if i64(board[square]) & blocked == 0:
            corners[kept] = i16(square)
            kept += 1
        k += 1

    # Squares off the board and occupied squares are marked as corners too, but never listed.
    # So the bits depend only on the cells, not on the order of placement.
    bit: i64 = CORNER << colour
    around = table.corners
    k = table.corner_starts[orientation]
    end = table.corner_starts[orientation + 1]
    while k < end:
        square = corner + around[k]
        bits = i64(board[square])
        board[square] = i16(bits | bit)
        if bits & (bit | blocked) == 0:
            corners[kept] = i16(square)
            kept += 1
        k += 1
    numbers[LISTED + colour] = kept - begin
    return piece
