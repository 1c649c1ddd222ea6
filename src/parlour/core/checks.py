"""Checks of arguments, and wrong values as text for error messages."""

import operator

from parlour.core.errors import ParlourError

LONGEST_SHOWN = 60


def shown(value: object) -> str:
    """Return the value's `repr` for a message: shortened, and safe if `repr` raises."""
    try:
        text = repr(value)
    except Exception:
        text = f"a value of type {type_name(value)}"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def counted(count: int, noun: str) -> str:
    """Return `1 action` or `2 actions`."""
    return f"1 {noun}" if count == 1 else f"{count} {noun}s"


def printable(text: str) -> str:
    """Return the text with control characters escaped, so that a terminal can show it safely.

    Line breaks stay. Text from a file, a package or an agent could otherwise move the cursor,
    overwrite the screen, or reverse the reading direction.
    """
    if text.isprintable():
        return text
    return "".join(
        [sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in text]
    )


def is_encodable(text: str) -> bool:
    """Return whether the text can be written to a file: a lone surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def type_name(value: object) -> str:
    """Return the name of the value's type, even if reading it raises."""
    try:
        return type(value).__name__
    except Exception:
        return "unknown type"


def is_int(value: object) -> bool:
    """Return whether the value is an int but not a bool, without calling its methods."""
    kind = type(value)
    return kind is int or (issubclass(kind, int) and not issubclass(kind, bool))


def as_int(value: object) -> int | None:
    """Return the value as an int, also for integers of other libraries; otherwise `None`.

    Bools are refused.
    """
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
    """Return the value. Raises `TypeError` unless it is an int, `ValueError` below `least`."""
    if not is_int(value):
        raise TypeError(f"{name} must be an int, not {type_name(value)}: {shown(value)}")
    assert isinstance(value, int)
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {shown(value)}")
    return int(value)


def check_text(what: str, value: object, error: type[ParlourError]) -> str:
    """Return the text stripped. Raises `error` unless it is a str."""
    if not issubclass(type(value), str):
        raise error(f"{what} must be a str, not {type_name(value)}: {shown(value)}")
    assert isinstance(value, str)
    return str.strip(value)
