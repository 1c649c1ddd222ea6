"""How much anybody may ask for: buckets that fill up with time."""

import ipaddress
from collections.abc import Callable
from typing import NamedTuple

from parlour.protocol.errors import RateLimited

FORGET_AFTER = 10_000
"""So many addresses are remembered; full buckets say nothing and are forgotten first."""


class Rate(NamedTuple):
    """So many a second in the long run, and so many at once."""

    per_second: float
    burst: float


def household(address: str) -> str:
    """Whom limits count: an address, or the 64 bits of IPv6 that one house has all to itself."""
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(found) >> 64 << 64))


class Bucket:
    """Lets through what a rate allows."""

    __slots__ = ("_at", "_full", "_left", "_now", "_rate")

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        """Full; `now` gives seconds."""
        self._rate = rate.per_second
        self._full = rate.burst
        self._left = rate.burst
        self._now = now
        self._at = now()

    def wait(self) -> float:
        """Take one: 0, or the seconds until there is one again, and then none is taken."""
        now = self._now()
        self._left = min(self._full, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / self._rate if self._rate else 60.0

    @property
    def is_full(self) -> bool:
        """Whether it has forgotten everybody."""
        return self._left + (self._now() - self._at) * self._rate >= self._full


class Buckets:
    """A bucket for each key: for an address, say."""

    def __init__(self, rate: Rate, what: str, now: Callable[[], float]) -> None:
        """`what` is limited, for the message."""
        self.rate = rate
        self._what = what
        self._now = now
        self._buckets: dict[object, Bucket] = {}

    def take(self, key: object) -> None:
        """One for that key; `RateLimited` says how long to wait."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= FORGET_AFTER:
                kept = {k: b for k, b in self._buckets.items() if not b.is_full}
                self._buckets = kept if len(kept) < FORGET_AFTER else {}
            bucket = self._buckets[key] = Bucket(self.rate, self._now)
        wait = bucket.wait()
        if wait:
            raise RateLimited(f"too many {self._what}; wait {wait:.0f} seconds", round(wait, 1))
