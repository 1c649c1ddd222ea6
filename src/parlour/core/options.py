"""The options of a game: declared once, checked in one place, written in records."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from parlour.core.checks import is_encodable, is_int, shown
from parlour.core.errors import OptionError

Value = int | float | bool | str | None

AUTO = "auto"


class Option(NamedTuple):
    """A declared option. Make one with `integer`, `fraction`, `flag`, `choice` or `text`.

    If the default is `None`, the value `None` ("auto") lets the game decide.

    >>> from parlour import options
    >>> options.integer("size", 4, 1, 9, "half the side of the board").default
    4
    """

    name: str
    kind: str
    default: Value
    help: str
    low: int | float = 0
    high: int | float = 0
    choices: tuple[str, ...] = ()
    label: str = ""
    """What forms call the option; its name in words if empty."""
    choice_labels: tuple[str, ...] = ()
    """What forms call the choices, in the same order; the choices themselves if empty."""

    def words(self) -> str:
        """Return what forms call the option.

        >>> from parlour import options
        >>> options.flag("fast_mode", False, "skip animations").words()
        'fast mode'
        """
        return self.label or self.name.replace("_", " ")

    def expectation(self) -> str:
        """Return what values are allowed, as the end of a sentence.

        >>> from parlour import options
        >>> options.integer("size", 4, 1, 9, "half the side").expectation()
        'an int from 1 to 9'
        """
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
        return f"{wanted}, or auto" if self.default is None else wanted

    def check(self, value: object) -> Value:
        """Return the value for the game. Raises `OptionError` if it is not allowed.

        >>> from parlour import options
        >>> options.integer("size", 4, 1, 9, "half the side").check(5)
        5
        """
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
        """Return the value of a text. Raises `OptionError` if it is not allowed.

        >>> from parlour import options
        >>> options.flag("fast", False, "skip animations").from_text("true")
        True
        """
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
        """Return the value as text.

        >>> from parlour import options
        >>> options.flag("fast", False, "skip animations").to_text(True)
        'true'
        """
        if value is None:
            return AUTO
        if isinstance(value, bool):
            return "true" if value else "false"
        return repr(value) if isinstance(value, float) else str(value)


def _as_float(value: int | float) -> float:
    """Return the number as a float; an int that is too large becomes infinity."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def integer(
    name: str, default: int | None, low: int, high: int, help: str, label: str = ""
) -> Option:
    """Declare a whole number from `low` to `high`, both included.

    >>> from parlour import options
    >>> options.integer("size", 4, 1, 9, "half the side").high
    9
    """
    return Option(name, "integer", default, help, low, high, (), label)


def fraction(
    name: str, default: float | None, low: float, high: float, help: str, label: str = ""
) -> Option:
    """Declare a number strictly between `low` and `high`.

    >>> from parlour import options
    >>> options.fraction("share", 0.5, 0, 1, "of free cells").check(0.25)
    0.25
    """
    return Option(name, "fraction", default, help, float(low), float(high), (), label)


def flag(name: str, default: bool | None, help: str, label: str = "") -> Option:
    """Declare a value that is true or false.

    >>> from parlour import options
    >>> options.flag("fast", False, "skip animations").kind
    'flag'
    """
    return Option(name, "flag", default, help, 0, 0, (), label)


def choice(
    name: str,
    default: str,
    choices: tuple[str, ...],
    help: str,
    label: str = "",
    choice_labels: tuple[str, ...] = (),
) -> Option:
    """Declare a value that is one of several words. `choice_labels` names them for players.

    >>> from parlour import options
    >>> options.choice("mode", "duo", ("duo", "classic"), "players and board").choices
    ('duo', 'classic')
    """
    return Option(name, "choice", default, help, 0, 0, choices, label, choice_labels)


def text(name: str, default: str | None, help: str, label: str = "") -> Option:
    """Declare a value that is a line of text.

    >>> from parlour import options
    >>> options.text("map", "plain", "the name of a map").check(" hills ")
    'hills'
    """
    return Option(name, "text", default, help, 0, 0, (), label)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `" (did you mean 'size'?)"` for the nearest known word, or an empty string.

    Case and leading dashes are ignored, and an unambiguous prefix matches.
    """
    import difflib  # here, because few runs need it and every run would pay for it

    wanted = word.lower().lstrip("-")
    written = {name.lower().lstrip("-"): name for name in known}
    near = difflib.get_close_matches(wanted, list(written), n=1)
    begun = [name for name in written if wanted and name.startswith(wanted)]
    if not near and len(begun) == 1:
        near = begun
    return f" (did you mean {written[near[0]]!r}?)" if near else ""


def find_option(game: str, declared: Iterable[Option], name: str) -> Option:
    """Return the option of that name. Raises `OptionError`, which lists the names."""
    names: list[str] = []
    for option in declared:
        if option.name == name:
            return option
        names.append(option.name)
    known = "its options are " + ", ".join(names) if names else "it has no options"
    raise OptionError(f"{game} has no option {name!r}{did_you_mean(name, names)}; {known}")


def settings_from_text(owner: str, declared: Iterable[Option], text: str) -> dict[str, Value]:
    """Read a text like `size=2,stop_on_enemy=true`. Raises `OptionError`."""
    words = [word.strip() for word in text.split(",")]
    return settings_from_words(owner, declared, [word for word in words if word])


def settings_from_words(
    owner: str, declared: Iterable[Option], words: Iterable[str]
) -> dict[str, Value]:
    """Read words like `size=2`. Raises `OptionError`."""
    options = tuple(declared)
    values: dict[str, Value] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.strip()
        if not equals:
            example = options[0].name if options else "NAME"
            raise OptionError(f"{owner}: write a setting as {example}=VALUE, not {shown(word)}")
        if name in values:
            raise OptionError(f"{owner}: {name} is given twice")
        values[name] = find_option(owner, options, name).from_text(value.strip())
    return values


def check_options(
    game: str, declared: Iterable[Option], given: Mapping[str, object]
) -> dict[str, Any]:
    """Return a value for every declared option, given or default. Raises `OptionError`.

    >>> from parlour import options
    >>> declared = [options.integer("size", 4, 1, 9, "half the side")]
    >>> options.check_options("octa", declared, {"size": 2})
    {'size': 2}
    """
    options = tuple(declared)
    values: dict[str, Value] = {option.name: option.default for option in options}
    for name, value in given.items():
        values[name] = find_option(game, options, name).check(value)
    return values
