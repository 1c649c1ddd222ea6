"""Other people's packages: what they offer, and which one went wrong.

Not compiled: it is about modules that are not, and only asked when one is loaded or fails.
"""

from collections.abc import Iterator
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


def failure(owner: Game | State, method: str, error: BaseException) -> ContractError:
    """What to say where a game's own code raised something that is not one of our errors."""
    game = owner if isinstance(owner, Game) else owner.game
    module = type(owner).__module__
    package = module.partition(".")[0]
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
        is_theirs = not str(frame.f_globals.get("__name__")).startswith("parlour.")
        if found is None and isinstance(owner, Game | State) and is_theirs:
            found = failure(owner, frame.f_code.co_name, error)
        trace = trace.tb_next
    return found
