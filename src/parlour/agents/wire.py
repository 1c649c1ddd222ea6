"""What passes between a program and the processes of its agents, frame by frame.

A frame is four bytes with its length, then so many bytes. Questions are pickled, by the
program that owns the game. Answers are JSON and nothing else: what an agent's process wrote
is data of somebody else, and is never unpickled.
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
"""How often a reader looks whether the other side is still alive."""


class BadFrame(Exception):
    """Too large, cut short, or not what was agreed; the text says which."""


class Question(NamedTuple):
    """What an agent's process is asked."""

    number: int
    """Which agent."""
    text: str
    """The agent's text, from which it is made at the first question."""
    verb: str
    arguments: tuple[object, ...]


def question_to_bytes(question: Question) -> bytes:
    """The question pickled, as a plain tuple; `BadFrame` if that cannot be done."""
    try:
        data = pickle.dumps(tuple(question))
    except Exception as error:  # the state's own methods run here
        raise BadFrame(f"this game cannot be handed over: {type(error).__name__}") from error
    if len(data) > LARGEST_QUESTION:
        raise BadFrame(f"this game is too large to be handed over ({len(data)} bytes)")
    return data


def question_from_bytes(data: bytes) -> Question:
    """What `question_to_bytes` wrote."""
    return Question(*pickle.loads(data))


def answer_to_bytes(value: object) -> bytes:
    """An answer: plain values only."""
    return json.dumps({"value": value}).encode()


def error_to_bytes(message: str, code: str) -> bytes:
    """An answer that says what went wrong."""
    return json.dumps({"error": message[:LONGEST_TEXT], "code": code}).encode()


class Failure(NamedTuple):
    """What went wrong in an agent's process."""

    message: str
    code: str


def answer_from_bytes(data: bytes, read: Callable[[object], Any]) -> Any:
    """The answer as `read` takes it, or a `Failure`; `BadFrame` for anything else."""
    try:
        answer = json.loads(data, parse_constant=_no_number)
        if not isinstance(answer, dict):
            raise TypeError("an answer is an object")
        if "error" in answer:
            return Failure(_text(answer["error"]) or "no reason given", _text(answer.get("code")))
        return read(answer["value"])
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError) as error:
        raise BadFrame("its process wrote what is not an answer") from error


def _no_number(word: str) -> object:
    raise ValueError(word)


# The values of answers, as plain data and back.


def nothing(value: object) -> None:
    """The answer to what is only told."""
    if value is not None:
        raise TypeError("there is nothing to answer")


def text(value: object) -> str:
    """An answer that is a text, as it is: one line, and nothing that a terminal would obey."""
    if not isinstance(value, str) or printable(value) != value:
        raise TypeError("this is not a line of text")
    return value


def choice_to_data(action: int, opinion: object) -> object:
    """An action and an opinion; one that is not a finite number is none."""
    is_number = isinstance(opinion, int | float) and math.isfinite(opinion)
    return [action, float(opinion) if is_number else None]  # type: ignore[arg-type]


def choice_from_data(value: Any) -> tuple[int, float | None]:
    """What `choice_to_data` wrote."""
    action, opinion = value
    return _int(action), None if opinion is None else _float(opinion)


def counts_from_data(value: Any) -> Counted:
    """What a search by playouts found; it came as lists."""
    sims, counts = value
    return Counted(_int(sims), tuple(Count(_int(a), _int(n), _float(t)) for a, n, t in counts))


def analysis_to_data(analysis: Analysis) -> object:
    """An analysis as lists."""
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
    """What `analysis_to_data` wrote, with a choice at least."""
    choices, work, seconds = value
    if not isinstance(choices, list) or not choices:
        raise ValueError("there is no choice")
    return Analysis(tuple(map(_choice, choices)), _int(work), _float(seconds))


def _choice(value: Any) -> Choice:
    action, words, worth, visits, depth, line, bound, ends_in = value
    if not isinstance(line, list) or bound not in (EXACT, AT_MOST):
        raise ValueError("this is not a choice")
    return Choice(
        *(_int(action), _text(words), _float(worth), _int(visits), _int(depth)),
        *(tuple(map(_text, line)), bound, _int(ends_in)),
    )


def _int(value: object) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise TypeError("this is not an int")
    return value


def _float(value: object) -> float:
    if type(value) not in (int, float):
        raise TypeError("this is not a number")
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number):
        raise ValueError("this is not a number")
    return number


def _text(value: object) -> str:
    """Short, and without anything that a terminal would obey."""
    if not isinstance(value, str):
        raise TypeError("this is not a text")
    return printable(value[:LONGEST_TEXT])


# Frames.


def write_frame(pipe: int, data: bytes, is_alive: Callable[[], bool] = lambda: True) -> None:
    """Write a frame; `EOFError` if nobody reads any more, `OSError` as it comes."""
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
    """The next frame.

    Raises `EOFError` at the end of the pipe, or when the other side is not alive and has
    nothing more to say, even if somebody else keeps the pipe open; `BadFrame` for a frame
    that is larger than `largest`, `TimeoutError` after so many seconds.
    """
    until = None if seconds is None else time.monotonic() + seconds
    length = int.from_bytes(_read(pipe, LENGTH_BYTES, is_alive, until), "big")
    if length > largest:
        raise BadFrame(f"its process wrote {length} bytes at once, more than {largest}")
    return _read(pipe, length, is_alive, until)


def _read(pipe: int, count: int, is_alive: Callable[[], bool], until: float | None) -> bytes:
    parts: list[bytes] = []
    while count:
        was_alive = is_alive()  # asked first: what it wrote before its end is read below
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
    """Whether the pipe can be used now; waits a moment for it."""
    if not hasattr(select, "poll"):
        return True  # where pipes cannot be watched, reading them waits
    poll = select.poll()
    poll.register(pipe, select.POLLOUT if to_write else select.POLLIN)
    return bool(poll.poll(LOOK_SECONDS * 1000))
