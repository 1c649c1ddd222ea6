"""What an operator can measure, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        """All at zero."""
        self.registry = CollectorRegistry()
        kept = self.registry
        self.sockets = Gauge("parlour_sockets", "Open sockets", registry=kept)
        self.rooms = Gauge("parlour_rooms", "Games in memory", registry=kept)
        self.games = Gauge("parlour_games", "Games in the store", ["status"], registry=kept)
        self.agents_waiting = Gauge("parlour_agents_waiting", "Questions that wait", registry=kept)
        self.agents_answered = Gauge("parlour_agents_answered", "Questions answered", registry=kept)
        self.agents_replaced = Gauge(
            "parlour_agents_replaced", "Agents that went wrong", registry=kept
        )
        self.refused = Counter("parlour_refused", "Refused requests", ["code"], registry=kept)
        self.resyncs = Counter("parlour_resyncs", "Readers that were too slow", registry=kept)
        self.requests = Counter("parlour_http_requests", "HTTP requests", ["status"], registry=kept)
        self._seconds = Histogram(
            "parlour_request_seconds",
            "From a request of a seat to its ack, stored",
            ["verb"],
            buckets=BUCKETS,
            registry=kept,
        )
        self._verbs: dict[str, Histogram] = {}

    def answered(self, verb: str, seconds: float) -> None:
        """A request of a seat was carried out."""
        known = self._verbs.get(verb)
        if known is None:
            known = self._verbs[verb] = self._seconds.labels(verb.lower())
        known.observe(seconds)

    def text(self) -> bytes:
        """The exposition format."""
        return generate_latest(self.registry)
