"""The games of a vector environment in this process, and their arrays."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.core.batch import Batch
from parlour.core.game import Game
from parlour.core.observer import observer

Arrays = dict[str, NDArray[Any]]


class BatchSettings(NamedTuple):
    """Settings of the games in a vector environment."""

    game: Game
    max_plies: int | None
    starts: int | None
    illegal: str

    def batch(self, count: int, first: int, seed: int) -> Batch:
        """Return a batch of `count` games, numbered from `first`."""
        return Batch(
            self.game,
            count,
            seed,
            final=True,
            max_plies=self.max_plies,
            starts=self.starts,
            illegal=self.illegal,
            first=first,
        )


class Column(NamedTuple):
    """The data type and the shape per game of one array."""

    shape: tuple[int, ...]
    dtype: type[np.generic]


def columns(game: Game) -> dict[str, Column]:
    """Return the arrays of a batch by the names of `Batch`."""
    seen = observer(game)
    planes = seen.shape if seen.size else (0,)
    extras = (seen.extras,)
    seats = (game.seats,)
    return {
        "obs": Column(planes, np.uint8),
        "extras": Column(extras, np.uint8),
        "mask": Column((game.num_actions,), np.int8),
        "actor": Column((), np.int64),
        "acted": Column((), np.int64),
        "plies": Column((), np.int64),
        "start_seeds": Column((), np.int64),
        "done": Column((), np.uint8),
        "returns": Column(seats, np.float64),
        "rewards": Column(seats, np.float64),
        "final_obs": Column((*seats, *planes), np.uint8),
        "final_extras": Column((*seats, *extras), np.uint8),
        "final_actor": Column((), np.int64),
    }


def live_arrays(batch: Batch) -> Arrays:
    """Return arrays that share the batch's memory."""
    return {
        name: np.asarray(getattr(batch, name)).view(dtype).reshape(batch.count, *shape)
        for name, (shape, dtype) in columns(batch.game).items()
    }


class LocalGames:
    """All games in one batch, in this process."""

    def __init__(self, settings: BatchSettings, count: int, seed: int) -> None:
        """Start the games."""
        self._batch = settings.batch(count, 0, seed)
        self.arrays = live_arrays(self._batch)

    def reset(self, seed: int) -> None:
        """Restart all games."""
        self._batch.reset(seed)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Apply one legal action in every game."""
        self._batch.step(actions)

    def refusal(self, index: int, action: int) -> str | None:
        """Return the rule that forbids an action in one game, or `None`."""
        return self._batch.state(index).refusal(action)

    def close(self) -> None:
        """Release nothing: there are no processes."""
