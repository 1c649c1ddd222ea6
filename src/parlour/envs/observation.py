"""Observations as arrays, and their spaces."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from parlour.core.game import Game, State
from parlour.core.observer import Observer, observer

Array = NDArray[Any]
Observation = dict[str, Array] | Array
Mask = NDArray[np.int8]

MOST = 255

# Scale bytes to 0..1 for networks without image layers: 0, 1 and 255 become 0, 1/8 and 1. The scale
# is logarithmic because most bytes are flags, which a linear one would shrink to 1/255.
FLAT = (np.log2(1.0 + np.arange(MOST + 1)) / 8.0).astype(np.float32)


class ObservationEncoder:
    """Encodes what seats see: a dict of planes, extras and action mask, or one flat array."""

    def __init__(self, game: Game, flat: bool) -> None:
        """Create the spaces of a game."""
        self.game = game
        self.flat = flat
        self.observer: Observer = observer(game)
        self.shape: tuple[int, ...] = self.observer.shape
        self.extras = self.observer.extras
        if self.observer.size == 0:
            # A game without a board: its extras are the observation.
            self.shape = (self.extras,)
            self.extras = 0
        self.space: spaces.Space[Any] = self._space()
        self.actions: spaces.Discrete = spaces.Discrete(game.num_actions)

    def _space(self) -> spaces.Space[Any]:
        if self.flat:
            size = int(np.prod(self.shape)) + self.extras
            return spaces.Box(0.0, 1.0, (size,), np.float32)
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, MOST, self.shape, np.uint8)
        }
        if self.extras:
            parts["extras"] = spaces.Box(0, MOST, (self.extras,), np.uint8)
        parts["action_mask"] = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        return spaces.Dict(parts)

    def observe(self, state: State, seat: int, mask: Mask | None = None) -> Observation:
        """Return the observation of a seat in new arrays; computes the mask unless it is given."""
        planes, extras = self.observer.observe(state, int(seat))
        if self.flat:
            return flattened(np.frombuffer(planes + extras, np.uint8))
        seen: dict[str, NDArray[Any]] = {}
        if self.extras:
            seen["observation"] = _array(planes).reshape(self.shape)
            seen["extras"] = _array(extras)
        else:
            seen["observation"] = _array(planes + extras).reshape(self.shape)
        seen["action_mask"] = self.mask(state, seat) if mask is None else mask
        return seen

    def mask(self, state: State, seat: int) -> Mask:
        """Return the action mask of a seat; all zeros unless it is to act."""
        mask = np.zeros(self.game.num_actions, np.int8)
        if state.actor == seat:
            legal = self.observer.legal_actions(state)
            mask[np.frombuffer(memoryview(legal), np.int64)] = 1
        return mask

    def batched(self, planes: NDArray[Any], extras: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the arrays of many positions by the names of the space, without the mask."""
        if not self.extras:
            both = planes if planes.size else extras
            return {"observation": both.reshape(-1, *self.shape)}
        return {"observation": planes, "extras": extras}

    def flattened(self, planes: NDArray[Any], extras: NDArray[Any]) -> Array:
        """Return many positions, one flat row each."""
        rows = [part.reshape(len(part), -1) for part in (planes, extras) if part.size]
        return flattened(np.concatenate(rows, axis=1))


def flattened(data: Array) -> Array:
    """Scale bytes to numbers from 0 to 1."""
    numbers: Array = FLAT[data]
    return numbers


def _array(data: bytes) -> NDArray[np.uint8]:
    """Return a writable copy."""
    return np.frombuffer(data, np.uint8).copy()
