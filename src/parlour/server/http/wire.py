"""A connection for text messages, as the endpoint of WebSockets uses it."""

from typing import Protocol


class Disconnected(Exception):
    """The connection is closed."""


class Wire(Protocol):
    """A connection for text messages, as the endpoint uses it."""

    fault: str
    """How the client broke the rules of the connection, or empty."""

    def accept(self, subprotocol: str | None) -> None:
        """Accept the connection."""

    def refuse(self, status: int) -> None:
        """Refuse the connection with an HTTP status."""

    async def read(self) -> str | bytes:
        """Return the next message. Raise `Disconnected` when the connection is closed."""

    def send(self, data: bytes) -> None:
        """Send a text message, without waiting."""

    @property
    def buffered(self) -> int:
        """The number of bytes that the other side has not taken yet."""

    def close(self, code: int, reason: str) -> None:
        """Close after all messages are sent."""
