"""Peers: other processes on the same store, and the leases that divide the agents' turns."""

import asyncio
import contextlib
import logging
import random
import secrets
from collections import deque
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from parlour.protocol.errors import StoreUnavailable
from parlour.server.cluster.peer_messages import (
    Envelope,
    Heartbeat,
    ListingChanged,
    PeerMessage,
    message_from_bytes,
    message_to_bytes,
)
from parlour.server.store.store import Run

if TYPE_CHECKING:
    from parlour.server.live.rooms import Rooms

log = logging.getLogger("parlour.server")

BEATS_MISSED = 3
"""Missed heartbeats after which a peer is considered dead."""
MAX_QUEUED = 500
"""Maximum queued messages; the oldest are dropped."""
TABLES_PER_HEARTBEAT = 120
"""Maximum tables in a heartbeat."""
ASK_AGAIN_SECONDS = 0.2
"""Interval of heartbeat requests at the start: peers may miss those sent early."""


class Peer(NamedTuple):
    """Another process."""

    since: int
    last_seen: int
    """Time of its last heartbeat on our clock."""
    rounds: int
    """Number of heartbeats that cover all its tables."""


class Peers:
    """The known peers."""

    def __init__(self, rooms: "Rooms") -> None:
        """Start without peers."""
        self.id = secrets.token_hex(6)
        self._rooms = rooms
        self._peers: dict[str, Peer] = {}
        self._queue: deque[tuple[str, bytes]] = deque(maxlen=MAX_QUEUED)
        self._has_queued = asyncio.Event()
        self._has_reply = asyncio.Event()
        self._turn = 0

    # Sending.

    async def start(self) -> None:
        """Start sending; if other processes seem alive, wait for a heartbeat of one."""
        rooms = self._rooms
        self._rooms.spawn(self._send_queued())
        self.broadcast("", Heartbeat(rooms.started, asks=True))
        recently = rooms.clock.now() - self._timeout_ms
        seem_alive = [run for run in await rooms.store.runs() if run.heartbeat >= recently]
        if rooms.store.IS_SHARED and len(seem_alive) > 1:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(rooms.settings.answer_seconds):
                    await self._ask_until_reply()

    async def _ask_until_reply(self) -> None:
        """Request heartbeats repeatedly, because messages may be lost in both directions."""
        while not self._has_reply.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ASK_AGAIN_SECONDS):
                    await self._has_reply.wait()
                    return
            self.broadcast("", Heartbeat(self._rooms.started, asks=True))

    @property
    def _timeout_ms(self) -> int:
        return int(self._rooms.settings.beat_seconds * BEATS_MISSED * 1000)

    def broadcast(self, table: str, message: PeerMessage) -> None:
        """Queue a message to all peers."""
        if not self._rooms.store.IS_SHARED:
            return
        data = message_to_bytes(self.id, message)
        if data is not None:
            self._queue.append((table, data))
            self._has_queued.set()

    async def _send_queued(self) -> None:
        """Send queued messages in order."""
        while True:
            await self._has_queued.wait()
            self._has_queued.clear()
            await self._send_all()

    async def _send_all(self) -> None:
        while self._queue:
            try:
                await self._rooms.store.broadcast(*self._queue.popleft())
            except StoreUnavailable as error:
                log.debug("a message to peers was lost: %s", error)

    async def beat(self) -> None:
        """Send a heartbeat with the presence at the next portion of our tables."""
        here = self._rooms.presences()
        begin = self._turn if self._turn < len(here) else 0
        self._turn = begin + TABLES_PER_HEARTBEAT
        rounds = max(1, -(-len(here) // TABLES_PER_HEARTBEAT))
        self.broadcast("", Heartbeat(self._rooms.started, here[begin : self._turn], rounds))
        self._expire()

    def _expire(self) -> None:
        """Drop silent peers, and presence that peers have not confirmed."""
        now, beat = self._rooms.clock.now(), self._rooms.settings.beat_seconds * 1000
        oldest = now - self._timeout_ms
        for name in [name for name, peer in self._peers.items() if peer.last_seen < oldest]:
            self._drop(name)
        since = {
            name: now - (peer.rounds + BEATS_MISSED) * beat for name, peer in self._peers.items()
        }
        for room in self._rooms.all_in_memory():
            room.audience.expire_remote(since)

    async def close(self) -> None:
        """Tell peers that this process is leaving."""
        self.broadcast("", Heartbeat(self._rooms.started, leaves=True))
        await self._send_all()

    # Receiving.

    def receive(self, table: str, data: bytes) -> None:
        """Handle a message from a peer."""
        envelope = message_from_bytes(data)
        if envelope is None or envelope.sender == self.id:
            return
        if isinstance(envelope.message, Heartbeat):
            self._on_heartbeat(envelope, envelope.message)
        elif isinstance(envelope.message, ListingChanged):
            self._rooms.lobby.touch()
        else:
            room = self._rooms.in_memory(table)
            if room is not None:
                room.ephemeral.receive(envelope.sender, envelope.message)

    def _on_heartbeat(self, envelope: Envelope, message: Heartbeat) -> None:
        sender = envelope.sender
        if message.leaves:
            self._drop(sender)
            return
        self._peers[sender] = Peer(message.since, self._rooms.clock.now(), message.rounds)
        self._has_reply.set()
        if message.asks:
            self.broadcast("", Heartbeat(self._rooms.started))
        for here in message.tables:
            room = self._rooms.in_memory(here.table)
            if room is not None:
                room.audience.set_remote(sender, here)

    def _drop(self, peer: str) -> None:
        """Drop a peer and the presence of its connections."""
        if self._peers.pop(peer, None) is not None:
            for room in self._rooms.all_in_memory():
                room.ephemeral.drop_peer(peer)

    def is_alive(self, peer: str) -> bool:
        """Whether a peer is known to be alive."""
        return peer in self._peers

    def runs(self) -> list[Run]:
        """Return the known lifetimes of peers."""
        return [Run(peer.since, peer.last_seen) for peer in self._peers.values()]


class Leases:
    """Leases of this process. A store that is not shared needs none."""

    def __init__(self, rooms: "Rooms") -> None:
        """Start without leases."""
        self._rooms = rooms
        self._held: dict[str, int] = {}

    def holds(self, table: str) -> bool:
        """Whether this process holds the lease of a table."""
        return table in self._held

    async def take(self, table: str, v: int) -> bool:
        """Lease a table at a version for a limited time. Return whether it succeeded."""
        store = self._rooms.store
        if not store.IS_SHARED:
            return True
        now = self._rooms.clock.now()
        until = now + int(self._rooms.settings.lease_seconds * 1000)
        return await store.lease(table, v, now, until)

    async def hold(self, table: str, v: int) -> bool:
        """Lease a table and renew the lease until `release`."""
        if not await self.take(table, v):
            return False
        self._held[table] = v
        return True

    def release(self, table: str, v: int) -> None:
        """Stop renewing a lease."""
        if self._held.get(table) == v:
            del self._held[table]

    async def renew(self) -> None:
        """Renew all leases."""
        for table, v in list(self._held.items()):
            if self._held.get(table) == v and not await self.take(table, v):
                self.release(table, v)

    async def available(self, tables: Mapping[str, int]) -> AsyncIterator[str]:
        """Yield the tables, given by version, that this process could lease.

        Leases prevent every process from loading every game that needs attention.
        """
        for table, v in random.sample([*tables.items()], len(tables)):
            if await self.take(table, v):
                yield table
