"""The fields of the start screen: what each is about, and the values that it steps through."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from parlour.core.errors import ParlourError
from parlour.core.options import AUTO, Option

FRACTION_STEPS = 20
"""So many steps lead through the values of a fraction."""


class FieldKind(Enum):
    """What a field is about."""

    OPTION = "option"
    PEOPLE = "people"
    SEAT = "seat"
    CLOCK = "clock"
    SEED = "seed"


class Field(NamedTuple):
    """One thing to choose."""

    kind: FieldKind
    name: str
    value: str
    help: str
    values: tuple[str, ...] = ()
    """What can be stepped through; other values are typed."""
    problem: str = ""
    """What is wrong with the value, in a sentence; or empty."""


def problem_of(check: Callable[[], object]) -> str:
    """What a check raises, in words; empty if it raises nothing."""
    try:
        check()
    except ParlourError as error:
        return str(error)
    return ""


def option_field(option: Option, value: str) -> Field:
    """The field of a game's option with that value, right or wrong."""
    values = option.choices or (("true", "false") if option.kind == "flag" else ())
    problem = problem_of(lambda: option.from_text(value))
    words = f"{option.help} ({option.expectation()})"
    return Field(FieldKind.OPTION, option.name, value, words, values, problem)


def next_value(values: Sequence[str], value: str, by: int) -> str:
    """The value after this one, or before it, round and round; the first if it is not there."""
    if value not in values:
        return values[0]
    return values[(values.index(value) + by) % len(values)]


def stepped(option: Option, value: str, by: int) -> str:
    """The next value of an option; one that the game may decide has `auto` before all others."""
    auto = (AUTO,) if option.default is None else ()
    if option.kind == "choice":
        return next_value((*auto, *option.choices), value, by)
    if option.kind == "flag":
        return next_value((*auto, "true", "false"), value, by)
    if option.kind == "text":
        return value
    span = option.high - option.low
    unit = 1 if option.kind == "integer" else span / FRACTION_STEPS
    least = option.low if option.kind == "integer" else option.low + unit
    most = option.high if option.kind == "integer" else option.high - unit
    try:
        number = float(value)
    except ValueError:
        number = least if by > 0 else most
    else:
        number = round(number + by * unit, 9)
    if number < least and auto:
        return AUTO
    number = min(max(number, least), most)
    return str(int(number)) if option.kind == "integer" else f"{number:g}"
