"""Limits of open HTTP connections, in all and for each address."""

import ipaddress
import logging
from collections.abc import Callable

from parlour.server.metrics import Metrics
from parlour.server.settings import Settings

log = logging.getLogger("parlour.server")

MAX_PER_ADDRESS = 100
"""Open HTTP connections of one address; WebSockets have a limit of their own."""
MAX_CONNECTIONS = 2000
"""Open HTTP connections in all."""
LOG_SECONDS = 60.0


class Gate:
    """Counts open HTTP connections, and reports those that are refused or cut off."""

    def __init__(self, settings: Settings, metrics: Metrics, now: Callable[[], float]) -> None:
        """Start without connections; `now` returns seconds."""
        self._metrics = metrics
        self._now = now
        self._total = 0
        self._by_address: dict[str, int] = {}
        self._logged: dict[str, float] = {}
        proxies = [each.strip() for each in settings.proxies.split(",") if each.strip()]
        self._trusts_all = "*" in proxies
        self._proxies = [ipaddress.ip_network(each) for each in proxies if each != "*"]

    def enter(self, address: str) -> bool:
        """Count a connection. Return false if there are too many."""
        if self._total >= MAX_CONNECTIONS:
            self.report("all")
            return False
        if self._by_address.get(address, 0) >= MAX_PER_ADDRESS and not self._is_proxy(address):
            self.report("address")
            return False
        self._total += 1
        self._by_address[address] = self._by_address.get(address, 0) + 1
        return True

    def leave(self, address: str) -> None:
        """Remove a connection that is closed, or has become a WebSocket."""
        self._total -= 1
        left = self._by_address[address] - 1
        if left:
            self._by_address[address] = left
        else:
            del self._by_address[address]

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:  # a Unix socket
            return True
        return self._trusts_all or any(found in network for network in self._proxies)

    def report(self, limit: str) -> None:
        """Count a connection that a limit closed; log each limit at most once a minute."""
        self._metrics.count_cut_off(limit)
        now = self._now()
        if now - self._logged.get(limit, -LOG_SECONDS) >= LOG_SECONDS:
            self._logged[limit] = now
            log.warning("connections are cut off", extra={"limit": limit})
