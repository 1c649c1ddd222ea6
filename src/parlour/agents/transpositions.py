"""Transposition table of a search."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

IS_EXACT: Final = 1
IS_AT_LEAST: Final = 2
IS_AT_MOST: Final = 3

SLOT_BITS: Final = 17


_SIZE: Final = 1 << SLOT_BITS
# Copying an array takes a hundredth of the time of building it.
_NOTHING: Final = vec[i64]([-1] * _SIZE)
_ZEROS: Final = vec[float]([0.0] * _SIZE)
_SHALLOW: Final = vec[i32]([i32(0)] * _SIZE)
_NO_BOUND: Final = vec[u8](bytes(_SIZE))


class TranspositionTable:
    """Fixed-size table indexed by fingerprint; each slot keeps the last value stored."""

    def __init__(self) -> None:
        """Create an empty table."""
        self.mask: Final[i64] = _SIZE - 1
        self.keys: vec[i64] = _NOTHING[:]
        self.value: vec[float] = _ZEROS[:]
        self.depth: vec[i32] = _SHALLOW[:]
        self.bound: vec[u8] = _NO_BOUND[:]
        self.action: vec[i64] = _NOTHING[:]

    def store(self, key: i64, depth: i64, value: float, bound: i64, action: i64) -> None:
        """Store a value. Always replace: recent positions are the likeliest to come up again."""
        slot = key & self.mask
        self.keys[slot] = key
        self.value[slot] = value
        self.depth[slot] = i32(depth)
        self.bound[slot] = u8(bound)
        self.action[slot] = action
