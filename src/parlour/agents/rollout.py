"""Rollouts: random play from the leaf of a search tree."""

from typing import Final

from mypy_extensions import i64

from parlour.agents.base import Clock
from parlour.core.game import CHANCE, OVER, State
from parlour.core.heuristics import Heuristics
from parlour.core.rng import Rng

# Rollouts can be long in some games, so the clock is checked within one.
PLIES_PER_LOOK: Final[i64] = 256


class Rollout:
    """Plays to the end, for `cutoff` plies (0: no cutoff), or until the time is up."""

    def __init__(self, heuristics: Heuristics, rng: Rng, cutoff: int, clock: Clock) -> None:
        """Use the rollout policy of these heuristics."""
        self.heuristics: Final = heuristics
        self.rng: Final = rng
        self.cutoff: Final[i64] = cutoff
        self.clock: Final = clock
        # Without a policy of the game's own, `State.playout` does a whole rollout in one call.
        self._is_uniform: Final = type(heuristics).rollout_policy is Heuristics.rollout_policy

    def end(self, position: State) -> State:
        """Return the last state of a rollout; consumes `position`, which came from `scratch`."""
        if self._is_uniform:
            return self._end_in_chunks(position)
        rng = self.rng
        heuristics = self.heuristics
        cutoff = self.cutoff
        left: i64 = cutoff
        plies: i64 = 0
        actor = position.actor
        while actor != OVER:
            plies += 1
            if plies % PLIES_PER_LOOK == 0 and self.clock.is_up(0):
                break
            if actor == CHANCE:
                position = position.advance(position.sample(rng))
            else:
                if cutoff > 0:
                    if left == 0:
                        break
                    left -= 1
                position = position.advance(heuristics.rollout_policy(position, rng))
            actor = position.actor
        return position

    def _end_in_chunks(self, position: State) -> State:
        """Roll out with `State.playout`, in chunks between two checks of the clock."""
        left: i64 = self.cutoff
        while position.actor != OVER:
            limit = PLIES_PER_LOOK
            if self.cutoff > 0:
                if left == 0:
                    break
                if left < limit:
                    limit = left
            position, made = position.playout(self.rng, limit)
            left -= made
            if made < limit or self.clock.is_up(0):
                break
        return position
