"""What an operator can measure, for Prometheus. docs/operating.md lists every name."""

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
"""Where the workers of one server keep their figures."""
QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
SLOW = (0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
STATUSES = (WAITING, PERSON_TO_ACT, AGENT_TO_ACT, ENDED)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def keep_as(worker: int) -> None:
    """Keep the figures of this process as that worker's: whoever takes its place counts on."""
    values.ValueClass = values.MultiProcessValue(lambda: worker)  # type: ignore[no-untyped-call]


class Metrics:
    """The figures of one server; where it has several processes, those of all of them.

    What is counted often is looked up once.
    """

    def __init__(self) -> None:
        """All at zero."""
        self.registry = CollectorRegistry()
        kept = self.registry

        def gauge(name: str, words: str, mode: Any = "livesum", labels: Any = ()) -> Gauge:
            return Gauge(name, words, labels, registry=kept, multiprocess_mode=mode)

        self._process = ProcessFigures(kept)
        build = build_info()
        kind = "compiled" if build.compiled else "interpreted"
        what = gauge("parlour_info", "What runs", "livemax", ["version", "build"])
        what.labels(build.version, kind).set(1)
        self.sockets = gauge("parlour_sockets", "Open sockets")
        self.opened = Counter("parlour_sockets_opened", "Sockets opened", registry=kept)
        self._rooms = gauge("parlour_rooms", "Games in memory")
        self._guests = gauge("parlour_lobby_guests", "Sockets in the lobby")
        # The store's, so the same for all processes.
        self._games = gauge("parlour_games", "Games in the store", "mostrecent", ["status"])
        self._store_up = gauge("parlour_store_up", "Whether something can be stored", "livemin")
        self._agents = gauge("parlour_agents", "Processes in which agents think")
        self._agents_busy = gauge("parlour_agents_busy", "Those that think")
        self._agents_waiting = gauge("parlour_agents_waiting", "Questions that wait")
        self.agents_replaced = Counter(
            "parlour_agents_replaced", "Agents that went wrong", registry=kept
        )
        self._notices = Counter(
            "parlour_notices", "What other processes have told", ["kind"], registry=kept
        )
        self._missed = Counter(
            "parlour_notices_missed",
            "Changes of others found by a look at the store",
            registry=kept,
        )
        self.resyncs = Counter("parlour_resyncs", "Readers that were too slow", registry=kept)
        self._refused = Counter("parlour_refused", "Refused requests", ["code"], registry=kept)
        self._limited = Counter(
            "parlour_rate_limited", "Requests refused by a limit", ["limit"], registry=kept
        )
        self._events = Counter("parlour_events", "Events stored", ["kind"], registry=kept)
        self._requests = Counter(
            "parlour_http_requests", "HTTP requests", ["route", "status"], registry=kept
        )
        self._http = Histogram(
            "parlour_http_request_duration_seconds",
            "From an HTTP request to the end of its answer",
            ["route"],
            buckets=QUICK,
            registry=kept,
        )
        self._seats = Histogram(
            "parlour_seat_request_duration_seconds",
            "From a request of a seat to its ack, stored",
            ["verb"],
            buckets=QUICK,
            registry=kept,
        )
        self.commits = Histogram(
            "parlour_store_commit_duration_seconds",
            "How long a change waits until it is stored",
            buckets=QUICK,
            registry=kept,
        )
        self.store_failures = Counter(
            "parlour_store_failures", "Changes that could not be stored", registry=kept
        )
        self._transactions = Histogram(
            "parlour_store_transaction_duration_seconds",
            "How long a transaction of the store takes",
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
            "How long an agent thinks",
            buckets=SLOW,
            registry=kept,
        )
        self.loop_lag = Histogram(
            "parlour_event_loop_lag_seconds",
            "How late the event loop does what is due",
            buckets=QUICK,
            registry=kept,
        )
        self._verbs: dict[str, Histogram] = {}
        self._kinds: dict[str, Counter] = {}
        self._routes: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def measure(self, rooms: "Rooms") -> None:
        """Note what this process and its agents are doing now."""
        self._process.measure()
        self._rooms.set(rooms.loaded)
        self._guests.set(len(rooms.lobby.guests))
        self._store_up.set(rooms.is_storing)
        self._agents.set(rooms.pool.size)
        self._agents_busy.set(rooms.pool.busy)
        self._agents_waiting.set(rooms.pool.waiting)

    def count_games(self, counts: dict[str, int]) -> None:
        """How many games of each status the store has."""
        for status in STATUSES:
            self._games.labels(status).set(counts.get(status, 0))

    def heard(self, kind: str) -> None:
        """Another process has stored or said something."""
        self._notices.labels(kind).inc()

    def polled(self, is_news: bool) -> None:
        """A game was looked up in the store; whether there was something to learn."""
        if is_news:
            self._missed.inc()

    def answered(self, verb: str, seconds: float) -> None:
        """A request of a seat was carried out."""
        known = self._verbs.get(verb)
        if known is None:
            known = self._verbs[verb] = self._seats.labels(verb.lower())
        known.observe(seconds)

    def served(self, route: str, status: int, seconds: float) -> None:
        """An HTTP request was answered."""
        known = self._routes.get((route, status))
        if known is None:
            counter = self._requests.labels(route, str(status))
            known = self._routes[route, status] = (counter, self._http.labels(route))
        known[0].inc()
        known[1].observe(seconds)

    def happened(self, kind: str) -> None:
        """An event was stored."""
        known = self._kinds.get(kind)
        if known is None:
            known = self._kinds[kind] = self._events.labels(kind)
        known.inc()

    def refused(self, code: str, limit: str = "") -> None:
        """Something was refused, by a limit if one is named."""
        self._refused.labels(code).inc()
        if limit:
            self._limited.labels(limit).inc()

    def transaction(self, changes: int, seconds: float) -> None:
        """The store has put so many changes into one transaction."""
        self._batches.observe(changes)
        self._transactions.observe(seconds)

    def text(self) -> bytes:
        """The exposition format."""
        if not is_shared():
            return generate_latest(self.registry)
        all_of_them = CollectorRegistry()
        MultiProcessCollector(all_of_them)  # type: ignore[no-untyped-call]
        return generate_latest(all_of_them)


def is_shared() -> bool:
    """Whether several processes put their figures into one folder, and each tells all."""
    return METRICS_FOLDER in os.environ


class ProcessFigures:
    """CPU, memory and descriptors: of this process, or of each worker, with its number as `pid`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Prometheus' own collector, which cannot tell of others."""
        self._gauges: dict[str, Gauge] = {}
        self._collector = ProcessCollector(registry=None if is_shared() else registry)
        if is_shared():
            for family in self._collector.collect():
                for name in {sample.name for sample in family.samples}:
                    self._gauges[name] = Gauge(
                        name, family.documentation, registry=registry, multiprocess_mode="liveall"
                    )

    def measure(self) -> None:
        """Note them for the others."""
        if self._gauges:
            for family in self._collector.collect():
                for sample in family.samples:
                    self._gauges[sample.name].set(sample.value)
