"""Bytes that clients have not read yet, limited for each address and in all.

The buffer of one connection has a limit too, but a welcome may exceed it. Many connections that
read nothing would otherwise fill the memory.
"""

from collections.abc import Callable
from typing import Protocol

from parlour.protocol.limits import UNREAD_BYTES
from parlour.table.errors import Busy

MAX_UNREAD = 256 << 20
"""Unread bytes of all connections."""
COUNT_SECONDS = 1.0
"""How often the bytes of all connections are counted; later welcomes are added in between."""


class SlowReader(Protocol):
    """A connection."""

    @property
    def unread(self) -> int:
        """The number of bytes that the client has not read yet."""


class Backlog:
    """The open connections by address, and their unread bytes."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Start without connections; `now` returns seconds."""
        self._now = now
        self._readers: dict[str, set[SlowReader]] = {}
        self._total = 0
        self._counted_at = now()

    def count(self, address: str) -> int:
        """Return the number of connections of an address."""
        return len(self._readers.get(address, ()))

    def add(self, address: str, reader: SlowReader) -> None:
        """Add a connection."""
        self._readers.setdefault(address, set()).add(reader)

    def remove(self, address: str, reader: SlowReader) -> None:
        """Remove a closed connection."""
        readers = self._readers[address]
        readers.discard(reader)
        if not readers:
            del self._readers[address]

    def check(self, address: str) -> None:
        """Raise `Busy` if the address, or all together, must read before they get more."""
        own = sum(reader.unread for reader in self._readers.get(address, ()))
        if own >= UNREAD_BYTES:
            raise Busy(
                f"your connections have {own} bytes to read: read them, then say hello again"
            )
        if self._now() - self._counted_at >= COUNT_SECONDS:
            self._counted_at = self._now()
            every = (reader for readers in self._readers.values() for reader in readers)
            self._total = sum(reader.unread for reader in every)
        if self._total >= MAX_UNREAD:
            raise Busy("too many connections read too slowly: say hello again later")

    def note(self, reader: SlowReader) -> None:
        """Count what a connection has to read after its welcome."""
        self._total += reader.unread
