"""Rate limits as token buckets."""

import ipaddress
from collections.abc import Callable
from typing import NamedTuple

from parlour.protocol.errors import RateLimited

MAX_BUCKETS = 10_000
"""Maximum number of buckets kept; full ones are dropped first."""


class Rate(NamedTuple):
    """Requests per second in the long run, and the size of a burst."""

    per_second: float
    burst: float


class SharedRate:
    """A rate shared by many buckets: a change applies to all of them at once."""

    __slots__ = ("burst", "name", "per_second")

    def __init__(self, rate: Rate, name: str = "") -> None:
        """Start with `rate`; `name` is the name of its setting."""
        self.name = name
        self.per_second, self.burst = rate

    def adopt(self, rate: Rate) -> None:
        """Change the rate."""
        self.per_second, self.burst = rate


def rate_limit_key(address: str) -> str:
    """Return the key that an address is rate-limited by: IPv6 addresses share their /64 prefix."""
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
    """Token bucket."""

    __slots__ = ("_at", "_left", "_now", "_rate")

    def __init__(self, rate: SharedRate, now: Callable[[], float]) -> None:
        """Create a full bucket; `now` returns seconds."""
        self._rate = rate
        self._left = rate.burst
        self._now = now
        self._at = now()

    def wait(self) -> float:
        """Take a token and return 0, or return the seconds until one is available."""
        now, rate = self._now(), self._rate
        self._left = min(rate.burst, self._left + (now - self._at) * rate.per_second)
        self._at = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / rate.per_second if rate.per_second else 60.0

    @property
    def is_full(self) -> bool:
        """Whether all tokens are available, so that the bucket can be dropped."""
        rate = self._rate
        return self._left + (self._now() - self._at) * rate.per_second >= rate.burst


class Buckets:
    """Token buckets by key, for example one per address."""

    def __init__(self, rate: SharedRate, what: str, now: Callable[[], float]) -> None:
        """Limit `what`, which is named in error messages."""
        self._rate = rate
        self._what = what
        self._now = now
        self._buckets: dict[object, Bucket] = {}

    def take(self, key: object) -> None:
        """Take a token for a key. Raise `RateLimited` if there is none."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MAX_BUCKETS:
                kept = {k: b for k, b in self._buckets.items() if not b.is_full}
                self._buckets = kept if len(kept) < MAX_BUCKETS else {}
            bucket = self._buckets[key] = Bucket(self._rate, self._now)
        wait = bucket.wait()
        if wait:
            words = f"too many {self._what}: try again in {wait:.0f} seconds"
            raise RateLimited(words, round(wait, 1), self._rate.name)
