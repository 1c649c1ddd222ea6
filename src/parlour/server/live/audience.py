"""Connections to one table, and the presence of those in other processes."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from parlour.protocol.json import encode
from parlour.protocol.messages import Presence
from parlour.server.cluster.peer_messages import PresenceChanged, SyncRequest, TablePresence
from parlour.server.live.hosted import HostedGame
from parlour.server.live.updates import Updates
from parlour.server.live.views import Viewer, Views
from parlour.server.store.log_rows import SEATED
from parlour.table.events import Event

if TYPE_CHECKING:
    from parlour.server.live.rooms import Rooms


class Member(Protocol):
    """A connection to a table."""

    viewer: Viewer
    epoch: int

    def send(self, data: bytes) -> None:
        """Queue data for sending, without waiting."""

    def drop(self, reason: str) -> None:
        """Close the connection: its seat has another holder."""


class Audience:
    """All connections that receive the events of a table."""

    def __init__(self, hosted: HostedGame, views: Views, rooms: "Rooms") -> None:
        """Start without connections."""
        self.members: set[Member] = set()
        self._hosted = hosted
        self._updates = Updates(hosted, views)
        self._rooms = rooms
        self._remote: dict[str, tuple[TablePresence, int]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_changed_here = False

    # Presence.

    def join(self, member: Member) -> None:
        """Add a connection."""
        if not self.members:
            self._rooms.peers.broadcast(self._hosted.id, SyncRequest())
        self.members.add(member)
        self.show_presence(True)

    def leave(self, member: Member) -> None:
        """Remove a connection."""
        self.members.discard(member)
        self.show_presence(True)

    def presence(self) -> TablePresence:
        """Return the presence in this process."""
        seats = {member.viewer for member in self.members if member.viewer is not None}
        watchers = sum(member.viewer is None for member in self.members)
        return TablePresence(self._hosted.id, sorted(seats), watchers)

    def seated(self) -> set[int]:
        """Return the seats with a connection in any process."""
        everywhere = [self.presence(), *(there for there, _ in self._remote.values())]
        return {seat for each in everywhere for seat in each.seats}

    def set_remote(self, sender: str, here: TablePresence) -> None:
        """Update the presence in another process."""
        before, _ = self._remote.pop(sender, (None, 0))
        if here.seats or here.watchers:
            self._remote[sender] = (here, self._rooms.clock.now())
        if self._remote.get(sender, (None, 0))[0] != before:
            self.show_presence(False)

    def expire_remote(self, since: Mapping[str, float]) -> None:
        """Drop the presence that each process has not confirmed since the given time."""
        for sender, (_, confirmed) in list(self._remote.items()):
            if confirmed < since.get(sender, confirmed):
                del self._remote[sender]
                self.show_presence(False)

    def show_presence(self, is_changed_here: bool) -> None:
        """Schedule a presence message, one for many changes."""
        self._is_changed_here |= is_changed_here
        if self._timer is None and (self.members or is_changed_here):
            wait = self._rooms.settings.presence_seconds
            self._timer = asyncio.get_running_loop().call_later(wait, self._send_presence)

    def _send_presence(self) -> None:
        self._timer = None
        here = self.presence()
        if self._is_changed_here:
            self._is_changed_here = False
            self._rooms.peers.broadcast(self._hosted.id, PresenceChanged(here))
        seated = self.seated()
        seats = [seat in seated for seat in range(len(self._hosted.seats))]
        watchers = here.watchers + sum(there.watchers for there, _ in self._remote.values())
        self.send_all(encode(Presence(seats, watchers)))

    def close(self) -> None:
        """Cancel the scheduled presence message."""
        if self._timer is not None:
            self._timer.cancel()

    # Sending.

    def _now(self) -> list[Member]:
        """Return a copy: slow connections are removed while sending."""
        return list(self.members)

    def send_all(self, data: bytes) -> None:
        """Send data to all connections."""
        for member in self._now():
            member.send(data)

    def send_seats(self, data: bytes) -> None:
        """Send data to all seats."""
        for member in self._now():
            if member.viewer is not None:
                member.send(data)

    def send_seat(self, seat: int, data: bytes) -> None:
        """Send data to all devices of a seat."""
        for member in self._now():
            if member.viewer == seat:
                member.send(data)

    def send_events(self, events: Sequence[Event]) -> None:
        """Send events to all connections, encoding once for viewers with the same view."""
        if not self.members:
            return
        made = self._updates.encoded(events, {member.viewer for member in self.members})
        for member in self._now():
            member.send(made[member.viewer])

    def close_old_epochs(self) -> None:
        """Drop connections whose seat has another holder."""
        seats = self._hosted.seats
        for member in self._now():
            if member.viewer is None:
                continue
            held = seats[member.viewer]
            if held.kind != SEATED or held.epoch != member.epoch:
                self.members.discard(member)
                self.show_presence(True)
                member.drop("this seat has been taken over")
