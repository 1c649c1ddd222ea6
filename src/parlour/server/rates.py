"""Rate limits as token buckets, and the log of limits that were reached."""

import ipaddress
import logging
from collections.abc import Callable
from contextvars import ContextVar
from typing import NamedTuple

from parlour.protocol.errors import RateLimited

log = logging.getLogger("parlour.server")

MAX_BUCKETS = 10_000
"""Buckets with a key of their own; newcomers share the others while none of these is full."""
SHARED_BUCKETS = 1024
LOOKED_AT = 4
"""Buckets checked for a place before a newcomer shares: the work per request is bounded."""
LOG_SECONDS = 60.0
PAUSE_SECONDS = 1.0
"""How long a refused caller waits for its answer, so that a flood of refusals costs little."""
PREFIXES = {4: (32, 16), 6: (56, 40)}
"""Prefix lengths by IP version: of an address, and of the addresses that share a bucket."""

current_address: ContextVar[str] = ContextVar("current_address", default="")
"""The rate-limit key of the caller of the current task; empty for the server's own tasks."""


class Rate(NamedTuple):
    """Units per second in the long run, and the size of a burst."""

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
    """Return the key that an address is rate-limited by: IPv6 addresses share their /56 prefix."""
    return _prefix(address, 0)


def _prefix(address: str, column: int) -> str:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found
    spare = found.max_prefixlen - PREFIXES[found.version][column]
    return str(type(found)(int(found) >> spare << spare))


class Bucket:
    """Token bucket."""

    __slots__ = ("_at", "_left", "_now", "_rate")

    def __init__(self, rate: SharedRate, now: Callable[[], float]) -> None:
        """Create a full bucket; `now` returns seconds."""
        self._rate = rate
        self._left = rate.burst
        self._now = now
        self._at = now()

    @property
    def left(self) -> float:
        """The tokens that are available; negative for a debt."""
        now, rate = self._now(), self._rate
        self._left = min(rate.burst, self._left + (now - self._at) * rate.per_second)
        self._at = now
        return self._left

    def wait(self, cost: float = 1.0) -> float:
        """Take `cost` tokens and return 0, or return the seconds until they are available.

        A full bucket pays any cost and may end with a debt.
        """
        missing = min(cost, self._rate.burst) - self.left
        if missing <= 0:
            self._left -= cost
            return 0.0
        return missing / self._rate.per_second if self._rate.per_second else 60.0

    def charge(self, cost: float) -> None:
        """Take tokens, or return them if `cost` is negative; the debt is at most a burst."""
        self._left = max(-self._rate.burst, self.left - cost)

    @property
    def is_full(self) -> bool:
        """Whether all tokens are available, so that the bucket can be dropped."""
        return self.left >= self._rate.burst


class Buckets:
    """Token buckets by key, for example one per address.

    Only full buckets are dropped, so that requests from many addresses cannot refill the bucket of
    another one. If there is no place, newcomers share a bucket with their neighbours.
    """

    def __init__(self, rate: SharedRate, what: str, now: Callable[[], float]) -> None:
        """Limit `what`, which is named in error messages."""
        self._rate = rate
        self._what = what
        self._now = now
        self._buckets: dict[object, Bucket] = {}
        self._shared: dict[int, Bucket] = {}

    def __len__(self) -> int:
        """Return the number of buckets in memory."""
        return len(self._buckets) + len(self._shared)

    def of(self, key: object) -> Bucket:
        """Return the bucket of a key."""
        bucket = self._buckets.get(key)
        if bucket is not None:
            return bucket
        if len(self._buckets) < MAX_BUCKETS or self._has_dropped():
            bucket = self._buckets[key] = Bucket(self._rate, self._now)
            return bucket
        # Python keys the hashes of texts with a secret: no one can choose whom to share with.
        place = hash(_prefix(key, 1) if isinstance(key, str) else key) % SHARED_BUCKETS
        bucket = self._shared.get(place)
        if bucket is None:
            bucket = self._shared[place] = Bucket(self._rate, self._now)
        return bucket

    def _has_dropped(self) -> bool:
        """Drop a full bucket among the next few, and move the others to the end of the row."""
        for _ in range(LOOKED_AT):
            key = next(iter(self._buckets))
            bucket = self._buckets.pop(key)
            if bucket.is_full:
                return True
            self._buckets[key] = bucket
        return False

    def take(self, key: object, cost: float = 1.0) -> None:
        """Take tokens for a key. Raise `RateLimited` if there are too few."""
        wait = self.of(key).wait(cost)
        if wait:
            words = f"too many {self._what}: try again in {max(1, round(wait))} seconds"
            raise RateLimited(words, round(wait, 1), self._rate.name)


class LimitLog:
    """Logs that a limit was reached, at most once a minute for each limit."""

    def __init__(self, now: Callable[[], float], has_addresses: bool) -> None:
        """Include addresses only if `has_addresses`; `now` returns seconds."""
        self._now = now
        self._has_addresses = has_addresses
        self._logged_at: dict[str, float] = {}
        self._times: dict[str, int] = {}

    def note(self, limit: str, address: str = "") -> None:
        """Count that a limit was reached; if a line is due, log the count since the last one."""
        if not limit:
            return
        now = self._now()
        self._times[limit] = self._times.get(limit, 0) + 1
        if now - self._logged_at.get(limit, -LOG_SECONDS) < LOG_SECONDS:
            return
        self._logged_at[limit] = now
        fields: dict[str, object] = {"limit": limit, "times": self._times.pop(limit)}
        if self._has_addresses:
            fields["address"] = address
        log.warning("a limit was reached", extra=fields)
