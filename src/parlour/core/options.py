"""The options of a game: declared once, checked at one door, written in records."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from parlour.core.checks import is_encodable, is_int, shown
from parlour.core.errors import OptionError

Value = int | float | bool | str | None

AUTO = "auto"


class Option(NamedTuple):
    """One option. Its type is the type of its values; `None` means "the game decides".

    Build it with `integer`, `fraction`, `flag`, `choice` or `text`.
    """

    name: str
    kind: str
    default: Value
    help: str
    low: int | float = 0
    high: int | float = 0
    choices: tuple[str, ...] = ()

    def expectation(self) -> str:
        """What a right value looks like, to end a sentence with."""
        if self.kind == "flag":
            wanted = "true or false"
        elif self.kind == "choice":
            wanted = "one of " + ", ".join(self.choices)
        elif self.kind == "text":
            wanted = "a text"
        elif self.kind == "integer":
            wanted = f"an int from {self.low} to {self.high}"
        else:
            wanted = f"a number between {self.low:g} and {self.high:g}"
        return f"{wanted}, or auto (None)" if self.default is None else wanted

    def check(self, value: object) -> Value:
        """The value as the game will see it, or `OptionError`."""
        if value is None and self.default is None:
            return None
        if self.kind == "flag":
            if isinstance(value, bool):
                return value
        elif self.kind == "text":
            is_line = isinstance(value, str) and len(value.splitlines()) == 1
            if is_line and isinstance(value, str) and value.strip() and is_encodable(value):
                return value.strip()
        elif self.kind == "choice":
            for name in self.choices:
                if isinstance(value, str) and str.__eq__(name, value):
                    return name
        elif self.kind == "integer":
            if is_int(value) and isinstance(value, int) and self.low <= value <= self.high:
                return int(value)
        elif is_int(value) or isinstance(value, float):
            assert isinstance(value, int | float)
            number = _as_float(value)
            if self.low < number < self.high:
                return number
        raise OptionError(f"{self.name} must be {self.expectation()}, not {shown(value)}")

    def from_text(self, text: str) -> Value:
        """The value that `to_text` wrote, or `OptionError`."""
        value: object = text
        if text == AUTO and self.default is None:
            value = None
        elif self.kind == "flag":
            value = {"true": True, "false": False}.get(text, text)
        elif self.kind in ("integer", "fraction"):
            try:
                value = int(text) if self.kind == "integer" else float(text)
            except ValueError:
                value = text
        return self.check(value)

    def to_text(self, value: Value) -> str:
        """The value as one word."""
        if value is None:
            return AUTO
        if isinstance(value, bool):
            return "true" if value else "false"
        return repr(value) if isinstance(value, float) else str(value)


def _as_float(value: int | float) -> float:
    """The number as a plain float; an int that is too large for one is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def integer(name: str, default: int | None, low: int, high: int, help: str) -> Option:
    """A whole number from `low` to `high`, both included."""
    return Option(name, "integer", default, help, low, high)


def fraction(name: str, default: float | None, low: float, high: float, help: str) -> Option:
    """A number strictly between `low` and `high`."""
    return Option(name, "fraction", default, help, float(low), float(high))


def flag(name: str, default: bool | None, help: str) -> Option:
    """True or false."""
    return Option(name, "flag", default, help)


def choice(name: str, default: str, choices: tuple[str, ...], help: str) -> Option:
    """One of a few words."""
    return Option(name, "choice", default, help, 0, 0, choices)


def text(name: str, default: str | None, help: str) -> Option:
    """A line of text."""
    return Option(name, "text", default, help)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`" (did you mean 'size'?)"` for the nearest known word, or an empty string.

    Capitals do not count, and a beginning of one word alone is near to it.
    """
    import difflib  # here, because few runs need it and every run would pay for it

    names = list(known)
    written = {name.lower(): name for name in names}
    near = difflib.get_close_matches(word.lower(), list(written), n=1)
    begun = [name for name in written if word and name.startswith(word.lower())]
    if not near and len(begun) == 1:
        near = begun
    return f" (did you mean {written[near[0]]!r}?)" if near else ""


def find_option(game: str, declared: Iterable[Option], name: str) -> Option:
    """The option of that name, or `OptionError` with the nearest and all the names."""
    names: list[str] = []
    for option in declared:
        if option.name == name:
            return option
        names.append(option.name)
    known = "its options are " + ", ".join(names) if names else "it has no options"
    raise OptionError(f"{game} has no option {name!r}{did_you_mean(name, names)}; {known}")


def settings_from_text(owner: str, declared: Iterable[Option], text: str) -> dict[str, Value]:
    """Read a text like `size=2,stop_on_enemy=true`; `OptionError` if it is wrong."""
    words = [word.strip() for word in text.split(",")]
    return settings_from_words(owner, declared, [word for word in words if word])


def settings_from_words(
    owner: str, declared: Iterable[Option], words: Iterable[str]
) -> dict[str, Value]:
    """Read words like `size=2`; `OptionError` if one is wrong."""
    options = tuple(declared)
    values: dict[str, Value] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.strip()
        if not equals:
            example = options[0].name if options else "NAME"
            raise OptionError(f"{owner}: a setting reads like {example}=VALUE, not {shown(word)}")
        if name in values:
            raise OptionError(f"{owner}: {name} is given twice")
        values[name] = find_option(owner, options, name).from_text(value.strip())
    return values


def check_options(
    game: str, declared: Iterable[Option], given: Mapping[str, object]
) -> dict[str, Any]:
    """Every declared option with its value, given or default; `OptionError` for a wrong one."""
    options = tuple(declared)
    values: dict[str, Value] = {option.name: option.default for option in options}
    for name, value in given.items():
        values[name] = find_option(game, options, name).check(value)
    return values
