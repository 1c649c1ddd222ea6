"""The errors of the suite: the broken promise, what to do about it, and where it happened."""

import linecache
import sys
import sysconfig
from collections.abc import Callable
from itertools import dropwhile
from traceback import walk_tb
from types import FrameType
from typing import NoReturn

from parlour.core.checks import shown
from parlour.core.errors import in_one_line

SUITE = "parlour.testing"
LIBRARY = sysconfig.get_paths()["stdlib"]


class ConformanceError(AssertionError):
    """A game broke a promise of the contract."""

    def __init__(self, message: str, kind: str = "") -> None:
        """Remember the kind of failure: two failures of one kind have the same cause."""
        super().__init__(message)
        self.kind = kind


def promise(kept: object, message: str, *values: object, cure: str) -> None:
    """Raise `ConformanceError` unless `kept`. The values replace each `{}` in the message."""
    if not kept:
        broken(message.format(*[shown(value) for value in values]), cure=cure)


def broken(message: str, *, cure: str) -> NoReturn:
    """Raise `ConformanceError`."""
    raise failed(message, cure=cure)


def failed(message: str, *, cure: str) -> ConformanceError:
    """Return the error, for `raise ... from`; it names the author's line that raised."""
    return ConformanceError(f"{message}{_place(sys.exception())}. {cure}", cure)


Kinds = type[Exception] | tuple[type[Exception], ...]


def instead_of(kinds: Kinds, call: Callable[..., object], *arguments: object) -> str:
    """Return what the call did instead of raising one of these errors; empty if it raised one."""
    try:
        answer = call(*arguments)
    except kinds as error:
        return "" if str(error) else f"raised a {type(error).__name__} without a message"
    except Exception as error:
        return f"raised {in_one_line(error)}{_place(error)}"
    return f"returned {shown(answer)}"


def _place(error: BaseException | None) -> str:
    """Return the author's file and line that raised, or an empty text."""
    if error is None:
        return ""
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        if _is_of_an_author(frame):
            return f" ({frame.f_code.co_filename}, line {line})"
    return ""


def unexpected(error: Exception) -> ConformanceError:
    """Return the broken promise of a method that raised: `NimState.apply must not raise ...`."""
    told = describe_failure(error)
    return ConformanceError(told, f"{told.split(' ')[0]} {type(error).__name__}")


def describe_failure(error: Exception) -> str:
    """Return which method raised an unexpected error, and where."""
    frames = list(walk_tb(error.__traceback__))
    deepest = 0
    for number, (frame, _) in enumerate(frames):
        if _module(frame).startswith(SUITE):
            deepest = number
    asked, line = frames[deepest]
    below = frames[deepest + 1 :]
    if not below:
        # The call itself failed, so the suite's own line names the method.
        source = linecache.getline(asked.f_code.co_filename, line).strip()
        return f"{source} raised {in_one_line(error)}"
    own = list(dropwhile(lambda found: _module(found[0]).startswith("parlour."), below)) or below
    frame, line = own[0]
    last, at = next((found for found in reversed(own) if _is_of_an_author(found[0])), own[-1])
    place = f"{last.f_code.co_filename}, line {at}"
    return f"{frame.f_code.co_qualname} must not raise {in_one_line(error)} ({place})"


def _is_of_an_author(frame: FrameType) -> bool:
    """Whether the code belongs neither to Parlour nor to Python's library."""
    file = frame.f_code.co_filename
    is_python = file.startswith((LIBRARY, "<frozen")) and "site-packages" not in file
    return not is_python and not _module(frame).startswith("parlour.")


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
