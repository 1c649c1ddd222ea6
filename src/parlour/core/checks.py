"""Checks at the doors, and how a wrong value is shown in a message."""

import operator

from parlour.core.errors import ParlourError

LONGEST_SHOWN = 60


def shown(value: object) -> str:
    """The value for a message: its `repr`, shortened, even if that is too long or raises."""
    try:
        text = repr(value)
    except Exception:
        text = f"something of type {type_name(value)}"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def printable(text: str) -> str:
    """The text as a terminal may be given it: signs that would steer the terminal are escaped.

    Lines stay lines. What a file, a package or an agent wrote could otherwise move the cursor,
    paint over what stands there, or reverse the direction of reading.
    """
    if text.isprintable():
        return text
    return "".join(
        [sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in text]
    )


def is_encodable(text: str) -> bool:
    """Whether the text can be written to a file: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def type_name(value: object) -> str:
    """The name of the value's type, even if that type does not want to tell."""
    try:
        return type(value).__name__
    except Exception:
        return "unknown type"


def is_int(value: object) -> bool:
    """Whether the value is an int and no bool; asked by type, so that no method of it runs."""
    kind = type(value)
    return kind is int or (issubclass(kind, int) and not issubclass(kind, bool))


def as_int(value: object) -> int | None:
    """An int as it is, an integer of another library by its value, anything else `None`."""
    kind = type(value)
    if kind is int:
        assert isinstance(value, int)
        return value
    if issubclass(kind, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except Exception:
        return None


def check_count(name: str, value: object, least: int) -> int:
    """The value; `TypeError` unless it is an int, `ValueError` unless it is at least `least`."""
    if not is_int(value):
        raise TypeError(f"{name} must be an int, not {type_name(value)}: {shown(value)}")
    assert isinstance(value, int)
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {shown(value)}")
    return int(value)


def check_text(what: str, value: object, error: type[ParlourError]) -> str:
    """The text without the space around it; the error unless it is a str."""
    if not issubclass(type(value), str):
        raise error(f"{what} is a str, not {type_name(value)}: {shown(value)}")
    assert isinstance(value, str)
    return str.strip(value)
