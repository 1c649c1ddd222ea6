"""How often and how long a client retries."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import NamedTuple


class Retry(NamedTuple):
    """Exponential backoff with jitter, up to a number of attempts.

    >>> Retry(chance=lambda: 1.0).wait(failures=3)
    0.8
    """

    attempts: int = 14
    """Consecutive failures before a client gives up."""
    first: float = 0.2
    """Seconds to wait after the first failure; doubled after each further one."""
    most: float = 10.0
    """The longest wait, in seconds."""
    answer: float = 10.0
    """Seconds without an answer to a request before the connection is replaced."""
    silence: float = 120.0
    """Seconds without any message before the connection is replaced."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """The function that waits; tests replace it."""
    chance: Callable[[], float] = random.random
    """Returns the jitter, a number from 0 to 1."""

    def wait(self, failures: int) -> float:
        """Return the seconds to wait after this many consecutive failures, at least one."""
        longest = min(self.most, self.first * 2.0 ** (failures - 1))
        return longest * (0.5 + 0.5 * self.chance())
