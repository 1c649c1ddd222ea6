"""The server's time, and how much of a past time counts on players' clocks."""

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
        """Both give seconds."""
        self._monotonic = monotonic
        self._offset = wall() - monotonic()

    def seconds(self) -> float:
        """Since 1970."""
        return self._monotonic() + self._offset

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int(self.seconds() * 1000)


def alive_seconds(runs: Iterable[Run], since: int, now: int) -> float:
    """How long of the time from `since` to `now` some server was alive.

    The rest is refunded on clocks: nobody could play.
    """
    covered, alive = since, 0
    for run in sorted(runs):
        begin, end = max(covered, run.started), min(now, run.heartbeat)
        if end > begin:
            alive += end - begin
            covered = end
    return alive / 1000
