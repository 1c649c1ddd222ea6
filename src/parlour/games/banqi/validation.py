"""Checks for the parts of a pickled position of Banqi.

Pickles come from files and other processes, so their contents are not trusted.
"""

from mypy_extensions import i64

from parlour.core.checks import is_int, shown
from parlour.core.errors import InvalidState
from parlour.games.banqi.bits import ALL, BIT, SQUARES, count
from parlour.games.banqi.history import Turns
from parlour.games.banqi.pieces import (
    FIRST_MOVE,
    KINDS,
    NO_COLOUR,
    NOTHING,
    NUM_ACTIONS,
    PIECES,
    SET,
    SET_SIZES,
)

Parts = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int]


def checked_parts(parts: object, quiet_limit: i64) -> Parts:
    """Return the numbers of a `BanqiState`. Raises `InvalidState` if they are impossible."""
    found = _numbers(parts, 13)
    p0, p1, p2, red, down, down_count, bag, turn, seat_0, flipping, quiet, left_red, left_black = (
        found
    )
    up = p0 | p1 | p2
    _refuse(max(up, down) > ALL, "a square must be on the board")
    _refuse(red & ~up != 0 or up & down != 0, "a square must not hold two things")
    _refuse(bag >= BIT[4 * PIECES], "there must be 14 kinds of pieces")
    hidden = 0
    living = [0, 0]
    for piece in range(PIECES):
        lying = (bag >> (4 * piece)) & 15
        standing = _standing(p0, p1, p2, red, piece)
        hidden += lying
        living[piece // KINDS] += lying + standing
        _refuse(
            lying + standing > SET_SIZES[piece % KINDS],
            "there must not be more pieces than a set has",
        )
    _refuse(not hidden == down_count == count(down), "the count of face-down pieces is wrong")
    _refuse(turn > 1 or seat_0 > 1, "there must be two colours")
    _refuse(seat_0 == NO_COLOUR and up != 0, "a piece is face-up, so the seats must have colours")
    _refuse(
        seat_0 == NO_COLOUR and (turn != 0 or quiet != 0),
        "there are no turns before the first flip",
    )
    _refuse(quiet > quiet_limit, f"the quiet turns must be 0 to {quiet_limit}")
    if flipping != NOTHING:
        is_down = flipping < SQUARES and (down >> flipping) & 1 == 1
        _refuse(not is_down or quiet != 0, "only a face-down piece can be flipped")
    for left, most in ((left_red, living[0]), (left_black, living[1])):
        _refuse(not most <= left <= SET, "the count of remaining pieces is wrong")
    return (
        *(p0, p1, p2, red, down, down_count, bag),
        *(turn, seat_0, flipping, quiet, left_red, left_black),
    )


def checked_turns(turns: object, parts: Parts, repetition: bool) -> Turns:
    """Return the quiet turns. Raises `InvalidState` unless they lead to the given position."""
    if not isinstance(turns, tuple):
        raise InvalidState("the quiet turns must be a tuple")
    _refuse(len(turns) > (parts[10] if repetition else 0), "there are too many quiet turns")
    found: list[tuple[int, int, int, int, int]] = []
    board = parts[:4]
    for turn in reversed(turns):
        action, p0, p1, p2, red = _numbers(turn, 5)
        _refuse(not FIRST_MOVE <= action < NUM_ACTIONS, "a quiet turn must be a move")
        source, target = divmod(action - FIRST_MOVE, SQUARES)
        after = tuple([_moved(plane, source, target) for plane in (p0, p1, p2, red)])
        taken = (p0 | p1 | p2 | parts[4]) >> target & 1
        _refuse(taken == 1 or after != board, "the quiet turns do not lead to this board")
        board = (p0, p1, p2, red)
        found.append((action, p0, p1, p2, red))
    found.reverse()
    return tuple(found)


def _standing(p0: i64, p1: i64, p2: i64, red: i64, piece: i64) -> i64:
    """Return how many of a piece are face-up."""
    rank = KINDS - piece % KINDS
    mask = red if piece < KINDS else ~red
    mask &= p0 if rank & 1 else ~p0
    mask &= p1 if rank & 2 else ~p1
    mask &= p2 if rank & 4 else ~p2
    return count(mask & ALL)


def _moved(plane: int, source: int, target: int) -> int:
    return (plane & ~(1 << source)) | ((plane >> source & 1) << target)


def _numbers(values: object, length: int) -> tuple[int, ...]:
    """Return `length` ints from -1 to 2**62 - 1. Raises `InvalidState` for anything else."""
    if not isinstance(values, tuple) or len(values) != length:
        raise InvalidState(f"expected {length} numbers, not {shown(values)}")
    for at, value in enumerate(values):
        low = -1 if length == 13 and at in (8, 9) else 0
        if not is_int(value) or not low <= value < 2**62:
            raise InvalidState(f"number {at + 1} of {length} cannot be {shown(value)}")
    return values


def _refuse(wrong: bool, why: str) -> None:
    if wrong:
        raise InvalidState(why)
