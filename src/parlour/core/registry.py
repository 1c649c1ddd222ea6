"""Find games by name, through the entry-point group `parlour.games`.

An entry point in the metadata of an installed package names a `Game` class:

    [project.entry-points."parlour.games"]
    nim = "my_package:Nim"

The examples in `parlour.examples` are found by name too, but they are not listed. A game of the
same name goes first; `examples.hex` is always Parlour's own.
"""

from collections.abc import Iterable
from typing import Any

from parlour.core.checks import check_text, shown
from parlour.core.errors import (
    GameLoadError,
    OptionError,
    UnknownGame,
    in_one_line,
)
from parlour.core.game import Game
from parlour.core.options import (
    Option,
    did_you_mean,
    find_option,
    settings_from_text,
    settings_from_words,
)
from parlour.core.packages import GAMES, offers_in, package_of

EXAMPLES = "parlour.examples"
"""The entry-point group of the examples."""
PREFIX = "examples."

_registered: dict[str, type[Game]] = {}
_examples: dict[str, type[Game]] = {}


def register(name: object, game_class: object) -> None:
    """Register a subclass of `Game` in this process only, for notebooks and tests.

    Raises `GameLoadError` if another class has the name.

    >>> import parlour
    >>> try:
    ...     parlour.register("octa", parlour.Game)
    ... except parlour.GameLoadError as error:
    ...     print(error)
    there is a game 'octa' already; choose another name
    """
    wanted = _name(name)
    if not (isinstance(game_class, type) and issubclass(game_class, Game)):
        raise GameLoadError(f"{shown(game_class)} is not a subclass of parlour.Game")
    known = _registered.get(wanted)
    if (known is not None and known is not game_class) or wanted in _entry_points():
        raise GameLoadError(f"there is a game {wanted!r} already; choose another name")
    _registered[wanted] = game_class


def game_names() -> list[str]:
    """Return the names of all games, sorted.

    >>> import parlour
    >>> "octa" in parlour.game_names()
    True
    """
    return sorted({*_registered, *_entry_points()})


def _name(name: object) -> str:
    """Return a game's name in its stored form: `-` and `_` mean the same."""
    return check_text("a game's name", name, UnknownGame).replace("-", "_")


def game_class(name: object) -> type[Game]:
    """Return the class of the game with that name; `-` and `_` mean the same.

    Raises `UnknownGame` or `GameLoadError`.

    >>> import parlour
    >>> parlour.game_class("octa").OPTIONS[0].name
    'size'
    """
    wanted = _name(name)
    loaded_before = _registered
    found = None
    if not wanted.startswith(PREFIX):
        if wanted in _registered:
            return _registered[wanted]
        found = _entry_points().get(wanted)
    if found is None:
        wanted, loaded_before = wanted.removeprefix(PREFIX), _examples
        if wanted in _examples:
            return _examples[wanted]
        found = offers_in(EXAMPLES).get(wanted)
    if found is None:
        names = game_names()
        raise UnknownGame(
            f"there is no game {shown(name)}{did_you_mean(wanted, names)}; "
            f"the games are {', '.join(names) or 'none: is parlour installed?'}"
        )
    if len(found) > 1:
        raise GameLoadError(
            f"{len(found)} packages offer a game {wanted!r}: "
            + ", ".join(sorted(map(_place, found)))
        )
    where = f"the game {wanted!r} ({_place(found[0])})"
    try:
        loaded = found[0].load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may even end the process
        raise GameLoadError(f"{where} does not load: {in_one_line(error)}") from error
    if not (isinstance(loaded, type) and issubclass(loaded, Game)):
        raise GameLoadError(f"{where} is not a subclass of parlour.Game")
    offered: Any = loaded
    declared: object = offered.OPTIONS
    if not isinstance(declared, tuple) or not all(isinstance(each, Option) for each in declared):
        raise GameLoadError(f"{where}: OPTIONS must be a tuple of options from parlour.options")
    loaded_before[wanted] = loaded
    return loaded


def _place(point: Any) -> str:
    """Return where a game comes from: `my_package:Nim of the package my-package`."""
    return f"{point.value} of the package {package_of(point)}"


def game(_text: object, /, **options: object) -> Game:
    """Return the game of that name or text, with these options.

    `game("octa", size=2)` and `game("octa:size=2")` are the same; a keyword overrides the
    text. Raises `UnknownGame`, `GameLoadError` or `OptionError`; each says what would be right.

    >>> import parlour
    >>> parlour.game("octa:size=2").options["size"]
    2
    """
    # `_text` has an underscore because compiled code accepts it as a keyword, like an option.
    name, _, words = check_text("a game's name", _text, UnknownGame).partition(":")
    found = game_class(name)
    given: dict[str, object] = dict(settings_from_text(name, found.OPTIONS, words))
    for option, value in options.items():
        # A constructor may have further parameters, such as self, so its TypeError is not enough.
        find_option(name, found.OPTIONS, option)
        given[option] = value
    make: Any = found
    try:
        made: object = make(**given)
    except (OptionError, KeyboardInterrupt):
        raise
    except BaseException as error:
        points = _entry_points().get(_name(name), [])
        place = _place(points[0]) if points else f"{make.__module__}:{make.__qualname__}"
        raise GameLoadError(
            f"the game {shown(name)} ({place}) could not be made: {in_one_line(error)}"
        ) from error
    if not isinstance(made, Game):
        raise GameLoadError(f"{shown(name)} must make a parlour.Game, not {shown(made)}")
    return made


def game_with(text: str, settings: Iterable[str]) -> Game:
    """Return the game of that name or text with options given as words like `size=2`."""
    name = text.partition(":")[0]
    given: dict[str, object] = dict(settings_from_words(name, game_class(name).OPTIONS, settings))
    return game(text, **given)


def _entry_points() -> dict[str, list[Any]]:
    """Return the installed entry points by game name; duplicates count once."""
    return offers_in(GAMES)
