"""Prometheus metrics. docs/operating.md lists all of them."""

import os
from typing import TYPE_CHECKING, Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
    values,
)
from prometheus_client.multiprocess import MultiProcessCollector

from parlour._build import build_info
from parlour.server.store.store import AGENT_TO_ACT, ENDED, PERSON_TO_ACT, WAITING

if TYPE_CHECKING:
    from parlour.server.live.rooms import Rooms

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable with the folder in which workers share their metrics."""
QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
SLOW = (0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
STATUSES = (WAITING, PERSON_TO_ACT, AGENT_TO_ACT, ENDED)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def use_worker_number(worker: int) -> None:
    """Store this process's metrics as those of `worker`; its successor continues them."""
    values.ValueClass = values.MultiProcessValue(lambda: worker)  # type: ignore[no-untyped-call]


class Metrics:
    """Metrics of a server, summed over its processes.

    Labelled children are cached because looking them up is slow.
    """

    def __init__(self) -> None:
        """Start with all metrics at zero."""
        self.registry = CollectorRegistry()
        kept = self.registry

        def gauge(name: str, words: str, mode: Any = "livesum", labels: Any = ()) -> Gauge:
            return Gauge(name, words, labels, registry=kept, multiprocess_mode=mode)

        self._process = ProcessFigures(kept)
        build = build_info()
        kind = "compiled" if build.compiled else "interpreted"
        what = gauge(
            "parlour_info", "Version and build of the server", "livemax", ["version", "build"]
        )
        what.labels(build.version, kind).set(1)
        self.sockets = gauge("parlour_sockets", "Open WebSocket connections")
        self.opened = Counter(
            "parlour_sockets_opened", "WebSocket connections opened", registry=kept
        )
        self._rooms = gauge("parlour_rooms", "Games in memory")
        self._guests = gauge("parlour_lobby_guests", "Connections in the lobby")
        # A value of the store, equal in all processes.
        self._games = gauge("parlour_games", "Games in the store", "mostrecent", ["status"])
        self._store_up = gauge("parlour_store_up", "Whether the store accepts writes", "livemin")
        self._agents = gauge("parlour_agents", "Agent processes")
        self._agents_busy = gauge("parlour_agents_busy", "Agent processes that are thinking")
        self._agents_waiting = gauge("parlour_agents_waiting", "Queued agent requests")
        self.agents_replaced = Counter(
            "parlour_agents_replaced", "Agent processes replaced after a failure", registry=kept
        )
        self._notices = Counter(
            "parlour_notices", "Notifications received from peers", ["kind"], registry=kept
        )
        self._missed = Counter(
            "parlour_notices_missed",
            "Changes by peers that were found by polling the store",
            registry=kept,
        )
        self.resyncs = Counter(
            "parlour_resyncs", "Connections resynced for reading too slowly", registry=kept
        )
        self._refused = Counter("parlour_refused", "Refused requests", ["code"], registry=kept)
        self._limited = Counter(
            "parlour_rate_limited", "How often a limit was reached", ["limit"], registry=kept
        )
        self._cut_off = Counter(
            "parlour_connections_cut_off",
            "HTTP connections closed by a limit or deadline",
            ["limit"],
            registry=kept,
        )
        self._events = Counter("parlour_events", "Events stored", ["kind"], registry=kept)
        self._requests = Counter(
            "parlour_http_requests", "HTTP requests", ["route", "status"], registry=kept
        )
        self._http = Histogram(
            "parlour_http_request_duration_seconds",
            "Time from an HTTP request to the end of its response",
            ["route"],
            buckets=QUICK,
            registry=kept,
        )
        self._seats = Histogram(
            "parlour_seat_request_duration_seconds",
            "Time from a seat's request to its ack, after it is stored",
            ["verb"],
            buckets=QUICK,
            registry=kept,
        )
        self.commits = Histogram(
            "parlour_store_commit_duration_seconds",
            "Time until a change is stored",
            buckets=QUICK,
            registry=kept,
        )
        self.store_failures = Counter(
            "parlour_store_failures", "Changes that could not be stored", registry=kept
        )
        self._transactions = Histogram(
            "parlour_store_transaction_duration_seconds",
            "Duration of a transaction of the store",
            buckets=QUICK,
            registry=kept,
        )
        self._batches = Histogram(
            "parlour_store_transaction_changes",
            "Changes stored in one transaction",
            buckets=SIZES,
            registry=kept,
        )
        self.thoughts = Histogram(
            "parlour_agent_thought_duration_seconds",
            "Thinking time of an agent",
            buckets=SLOW,
            registry=kept,
        )
        self.loop_lag = Histogram(
            "parlour_event_loop_lag_seconds",
            "Delay of timers on the event loop",
            buckets=QUICK,
            registry=kept,
        )
        self._verbs: dict[str, Histogram] = {}
        self._kinds: dict[str, Counter] = {}
        self._notified: dict[str, Counter] = {}
        self._routes: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def measure(self, rooms: "Rooms") -> None:
        """Update the gauges of this process and its agents."""
        self._process.measure()
        self._rooms.set(rooms.loaded)
        self._guests.set(len(rooms.lobby.guests))
        self._store_up.set(rooms.is_storing)
        self._agents.set(rooms.pool.size)
        self._agents_busy.set(rooms.pool.busy)
        self._agents_waiting.set(rooms.pool.waiting)

    def count_games(self, counts: dict[str, int]) -> None:
        """Set the number of stored games per status."""
        for status in STATUSES:
            self._games.labels(status).set(counts.get(status, 0))

    def count_notification(self, kind: str) -> None:
        """Count a notification from a peer."""
        known = self._notified.get(kind)
        if known is None:
            known = self._notified[kind] = self._notices.labels(kind)
        known.inc()

    def count_poll(self, is_news: bool) -> None:
        """Count a change that a poll of the store found, if `is_news`."""
        if is_news:
            self._missed.inc()

    def observe_request(self, verb: str, seconds: float) -> None:
        """Record the duration of a seat's request."""
        known = self._verbs.get(verb)
        if known is None:
            known = self._verbs[verb] = self._seats.labels(verb.lower())
        known.observe(seconds)

    def observe_http(self, route: str, status: int, seconds: float) -> None:
        """Record an HTTP request."""
        known = self._routes.get((route, status))
        if known is None:
            counter = self._requests.labels(route, str(status))
            known = self._routes[route, status] = (counter, self._http.labels(route))
        known[0].inc()
        known[1].observe(seconds)

    def count_event(self, kind: str) -> None:
        """Count a stored event."""
        known = self._kinds.get(kind)
        if known is None:
            known = self._kinds[kind] = self._events.labels(kind)
        known.inc()

    def count_refusal(self, code: str, limit: str = "") -> None:
        """Count a refused request, and the rate limit that refused it, if any."""
        self._refused.labels(code).inc()
        if limit:
            self.count_limit(limit)

    def count_limit(self, limit: str) -> None:
        """Count that a limit was reached."""
        self._limited.labels(limit).inc()

    def count_cut_off(self, limit: str) -> None:
        """Count an HTTP connection that a limit or deadline closed."""
        self._cut_off.labels(limit).inc()

    def transaction(self, changes: int, seconds: float) -> None:
        """Record a transaction of the store with `changes` changes."""
        self._batches.observe(changes)
        self._transactions.observe(seconds)

    def text(self) -> bytes:
        """Return the metrics in Prometheus' text format."""
        if not is_shared():
            return generate_latest(self.registry)
        all_of_them = CollectorRegistry()
        MultiProcessCollector(all_of_them)  # type: ignore[no-untyped-call]
        return generate_latest(all_of_them)


def is_shared() -> bool:
    """Whether several processes share their metrics in one folder."""
    return METRICS_FOLDER in os.environ


class ProcessFigures:
    """CPU, memory and file descriptors of this process, or of each worker by number (`pid`)."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Wrap Prometheus' collector, which covers only its own process."""
        self._gauges: dict[str, Gauge] = {}
        self._collector = ProcessCollector(registry=None if is_shared() else registry)
        if is_shared():
            for family in self._collector.collect():
                for name in {sample.name for sample in family.samples}:
                    self._gauges[name] = Gauge(
                        name, family.documentation, registry=registry, multiprocess_mode="liveall"
                    )

    def measure(self) -> None:
        """Publish this process's values to the other workers."""
        if self._gauges:
            for family in self._collector.collect():
                for sample in family.samples:
                    self._gauges[sample.name].set(sample.value)
