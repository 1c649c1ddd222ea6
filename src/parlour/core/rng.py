"""A seeded random number generator with the same output in both builds.

The generator is sfc32 (Doty-Humphrey's "small fast counter"): three 32-bit words and a
counter, mixed by additions, exclusive-ors and shifts. Every value stays below 2**63, so
an `i64` that wraps and an `int` that grows never differ.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from mypy_extensions import i64

from parlour.core.checks import as_int, shown, type_name

T = TypeVar("T")

MASK: Final[i64] = 0xFFFFFFFF

SEED_MIN: Final = -(2**63)
SEED_MAX: Final = 2**64 - 1
SEED_COUNT: Final = SEED_MAX - SEED_MIN + 1


def fold_seed(seed: object) -> int:
    """Return the seed, wrapped into the range SEED_MIN to SEED_MAX if it lies outside.

    Integers of other libraries are accepted. Raises `TypeError` for bools and everything else.

    >>> fold_seed(7), fold_seed(2**64) == -(2**63)
    (7, True)
    """
    number = as_int(seed)
    if number is None:
        raise TypeError(f"a seed is an int, not {type_name(seed)}: {shown(seed)}")
    if SEED_MIN <= number <= SEED_MAX:
        return int(number)
    return (number - SEED_MIN) % SEED_COUNT + SEED_MIN


class Rng:
    """A random number generator. The stream of a seed never changes between releases.

    >>> Rng(1).below(6) == Rng(1).below(6)
    True
    """

    def __init__(self, seed: object) -> None:
        """Start the stream of `seed`. Each of the SEED_COUNT seeds has a different one."""
        word = fold_seed(seed) - SEED_MIN
        self._a: i64 = word & 0xFFFFFFFF
        self._b: i64 = (word >> 32) & 0xFFFFFFFF
        self._c: i64 = word >> 64
        self._counter: i64 = 1
        # Twelve rounds spread every seed bit over all words (the author's figure).
        i: i64 = 0
        while i < 12:
            self.next32()
            i += 1

    def next32(self) -> i64:
        """Return a number from 0 to 2**32 - 1.

        >>> 0 <= Rng(1).next32() < 2**32
        True
        """
        b = self._b
        c = self._c
        out = (self._a + b + self._counter) & MASK
        self._counter = (self._counter + 1) & MASK
        self._a = b ^ (b >> 9)
        self._b = (c + ((c << 3) & MASK)) & MASK
        self._c = ((((c << 21) & MASK) | (c >> 11)) + out) & MASK
        return out

    def below(self, n: i64) -> i64:
        """Return a uniform number from 0 to n - 1. Raises `ValueError` unless 1 <= n < 2**31.

        >>> Rng(1).below(6) in range(6)
        True
        """
        if n < 1 or n > 0x7FFFFFFF:
            raise ValueError(f"below takes a number from 1 to 2**31 - 1, not {n}")
        # Lemire's method: one multiplication, and a second draw in n of 2**32 cases.
        product = self.next32() * n
        low = product & MASK
        if low < n:
            threshold = (MASK + 1 - n) % n
            while low < threshold:
                product = self.next32() * n
                low = product & MASK
        return product >> 32

    def choice(self, items: Sequence[T]) -> T:
        """Return a random item, each equally likely. Raises `ValueError` if there are none.

        >>> Rng(1).choice("abc") in "abc"
        True
        """
        if not items:
            raise ValueError("choice needs at least one item")
        return items[self.below(len(items))]

    def shuffle(self, items: list[T]) -> None:
        """Shuffle the list in place.

        >>> items = [1, 2, 3]
        >>> Rng(1).shuffle(items)
        >>> sorted(items)
        [1, 2, 3]
        """
        i = len(items) - 1
        while i > 0:
            j: int = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
            i -= 1

    def words(self) -> tuple[int, int, int, int]:
        """Return the generator's state, for `rng_from_words`.

        >>> rng_from_words(*Rng(1).words()).next32() == Rng(1).next32()
        True
        """
        return self._a, self._b, self._c, self._counter

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy the generator's state."""
        return (rng_from_words, self.words())

    def _set(self, a: i64, b: i64, c: i64, counter: i64) -> None:
        self._a = a
        self._b = b
        self._c = c
        self._counter = counter

    def random(self) -> float:
        """Return a float in [0, 1) with 53 random bits.

        >>> 0 <= Rng(1).random() < 1
        True
        """
        high = self.next32() >> 5
        low = self.next32() >> 6
        return (float(high) * 67108864.0 + float(low)) / 9007199254740992.0


def rng_from_words(a: int, b: int, c: int, counter: int) -> Rng:
    """Return the generator with these `words`. Raises `ValueError` above 32 bits."""
    for word in (a, b, c, counter):
        if not 0 <= word <= MASK:
            raise ValueError(f"a word of a generator must be 0 to {MASK}, not {word}")
    rng = Rng(0)
    rng._set(a, b, c, counter)
    return rng
