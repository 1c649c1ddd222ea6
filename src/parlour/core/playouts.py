"""Uniformly random games at native speed."""

from typing import Final, NamedTuple

from mypy_extensions import i64

from parlour.core import signals
from parlour.core.checks import check_count
from parlour.core.errors import ContractError
from parlour.core.game import OVER, State
from parlour.core.rng import Rng

PLIES_PER_SIGNAL: Final[i64] = 1024


class Playouts(NamedTuple):
    """The totals of many random games.

    >>> import parlour
    >>> parlour.playouts(parlour.game("octa:size=1").start(seed=8), 10).games
    10
    """

    games: int
    plies: int
    """Decisions of seats; outcomes of chance do not count."""
    returns: tuple[float, ...]
    """Summed per seat."""


def playouts(state: State, games: object, seed: object = 0) -> Playouts:
    """Play `games` games at random from `state` to their ends.

    `games` and `seed` are ints. The same state, games and seed give the same figures in every
    build. Raises `ContractError` if a game exceeds its `max_plies`.

    >>> import parlour
    >>> parlour.playouts(parlour.game("octa:size=1").start(seed=8), 10, seed=1).returns
    (1.0, -1.0)
    """
    count = check_count("games", games, 0)
    rng = Rng(seed)
    totals = [0.0] * state.game.seats
    limit: i64 = state.game.max_plies
    plies: i64 = 0
    let_in: i64 = 0
    for _ in range(count):
        end, made = state.playout(rng, limit)
        plies += made
        if plies - let_in >= PLIES_PER_SIGNAL:
            let_in = plies
            signals.let_signals_in()
        result = end.result()
        if result is None:
            raise _endless(end)
        for seat, value in enumerate(result.returns):
            totals[seat] += value
    return Playouts(count, plies, tuple(totals))


def _endless(state: State) -> ContractError:
    game = state.game
    if state.actor == OVER:
        return ContractError(f"{game.name} is over but result() returned None")
    return ContractError(f"a game of {game.name} exceeded its max_plies, {game.max_plies}")
