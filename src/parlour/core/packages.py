"""Other people's packages: what they offer, and which one went wrong.

Not compiled: it is about modules that are not, and only asked when one is loaded or fails.
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
    """The installed entry points of a group by name; `-` and `_` mean the same.

    Equal ones count once. A package whose list of entry points cannot be read offers nothing:
    `unreadable_packages` names it.
    """
    found: dict[str, list[Any]] = {}
    for point in _points(group):
        offers = found.setdefault(point.name.replace("-", "_"), [])
        if all(offer.value != point.value for offer in offers):
            offers.append(point)
    return found


def _points(group: str) -> Iterator[Any]:
    # Imported here: it costs more time than the rest of parlour together.
    from importlib.metadata import entry_points

    try:
        return iter(entry_points(group=group))
    except Exception:  # one list that cannot be read would hide all others
        return (point for points, _ in _by_package() for point in points if point.group == group)


def unreadable_packages() -> list[str]:
    """A sentence for each installed package whose list of entry points cannot be read."""
    from importlib.metadata import entry_points

    try:
        entry_points(group=GAMES)
    except Exception:
        return [problem for _, problem in _by_package() if problem]
    return []


def _by_package() -> Iterator[tuple[list[Any], str]]:
    """The entry points of each package, or why there are none."""
    from importlib.metadata import distributions

    for distribution in distributions():
        try:
            yield list(distribution.entry_points), ""
        except Exception as error:
            name = _name(distribution)
            yield [], f"the entry points of the package {name} are damaged: {in_one_line(error)}"


def package_of(point: Any) -> str:
    """The name of the package that an entry point belongs to, for a message."""
    return _name(getattr(point, "dist", None))


def _name(distribution: Any) -> str:
    try:
        found = distribution.metadata["Name"]
    except Exception:
        found = None
    return str(found) if found else "without a name"


def imported(place: str) -> object:
    """What stands at `module:name`, or `None` where the module has no such name.

    The current folder is looked at too where no other place has the module. Whatever goes
    wrong while it is imported passes through.
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
    """Find modules in the current folder from now on, after all others; whether that is new."""
    try:
        here = os.getcwd()
    except OSError:
        return False
    if here in sys.path or "" in sys.path:
        return False
    sys.path.append(here)
    return True


def failure(owner: Any, method: str, error: BaseException) -> ContractError:
    """What to say where the code of a game or a state raised what is not one of our errors."""
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
    """The same for an error from anywhere: `None` unless other people's game raised it."""
    if isinstance(error, ParlourError):
        return None
    found: ContractError | None = None
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        owner = frame.f_locals.get("self")
        # Not isinstance: compiled, the two classes share a cache of what is not one of them,
        # and to ask whether a state is a game makes it no state either.
        is_one = not {Game, State}.isdisjoint(type(owner).__mro__)
        is_theirs = not str(frame.f_globals.get("__name__")).startswith("parlour.")
        if found is None and is_one and is_theirs:
            found = failure(owner, frame.f_code.co_name, error)
        trace = trace.tb_next
    return found
