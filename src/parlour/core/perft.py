"""Perft: count the lines of play from a position, to test move generators."""

from typing import Final

from mypy_extensions import i64

from parlour.core import signals
from parlour.core.checks import check_count
from parlour.core.game import CHANCE, OVER, State

POSITIONS_PER_SIGNAL: Final[i64] = 1024


def perft(state: State, depth: object) -> int:
    """Return the number of lines of exactly `depth` decisions from this state.

    Outcomes of chance branch without using up depth. A line that ends earlier does not count.

    >>> import parlour
    >>> parlour.perft(parlour.game("octa:size=1").start(seed=8), 2)
    4
    """
    plies = check_count("depth", depth, 0)
    if plies > state.game.max_plies:
        return 0
    return _count(state, plies, state.game.has_chance)


def divide(state: State, depth: object) -> dict[str, int]:
    """Return the perft after each legal action, by its text, to find where generators differ.

    >>> import parlour
    >>> parlour.divide(parlour.game("octa:size=1").start(seed=8), 1)
    {'1,1': 1, '-1,-1': 1}
    """
    plies = check_count("depth", depth, 1)
    below = plies if state.actor == CHANCE else plies - 1
    return {
        state.game.action_to_text(state, action): perft(state.apply(action), below)
        for action in state.legal_actions()
    }


def _count(start: State, depth: i64, has_chance: bool) -> i64:
    """Count without recursion: a game may be longer than the stack is deep."""
    states = [start]
    depths: list[i64] = [depth]
    total: i64 = 0
    looked_at: i64 = 0
    while len(states) > 0:
        looked_at += 1
        if looked_at % POSITIONS_PER_SIGNAL == 0:
            signals.let_signals_in()
        state = states.pop()
        left: i64 = depths.pop()
        actor = state.actor
        if actor == OVER:
            if left == 0:
                total += 1
            continue
        if actor != CHANCE:
            if left == 0:
                total += 1
                continue
            left -= 1
        actions = state.legal_actions()
        if left == 0 and not has_chance:
            total += len(actions)
            continue
        for action in actions:
            states.append(state.apply(action))
            depths.append(left)
    return total
