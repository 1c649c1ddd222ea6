"""Starts for the games of a batch: always new, or drawn from a pool."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.game import Game, State, start_of
from parlour.core.rng import Rng


class StartPool:
    """Starts of a game. The starts of a pool are made on first use and cached."""

    def __init__(self, game: Game, size: int | None, rng: Rng) -> None:
        """Draw the seeds of a pool of `size` starts; `None`: every start is new."""
        self._game: Final = game
        self._is_pool: Final = size is not None
        seeds = vec[i64]([0] * (size or 0))
        k: i64 = 0
        while k < len(seeds):
            seeds[k] = draw_seed(rng)
            k += 1
        self._seeds: Final[vec[i64]] = seeds
        self._kept: Final[dict[int, State]] = {}

    def draw(self, rng: Rng) -> i64:
        """Return the seed of a start."""
        return self._seeds[rng.below(len(self._seeds))] if self._is_pool else draw_seed(rng)

    def start(self, seed: i64) -> State:
        """Return the start of a seed from `draw`."""
        if not self._is_pool:
            return start_of(self._game, seed)
        known = self._kept.get(seed)
        if known is None:
            known = start_of(self._game, seed)
            self._kept[seed] = known
        return known


def draw_seed(rng: Rng) -> i64:
    """Return a seed of 62 bits."""
    high = rng.next32() >> 1
    return high << 31 | rng.next32() >> 1
