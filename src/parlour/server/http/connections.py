"""HTTP connections with deadlines, on uvicorn's HTTP/1.1."""

import asyncio
import logging
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from parlour.protocol.limits import ANSWER_SECONDS, BODY_SECONDS, HEAD_SECONDS
from parlour.server.http.gate import Gate

SECONDS = {"head": HEAD_SECONDS, "body": BODY_SECONDS, "answer": ANSWER_SECONDS}


_logger = logging.getLogger("parlour.server.http")
_logger.setLevel(logging.ERROR)


class HttpProtocol(H11Protocol):
    """One HTTP connection."""

    def __init__(self, config: Config, **rest: Any) -> None:
        """Create it for uvicorn; the application has the gate."""
        super().__init__(config, **rest)
        self._gate: Gate = config.app.gate  # type: ignore[union-attr]
        self.logger = _logger
        self._address = ""
        self._is_inside = False
        self._phase = ""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, or cut it off."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
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

    def send_400_response(self, msg: str) -> None:
        """Refuse an invalid request; uvicorn would write a log line for each."""
        self._gate.report("invalid", self._address)
        super().send_400_response(msg)

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
        if phase in ("head", ""):
            self._gate.wait(self, self._address, self._make_room)
        else:
            self._gate.serve(self, self._address)
        self._deadline = self.loop.call_later(SECONDS[phase], self._cut_off) if phase else None

    def _cut_off(self) -> None:
        self._gate.report(self._phase, self._address)
        self.transport.abort()

    def _make_room(self) -> None:
        """Give up the place at once, for a new connection."""
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        if self._is_inside:
            self._enter("")
            self._gate.serve(self, self._address)
            self._is_inside = False
            self._gate.leave(self._address)
