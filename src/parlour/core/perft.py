"""Count the lines of play from a position: the yardstick of move generators."""

from mypy_extensions import i64

from parlour.core.errors import check_count
from parlour.core.game import CHANCE, OVER, State


def perft(state: State, depth: int) -> int:
    """How many lines of exactly `depth` decisions start here.

    The outcomes of chance after a decision are branches of the same depth and use up
    none of it. A line that ends earlier does not count.
    """
    check_count("depth", depth, 0)
    return _count(state, depth, state.game.has_chance)


def divide(state: State, depth: int) -> dict[str, int]:
    """The perft of each legal action, by its text: where two generators differ shows here."""
    check_count("depth", depth, 1)
    below = depth if state.actor == CHANCE else depth - 1
    return {
        state.game.action_to_text(state, action): perft(state.apply(action), below)
        for action in state.legal_actions()
    }


def _count(state: State, depth: i64, has_chance: bool) -> i64:
    actor = state.actor
    if actor == OVER:
        return 1 if depth == 0 else 0
    if actor != CHANCE:
        if depth == 0:
            return 1
        depth -= 1
    actions = state.legal_actions()
    if depth == 0 and not has_chance:
        return len(actions)
    total: i64 = 0
    for action in actions:
        total += _count(state.apply(action), depth, has_chance)
    return total
