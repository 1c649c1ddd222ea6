"""The conformance suite: play whole games and check every promise at every state.

    from parlour.testing import check_game
    check_game("octa")
    check_game(MyGame(size=5))

It needs no test framework. A broken promise raises `ConformanceError`, which names the promise, the
cure, and the fewest actions that reproduce it. Each module of this package checks promises of one
kind.
"""

import time
from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from parlour.core.checks import shown
from parlour.core.game import Game
from parlour.core.registry import game_class
from parlour.testing.description import check_description, made
from parlour.testing.memory import Memory
from parlour.testing.observations import check_observer
from parlour.testing.promise import ConformanceError, promise, unexpected
from parlour.testing.reproduction import Breach, smallest
from parlour.testing.texts import check_nonsense
from parlour.testing.walk import POLICIES, Walk, at_random

SEEDS = (0, -1, 2**64 - 1)
ENOUGH = 300
"""Further games are played until so many positions were checked, if the game has them."""
FRUITLESS = 8
"""How many further games without a new position show that it has not."""
MOST_GAMES = 400


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
    notes: tuple[str, ...] = ()
    """What breaks no promise, but is probably a mistake."""


def check_game(
    game: Game | type[Game] | str,
    *,
    seeds: Iterable[int] | None = None,
    states: int = 40,
    games: int = 0,
    seconds: float = 0.0,
    shrink: bool = True,
) -> Report:
    """Check a game, or the game of a class or registered name with its default options.

    From each seed it plays a random game and three that stall: always the first legal action,
    always the last, and one that delays the end and repeats positions. The first `states` / 2
    positions of each game are checked in full, then as many of every second, every fourth and so
    on; the others only for what every step needs. Unless you pass seeds, further random games
    follow: until 300 positions were checked or no new ones occur, until there are `games` games,
    and for at least `seconds` CPU seconds. Raises `ConformanceError`, with the smallest options and
    the fewest actions that were found to reproduce it, or as it was found without `shrink`.

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
        for seed in SEEDS if seeds is None else seeds:
            for policy in POLICIES:
                walk = Walk(checked, seed, policy, memory)
                walk.run(states)
        end = time.process_time() + seconds
        fruitless = 0
        for seed in count(1):
            is_wanting = seeds is None and len(memory.inspected) < ENOUGH and fruitless < FRUITLESS
            is_wanting = is_wanting and memory.games < MOST_GAMES
            if not (is_wanting or memory.games < games or time.process_time() < end):
                break
            before = len(memory.inspected)
            walk = Walk(checked, seed, at_random, memory)
            walk.run(states)
            fruitless = 0 if len(memory.inspected) > before else fruitless + 1
        walk = None
        memory.hold(check_nonsense, checked)
        memory.hold(memory.check, checked)
    except Exception as error:
        broken = error if isinstance(error, ConformanceError) else unexpected(error)
        cause = error.__cause__ if broken is error else error
        raise _reproducible(checked, broken, walk, shrink) from cause
    return Report(
        memory.games,
        len(memory.inspected),
        memory.longest,
        memory.reasons,
        memory.laws,
        memory.noted(checked),
    )


def _reproducible(
    game: Game, error: ConformanceError, walk: Walk | None, shrink: bool
) -> ConformanceError:
    """Return the error with the game that broke the promise, and how to reproduce it."""
    way = ""
    if walk is not None:
        found = Breach(game, walk.seed, walk.actions, error)
        game, seed, actions, error = smallest(found) if shrink else found
        way = f" (start({seed}), then {actions})"
    return ConformanceError(f"{shown(game)} breaks a promise: {error}{way}", error.kind)
