"""Games on a Ray cluster: `--on ray` or `--on ray:ADDRESS`, with the extra [ray]."""

import logging
from typing import Any

from parlour._build import __version__
from parlour.arena.cluster import (
    RETRIES,
    BatchResult,
    ClusterCrew,
    check_address,
    play_batch,
    unreachable,
)
from parlour.arena.errors import MatchError
from parlour.arena.plan import Task
from parlour.arena.runner import Crew, Runner, Setup
from parlour.core.errors import MissingExtra, in_one_line

try:
    import ray
except ImportError as error:
    raise MissingExtra("--on ray needs the extra: pip install 'parlour[ray]'") from error


START = "ray start --head"


class RayRunner(Runner):
    """Plays on a Ray cluster; without an address on this machine's, or on a new one.

    An existing connection of this process is reused.
    """

    def __init__(self, address: str = "") -> None:
        """Set the address: `HOST:6379` within the cluster, `ray://HOST:10001` from outside."""
        self.address = address

    def crew(self, setup: Setup) -> Crew:
        """Connect to the cluster; raises `MatchError` if it does not answer."""
        is_ours = not ray.is_initialized()
        if is_ours:
            if self.address:
                check_address(self.address, START)
            try:
                ray.init(
                    address=self.address or None, logging_level=logging.ERROR, log_to_driver=False
                )
            except (Exception, SystemExit) as error:
                raise unreachable(self.address, START, error) from error
        return _RayCrew(setup, is_ours)

    @property
    def parallel(self) -> int:
        """The processors of the cluster."""
        return _processors() if ray.is_initialized() else 1


def _processors() -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


class _RayCrew(ClusterCrew):
    name = "ray"

    def __init__(self, setup: Setup, is_ours: bool) -> None:
        super().__init__(setup)
        self._is_ours = is_ours
        # Sent once instead of with every batch.
        self._shared = ray.put(setup)
        self._play = ray.remote(max_retries=RETRIES)(play_batch)

    def _submit(self, tasks: list[Task]) -> Any:
        return self._play.remote(self._shared, tasks, __version__)

    def _next(self, waiting: list[Any]) -> tuple[Any, BatchResult]:
        try:
            ready, _ = ray.wait(waiting, num_returns=1)
            return ready[0], ray.get(ready[0])
        except ray.exceptions.RayError as error:
            raise MatchError(
                f"ray: a batch of games was lost with its worker {RETRIES + 1} times "
                f"({in_one_line(error)[:160]}): use --on local to find the failing agent; "
                "finished games are kept"
            ) from error

    def _cancel(self, waiting: list[Any]) -> None:
        for key in waiting:
            ray.cancel(key, force=True)

    def _slots(self) -> int:
        return _processors()

    def _leave(self) -> None:
        if self._is_ours:
            ray.shutdown()
