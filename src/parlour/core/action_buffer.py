"""The actions of a step as they come in: any buffer of int64, or a list."""

import sys
from typing import Final

from librt.strings import read_i64_be, read_i64_le
from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.checks import as_int, shown, type_name
from parlour.core.errors import IllegalAction

_IS_LITTLE: Final = sys.byteorder == "little"


def read_actions(actions: object, count: int) -> bytes:
    """The bytes of so many int64, for `action_in`; `TypeError` or `ValueError` if they are not.

    `IllegalAction` for a number that int64 cannot hold.
    """
    if isinstance(actions, list | tuple):
        numbers = vec[i64]([0] * len(actions))
        for k, action in enumerate(actions):
            number = as_int(action)
            if number is None:
                raise TypeError(
                    f"game {k}: an action is an int, not {type_name(action)}: {shown(action)}"
                )
            if not -(2**63) <= number < 2**63:
                raise IllegalAction(f"game {k}: no action has an id as large as {shown(number)}")
            numbers[k] = number
        view = memoryview(numbers)
    else:
        try:
            view = memoryview(actions)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(
                f"actions are a buffer of int64 or a list of ints, not {type_name(actions)}"
            ) from None
    if view.format not in ("q", "l") or view.itemsize != 8:
        raise TypeError(
            "actions are int64 (the format 'q'), not of the format "
            f"{view.format!r} with {view.itemsize} bytes each: convert them first"
        )
    if view.ndim != 1 or len(view) != count:
        raise ValueError(
            f"there are {count} games, so actions has the shape ({count},), not {view.shape}"
        )
    return view.tobytes()


def action_in(data: bytes, i: i64) -> i64:
    """The action of game i."""
    return read_i64_le(data, i * 8) if _IS_LITTLE else read_i64_be(data, i * 8)
