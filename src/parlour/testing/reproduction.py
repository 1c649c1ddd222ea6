"""Find the smallest game and the fewest actions with which a failure happens."""

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from parlour.core.errors import OptionError
from parlour.core.game import Game
from parlour.testing.actions import spread
from parlour.testing.memory import Memory
from parlour.testing.promise import ConformanceError, unexpected
from parlour.testing.walk import Walk, at_random

TRIALS = 60
"""How many short games are tried, and as many shortened ones."""
DEEPEST = 5
WIDEST = 4


class Breach(NamedTuple):
    """A broken promise, and the game that reproduces it."""

    game: Game
    seed: int
    actions: list[int]
    error: ConformanceError


def smallest(found: Breach) -> Breach:
    """Return a failure of the same kind, with smaller options and fewer actions if possible."""
    for game in _smaller_games(found.game):
        failure = _in_a_small_game(game, found)
        if failure is not None:
            found = failure
            break
    return _shortened(_early(found) or found)


def _smaller_games(game: Game) -> Iterator[Game]:
    """Yield the game with its options at their smallest, all together and then each alone."""
    smaller: dict[str, Any] = {}
    for option in type(game).OPTIONS:
        value = game.options[option.name]
        if option.kind == "integer" and isinstance(value, int) and option.low < value:
            smaller[option.name] = option.low
    for changes in (smaller, *({name: low} for name, low in smaller.items())):
        if changes:
            make: Any = type(game)
            try:
                yield make(**{**game.options, **changes})
            except (OptionError, ValueError):
                continue


def _in_a_small_game(game: Game, found: Breach) -> Breach | None:
    """Return the first failure of the same kind in a few games."""
    for seed in dict.fromkeys((0, 1, found.seed)):
        walk = Walk(game, seed, at_random, Memory())
        try:
            walk.run(8)
        except Exception as error:
            broken = error if isinstance(error, ConformanceError) else unexpected(error)
            if broken.kind == found.error.kind:
                return Breach(game, seed, walk.actions, broken)
    return None


def _early(found: Breach) -> Breach | None:
    """Return the failure after the fewest actions, if one of the first positions has it."""
    waiting: deque[list[int]] = deque([[]])
    for _ in range(TRIALS):
        if not waiting:
            break
        actions = waiting.popleft()
        if len(actions) >= len(found.actions):
            break
        failure = _replayed(found, actions)
        if failure is not None:
            return failure
        if len(actions) < DEEPEST:
            try:
                state = found.game.start(found.seed)
                for action in actions:
                    state = state.apply(action)
                waiting.extend([*actions, each] for each in spread(state.legal_actions(), WIDEST))
            except Exception:
                continue
    return None


def _shortened(found: Breach) -> Breach:
    """Leave out actions, in halves, then quarters and so on."""
    part = len(found.actions) // 2
    trials = 0
    while part >= 1 and trials < TRIALS:
        at = 0
        while at < len(found.actions) and trials < TRIALS:
            trials += 1
            left = found.actions[:at] + found.actions[at + part :]
            failure = _replayed(found, left)
            if failure is not None and len(failure.actions) < len(found.actions):
                found = failure
            else:
                at += part
        part //= 2
    return found


def _replayed(found: Breach, actions: list[int]) -> Breach | None:
    """Return the failure after these actions if it is of the same kind."""
    walk = Walk(found.game, found.seed, at_random, Memory())
    try:
        walk.replay(actions)
    except Exception as error:
        broken = error if isinstance(error, ConformanceError) else unexpected(error)
        if broken.kind == found.error.kind:
            return Breach(found.game, found.seed, walk.actions, broken)
    return None
