"""The protocol between a program and the processes of its agents.

A frame is its length in four bytes, then the data. Questions are pickled by the program that
owns the game. Answers are JSON: output of an agent's process is untrusted and never unpickled.
"""

import json
import math
import os
import pickle
import select
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.agents.base import AT_MOST, EXACT, Analysis, Choice, Count, Counted
from parlour.core.errors import printable

LENGTH_BYTES = 4
LARGEST_QUESTION = 64 * 2**20
LARGEST_ANSWER = 8 * 2**20
LONGEST_TEXT = 2_000

BEGIN = "begin"
WATCH = "watch"
CHOOSE = "choose"
ANALYSE = "analyse"
COUNT = "count"
CHECK = "check"
SEEDED = "seeded"
CLOSE = "close"

LOOK_SECONDS = 0.25
"""Interval at which a reader checks whether the other side is alive."""


class BadFrame(Exception):
    """The frame is too large, truncated or invalid; the message says which."""


class Question(NamedTuple):
    """A question to an agent's process."""

    number: int
    """The number of the agent."""
    text: str
    """The agent's text; the first question creates the agent from it."""
    verb: str
    arguments: tuple[object, ...]


def question_to_bytes(question: Question) -> bytes:
    """Pickle the question as a plain tuple; raises `BadFrame` if that fails."""
    try:
        data = pickle.dumps(tuple(question))
    except Exception as error:  # pickling runs methods of the state
        raise BadFrame(
            f"this game cannot be sent to another process: {type(error).__name__}"
        ) from error
    if len(data) > LARGEST_QUESTION:
        raise BadFrame(f"this game is too large for another process ({len(data)} bytes)")
    return data


def question_from_bytes(data: bytes) -> Question:
    """Decode the output of `question_to_bytes`."""
    return Question(*pickle.loads(data))


def answer_to_bytes(value: object) -> bytes:
    """Encode an answer, which must be plain data."""
    return json.dumps({"value": value}).encode()


def error_to_bytes(message: str, code: str) -> bytes:
    """Encode an error as an answer."""
    return json.dumps({"error": message[:LONGEST_TEXT], "code": code}).encode()


class Failure(NamedTuple):
    """An error in an agent's process."""

    message: str
    code: str


def answer_from_bytes(data: bytes, read: Callable[[object], Any]) -> Any:
    """Return the answer decoded by `read`, or a `Failure`; raises `BadFrame` if it is invalid."""
    try:
        answer = json.loads(data, parse_constant=_no_number)
        if not isinstance(answer, dict):
            raise TypeError("an answer must be an object")
        if "error" in answer:
            return Failure(_text(answer["error"]) or "no reason given", _text(answer.get("code")))
        return read(answer["value"])
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError) as error:
        raise BadFrame("its process sent an invalid answer") from error


def _no_number(word: str) -> object:
    raise ValueError(word)


# Values of answers as plain data, and back.


def nothing(value: object) -> None:
    """Accept the empty answer to an event."""
    if value is not None:
        raise TypeError("this question has no answer")


def text(value: object) -> str:
    """Accept one line of text without control characters."""
    if not isinstance(value, str) or printable(value) != value:
        raise TypeError("not a line of text")
    return value


def choice_to_data(action: int, opinion: object) -> object:
    """Encode an action and an opinion; an opinion that is not finite becomes `None`."""
    is_number = isinstance(opinion, int | float) and math.isfinite(opinion)
    return [action, float(opinion) if is_number else None]  # type: ignore[arg-type]


def choice_from_data(value: Any) -> tuple[int, float | None]:
    """Decode the output of `choice_to_data`."""
    action, opinion = value
    return _int(action), None if opinion is None else _float(opinion)


def counts_from_data(value: Any) -> Counted:
    """Decode the root statistics of a search."""
    sims, counts = value
    return Counted(_int(sims), tuple(Count(_int(a), _int(n), _float(t)) for a, n, t in counts))


def analysis_to_data(analysis: Analysis) -> object:
    """Encode an analysis as lists."""
    return [
        [_choice_fields(choice) for choice in analysis.choices],
        int(analysis.work),
        float(analysis.seconds),
    ]


def _choice_fields(choice: Choice) -> list[object]:
    given = Choice(*choice)
    return [
        *(int(given.action), given.text, float(given.value), int(given.visits), int(given.depth)),
        *(list(given.line), given.bound, int(given.ends_in)),
    ]


def analysis_from_data(value: Any) -> Analysis:
    """Decode the output of `analysis_to_data`; at least one choice is required."""
    choices, work, seconds = value
    if not isinstance(choices, list) or not choices:
        raise ValueError("no choices")
    return Analysis(tuple(map(_choice, choices)), _int(work), _float(seconds))


def _choice(value: Any) -> Choice:
    action, words, worth, visits, depth, line, bound, ends_in = value
    if not isinstance(line, list) or bound not in (EXACT, AT_MOST):
        raise ValueError("not a choice")
    return Choice(
        *(_int(action), _text(words), _float(worth), _int(visits), _int(depth)),
        *(tuple(map(_text, line)), bound, _int(ends_in)),
    )


def _int(value: object) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise TypeError("not an int")
    return value


def _float(value: object) -> float:
    if type(value) not in (int, float):
        raise TypeError("not a number")
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number):
        raise ValueError("not a finite number")
    return number


def _text(value: object) -> str:
    """Return the text, truncated and without control characters."""
    if not isinstance(value, str):
        raise TypeError("not a text")
    return printable(value[:LONGEST_TEXT])


# Frames.


def write_frame(pipe: int, data: bytes, is_alive: Callable[[], bool] = lambda: True) -> None:
    """Write a frame; raises `EOFError` if the reader is gone, and `OSError`."""
    rest = memoryview(len(data).to_bytes(LENGTH_BYTES, "big") + data)
    while rest:
        if not _is_ready(pipe, True):
            if not is_alive():
                raise EOFError
            continue
        try:
            rest = rest[os.write(pipe, rest) :]
        except BlockingIOError:
            continue


def read_frame(
    pipe: int,
    largest: int,
    is_alive: Callable[[], bool] = lambda: True,
    seconds: float | None = None,
) -> bytes:
    """Return the next frame.

    Raises `EOFError` at the end of the pipe, or when the other side has ended and the pipe is
    empty, even if a third process keeps it open. Raises `BadFrame` for a frame larger than
    `largest`, and `TimeoutError` after `seconds`.
    """
    until = None if seconds is None else time.monotonic() + seconds
    length = int.from_bytes(_read(pipe, LENGTH_BYTES, is_alive, until), "big")
    if length > largest:
        raise BadFrame(f"its process sent {length} bytes at once; the limit is {largest}")
    return _read(pipe, length, is_alive, until)


def _read(pipe: int, count: int, is_alive: Callable[[], bool], until: float | None) -> bytes:
    parts: list[bytes] = []
    while count:
        was_alive = is_alive()  # first, because data written before the end is still read below
        if not _is_ready(pipe, False):
            if not was_alive:
                raise EOFError
            if until is not None and time.monotonic() > until:
                raise TimeoutError
            continue
        try:
            part = os.read(pipe, min(count, 2**16))
        except BlockingIOError:
            continue
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _is_ready(pipe: int, to_write: bool) -> bool:
    """Wait a moment; return whether the pipe is ready."""
    if not hasattr(select, "poll"):
        return True  # pipes cannot be polled there, and reads block
    poll = select.poll()
    poll.register(pipe, select.POLLOUT if to_write else select.POLLIN)
    return bool(poll.poll(LOOK_SECONDS * 1000))
