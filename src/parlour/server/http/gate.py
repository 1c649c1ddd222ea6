"""Limits of open HTTP connections, in all and for each address."""

import ipaddress
from collections.abc import Callable

from parlour.server.metrics import Metrics
from parlour.server.rates import LimitLog, rate_limit_key
from parlour.server.settings import Settings

MAX_PER_ADDRESS = 100
"""Open HTTP connections of one address; WebSockets have a limit of their own."""
MAX_CONNECTIONS = 2000
"""Open HTTP connections in all."""


Idle = dict[object, Callable[[], None]]
"""How to cut off each of some connections."""


class Gate:
    """Counts open HTTP connections, and reports those that are refused or cut off."""

    def __init__(self, settings: Settings, metrics: Metrics, limit_log: LimitLog) -> None:
        """Start without connections."""
        self._metrics = metrics
        self._limit_log = limit_log
        self._total = 0
        self._by_address: dict[str, int] = {}
        self._idle: Idle = {}
        """Connections without a complete request, the oldest first."""
        self._idle_of: dict[str, Idle] = {}
        """The same for each address."""
        proxies = [each.strip() for each in settings.proxies.split(",") if each.strip()]
        self._proxies = [ipaddress.ip_network(each) for each in proxies]

    def enter(self, address: str) -> bool:
        """Count a connection. Return false if there are too many.

        If all places are taken, or all of its address, the oldest connection there without a
        complete request loses its place: many people behind one address keep connections open.
        """
        key = rate_limit_key(address)
        if self._by_address.get(key, 0) >= MAX_PER_ADDRESS and not self._is_proxy(address):
            self.report("address", address)
            if not _has_made_room(self._idle_of.get(key)):
                return False
        if self._total >= MAX_CONNECTIONS:
            self.report("all", address)
            if not _has_made_room(self._idle):
                return False
        self._total += 1
        self._by_address[key] = self._by_address.get(key, 0) + 1
        return True

    def wait(self, connection: object, address: str, cut_off: Callable[[], None]) -> None:
        """Note that a connection has no complete request; `cut_off` frees its place."""
        self._idle[connection] = cut_off
        self._idle_of.setdefault(rate_limit_key(address), {})[connection] = cut_off

    def serve(self, connection: object, address: str) -> None:
        """Note that a connection has a complete request, or is closed."""
        if self._idle.pop(connection, None) is not None:
            key = rate_limit_key(address)
            del self._idle_of[key][connection]
            if not self._idle_of[key]:
                del self._idle_of[key]

    def leave(self, address: str) -> None:
        """Remove a connection that is closed, or has become a WebSocket."""
        key = rate_limit_key(address)
        self._total -= 1
        left = self._by_address[key] - 1
        if left:
            self._by_address[key] = left
        else:
            del self._by_address[key]

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:  # a Unix socket
            return True
        return any(found in network for network in self._proxies)

    def report(self, limit: str, address: str) -> None:
        """Count and log a connection that a limit or deadline closed."""
        self._metrics.count_cut_off(limit)
        self._limit_log.note(f"connections: {limit}", address)


def _has_made_room(idle: Idle | None) -> bool:
    """Cut off the oldest of these connections. Return false if there is none."""
    if not idle:
        return False
    next(iter(idle.values()))()
    return True
