"""The fields of the start screen and the values that they step through."""

import math
from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from parlour.core.errors import ParlourError
from parlour.core.options import AUTO, Option
from parlour.table import PERSON

FRACTION_STEPS = 20
"""The number of steps through the values of a fraction."""


class FieldKind(Enum):
    """The kind of a field."""

    OPTION = "option"
    PEOPLE = "people"
    SEAT = "seat"
    CLOCK = "clock"
    SEED = "seed"


class Field(NamedTuple):
    """One value to choose."""

    kind: FieldKind
    name: str
    value: str
    help: str
    values: tuple[str, ...] = ()
    """The values to step through; others must be typed."""
    problem: str = ""
    """What is wrong with the value; empty if it is valid."""
    label: str = ""
    """The name in words; the name itself if empty."""
    shown: str = ""
    """The value in words; the value itself if empty."""

    @property
    def heading(self) -> str:
        """The name in words, with a capital letter."""
        words = self.label or self.name
        return words[:1].upper() + words[1:]


def problem_of(check: Callable[[], object]) -> str:
    """Return the message of the error that a check raises; empty if it raises none."""
    try:
        check()
    except ParlourError as error:
        return str(error)
    return ""


def option_field(option: Option, value: str) -> Field:
    """Return the field of a game's option with that value, valid or not."""
    values = option.choices or (("true", "false") if option.kind == "flag" else ())
    problem = problem_of(lambda: option.from_text(value))
    words = f"{option.help} ({option.expectation()})"
    shown = "yes" if value == "true" else "no" if value == "false" else ""
    if option.choice_labels and value in option.choices:
        shown = option.choice_labels[option.choices.index(value)]
    label = option.words()
    return Field(FieldKind.OPTION, option.name, value, words, values, problem, label, shown)


def player_words(who: str) -> str:
    """Return the holder of a seat in words."""
    kind, _, level = who.partition(":")
    if kind == "level" and level.isdecimal():
        return f"level {level} of 9"
    return {PERSON: "a person", "best": "the strongest"}.get(who, "")


def next_value(values: Sequence[str], value: str, by: int) -> str:
    """Return the next or previous value, cyclically; the first if `value` is unknown."""
    if value not in values:
        return values[0]
    return values[(values.index(value) + by) % len(values)]


def stepped(option: Option, value: str, by: int) -> str:
    """Return the next value of an option; `auto` comes first if it is allowed."""
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
        number = round(float(value) + by * unit, 9)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        number = least if by > 0 else most
    if number < least and auto:
        return AUTO
    number = min(max(number, least), most)
    return str(int(number)) if option.kind == "integer" else f"{number:g}"
