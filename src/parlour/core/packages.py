"""Entry points of other packages, and errors that name the package that failed.

Never compiled: it inspects interpreted modules, and only runs when one is loaded or fails.
"""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from parlour.core.errors import ContractError, ParlourError, in_one_line
from parlour.core.game import Game, State

GAMES = "parlour.games"


def offers_in(group: str) -> dict[str, list[Any]]:
    """Return the installed entry points of a group by name; `-` and `_` mean the same.

    Duplicates count once. A package whose entry points cannot be read is left out;
    `unreadable_packages` names it.
    """
    found: dict[str, list[Any]] = {}
    for point in _points(group):
        offers = found.setdefault(point.name.replace("-", "_"), [])
        if all(offer.value != point.value for offer in offers):
            offers.append(point)
    return found


def _points(group: str) -> Iterator[Any]:
    # Imported here: it takes longer than the rest of parlour together.
    from importlib.metadata import entry_points

    try:
        return iter(entry_points(group=group))
    except Exception:  # one unreadable list would hide all others
        return (point for points, _ in _by_package() for point in points if point.group == group)


def unreadable_packages() -> list[str]:
    """Return a sentence for each installed package whose entry points cannot be read."""
    from importlib.metadata import entry_points

    try:
        entry_points(group=GAMES)
    except Exception:
        return [problem for _, problem in _by_package() if problem]
    return []


def _by_package() -> Iterator[tuple[list[Any], str]]:
    """Yield the entry points of each package, and why they cannot be read, or empty."""
    from importlib.metadata import distributions

    for distribution in distributions():
        try:
            yield list(distribution.entry_points), ""
        except Exception as error:
            name = _name(distribution)
            yield [], f"the entry points of the package {name} are damaged: {in_one_line(error)}"


def package_of(point: Any) -> str:
    """Return the name of the package of an entry point, for a message."""
    return _name(getattr(point, "dist", None))


def _name(distribution: Any) -> str:
    try:
        found = distribution.metadata["Name"]
    except Exception:
        found = None
    return str(found) if found else "without a name"


def imported(place: str) -> object:
    """Return the object at `module:name`, or `None` if the module has no such name.

    The current folder is searched last. Errors of the import pass through.
    """
    try:
        return _imported(place)
    except ModuleNotFoundError as error:
        path = place.partition(":")[0]
        if error.name != path.partition(".")[0] or not append_current_folder():
            raise
        return _imported(place)


def _imported(place: str) -> object:
    path, _, word = place.partition(":")
    found: object = getattr(import_module(path), word, None)
    return found


def append_current_folder() -> bool:
    """Append the current folder to `sys.path`. Return whether it was missing."""
    try:
        here = os.getcwd()
    except OSError:
        return False
    if here in sys.path or "" in sys.path:
        return False
    sys.path.append(here)
    return True


def failure(owner: Any, method: str, error: BaseException) -> ContractError:
    """Return the error for an exception of a game's or state's code that is not a ParlourError."""
    game = owner if Game in type(owner).__mro__ else owner.game
    package = type(owner).__module__.partition(".")[0]
    for points in offers_in(GAMES).values():
        for point in points:
            if point.value.partition(":")[0].partition(".")[0] == package:
                package = package_of(point)
    return ContractError(
        f"the game {game.name} of the package {package} failed in {method}(): {in_one_line(error)}"
    )


def failure_of_a_game(error: BaseException) -> ContractError | None:
    """Return `failure` for an exception from anywhere, or `None` unless another package's game
    raised it.
    """
    if isinstance(error, ParlourError):
        return None
    found: ContractError | None = None
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        owner = frame.f_locals.get("self")
        # Not isinstance: the compiled classes share a negative cache, so asking whether a state
        # is a game would make later checks for State fail.
        is_one = not {Game, State}.isdisjoint(type(owner).__mro__)
        is_theirs = not str(frame.f_globals.get("__name__")).startswith("parlour.")
        if found is None and is_one and is_theirs:
            found = failure(owner, frame.f_code.co_name, error)
        trace = trace.tb_next
    return found
