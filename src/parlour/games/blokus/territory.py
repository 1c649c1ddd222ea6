"""Distances from a colour's open corners, and the free territory around squares."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64

from parlour.games.blokus.tables import REACH, PlacementTables

FAR: Final[i64] = 9
"""The distance of squares that are more than MOST steps away or unreachable."""

MOST: Final[i64] = 5


def distances(table: PlacementTables, board: vec[i16], colour: i64) -> vec[i16]:
    """Return the distance of each square: 1 at an open corner, plus 1 for each step.

    Steps lead over squares that the colour may cover.
    """
    width = table.width
    blocked: i64 = 1 << colour
    out = vec[i16]([9] * len(board))
    found = vec[i16]([0] * len(board))
    count: i64 = 0
    square = REACH * width + REACH
    end = (REACH + table.side) * width
    while square < end:
        bits = i64(board[square])
        if bits & blocked == 0 and bits >> 4 & blocked != 0:
            out[square] = 1
            found[count] = i16(square)
            count += 1
        square += 1
    at: i64 = 0
    step: i64 = 1
    while step < MOST:
        step += 1
        end = count
        while at < end:
            square = i64(found[at])
            at += 1
            beside = square - 1
            if i64(board[beside]) & blocked == 0 and i64(out[beside]) == FAR:
                out[beside] = i16(step)
                found[count] = i16(beside)
                count += 1
            beside = square + 1
            if i64(board[beside]) & blocked == 0 and i64(out[beside]) == FAR:
                out[beside] = i16(step)
                found[count] = i16(beside)
                count += 1
            beside = square - width
            if i64(board[beside]) & blocked == 0 and i64(out[beside]) == FAR:
                out[beside] = i16(step)
                found[count] = i16(beside)
                count += 1
            beside = square + width
            if i64(board[beside]) & blocked == 0 and i64(out[beside]) == FAR:
                out[beside] = i16(step)
                found[count] = i16(beside)
                count += 1
    return out


def free_around(board: vec[i16], colour: i64, square: i64, width: i64) -> i64:
    """Return how many of the 5 by 5 cells around a square the colour may cover."""
    count: i64 = 0
    row = square - 2 * width - 2
    k: i64 = 0
    while k < 5:
        at = row
        while at < row + 5:
            count += 1 - (i64(board[at]) >> colour & 1)
            at += 1
        row += width
        k += 1
    return count


def new_territory(table: PlacementTables, board: vec[i16], colour: i64, near: vec[i16]) -> vec[i16]:
    """Return, for each square, how much new territory lies in the 5 by 5 cells around it.

    New territory is free for the colour and at least 4 steps away by `near`, its distances.
    """
    width = table.width
    begin = (REACH - 2) * width + REACH
    end = (REACH + 2 + table.side) * width
    inside = vec[i16]([0] * len(board))
    square = REACH * width + REACH
    while square < (REACH + table.side) * width:
        if i64(board[square]) >> colour & 1 == 0 and i64(near[square]) > 3:
            inside[square] = 1
        square += 1
    rows = vec[i16]([0] * len(board))
    square = begin
    while square < end:
        rows[square] = i16(
            i64(inside[square - 2])
            + i64(inside[square - 1])
            + i64(inside[square])
            + i64(inside[square + 1])
            + i64(inside[square + 2])
        )
        square += 1
    out = vec[i16]([0] * len(board))
    square = REACH * width + REACH
    while square < (REACH + table.side) * width:
        out[square] = i16(
            i64(rows[square - 2 * width])
            + i64(rows[square - width])
            + i64(rows[square])
            + i64(rows[square + width])
            + i64(rows[square + 2 * width])
        )
        square += 1
    return out
