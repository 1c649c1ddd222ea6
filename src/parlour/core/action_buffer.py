"""Read the actions of a batch step from a buffer of int64 or a list."""

import sys
from typing import Final

from librt.strings import read_i64_be, read_i64_le
from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.checks import as_int, shown, type_name
from parlour.core.errors import IllegalAction

_IS_LITTLE: Final = sys.byteorder == "little"


def read_actions(actions: object, count: int) -> bytes:
    """Return `count` actions as the bytes of int64, for `action_in`.

    Raises `TypeError` for another type, `ValueError` for another shape, and `IllegalAction` for a
    number that int64 cannot hold.
    """
    if isinstance(actions, list | tuple):
        numbers = vec[i64]([0] * len(actions))
        for k, action in enumerate(actions):
            number = as_int(action)
            if number is None:
                raise TypeError(
                    f"game {k}: an action must be an int, not {type_name(action)}: {shown(action)}"
                )
            if not -(2**63) <= number < 2**63:
                raise IllegalAction(f"game {k}: an action must fit in 64 bits, not {shown(number)}")
            numbers[k] = number
        view = memoryview(numbers)
    else:
        try:
            view = memoryview(actions)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(
                f"actions must be a buffer of int64 or a list of ints, not {type_name(actions)}"
            ) from None
    if view.format not in ("q", "l") or view.itemsize != 8:
        raise TypeError(
            f"actions must be int64 (format 'q'), not format {view.format!r} with "
            f"{view.itemsize} bytes each: convert them first"
        )
    if view.ndim != 1 or len(view) != count:
        raise ValueError(f"actions must have the shape ({count},), one per game, not {view.shape}")
    return view.tobytes()


def action_in(data: bytes, i: i64) -> i64:
    """Return the action of game i."""
    return read_i64_le(data, i * 8) if _IS_LITTLE else read_i64_be(data, i * 8)
