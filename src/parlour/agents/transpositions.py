"""What a search has found out about positions that it may meet again."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

IS_EXACT: Final = 1
IS_AT_LEAST: Final = 2
IS_AT_MOST: Final = 3

SLOT_BITS: Final = 17


class TranspositionTable:
    """The last value that was found for each slot of fingerprints."""

    def __init__(self) -> None:
        """Empty."""
        size = 1 << SLOT_BITS
        self.mask: Final[i64] = size - 1
        self.keys: vec[i64] = vec[i64]([-1] * size)
        self.value: vec[float] = vec[float]([0.0] * size)
        self.depth: vec[i32] = vec[i32]([i32(0)] * size)
        self.bound: vec[u8] = vec[u8](bytes(size))
        self.action: vec[i64] = vec[i64]([-1] * size)

    def store(self, key: i64, depth: i64, value: float, bound: i64, action: i64) -> None:
        """Newer replaces older: what is searched now is what will be asked for."""
        slot = key & self.mask
        self.keys[slot] = key
        self.value[slot] = value
        self.depth[slot] = i32(depth)
        self.bound[slot] = u8(bound)
        self.action[slot] = action
