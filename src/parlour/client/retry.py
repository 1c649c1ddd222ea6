"""How patient a client is: with a server that cannot be reached, and with one that is silent."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import NamedTuple


class Retry(NamedTuple):
    """After a failure wait a little, after the next one longer, and give up in the end."""

    attempts: int = 14
    """Failures one after another before a client gives up."""
    first: float = 0.2
    """Seconds to wait after the first failure; twice as long after each further one."""
    most: float = 10.0
    """The longest wait, in seconds."""
    answer: float = 10.0
    """Seconds without an answer to a request, after which the connection is given up."""
    silence: float = 120.0
    """Seconds without any message, after which the connection is given up."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """Waits; a test may have its own."""
    chance: Callable[[], float] = random.random
    """A number from 0 to 1, so that not everybody comes back at the same moment."""

    def wait(self, failures: int) -> float:
        """The seconds to wait after so many failures one after another, at least one."""
        longest = min(self.most, self.first * 2.0 ** (failures - 1))
        return longest * (0.5 + 0.5 * self.chance())
