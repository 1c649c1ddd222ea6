"""Games on a Dask cluster: `--on dask` or `--on dask:ADDRESS`, with the extra [dask]."""

import logging
from typing import Any

from parlour._build import __version__
from parlour.arena.cluster import (
    CONNECT_SECONDS,
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
from parlour.arena.workers import available_processors, interrupts_blocked_for_children
from parlour.core.errors import MissingExtra, in_one_line

try:
    import distributed
except ImportError as error:
    raise MissingExtra("--on dask needs the extra: pip install 'parlour[dask]'") from error

START = "dask scheduler"


class DaskRunner(Runner):
    """Plays on a Dask cluster; without an address it starts one on this machine."""

    def __init__(self, address: str = "") -> None:
        """Set the scheduler's address: `HOST:8786` or `tcp://HOST:8786`."""
        self.address = address
        self._parallel = available_processors()

    def crew(self, setup: Setup) -> Crew:
        """Connect to the cluster; raises `MatchError` if it does not answer."""
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if self.address:
            check_address(self.address, START)
        try:
            if self.address:
                client = distributed.Client(self.address, timeout=CONNECT_SECONDS)
            else:
                # Ctrl-C must not reach the workers.
                with interrupts_blocked_for_children():
                    client = distributed.Client(
                        n_workers=available_processors(),
                        threads_per_worker=1,
                        dashboard_address=None,
                        silence_logs=logging.CRITICAL,
                    )
        except Exception as error:
            raise unreachable(self.address, START, error) from error
        crew = _DaskCrew(setup, client)
        self._parallel = crew.slots()
        return crew

    @property
    def parallel(self) -> int:
        """The threads of the cluster's workers."""
        return self._parallel


class _DaskCrew(ClusterCrew):
    name = "dask"

    def __init__(self, setup: Setup, client: Any) -> None:
        super().__init__(setup)
        self._client = client

    def _submit(self, tasks: list[Task]) -> Any:
        # Send the setup each time: scattered data is lost with the worker that holds it.
        return self._client.submit(
            play_batch, self._setup, tasks, __version__, pure=False, retries=RETRIES
        )

    def _next(self, waiting: list[Any]) -> tuple[Any, BatchResult]:
        try:
            done = distributed.wait(waiting, return_when="FIRST_COMPLETED").done
            key = next(key for key in waiting if key in done)
            batch: BatchResult = key.result()
            return key, batch
        except Exception as error:
            raise MatchError(
                f"dask: a batch of games was lost with its workers ({in_one_line(error)[:160]}): "
                "use --on local to find the failing agent; finished games are kept"
            ) from error

    def _cancel(self, waiting: list[Any]) -> None:
        self._client.cancel(waiting, force=True)

    def slots(self) -> int:
        """Return the number of worker threads."""
        return sum(self._client.nthreads().values())

    def _slots(self) -> int:
        return self.slots()

    def _leave(self) -> None:
        self._client.close()
