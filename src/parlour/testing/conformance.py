"""The conformance suite: plays whole games and checks every promise at every state.

    from parlour.testing import check_game
    check_game("octa")
    check_game(MyGame(size=5))

It needs no test framework; a broken promise is a `ConformanceError` that says which
promise, what would mend it, and with which seed and actions to see it again. Each of the
modules beside this one checks promises of one kind.
"""

from collections.abc import Iterable
from typing import NamedTuple

from parlour.core.checks import shown
from parlour.core.game import Game
from parlour.core.registry import game_class
from parlour.testing.description import check_description, made
from parlour.testing.memory import Memory
from parlour.testing.observations import check_observer
from parlour.testing.promise import ConformanceError, promise, told
from parlour.testing.texts import check_nonsense
from parlour.testing.walk import POLICIES, Walk


class Report(NamedTuple):
    """How much was looked at."""

    games: int
    states: int
    """How many different states were looked at in full."""
    longest: int
    """The decisions of the longest game; `max_plies` bounds them."""
    reasons: dict[str, int]
    """Why the games ended, and how many ended so: what is missing here was not tested."""
    laws: dict[str, int]
    """What was checked, a sentence for each law, and how often."""


def check_game(
    game: Game | type[Game] | str, *, seeds: Iterable[int] = (0, -1, 2**64 - 1), states: int = 40
) -> Report:
    """Check a game, or a class or the registered game of that name with its default options.

    From each seed it plays a random game and three that stall: always the first legal
    action, always the last, and one that puts off the end and prefers positions it has
    seen. Every state is stepped through; about `states` of each game are looked at in full.
    """
    if isinstance(game, str):
        checked = made(game_class(game))
        wanted = game.replace("-", "_")
        promise(
            checked.name == wanted,
            "name is the one it is registered under, {}, not {}",
            wanted,
            checked.name,
        )
    else:
        checked = made(game) if isinstance(game, type) else game
    memory = Memory()
    walk: Walk | None = None
    try:
        memory.hold(check_description, checked)
        memory.hold(check_observer, checked)
        for seed in seeds:
            for policy in POLICIES:
                walk = Walk(checked, seed, policy, memory)
                walk.run(states)
        walk = None
        memory.hold(check_nonsense, checked)
        memory.hold(memory.check, checked)
    except ConformanceError as error:
        raise ConformanceError(_sentence(checked, str(error), walk)) from error.__cause__
    except Exception as error:
        raise ConformanceError(_sentence(checked, told(error), walk)) from error
    return Report(memory.games, len(memory.inspected), memory.longest, memory.reasons, memory.laws)


def _sentence(game: Game, what: str, walk: Walk | None) -> str:
    """What is wrong with which game, and how to see it again."""
    way = "" if walk is None else f" (start({walk.seed}), then {walk.actions})"
    return f"{shown(game)} breaks a promise: {what}{way}"
