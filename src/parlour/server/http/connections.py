"""HTTP connections with deadlines and a limit per address, on uvicorn's HTTP/1.1."""

import asyncio
import ipaddress
import logging
from collections.abc import Callable
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from parlour.server.limits import rate_limit_key
from parlour.server.metrics import Metrics
from parlour.server.settings import Settings

log = logging.getLogger("parlour.server")

MAX_PER_ADDRESS = 100
"""Open HTTP connections of one address; WebSockets have a limit of their own."""
MAX_CONNECTIONS = 2000
"""Open HTTP connections in all."""
SECONDS = {"head": 10.0, "body": 30.0, "answer": 120.0}
"""Time for a request's line and headers, for its body, and for taking the answer."""
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


class HttpProtocol(H11Protocol):
    """One HTTP connection."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Create it for uvicorn; the application has the gate."""
        super().__init__(config, server_state, app_state, _loop)
        self._gate: Gate = config.app.gate  # type: ignore[union-attr]
        self._address = ""
        self._is_inside = False
        self._phase = ""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, or cut it off."""
        super().connection_made(transport)
        self._address = rate_limit_key(self.client[0]) if self.client else ""
        self._is_inside = self._gate.enter(self._address)
        if self._is_inside:
            self._enter("head")
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._leave()

    def data_received(self, data: bytes) -> None:
        """Handle data, and set the deadline of what comes next."""
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete:
            self._enter("head")
        elif self.cycle.more_body:
            self._enter("body")
        else:
            self._enter("answer")

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Wait for the next request, as long as uvicorn's keep-alive allows."""
        self._enter("")
        super().on_response_complete()

    def _enter(self, phase: str) -> None:
        """Start a phase of a request, with its deadline; a phase that lasts keeps it."""
        if phase == self._phase or not self._is_inside:
            return
        if self._deadline is not None:
            self._deadline.cancel()
        self._phase = phase
        self._deadline = self.loop.call_later(SECONDS[phase], self._cut_off) if phase else None

    def _cut_off(self) -> None:
        self._gate.report(self._phase)
        self.transport.abort()

    def _leave(self) -> None:
        if self._is_inside:
            self._enter("")
            self._is_inside = False
            self._gate.leave(self._address)
