"""What the suite raises, and how it tells who broke which promise and what would mend it."""

import linecache
from collections.abc import Callable
from itertools import dropwhile
from traceback import walk_tb
from types import FrameType
from typing import NoReturn

from parlour.core.checks import shown
from parlour.core.errors import in_one_line

SUITE = "parlour.testing"


class ConformanceError(AssertionError):
    """A game broke a promise."""


def promise(kept: object, text: str, *values: object) -> None:
    """`ConformanceError` with the text, `{}` in it filled with the values, unless it is kept."""
    if not kept:
        raise ConformanceError(text.format(*[shown(value) for value in values]))


def broken(text: str) -> NoReturn:
    """`ConformanceError` with that text."""
    raise ConformanceError(text)


Kinds = type[Exception] | tuple[type[Exception], ...]


def instead_of(kinds: Kinds, call: Callable[..., object], *arguments: object) -> str:
    """What the call did instead of raising one of these errors with a text; empty if it did."""
    try:
        answer = call(*arguments)
    except kinds as error:
        return "" if str(error) else f"raised a {type(error).__name__} that says nothing"
    except Exception as error:
        return f"raised {in_one_line(error)}"
    return f"returned {shown(answer)}"


def told(error: Exception) -> str:
    """Which method raised an error where it must not, and where: `NimState.apply raised ...`."""
    frames = list(walk_tb(error.__traceback__))
    deepest = 0
    for number, (frame, _) in enumerate(frames):
        if _module(frame).startswith(SUITE):
            deepest = number
    asked, line = frames[deepest]
    below = frames[deepest + 1 :]
    if not below:
        # The call itself failed: what was called is on the suite's own line.
        source = linecache.getline(asked.f_code.co_filename, line).strip()
        return f"{source} raised {in_one_line(error)}"
    own = list(dropwhile(lambda found: _module(found[0]).startswith("parlour."), below)) or below
    frame, line = own[0]
    last, at = own[-1]
    place = f"{last.f_code.co_filename}, line {at}"
    return f"{frame.f_code.co_qualname} raised {in_one_line(error)} where it must not ({place})"


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
