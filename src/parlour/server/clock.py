"""The server's clock, and the time during which players' clocks ran."""

import time
from collections.abc import Callable, Iterable

from parlour.server.store.store import Run


class ServerClock:
    """Milliseconds since 1970 that never go back while the server runs."""

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Use two sources of seconds: `wall` since 1970, and a `monotonic` one."""
        self._monotonic = monotonic
        self._offset = wall() - monotonic()

    def seconds(self) -> float:
        """Return the seconds since 1970."""
        return self._monotonic() + self._offset

    def now(self) -> int:
        """Return the milliseconds since 1970."""
        return int(self.seconds() * 1000)


def alive_seconds(runs: Iterable[Run], since: int, now: int) -> float:
    """Return the seconds between `since` and `now` during which a server was alive.

    Downtime is refunded on the players' clocks.
    """
    covered, alive = since, 0
    for run in sorted(runs):
        begin, end = max(covered, run.started), min(now, run.heartbeat)
        if end > begin:
            alive += end - begin
            covered = end
    return alive / 1000
