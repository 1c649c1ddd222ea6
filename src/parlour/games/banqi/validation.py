"""The parts of a pickled position of Banqi, checked before anything is made of them.

A pickle comes from a file or another process: what it says may be wrong in any way.
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
    """The numbers of `BanqiState`, if a position can have them; else `InvalidState`."""
    found = _numbers(parts, 13)
    p0, p1, p2, red, down, down_count, bag, turn, seat_0, flipping, quiet, left_red, left_black = (
        found
    )
    up = p0 | p1 | p2
    _refuse(max(up, down) > ALL, "a square is not on the board")
    _refuse(red & ~up != 0 or up & down != 0, "a square holds two things")
    _refuse(bag >= BIT[4 * PIECES], "there are 14 kinds of pieces")
    hidden = 0
    living = [0, 0]
    for piece in range(PIECES):
        lying = (bag >> (4 * piece)) & 15
        standing = _standing(p0, p1, p2, red, piece)
        hidden += lying
        living[piece // KINDS] += lying + standing
        _refuse(lying + standing > SET_SIZES[piece % KINDS], "there are more pieces than a set has")
    _refuse(not hidden == down_count == count(down), "the face-down pieces are counted wrongly")
    _refuse(turn > 1 or seat_0 > 1, "there are two colours")
    _refuse(seat_0 == NO_COLOUR and up != 0, "colours come with the first face-up piece")
    _refuse(
        seat_0 == NO_COLOUR and (turn != 0 or quiet != 0), "nothing comes before the first flip"
    )
    _refuse(quiet > quiet_limit, f"the quiet turns are 0 to {quiet_limit}")
    if flipping != NOTHING:
        is_down = flipping < SQUARES and (down >> flipping) & 1 == 1
        _refuse(not is_down or quiet != 0, "only a face-down piece can be flipped")
    for left, most in ((left_red, living[0]), (left_black, living[1])):
        _refuse(not most <= left <= SET, "the pieces that are left are counted wrongly")
    return (
        *(p0, p1, p2, red, down, down_count, bag),
        *(turn, seat_0, flipping, quiet, left_red, left_black),
    )


def checked_turns(turns: object, parts: Parts, repetition: bool) -> Turns:
    """The quiet turns that led to the position with these parts; else `InvalidState`."""
    if not isinstance(turns, tuple):
        raise InvalidState("quiet turns are a tuple")
    _refuse(len(turns) > (parts[10] if repetition else 0), "there are too many quiet turns")
    found: list[tuple[int, int, int, int, int]] = []
    board = parts[:4]
    for turn in reversed(turns):
        action, p0, p1, p2, red = _numbers(turn, 5)
        _refuse(not FIRST_MOVE <= action < NUM_ACTIONS, "a quiet turn is a move")
        source, target = divmod(action - FIRST_MOVE, SQUARES)
        after = tuple([_moved(plane, source, target) for plane in (p0, p1, p2, red)])
        taken = (p0 | p1 | p2 | parts[4]) >> target & 1
        _refuse(taken == 1 or after != board, "the quiet turns do not lead to this board")
        board = (p0, p1, p2, red)
        found.append((action, p0, p1, p2, red))
    found.reverse()
    return tuple(found)


def _standing(p0: i64, p1: i64, p2: i64, red: i64, piece: i64) -> i64:
    """How many of a piece are face-up."""
    rank = KINDS - piece % KINDS
    mask = red if piece < KINDS else ~red
    mask &= p0 if rank & 1 else ~p0
    mask &= p1 if rank & 2 else ~p1
    mask &= p2 if rank & 4 else ~p2
    return count(mask & ALL)


def _moved(plane: int, source: int, target: int) -> int:
    return (plane & ~(1 << source)) | ((plane >> source & 1) << target)


def _numbers(values: object, length: int) -> tuple[int, ...]:
    """So many ints from -1 to 2**62 - 1, or `InvalidState`."""
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
