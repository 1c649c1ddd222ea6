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


class RatePace:
    """A rate that is in force: every bucket that fills by it adopts a new one at once."""

    __slots__ = ("burst", "name", "per_second")

    def __init__(self, rate: Rate, name: str = "") -> None:
        """As fast as that until it is told otherwise; `name` is the setting's."""
        self.name = name
        self.per_second, self.burst = rate

    def adopt(self, rate: Rate) -> None:
        """As fast as that from now on."""
        self.per_second, self.burst = rate


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

    __slots__ = ("_at", "_left", "_now", "_pace")

    def __init__(self, pace: RatePace, now: Callable[[], float]) -> None:
        """Full; `now` gives seconds."""
        self._pace = pace
        self._left = pace.burst
        self._now = now
        self._at = now()

    def wait(self) -> float:
        """Take one: 0, or the seconds until there is one again, and then none is taken."""
        now, pace = self._now(), self._pace
        self._left = min(pace.burst, self._left + (now - self._at) * pace.per_second)
        self._at = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / pace.per_second if pace.per_second else 60.0

    @property
    def is_full(self) -> bool:
        """Whether it has forgotten everybody."""
        pace = self._pace
        return self._left + (self._now() - self._at) * pace.per_second >= pace.burst


class Buckets:
    """A bucket for each key: for an address, say."""

    def __init__(self, pace: RatePace, what: str, now: Callable[[], float]) -> None:
        """`what` is limited, for the message."""
        self._pace = pace
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
            bucket = self._buckets[key] = Bucket(self._pace, self._now)
        wait = bucket.wait()
        if wait:
            words = f"too many {self._what}; wait {wait:.0f} seconds"
            raise RateLimited(words, round(wait, 1), self._pace.name)
