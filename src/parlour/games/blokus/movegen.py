"""Find placements: all of them at a corner, or one at random, and put them in order.

These are the kernels of the rules. They take what they need as arguments and build
nothing, so that a random game costs some 50 microseconds.
"""

from typing import Final

from librt.vecs import extend, vec
from mypy_extensions import i16, i32, i64

from parlour.core.rng import Rng
from parlour.games.blokus.piece_set import largest, pieces_in
from parlour.games.blokus.tables import (
    CODE_SHIFT,
    CORNER,
    CORNER_ROOM,
    DART_BIAS,
    DART_CODE,
    DART_PIECE,
    LISTED,
    MOST_AT_CORNER,
    NODE_BIAS,
    NODE_CODE,
    NODE_OFFSET,
    NODE_PIECE,
    NODE_SKIP,
    OFFSET_MASK,
    PlacementTables,
)

TRIES: Final[i64] = 128
"""How often a dart is thrown before placements are listed."""

DARTS_ABOVE: Final[i64] = 11
"""With so many pieces left, or fewer, no darts are thrown: by then one in 130 hits."""

ENOUGH: Final[i64] = 128
"""So many placements of a corner are enough to draw one from in a playout."""


def walk(
    board: vec[i16],
    nodes: vec[i64],
    corner: i64,
    colour: i64,
    hand: i64,
    codes: vec[i32],
    count: i64,
    most: i64,
) -> i64:
    """Write the placements whose first corner is `corner` from `codes[count]` on; the new count.

    Those are the placements that cover it, whose piece is in `hand`, that cover no blocked
    square and, before it in reading order, no other corner: over all corners each that
    fits is found exactly once. Stops when the count reaches `most`. There must be room
    for MOST_AT_CORNER more.
    """
    blocked: i64 = 1 << colour
    before: i64 = (CORNER | 1) << colour
    n: i64 = 0
    end = len(nodes)
    while n < end:
        node = nodes[n]
        offset = ((node >> NODE_OFFSET) & 255) - NODE_BIAS
        if (
            node & hand == 0
            or i64(board[corner + offset]) & (before if offset < 0 else blocked) != 0
        ):
            n = (node >> NODE_SKIP) & 511
        else:
            # Written in any case and kept by counting it: no branch for the processor to guess.
            codes[count] = i32((node >> NODE_CODE) + corner)
            count += hand >> ((node >> NODE_PIECE) & 31) & 1
            if count == most:
                return count
            n += 1
    return count


def draw(
    board: vec[i16],
    darts: vec[i64],
    corners: vec[i16],
    first: i64,
    listed: i64,
    colour: i64,
    hand: i64,
    rng: Rng,
    tries: i64,
) -> i64:
    """The code of a uniformly random placement that fits, or -1 after so many tries.

    A try throws a dart: one of the colour's `listed` corners (from `corners[first]` on) and
    one of the shapes around it, each pair equally likely. It hits if that is a placement
    that `walk` would find at that corner. Every placement has one such pair, so those that
    fit are hit equally often, and none needs to be listed.
    """
    while tries > 0:
        aim = rng.below(listed << 9)
        dart = darts[aim & 511]
        if hand >> (dart >> DART_PIECE & 31) & 1 != 0:
            corner = i64(corners[first + (aim >> 9)])
            origin = corner - DART_BIAS
            bits = (
                i64(board[origin + (dart & 255)])
                | i64(board[origin + (dart >> 8 & 255)])
                | i64(board[origin + (dart >> 16 & 255)])
                | i64(board[origin + (dart >> 24 & 255)])
                | i64(board[origin + (dart >> 32 & 255)])
            )
            if bits >> colour & 1 == 0:
                code = (dart >> DART_CODE) + corner
                # The squares are in reading order: those before the corner come first.
                while dart & 255 < DART_BIAS:
                    if i64(board[origin + (dart & 255)]) & CORNER << colour != 0:
                        break
                    dart = dart >> 8
                if dart & 255 == DART_BIAS:
                    return code
        tries -= 1
    return -1


def any_one(
    table: PlacementTables,
    board: vec[i16],
    corners: vec[i16],
    numbers: vec[i64],
    colour: i64,
    rng: Rng,
) -> i64:
    """The code of a uniformly random placement that fits; there must be one.

    In most positions it is found without listing them all.
    """
    hand = numbers[colour]
    code = _thrown(table, board, corners, numbers, colour, hand, rng)
    if code < 0:
        codes, count = all_that_fit(table, board, corners, numbers, colour)
        code = i64(codes[rng.below(count)])
    return code


def a_large_one(
    table: PlacementTables,
    board: vec[i16],
    corners: vec[i16],
    numbers: vec[i64],
    colour: i64,
    rng: Rng,
) -> i64:
    """The code of a random placement of the largest pieces that fit; there must be one."""
    hand = numbers[colour]
    large = largest(hand)
    code = _thrown(table, board, corners, numbers, colour, large, rng)
    while code < 0:
        code = at_some_corner(table, board, corners, numbers, colour, large, rng)
        hand &= ~large
        large = largest(hand)
    return code


def _thrown(
    table: PlacementTables,
    board: vec[i16],
    corners: vec[i16],
    numbers: vec[i64],
    colour: i64,
    hand: i64,
    rng: Rng,
) -> i64:
    """What `draw` finds of these pieces, or -1 where darts do not pay."""
    if pieces_in(numbers[colour]) <= DARTS_ABOVE:
        return -1
    first = colour * CORNER_ROOM
    listed = numbers[LISTED + colour]
    return draw(board, table.darts, corners, first, listed, colour, hand, rng, TRIES)


def at_some_corner(
    table: PlacementTables,
    board: vec[i16],
    corners: vec[i16],
    numbers: vec[i64],
    colour: i64,
    hand: i64,
    rng: Rng,
) -> i64:
    """The code of a random placement of `hand` at a random corner where one fits, or -1.

    Not uniform over the placements, and where very many fit only the first of them are drawn
    from; but most often one corner is walked instead of all. With it a search makes 1.2 to 1.5
    times the simulations.
    """
    nodes = table.nodes
    codes = vec[i32]([0] * ENOUGH)
    first = colour * CORNER_ROOM
    end = first + numbers[LISTED + colour]
    begin = first + rng.below(end - first)
    k = begin
    while True:
        count = walk(board, nodes, i64(corners[k]), colour, hand, codes, 0, ENOUGH)
        if count != 0:
            return i64(codes[rng.below(count)])
        k += 1
        if k == end:
            k = first
        if k == begin:
            return -1


def cover(board: vec[i16], shape: i64, corner: i64) -> i64:
    """The bits of all squares that an orientation's word covers from `corner` on."""
    return (
        i64(board[corner + (shape & OFFSET_MASK)])
        | i64(board[corner + ((shape >> 7) & OFFSET_MASK)])
        | i64(board[corner + ((shape >> 14) & OFFSET_MASK)])
        | i64(board[corner + ((shape >> 21) & OFFSET_MASK)])
        | i64(board[corner + ((shape >> 28) & OFFSET_MASK)])
    )


def all_that_fit(
    table: PlacementTables, board: vec[i16], corners: vec[i16], numbers: vec[i64], colour: i64
) -> tuple[vec[i32], i64]:
    """The codes of all placements that fit the colour, each once, in no order; how many."""
    hand = numbers[colour]
    nodes = table.nodes
    codes = vec[i32]([0] * 640)
    count: i64 = 0
    k = colour * CORNER_ROOM
    end = k + numbers[LISTED + colour]
    while k < end:
        if count + MOST_AT_CORNER > len(codes):
            codes = extend(codes, codes)
        count = walk(board, nodes, i64(corners[k]), colour, hand, codes, count, -1)
        k += 1
    return codes, count


def any_fits(
    table: PlacementTables, board: vec[i16], corners: vec[i16], numbers: vec[i64], colour: i64
) -> bool:
    """Whether any placement fits the colour."""
    hand = numbers[colour]
    nodes = table.nodes
    one = vec[i32]([0])
    k = colour * CORNER_ROOM
    end = k + numbers[LISTED + colour]
    while k < end:
        if walk(board, nodes, i64(corners[k]), colour, hand, one, 0, 1) != 0:
            return True
        k += 1
    return False


def reach(
    table: PlacementTables,
    board: vec[i16],
    corners: vec[i16],
    numbers: vec[i64],
    colour: i64,
    size: i64,
) -> i64:
    """How many cells lie within a piece of that size of the colour's open corners.

    A step goes from a cell to one beside it that the colour may cover.
    """
    blocked: i64 = 1 << colour
    width = table.width
    seen = vec[i16]([0] * len(board))
    found = vec[i16]([0] * len(board))
    count: i64 = 0
    k = colour * CORNER_ROOM
    end = k + numbers[LISTED + colour]
    while k < end:
        square = i64(corners[k])
        if i64(board[square]) & blocked == 0:
            seen[square] = 1
            found[count] = i16(square)
            count += 1
        k += 1
    at: i64 = 0
    while size > 1:
        size -= 1
        end = count
        while at < end:
            square = i64(found[at])
            at += 1
            side: i64 = 0
            while side < 4:
                if side < 2:
                    beside = square - 1 if side == 0 else square + 1
                else:
                    beside = square - width if side == 2 else square + width
                if (i64(board[beside]) & blocked) | i64(seen[beside]) == 0:
                    seen[beside] = 1
                    found[count] = i16(beside)
                    count += 1
                side += 1
    return count


def ids_of(codes: vec[i32], count: i64, ids: vec[i32]) -> vec[i64]:
    """The ids of the first `count` codes, in their order."""
    out = vec[i64]([0] * count)
    k: i64 = 0
    while k < count:
        out[k] = i64(ids[i64(codes[k])])
        k += 1
    return out


def ascending_ids(codes: vec[i32], count: i64, ids: vec[i32]) -> vec[i64]:
    """The ids of the first `count` codes, sorted.

    Dealt out by orientation first; the few of one orientation, which come nearly in order,
    are then sorted by insertion. Half the time of a radix sort by bytes.
    """
    ends = vec[i64]([0] * 92)
    k: i64 = 0
    while k < count:
        ends[(i64(codes[k]) >> CODE_SHIFT) + 1] += 1
        k += 1
    total: i64 = 0
    k = 0
    while k < 92:
        total += ends[k]
        ends[k] = total
        k += 1
    out = vec[i64]([0] * count)
    k = 0
    while k < count:
        code = i64(codes[k])
        at = ends[code >> CODE_SHIFT]
        ends[code >> CODE_SHIFT] = at + 1
        out[at] = i64(ids[code])
        k += 1
    k = 1
    while k < count:
        value = out[k]
        at = k
        while at > 0 and out[at - 1] > value:
            out[at] = out[at - 1]
            at -= 1
        out[at] = value
        k += 1
    return out
