"""Checks of the settings that environments share."""

from collections.abc import Iterable
from typing import Any

from parlour.core.batch import LOSE as LOSE
from parlour.core.batch import RAISE as RAISE
from parlour.core.checks import as_int, is_int, shown, type_name
from parlour.core.errors import OptionError
from parlour.core.game import Game
from parlour.core.registry import game as find_game


def game_of(source: object, options: dict[str, Any]) -> Game:
    """Return the game itself, or create it from its name or text with these options."""
    if not isinstance(source, Game):
        return find_game(source, **options)
    if options:
        raise OptionError(
            f"options go with a game's name, not with {source!r}: {', '.join(options)}"
        )
    return source


def one_of(name: str, value: object, known: Iterable[object]) -> Any:
    """Return the value; raises `OptionError` unless it is one of `known`."""
    allowed = list(known)
    if value not in allowed:
        raise OptionError(f"{name} must be {_listed(allowed)}, not {shown(value)}")
    return value


def count(name: str, value: object, least: int) -> int:
    """Return the value; raises `OptionError` unless it is an int of at least `least`."""
    number = as_int(value)
    if number is None or number < least:
        raise OptionError(f"{name} must be an int of at least {least}, not {shown(value)}")
    return number


def optional_count(name: str, value: object) -> int | None:
    """Return `None` or a count of at least 1."""
    return None if value is None else count(name, value, 1)


def flag(name: str, value: object) -> bool:
    """Return the value; raises `OptionError` unless it is a bool."""
    if not isinstance(value, bool):
        raise OptionError(f"{name} must be True or False, not {shown(value)}")
    return value


def seat_or_any(game: Game, seat: object) -> int | None:
    """Return a seat of the game, or `None`; raises `OptionError` otherwise."""
    if seat is None:
        return None
    if not is_int(seat) or not 0 <= seat < game.seats:  # type: ignore[operator]
        raise OptionError(
            f"seat must be None (drawn for each episode) or 0 to {game.seats - 1}, "
            f"not {shown(seat)}"
        )
    return int(seat)  # type: ignore[call-overload, no-any-return]


def check_seed(seed: object) -> None:
    """Raise `OptionError` unless the value can seed a reset."""
    if seed is not None and (not is_int(seed) or seed < 0):  # type: ignore[operator]
        raise OptionError(
            f"seed must be None or an int of at least 0, not {type_name(seed)} {shown(seed)}"
        )


def _listed(values: list[object]) -> str:
    words = [repr(value) for value in values]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
