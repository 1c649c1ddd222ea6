"""The conformance suite: play whole games and check every promise at every state.

    from parlour.testing import check_game
    check_game("octa")
    check_game(MyGame(size=5))

It needs no test framework. A broken promise raises `ConformanceError`, which names the promise, the
cure, and the seed and actions that reproduce it. Each module of this package checks promises of one
kind.
"""

from collections.abc import Iterable
from typing import NamedTuple

from parlour.core.checks import shown
from parlour.core.game import Game
from parlour.core.registry import game_class
from parlour.testing.description import check_description, made
from parlour.testing.memory import Memory
from parlour.testing.observations import check_observer
from parlour.testing.promise import ConformanceError, describe_failure, promise
from parlour.testing.texts import check_nonsense
from parlour.testing.walk import POLICIES, Walk


class Report(NamedTuple):
    """How much was checked.

    >>> from parlour.testing import check_game
    >>> check_game("octa", seeds=[1], states=2).games
    4
    """

    games: int
    states: int
    """The number of different states that were checked in full."""
    longest: int
    """The decisions of the longest game; `max_plies` bounds them."""
    reasons: dict[str, int]
    """How many games ended for which reason. A reason that is missing was not tested."""
    laws: dict[str, int]
    """The checked laws, a sentence each, and how often each was checked."""


def check_game(
    game: Game | type[Game] | str, *, seeds: Iterable[int] = (0, -1, 2**64 - 1), states: int = 40
) -> Report:
    """Check a game, or the game of a class or registered name with its default options.

    From each seed it plays a random game and three that stall: always the first legal action,
    always the last, and one that delays the end and repeats positions. The first `states` / 2
    positions of each game are checked in full, then as many of every second, every fourth and so
    on; the others only for what every step needs. Raises `ConformanceError`.

    >>> from parlour.testing import check_game
    >>> check_game("octa", seeds=[1], states=2).reasons
    {'turn limit': 4}
    """
    if isinstance(game, str):
        checked = made(game_class(game))
        wanted = game.replace("-", "_")
        promise(
            checked.name == wanted,
            "name must be the registered name, {}, not {}",
            wanted,
            checked.name,
            cure="Pass the name of the entry point to `super().__init__`; `-` and `_` mean "
            "the same.",
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
        raise ConformanceError(_report(checked, str(error), walk)) from error.__cause__
    except Exception as error:
        raise ConformanceError(_report(checked, describe_failure(error), walk)) from error
    return Report(memory.games, len(memory.inspected), memory.longest, memory.reasons, memory.laws)


def _report(game: Game, what: str, walk: Walk | None) -> str:
    """Return which game broke what, and how to reproduce it."""
    way = "" if walk is None else f" (start({walk.seed}), then {walk.actions})"
    return f"{shown(game)} breaks a promise: {what}{way}"
