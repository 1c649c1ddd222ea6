"""Those who look at one table: here, and as numbers, in other processes."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from parlour.core.record import Record
from parlour.protocol.json import encode
from parlour.protocol.messages import Presence
from parlour.server.cluster.whispers import Curious, Here, Visited
from parlour.server.live.hosted import HostedGame
from parlour.server.live.views import SceneChange, Viewer, Views
from parlour.server.store.log_rows import SEATED
from parlour.table.events import Event

if TYPE_CHECKING:
    from parlour.server.live.rooms import Rooms


class Member(Protocol):
    """Somebody who is connected."""

    viewer: Viewer
    epoch: int

    def send(self, data: bytes) -> None:
        """Send soon, without waiting."""

    def drop(self, reason: str) -> None:
        """Say goodbye: this connection speaks for nobody any more."""


class Audience:
    """Everybody who is told of what happens at a table."""

    def __init__(self, hosted: HostedGame, views: Views, rooms: "Rooms") -> None:
        """Nobody is here yet."""
        self.members: set[Member] = set()
        self._hosted = hosted
        self._views = views
        self._rooms = rooms
        self._elsewhere: dict[str, tuple[Here, int]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_changed_here = False

    # Who is here.

    def join(self, member: Member) -> None:
        """Somebody is told of everything from now on."""
        if not self.members:
            self._rooms.peers.tell(self._hosted.id, Curious())
        self.members.add(member)
        self.show_presence(True)

    def leave(self, member: Member) -> None:
        """Somebody is gone."""
        self.members.discard(member)
        self.show_presence(True)

    def here(self) -> Here:
        """Who looks on in this process."""
        seats = {member.viewer for member in self.members if member.viewer is not None}
        watchers = sum(member.viewer is None for member in self.members)
        return Here(self._hosted.id, sorted(seats), watchers)

    def see_elsewhere(self, who: str, here: Here) -> None:
        """Another process tells who looks on there."""
        before, _ = self._elsewhere.pop(who, (None, 0))
        if here.seats or here.watchers:
            self._elsewhere[who] = (here, self._rooms.clock.now())
        if self._elsewhere.get(who, (None, 0))[0] != before:
            self.show_presence(False)

    def keep_elsewhere(self, since: Mapping[str, float]) -> None:
        """Forget what each process has not told again since then."""
        for who, (_, told) in list(self._elsewhere.items()):
            if told < since.get(who, told):
                del self._elsewhere[who]
                self.show_presence(False)

    def show_presence(self, is_changed_here: bool) -> None:
        """Tell soon who is here: once for many who come and go."""
        self._is_changed_here |= is_changed_here
        if self._timer is None and (self.members or is_changed_here):
            wait = self._rooms.settings.presence_seconds
            self._timer = asyncio.get_running_loop().call_later(wait, self._send_presence)

    def _send_presence(self) -> None:
        self._timer = None
        here = self.here()
        if self._is_changed_here:
            self._is_changed_here = False
            self._rooms.peers.tell(self._hosted.id, Visited(here))
        all_of_them = [here, *(there for there, _ in self._elsewhere.values())]
        seated = {seat for each in all_of_them for seat in each.seats}
        seats = [seat in seated for seat in range(len(self._hosted.seats))]
        self.send_all(encode(Presence(seats, sum(each.watchers for each in all_of_them))))

    def close(self) -> None:
        """Nobody is told of anything any more."""
        if self._timer is not None:
            self._timer.cancel()

    # What they are told.

    def _now(self) -> list[Member]:
        """Everybody, to be told: one that is too slow leaves while it is told."""
        return list(self.members)

    def send_all(self, data: bytes) -> None:
        """Tell everybody."""
        for member in self._now():
            member.send(data)

    def send_seats(self, data: bytes) -> None:
        """Tell those who hold a seat."""
        for member in self._now():
            if member.viewer is not None:
                member.send(data)

    def send_seat(self, seat: int, data: bytes) -> None:
        """Tell who holds that seat, on all devices."""
        for member in self._now():
            if member.viewer == seat:
                member.send(data)

    def tell(self, events: Sequence[Event], before: Record | None) -> None:
        """Send what happened to everybody: the bytes are made once for all who see the same."""
        if not self.members:
            return
        views, shared = self._views, not self._hosted.game.has_secrets
        groups: dict[Viewer, list[Member]] = {}
        for member in self.members:
            groups.setdefault(member.viewer, []).append(member)
        sights = views.sights(list(groups))
        made: dict[object, bytes] = {}
        for viewer, members in groups.items():
            sight = sights.get(viewer, SceneChange())
            same: object = id(sight) if shared and sights else viewer
            data = made.get(same)
            if data is None:
                data = made[same] = encode(views.update(viewer, events, sight, before))
            for member in members:
                member.send(data)

    def close_old_epochs(self) -> None:
        """Who does not hold its seat any more goes."""
        seats = self._hosted.seats
        for member in self._now():
            if member.viewer is None:
                continue
            held = seats[member.viewer]
            if held.kind != SEATED or held.epoch != member.epoch:
                self.members.discard(member)
                self.show_presence(True)
                member.drop("this seat has another holder now")
