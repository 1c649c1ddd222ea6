"""Observation planes of a position, eight cells to a word, with incremental updates.

A state keeps its planes after the first observation, because a turn changes only about 40 of
4,800 bytes. The planes are ordered by FACTS and then by colour; seats see the same planes,
starting with another colour. This works only for boards whose cells fill whole words.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64

from parlour.games.blokus.tables import (
    CODE_SHIFT,
    CORNER,
    OFFSET_BITS,
    OFFSET_MASK,
    OWNER_SHIFT,
    SQUARE_MASK,
    PlacementTables,
)

FACTS: Final = ("occupied", "blocked", "corner")


def planes_of(table: PlacementTables, board: vec[i16], colours: i64) -> vec[i64]:
    """Return all planes of a position, from the bits of its squares."""
    words = table.words
    planes = vec[i64]([0] * (len(FACTS) * colours * words))
    square: i64 = 0
    while square < len(board):
        bits = i64(board[square])
        word = i64(table.word_of[square])
        if word >= 0 and bits != 0:
            byte = table.byte_of[square]
            owner = bits >> OWNER_SHIFT
            if owner != 0:
                planes[(owner - 1) * words + word] |= byte
            colour: i64 = 0
            while colour < colours:
                if bits >> colour & 1 != 0:
                    planes[(colours + colour) * words + word] |= byte
                elif bits & CORNER << colour != 0:
                    planes[(2 * colours + colour) * words + word] |= byte
                colour += 1
        square += 1
    return planes


def follow(
    planes: vec[i64],
    table: PlacementTables,
    board: vec[i16],
    colours: i64,
    colour: i64,
    action: i64,
) -> None:
    """Update the planes after a placement of this colour."""
    code = i64(table.codes[action])
    orientation = code >> CODE_SHIFT
    corner = code & SQUARE_MASK
    words = table.words
    word_of = table.word_of
    byte_of = table.byte_of
    blocked = (colours + colour) * words
    corners = blocked + colours * words
    shape = table.shapes[orientation]
    k: i64 = 0
    while k < 5:
        square = corner + (shape & OFFSET_MASK)
        shape = shape >> OFFSET_BITS
        byte = byte_of[square]
        word = i64(word_of[square])
        planes[colour * words + word] |= byte
        word += colours * words
        other: i64 = 0
        while other < colours:
            planes[word] |= byte
            planes[word + colours * words] &= ~byte
            word += words
            other += 1
        k += 1
    around = table.edges
    k = table.edge_starts[orientation]
    end = table.edge_starts[orientation + 1]
    while k < end:
        square = corner + around[k]
        word = i64(word_of[square])
        if word >= 0:
            planes[blocked + word] |= byte_of[square]
            planes[corners + word] &= ~byte_of[square]
        k += 1
    around = table.corners
    k = table.corner_starts[orientation]
    end = table.corner_starts[orientation + 1]
    while k < end:
        square = corner + around[k]
        if i64(board[square]) >> colour & 1 == 0:
            planes[corners + i64(word_of[square])] |= byte_of[square]
        k += 1


def copy_from(
    planes: vec[i64], first: i64, colours: i64, words: i64, out: vec[i64], at: i64
) -> None:
    """Write the planes to `out[at]` and on, starting with colour `first` for each fact."""
    size = colours * words
    begin: i64 = 0
    while begin < len(planes):
        k = begin + first * words
        end = begin + size
        while k < end:
            out[at] = planes[k]
            at += 1
            k += 1
        k = begin
        end = begin + first * words
        while k < end:
            out[at] = planes[k]
            at += 1
            k += 1
        begin += size
